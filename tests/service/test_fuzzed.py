"""Requests made up from the service's own description of itself."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import (
    negative_data_rejection,
    positive_data_acceptance,
)
from strategies import drawn

from dcells_async.service import Settings, create_app

TOKEN = "secret"


def described(**more):
    limits = {"max_seconds": 0.1, "max_items": 1000, "max_memory": 10**8}
    app = create_app(Settings(**limits, **more))
    return schemathesis.openapi.from_asgi("/openapi.json", app)


_OPEN = described()
_GUARDED = described(token=TOKEN)

# A description cannot tell which texts are problems.
CHECKS = [positive_data_acceptance]


def few(number):
    checks = [*HealthCheck]
    return settings(**drawn(number), suppress_health_check=checks)


@pytest.mark.slow
@_OPEN.parametrize()
@few(5)
def test_no_request_breaks_it_and_answers_are_as_described(case):
    case.call_and_validate(excluded_checks=CHECKS)


@pytest.mark.slow
@_GUARDED.parametrize()
@few(3)
def test_nor_where_a_token_is_wanted_which_nobody_gets_around(case):
    # With the checks comes one that asks without the token, and with a wrong one. The
    # token is given where it was left out on purpose, too, and that is no fault then.
    headers = {"Authorization": f"Bearer {TOKEN}"}
    checks = [*CHECKS, negative_data_rejection]
    case.call_and_validate(headers=headers, excluded_checks=checks)

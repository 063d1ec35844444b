"""Requests made up from the service's own description of itself."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from dcells_async.service import Settings, create_app

_APP = create_app(Settings(max_seconds=0.1, max_items=1000, max_memory=10**8))
_SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", _APP)


@pytest.mark.slow
@_SCHEMA.parametrize()
@settings(max_examples=5, deadline=None, suppress_health_check=[*HealthCheck])
def test_no_request_breaks_it_and_answers_are_as_described(case):
    # A description cannot tell which texts are problems.
    case.call_and_validate(excluded_checks=[positive_data_acceptance])

"""A server for many tests, one for each back end: uvicorn and hypercorn."""

from __future__ import annotations

import pytest
from serving import Server

from dcells_async.service import Settings, create_app

_SETTINGS = {"pulse_seconds": 600.0}
"""Whoever wants pulses asks for them: on a busy machine they come anywhere."""


@pytest.fixture(scope="session")
def servers():
    open_servers = {}
    yield open_servers
    for server in open_servers.values():
        server.__exit__()


@pytest.fixture
def server(servers, anyio_backend):
    """The server for this back end, started when it is first wanted."""
    if anyio_backend not in servers:
        servers[anyio_backend] = Server(anyio_backend, **_SETTINGS).__enter__()
    return servers[anyio_backend]


@pytest.fixture(scope="session")
def app():
    """An application for whoever does not count what it did."""
    return create_app(Settings(**_SETTINGS))

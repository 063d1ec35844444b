"""Who may ask: a bearer token, and no pages of strangers."""

from __future__ import annotations

from secrets import compare_digest
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

from fastapi import Depends
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection  # noqa: TC002

from .faults import Fault

if TYPE_CHECKING:
    from starlette.datastructures import Headers

    from .service import Service
    from .settings import Settings

__all__ = ["ALLOWED", "check_origin", "check_token", "service_of"]

_OURS = {"same-origin", "none"}
"""What a browser says of requests by our own page, or by the user."""

_bearer = HTTPBearer(auto_error=False, description="If the service has a token.")


def service_of(connection: HTTPConnection) -> Service:
    """Give the service that a request is for."""
    service: Service = connection.app.state.service
    return service


def check_token(settings: Settings, given: str | None) -> None:
    """Refuse who does not know the token.

    Raises
    ------
    Fault
        With status 401.
    """
    if settings.token is None:
        return
    wanted = settings.token.get_secret_value().encode()
    # Out of JSON there may come what no text can be.
    if given is None or not compare_digest(given.encode(errors="replace"), wanted):
        raise Fault(
            401,
            "token",
            "A bearer token is wanted",
            headers={"www-authenticate": "Bearer"},
        )


def check_origin(settings: Settings, headers: Headers) -> None:
    """Refuse pages from elsewhere, which a browser may send here unasked.

    Browsers keep such a page from reading the answer, but not from searching, and a
    WebSocket they let it read. Where a picture or a frame is asked for they name no
    origin, but say that it is another one. And a page whose name was made to mean
    this machine looks like one of ours, but for the name.

    Raises
    ------
    Fault
        With status 403.
    """
    host = headers.get("host", "")
    if settings.hosts and (urlsplit(f"//{host}").hostname or "") not in settings.hosts:
        raise Fault(403, "host", "The service is not known by this name")
    origin = headers.get("origin")
    if origin is None and headers.get("sec-fetch-site", "none") not in _OURS:
        raise _from_elsewhere()
    if origin is None or origin in settings.origins:
        return
    if origin.split("://")[-1] != host:
        raise _from_elsewhere()


def _from_elsewhere() -> Fault:
    return Fault(403, "origin", "Pages from elsewhere may not ask")


async def _allowed(
    connection: HTTPConnection,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> None:
    settings = service_of(connection).settings
    check_origin(settings, connection.headers)
    check_token(settings, credentials.credentials if credentials else None)


ALLOWED = Depends(_allowed)
"""A dependency: goes on only if the request may be made."""

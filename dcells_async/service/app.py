"""The application: routes, errors, and the page."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette._utils import get_route_path
from starlette.exceptions import HTTPException
from starlette.requests import Request  # noqa: TC002
from starlette.responses import Response

from .._version import __version__
from .access import ALLOWED, service_of
from .faults import Fault, fault_of, invalid
from .files import Files
from .guards import guarded
from .kinds import ROUTERS
from .openapi import FAULTS, components
from .reply import problem_response
from .service import Service
from .settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import Receive, Scope, Send

__all__ = ["create_app"]

_PAGE = Path(__file__).with_name("page")

_ABOUT = """Exact covers with colors, streamed as they are found.

Streams are NDJSON, or server-sent events for who accepts `text/event-stream`: a
record of type `start`, records of type `cover`, a `pulse` now and then, and a last
record of type `end`, with the outcome and the statistics. A stream without it is not
complete. What is wrong with a request is told in a problem document of RFC 9457.
"""


def create_app(settings: Settings | None = None) -> FastAPI:
    """Make the application.

    It can be run by any ASGI server, on asyncio or trio, and mounted into another
    application. A server waits for its streams before it tells the application that
    it is shutting down; whoever wants them to end with a last record calls
    ``app.state.service.close()`` before, as ``dcells serve`` does.

    Parameters
    ----------
    settings : Settings, optional
        By default, those of the environment.

    Examples
    --------
    >>> app = create_app()
    >>> "/v1/solve" in app.openapi()["paths"]
    True
    """
    settings = Settings() if settings is None else settings
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # A server may be started again.
        service.gate.is_closed = False
        yield
        service.close()

    app = FastAPI(
        title="dcells",
        version=__version__,
        description=_ABOUT,
        lifespan=lifespan,
        # Those pages would load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
    )
    app.state.service = service
    app.add_exception_handler(Fault, _fault)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)
    app.include_router(_watching)
    for router in ROUTERS:
        app.include_router(router, prefix="/v1")
    app.mount("/", _Rest(app, Files(directory=_PAGE, html=True)))
    guarded(app, settings)
    _describe(app, has_token=settings.token is not None)
    return app


_watching = APIRouter()


@_watching.head("/health", include_in_schema=False)
@_watching.get("/health", responses={200: {"content": {"text/plain": {}}}})
async def health() -> Response:
    """Tell that the service is there."""
    return Response("ok\n", media_type="text/plain")


@_watching.head("/metrics", dependencies=[ALLOWED], include_in_schema=False)
@_watching.get(
    "/metrics",
    dependencies=[ALLOWED],
    responses={200: {"content": {"text/plain": {}}}, 401: FAULTS[401]},
)
async def metrics(request: Request) -> Response:
    """Tell what was counted, in Prometheus's text format."""
    return Response(
        service_of(request).metrics.text(), media_type="text/plain; version=0.0.4"
    )


class _Rest:
    """What no route has taken: the page's files, or nothing, or in no such way."""

    def __init__(self, app: FastAPI, files: Files) -> None:
        self._app = app
        self._files = files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return
        path = get_route_path(scope)
        methods = self._app.openapi()["paths"].get(path)
        if methods is not None:
            allowed = ", ".join(sorted(methods)).upper()
            # Who watches a service likes to ask so; of a search there is no head.
            also = "" if path.startswith("/v1/") else ", HEAD"
            raise HTTPException(405, headers={"allow": allowed + also})
        if path == "/v1" or path.startswith("/v1/"):
            raise HTTPException(404)
        if scope["method"] not in {"GET", "HEAD"}:
            _, found = self._files.lookup_path(self._files.get_path(scope))
            if path != "/" and found is None:
                raise HTTPException(404)
            raise HTTPException(405, headers={"allow": "GET, HEAD"})
        await self._files(scope, receive, send)


def _describe(app: FastAPI, *, has_token: bool) -> None:
    describe = app.openapi

    def openapi() -> dict[str, Any]:
        is_new = app.openapi_schema is None
        schema = describe()
        if is_new:
            schemas = schema.setdefault("components", {}).setdefault("schemas", {})
            schemas.update(components())
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            if not has_token:
                schema["components"].pop("securitySchemes", None)
                for routes in schema["paths"].values():
                    for route in routes.values():
                        route.pop("security", None)
        return schema

    app.openapi = openapi  # type: ignore[method-assign]


async def _fault(request: Request, error: Exception) -> Response:
    assert isinstance(error, Fault)
    return problem_response(error)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problem_response(invalid(error.errors()))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    return problem_response(
        Fault(error.status_code, "http", error.detail, headers=headers)
    )


async def _unexpected(request: Request, error: Exception) -> Response:
    return problem_response(fault_of(error))

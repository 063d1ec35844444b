"""The command ``serve``: the streaming service; it needs the extra ``serve``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from ..tables import did_you_mean
from .telling import Failure, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["serve"]

_HOST, _PORT = "127.0.0.1", 8000
_PREFIX = "DCELLS_SERVE_"


class _Serve(click.Command):
    """Has an option for each of the service's settings, once they are wanted."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Give the options."""
        return [*_settings(), *super().get_params(ctx)]


def _settings() -> Iterator[click.Parameter]:
    try:
        from ..service import Settings  # noqa: PLC0415
    except ImportError as error:
        raise Failure(f"dcells: {error}") from error
    for name, field in Settings.model_fields.items():
        default = field.get_default()
        yield click.Option(
            ["--" + name.replace("_", "-")],
            # Without a flag the environment decides, and then the default.
            type=type(default) if isinstance(default, int | float) else str,
            metavar="N" if isinstance(default, int | float) else "TEXT",
            help=f"{field.description}"
            + (f"  [default: {default}]" if default else ""),
        )


def _check_environment(fields: Iterable[str]) -> None:
    """Refuse a variable that would be ignored: it is meant as something."""
    known = [_PREFIX + name.upper() for name in ("host", "port", "backend", *fields)]
    for variable in map(str.upper, os.environ):
        if variable.startswith(_PREFIX) and variable not in known:
            near = did_you_mean(variable, known)
            raise Failure(f"dcells: {variable} is no setting{near}")


@click.command(cls=_Serve, context_settings={"show_default": True})
@click.option("--host", default=_HOST, envvar=f"{_PREFIX}HOST", help="Where to listen.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=_PORT,
    envvar=f"{_PREFIX}PORT",
    help="0 for any free one.",
)
@click.option(
    "--backend",
    type=click.Choice(["asyncio", "trio"]),
    default="asyncio",
    envvar=f"{_PREFIX}BACKEND",
    help="With uvicorn, or with hypercorn.",
)
def serve(*, host: str, port: int, backend: str, **settings: Any) -> None:  # noqa: ANN401
    """Serve searches over HTTP, as streams of covers.

    Only this machine is served, unless --host says otherwise. Each option can also be
    given in the environment, --max-open as DCELLS_SERVE_MAX_OPEN, and so on; flags
    come first. A variable of that kind that is no option is refused.

    The first line on stdout tells the address. SIGTERM or Ctrl-C ends the service;
    open streams get their last record.

    \b
    Examples:
      dcells serve
      dcells serve --port 8080 --max-open 100 --backend trio
      curl -N --data-binary @queens.dlx http://127.0.0.1:8000/v1/solve
    """
    from pydantic import ValidationError  # noqa: PLC0415

    from ..service.server import serve as run  # noqa: PLC0415
    from ..service.settings import Settings  # noqa: PLC0415

    _check_environment(Settings.model_fields)
    given = {name: value for name, value in settings.items() if value is not None}
    try:
        chosen = Settings(**given)
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(map(str, fault["loc"]))
        why = fault["msg"].removeprefix("Value error, ")
        raise Failure(f"dcells: setting {name}: {why}") from None
    with told(f"{host}:{port}"):
        run(chosen, host, port, backend)

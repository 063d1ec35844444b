"""The command ``serve``: the streaming service; it needs the extra ``serve``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .telling import Failure, told

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["serve"]

_HOST, _PORT = "127.0.0.1", 8000


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


@click.command(cls=_Serve, context_settings={"show_default": True})
@click.option("--host", default=_HOST, help="Where to listen.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=_PORT, help="0 for any free one."
)
@click.option(
    "--backend",
    type=click.Choice(["asyncio", "trio"]),
    default="asyncio",
    help="With uvicorn, or with hypercorn.",
)
def serve(*, host: str, port: int, backend: str, **settings: Any) -> None:  # noqa: ANN401
    """Serve searches over HTTP, as streams of covers.

    Only this machine is served, unless --host says otherwise. Each option without a
    default here can also be given in the environment, --max-open as
    DCELLS_SERVE_MAX_OPEN, and so on; flags come first.

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

    given = {name: value for name, value in settings.items() if value is not None}
    try:
        chosen = Settings(**given)
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(map(str, fault["loc"]))
        raise Failure(f"dcells: setting {name}: {fault['msg']}") from None
    with told(f"{host}:{port}"):
        run(chosen, host, port, backend)

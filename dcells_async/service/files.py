"""The files of the page, as browsers take them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.staticfiles import StaticFiles

if TYPE_CHECKING:
    from os import PathLike, stat_result

    from starlette.responses import Response
    from starlette.types import Scope

__all__ = ["Files"]


class Files(StaticFiles):
    """Files that are asked for anew each time, for they change with the version."""

    def file_response(
        self,
        full_path: str | PathLike[str],
        stat_result: stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Give a file; or tell that the browser has it."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = "no-cache"
        if str(full_path).endswith(".js"):
            # What a machine says of this ending may be something else, which no
            # browser would run.
            response.headers["content-type"] = "text/javascript; charset=utf-8"
        return response

"""Searches over the wire: an ASGI application; it needs the extra ``serve``.

>>> from dcells_async.service import Settings, create_app
>>> app = create_app(Settings(max_open=16))

runs by itself under any ASGI server, and can be mounted into another application.
``dcells serve`` runs it under uvicorn, on asyncio, or under hypercorn, on trio.
"""

from __future__ import annotations

try:
    from .app import create_app
    from .settings import Settings
except ImportError as error:
    raise ImportError(
        f"the service needs more: pip install 'dcells-async[serve]' ({error})"
    ) from error

__all__ = ["Settings", "create_app"]

"""What keeps workers in different threads out of each other's way."""

from __future__ import annotations

from threading import Condition, get_ident

__all__ = ["Turnstile"]


class Turnstile(Condition):
    """A lock to wait at; see `Crew`.

    It can be entered again by who is in it, for a handler of Ctrl-C may be.
    """

    def me(self) -> int:
        """Tell who is asking."""
        return get_ident()

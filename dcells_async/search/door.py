"""What a crew needs to keep its workers apart; here there are no threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Alone", "Door"]


class Door(Protocol):
    """A lock that who holds it can enter again, and wait at for others to notify."""

    def __enter__(self) -> object: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> bool | None: ...
    def wait(self) -> object:
        """Let others in until somebody notifies."""

    def notify_all(self) -> None:
        """Let those who wait go on."""

    def me(self) -> int:
        """Tell who is asking."""


class Alone:
    """For a single thread, which never has to wait."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def wait(self) -> None:
        """Do nothing: nobody would notify."""

    def notify_all(self) -> None:
        """Do nothing: nobody waits."""

    def me(self) -> int:
        """Give the only one there is."""
        return 0

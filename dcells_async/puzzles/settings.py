"""Settings that are one of a few words."""

from __future__ import annotations

from ..errors import ProblemError

__all__ = ["check_setting"]


def check_setting(name: str, value: object, choices: tuple[object, ...]) -> None:
    """Refuse a value that is not one of the choices, naming them.

    Raises
    ------
    ProblemError
        If it is not.

    Examples
    --------
    >>> check_setting("style", "letters", ("walls", "letters"))
    """
    if value not in choices:
        allowed = ", ".join(map(repr, choices))
        raise ProblemError(f"{name} must be one of {allowed}, not {value!r}")

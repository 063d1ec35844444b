"""Files that are whole at any moment: written beside, and then put in place."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["replacing"]


@contextmanager
def replacing(path: str | Path, ending: str | None = None) -> Iterator[BinaryIO]:
    """Give a file to write to, which takes the place of another at the end.

    Whatever happens meanwhile, there is the old file or the new one.

    Parameters
    ----------
    path : str or Path
        The file to be replaced, or made. If it is a link, that stays, and leads to the
        new file.
    ending : str, optional
        The file written first is called like the other one, with this behind. So one
        that was left by a process that died is used again. By default it has a name
        of its own.

    Raises
    ------
    OSError
        There is something else than a regular file, or it cannot be written.
    """
    path, mode = _place(path)
    if ending is None:
        beside = path.with_name(f"{uuid4().hex}.part")
    else:
        beside = path.with_name(path.name + ending)
    # If there is such a file already, it is not ours to remove.
    file = beside.open("xb" if ending is None else "wb")
    try:
        with file:
            if mode is not None:
                beside.chmod(mode)
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _place(path: str | Path) -> tuple[Path, int | None]:
    """Give the file that a path leads to, and the permissions that it has by now."""
    try:
        before = Path(path).stat()
    except FileNotFoundError:
        mode = None
    else:
        if not stat.S_ISREG(before.st_mode):
            is_folder = stat.S_ISDIR(before.st_mode)
            raise OSError(
                errno.EISDIR if is_folder else errno.EINVAL,
                "not a regular file, which could be replaced",
                str(path),
            )
        mode = stat.S_IMODE(before.st_mode)
    # A link stays, and leads to the new file.
    return Path(os.path.realpath(path)), mode

"""Write files atomically: an interruption never leaves half a file."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_ABANDONED = 24 * 3600.0
"""Seconds after which nobody writes to a temporary file any more."""
_LONGEST = 60
"""Characters of the name that its temporary file is named by: names have at most 255 bytes."""


@contextmanager
def atomic_write(
    path: Path, *, durable: bool = False, private: bool = False
) -> Generator[IO[bytes]]:
    """Open a file for writing that replaces the old one only when it is complete.

    Anything but a plain file (``/dev/stdout``, a pipe) is written directly and never replaced.
    A durable file is synced to disk before it gets its name; a private one nobody else can read.
    """
    if path.exists() and not path.is_file():  # before links are resolved: a pipe has no name
        with path.open("wb") as file:
            yield file
        return
    target = path.resolve()  # the target of a link is replaced, not the link
    stem = f".{target.name[:_LONGEST]}."
    part = target.with_name(f"{stem}{token_hex(4)}.part")
    if durable:
        _remove_abandoned(target.parent, stem)
    try:
        part.touch(mode=0o600 if private else 0o666)
        with part.open("wb") as file:
            if target.exists() and not private:
                part.chmod(target.stat().st_mode & 0o777)
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _remove_abandoned(folder: Path, stem: str) -> None:
    """Remove what killed processes left: a backup may be large, and nobody sees hidden files."""
    for file in folder.iterdir() if folder.is_dir() else ():
        if file.name.startswith(stem) and file.name.endswith(".part"):
            with suppress(OSError):  # another process was quicker, or it is not ours
                if time.time() - file.stat().st_mtime > _ABANDONED:
                    file.unlink()

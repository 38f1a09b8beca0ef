"""Files that are whole whenever they are there: whoever is interrupted leaves no half of one."""

from __future__ import annotations

import os
from contextlib import contextmanager
from secrets import token_hex
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_LONGEST = 60
"""Characters of a name that its unfinished part is called by: names have at most 255 bytes."""


@contextmanager
def atomic_write(path: Path, *, durable: bool = False) -> Generator[IO[bytes]]:
    """A file to write; one of that name stays until the new one is whole.

    What is no plain file (``/dev/stdout``, a pipe) is written as it stands and never replaced.
    A durable file is on the disk, not only on its way there, before it takes the name.
    """
    if path.exists() and not path.is_file():  # before its links are followed: a pipe has no name
        with path.open("wb") as file:
            yield file
        return
    target = path.resolve()  # a link leads to the file that is replaced
    part = target.with_name(f".{target.name[:_LONGEST]}.{token_hex(4)}.part")
    try:
        with part.open("wb") as file:
            if target.exists():
                part.chmod(target.stat().st_mode & 0o777)
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)

"""Files that commands write: none that is there is overwritten without being told to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.output import count
from pageloom.apps.cli.safe import one_line
from pageloom.errors import why_not

if TYPE_CHECKING:
    from collections.abc import Iterable


def require_free(places: Iterable[str | Path | None], *, force: bool) -> None:
    """Refuse files that exist, before any work is done for them.

    Args:
        places: files that will be written; ``-`` and None are none.
        force: whether they may be overwritten.

    Raises:
        UsageTrouble: one exists, and ``--force`` was not given.
    """
    # A device or a pipe is no file that could be lost.
    wanted = (Path(place) for place in places if place not in (None, "-"))
    taken = [place for place in wanted if place.is_file()]
    if not taken or force:
        return
    first = one_line(str(taken[0]), 80)
    if len(taken) == 1:
        raise UsageTrouble(
            f"{first} already exists.",
            suggestions=("Give another file, or overwrite this one with --force.",),
        )
    raise UsageTrouble(
        f"{count(len(taken), 'file')} already exist, such as {first}.",
        suggestions=("Give another directory, or overwrite them with --force.",),
    )


def write_file(place: str | Path, data: bytes) -> None:
    """Write a file.

    Raises:
        UsageTrouble: it cannot be written; says why.
    """
    try:
        Path(place).write_bytes(data)
    except OSError as error:
        message = f"{place} cannot be written: {why_not(error)}."
        raise UsageTrouble(message, suggestions=()) from None

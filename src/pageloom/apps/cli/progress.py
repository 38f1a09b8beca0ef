"""Signs of life for people who wait at a terminal; nothing for anybody else."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pageloom.apps.cli.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Generator


@contextmanager
def show_progress(
    what: str, total: int | None, *, quiet: bool = False
) -> Generator[Callable[[], None]]:
    """A bar on standard error; call what it gives for each step."""
    if quiet or total == 1 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


@contextmanager
def waiting(what: str) -> Generator[Callable[[str], None] | None]:
    """A sign of life on standard error for people at a terminal; nothing for anybody else."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, highlight=False, markup=False)
    with console.status(Text(what)) as status:
        yield lambda news: status.update(Text(f"{what} · {one_line(news, 80)}"))


@contextmanager
def resumable() -> Generator[None]:
    """Work that Ctrl-C only interrupts: says on standard error how to continue it."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted. Run the same command again to continue where it stopped.\n")
        raise

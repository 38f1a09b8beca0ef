"""Long text through the pager of whoever sits at the terminal."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import sys
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator


class _Tape(io.StringIO):
    """Takes what would be shown; colours are kept, for a terminal will show it."""

    def isatty(self) -> bool:
        return True


@contextmanager
def paged(*, wanted: bool = True) -> Generator[None]:
    """Show what the block prints in $PAGER, where standard output is a terminal."""
    command = _pager() if wanted and sys.stdout.isatty() else []
    if not command:
        yield
        return
    tape = _Tape()
    with redirect_stdout(tape):
        yield
    try:
        # The user's own program; less leaves short text on the screen and shows colours.
        environment = {"LESS": "FRX"} | os.environ
        subprocess.run(  # noqa: S603  see above
            command, input=tape.getvalue().encode(), env=environment, check=False
        )
    except OSError:
        sys.stdout.write(tape.getvalue())


def _pager() -> list[str]:
    chosen = os.environ.get("PAGER")
    if chosen is None:
        return ["less"] if shutil.which("less") else []
    return shlex.split(chosen) if chosen.strip() not in {"", "cat"} else []

"""``pageloom`` and ``python -m pageloom``."""

from __future__ import annotations

import gc
import os
import sys
import warnings

_READS_A_PAGE = frozenset({"extract", "explain", "fetch", "save"})


_ALLOCATIONS = 20_000
"""After so many, cycles are looked for; Python's 700 would do so all the while we are loading."""


def main() -> None:
    """Run the command line and end the process with its exit code."""
    gc.set_threshold(_ALLOCATIONS)
    warnings.formatwarning = _format_warning
    arguments = sys.argv[1:]
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        # The reader of our output has left; say nothing more, not even when Python closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _format_warning(message: Warning | str, *_: object) -> str:
    """A warning as one line for the user, without the place in our code that gave it."""
    return f"Warning: {message}\n"


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["--version"]:
        from pageloom import __version__

        print(f"pageloom {__version__}")  # noqa: T201  the answer
        return 0
    if _will_read_a_page(arguments):
        # The child loads the engine while we load the command line.
        from pageloom.edges.sandbox import shared_sandbox

        shared_sandbox().warm()
    from pageloom.apps.cli.main import run

    return run(arguments)


def _will_read_a_page(arguments: list[str]) -> bool:
    return bool(_READS_A_PAGE.intersection(arguments[:1])) and not {"-h", "--help"} & {*arguments}


if __name__ == "__main__":
    main()

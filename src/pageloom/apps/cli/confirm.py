"""Asking before something is lost that cannot be brought back."""

from __future__ import annotations

import sys

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.invocation import current


def confirm(what: str, *, yes: bool) -> None:
    """Ask a person at the terminal, unless --yes was given.

    Args:
        what: what would be done, as in ``Remove 3 pages permanently``.
        yes: whether --yes was given.

    Raises:
        UsageTrouble: nobody can be asked, or the answer was no.
    """
    if yes:
        return
    if current.as_json or not sys.stdin.isatty():
        raise UsageTrouble(
            f"This needs confirmation: {what}.", suggestions=("Add --yes to confirm.",)
        )
    sys.stderr.write(f"{what}? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise UsageTrouble("Cancelled; nothing was changed.", suggestions=())

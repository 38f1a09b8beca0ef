"""``pageloom help``."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.main import run


def help_(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[COMMAND]", help="A command, such as save or watch add."),
    ] = None,
) -> None:
    """Show the help of a command."""
    raise typer.Exit(run([*(words or ()), "--help"]))

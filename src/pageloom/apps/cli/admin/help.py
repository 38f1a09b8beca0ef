"""``pageloom help``, and ``pageloom --help``: all commands in groups, without loading them."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom import __version__
from pageloom.apps.cli.commands import FAMILIES, GROUPS
from pageloom.apps.cli.main import run
from pageloom.apps.cli.output import print_lines

_HEAD = """\
Usage: pageloom COMMAND [ARGUMENTS]

  Turn a web page into one clean, structured Document; save it, search it,
  and get notified when it changes.

"""
_FOOT = """
Options:
  -h, --help   Show this overview; after a command, its help.
  --version    Show the version.

pageloom help COMMAND explains a command. Documentation: docs/cli.md"""


def help_(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[COMMAND]", help="A command, such as save or watch add."),
    ] = None,
) -> None:
    """Show the help of a command."""
    raise typer.Exit(run([*(words or ()), "--help"]))


def print_overview(*, version: bool = False) -> None:
    """The overview, or the version."""
    if version:
        print_lines([f"pageloom {__version__}"])
        return
    print_lines(_HEAD.splitlines())
    for group, commands in GROUPS.items():
        shown = {name.partition(" ")[0]: line for name, (_, line) in reversed(commands.items())}
        print_lines([f"{group}:"])
        for name in reversed(shown):
            print_lines([f"  {name:<11}  {FAMILIES.get(name, shown[name])}"])
        print_lines([""] if group != list(GROUPS)[-1] else [])
    print_lines(_FOOT.splitlines())

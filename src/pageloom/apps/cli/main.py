"""The commands with their flags, and the one door through which errors become exit codes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom import __version__
from pageloom.apps.cli.observe import start_observing
from pageloom.apps.cli.safe import write_anything
from pageloom.apps.cli.trouble import UsageTrouble, exit_code, report
from pageloom.errors import PageloomError

if TYPE_CHECKING:
    from typer.models import CommandInfo

COMMANDS = {
    "pageloom.apps.cli.extract_commands": "extract explain doctor",
    "pageloom.apps.cli.fetch_commands": "fetch",
    "pageloom.apps.cli.library_commands": "save list search read open pin unpin archive unarchive"
    " unread delete purge tag note history stats",
    "pageloom.apps.cli.library_care_commands": "restore backup reparse",
    "pageloom.apps.cli.library_export_commands": "export import",
    "pageloom.apps.cli.library_more_commands": "sources duplicates compare",
    "pageloom.apps.cli.people_commands": "token users",
    "pageloom.apps.cli.watch_commands": "watch check changes prices notify",
    "pageloom.apps.cli.diff_commands": "diff",
    "pageloom.apps.cli.agents_commands": "worker enqueue dlq top",
    "pageloom.apps.cli.rules_commands": "rules",
}
"""Which module adds which commands; only the one that is asked for is loaded."""

JSON_FORMATS = frozenset({"json", "article", "parsed", "extracted"})
"""Errors are told in JSON too where the answer would have been JSON."""


def make_app(wanted: str) -> typer.Typer:
    """The command line with the one command, or with all where none is known (help, typos)."""
    app = typer.Typer(
        name="pageloom",
        help="Turn whatever a URL answers with into one clean, structured Document.",
        callback=_all,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    homes = [home for home, names in COMMANDS.items() if wanted in names.split()]
    for home in homes or COMMANDS:
        import_module(home).register(app)
    if homes:  # reading the flags of its neighbours would take longer than most commands
        mine = [each for each in app.registered_commands if _name_of(each) == wanted]
        app.registered_commands = mine
        app.registered_groups = [] if mine else app.registered_groups
    return app


def _name_of(command: CommandInfo) -> str:
    return command.name or getattr(command.callback, "__name__", "")


def _show_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"pageloom {__version__}")
        raise typer.Exit


def _all(
    *,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    _show_version(wanted=version)


def run(arguments: list[str]) -> int:
    """Run one command line; the only place that catches PageloomError.

    Returns:
        The exit code.
    """
    write_anything()
    if not arguments:
        run(["--help"])
        return 2
    try:
        app = make_app(arguments[0])
        end = start_observing(arguments)
        try:
            return app(arguments, standalone_mode=False) or 0
        finally:
            end()
    except SystemExit:  # only so does Typer say that the reader of our output has left
        return 0
    except typer.TyperException as error:
        trouble = UsageTrouble(error.format_message())
    except PageloomError as error:
        trouble = error
    report(trouble, as_json=_wants_json(arguments))
    return exit_code(trouble, strict=_is_strict(arguments))


def _is_strict(arguments: list[str]) -> bool:
    if "--strict" in arguments:
        return True
    from pageloom.settings import load_settings

    try:
        return load_settings().extraction.strict
    except PageloomError:  # then this is the error that is being reported
        return False


def _wants_json(arguments: list[str]) -> bool:
    if "--json" in arguments:
        return True
    pairs = zip(arguments, [*arguments[1:], ""], strict=True)
    return any(_format_of(one, two) in JSON_FORMATS for one, two in pairs)


def _format_of(one: str, two: str) -> str:
    """The format that a flag names, in any of the spellings that a shell user may choose."""
    if one in ("--format", "-f"):
        return two
    if one.startswith("--format="):
        return one.removeprefix("--format=")
    return one[2:].removeprefix("=") if one.startswith("-f") else ""

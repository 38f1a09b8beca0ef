"""Runs one command line, and is the one place where errors become exit codes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import typer
from typer.core import TyperCommand

from pageloom.apps.cli import invocation
from pageloom.apps.cli.commands import COMMANDS, FAMILIES, OLD_FLAGS
from pageloom.apps.cli.errors import UsageTrouble, exit_code, report, warn_old
from pageloom.apps.cli.observe import start_observing
from pageloom.apps.cli.safe import one_line, write_anything
from pageloom.errors import PageloomError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typer import Context

_HELP = {"help_option_names": ["-h", "--help"]}


class Command(TyperCommand):
    """A command that notes ``--json`` and the like even where its other flags cannot be read."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Read the arguments."""
        args = [self._renamed(arg) for arg in args]
        given = list(args)
        try:
            return super().parse_args(ctx, args)  # pyright: ignore[reportArgumentType]
        except typer.TyperException:
            ctx.resilient_parsing = ctx.ignore_unknown_options = True
            found, _, _ = self.make_parser(ctx).parse_args(given)  # pyright: ignore[reportArgumentType]
            invocation.note_all(found)
            raise

    def _renamed(self, flag: str) -> str:
        """A flag by the name it has now; whoever uses an old one is warned."""
        new = OLD_FLAGS.get((self.name or "", flag))
        if new:
            warn_old(flag, new)
        return new or flag


def make_app(words: list[str]) -> typer.Typer:
    """The command line with the commands that the first words may mean.

    Raises:
        UsageTrouble: they mean none.
    """
    first, both = " ".join(words[:1]), " ".join(words[:2])
    meant = [name for name in COMMANDS if name in (first, both)]
    meant = meant or [name for name in COMMANDS if name.partition(" ")[0] == first]
    if not meant:
        invocation.note_json(value="--json" in words)  # there is no command that would read it
        raise _unknown(first)
    return assemble(meant)


def assemble(names: Iterable[str]) -> typer.Typer:
    """The command line with these commands and no others."""
    app = typer.Typer(
        name="pageloom",
        callback=_nothing,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=_HELP,
    )
    families: dict[str, typer.Typer] = {}
    for name in names:
        family, _, own = name.rpartition(" ")
        if family and family not in families:
            families[family] = typer.Typer(
                name=family,
                help=FAMILIES[family],
                rich_markup_mode=None,
                context_settings=_HELP,
                callback=_nothing,
            )
            app.add_typer(families[family])
        _add(families[family] if family else app, own, COMMANDS[name])
    return app


def _add(app: typer.Typer, name: str, home: str) -> None:
    place, _, function = home.partition(":")
    module = import_module(f"pageloom.apps.cli.{place}")
    app.command(name, cls=getattr(module, "COMMAND_CLASS", Command))(getattr(module, function))


def _unknown(name: str) -> UsageTrouble:
    import difflib

    known = sorted({command.partition(" ")[0] for command in COMMANDS})
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
    advice = f"Did you mean {' or '.join(near)}?" if near else "pageloom --help lists all commands."
    return UsageTrouble(f"pageloom has no command {one_line(name, 40)!r}.", suggestions=(advice,))


def _nothing() -> None:
    """Typer needs one, so that a program with one command is still one of several."""


def run(arguments: list[str]) -> int:
    """Run one command line; the only place that catches PageloomError.

    Returns:
        The exit code.
    """
    write_anything()
    invocation.begin()
    if not arguments or arguments[0] in ("-h", "--help", "--version"):
        from pageloom.apps.cli.admin.help import print_overview

        print_overview(version=arguments[:1] == ["--version"])
        return 0 if arguments else 2
    if arguments in [[family] for family in FAMILIES]:
        run([*arguments, "--help"])
        return 2
    try:
        app = make_app(arguments)
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
    report(trouble, as_json=invocation.current.as_json)
    return exit_code(trouble, strict=_is_strict())


def _is_strict() -> bool:
    if invocation.current.strict:
        return True
    from pageloom.settings import load_settings

    try:
        return load_settings().extraction.strict
    except PageloomError:  # then this is the error that is being reported
        return False

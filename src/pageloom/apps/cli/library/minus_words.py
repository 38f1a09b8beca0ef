"""A command that takes words of which some begin with a minus, beside its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.core import TyperOption

if TYPE_CHECKING:
    from typer import Context
from pageloom.apps.cli.main import Command


class MinusWordsCommand(Command):
    """Takes ``-scrap`` for a word: of options with one dash it knows only its own, with a number.

    So ``-n 5`` and ``-n5`` are options and ``-nature`` is a word, before the words and after them.
    """

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Read the arguments: the options first, and everything else behind ``--``."""
        options, words = _sort(args, self._valued(ctx))
        behind = ["--", *words] if words else []
        return super().parse_args(ctx, [*options, *behind])

    def _valued(self, ctx: Context) -> dict[str, bool]:
        """The names of the options: whether a value follows them."""
        options = [one for one in self.params if isinstance(one, TyperOption)]
        helps = dict.fromkeys(self.get_help_option_names(ctx), False)  # pyright: ignore[reportArgumentType]
        return helps | {name: not one.is_flag for one in options for name in one.opts}


def _sort(args: list[str], valued: dict[str, bool]) -> tuple[list[str], list[str]]:
    options: list[str] = []
    words: list[str] = []
    left = list(args)
    while left:
        arg = left.pop(0)
        if arg == "--":
            words += left
            break
        if arg.startswith("--"):
            options.append(arg)
            if valued.get(arg):
                if not left:  # which is then told of, whatever the words are
                    return options, []
                options.append(left.pop(0))
        elif arg in valued and left and left[0].isdigit():
            options += [arg, left.pop(0)]
        elif arg[:2] in valued and arg[2:].isdigit():
            options.append(arg)
        else:
            words.append(arg)
    return options, words

"""``pageloom search``: pages by the words in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperOption

from pageloom.apps.cli.flags import CommonStream, Limit, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.main import Command
from pageloom.apps.cli.output import print_items, print_lines
from pageloom.apps.cli.page_flags import ChosenAnywhere, Offset
from pageloom.apps.cli.pages import open_library
from pageloom.apps.cli.safe import has_styles, one_line, safe
from pageloom.apps.cli.table_layout import terminal_width
from pageloom.flows.library.search_language import KEYS
from pageloom.model.pages import Sort
from pageloom.views import records

if TYPE_CHECKING:
    from typer import Context

    from pageloom.model.pages import Hit


@dataclass(frozen=True, kw_only=True)
class SearchFlags(ChosenAnywhere, CommonStream):
    """The flags of ``search``."""

    query: Annotated[
        list[str],
        typer.Argument(metavar="WORDS…", help='swifts "old crane" -scrap bird* crane OR gantry'),
    ]
    sort: Annotated[
        Sort | None, typer.Option("--sort", help="The order; default: best match first.")
    ] = None
    limit: Limit = 20
    offset: Offset = 0


@takes(SearchFlags)
def search(*, flags: SearchFlags) -> None:
    """Search the text of pages, in any language.

    All words must occur, in any form where the language of a page is known (swift, swifts).
    "several words" is a phrase, "word" is the word as it is, -word excludes, word* is a prefix,
    and one OR other accepts either. Accents and case do not matter.

    Filters stand among the words: tag:birds -tag:old site:example.com type:article lang:en
    source:NAME is:unread|read|pinned|archived|deleted|teaser|failing|watched
    has:note|highlight|price before:DATE after:7d "changed:<7d" "words:>2000" "price:<50".
    """
    with open_library(flags.user) as library:
        found = library.search(
            join_words(flags.query),
            flags.filters(),
            sort=flags.sort,
            limit=flags.limit,
            offset=flags.offset,
        )
        found_none = not (found.hits or flags.offset)
        looser = library.suggest(join_words(flags.query), flags.filters()) if found_none else ""
    shown = len(found.hits)
    if current.as_json:
        print_items(
            map(records.hit, found.hits),
            total=found.total,
            total_is_exact=found.is_exact,
            next=flags.offset + shown if found.more else None,
            suggestion=looser or None,
        )
        return
    if not found.hits:
        print_lines(["No pages match."])
        if looser:
            again = f"pageloom search {quote(safe(looser))}"
            print_lines([f"To match words that begin with these, run: {again}"])
        return
    for hit in found.hits:
        print_lines(_hit(hit))
    total = f"{found.total:,}" if found.is_exact else f"at least {found.total:,}"
    if found.more:
        print_lines([f"{shown} of {total}; more with --offset {flags.offset + shown}"])


def join_words(arguments: list[str]) -> str:
    """What was typed, as one search: words that the shell was told to keep together stay so."""
    if len(arguments) == 1:
        return _keep_together(arguments[0])
    return " ".join(map(_keep_together_or_out, arguments))


def _keep_together_or_out(words: str) -> str:
    """Of several arguments one with a minus before it is one thing too: ``-"old crane"``."""
    if words.startswith("-") and words[1:2].strip():
        return f"-{_keep_together(words[1:])}"
    return _keep_together(words)


def _keep_together(words: str) -> str:
    return f'"{words}"' if " " in words and not _SIGNS.search(words) else words


_SIGNS = re.compile(rf'["*]|(?:^|\s)(?:OR(?:\s|$)|-\S|(?:{"|".join(KEYS)}):\S)')
"""What shows that an argument is a search of several parts, and not a phrase."""


_INDENT = " " * 7


def _broken(text: str, width: int) -> str:
    """The text with line breaks in the place of some spaces, so that marks stay where they are."""
    chars, start, space = list(text), 0, 0
    for place, char in enumerate(text):
        if char == " ":
            space = place
        if place - start >= width and space > start:
            chars[space] = "\n"
            start = space + 1
    return "".join(chars)


def _hit(hit: Hit) -> list[str]:
    page = hit.page
    head = f"{page.id:>5}  {one_line(page.title or page.url, 90)}  ({one_line(page.domain, 40)})"
    return [head, _INDENT + _marked(hit).replace("\n", f"\n{_INDENT}")]


def _marked(hit: Hit) -> str:
    """The snippet, with the words set off on a terminal."""
    text = hit.snippet.text
    if not has_styles():
        return safe(text)
    text = _broken(text, terminal_width() - len(_INDENT))
    parts: list[str] = []
    end = 0
    for start, stop in hit.snippet.marks:
        parts += [safe(text[end:start]), "\x1b[1m", safe(text[start:stop]), "\x1b[0m"]
        end = stop
    return "".join([*parts, safe(text[end:])])


class MinusWordsCommand(Command):
    """Takes ``-scrap`` for a word: of options with one dash it knows only its own, with a number.

    So ``-n 5`` and ``-n5`` are options and ``-nature`` is a word, before the words and after them.
    """

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Read the arguments: the options first, and everything else behind ``--``."""
        options, words = _split_arguments(args, self._valued(ctx))
        behind = ["--", *words] if words else []
        return super().parse_args(ctx, [*options, *behind])

    def _valued(self, ctx: Context) -> dict[str, bool]:
        """The names of the options: whether a value follows them."""
        options = [one for one in self.params if isinstance(one, TyperOption)]
        helps = dict.fromkeys(self.get_help_option_names(ctx), False)  # pyright: ignore[reportArgumentType]
        return helps | {name: not one.is_flag for one in options for name in one.opts}


def _split_arguments(args: list[str], valued: dict[str, bool]) -> tuple[list[str], list[str]]:
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


COMMAND_CLASS = MinusWordsCommand
"""What reads the arguments of this command."""

"""``pageloom tag``: tags of pages."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pageloom.apps.cli.errors import UsageTrouble, warn_old
from pageloom.apps.cli.flags import CommonStream, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import print_items, print_json, print_lines
from pageloom.apps.cli.page_flags import ChosenAnywhere
from pageloom.apps.cli.pages import open_library, require_page, require_pages, watch_number
from pageloom.apps.cli.safe import safe

if TYPE_CHECKING:
    from pageloom.library import Library
    from pageloom.model.pages import Page


TagAction = Literal["add", "remove", "list"]


@dataclass(frozen=True, kw_only=True)
class TagFlags(ChosenAnywhere, CommonStream):
    """The flags of ``tag``."""

    action: Annotated[TagAction, typer.Argument(help="add, remove or list.")]
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TAG…]", help="The tags; with list: a page, or nothing for all tags."
        ),
    ] = None
    to: Annotated[
        list[str] | None,
        typer.Option(
            "--to",
            "--from",
            metavar="PAGE",
            help="The page to tag. May be repeated; or choose pages with the filters below.",
        ),
    ] = None

    @property
    def has_filters(self) -> bool:
        """Whether pages are chosen by filters."""
        chosen = (self.domain, self.tags, self.since, self.until, self.language, self.kind)
        states = (self.source, self.reliable, self.pinned, self.unread, self.archived, self.deleted)
        return any(chosen) or any(states) or self.everything


@takes(TagFlags)
def tag(*, flags: TagFlags) -> None:
    """Add, remove or list tags.

    tag add TAG… --to PAGE, or with filters: tag add birds --domain example.com
    """
    words = list(flags.words or ())
    with open_library(flags.user) as library:
        if flags.action == "list":
            _list(library, words)
            return
        pages, tags = _pages(library, flags, words)
        change = library.tag if flags.action == "add" else library.untag
        found = [(page, change(page, *tags)) for page in pages]
        mistaken = [tag for tag in tags if flags.to and tag.isdigit() and library.find(tag)]
    if current.as_json:
        print_items({"id": page.id, "tags": left} for page, left in found)
        return
    for page, left in found:
        print_lines([_line(page, left)])
    if mistaken:
        meant = " ".join(f"--to {name}" for name in (*(flags.to or ()), *mistaken))
        taken = ", ".join(mistaken)
        note = f"Note: {taken} was used as a tag. To name several pages, write: {meant}"
        print(note, file=sys.stderr)


def _pages(library: Library, flags: TagFlags, words: list[str]) -> tuple[list[Page], list[str]]:
    """The pages that are meant, and the tags."""
    verb, sign = flags.action, "to" if flags.action == "add" else "from"
    usage = UsageTrouble(
        f"tag {verb} needs tags, and pages to tag.",
        suggestions=(f"Write pageloom tag {verb} TAG… --{sign} PAGE, or choose pages by filters.",),
    )
    if flags.to or flags.has_filters:
        if not words:
            raise usage
        named = require_pages(library, flags.to or ())
        return named or list(library.pages(flags.filters())), words
    if len(words) < 2 or not (words[0].isdigit() or ":" in words[0] or watch_number(words[0])):
        raise usage
    warn_old(f"tag {verb} PAGE TAG…", f"tag {verb} TAG… --{sign} PAGE")
    return [require_page(library, words[0])], words[1:]


def _list(library: Library, words: list[str]) -> None:
    if len(words) > 1:
        raise UsageTrouble("tag list takes one page, or nothing for all tags.")
    if words:
        page = require_page(library, words[0])
        tags = library.tags(page)
        if current.as_json:
            print_json({"success": True, "id": page.id, "tags": tags})
        else:
            print_lines([_line(page, tags)])
        return
    found = library.all_tags()
    if current.as_json:
        print_items({"tag": name, "pages": pages} for name, pages in found)
        return
    print_lines([f"{pages:>6}  {safe(name)}" for name, pages in found] or ["No tags yet."])


def _line(page: Page, tags: tuple[str, ...]) -> str:
    return f"{page.id}: {', '.join(map(safe, tags)) or 'no tags'}"

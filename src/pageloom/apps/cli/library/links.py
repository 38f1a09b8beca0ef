"""``pageloom links``: whether saved pages are still there, and what a web archive has of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.flags import CommonStream, Json, User, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import count, print_item, print_json, print_lines, time_of
from pageloom.apps.cli.page_flags import Chosen, PageNames
from pageloom.apps.cli.pages import open_library, require_page
from pageloom.apps.cli.progress import show_progress
from pageloom.apps.cli.safe import one_line

if TYPE_CHECKING:
    from pageloom.library import Library
    from pageloom.model.links import LinkCheck
    from pageloom.model.pages import Page


class State(StrEnum):
    """What became of a URL."""

    alive = "alive"
    changed = "changed"
    moved = "moved"
    dead = "dead"
    soft_404 = "soft_404"
    parked = "parked"
    blocked = "blocked"
    unreachable = "unreachable"


@dataclass(frozen=True, kw_only=True)
class LinkCheckFlags(Chosen, CommonStream):
    """The flags of ``links check``."""

    pages: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PAGE…]", help="These pages; default: those the filters choose."),
    ] = None
    days: Annotated[
        int,
        typer.Option(
            "--days", min=0, metavar="N", help="Leave out pages checked in the last N days."
        ),
    ] = 7
    archive: Annotated[
        bool, typer.Option("--archive", help="Ask the web archive for captures of what is gone.")
    ] = False
    refresh: Annotated[
        bool,
        typer.Option("--refresh", help="Save what has changed, has moved or is back."),
    ] = False


@takes(LinkCheckFlags)
def check(*, flags: LinkCheckFlags) -> None:
    """Check whether saved pages are still there.

    Each page is compared with what was kept of it: alive, changed, moved, dead, soft_404 (something
    else in its place), parked (the domain is for sale), blocked or unreachable. Pages that were
    checked in the last week are left out, so an interrupted run can simply be started again.
    """
    with open_library(flags.user) as library:
        pages = _pages(library, flags)
        with show_progress("checking", len(pages), quiet=current.as_json) as advance:

            def take(page: Page, found: LinkCheck) -> None:
                advance()
                if current.as_lines:
                    print_item(asdict(found))
                elif not current.as_json:
                    print_lines([_line(found, page.title)])

            found = library.check_links(
                pages, archive=flags.archive, refresh=flags.refresh, on_result=take
            )
    _sum_up(found)


def _pages(library: Library, flags: LinkCheckFlags) -> list[Page]:
    if flags.pages:
        return [require_page(library, name) for name in flags.pages]
    return library.unchecked_pages(flags.filters(), days=flags.days)


def _sum_up(found: list[LinkCheck]) -> None:
    if current.as_lines:
        return
    states = [each.state for each in found]
    counts = {state.value: states.count(state.value) for state in State}
    if current.as_json:
        print_json({"success": True, "items": [asdict(each) for each in found]} | counts)
        return
    parts = [f"{number:,} {name}" for name, number in counts.items() if number]
    print_lines(
        [f"{count(len(found), 'page')} checked" + (": " if parts else "") + ", ".join(parts)]
    )


def list_(
    states: Annotated[
        list[State] | None,
        typer.Option("--state", help="Only pages in this state. May be repeated."),
    ] = None,
    *,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List what the last check of each page found."""
    with open_library(user) as library:
        found = library.link_checks(*(states or ()))  # pyright: ignore[reportArgumentType]  the same words
    if as_json:
        print_json({"success": True, "items": [asdict(each) for each in found]})
        return
    lines = [f"{time_of(each.since)}  {_line(each, each.url)}" for each in found]
    print_lines(lines or ["No checks found. Check pages with: pageloom links check"])


def submit(pages: PageNames, *, user: User = None, as_json: Json = False) -> None:
    """Have the web archive capture pages now."""
    with open_library(user) as library:
        found = [require_page(library, name) for name in pages]
        captures = [library.submit(page) for page in found]
    if as_json:
        print_json({"success": True, "items": [asdict(each) for each in captures]})
        return
    print_lines(_submitted(each.url, each.replay_url) for each in captures)


def _submitted(url: str, replay_url: str) -> str:
    return f"captured {one_line(url, 200)}: {one_line(replay_url, 300)}"


def _line(found: LinkCheck, title: str) -> str:
    why = found.reason or (found.new_url and f"now at {found.new_url}")
    more = f" → {found.new_url}" if found.reason and found.new_url else ""
    shown = f": {one_line(why + more, 200)}" if why else ""
    archived = f" (archived: {one_line(found.archive_url, 300)})" if found.archive_url else ""
    return f"{found.state:<11} {found.page_id}  {one_line(title or found.url, 80)}{shown}{archived}"

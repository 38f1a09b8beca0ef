"""Feeds out: of a search, a tag, a watch, or of all changes."""

from __future__ import annotations

from html import escape
from typing import Any, Literal

from pageloom.apps.web.query_params import Wanted, wanted_by
from pageloom.apps.web.server_state import Site
from pageloom.errors import InvalidQuery
from pageloom.flows.library.reading import readable
from pageloom.library import Library
from pageloom.model.library import Change
from pageloom.model.pages import Page
from pageloom.views.feeds import Feed, FeedEntry

FeedKind = Literal["search", "tag", "watch", "changes"]
KINDS: tuple[FeedKind, ...] = ("search", "tag", "watch", "changes")
_ENTRIES = 50


def entries_of(
    site: Site, library: Library, kind: FeedKind, query: str
) -> tuple[list[Page], list[Change], str]:
    """What a feed is about: pages or changes, and its title.

    Raises:
        PageloomError: it has something that no feed takes, or names a watch that is not there.
    """
    if kind in ("watch", "changes"):
        return [], *_changes(library, kind, query)
    which = wanted_by(query).model_copy(update={"limit": _ENTRIES, "cursor": ""})
    try:
        pages = list(which.find(library).pages)
    except InvalidQuery:
        pages = []
    return pages, [], _title(which)


def _title(which: Wanted) -> str:
    words = [which.q, *(f"#{tag}" for tag in which.tag), which.site, which.language, which.type]
    return " ".join(word for word in words if word) or "Library"


def _changes(library: Library, kind: FeedKind, query: str) -> tuple[list[Change], str]:
    from urllib.parse import parse_qs

    given = parse_qs(query, max_num_fields=50)
    least = given.get("important", ["0"])[-1]
    important = float(least) if least.replace(".", "", 1).isdigit() else 0.0
    if kind == "changes":
        found = library.changes(min_importance=important, limit=_ENTRIES)
        return list(found), "Changes"
    watch = library.get_watch(given.get("watch", [""])[-1])
    found = library.changes(watch=watch, min_importance=important, limit=_ENTRIES)
    return list(found), f"Changes: {watch.name or watch.url_full}"


def make_feed(
    site: Site, library: Library, pages: list[Page], changes: list[Change], **about: Any
) -> Feed:
    """The feed of these pages or changes."""
    home = f"{site.origin}{site.link('')}"
    entries = [_page_entry(library, page, home) for page in pages]
    entries += [_change_entry(change, home) for change in changes]
    return Feed(entries=entries, **about)


def _page_entry(library: Library, page: Page, home: str) -> FeedEntry:
    html = ""
    if page.version:
        html = readable(library.document(page), lambda url: url).html
    return FeedEntry(
        id=f"page:{page.uuid}",
        title=page.title or page.url_full,
        at=page.updated_at,
        url=f"{home}/p/{page.id}",
        html=html,
        text=str(page.metadata.get("lead", "")),
    )


def _change_entry(change: Change, home: str) -> FeedEntry:
    versions = f"from={change.baseline_version or change.from_version or 1}&to={change.to_version}"
    blocks = change.report.get("text", {}).get("blocks", [])
    told = [_block(each) for each in blocks if not each.get("trivial")][:30]
    return FeedEntry(
        id=f"change:{change.id}",
        title=change.summary or change.title or change.url,
        at=change.created_at,
        url=f"{home}/p/{change.page_id}/diff?{versions}",
        html=f"<p>{escape(change.title or change.url)}</p>{''.join(told)}",
        category="change",
    )


def _block(block: dict[str, Any]) -> str:
    before, after = escape(block.get("before", "")), escape(block.get("after", ""))
    old = f"<del>{before}</del> " if before else ""
    new = f"<ins>{after}</ins>" if after else ""
    return f"<p>{old}{new}</p>"

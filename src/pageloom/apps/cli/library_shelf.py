"""Looking at the library: lists, searches, one page, its versions; and what one does with pages."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.library import (
    count,
    date_of,
    open_library,
    page_data,
    print_json,
    print_lines,
    print_table,
    require_page,
    require_pages,
    time_of,
)
from pageloom.apps.cli.safe import has_styles, one_line, safe
from pageloom.apps.cli.trouble import UsageTrouble
from pageloom.edges.store.listing import list_pages
from pageloom.edges.store.tags import (
    add_note,
    add_tags,
    notes_of,
    remove_note,
    remove_tags,
    tag_name,
    tags_of,
)
from pageloom.errors import NotInLibrary
from pageloom.model.library import Filters, Sort

if TYPE_CHECKING:
    from pageloom.context import Context
    from pageloom.edges.store.base import Tx
    from pageloom.model.library import Hit, Note, Page

_DONE = {
    "pin": "Pinned",
    "unpin": "Unpinned",
    "archive": "Archived",
    "unarchive": "Taken out of the archive",
    "delete": "Deleted",
    "restore": "Restored",
    "read": "Marked as read",
    "unread": "Marked as unread",
}


def run_list(
    user: str | None, filters: Filters, *, sort: Sort, limit: int, offset: int, as_json: bool
) -> None:
    """List pages."""
    with open_library(user) as library:
        found = list_pages(
            library.store, library.owner, filters, sort=sort, limit=limit, offset=offset
        )
    if as_json:
        exact = {"total": found.total, "total_is_exact": found.is_exact}
        print_json({"pages": [page_data(page) for page in found.pages], **exact})
        return
    if not found.pages:
        print_lines(["No pages." if filters == Filters() else "No pages match."])
        return
    print_table(
        (">id", "saved", "", "title", "site"),
        [_row(page) for page in found.pages],
        flexible=3,
        drop=(4, 1),
    )
    shown = len(found.pages)
    if offset + shown < found.total or not found.is_exact:
        total = ("" if found.is_exact else "at least ") + count(found.total, "page")
        print_lines([f"{shown:,} of {total}; more with --offset {offset + shown}"])


def _row(page: Page) -> tuple[str, ...]:
    return (
        str(page.id),
        date_of(page.saved_at),
        _signs(page),
        one_line(page.title or page.url, 200),
        one_line(page.domain, 40),
    )


def _signs(page: Page) -> str:
    """One letter for each thing worth knowing: pinned, archived, new, deleted."""
    signs = (
        ("P", page.pinned),
        ("A", page.archived),
        ("D", bool(page.deleted_at)),
        ("·", page.read_at is None),
    )
    return "".join(sign for sign, shown in signs if shown)


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


_SIGNS = re.compile(r'["*]|(?:^|\s)(?:OR(?:\s|$)|-\S)')
"""What shows that an argument is a search of several parts, and not a phrase."""


def run_search(  # noqa: PLR0913
    user: str | None,
    text: str,
    filters: Filters,
    *,
    sort: Sort | None,
    limit: int,
    offset: int,
    as_json: bool,
) -> None:
    """Search pages."""
    from pageloom.edges.store.search import search

    with open_library(user) as library:
        found = search(
            library.store, library.owner, text, filters, sort=sort, limit=limit, offset=offset
        )
    if as_json:
        hits = [page_data(hit.page, snippet=asdict(hit.snippet)) for hit in found.hits]
        exact = {"total": found.total, "total_is_exact": found.is_exact}
        print_json({"pages": hits, **exact, "more": found.more})
        return
    if not found.hits:
        print_lines(["Nothing found."])
        return
    for hit in found.hits:
        print_lines(_hit(hit))
    total = f"{found.total:,}" if found.is_exact else f"at least {found.total:,}"
    if found.more:
        print_lines([f"{len(found.hits)} of {total}; more with --offset {offset + limit}"])


def _hit(hit: Hit) -> list[str]:
    page = hit.page
    head = f"{page.id:>5}  {one_line(page.title or page.url, 90)}  ({one_line(page.domain, 40)})"
    return [head, f"       {_marked(hit)}"]


def _marked(hit: Hit) -> str:
    """The snippet, with the words set off on a terminal."""
    text = hit.snippet.text
    if not has_styles():
        return safe(text)
    parts: list[str] = []
    end = 0
    for start, stop in hit.snippet.marks:
        parts += [safe(text[end:start]), "\x1b[1m", safe(text[start:stop]), "\x1b[0m"]
        end = stop
    return "".join([*parts, safe(text[end:])])


def run_act(user: str | None, action: str, names: list[str], *, as_json: bool) -> None:
    """Pin, archive, delete and so on: all of the pages, or none when one is not there."""
    from pageloom.edges.store.page_state import act

    with open_library(user) as library:
        pages = require_pages(library, names)

        def do(tx: Tx) -> list[bool]:
            return [act(tx, library.owner, action, page.id) for page in pages]

        changed = library.store.transact(do)
    if as_json:
        results = zip(pages, changed, strict=True)
        print_json({"pages": [{"id": page.id, "changed": done} for page, done in results]})
        return
    for page, done in zip(pages, changed, strict=True):
        word = _DONE[action] if done else "Nothing to do for"
        print_lines([f"{word} {page.id}: {one_line(page.title or page.url, 100)}"])


def run_purge(user: str | None, names: list[str], *, everything: bool, as_json: bool) -> None:
    """Remove deleted pages for good."""
    from pageloom.edges.store.page_state import deleted_before, purge
    from pageloom.edges.store.retention import drop_unused_bodies
    from pageloom.edges.store.times import now

    with open_library(user) as library:
        ids = [page.id for page in require_pages(library, names)]

        def do(tx: Tx) -> list[int]:
            wanted = deleted_before(tx, library.owner, now()) if everything else ids
            gone = [id_ for id_ in wanted if purge(tx, library.owner, id_)]
            drop_unused_bodies(tx)
            return gone

        gone = library.store.transact(do)
    kept = [id_ for id_ in ids if id_ not in gone]
    if as_json:
        print_json({"purged": gone, "kept": kept})
        return
    print_lines([f"Removed {count(len(gone), 'page')} for good."])
    for id_ in kept:
        print_lines([f"Kept {id_}: it is not deleted. Delete it first: pageloom delete {id_}"])


def run_tag(user: str | None, action: str, name: str, tags: list[str], *, as_json: bool) -> None:
    """Add, remove or list tags."""
    from pageloom.edges.store.versions import refresh_content

    if empty := [tag for tag in tags if not tag_name(tag)]:
        raise UsageTrouble(f"{empty[0]!r} is no tag.", suggestions=("Give it at least a letter.",))
    with open_library(user) as library:
        if action == "list" and not name:
            _show_all_tags(library, as_json=as_json)
            return
        page = require_page(library, name)
        change = {"add": add_tags, "remove": remove_tags}.get(action)

        def do(tx: Tx) -> None:
            if change and change(tx, page, tags):
                refresh_content(tx, page)

        library.store.transact(do)
        found = tags_of(library.store, page)
    if as_json:
        print_json({"id": page.id, "tags": found})
    else:
        print_lines([f"{page.id}: {', '.join(map(safe, found)) or 'no tags'}"])


def _show_all_tags(library: Context, *, as_json: bool) -> None:
    from pageloom.edges.store.tags import all_tags

    found = all_tags(library.store, library.owner)
    if as_json:
        print_json({"tags": [{"tag": tag, "pages": pages} for tag, pages in found]})
        return
    print_lines([f"{pages:>6}  {safe(tag)}" for tag, pages in found] or ["No tags yet."])


def run_note(
    user: str | None, name: str, text: str | None, *, remove: int | None, as_json: bool
) -> None:
    """Show, add or remove notes on a page."""
    with open_library(user) as library:
        page = require_page(library, name)
        if remove is not None:
            number = remove
            if not library.store.transact(lambda tx: remove_note(tx, page, number)):
                raise NotInLibrary(f"Page {page.id} has no note {number}.", suggestions=())
        if text:
            library.store.transact(lambda tx: add_note(tx, page, text))
        notes = notes_of(library.store, page)
    if as_json:
        print_json({"id": page.id, "notes": [asdict(note) for note in notes]})
        return
    print_lines([_note(note) for note in notes] or [f"No notes on {page.id}."])


def _note(note: Note) -> str:
    head = f"{note.id:>4}  {time_of(note.created_at)}  "
    return head + safe(note.text).replace("\n", "\n" + " " * len(head))


def run_history(user: str | None, name: str, *, limit: int, as_json: bool) -> None:
    """The versions of a page, newest first."""
    from pageloom.apps.cli.columns import cut, terminal_width
    from pageloom.edges.store.versions import history

    with open_library(user) as library:
        page = require_page(library, name)
        versions = history(library.store, page, limit=limit)
    if as_json:
        print_json({"page": page_data(page), "versions": [asdict(one) for one in versions]})
        return
    print_lines([cut(f"{page.id}  {one_line(page.title or page.url, 100)}", terminal_width())])
    rows = [
        (
            str(one.number),
            time_of(one.fetched_at),
            time_of(one.last_seen_at),
            f"{one.word_count:,}",
            str(one.quality),
            one_line(one.origin + (" trivial" if one.trivial else ""), 30),
        )
        for one in versions
    ]
    headers = (">version", "fetched", "last seen", ">words", ">quality", "by")
    print_table(headers, rows, flexible=5, drop=(2, 4))


def run_stats(user: str | None, *, as_json: bool) -> None:
    """The library in figures."""
    from pageloom.edges.store.stats import read_stats

    with open_library(user) as library:
        stats = read_stats(library.store, library.owner)
    if as_json:
        print_json(stats)
        return
    print_lines(_figures(stats))


_COUNTED = ("page", "word", "version")
_STATES = ("unread", "pinned", "archived", "deleted")


def _figures(stats: dict[str, Any]) -> list[str]:
    bodies = stats["bodies"]
    pages, words, versions = (count(stats[f"{name}s"], name) for name in _COUNTED)
    kept = ", ".join(f"{stats[name]:,} {name}" for name in _STATES)
    sizes = f"{size_of(bodies['size'])}, kept in {size_of(bodies['stored_size'])}"
    lines = [
        f"{pages}, {words}, {versions}",
        kept,
        f"{count(bodies['count'], 'original')}: {sizes}",
        f"database: {size_of(stats['database_size'])}",
    ]
    for name, title in (("domains", "sites"), ("languages", "languages"), ("page_types", "types")):
        most = ", ".join(f"{one_line(one['name'], 40)} {one['pages']:,}" for one in stats[name][:6])
        if most:
            lines.append(f"{title}: {most}")
    return lines


def size_of(number: int) -> str:
    """Bytes for people."""
    size = float(number)
    for unit in ("bytes", "KB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:,.1f} {unit}"
        size /= 1000
    raise AssertionError("the last unit takes everything")

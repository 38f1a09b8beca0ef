"""A user's own tags and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.events import record_event
from pageloom.edges.store.pages import owned_id, require_owned
from pageloom.edges.store.times import now
from pageloom.model.pages import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.edges.store.base import Store, Tx
    from pageloom.model.pages import OwnedPage

LONGEST_TAG = 100


def tag_label(text: str) -> str:
    """A tag as it is shown: white space joined, no leading ``#``."""
    return " ".join(text.split()).lstrip("#").strip()[:LONGEST_TAG]


def tag_name(text: str) -> str:
    """A tag as it is compared: without regard to case and spaces."""
    return tag_label(text).casefold()


def add_tags(tx: Tx, page: OwnedPage, tags: Iterable[str]) -> int:
    """Add tags to a page; the number of those that were new.

    Raises:
        NotInLibrary: the page is not its owner's.
    """
    page_id = require_owned(tx, page)
    labels = {tag_name(tag): tag_label(tag) for tag in tags if tag_name(tag)}
    added = sum(
        tx.run(
            "INSERT INTO tags (page_id, name, label, created_at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (page_id, name) DO NOTHING",
            page_id,
            name,
            label,
            now(),
        )
        for name, label in labels.items()
    )
    if added:
        _find_by_it(tx, page)
    return added


def remove_tags(tx: Tx, page: OwnedPage, tags: Iterable[str]) -> int:
    """Remove tags from a page; the number of those that were there."""
    page_id = owned_id(tx, page)
    names = {tag_name(tag) for tag in tags}
    removed = sum(
        tx.run("DELETE FROM tags WHERE page_id = ? AND name = ?", page_id, name) for name in names
    )
    if removed:
        _find_by_it(tx, page)
    return removed


def _find_by_it(tx: Tx, page: OwnedPage) -> None:
    """Let searches find a page by its tags and notes, and whoever follows it know."""
    from pageloom.edges.store.search_terms import refresh_own  # a list of pages needs none

    refresh_own(tx, page.id)
    record_event(tx, page.owner, "page.noted", page_id=page.id)


def tags_in(tx: Tx, page_id: int) -> tuple[str, ...]:
    """The tags of a page; internal: the caller has checked whose page it is."""
    rows = tx.all("SELECT label FROM tags WHERE page_id = ? ORDER BY name", page_id)
    return tuple(row["label"] for row in rows)


def tags_of(store: Store, page: OwnedPage) -> tuple[str, ...]:
    """The tags of a page."""
    with store.read() as tx:
        return tags_in(tx, owned_id(tx, page))


def tags_of_pages(store: Store, owner: str, page_ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """The tags of several pages, by their numbers; pages without tags are left out."""
    if not page_ids:
        return {}
    marks = ", ".join("?" * len(page_ids))
    with store.read() as tx:
        rows = tx.all(
            "SELECT t.page_id, t.label FROM tags t JOIN pages p ON p.id = t.page_id"
            f" WHERE p.owner = ? AND t.page_id IN ({marks}) ORDER BY t.page_id, t.name",
            *(owner, *page_ids),
        )
    found: dict[int, tuple[str, ...]] = {}
    for row in rows:
        found[row["page_id"]] = (*found.get(row["page_id"], ()), row["label"])
    return found


def pages_with_tag(tx: Tx, owner: str, tag: str) -> list[int]:
    """The numbers of an owner's pages that have a tag, deleted ones too."""
    return tx.column(
        "SELECT t.page_id FROM tags t JOIN pages p ON p.id = t.page_id"
        " WHERE p.owner = ? AND t.name = ? ORDER BY t.page_id",
        *(owner, tag_name(tag)),
    )


def all_tags(store: Store, owner: str) -> list[tuple[str, int]]:
    """Every tag of an owner with the number of its pages, the most used first."""
    with store.read() as tx:
        rows = tx.all(
            "SELECT min(t.label) AS label, count(*) AS pages FROM tags t"
            " JOIN pages p ON p.id = t.page_id WHERE p.owner = ? AND p.deleted_at IS NULL"
            " GROUP BY t.name ORDER BY count(*) DESC, t.name",
            owner,
        )
    return [(row["label"], row["pages"]) for row in rows]


def add_note(tx: Tx, page: OwnedPage, text: str, *, at: str = "") -> int:
    """Add a note to a page; its number.

    Raises:
        NotInLibrary: the page is not its owner's.
    """
    page_id = require_owned(tx, page)
    at = at or now()
    number = tx.value(
        "INSERT INTO notes (page_id, text, created_at, updated_at) VALUES (?, ?, ?, ?)"
        " RETURNING id",
        page_id,
        text,
        at,
        at,
    )
    _find_by_it(tx, page)
    return number


def remove_note(tx: Tx, page: OwnedPage, note_id: int) -> bool:
    """Remove a note from a page; whether it was there."""
    page_id = owned_id(tx, page)
    removed = bool(tx.run("DELETE FROM notes WHERE page_id = ? AND id = ?", page_id, note_id))
    if removed:
        _find_by_it(tx, page)
    return removed


def move_notes(tx: Tx, page: OwnedPage, to: OwnedPage) -> None:
    """Give the notes of a page to another page of the same owner."""
    moved = tx.run(
        "UPDATE notes SET page_id = ? WHERE page_id = ?", require_owned(tx, to), owned_id(tx, page)
    )
    if moved:
        _find_by_it(tx, page)
        _find_by_it(tx, to)


def notes_in(tx: Tx, page_id: int) -> list[Note]:
    """The notes on a page, oldest first; internal, as ``tags_in``."""
    rows = tx.all(
        "SELECT id, text, created_at, updated_at FROM notes WHERE page_id = ? ORDER BY id", page_id
    )
    return [Note(**row) for row in rows]


def notes_of(store: Store, page: OwnedPage) -> list[Note]:
    """The notes on a page, oldest first."""
    with store.read() as tx:
        return notes_in(tx, owned_id(tx, page))

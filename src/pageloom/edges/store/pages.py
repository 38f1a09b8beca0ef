"""The pages of a library: finding one, and what its user does with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.codec import read_json
from pageloom.edges.store.events import record_event
from pageloom.edges.store.times import now
from pageloom.errors import InvalidUrl, NotInLibrary
from pageloom.model.pages import Page

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model.pages import OwnedPage

_FLAGS = ("pinned", "archived", "discarded")
_LARGEST_ID = 2**63 - 1


def as_page(row: Row) -> Page:
    """A row of ``pages`` as a value."""
    known = {name: row[name] for name in _COLUMNS}
    for flag in _FLAGS:
        known[flag] = bool(known[flag])
    known["metadata"] = read_json(known["metadata"]) or {}
    return Page(**known)


_COLUMNS = tuple(Page.__dataclass_fields__)
PAGE_COLUMNS = ", ".join(f"p.{name}" for name in _COLUMNS)
"""For ``SELECT … FROM pages p``."""


OWNED = "(SELECT owned.id FROM pages owned WHERE owned.id = ? AND owned.owner = ?)"
"""A page's id if it is its owner's, else NULL: with the id and the owner as parameters."""


def owned_id(tx: Tx, page: OwnedPage) -> int:
    """The id of a page if it is its owner's; 0, which no page has, if it is not."""
    return tx.value(f"SELECT {OWNED} AS id", page.id, page.owner) or 0


def require_owned(tx: Tx, page: OwnedPage) -> int:
    """The id of a page that is its owner's.

    Raises:
        NotInLibrary: it is not, or not any more.
    """
    if not (page_id := owned_id(tx, page)):
        raise NotInLibrary(f"There is no page {page.id} in the library.")
    return page_id


def host_key(domain: str) -> str:
    """A host with its labels turned round, so that all below it stand behind it: ``org.a.www.``."""
    return ".".join(reversed(domain.split("."))) + "."


def get_page(store: Store, owner: str, page_id: int) -> Page | None:
    """The page of that number, if it is this owner's."""
    with store.read() as tx:
        return page_in(tx, owner, page_id)


def page_in(tx: Tx, owner: str, page_id: int) -> Page | None:
    """The page of that number, in a transaction of the caller's."""
    if not 0 < page_id <= _LARGEST_ID:
        return None
    row = tx.one(
        "SELECT " + PAGE_COLUMNS + " FROM pages p WHERE p.id = ? AND p.owner = ?", page_id, owner
    )
    return as_page(row) if row else None


def find_page(store: Store, owner: str, name: str) -> Page | None:
    """The page that a person means: by its number, its address, or its stable id."""
    if name.isascii() and name.isdigit() and len(name) < 20:
        return get_page(store, owner, int(name))
    with store.read() as tx:
        return _by_url(tx, owner, name) or _by_document(tx, owner, name)


def page_by_url(store: Store, owner: str, url: str) -> Page | None:
    """The page at an address, or at the one that it led to."""
    with store.read() as tx:
        return _by_url(tx, owner, url)


def _by_url(tx: Tx, owner: str, url: str) -> Page | None:
    from pageloom.core.normalize.urls import url_key

    try:
        key = url_key(url)
    except InvalidUrl:
        return None
    row = tx.one(
        "SELECT " + PAGE_COLUMNS + " FROM pages p WHERE p.owner = ? AND p.url = ?", owner, key
    )
    if row is None or row["deleted_at"] is not None:  # merged into another, perhaps
        row = _by_alias(tx, owner, key) or row
    return as_page(row) if row else None


def _by_alias(tx: Tx, owner: str, key: str) -> Row | None:
    return tx.one(
        "SELECT "
        + PAGE_COLUMNS
        + " FROM aliases a JOIN pages p ON p.id = a.page_id AND p.owner = a.owner"
        " WHERE a.owner = ? AND a.url = ?",
        owner,
        key,
    )


def _by_document(tx: Tx, owner: str, name: str) -> Page | None:
    for column in ("document_id", "uuid"):  # not OR, and not the owner: no index is good at both
        rows = tx.all(f"SELECT {PAGE_COLUMNS} FROM pages p WHERE p.{column} = ?", name.lower())
        for row in rows:
            if row["owner"] == owner:
                return as_page(row)
    return None


_WAYS: dict[str, tuple[str, str]] = {
    "pin": ("pinned = 1", "pinned = 0"),
    "unpin": ("pinned = 0", "pinned = 1"),
    "archive": ("archived = 1", "archived = 0"),
    "unarchive": ("archived = 0", "archived = 1"),
    "unread": ("read_at = NULL", "read_at IS NOT NULL"),
    "restore": ("deleted_at = NULL", "deleted_at IS NOT NULL"),
}
_DATED: dict[str, tuple[str, str]] = {
    "read": ("read_at = ?", "read_at IS NULL"),
    "delete": ("deleted_at = ?", "deleted_at IS NULL"),
}
ACTIONS = (*_WAYS, *_DATED)


def act(tx: Tx, owner: str, action: str, page_id: int) -> bool:
    """Do one of ACTIONS to a page; whether that changed anything.

    Raises:
        KeyError: there is no such action.
    """
    change, before = (_DATED if action in _DATED else _WAYS)[action]
    values = (now(),) if action in _DATED else ()
    sql = f"UPDATE pages SET {change} WHERE id = ? AND owner = ? AND {before}"
    changed = tx.run(sql, *values, page_id, owner) == 1
    if changed:
        record_event(tx, owner, f"page.{action}", page_id=page_id)
    return changed


def mark_opened(store: Store, owner: str, page_id: int) -> None:
    """The user is reading the page now."""
    at = now()
    store.transact(
        lambda tx: tx.run(
            "UPDATE pages SET last_opened_at = ?, read_at = coalesce(read_at, ?)"
            " WHERE id = ? AND owner = ?",
            at,
            at,
            page_id,
            owner,
        )
    )


def purge(tx: Tx, owner: str, page_id: int) -> bool:
    """Remove a deleted page with everything that belongs to it, for good."""
    gone = tx.run(
        "DELETE FROM pages WHERE id = ? AND owner = ? AND deleted_at IS NOT NULL", page_id, owner
    )
    if gone:
        record_event(tx, owner, "page.purge", page_id=page_id)
    return gone == 1


def deleted_before(tx: Tx, owner: str, instant: str) -> list[int]:
    """The pages that were deleted before then."""
    rows = tx.all(
        "SELECT id FROM pages WHERE owner = ? AND deleted_at IS NOT NULL AND deleted_at <= ?"
        " ORDER BY id",
        owner,
        instant,
    )
    return [row["id"] for row in rows]

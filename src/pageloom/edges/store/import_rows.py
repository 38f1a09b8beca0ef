"""Pages that come into the library with a past: their state is kept, nothing is there twice.

The older ``websites`` table gives way to a view of that name with the same columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from pageloom.core.normalize.urls import domain_of
from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.identity import row_at
from pageloom.edges.store.pages import host_key
from pageloom.edges.store.saving import next_number, title_sort
from pageloom.edges.store.schema import WEBSITES
from pageloom.edges.store.search_terms import write_findable
from pageloom.edges.store.times import now, stamp, stamp_past
from pageloom.edges.store.users import ensure_user
from pageloom.edges.store.words import make_findable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row

_TIMES = ("saved_at", "created_at", "updated_at", "last_opened_at", "read_at", "deleted_at")
KEPT_AS = "websites_before_pageloom"
_IS_TABLE = {
    "sqlite": "SELECT 1 FROM sqlite_master WHERE name = 'websites' AND type = 'table'",
    "postgres": (
        "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE"
        " c.relname = 'websites' AND c.relkind = 'r' AND n.nspname = ANY (current_schemas(false))"
    ),
}


def find_by_key(tx: Tx, owner: str, key: str) -> Row | None:
    """The page of that key, or that it leads to, locked until the end of the transaction."""
    found = row_at(tx, owner, key)
    if found is None:
        return None
    return tx.one("SELECT * FROM pages WHERE id = ?" + tx.for_update(), found["id"])


def add_bare(tx: Tx, owner: str, key: str, url: str, title: str) -> Row:
    """A page of which nothing but the address and perhaps the title is known yet."""
    ensure_user(tx, owner)
    at, domain = now(), domain_of(url)
    tx.run(
        "INSERT INTO pages (uuid, owner, url, url_full, final_url, domain, host_key, title,"
        " title_sort, saved_at, created_at, updated_at, metadata)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '{}') ON CONFLICT (owner, url) DO NOTHING",
        *(str(uuid4()), owner, key, url, url, domain, host_key(domain)),
        *(title, title_sort(title), at, at, at),
    )
    page = find_by_key(tx, owner, key)
    if page is None:
        raise RuntimeError("a page that was just added is not there")
    write_findable(tx, page["id"], make_findable(title, url, ""))
    return page


def bring_state(tx: Tx, page_id: int, state: Mapping[str, Any]) -> None:
    """Give a page that has just been added the state it comes with."""
    page = tx.one("SELECT * FROM pages WHERE id = ?", page_id)
    columns = _past(state, page) if page else {}
    if columns:
        names = ", ".join(f"{name} = ?" for name in columns)
        tx.run(f"UPDATE pages SET {names} WHERE id = ?", *columns.values(), page_id)


def stay_deleted(tx: Tx, page_id: int, deleted_at: str) -> None:
    """A deleted page that was given content is as deleted as it was."""
    tx.run("UPDATE pages SET deleted_at = ? WHERE id = ?", deleted_at, page_id)


def _past(state: Mapping[str, Any], page: Row) -> dict[str, Any]:
    columns: dict[str, Any] = {flag: 1 for flag in ("pinned", "archived") if state.get(flag)}
    for name in _TIMES:
        instant = stamp(str(state.get(name) or ""))
        if instant:
            columns[name] = instant
    uuid = _uuid(str(state.get("uuid") or ""))
    if uuid:
        columns["uuid"] = uuid
    if state.get("metadata"):
        kept = {str(name): value for name, value in dict(state["metadata"]).items()}
        columns["metadata"] = write_json(kept | (read_json(page["metadata"]) or {}))
    return columns


def _uuid(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        return ""


def add_thinned(tx: Tx, page_id: int, fetched_at: str) -> None:
    """A version of which only the number is left."""
    at = stamp_past(fetched_at) or now()
    tx.run(
        "INSERT INTO versions (page_id, track, number, snapshot_hash, change_hash, content_hash,"
        " trivial, fetched_at, created_at, last_seen_at) VALUES (?, '', ?, '', '', '', 1, ?, ?, ?)",
        page_id,
        next_number(tx, page_id, ""),
        at,
        now(),
        at,
    )


def has_versions(tx: Tx, page_id: int, track: str) -> bool:
    """Whether anything is kept of these parts of a page."""
    found = "SELECT 1 AS found FROM versions WHERE page_id = ? AND track = ?"
    return tx.one(found, page_id, track) is not None


def note_last_seen(tx: Tx, page_id: int, number: int, instant: str) -> None:
    """When a version was last seen, as the library it comes from knows it."""
    at = stamp_past(instant)
    tx.run(
        "UPDATE versions SET last_seen_at = ? WHERE page_id = ? AND track = '' AND number = ?",
        at,
        page_id,
        number,
    )
    tx.run("UPDATE pages SET last_seen_at = ? WHERE id = ?", at, page_id)


def uuid_is_free(tx: Tx, text: str) -> bool:
    """Whether a page may take this identifier."""
    uuid = _uuid(text)
    return bool(uuid) and tx.one("SELECT 1 AS found FROM pages WHERE uuid = ?", uuid) is None


def replace_table(store: Store) -> bool:
    """Rename the table and put the view in its place; whether there was a table."""

    def replace(tx: Tx) -> bool:
        if not tx.one(_IS_TABLE[tx.dialect]):
            return False
        tx.run(f"ALTER TABLE websites RENAME TO {KEPT_AS}")
        tx.run(WEBSITES[tx.dialect].strip())
        return True

    return store.transact(replace)

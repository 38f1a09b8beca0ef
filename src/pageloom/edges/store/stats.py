"""The library in figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.edges.store.files import file_owners, owned_files
from pageloom.edges.store.listing import by_number

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row


def read_stats(store: Store, owner: str) -> dict[str, Any]:
    """How many pages, words, versions; the most frequent sites, languages, kinds; the size."""
    with store.read() as tx:
        figures: dict[str, Any] = tx.one(_FIGURES.format(by_number(tx)), owner) or {}
        figures |= tx.one(_VERSIONS, owner, owner) or {}
        figures["bodies"] = _originals(tx, owner)
        figures["files"] = _files(tx, owner)
        for name in ("domain", "language", "page_type"):
            figures[f"{name}s"] = _most(tx, owner, name)
        figures["database_size"] = _size(tx)
    return {name: int(value) if name in _COUNTS else value for name, value in figures.items()}


_COUNTS = frozenset("pages words unread pinned archived deleted discarded versions".split())
_FIGURES = (
    "SELECT count(*) AS pages, coalesce(sum(word_count), 0) AS words,"
    " coalesce(sum(CASE WHEN read_at IS NULL THEN 1 ELSE 0 END), 0) AS unread,"
    " coalesce(sum(pinned), 0) AS pinned, coalesce(sum(archived), 0) AS archived,"
    " coalesce(sum(CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END), 0) AS deleted,"
    " coalesce(sum(discarded), 0) AS discarded, min(saved_at) AS first_saved_at,"
    " max(saved_at) AS last_saved_at FROM {} WHERE owner = ?"
)
# All but those of others: mostly nobody else is there, and the index alone counts all.
_OTHERS = "(SELECT count(*) FROM versions v JOIN pages p ON p.id = v.page_id WHERE p.owner {} ?)"
_VERSIONS = (
    f"SELECT (SELECT count(*) FROM versions) - {_OTHERS.format('<')} - {_OTHERS.format('>')}"
    " AS versions"
)


def _originals(tx: Tx, owner: str) -> Row | None:
    """The originals of an owner's pages; which those are is asked only where others have some."""
    sql = (
        "SELECT count(*) AS count, coalesce(sum(size), 0) AS size,"
        " coalesce(sum(stored_size), 0) AS stored_size FROM bodies"
    )
    if not _has_others(tx, owner):
        return tx.one(sql)
    return tx.one(
        f"{sql} WHERE EXISTS (SELECT 1 FROM versions v JOIN pages p ON p.id = v.page_id"
        " WHERE v.body_hash = bodies.hash AND p.owner = ?)",
        owner,
    )


def _files(tx: Tx, owner: str) -> Row | None:
    """The pictures and snapshots of an owner's pages, each counted once."""
    sql = "SELECT count(*) AS count, coalesce(sum(size), 0) AS size FROM files"
    if not _has_others(tx, owner):
        return tx.one(sql)
    return tx.one(f"{sql} WHERE {owned_files()}", *file_owners(owner))


def _has_others(tx: Tx, owner: str) -> bool:
    others = "SELECT 1 AS found FROM pages WHERE owner < ? OR owner > ? LIMIT 1"
    return tx.one(others, owner, owner) is not None


def _most(tx: Tx, owner: str, column: str) -> list[dict[str, Any]]:
    return tx.all(
        f"SELECT {column} AS name, count(*) AS pages FROM pages WHERE owner = ?"
        f" AND deleted_at IS NULL AND {column} <> '' GROUP BY {column}"
        f" ORDER BY count(*) DESC, {column} LIMIT 10",
        owner,
    )


def _size(tx: Tx) -> int:
    if tx.dialect == "sqlite":
        pages, size = tx.value("PRAGMA page_count"), tx.value("PRAGMA page_size")
        return pages * size
    return tx.value("SELECT pg_database_size(current_database())")


def read_storage(store: Store, owner: str) -> dict[str, Any]:
    """What takes room: originals, Documents, pictures, snapshots; each file counted once."""
    with store.read() as tx:
        documents = tx.one(
            "SELECT count(*) AS count, coalesce(sum(length(v.document)), 0) AS size FROM versions v"
            " JOIN pages p ON p.id = v.page_id WHERE p.owner = ? AND v.document IS NOT NULL",
            owner,
        )
        kinds = {
            "pictures": _uses(tx, owner, "pictures", "hash"),
            "smaller copies": _uses(tx, owner, "pictures", "small_hash"),
            "snapshots": _uses(tx, owner, "snapshots", "hash"),
            "looks": _uses(tx, owner, "visual_changes", "after_hash"),
            "outlines": _uses(tx, owner, "visual_changes", "outlined_hash"),
        }
        return {
            "originals": _originals(tx, owner) or {},
            "documents": documents or {},
            **kinds,
            "database_size": _size(tx),
        }


def _uses(tx: Tx, owner: str, table: str, column: str) -> dict[str, Any]:
    """The files of one kind, how often they are used, and what it saves to keep each once."""
    row = tx.one(
        f"SELECT count(*) AS used, coalesce(sum(f.size), 0) AS shown FROM {table} u"
        f" JOIN pages p ON p.id = u.page_id JOIN files f ON f.hash = u.{column} WHERE p.owner = ?",
        owner,
    )
    once = tx.one(
        "SELECT count(*) AS count, coalesce(sum(size), 0) AS size FROM files WHERE EXISTS (SELECT 1"
        f" FROM {table} u JOIN pages p ON p.id = u.page_id WHERE u.{column} = files.hash"
        " AND p.owner = ?)",
        owner,
    )
    found = {name: int(value) for name, value in ((once or {}) | (row or {})).items()}
    return found | {"saved": found.pop("shown", 0) - found.get("size", 0)}

"""Files that belong to pages, by the hash of their bytes: each is kept once, as it came."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from pageloom.edges.store.times import now
from pageloom.model.files import KeptFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Store, Tx

_USES = (
    ("pictures", "hash"),
    ("pictures", "small_hash"),
    ("snapshots", "hash"),
    ("visual_changes", "before_hash"),
    ("visual_changes", "after_hash"),
    ("visual_changes", "outlined_hash"),
)
"""Tables and columns that name files."""


def make_file(body: bytes, media_type: str, size: tuple[int, int] | None = None) -> KeptFile:
    """A file under the name by which it is kept."""
    width, height = size or (None, None)
    name = sha256(body).hexdigest()
    return KeptFile(hash=name, media_type=media_type, body=body, width=width, height=height)


def insert_file(tx: Tx, file: KeptFile) -> None:
    """Store a file unless it is there already."""
    tx.run(
        "INSERT INTO files (hash, media_type, data, size, width, height, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING",
        file.hash,
        file.media_type,
        file.body,
        len(file.body),
        file.width,
        file.height,
        now(),
    )


def owned_files() -> str:
    """The condition that a file belongs to a page of somebody's, with ``file_owners``."""
    owned = " OR ".join(
        f"EXISTS (SELECT 1 FROM {table} u JOIN pages p ON p.id = u.page_id"
        f" WHERE u.{column} = files.hash AND p.owner = ?)"
        for table, column in _USES
    )
    return f"({owned})"


def file_owners(owner: str) -> tuple[str, ...]:
    """The parameters of ``owned_files``."""
    return tuple(owner for _ in _USES)


def read_file(store: Store, owner: str, hash_: str) -> bytes | None:
    """The bytes of a file that belongs to a page of this owner's."""
    with store.read() as tx:
        sql = "SELECT data FROM files WHERE hash = ? AND " + owned_files()
        data = tx.value(sql, hash_, *file_owners(owner))
    return None if data is None else bytes(data)


def drop_unused_files(tx: Tx) -> int:
    """Delete the files that nothing names any more."""
    unused = " AND ".join(
        f"NOT EXISTS (SELECT 1 FROM {table} u WHERE u.{column} = files.hash)"
        for table, column in _USES
    )
    return tx.run(f"DELETE FROM files WHERE {unused}")


def count_uses(store: Store, owner: str, table: str, page_ids: Sequence[int]) -> int:
    """How many files pages of this owner's have in a table: ``pictures`` or ``snapshots``."""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT u.page_id AS id, count(u.hash) AS files FROM {table} u JOIN pages p"
            " ON p.id = u.page_id WHERE p.owner = ? GROUP BY u.page_id",
            owner,
        )
    wanted = set(page_ids)
    return sum(row["files"] for row in rows if row["id"] in wanted)

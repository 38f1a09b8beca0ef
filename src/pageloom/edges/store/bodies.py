"""Originals: the bytes that a server answered with, compressed, each kept once."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from pageloom.edges.store.codec import pack, unpack
from pageloom.edges.store.pages import OWNED
from pageloom.edges.store.times import now

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.model.pages import OwnedPage


def body_hash(body: bytes) -> str:
    """The name under which an original is kept."""
    return sha256(body).hexdigest()


def read_body(store: Store, page: OwnedPage, hash_: str) -> bytes | None:
    """The original of that name, if it is one of this page; None when it is not kept (any more)."""
    with store.read() as tx:
        data = tx.value(
            "SELECT data FROM bodies WHERE hash = ? AND EXISTS (SELECT 1 FROM versions v"
            f" WHERE v.body_hash = bodies.hash AND v.page_id = {OWNED})",
            hash_,
            page.id,
            page.owner,
        )
    return None if data is None else unpack(bytes(data))


def has_body(store: Store, hash_: str) -> bool:
    """Whether the original of that name is kept."""
    with store.read() as tx:
        return tx.value("SELECT 1 FROM bodies WHERE hash = ?", hash_) is not None


def keep_body(store: Store, body: bytes) -> str:
    """Store an original that no version names yet; its name."""
    hash_, packed = body_hash(body), pack(body)
    store.transact(lambda tx: insert_body(tx, hash_, packed, len(body)))
    return hash_


def insert_body(tx: Tx, hash_: str, packed: bytes, size: int) -> None:
    """Store a compressed original unless it is there already."""
    tx.run(
        "INSERT INTO bodies (hash, data, size, stored_size, created_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (hash) DO NOTHING",
        hash_,
        packed,
        size,
        len(packed),
        now(),
    )

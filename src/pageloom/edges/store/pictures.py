"""The pictures of pages: which are wanted, which are kept, which could not be had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.edges.store.files import insert_file
from pageloom.edges.store.pages import OWNED, require_owned
from pageloom.edges.store.times import later, now
from pageloom.model.files import KeptFile, PagePicture

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model.pages import OwnedPage

ATTEMPTS = 4
"""After so many a picture counts as lost."""
_LEASE = 600
"""Seconds after which pictures that somebody began to fetch are anybody's again."""
_PAUSE = 3600
_COLUMNS = (
    "x.page_id, x.url, x.state, x.hash, x.small_hash, x.reason, x.attempts, f.media_type, f.size,"
    " f.width, f.height, s.media_type AS small_type"
)
_JOINED = (
    "pictures x LEFT JOIN files f ON f.hash = x.hash LEFT JOIN files s ON s.hash = x.small_hash"
)


def want_pictures(tx: Tx, page: OwnedPage, urls: Iterable[str], *, again: bool = False) -> None:
    """Note the pictures of a page that are to be fetched; those that are kept stay as they are.

    Args:
        tx: the transaction.
        page: whose pictures.
        urls: in the order in which the page shows them.
        again: try those once more that were given up.

    Raises:
        NotInLibrary: the page is not its owner's.
    """
    page_id, at = require_owned(tx, page), now()
    for position, url in enumerate(urls):
        tx.run(
            "INSERT INTO pictures (page_id, url, position, next_try, updated_at)"
            " VALUES (?, ?, ?, ?, ?) ON CONFLICT (page_id, url) DO NOTHING",
            *(page_id, url, position, at, at),
        )
    if again:
        tx.run(
            "UPDATE pictures SET state = 'waiting', attempts = 0, next_try = ?"
            " WHERE page_id = ? AND state = 'failed'",
            *(at, page_id),
        )


def claim_pictures(tx: Tx, owner: str, page_id: int | None = None) -> list[PagePicture]:
    """The waiting pictures of a page, or those of any page that are due; nobody else gets them.

    Those of a page that is named are given also if somebody has begun with them: who names it
    knows that this was interrupted.
    """
    at = now()
    which, values = ("x.next_try <= ?", (at,)) if page_id is None else ("p.id = ?", (page_id,))
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM {_JOINED} JOIN pages p ON p.id = x.page_id"
        f" WHERE x.state = 'waiting' AND p.owner = ? AND p.deleted_at IS NULL AND {which}"
        " ORDER BY x.page_id, x.position LIMIT 1000",
        *(owner, *values),
    )
    for row in rows:
        tx.run(
            "UPDATE pictures SET next_try = ? WHERE page_id = ? AND url = ?",
            *(later(at, _LEASE), row["page_id"], row["url"]),
        )
    return [_as_picture(row) for row in rows]


def owners_waiting(store: Store) -> list[str]:
    """The users who have pages with pictures that are due."""
    with store.read() as tx:
        return tx.column(
            "SELECT DISTINCT p.owner FROM pictures x JOIN pages p ON p.id = x.page_id"
            " WHERE x.state = 'waiting' AND x.next_try <= ? AND p.deleted_at IS NULL",
            now(),
        )


def pages_waiting(store: Store, owner: str) -> list[int]:
    """The pages of an owner with pictures that wait, due or not."""
    with store.read() as tx:
        return tx.numbers(
            "SELECT DISTINCT p.id FROM pictures x JOIN pages p ON p.id = x.page_id"
            " WHERE x.state = 'waiting' AND p.owner = ? AND p.deleted_at IS NULL ORDER BY p.id",
            owner,
        )


def keep_picture(
    tx: Tx, page: OwnedPage, url: str, file: KeptFile, small: KeptFile | None = None
) -> None:
    """A picture was fetched: keep it, and the smaller copy if there is one.

    Raises:
        NotInLibrary: the page is not its owner's, or is gone.
    """
    page_id = require_owned(tx, page)
    insert_file(tx, file)
    if small:
        insert_file(tx, small)
    tx.run(
        "UPDATE pictures SET state = 'kept', hash = ?, small_hash = ?, reason = '', updated_at = ?"
        " WHERE page_id = ? AND url = ?",
        *(file.hash, small.hash if small else None, now(), page_id, url),
    )


def miss_picture(
    tx: Tx, page: OwnedPage, url: str, reason: str, *, attempts: int, retry: bool
) -> None:
    """A picture could not be fetched: it waits for another time, or is given up."""
    at = now()
    waits = retry and attempts < ATTEMPTS
    tx.run(
        "UPDATE pictures SET state = ?, reason = ?, attempts = ?, next_try = ?, updated_at = ?"
        f" WHERE page_id = {OWNED} AND url = ? AND state = 'waiting'",
        "waiting" if waits else "failed",
        reason,
        attempts,
        later(at, _PAUSE * attempts),
        at,
        page.id,
        page.owner,
        url,
    )


def forget_pictures(tx: Tx, before: str) -> int:
    """Let go of pictures that were fetched before an instant; they can be fetched again."""
    return tx.run(
        "UPDATE pictures SET state = 'failed', hash = NULL, small_hash = NULL, reason = ?"
        " WHERE state = 'kept' AND updated_at < ?",
        *("it was kept for as long as the settings say", before),
    )


def pictures_of(store: Store, page: OwnedPage) -> list[PagePicture]:
    """The pictures of a page, in its order: kept, waiting and given up."""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT {_COLUMNS} FROM {_JOINED} WHERE x.page_id = {OWNED} ORDER BY x.position",
            *(page.id, page.owner),
        )
    return [_as_picture(row) for row in rows]


def kept_bytes(store: Store, page: OwnedPage) -> int:
    """How much the kept pictures of a page take."""
    return sum(picture.size for picture in pictures_of(store, page))


def read_files(store: Store, page: OwnedPage, *, small: bool = False) -> dict[str, KeptFile]:
    """The kept pictures of a page by URL; with ``small``, the smaller copies where there are."""
    column = "coalesce(x.small_hash, x.hash)" if small else "x.hash"
    with store.read() as tx:
        rows = tx.all(
            "SELECT x.url, f.hash, f.media_type, f.data, f.width, f.height FROM pictures x"
            f" JOIN files f ON f.hash = {column} WHERE x.page_id = {OWNED} ORDER BY x.position",
            *(page.id, page.owner),
        )
    return {row["url"]: _as_file(row) for row in rows}


def find_picture(store: Store, owner: str, url: str) -> KeptFile | None:
    """A picture that an owner's page shows, by its URL: the smaller copy if there is one."""
    with store.read() as tx:
        row = tx.one(
            "SELECT f.hash, f.media_type, f.data, f.width, f.height FROM pictures x"
            " JOIN pages p ON p.id = x.page_id JOIN files f ON f.hash = coalesce(x.small_hash,"
            " x.hash) WHERE x.url = ? AND p.owner = ? ORDER BY x.updated_at DESC LIMIT 1",
            *(url, owner),
        )
    return _as_file(row) if row else None


def _as_file(row: Row) -> KeptFile:
    return KeptFile(
        hash=row["hash"],
        media_type=row["media_type"],
        body=bytes(row["data"]),
        width=row["width"],
        height=row["height"],
    )


def _as_picture(row: Row) -> PagePicture:
    empty: dict[str, Any] = {"media_type": "", "small_type": "", "size": 0}
    return PagePicture(**row | {name: row[name] or none for name, none in empty.items()})

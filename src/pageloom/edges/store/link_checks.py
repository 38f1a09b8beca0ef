"""What the last look at the URL of each page found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.pages import OWNED, require_owned
from pageloom.model.links import LinkCheck

if TYPE_CHECKING:
    from collections.abc import Collection

    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model.pages import OwnedPage

_COLUMNS = (
    "c.page_id, c.url, c.state, c.reason, c.status, c.new_url, c.importance, c.archive_url,"
    " c.since, c.checked_at"
)


def note_link_check(tx: Tx, page: OwnedPage, check: LinkCheck) -> None:
    """Keep what was found; a state that was found before keeps the time it was first seen.

    Raises:
        NotInLibrary: the page is not its owner's, or is gone.
    """
    tx.run(
        "INSERT INTO link_checks AS c (page_id, url, state, reason, status, new_url, importance,"
        " archive_url, since, checked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (page_id) DO UPDATE SET url = excluded.url, reason = excluded.reason,"
        " status = excluded.status, new_url = excluded.new_url, importance = excluded.importance,"
        " archive_url = CASE WHEN excluded.archive_url = '' AND excluded.state = c.state"
        " THEN c.archive_url ELSE excluded.archive_url END,"
        " since = CASE WHEN c.state = excluded.state THEN c.since ELSE excluded.since END,"
        " state = excluded.state, checked_at = excluded.checked_at",
        require_owned(tx, page),
        check.url,
        check.state,
        check.reason,
        check.status,
        check.new_url,
        check.importance,
        check.archive_url,
        check.checked_at,
        check.checked_at,
    )


def link_check_of(store: Store, page: OwnedPage) -> LinkCheck | None:
    """The last look at the URL of a page; None where there was none."""
    with store.read() as tx:
        row = tx.one(
            f"SELECT {_COLUMNS} FROM link_checks c WHERE c.page_id = {OWNED}", page.id, page.owner
        )
    return _as_check(row) if row else None


def list_link_checks(store: Store, owner: str, states: Collection[str] = ()) -> list[LinkCheck]:
    """The last looks at the URLs of an owner's pages, those in these states; newest first."""
    chosen = f" AND c.state IN ({', '.join('?' for _ in states)})" if states else ""
    with store.read() as tx:
        rows = tx.all(
            f"SELECT {_COLUMNS} FROM link_checks c JOIN pages p ON p.id = c.page_id"
            f" WHERE p.owner = ? AND p.deleted_at IS NULL{chosen}"
            " ORDER BY c.checked_at DESC, c.page_id",
            *(owner, *states),
        )
    return [_as_check(row) for row in rows]


def _as_check(row: Row) -> LinkCheck:
    return LinkCheck(**row)

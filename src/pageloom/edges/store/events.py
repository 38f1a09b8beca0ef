"""What happened in the library, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import write_json
from pageloom.edges.store.times import now

if TYPE_CHECKING:
    from pageloom.edges.store.base import Tx


def record_event(
    tx: Tx, owner: str, kind: str, *, page_id: int | None = None, **detail: Any
) -> None:
    """Write down that something happened."""
    tx.run(
        "INSERT INTO events (owner, at, kind, page_id, detail) VALUES (?, ?, ?, ?, ?)",
        owner,
        now(),
        kind,
        page_id,
        write_json(detail),
    )

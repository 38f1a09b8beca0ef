"""Pages put straight into a library, for tests that need one to be there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.edges.store.saving import prepare, save_in
from pageloom.model.capture import Capture

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.edges.store.base import Store
    from pageloom.model import Document
    from pageloom.model.library import Saved

_OF_CAPTURES = ("body", "fetched_at", "content_type", "status", "rules_version")


def save_document(store: Store, owner: str, document: Document, **given: Any) -> Saved:
    """Store a Document; what is not of its capture is for ``save_in``."""
    how = {name: given.pop(name) for name in _OF_CAPTURES if name in given}
    ready = prepare(Capture(document=document, **how))
    return store.transact(lambda tx: save_in(tx, owner, ready, **given))


def save_many(store: Store, captures: Iterable[Capture], owner: str = "local") -> list[Saved]:
    """Store pages in one transaction: a disk takes its time to promise each."""
    with store.write() as tx:
        return [save_in(tx, owner, prepare(capture)) for capture in captures]

"""Pages as a browser shows them: saved without what runs, or held until somebody confirms."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from pageloom.core.captured_page import strip_scripts
from pageloom.edges.store.idempotency import (
    count_results,
    drop_results,
    find_result,
    store_result,
)
from pageloom.edges.store.times import later, now
from pageloom.errors import NotInLibrary, StorageError
from pageloom.flows.library.save import save_content

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.flows.library.save import SaveContext, SaveResult

_HELD = "held captures"
_SECONDS = 600
_MOST = 50
"""So many pages are held at once, whoever sent them."""


def save_capture(context: SaveContext, url: str, html: str) -> SaveResult:
    """Save the DOM of a page, without scripts and without what was typed into it."""
    page = strip_scripts(html).encode("utf-8", "replace")
    return save_content(context, page, url, content_type="text/html; charset=utf-8")


def hold_capture(store: Store, capture: dict[str, Any]) -> str:
    """Hold a page for ten minutes; its one-time name.

    Raises:
        StorageError: too many are held.
    """
    name = secrets.token_urlsafe(24)

    def hold(tx: Tx) -> None:
        drop_results(tx, _HELD, later(now(), -_SECONDS))
        if count_results(tx, _HELD) >= _MOST:
            raise StorageError("Too many pages are waiting to be confirmed.", retryable=True)
        store_result(tx, _HELD, name, capture)

    store.transact(hold)
    return name


def find_held(store: Store, name: str) -> dict[str, Any]:
    """A page that is held.

    Raises:
        NotInLibrary: nothing is held under this name, or not any more.
    """
    with store.read() as tx:
        return _held(tx, name)


def take_held(store: Store, name: str) -> dict[str, Any]:
    """A page that is held, which then is no longer.

    Raises:
        NotInLibrary: nothing is held under this name, or not any more.
    """

    def take(tx: Tx) -> dict[str, Any]:
        found = _held(tx, name)
        drop_results(tx, _HELD, key=name)
        return found

    return store.transact(take)


def _held(tx: Tx, name: str) -> dict[str, Any]:
    found = find_result(tx, _HELD, name, since=later(now(), -_SECONDS))
    if found is None:
        raise NotInLibrary(
            "This page was saved already, or has waited for more than ten minutes.",
            suggestions=("Capture it again.",),
        )
    return found

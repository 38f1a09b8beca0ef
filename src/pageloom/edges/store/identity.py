"""Which page of the library a Document belongs to, where a URL redirects somewhere else by now.

A page is identified by the URL that answered. When that URL redirects to another, or a bookmark
without content does, what is fetched still belongs to the page that is there, as long as it is the
same story: a redirect to a login, or to the front page, is another page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pageloom.core.normalize.text import fold_text
from pageloom.core.normalize.urls import url_key

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row
    from pageloom.model import Document
    from pageloom.model.pages import OwnedPage

_COLUMNS = "p.id, p.url, p.version, p.title, p.signature, p.deleted_at"


def key_of(tx: Tx, owner: str, key: str, document: Document) -> str:
    """The key of the page that a Document belongs to: the given one, unless another knows it.

    Args:
        tx: a transaction.
        owner: whose page it is.
        key: the key of the address that answered.
        document: what it answered.
    """
    known = row_at(tx, owner, key)
    if known and known["url"] == key:
        return key
    asked = url_key(document.url) if document.url else key
    for address in dict.fromkeys((key, asked)):
        page = row_at(tx, owner, address)
        if page and (_is_bare_there(page, address) or _is_same_story(page, document)):
            return page["url"]
    return key


def row_at(tx: Tx, owner: str, key: str) -> Row | None:
    """The page at an address, or at the one that it led to or was merged into."""
    own = tx.one(f"SELECT {_COLUMNS} FROM pages p WHERE p.owner = ? AND p.url = ?", owner, key)
    if own and own["deleted_at"] is None:
        return own
    other = tx.one(
        f"SELECT {_COLUMNS} FROM aliases a JOIN pages p ON p.id = a.page_id AND p.owner = a.owner"
        " WHERE a.owner = ? AND a.url = ?",
        owner,
        key,
    )
    return other or own


def _is_bare_there(page: Row, address: str) -> bool:
    """Whether nothing but this very address is known of the page."""
    return not page["version"] and page["url"] == address


def _is_same_story(page: Row, document: Document) -> bool:
    title = fold_text(page["title"])
    if title and title == fold_text(document.title) and not _is_front_page(document):
        return True
    from pageloom.core.enrich.near_duplicate import is_near_duplicate  # it loads numpy

    return is_near_duplicate(page["signature"], document.near_duplicate)


def _is_front_page(document: Document) -> bool:
    """Where many sites send whoever asks for what is gone, under the title of the whole site."""
    path = urlsplit(document.final_url or document.url).path.strip("/")
    return not path or fold_text(document.title) == fold_text(document.site_name)


def add_alias(tx: Tx, owner: str, key: str, page_id: int) -> None:
    """Find a page by another address too."""
    tx.run(
        "INSERT INTO aliases (owner, url, page_id)"
        " SELECT owner, ?, id FROM pages WHERE id = ? AND owner = ?"
        " ON CONFLICT (owner, url) DO UPDATE SET page_id = excluded.page_id",
        key,
        page_id,
        owner,
    )


def aliases_of(store: Store, page: OwnedPage) -> tuple[str, ...]:
    """The other URLs that a page is found by, as keys."""
    with store.read() as tx:
        rows = tx.all(
            "SELECT url FROM aliases WHERE page_id = ? AND owner = ? ORDER BY url",
            page.id,
            page.owner,
        )
    return tuple(row["url"] for row in rows)

"""The older ``websites`` table: from a database that has one, or from a dump of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from pageloom.core.render.frontmatter import read_frontmatter
from pageloom.edges.store.base import connect_store
from pageloom.errors import StorageError
from pageloom.flows.external_reader import read_answer
from pageloom.flows.portable import Portable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_STATE = ("pinned", "archived")


def read_websites(database: str, *, user: str = "") -> Iterator[Portable]:
    """The rows of a ``websites`` table, by the address of its database.

    Raises:
        StorageError: the database cannot be read, or has no such table.
    """
    with connect_store(database, read_only=True) as store, store.read() as tx:
        if not tx.has_relation("websites"):
            raise StorageError("That database has no table websites.", retryable=False)
        yield from pages_of_websites(tx.stream("SELECT * FROM websites ORDER BY id"), user)


def pages_of_websites(rows: Iterable[dict[str, Any]], user: str = "") -> Iterator[Portable]:
    """The pages in rows of the table: those of one ``user_id``, or all."""
    for row in rows:
        if not user or _text(row.get("user_id")) == user:
            yield page_of_website(row)


def page_of_website(row: dict[str, Any]) -> Portable:
    """A row of the table as a page: what its user did is kept, the old reader's head is not."""
    metadata = _metadata(row.get("metadata", row.get("metadata_")))
    fields, body = read_frontmatter(_text(row.get("content")))
    answer = read_answer(body)
    return Portable(
        url=_text(row.get("url_full")) or _text(row.get("url")) or answer.url,
        uuid=_text(row.get("id")),
        title=_text(row.get("title")) or answer.title,
        content=answer.markdown,
        author=_text(fields.get("author")),
        description=_text(fields.get("description")),
        hero_image=_text(fields.get("hero_image")),
        published=_text(row.get("published_at")) or answer.published,
        site_name=_site(_text(row.get("source"))),
        saved_at=_text(row.get("saved_at")),
        created_at=_text(row.get("created_at")),
        updated_at=_text(row.get("updated_at")),
        last_opened_at=_text(row.get("last_opened_at")),
        read_at=_text(row.get("last_opened_at")),
        deleted_at=_text(row.get("deleted_at")),
        pinned=metadata.get("pinned") is True,
        archived=metadata.get("archived") is True,
        tags=_tags(fields.get("tags") or metadata.get("tags")),
        metadata={name: value for name, value in metadata.items() if name not in _STATE},
    )


def _metadata(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = msgspec.json.decode(value)
        except msgspec.MsgspecError:
            return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _site(source: str) -> str:
    return "" if source.startswith(("http://", "https://")) else source


def _tags(value: Any) -> tuple[str, ...]:
    return tuple(map(str, cast("list[Any]", value))) if isinstance(value, list) else ()

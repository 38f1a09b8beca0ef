"""Import a ``websites`` table, from a database or from a dump."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from pageloom.core.render.frontmatter import read_frontmatter
from pageloom.edges.store.base import connect_store
from pageloom.errors import StorageError
from pageloom.flows.capture.external_reader import read_answer
from pageloom.flows.transfer.import_values import flag_of, names_of, text_of
from pageloom.flows.transfer.portable_page import Portable, with_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.flows.transfer.portable_page import Found

_STATE = ("pinned", "archived")


def read_websites(database: str, *, user: str = "") -> Iterator[Found]:
    """Read the rows of a ``websites`` table from a database URL.

    Raises:
        StorageError: the database cannot be read, or has no such table.
    """
    with connect_store(database, read_only=True) as store, store.read() as tx:
        if not tx.has_relation("websites"):
            raise StorageError("The database has no table named websites.", retryable=False)
        rows = tx.stream("SELECT * FROM websites ORDER BY id")
        named = ((f"row {text_of(row.get('id'))}", row) for row in rows)
        yield from pages_of_websites(named, user)


def pages_of_websites(
    rows: Iterable[tuple[str, dict[str, Any]]], user: str = ""
) -> Iterator[Found]:
    """The pages of the rows, each with its position: those of one ``user_id``, or all."""
    for where, row in rows:
        if not user or text_of(row.get("user_id")) == user:
            yield with_address(page_of_website(row), where)


def page_of_website(row: dict[str, Any]) -> Portable:
    """A row as a page: the user's data is kept, the header of the old reader is dropped."""
    metadata = _metadata(row.get("metadata", row.get("metadata_")))
    fields, body = read_frontmatter(text_of(row.get("content")))
    answer = read_answer(body)
    return Portable(
        url=text_of(row.get("url_full")) or text_of(row.get("url")) or answer.url,
        uuid=text_of(row.get("id")),
        title=text_of(row.get("title")) or answer.title,
        content=answer.markdown,
        author=text_of(fields.get("author")),
        description=text_of(fields.get("description")),
        hero_image=text_of(fields.get("hero_image")),
        published=text_of(row.get("published_at")) or answer.published,
        site_name=_site(text_of(row.get("source"))),
        saved_at=text_of(row.get("saved_at")),
        created_at=text_of(row.get("created_at")),
        updated_at=text_of(row.get("updated_at")),
        last_opened_at=text_of(row.get("last_opened_at")),
        read_at=text_of(row.get("last_opened_at")),
        deleted_at=text_of(row.get("deleted_at")),
        pinned=flag_of(metadata.get("pinned")),
        archived=flag_of(metadata.get("archived")),
        tags=names_of(fields.get("tags") or metadata.get("tags")),
        metadata={name: value for name, value in metadata.items() if name not in _STATE},
    )


def _metadata(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = msgspec.json.decode(value)
        except msgspec.MsgspecError:
            return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _site(source: str) -> str:
    return "" if source.startswith(("http://", "https://")) else source

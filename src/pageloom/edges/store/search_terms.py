"""What a page is found by: the words of its Document, and those its user put on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.words import Findable, join_words, list_words

if TYPE_CHECKING:
    from pageloom.edges.store.base import Tx

_MOST_OWN = 100_000
"""Characters of a user's tags, notes and highlights on one page that are searched."""


def write_findable(tx: Tx, page_id: int, findable: Findable) -> None:
    """Let the page be found by a Document, and by what its user put on it."""
    _write(tx, page_id, findable, _own_words(tx, page_id, findable.language))


def refresh_own(tx: Tx, page_id: int) -> None:
    """Let the page be found by the tags, notes and highlights that are on it now."""
    row = tx.one(
        "SELECT s.title, s.about, s.body, p.language FROM search s JOIN pages p ON p.id = s.page_id"
        " WHERE s.page_id = ?",
        page_id,
    )
    if row:
        write_findable(tx, page_id, Findable(**row))


def _own_words(tx: Tx, page_id: int, language: str) -> str:
    parts = [
        "SELECT label AS words FROM tags WHERE page_id = ?",
        "SELECT text AS words FROM notes WHERE page_id = ?",
    ]
    if tx.has_relation("highlights"):  # older schemas that are being brought up have none
        parts.append("SELECT note || ' ' || quote AS words FROM highlights WHERE page_id = ?")
    rows = tx.all(" UNION ALL ".join(parts), *(page_id for _ in parts))
    return join_words("\n".join(row["words"] for row in rows)[:_MOST_OWN], language=language)


def _write(tx: Tx, page_id: int, findable: Findable, own: str) -> None:
    texts = (findable.title, findable.about, own, findable.body)
    words = ("words",) if tx.dialect == "postgres" else ()
    columns = ("title", "about", "own", "body", *words)
    marks = ["?"] * 5 + ["CAST(? AS tsvector)" for _ in words]
    tx.run(
        f"INSERT INTO search (page_id, {', '.join(columns)}) VALUES ({', '.join(marks)})"
        " ON CONFLICT (page_id) DO UPDATE SET "
        + ", ".join(f"{column} = excluded.{column}" for column in columns),
        page_id,
        *texts,
        *(list_words(*texts) for _ in words),
    )

"""What a step of the schema has to work out from rows that are there, and SQL cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.edges.store.pages import host_key
from pageloom.edges.store.schema import FOLDING, FORMS, STEPS
from pageloom.edges.store.search_terms import refresh_own, write_findable
from pageloom.edges.store.words import Findable, add_forms, has_marks, join_words, make_findable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pageloom.edges.store.base import Tx
    from pageloom.edges.store.connection import Row

_BATCH = 500


def _find_by_hosts_and_own_words(tx: Tx) -> None:
    """Reversed hosts; words of tags and notes; pages of which only the address is known."""
    for row in _batches(tx, "SELECT DISTINCT domain AS key FROM pages WHERE domain > ?", ""):
        domain = row["key"]
        tx.run("UPDATE pages SET host_key = ? WHERE domain = ?", host_key(domain), domain)
    if tx.dialect == "postgres":
        sql = "SELECT page_id AS key, title, about, body FROM search_before WHERE page_id > ?"
        for row in _batches(tx, sql, 0):
            found = Findable(title=row["title"], about=row["about"], body=row["body"])
            write_findable(tx, row["key"], found)
    else:
        sql = "SELECT page_id AS key FROM tags UNION SELECT page_id FROM notes"
        for row in _batches(tx, f"SELECT key FROM ({sql}) AS own WHERE key > ?", 0):
            refresh_own(tx, row["key"])
    unknown = "NOT EXISTS (SELECT 1 FROM search s WHERE s.page_id = p.id)"
    sql = f"SELECT p.id AS key, p.title, p.url_full FROM pages p WHERE {unknown} AND p.id > ?"
    for row in _batches(tx, sql, 0):
        write_findable(tx, row["key"], make_findable(row["title"], row["url_full"], ""))


def _find_without_marks(tx: Tx) -> None:
    """Words of Arabic and Hebrew without what may be left out of them."""
    sql = "SELECT page_id AS key, title, about, own, body FROM search WHERE page_id > ?"
    for row in _batches(tx, sql, 0):
        if any(has_marks(row[name]) for name in ("title", "about", "own", "body")):
            texts = {name: join_words(row[name]) for name in ("title", "about", "body")}
            write_findable(tx, row["key"], Findable(**texts))


def _find_by_forms(tx: Tx) -> None:
    """The forms of words behind the words."""
    sql = (
        "SELECT s.page_id AS key, s.title, s.about, s.body, p.language FROM search s"
        " JOIN pages p ON p.id = s.page_id WHERE s.page_id > ?"
    )
    for row in _batches(tx, sql, 0):
        texts = {name: row[name] for name in ("title", "about", "body", "language")}
        write_findable(tx, row["key"], add_forms(Findable(**texts)))


def _batches(tx: Tx, sql: str, after: str | int) -> Iterator[Row]:
    while rows := tx.all(f"{sql} ORDER BY 1 LIMIT {_BATCH}", after):
        yield from rows
        after = rows[-1]["key"]


REFILLS: dict[int, Callable[[Tx], None]] = {
    8: _find_by_hosts_and_own_words,
    STEPS.index((FOLDING,)) + 1: _find_without_marks,
    STEPS.index((FORMS,)) + 1: _find_by_forms,
}
"""By the step that they belong to."""

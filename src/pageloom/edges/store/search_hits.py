"""Pages that a search found, each with the place in it that shows why."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.edges.store.codec import unpack_text
from pageloom.edges.store.listing import among, by_number
from pageloom.edges.store.snippets import make_snippet
from pageloom.edges.store.word_forms import MARK, forms_of
from pageloom.edges.store.words import cut_words
from pageloom.errors import StorageError
from pageloom.model.pages import Hit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Tx
    from pageloom.edges.store.search_query import Query
    from pageloom.model.pages import Page, Snippet

_READ_FOR_FORMS = 50_000
"""Characters of a text in which other forms of the words are looked for."""


def show_hits(tx: Tx, pages: Sequence[Page], query: Query) -> list[Hit]:
    """The pages, each with the place in its last version that shows why it was found."""
    where, values = among(tx, [page.id for page in pages])
    rows = tx.all(
        f"SELECT p.id, v.document FROM {by_number(tx)} CROSS JOIN versions v"
        f" WHERE {where} AND v.page_id = p.id AND v.track = '' AND v.number = p.version",
        *values,
    )
    documents = {row["id"]: row["document"] for row in rows}
    return [
        Hit(page=page, snippet=_snippet(tx, page, documents.get(page.id), query)) for page in pages
    ]


def _snippet(tx: Tx, page: Page, data: bytes | None, query: Query) -> Snippet:
    try:
        text = unpack_text(bytes(data)) if data else ""
    except StorageError:  # the page is found all the same
        text = ""
    words = _words_in(query, text, page.language)
    shown = make_snippet(text, words)
    if shown.marks:
        return shown
    notes = tx.all("SELECT text FROM notes WHERE page_id = ? ORDER BY id", page.id)
    noted = "\n".join(note["text"] for note in notes)
    noted = make_snippet(noted, _words_in(query, noted, page.language))
    return noted if noted.marks else shown


def _words_in(query: Query, text: str, language: str) -> list[str]:
    """The words that a text was found by: those of the search, and their forms in it."""
    asked = [word for group in query.groups for term in group for word in term.words]
    forms = {word for word in asked if word[0] == MARK}
    words = [word for word in asked if word not in forms]
    if not forms:
        return words
    near = dict.fromkeys(
        word for run in _words_like(words, text[:_READ_FOR_FORMS]) for word in cut_words(run)
    )
    return [*words, *(word for word in near if forms.intersection(forms_of([word], language)))]


def _words_like(words: Sequence[str], text: str) -> set[str]:
    """The words of a text that begin as one of these does: it is endings in which forms differ."""
    starts = sorted({"".join(map(_any_case, word[:2])) for word in words})
    return set(re.findall(rf"\b(?:{'|'.join(starts)})\w*", text))


def _any_case(letter: str) -> str:
    """A class of the letter; of Latin ones, with all that have an accent."""
    accents = "\u00c0-\u024f\u1e00-\u1eff" if letter.isascii() else ""
    return f"[{letter}{letter.upper()}{accents}]"

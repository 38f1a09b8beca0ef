"""Pages that a search found, each with the place in it that shows why."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.edges.store.codec import unpack_text
from pageloom.edges.store.listing import among, by_number
from pageloom.edges.store.word_forms import MARK, forms_of
from pageloom.edges.store.words import OPTIONAL, cut_words, fold, has_marks
from pageloom.errors import StorageError
from pageloom.model.pages import Hit, Snippet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.store.base import Tx
    from pageloom.edges.store.search_query import Query
    from pageloom.model.pages import Page

_READ_FOR_FORMS = 50_000
"""Characters of a text in which other forms of the words are looked for."""
WIDTH = 180
_MOST_PLACES = 200
_READ = 200_000


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


class _Same(dict[int, str]):
    """Each character as one that is compared, as words are; never more than one, and never none."""

    def __missing__(self, code: int) -> str:
        made = fold(chr(code))[:1] or chr(code)
        self[code] = made
        return made


_FOLD = _Same()


def make_snippet(text: str, words: Sequence[str]) -> Snippet:
    """The piece with the most of the words; the beginning where none is found."""
    flat = " ".join(text[:_READ].split())
    places = _places(flat, words)
    start = _best_start(places)
    start = 0 if start < 40 else flat.find(" ", start - 40, start) + 1 or start - 40
    end = _end(flat, start + WIDTH)
    lead, tail = "… " if start else "", " …" if end < len(flat) else ""
    shift = len(lead) - start
    marks = tuple(
        (one + shift, two + shift) for one, two, _ in places if start <= one and two <= end
    )
    return Snippet(text=f"{lead}{flat[start:end]}{tail}", marks=marks)


def _places(flat: str, words: Sequence[str]) -> list[tuple[int, int, str]]:
    if not words or not flat:
        return []
    longest_first = sorted(set(words), key=lambda word: (-len(word), word))
    between = f"[{OPTIONAL}]*" if has_marks(flat) else ""
    # A letter of a script without spaces needs no border; other words begin where words begin.
    choices = (
        ("" if len(word) == 1 and word > "\u0e00" else r"\b")
        + "".join(re.escape(char) + between for char in word)
        for word in longest_first
    )
    found = re.finditer("|".join(choices), flat.translate(_FOLD))
    return [
        (hit.start(), hit.end(), hit[0]) for hit, _ in zip(found, range(_MOST_PLACES), strict=False)
    ]


def _best_start(places: list[tuple[int, int, str]]) -> int:
    """Where the piece with the most different words begins; the first of equals."""
    best, most, first = 0, 0, 0
    for number, (start, _, _) in enumerate(places):
        while places[first][0] < start - WIDTH + 60:
            first += 1
        different = len({word for _, _, word in places[first : number + 1]})
        if different > most:
            best, most = places[first][0], different
    return best


def _end(flat: str, end: int) -> int:
    if end >= len(flat):
        return len(flat)
    space = flat.rfind(" ", end - 30, end)
    return space if space > 0 else end

"""The place in a text that shows why it was found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.edges.store.words import OPTIONAL, fold, has_marks
from pageloom.model.pages import Snippet

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 180
_MOST_PLACES = 200
_READ = 200_000


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

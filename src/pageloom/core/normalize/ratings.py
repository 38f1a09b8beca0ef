"""Parse ratings: value, scale, count."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.normalize.calendars import find_numbers, to_western_digits, western_passage
from pageloom.model import Rating

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.parts import RatingFact

_OF = re.compile(
    r"(?<![\d/.,])(\d{1,2}(?:[.,]\d{1,2})?)\s?(?:/|out of|von|sur|из|(?<=[.,]\d\s)(?:de|su|van|av"
    r"|z|of))\s?(5|10|100|20|6)(?![\d/])"
    r"(?:\s?(?:stars?|sterne[n]?|étoiles|estrellas|stelle|sterren))?",
    re.IGNORECASE,
)
_STARS = re.compile(r"[★⭐]{1,10}[☆✩]{0,9}|[☆✩]{1,10}")
_WORD = re.compile(
    r"(?<![\d.,/])(?<!of )(?<!of)(\d(?:[.,]\d{1,2})?)\s?(?:-\s?)?(?:stars?\b|star rating|rating"
    r"|sterne\b|étoiles|estrellas|stelle|sterren)",
    re.IGNORECASE,
)
_RATED = re.compile(
    r"\b(?:rated|rating|bewertung|note|puntuación|valutazione)\s?:?\s(\d(?:[.,]\d{1,2})?)(?![\d/])",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"(?<![\d.,])(\d{1,3}(?:[.,\s]\d{3})*|\d+)\)?\s?(?:ratings?|reviews?|votes?|bewertungen|avis|opiniones|recensioni|отзыв)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d.,/]*")
_SIGNS = (
    "/",
    "out of",
    "von ",
    "sur ",
    "de ",
    "su ",
    "van ",
    "av ",
    "z ",
    "из ",
    "of ",
    "star",
    "rating",
    "sterne",
    "étoile",
    "estrella",
    "stelle",
    "sterren",
)
MAX_RATINGS = 20


def parse_rating(fact: RatingFact) -> Rating:
    """The rating that a page states, in words or in structured data."""
    if fact.value:
        value, scale = read_number(fact.value), read_number(fact.scale)
        count = read_number(fact.count)
        if value is not None and scale is None and value <= 5:
            scale = 5.0
        return Rating(
            raw=fact.raw,
            value=value,
            scale=scale,
            count=None if count is None else int(count),
            source=fact.source,
        )
    return _from_text(fact.raw, fact.source) or Rating(raw=fact.raw, source=fact.source)


def read_number(text: str) -> float | None:
    """A number with a point or a comma; None for anything else, and for what no rating can be."""
    bare = text.strip().replace("\u00a0", "").replace(" ", "")
    bare = (
        bare.replace(",", "")
        if re.fullmatch(r"\d{1,3}(?:,\d{3})+", bare)
        else bare.replace(",", ".")
    )
    if not re.fullmatch(r"\d{1,12}(?:\.\d{1,10})?%?", bare):
        return None
    return float(bare.rstrip("%"))


def find_ratings(text: str, limit: int = MAX_RATINGS) -> list[Rating]:
    """Every rating printed in running text, each spelling once."""
    found: dict[str, Rating] = {}
    for piece in _likely_pieces(western_passage(text)):
        if len(found) >= limit:
            break
        rating = _from_text(piece, "text")
        if rating is not None and rating.value is not None:
            found.setdefault(rating.raw, rating)
    return list(found.values())


def _likely_pieces(text: str) -> Iterator[str]:
    """The stretches that may be a rating: a number before a scale, and rows of stars."""
    done = 0
    for number in find_numbers(_NUMBER, text):
        if number.start() < done:
            continue
        tail = text[number.end() : number.end() + 12].lstrip(" -\u00a0").lower()
        if tail.startswith(_SIGNS) or "/" in number[0]:
            window = text[number.start() : number.start() + 40]
            match = _OF.match(window) or _WORD.match(window)
            if match:
                done = number.start() + match.end()
                yield match[0]
    if "\u2605" in text or "\u2b50" in text:
        yield from (match[0] for match in _STARS.finditer(text))


def _from_text(raw: str, source: str) -> Rating | None:
    text = to_western_digits(" ".join(raw.split()))
    counted = _COUNT.search(text)
    count = int(re.sub(r"\D", "", counted[1])) if counted else None
    if found := _OF.search(text):
        value, scale = float(found[1].replace(",", ".")), float(found[2])
        return (
            Rating(raw=text, value=value, scale=scale, count=count, source=source)
            if value <= scale
            else None
        )
    if found := _STARS.search(text):
        full = sum(found[0].count(star) for star in "★⭐")
        scale = float(max(len(found[0]), 5))
        return (
            Rating(raw=text, value=float(full), scale=scale, count=count, source=source)
            if full
            else None
        )
    if found := _WORD.search(text) or _RATED.search(text):
        value = float(found[1].replace(",", "."))
        return Rating(
            raw=text, value=value, scale=5.0 if value <= 5 else 10.0, count=count, source=source
        )
    return None

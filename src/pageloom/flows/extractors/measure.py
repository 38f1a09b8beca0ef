"""Measure how two extraction results differ: similarity, coverage, missing and extra text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pageloom.core.normalize.urls import url_key
from pageloom.errors import InvalidUrl

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.model import Document

KINDS = ("words", "links", "images", "videos")
STRUCTURES = ("paragraphs", "lists", "quotes", "code", "captions")
_WORD = re.compile(r"\w+")
_MARKS = re.compile(r"[#*_`>\[\]()!|~-]+")
_SPACES = re.compile(r"\s+")
_MOST_WORDS = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """How close one result is to the reference."""

    similarity: float
    coverage: dict[str, float]
    missing: dict[str, int]
    extra: dict[str, int]
    structure: dict[str, int]
    """How many more (or, negative, fewer) paragraphs and so on it has."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def measure(reference: Document, other: Document, *, canonical: bool = False) -> Measure:
    """How close ``other`` is to ``reference``.

    Args:
        reference: the reference result.
        other: what is measured.
        canonical: ignore case, punctuation and markup.
    """
    wanted = {kind: _items(reference, kind, canonical=canonical) for kind in KINDS}
    found = {kind: _items(other, kind, canonical=canonical) for kind in KINDS}
    one, two = (count_structure(document.markdown) for document in (reference, other))
    return Measure(
        similarity=_similarity(_text(reference, canonical), _text(other, canonical)),
        coverage={kind: _coverage(wanted[kind], found[kind]) for kind in KINDS},
        missing={kind: (wanted[kind] - found[kind]).total() for kind in KINDS},
        extra={kind: (found[kind] - wanted[kind]).total() for kind in KINDS},
        structure={name: two[name] - one[name] for name in STRUCTURES},
    )


def _text(document: Document, canonical: bool) -> list[str]:  # noqa: FBT001  private
    text = document.text or document.markdown
    return _WORD.findall(canonical_text(text) if canonical else text)[:_MOST_WORDS]


def canonical_text(text: str) -> str:
    """Normalized text: lower case, no punctuation or markup, single spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACES.sub(" ", _MARKS.sub(" ", folded)).strip()


def _similarity(one: list[str], two: list[str]) -> float:
    """1 for the same words in the same order, 0 for nothing in common."""
    from rapidfuzz.distance import Indel

    return round(Indel.normalized_similarity(one, two), 6) if one or two else 1.0


def _coverage(wanted: Counter[str], found: Counter[str]) -> float:
    """The share of the wanted items that was found; 1 if nothing is wanted."""
    total = wanted.total()
    return min(1.0, round((wanted & found).total() / total, 6)) if total else 1.0


def _items(document: Document, kind: str, *, canonical: bool) -> Counter[str]:
    if kind == "words":
        return Counter(_text(document, canonical))
    if kind == "links":
        return Counter(_keys(link.url for link in document.links if link.region == "content"))
    if kind == "images":
        return Counter(_keys(image.url for image in document.images))
    return Counter(_keys(media.url for media in document.media if media.kind == "video"))


def _keys(urls: Iterable[str]) -> set[str]:
    keys: set[str] = set()
    for url in urls:
        try:
            keys.add(url_key(url))
        except InvalidUrl:
            keys.add(url)
    return keys


def count_structure(markdown: str) -> dict[str, int]:
    """How many paragraphs, lists, quotes, pieces of code and captions a Markdown text has."""
    counts: dict[str, int] = dict.fromkeys(STRUCTURES, 0)
    after_image = in_code = False
    for block in re.split(r"\n\s*\n", markdown):
        text = block.strip()
        fences = text.count("```")
        kind = "code" if in_code or text.startswith("```") else _kind(text, after_image)
        if kind and not in_code:
            counts[kind] += 1
        in_code ^= fences % 2 == 1
        after_image = text.startswith(("![", "[!["))
    return counts


def _kind(text: str, after_image: bool) -> str:  # noqa: FBT001  private
    if not text or text.startswith(("#", "![", "[![", "|", "---")):
        return ""
    if text.startswith(">"):
        return "quotes"
    if re.match(r"(?:[-*+]|\d{1,9}[.)])\s", text):
        return "lists"
    if after_image and re.fullmatch(r"[*_].*[*_]", text):
        return "captions"
    return "paragraphs"

"""Pages like one page: those with nearly the same text, then those that share its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.core.stopwords import STOP_WORDS
from pageloom.edges.store.search import search
from pageloom.edges.store.signatures import near_duplicates
from pageloom.edges.store.words import cut_words
from pageloom.model.pages import WITH_ARCHIVED

if TYPE_CHECKING:
    from pageloom.edges.store.base import Store
    from pageloom.model.pages import Page

_SHORTEST, _MOST_WORDS, _LOOKED_AT = 4, 8, 60


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPage:
    """A page like another one, and why."""

    page: Page
    is_duplicate: bool
    """Whether it has nearly the same text."""
    words: tuple[str, ...] = ()
    """The words of the title that both have."""


def similar_pages(store: Store, page: Page, *, limit: int = 10) -> list[SimilarPage]:
    """Pages like this one, the most similar first."""
    found = [
        SimilarPage(page=each, is_duplicate=True)
        for each in near_duplicates(store, page, limit=limit)
    ]
    known = {page.id, *(each.page.id for each in found)}
    words = _words_of(page)
    if not words:
        return found
    hits = search(store, page.owner, " OR ".join(words), WITH_ARCHIVED, limit=_LOOKED_AT).hits
    shared = [
        SimilarPage(page=hit.page, is_duplicate=False, words=both)
        for hit in hits
        if hit.page.id not in known and (both := _shared(words, hit.page))
    ]
    shared.sort(key=lambda each: -len(each.words))
    return [*found, *shared][:limit]


def _words_of(page: Page) -> list[str]:
    common = STOP_WORDS.get(page.language[:2], frozenset())
    words = dict.fromkeys(cut_words(page.title))
    kept = [word for word in words if len(word) >= _SHORTEST and word not in common]
    return sorted(kept, key=len, reverse=True)[:_MOST_WORDS]


def _shared(words: list[str], page: Page) -> tuple[str, ...]:
    theirs = set(cut_words(page.title))
    both = tuple(word for word in words if word in theirs)
    return both if len(both) >= min(2, len(words)) else ()

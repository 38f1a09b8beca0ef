"""A search as people type it, and as each database reads it.

swifts crane            both words, anywhere, in any form: swift, cranes
"swifts"                the word as it is
"harbour crane"         side by side
crane OR gantry         one of them
-scrap                  not this
bird*                   any word that begins so
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from pageloom.edges.store.word_forms import forms_of
from pageloom.edges.store.words import cut_words, is_unspaced, pair_of
from pageloom.errors import InvalidQuery

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PIECE = re.compile(r'(-?)(?:"([^"]*)"?|(\S+))')
_MOST_TERMS = 32
_LONGEST = 1_000
_SHORTEST_BEGINNING = 4
_ENOUGH = 3
"""So many words side by side are in few pages, however common each of them is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One word, or several side by side; the last may be the beginning of one."""

    words: tuple[str, ...]
    prefix: bool = False
    exact: bool = False
    """Whether it was quoted: then no other form of the word is meant."""

    @property
    def is_phrase(self) -> bool:
        """Whether its words have to stand side by side."""
        return len(self.words) > 1

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Those of its words that stand side by side, and are whole."""
        return tuple(pairwise(self.words[:-1] if self.prefix else self.words))

    @property
    def run(self) -> str:
        """The words as they stand in what a page is found by."""
        return f" {' '.join(self.words)}" + ("" if self.prefix else " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """All of the groups, one term of each; none of the excluded."""

    groups: tuple[tuple[Term, ...], ...]
    excluded: tuple[Term, ...] = ()

    @property
    def has_phrases(self) -> bool:
        """Whether any words have to stand, or must not stand, side by side."""
        return any(term.is_phrase for group in (*self.groups, self.excluded) for term in group)

    @property
    def is_all_phrases(self) -> bool:
        """Whether there are no single words in it but beside a phrase that will do as well."""
        return all(any(term.is_phrase for term in group) for group in self.groups) and all(
            term.is_phrase for term in self.excluded
        )

    @property
    def has_pairs(self) -> bool:
        """Whether two whole words have to stand side by side."""
        return any(term.pairs for group in self.groups for term in group)

    @property
    def is_long(self) -> bool:
        """Whether it asks for so much that few titles have all of it."""
        return len(self.groups) > _ENOUGH or (len(self.groups) > 1 and self.has_pairs)

    @property
    def has_open_pairs(self) -> bool:
        """Whether a word has to stand beside one of which only the beginning is known."""
        return any(term.prefix and term.is_phrase for group in self.groups for term in group)


def read_query(text: str) -> Query:
    """The search that a person means; nothing that can be typed is a syntax error.

    Raises:
        InvalidQuery: the search has no words.
    """
    groups: list[list[Term]] = []
    excluded: list[Term] = []
    joining = False
    for minus, phrase, word in _PIECE.findall(text[:_LONGEST]):
        if word == "OR" and not minus:
            joining = bool(groups)
            continue
        term = _term(phrase or word, exact=bool(phrase))
        if term is None:
            continue
        if minus:
            excluded.append(term)
        elif joining:
            groups[-1].append(term)
        else:
            groups.append([term])
        joining = False
    if not groups:
        raise InvalidQuery("The search has no words.")
    return Query(
        groups=tuple(map(tuple, groups[:_MOST_TERMS])), excluded=tuple(excluded[:_MOST_TERMS])
    )


def _term(text: str, *, exact: bool) -> Term | None:
    words = cut_words(text)
    if not words:
        return None
    prefix = text.endswith("*") and not is_unspaced(words[-1])
    return Term(words=tuple(words), prefix=prefix, exact=exact)


def with_forms(query: Query, languages: Sequence[str]) -> Query:
    """The search for the words and all their forms in these languages."""
    return Query(
        groups=tuple(_forms_too(group, languages) for group in query.groups),
        excluded=_forms_too(query.excluded, languages),
    )


def _forms_too(terms: tuple[Term, ...], languages: Sequence[str]) -> tuple[Term, ...]:
    words = [term.words[0] for term in terms if not (term.exact or term.prefix or term.is_phrase)]
    forms = [form for language in languages for form in forms_of(words, language)]
    return (*terms, *(Term(words=(form,)) for form in forms))


def loosen(text: str, cut: int = 0) -> str:
    """The search with each plain word as the beginning of one, without its last letters."""

    def open_end(piece: re.Match[str]) -> str:
        minus, quoted, word = piece.groups()
        if minus or quoted is not None or word == "OR" or word.endswith("*"):
            return piece[0]
        words = cut_words(word)
        if len(words) != 1 or is_unspaced(words[0]):
            return piece[0]
        return f"{words[0][: max(_SHORTEST_BEGINNING, len(words[0]) - cut)]}*"

    return _PIECE.sub(open_end, text[:_LONGEST])


def shorten(query: Query) -> Query:
    """The search with a part of each long phrase: it finds all of its pages, and a few others."""
    return replace(query, groups=tuple(tuple(map(_shorten_term, group)) for group in query.groups))


def _shorten_term(term: Term) -> Term:
    """The words side by side that are rarest: in any language, these are the longest ones."""
    starts = range(max(1, len(term.words) - _ENOUGH + 1))
    parts = [term.words[start : start + _ENOUGH] for start in starts]
    best = max(starts, key=lambda start: len("".join(parts[start])))
    return Term(words=parts[best], prefix=term.prefix and best == starts[-1])


def in_fts5(query: Query, columns: str = "") -> str:
    """The search for SQLite: words in some columns, or anywhere."""
    wanted = " AND ".join(_any(map(_fts5_term, group), " OR ") for group in query.groups)
    scoped = f"{{{columns}}} : ({wanted})" if columns else f"({wanted})"
    unwanted = [_fts5_term(term) for term in query.excluded]
    return f"({scoped} NOT {_any(unwanted, ' OR ')})" if unwanted else scoped


def _fts5_term(term: Term) -> str:
    return f'"{" ".join(term.words)}"' + (" *" if term.prefix else "")


def in_tsquery(query: Query, place: str = "") -> str:
    """The search for PostgreSQL: words in a place (t, a), or anywhere.

    Of a phrase its words and pairs: all pages that have it, and a few that do not.
    """
    wanted = [_any((_ts_term(term, place) for term in group), " | ") for group in query.groups]
    unwanted = [f"!{_ts_term(term, '')}" for term in query.excluded if not term.is_phrase]
    return _any([*wanted, *unwanted], " & ")


def _ts_term(term: Term, place: str) -> str:
    *others, last = term.words
    words = [_ts_word(word, "", place) for word in others]
    words.append(_ts_word(last, ":*" if term.prefix else "", place))
    return _any([*words, *(f"'{pair_of(*pair)}'" for pair in term.pairs)], " & ")


def _ts_word(word: str, sign: str, place: str) -> str:
    if not place:
        return f"'{word}*'" if sign and len(word) == 1 else f"'{word}'{sign}"
    return f"'{place}/{word}'{sign}"


def _any(parts: Iterable[str], joint: str) -> str:
    return f"({joint.join(parts)})"

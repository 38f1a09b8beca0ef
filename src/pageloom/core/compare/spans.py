"""Spans of tokens whose change does not matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.compare.tokens import TextToken


class Span(NamedTuple):
    """Tokens ``start`` to ``end`` (without it) that mean nothing when they change."""

    start: int
    end: int
    kind: str


def has_group(tokens: Iterable[TextToken], letter: str) -> bool:
    """Whether a token belongs to a group of words (see ``lexicon``)."""
    return any(letter in token.groups for token in tokens)

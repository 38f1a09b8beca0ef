"""Find near-duplicate pages: clusters of pages whose texts are similar.

Two 64-bit signatures that differ in at most 6 bits agree in at least one of seven pieces, so only
pages that share a piece are compared: the cost grows with the pages, not with their pairs.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from pageloom.core.enrich.near_duplicate import is_near_duplicate
from pageloom.edges.store.highlights import move_highlights
from pageloom.edges.store.identity import add_alias
from pageloom.edges.store.pages import act
from pageloom.edges.store.tags import add_tags, move_notes, tags_in
from pageloom.edges.store.versions import latest_in, refresh_content

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.edges.store.base import Store, Tx
    from pageloom.model.pages import Page

_PIECES = 7
_BITS = 64
_MOST_IN_BUCKET = 200
"""A piece shared by more pages than this is too common; they are compared with neighbours only."""
_LEAST_WORDS = 40
"""Shorter texts are similar by chance."""


def find_clusters(pages: Iterable[Page]) -> list[list[Page]]:
    """Groups of two or more near-duplicate pages, the largest first."""
    known = [page for page in pages if page.signature and page.word_count >= _LEAST_WORDS]
    roots = list(range(len(known)))
    for one, two in _candidates([page.signature for page in known]):
        if _root(roots, one) != _root(roots, two) and is_near_duplicate(
            known[one].signature, known[two].signature
        ):
            roots[_root(roots, two)] = _root(roots, one)
    groups: dict[int, list[Page]] = defaultdict(list)
    for number, page in enumerate(known):
        groups[_root(roots, number)].append(page)
    found = [group for group in groups.values() if len(group) > 1]
    return sorted(found, key=lambda group: (-len(group), group[0].id))


def merge_pages(store: Store, kept: Page, others: Sequence[Page]) -> None:
    """Merge pages into one: it gets what their user put on them, and their URLs.

    They go to the trash.
    """

    def merge(tx: Tx) -> None:
        for other in others:
            add_tags(tx, kept, tags_in(tx, other.id))
            move_notes(tx, other, kept)
            if last := latest_in(tx, kept.id):
                move_highlights(tx, other, kept, last.info.number, last.document)
            add_alias(tx, kept.owner, other.url, kept.id)
            act(tx, other.owner, "delete", other.id)
        refresh_content(tx, kept)

    store.transact(merge)


def _candidates(signatures: Sequence[str]) -> Iterable[tuple[int, int]]:
    numbers = [int(signature, 16) for signature in signatures]
    for piece in range(_PIECES):
        low, high = _BITS * piece // _PIECES, _BITS * (piece + 1) // _PIECES
        mask = (1 << (high - low)) - 1
        buckets: dict[int, list[int]] = defaultdict(list)
        for number, value in enumerate(numbers):
            buckets[(value >> low) & mask].append(number)
        for bucket in buckets.values():
            yield from _pairs(bucket, numbers)


def _pairs(bucket: list[int], numbers: list[int]) -> Iterable[tuple[int, int]]:
    if len(bucket) <= _MOST_IN_BUCKET:
        return combinations(bucket, 2)
    ordered = sorted(bucket, key=lambda number: (numbers[number], number))
    return (
        (ordered[place], ordered[later])
        for place in range(len(ordered))
        for later in range(place + 1, min(place + 21, len(ordered)))
    )


def _root(roots: list[int], number: int) -> int:
    while roots[number] != number:
        roots[number] = roots[roots[number]]
        number = roots[number]
    return number

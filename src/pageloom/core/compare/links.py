"""Compare links: which came, went, or lead elsewhere, and whether a reader would care.

A link that comes or goes does so with its text, and that is told as text. What only the links show
is one that leads elsewhere under the same words, or words that became a link.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from pageloom.core.compare.report import LinkChange, LinkMove, TrivialDifference
from pageloom.core.identity import is_advert, link_identity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.compare.movement import Movement
    from pageloom.core.compare.pairs import Difference
    from pageloom.core.compare.side import Side
    from pageloom.model import Link

_FILE = re.compile(
    r"\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|zip|tar|[tg]z|exe|dmg|pkg|deb|rpm|csv|epub)$",
    re.IGNORECASE,
)
_ENTRIES = {
    "navigation": {"documentation"},
    "pagination": {"documentation", "listing", "collection", "forum", "other"},
}
"""Kinds of page whose menu, or pager, tells of new pages."""
_FEW = 2
_LINKED = 70
_MOST = 400
"""Moves that a report lists."""


def compare_links(
    one: Side, two: Side, told: tuple[Difference, ...], movement: Movement | None
) -> tuple[LinkChange, list[TrivialDifference]]:
    """Links that came, went or lead elsewhere; those count that a reader would notice."""
    old, new = _by_identity(one.document.links), _by_identity(two.document.links)
    gone = [link for key, link in old.items() if key not in new]
    come = [link for key, link in new.items() if key not in old]
    if not gone and not come:
        return LinkChange(), []
    moves = _moves(gone, come)
    texts = "\n".join(text for each in told for text in (each.before, each.after))
    steady = _steady_texts(one, two, movement)
    few = (
        _few_entries(moves, one, two)
        if movement is None or not movement.moves_menus
        else set[str]()
    )
    counted = [move for move in moves if _counts(move, texts, steady, few)]
    noise = [
        TrivialDifference(
            field="links", kind="rotating", before=move.before or move.url, after=move.text
        )
        for move in moves
        if move not in counted
    ]
    return LinkChange(moves=tuple(counted[:_MOST]), changed=bool(counted)), noise[:_MOST]


def _by_identity(links: Iterable[Link]) -> dict[str, Link]:
    found: dict[str, Link] = {}
    for link in links:
        if not is_advert(link.url) and "sponsored" not in link.rel:
            found.setdefault(link_identity(link.url), link)
    return found


def _moves(gone: list[Link], come: list[Link]) -> list[LinkMove]:
    """One that went and one that came under the same words are one link that leads elsewhere."""
    waiting: defaultdict[tuple[str, str], list[Link]] = defaultdict(list)
    for link in gone:
        waiting[link.text, link.region].append(link)
    moves: list[LinkMove] = []
    for link in come:
        partners = waiting.get((link.text, link.region), []) if link.text else []
        if partners:
            moves.append(_move("retargeted", link, before=partners.pop(0).url))
        else:
            moves.append(_move("added", link))
    left = [link for links in waiting.values() for link in links]
    return moves + [_move("removed", link) for link in left]


def _move(operation: str, link: Link, *, before: str = "") -> LinkMove:
    return LinkMove(
        operation=operation,  # type: ignore[arg-type]  one of three
        url=link.url,
        text=link.text,
        region=link.region,
        internal=link.internal,
        before=before,
    )


def _steady_texts(one: Side, two: Side, movement: Movement | None) -> dict[str, str]:
    """Texts of the content that both pages have, in places that did not move by themselves."""
    both = set(one.texts) & set(two.texts)
    found: dict[str, str] = {}
    for side in (one, two):
        blocks = side.blocks
        for number in blocks.links:
            text = side.texts[number]
            still = movement is None or not movement.moved_links(side, number)
            if text in both and side.is_main(number) and number not in blocks.hints and still:
                found[text] = "link" if blocks.linked[number] >= _LINKED else "prose"
    return found


def _counts(move: LinkMove, told: str, steady: dict[str, str], few: set[str]) -> bool:
    if not move.text or move.region in few:
        return bool(move.text)
    if move.operation == "retargeted" and _FILE.search(move.url.partition("?")[0]):
        return move.region != "footer" and _name(move.url) != _name(move.before)
    if move.region != "content" or move.text in told:
        return move.region == "content"
    around = [kind for text, kind in steady.items() if move.text in text]
    if move.operation == "retargeted":
        return "prose" in around and not _only_numbers(move.url, move.before)
    return "prose" in around and len(move.text.split()) > 1


def _few_entries(moves: list[LinkMove], one: Side, two: Side) -> set[str]:
    """The menus and pagers in which little moved, on pages where they are part of the matter."""
    kinds = {one.document.page_type, two.document.page_type}
    found: set[str] = set()
    for region, wanted in _ENTRIES.items():
        moved = [move for move in moves if move.region == region]
        acts = {move.operation for move in moved}
        same = any(_only_numbers(move.url, move.before) for move in moved if move.before)
        if kinds <= wanted and 0 < len(moved) <= _FEW and len(acts) == 1 and not same:
            found.add(region)
    return found


def _name(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2].lower()


def _only_numbers(one: str, two: str) -> bool:
    """Whether two addresses differ in numbers and codes alone."""
    return re.sub(r"[0-9a-f]*\d[0-9a-f]*", "0", one) == re.sub(r"[0-9a-f]*\d[0-9a-f]*", "0", two)

"""Links that came, went, or lead elsewhere, region by region."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.compare.chrome import chrome_kind
from pageloom.core.compare.identity import link_identity
from pageloom.core.compare.report import LinkChange, LinkMove, TrivialDifference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.compare.page import Side
    from pageloom.model import Link

_SERVICE = re.compile(
    r"/(?:log-?(?:in|out)|sign-?(?:in|up|out)|register|account|my-?account|profile|cart|basket|checkout|wishlist|bag|sessions?|auth|sso|oauth|share|sharer|intent|print|cookie\w*|consent|subscribe|newsletter|unsubscribe|feedback|survey"
    r"|adclick|aclk|ads?|adserver|banners?|click|redirect|out|go|track)(?:[/.?_-]|$)|doubleclick|googleadservices|taboola|outbrain|sharer\.php|mailto:|cdn-cgi",
    re.IGNORECASE,
)
_MENU_WORDS = 4
_BUILD = re.compile(r"/(?=[0-9a-f]{0,64}\d)(?=[0-9a-f]{0,64}[a-f])[0-9a-f]{7,64}(?=/|$)")
_ROTATING_TYPES = ("article", "product", "documentation", "service", "job", "video", "forum")


def compare_links(before: Side, after: Side) -> tuple[LinkChange, list[TrivialDifference]]:
    """Which links are new, gone or lead elsewhere, and which of that matters."""
    old, new = _by_identity(before), _by_identity(after)
    went = [link for key, link in old.items() if key not in new and _counts(link, before)]
    came = [link for key, link in new.items() if key not in old and _counts(link, after)]
    rebuilt: list[str] = []
    moves = _retargeted(went, came, rebuilt)
    done = {move.before for move in moves} | {move.url for move in moves} | {*rebuilt}
    went = [link for link in went if link.url not in done]
    came = [link for link in came if link.url not in done]
    kept, noise = _judge(went, came, before, after)
    moves += kept
    return LinkChange(moves=tuple(moves), changed=bool(moves)), noise


def _by_identity(side: Side) -> dict[str, Link]:
    found: dict[str, Link] = {}
    for link in side.document.links:
        found.setdefault(link_identity(link.url), link)
    return found


def _counts(link: Link, side: Side) -> bool:
    """Whether a link is of the page, and not of its machinery or of suggestions."""
    if "sponsored" in link.rel or _SERVICE.search(link.url):
        return False
    if link.text and chrome_kind(link.text) in ("account", "sharing", "advertisement", "consent"):
        return False
    text = " ".join(link.text.split())
    return not (text and any(line.endswith(text) for line in side.suggestions))


def _blanked(url: str) -> str:
    """An address without the names of commits and builds in its path."""
    return _BUILD.sub("/*", link_identity(url))


def _retargeted(went: list[Link], came: list[Link], noise: list[str]) -> list[LinkMove]:
    """Links with the same words that lead elsewhere; to ``noise``, those of another build."""
    places: dict[tuple[str, str], list[Link]] = {}
    for link in came:
        if link.text:
            places.setdefault((link.text, link.region), []).append(link)
    moves: list[LinkMove] = []
    for link in went:
        found = places.get((link.text, link.region), [])
        if found and link.text:
            target = found.pop(0)
            if link.region != "content" and _blanked(link.url) == _blanked(target.url):
                noise.append(target.url)
                noise.append(link.url)
                continue
            moves.append(_move("retargeted", target, before=link.url))
    return moves


def _move(operation: str, link: Link, *, before: str = "") -> LinkMove:
    return LinkMove(
        operation=operation,  # type: ignore[arg-type]
        url=link.url,
        text=link.text,
        region=link.region,
        internal=link.internal,
        before=before,
    )


def _judge(
    went: list[Link], came: list[Link], before: Side, after: Side
) -> tuple[list[LinkMove], list[TrivialDifference]]:
    kept: list[LinkMove] = []
    noise: list[TrivialDifference] = []
    for region in ("content", "pagination", "navigation", "footer"):
        gone = [link for link in went if link.region == region]
        new = [link for link in came if link.region == region]
        if not gone and not new:
            continue
        if _matters(region, gone, new, before, after):
            kept += [_move("removed", link) for link in gone] + [
                _move("added", link) for link in new
            ]
        else:
            noise += [_trivial(link, gone=True) for link in gone]
            noise += [_trivial(link, gone=False) for link in new]
    return kept, noise


def _matters(region: str, gone: list[Link], new: list[Link], before: Side, after: Side) -> bool:
    if region == "pagination":
        return True
    if region == "content":
        return not (gone and new and _are_suggestions(gone, new, before, after))
    if gone and new:  # what takes each other's places in a menu or a side box
        return False
    return all(_is_menu_entry(link) for link in [*gone, *new])


def _is_menu_entry(link: Link) -> bool:
    words = link.text.split()
    return link.internal and 1 <= len(words) <= _MENU_WORDS and not any(w.isdigit() for w in words)


def _are_suggestions(gone: list[Link], new: list[Link], before: Side, after: Side) -> bool:
    """Whether links that stand in lines of their own take each other's places beside an article."""
    if (
        after.document.page_type not in _ROTATING_TYPES
        or before.document.page_type not in _ROTATING_TYPES
    ):
        return False
    if min(before.link_share, after.link_share) > 0.4:
        return False
    old_lines, new_lines = frozenset(before.lines), frozenset(after.lines)
    return _all_lines(gone, old_lines) and _all_lines(new, new_lines)


def _all_lines(links: Iterable[Link], lines: frozenset[str]) -> bool:
    return all(" ".join(link.text.split()) in lines or not link.text for link in links)


def _trivial(link: Link, *, gone: bool) -> TrivialDifference:
    shown = f"{link.text} <{link.url}>"[:200]
    return TrivialDifference(
        field="links", kind="rotating", before=shown if gone else "", after="" if gone else shown
    )

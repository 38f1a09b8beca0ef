"""Compare links: added, removed or changed, by region."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from pageloom.core.compare import vocabulary
from pageloom.core.compare.chrome import chrome_kind
from pageloom.core.compare.identity import MIRROR, link_identity
from pageloom.core.compare.report import LinkChange, LinkMove, TrivialDifference
from pageloom.core.volatile import text_mark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.compare.page import Side
    from pageloom.model import Link

_SERVICE = re.compile(
    r"/(?:log-?(?:in|out)|sign-?(?:in|up|out)|register|account|my-?account|profile|cart|basket|checkout|wishlist|bag|sessions?|auth|sso|oauth|share|sharer|intent|print|cookie\w*|consent|subscribe|newsletter|unsubscribe|feedback|survey"
    r"|adclick|aclk|ads?|adserver|banners?|click|redirect|out|go|track)(?:[/.?_-]|$)|doubleclick|googleadservices|taboola|outbrain|sharer\.php|mailto:|cdn-cgi",
    re.IGNORECASE,
)
_SIGNING = re.compile(
    r"(?:/|user|:)(?:log-?in|sign-?in|sign-?up|register|join|createaccount)(?:[/.?&_-]|$)",
    re.IGNORECASE,
)
_MENU_WORDS = 4
_MOST_OF_VISITOR = 4
_BUILD = re.compile(r"/(?=[0-9a-f]{0,64}\d)(?=[0-9a-f]{0,64}[a-f])[0-9a-f]{7,64}(?=/|$)")
_CALLS = frozenset(vocabulary.CALLS.split("|"))
"""First words of links that call upon a visitor, as promotions do and menus rarely."""
_HANDLE = re.compile(r"(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[A-Za-z])[\w-]{3,40}")
_CHOOSING = re.compile(
    r"id|p|pid|q|s|v|f|no|nr|query|search|page|paged|cat|category|product|item|article|sku|version|ver|lang"
    r"|locale|year|month|date|day|week|tab|view|sort|filter|type|topic|size|colou?r|start|offset|plan|file"
    r"|doc|name|code|issue|edition|num|number|section|chapter|season|round|event|job|model"
    r"|(?:product|item|article|post|page|doc|event|job|cat|topic|thread|file|node|content|story)_?id",
    re.IGNORECASE,
)
"""Names of parameters that choose what a page shows."""
_ROTATING_TYPES = ("article", "product", "documentation", "service", "job", "video", "forum")

_AROUND = ("navigation", "footer")
_FEWEST_AROUND = 4
_MOST_LOOKED_AT = 200
"""Links whose words are looked for in the text: so many are hidden or shown one by one."""
_MOST_SHARED = 0.5
_ONE_OF_MANY = ("article", "product", "job", "video", "forum")


def compare_links(before: Side, after: Side) -> tuple[LinkChange, list[TrivialDifference]]:
    """Which links are new, gone or lead elsewhere, and which of that matters."""
    old, new = _by_identity(before), _by_identity(after)
    gone = [link for key, link in old.items() if key not in new]
    fresh = [link for key, link in new.items() if key not in old]
    went = [link for link in gone if _counts(link, before)]
    came = [link for link in fresh if _counts(link, after)]
    if _are_of_visitor(went, came, gone, fresh):
        went = came = []
    if _is_redesigned(old, new):
        went = [link for link in went if link.region not in _AROUND]
        came = [link for link in came if link.region not in _AROUND]
    rebuilt: list[str] = []
    tokens = _rotating_tokens(went, came)
    moves = _retargeted(went, came, rebuilt, tokens)
    done = {move.before for move in moves} | {move.url for move in moves} | {*rebuilt}
    went = [link for link in went if link.url not in done]
    came = [link for link in came if link.url not in done]
    if bool(went) != bool(came):
        came, went = _without_exchanged(came, gone), _without_exchanged(went, fresh)
    kept, noise = _judge(went, came, before, after)
    moves += [
        move
        for number, move in enumerate(kept)
        if number >= _MOST_LOOKED_AT or not _is_fleeting(move, before, after)
    ]
    return LinkChange(moves=tuple(moves), changed=bool(moves)), noise


def _without_exchanged(links: list[Link], others: list[Link]) -> list[Link]:
    """Without the only link of a menu that stands where one of the site's machinery does or did."""
    around = [link for link in links if link.region in _AROUND]
    if len(around) != 1 or not any(
        link.region == around[0].region and _SERVICE.search(link.url) for link in others
    ):
        return links
    return [link for link in links if link is not around[0]]


def _is_fleeting(move: LinkMove, before: Side, after: Side) -> bool:
    """Whether a link that came or went stands only in what changes by itself."""
    side = before if move.operation == "removed" else after
    if not move.text or move.region != "content":
        return False
    return side.only_fleeting(" ".join(move.text.split()))


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
    mark = text_mark(text)
    if mark in side.boxed or mark in side.announced:
        return False
    return not (text and any(line.endswith(text) for line in side.suggestions))


def _are_of_visitor(
    went: list[Link], came: list[Link], gone: list[Link], fresh: list[Link]
) -> bool:
    """Whether links took the place of ``Log in``: the name of whoever has done so, and the like."""
    if bool(went) == bool(came) or len(went) + len(came) > _MOST_OF_VISITOR:
        return False
    others = gone if came else fresh
    return all(link.region == "navigation" for link in went + came) and any(map(_signs_in, others))


def _signs_in(link: Link) -> bool:
    return bool(_SIGNING.search(link.url)) or chrome_kind(link.text) == "account"


def _is_redesigned(old: dict[str, Link], new: dict[str, Link]) -> bool:
    """Whether half of what stands around the content is another: a site made anew."""
    before = {key for key, link in old.items() if link.region in _AROUND}
    after = {key for key, link in new.items() if link.region in _AROUND}
    fewest = min(len(before), len(after))
    return fewest >= _FEWEST_AROUND and len(before & after) <= _MOST_SHARED * fewest


def _rotating_tokens(went: list[Link], came: list[Link]) -> frozenset[str]:
    """Names of parameters that had one value in several links and have another in all of them."""
    old, new = _shared_values(went), _shared_values(came)
    return frozenset(name for name in old.keys() & new.keys() if old[name] != new[name])


def _shared_values(links: list[Link]) -> dict[str, str]:
    values: dict[str, list[str]] = {}
    for link in links:
        for pair in link.url.partition("?")[2].partition("#")[0].split("&"):
            name, _, value = pair.partition("=")
            values.setdefault(name, []).append(value)
    return {
        name: found[0] for name, found in values.items() if len(found) > 1 and len({*found}) == 1
    }


def _without(url: str, names: frozenset[str]) -> str:
    """A URL without some of its parameters, and without the names of builds in its path."""
    identity = _BUILD.sub("/*", link_identity(url))
    path, _, query = identity.partition("?")
    path = MIRROR.sub(r"\1*.", path)
    return f"{path}?{'&'.join(p for p in query.split('&') if p.partition('=')[0] not in names)}"


def _retargeted(
    went: list[Link], came: list[Link], noise: list[str], tokens: frozenset[str]
) -> list[LinkMove]:
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
            same = _without(link.url, tokens) == _without(target.url, tokens)
            mirrored = same and MIRROR.match(link_identity(link.url))
            aside = link.region not in ("content", "pagination")
            tagged = _differ_in_tags(link.url, target.url, aside=aside)
            if (
                tagged
                or mirrored
                or (same and (tokens or aside))
                or (aside and _is_promotion(link, target))
            ):
                noise.append(target.url)
                noise.append(link.url)
                continue
            moves.append(_move("retargeted", target, before=link.url))
    return moves


def _is_promotion(link: Link, target: Link) -> bool:
    """Whether a link beside the content calls to another offer, or is only tagged anew."""
    words = link.text.split()
    calls = bool(words) and words[0].casefold() in _CALLS
    return (calls and link.internal == target.internal) or _differ_in_handles(link.url, target.url)


def _differ_in_tags(one: str, two: str, *, aside: bool) -> bool:
    """Whether URLs of one path differ only in parameters that choose nothing.

    Beside the content a link with the same words leads to the same page, whatever else it carries.
    """
    path, _, query = link_identity(one).partition("?")
    other_path, _, other_query = link_identity(two).partition("?")
    changed = {*query.split("&")} ^ {*other_query.split("&")}
    names = {pair.partition("=")[0] for pair in changed if pair}
    return path == other_path and (aside or not any(_CHOOSING.fullmatch(name) for name in names))


def _differ_in_handles(one: str, two: str) -> bool:
    """Whether URLs differ only in parameters whose values mix letters and digits."""
    path, _, query = link_identity(one).partition("?")
    other_path, _, other_query = link_identity(two).partition("?")
    changed = {*query.split("&")} ^ {*other_query.split("&")}
    names = Counter(pair.partition("=")[0] for pair in changed)
    return (
        path == other_path
        and all(count == 2 for count in names.values())
        and all(_HANDLE.fullmatch(pair.partition("=")[2]) for pair in changed)
    )


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
    links = [(link, before) for link in gone] + [(link, after) for link in new]
    return all(
        _is_menu_entry(link) and not _is_sibling(link, side) and not _is_crumb(link, side)
        for link, side in links
    )


def _is_crumb(link: Link, side: Side) -> bool:
    """Whether a link leads to a part of the site that the page lies in."""
    place = link_identity(side.document.url).partition("?")[0]
    return place.startswith(link_identity(link.url).partition("?")[0].rstrip("/") + "/")


def _is_sibling(link: Link, side: Side) -> bool:
    """Whether a link leads from one of many products or stories to the next, as no menu does."""
    document = side.document
    folder, _, name = link_identity(document.url).partition("?")[0].rpartition("/")
    own, _, other = link_identity(link.url).partition("?")[0].rpartition("/")
    return document.page_type in _ONE_OF_MANY and folder == own and "/" in folder and name != other


def _is_menu_entry(link: Link) -> bool:
    words = link.text.split()
    if not link.internal or len(words) > _MENU_WORDS or any(word.isdigit() for word in words):
        return False
    return bool(words) and not (len(words) > 1 and words[0].casefold() in _CALLS)


def _are_suggestions(gone: list[Link], new: list[Link], before: Side, after: Side) -> bool:
    """Whether links that stand in lines of their own take each other's places beside an article."""
    if (
        after.document.page_type not in _ROTATING_TYPES
        or before.document.page_type not in _ROTATING_TYPES
    ):
        return False
    if min(before.link_share, after.link_share) > 0.4:
        return False
    return _stand_alone(gone, before) and _stand_alone(new, after)


def _stand_alone(links: Iterable[Link], side: Side) -> bool:
    """Whether each link has a line of its own, or stands outside of the text."""
    lines = frozenset(side.lines)
    texts = [" ".join(link.text.split()) for link in islice(links, _MOST_LOOKED_AT)]
    return all(text in lines or text not in side.flat_text for text in texts if text)


def _trivial(link: Link, *, gone: bool) -> TrivialDifference:
    shown = f"{link.text} <{link.url}>"[:200]
    return TrivialDifference(
        field="links", kind="rotating", before=shown if gone else "", after="" if gone else shown
    )

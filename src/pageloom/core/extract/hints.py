"""What class names say a part of a page is for: an advert, a counter, a clock, a tip of the day.

Whoever makes a page gives names to its parts, in English on sites of any language. For comparing
two visits such a name is evidence, and no more than that.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from pageloom.core.dom import Element
from pageloom.core.extract.vocabulary import FLEETING_WORDS, NAME_LENGTH, name_words
from pageloom.core.memoize import memoize
from pageloom.core.non_ascii import has_digit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.dom import Text
    from pageloom.core.extract.blocks import BlockPage

_MOST_PARTS: Final = 40
_LONGEST_FIGURE: Final = 40
_OF_DAY: Final = (
    "tip|quote|fact|word|photo|picture|image|deal|joke|verse|thought|question|recipe|poll"
)
_THINGS: Final = (
    "view|like|share|comment|repl(?:y|ie)|vote|upvote|download|follower|subscriber|visitor|visit"
    "|hit|read|reader|play|listener|install|star|fork|watcher|reaction|clap|repost"
    "|favou?rite|save|bookmark|bid|click|impression|page-?view|viewer|answer|post|topic|helpful"
)
_TAKEN_BACK: Final = "nothing"
_NAMES: Final = {
    _TAKEN_BACK: (
        "price|prices|stock|availability|qty|quantity|sku|icon|fa|input|error|hours|opening"
    ),
    "related": (
        "related|relatedposts|recirc|recirculation|recommended|recommendations?|suggested|similar"
        "|suggestions?|also-(?:like|liked|bought|viewed|read)|you-(?:may|might)|up-?sells?"
        "|cross-?sells?|recently-viewed|most-(?:read|viewed|popular|shared)|mostread|read-next"
        "|up-next|more-(?:stories|from|like)|keep-reading"
    ),
    "advert": (
        "taboola|outbrain|sponsor(?:ed|s)?|advert(?:s|isement)?|adsbygoogle"
        "|ad-(?:slot|unit|box|wrap|banner|creative)|house-ad|promos?"
        "|promo-(?:box|bar|banner|strip|tile)"
    ),
    "daily": (
        f"(?:{_OF_DAY})s?-of(?:-the)?-(?:day|week|month)|(?:daily|random)-(?:{_OF_DAY})s?"
        "|did-you-know"
    ),
    "praise": (
        "testimonials?|kudos|logos|logo-(?:wall|strip|cloud|grid|bar|row|list)|trusted-by"
        "|as-seen-(?:in|on)|social-proof"
    ),
    "poll": "polls?",
    "social": "tweets?|instagram",
    "ticker": "ticker|marquee",
    "announcement": (
        "announcement-?(?:bar|banner|strip)|hello-?bar|(?:site|global|top)-?(?:banner|notice)"
        "|top-?(?:line|strip|bar)|(?:notification|alert|notice)-?bar"
    ),
    "sliding": "carousel|slider|slideshow|popular|trending|latest",
    "consent": "cookies?|consent|gdpr",
    "newsletter": "newsletter",
    "share": (
        "share-(?:bar|buttons?|box|this)|sharing|social-(?:share|links?|buttons?|bar)|follow-us"
    ),
    "account": (
        "greeting|user-?box|account|log-?in|sign-?in|mini-?cart|cart-count|loyalty"
        "|geo(?:ip)?|deliver-to|ship-to"
    ),
    "popup": (
        "pop-?up|toast|snackbar|chat-(?:bubble|widget|box)|chatbot|survey|app-banner|smart-?banner"
    ),
    "machine": "debug|render-time|build-info|request-id|trace-id|session-id",
    "presence": ("presence|online-(?:list|users|now)|users-online|who-?is-?online|whos-?online"),
    "counter": (
        f"[a-z]+-(?:counts?|counter)|(?:{_THINGS})s?-(?:number|num|total|stats?)"
        f"|(?:count|counter|num|total)-(?:{_THINGS})s?|(?:{_THINGS})s|hit-?counter"
        "|visitor-?counter|watching|in-carts?|odometer"
        "|(?:live|visitor|user|access)-?(?:count|counter)"
    ),
    "moment": (
        "time-?ago|relative-?time|last-(?:updated?|modified|refresh(?:ed)?|checked|synced|seen)"
        "|date-modified|updated|updated-at|modified|refreshed|count-?down|local-time|clock|today"
        "|current-(?:time|date)"
    ),
    "weather": "weather|wx|forecast|current-temp(?:erature)?",
}
"""Words of names, by what they say; the first line takes back what the others say."""
_KINDS: Final = tuple(
    (kind, re.compile(f"(?:^|-)(?:{words})(?:-|$)")) for kind, words in _NAMES.items()
)
_TELLING: Final = FLEETING_WORDS.union(_NAMES[_TAKEN_BACK].split("|"))
"""Words of which one is in whatever these patterns find."""
_FIGURE: Final = re.compile(r"[+~]?\d[\d.,\u202f\u00a0 ]{0,14}\s?[kKmM]?\+?")
_CLOCK: Final = re.compile(
    r"[^\d:–-]{0,24}\d{1,2}[:.]\d\d(?:[:.]\d\d)?\s?(?:[ap]\.?m\.?|uhr|h|[A-Z]{2,5})?\W{0,2}",
    re.IGNORECASE,
)
_DEGREES: Final = re.compile(r"\d\s?[°º℃℉]")


def named_parts(page: BlockPage, place: int) -> Iterator[str]:
    """Texts of the inline elements of a block that are named so, outermost first."""
    owner = page.holders.elements[page.blocks.owners[place]]
    outermost: dict[Element, Element | None] = {owner: None}
    texts: dict[Element, list[str]] = {}
    for node in page.blocks.nodes[place]:
        named = _outermost_named(node, outermost)
        if named is not None:
            texts.setdefault(named, []).append(node.data)
    for element, pieces in islice(texts.items(), _MOST_PARTS):
        text = " ".join("".join(pieces).split())
        if text != page.blocks.texts[place] and _fits(kind_of_name(_name(element)), text):
            yield text


def _outermost_named(node: Text, known: dict[Element, Element | None]) -> Element | None:
    """The outermost element around a node that is named so, below those already known."""
    way: list[Element] = []
    named = None
    for element in node.ancestors:
        if not isinstance(element, Element):
            break
        if element in known:
            named = known[element]
            break
        way.append(element)
    for element in reversed(way):
        if named is None and kind_of_name(_name(element)):
            named = element
        known[element] = named
    return named


def _name(element: Element) -> str:
    attributes = element.attrs  # asked whether one is there, they answer faster than asked for it
    name = (element.attr("class") or "") if "class" in attributes else ""
    return f"{name} {element.attr('id') or ''}" if "id" in attributes else name


@memoize(4_096)
def kind_of_name(name: str) -> str:
    """What the classes and the id of an element say it is for, or nothing."""
    found = ""
    for part in name[:NAME_LENGTH].split():
        kind = _kind_of_one(part)
        if kind == _TAKEN_BACK:
            return ""
        found = found or kind
    return found


@memoize(8_192)
def _kind_of_one(name: str) -> str:
    """The same of one class or id, which many names have in common."""
    words = name_words(name)
    if _TELLING.isdisjoint(words):
        return ""
    joined = "-".join(words)
    return next((kind for kind, pattern in _KINDS if pattern.search(joined)), "")


def _fits(kind: str, text: str) -> bool:
    """Whether a text looks like what its name says."""
    if len(text) > _LONGEST_FIGURE or "€" in text or "$" in text or "£" in text:
        return False
    if kind == "counter":
        return len(_FIGURE.findall(text)) == 1 and text.count(" ") <= 3
    if kind == "moment":
        return _CLOCK.fullmatch(text) is not None or (
            has_digit(text) and not re.search(r"\d\s?[–-]\s?\d", text)
        )
    return kind == "weather" and _DEGREES.search(text) is not None

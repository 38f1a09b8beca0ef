"""Choose the title from the claims, and remove the site's name from it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.memoize import memoize
from pageloom.core.non_ascii import only_alnum
from pageloom.core.normalize.text import clean_text, fold_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.parts import Claim

_SPLIT = re.compile(
    r"[\s|\uff5c\u2502\u00bb\u203a](?:(?<=\S)\s*|(?<=\s)\s*"
    r"(?:[|\u2022\u00b7\u2013\u2014\u00bb\u00ab\u203a\u2039\u2502\uff5c\u2010\u2212/\\~]+\s+|-{1,2}\s+"
    r"|[|\uff5c\u2502\u00bb\u203a]\s*))"
)
"""A few marks part a title anywhere, more of them with space on both sides.

The pattern begins with the characters that a mark or the space before it may be, so that the search
passes over all others.
"""
_DIVIDERS = frozenset("|•·–—»«›‹│｜‐−/\\~-")
"""The marks of _SPLIT."""
_STRONG = re.compile(r"\s+[|\u2022\u00b7\u00bb\u00ab\u203a\u2039\u2502\uff5c]\s+|\s*[|\uff5c]\s*")
_DOMAIN_END = re.compile(
    r"\.(?:com|org|net|co\.uk|de|fr|io|info|at|ch|eu|it|es|nl|pl|us|tv|news|blog)$"
)
_WORDS = re.compile(r"\w\w+")
MAX_HEADLINE = 200
_LONGEST = 600
_SIMILAR = 0.5
_SHARE = 0.25
_DECLARED = ("title", "meta[og:title]", "meta[twitter:title]")
_FEED = "source:feed"
_STRUCTURED = ("json-ld", "microdata", "rdfa")


def _squashed(names: tuple[str, ...]) -> set[str]:
    return {_squash(name) for name in names if name}


def _folded(headings: tuple[str, ...]) -> set[str]:
    return {fold_text(heading) for heading in headings if heading}


def _cut_site(title: str, names: set[str], known: set[str]) -> str:
    """A title without the site's name before or after it: "Rain again | Daily Cloud".

    Cut off is only what is the site's name or domain, or what a heading does not have.
    """
    text = clean_text(title[:_LONGEST])
    for _ in range(3):
        shorter = _cut_once(text, names, known)
        if shorter == text:
            break
        text = shorter
    return text


def _cut_once(text: str, names: set[str], known: set[str]) -> str:
    cuts = [] if _DIVIDERS.isdisjoint(text) else list(_SPLIT.finditer(text))
    if "«" in text or "‹" in text:
        cuts = [cut for cut in cuts if not _is_quote(text, cut)]
    for cut in cuts if known else ():
        head, tail = text[: cut.start()].strip(), text[cut.end() :].strip()
        for part in (head, tail):
            if len(part) > 3 and fold_text(part) in known:
                return part
    for cut in (cuts[-1:] + cuts[:1]) if cuts else ():
        head, tail = text[: cut.start()].strip(), text[cut.end() :].strip()
        if len(head) > 2 and (is_site_name(tail, names) or _is_longer_name(tail, names)):
            return head
        if len(tail) > 2 and cut is cuts[0] and is_site_name(head, names):
            return tail
    return text


def _is_quote(text: str, cut: re.Match[str]) -> bool:
    """Whether a sign opens or closes a quotation: the other one stands after or before it."""
    for opening, closing in ("«»", "‹›"):
        if opening in cut[0] and closing in text[cut.end() :]:
            return True
        before = text[: cut.start()]
        if closing in cut[0] and before.count(opening) > before.count(closing):
            return True
    return False


def is_site_name(text: str, names: set[str]) -> bool:
    """Whether a piece of a title is the site's name, or a shorter form of it."""
    squashed = _squash(text)
    if not squashed or squashed in names:
        return True
    if len(text.split()) > 6 or len(squashed) < 4:
        return False
    return any(name.startswith(squashed) or name.endswith(squashed) for name in names)


def _is_longer_name(tail: str, names: set[str]) -> bool:
    """Whether the end of a title is the site's name and one word more: ``Daily Cloud Online``."""
    words = tail.split()
    return (
        len(words) > 1
        and len(_squash(first := " ".join(words[:-1]))) > 2
        and (_squash(first) in names)
    )


def _is_exactly_site(text: str, names: set[str]) -> bool:
    return _squash(text) in names


@memoize(256)
def _squash(text: str) -> str:
    """A name for comparing: letters and digits only, without ``the`` and a domain's ending."""
    folded = fold_text(text)
    if folded.startswith(("www.", "the ")):
        folded = folded[4:]
    return only_alnum(_DOMAIN_END.sub("", folded) if "." in folded else folded)


def split_site(title: str) -> str:
    """The last part of a ``<title>``, usually the site's name; empty when it has one part."""
    parts = _STRONG.split(clean_text(title))
    if len(parts) < 2:
        parts = re.split(r"\s[-\u2013\u2014]\s", clean_text(title))
    tail = parts[-1].strip() if len(parts) > 1 else ""
    return tail if 0 < len(tail) <= 40 and len(tail.split()) <= 5 else ""


def occurs_in(heading: str, titles: tuple[str, ...]) -> bool:
    """Whether a heading stands inside one of the declared titles."""
    folded = fold_text(heading)
    return len(folded) > 2 and any(folded in fold_text(title) for title in titles)


def choose_title(
    claims: list[Claim],
    page_claims: list[Claim],
    site_names: tuple[str, ...],
    page_type: str = "other",
) -> tuple[str, str, str]:
    """The page's title, its source, and the claim as it was made; empty when it has none.

    A visible h1 that a declared title or the structured headline repeats, or nearly repeats,
    is what the reader takes for the title; only then comes the cascade of declarations.
    """
    squashed = _squashed(site_names)
    found = (clean_text(claim.value) for claim in claims if claim.source in ("h1", "h2"))
    headings = tuple(heading for heading in found if not _is_exactly_site(heading, squashed))
    known = _folded(headings)
    stated = _stated(claims, squashed, known)
    declared = any(claim.source in _DECLARED for claim in (*claims, *page_claims))
    for claim in _in_order(claims, page_claims, stated, squashed, page_type):
        if declared and claim.source in ("h2", "h3"):
            break  # a front page is called what its site is called, not after its first section
        if claim.source == _FEED:
            return _without_channel(claim.value, site_names[0]), claim.source, claim.value
        value = _cut_site(claim.value, squashed, known if claim.source in _DECLARED else set())
        if value and not _is_exactly_site(value, squashed):
            if claim.source == "h1":
                value = _without_extras(value, stated, claims)
            return value, claim.source, claim.value
    for claim in _in_order(claims, page_claims, stated, squashed, page_type):
        if claim.source in ("meta[og:title]", "title", "h1"):
            return clean_text(claim.value), claim.source, claim.value
    return "", "", ""


def _without_channel(title: str, channel: str) -> str:
    """The title of an item of a feed, without the whole title of the feed at its end."""
    text = clean_text(title[:_LONGEST])
    cuts = [] if _DIVIDERS.isdisjoint(text) else list(_SPLIT.finditer(text))
    for cut in cuts:
        if _squash(text[cut.end() :]) == _squash(channel) and len(text[: cut.start()].strip()) > 2:
            return text[: cut.start()].strip()
    return text


def _stated(claims: list[Claim], names: set[str], known: set[str]) -> tuple[str, ...]:
    """The declared and structured titles without the site's name, each once."""
    order = (*_STRUCTURED, *_DECLARED[1:], _DECLARED[0])
    found = [claim.value for source in order for claim in claims if claim.source == source]
    return tuple(dict.fromkeys(_cut_site(title, names, known) for title in dict.fromkeys(found)))


def _without_extras(value: str, stated: tuple[str, ...], claims: list[Claim]) -> str:
    """A heading without the kicker, labels and counters that no stated title has."""
    folded = fold_text(value)
    if any(folded == fold_text(title) for title in stated):
        return value
    for title in stated:
        short = fold_text(title)
        if (
            short in folded
            and len(short) + 4 < len(folded)
            and len(short) > 0.4 * len(folded)
            and len(short.split()) > 1
            and not _is_cut_off(short, folded)
        ):
            return title
    parts = [
        clean_text(claim.value)
        for claim in claims
        if claim.source == "part of h1" and claim.value in value
    ]
    whole = [
        part
        for part in parts
        if len(part) > 0.4 * len(value) and occurs_in(part, stated) and not occurs_in(value, stated)
    ]
    return max(whole, key=len, default=value)


def _is_cut_off(short: str, whole: str) -> bool:
    """Whether a title ends inside a word of the heading, as those do that are made to fit."""
    end = whole.find(short) + len(short)
    return short[-1].isalnum() and whole[end : end + 1].isalnum()


def _in_order(
    claims: list[Claim],
    page_claims: list[Claim],
    stated: tuple[str, ...],
    sites: set[str],
    page_type: str,
) -> Iterator[Claim]:
    """The claims as the cascade wants them; mostly the first few are enough."""
    yield from (claim for claim in claims if claim.source.startswith(("rule", "source:")))
    by_source: dict[str, list[Claim]] = {}
    for claim in claims:
        by_source.setdefault(claim.source, []).append(claim)
    heads = [claim for claim in by_source.get("h1", ()) if _is_headline(claim.value, sites)]
    yield from _echoed(heads, stated)
    yield from _similar(heads, stated)
    structured = [claim for source in _STRUCTURED for claim in by_source.get(source, ())]
    if page_type in ("article", "forum") and len(heads) == 1 and len(heads[0].value.split()) >= 3:
        yield from (*structured, *heads)
    yield from structured
    for source in ("meta[og:title]", "meta[twitter:title]", "title"):
        yield from by_source.get(source, ())
    yield from (claim for claim in claims if claim.source.startswith("meta["))
    for source in ("h1", "h2", "h3"):
        yield from by_source.get(source, ())
    yield from page_claims


def _is_headline(text: str, sites: set[str]) -> bool:
    return 2 < len(text) <= MAX_HEADLINE and not _is_exactly_site(text, sites)


def _echoed(heads: list[Claim], stated: tuple[str, ...]) -> list[Claim]:
    """Headings that make up a good part of a stated title, the longest first."""
    good = [
        claim
        for claim in heads
        if any(
            fold_text(claim.value) in fold_text(title) and len(claim.value) > _SHARE * len(title)
            for title in stated
        )
    ]
    return sorted(good, key=lambda claim: -len(claim.value))


def _similar(heads: list[Claim], stated: tuple[str, ...]) -> list[Claim]:
    """Headings that share most of their words with a stated title, the most similar first."""
    scored = [
        (max((likeness(claim.value, title) for title in stated), default=0.0), claim)
        for claim in heads
    ]
    return [claim for score, claim in sorted(scored, key=lambda pair: -pair[0]) if score > _SIMILAR]


def likeness(one: str, other: str) -> float:
    """The share of the shorter text's words that the other has; 0 when they share one word only."""
    first, second = set(_WORDS.findall(fold_text(one))), set(_WORDS.findall(fold_text(other)))
    shared = len(first & second)
    return shared / min(len(first), len(second)) if shared > 1 else 0.0

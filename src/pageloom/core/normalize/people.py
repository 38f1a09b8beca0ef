"""Choose the authors of a page from the claims."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.lazy_regex import lazy_regex
from pageloom.core.non_ascii import only_alnum
from pageloom.core.normalize.names import (
    DIGIT,
    MAX_AUTHORS,
    is_name,
    is_role,
    joined_lines,
    names_of_line,
    read_names,
)
from pageloom.core.normalize.parse_dates import UPDATED
from pageloom.core.normalize.text import fold_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pageloom.core.parts import Claim

_RANKS = {
    "json-ld": 0,
    "meta[author]": 1.5,
    "meta[dc.creator]": 1.5,
    "meta[dcterms.creator]": 1.5,
    "microdata": 2,
    "rdfa": 2,
    "rel[author]": 3,
    "itemprop[author]": 3,
    "byline": 4,
    "far byline": 6,
}
"""Metas that are not named here come after JSON-LD; ``author`` is often whoever owns the site."""
_GUESSED = 3
_LABELS = (
    "by|von|par|por|door|av|af|written by|posted by|started by|this (?:post|article) was"
    " written by|interview|text von|verfasst von|geschrieben von|ein beitrag von|author|autor"
    "|autorin|auteur|от|автор"
    "|著者|取材|取材・文|文・取材|文|執筆|記者|作者"
    "|tekst|text|oleh|escribe|escrito por|publié par|écrit par|a cura di"
)
_BY = lazy_regex(rf"^(?:{_LABELS})(?:\(\w{{1,3}}\))?(?:\s?[:：＝/／]\s*|\s+|$)", re.IGNORECASE)
_BY_FIRST = frozenset(label[:2] for label in _LABELS.split("|"))
"""The letters that a label begins with, which most texts do not."""
_OF_SITES = re.compile(r"^(?:www\.|the\s)|\.(?:com|org|net|de|at|ch|fr|es|it|co\.uk|io)$")
_NO_START = re.compile(r"\d|\W*\w+[!?…]|[A-Z]{2,}$")
"""What a name after ``By`` in running text does not look like: a number, an outcry, a keyword."""
_DECLARED = ("json-ld", "microdata", "meta[", "rule", "source:")
_SIGNED_TYPES = frozenset(("article", "forum", "other"))
"""Where the site itself may sign as the author."""
_BYLESS_TYPES = frozenset(("product", "listing", "collection", "service"))


_STORIES = 2
"""With more bylines than this, a page whose type is not certain lists the stories of others."""

_LONGEST_BYLINE = 120
_Named = tuple[list[str], str, str]
_Chosen = tuple[tuple[str, ...], str, str]
_BODIES = re.compile(
    r"\b(?:e\.\s?v|gmbh|inc|llc|ltd|team|staff|redaktion|news|foundation|institute|university|stiftung|magazine|magazin|media|verlag|zeitung"
    r"|company|group|editors?|editorial|press|association|verband|bund|society|center|centre|clinic|online|blog|contributors?"
    r"|ag|kg|gbr|co|corp|corporation|plc|pty|s\.?a|s\.?r\.?l|medien|agency|agentur|services|solutions"
    r"|consulting|labs?|studios?|store|shop|products|union|ministerium|council|club|verein"
    r"|newsroom|news ?desk)\b",
    re.IGNORECASE,
)
"""Words of organisations: they sign where no person does."""


def choose_authors(
    claims: list[Claim],
    nearby: tuple[str, ...],
    page_type: str,
    sites: tuple[str, ...],
    owners: tuple[str, ...] = (),
    *,
    certain: bool = True,
) -> _Chosen:
    """The authors, their source and the raw claim; empty when the page names none.

    Args:
        claims: what the page says, in document order within a source.
        nearby: the texts around the headline.
        page_type: a product's reviewers and a listing's bylines are not the page's authors.
        sites: names of the site itself, which count only where nobody else is named.
        owners: whom the page calls its owner (copyright, publisher): no author beside another.
        certain: whether the type is; else a byline counts on every page, and no site signs.
    """
    own = {_letters(site) for site in sites if site}
    owning = {_letters(owner) for owner in owners if owner}
    found = list(_candidates(claims, nearby, page_type, certain=certain))
    weak: list[_Chosen] = []
    for names, source, raw in found:
        people = [name for name in names if _letters(name) not in own]
        if people and (
            page_type == "forum"
            or not all(
                _is_account(name) or _is_body(name) or _letters(name) in owning for name in people
            )
        ):
            return _completed(people, source, raw, found)
        signs = certain and page_type in _SIGNED_TYPES and source.startswith(_DECLARED)
        if (signs and names and not people) or _may_sign(people, source, certain=certain):
            weak.append((tuple(people or names), source, raw))
    return weak[0] if weak else ((), "", "")


def _may_sign(names: list[str], source: str, *, certain: bool) -> bool:
    """Whether an organisation or an account may be the author; what somebody does there is no name.

    A company in ``meta author`` owns or made the site; on a page whose type is not certain, one in
    any meta or after a "By" may have made what the page sells.
    """
    if all(map(is_role, names)) or (source == "meta[author]" and any(map(_is_body, names))):
        return False
    bare = source == "text" or source.startswith("meta[")
    return bool(names) and (certain or not bare or not any(map(_is_body, names)))


def _completed(names: list[str], source: str, raw: str, found: list[_Named]) -> _Chosen:
    """The same authors, with those whom only a longer byline names, or with their whole names."""
    known = {_letters(name) for name in names}
    for others, other_source, other_raw in found:
        if other_source == source or not all(is_name(name, strict=True) for name in others):
            continue
        more = known < {_letters(name) for name in others}
        if more or (len(others) == len(names) == 1 and others[0].startswith(f"{names[0]} ")):
            return tuple(others[:MAX_AUTHORS]), other_source, other_raw
    return tuple(names[:MAX_AUTHORS]), source, raw


def _candidates(
    claims: list[Claim], nearby: tuple[str, ...], page_type: str, *, certain: bool
) -> Iterator[_Named]:
    """What each source says, the most trusted first."""
    if not certain and page_type != "forum":
        if _lists_stories(claims, nearby):
            if page_type in _BYLESS_TYPES:
                claims = [claim for claim in claims if _rank(claim) < 1]
            page_type = "listing"
        elif page_type in _BYLESS_TYPES and _has_byline(claims):
            page_type = "other"
    rank_of = _forum_rank if page_type == "forum" else _rank
    ranked = sorted(claims, key=rank_of)
    for source in dict.fromkeys(claim.source for claim in ranked):
        same = [claim for claim in ranked if claim.source == source]
        rank = _rank(same[0])
        if rank >= _GUESSED and page_type in _BYLESS_TYPES:
            return
        if rank == 6:
            yield from _labelled(nearby, page_type)
            if len(set(_signed(claim.value for claim in same).values())) > 1:
                return
        yield _from_claims(same, rank, page_type), source, same[0].value
    yield from _labelled(nearby, page_type)


def _lists_stories(claims: list[Claim], nearby: tuple[str, ...]) -> bool:
    """Whether bylines of several authors, or many with other dates, stand on the page."""
    shown = _signed(claim.value for claim in claims if claim.source in {"rel[author]", "byline"})
    labelled = _signed(line for _, line in _labels(nearby))
    return (
        len(set(shown.values())) > _STORIES
        or len(shown) > 2 * _STORIES
        or len(set(labelled.values())) > 1
    )


def _signed(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The names in each of several bylines, where there are any."""
    short = {text for text in texts if len(text) <= _LONGEST_BYLINE}
    found = {text: tuple(_first_line(text, strict=True)) for text in short}
    return {text: names for text, names in found.items() if names}


def _has_byline(claims: list[Claim]) -> bool:
    """Whether there is one byline near the headline, and it begins as bylines do."""
    texts = {claim.value for claim in claims if claim.source == "byline"}
    return len(texts) == 1 and all(_BY.match(text) for text in texts)


def _rank(claim: Claim) -> float:
    if claim.source.startswith(("rule", "source:")):
        return -1
    return _RANKS.get(claim.source, 1 if claim.source.startswith("meta[") else 5)


def _forum_rank(claim: Claim) -> float:
    """In a thread the name nearest the headline started it; ``itemprop`` may be a reply's."""
    return 5 if claim.source.startswith("itemprop") else _rank(claim)


def _from_claims(claims: list[Claim], rank: float, page_type: str) -> list[str]:
    """All names of a declared source; of a visible one the first claim that holds a name."""
    names: dict[str, str] = {}
    strict = rank >= 4 and page_type != "forum"
    for claim in claims:
        if rank < _GUESSED:
            found = read_names(claim.value)
        else:
            found = _first_line(claim.value, strict=strict)
        for name in found:
            names.setdefault(fold_text(name), name)
        if names and (
            rank >= 4 or (rank == _GUESSED and (page_type == "forum" or len(claims) > 4))
        ):
            break
    return list(names.values())


def _first_line(raw: str, *, strict: bool) -> list[str]:
    """The names of the first line that holds one; the line after a label may be one word."""
    lines = joined_lines(raw)
    labelled = False
    if len(raw) > 200 and lines and not _BY.match(lines[0]):
        lines = lines[:2]
    for line in lines[:8]:
        if _BY.fullmatch(line) or _BY.fullmatch(f"{line} "):
            labelled = True
            continue
        loose = not strict or labelled or bool(_BY.match(line))
        names = [name for name in names_of_line(line) if is_name(name, strict=not loose)]
        names = [name for name in names if not loose or len(name.split()) <= 5]
        if names:
            return names
        labelled = False
    return []


def _labelled(nearby: tuple[str, ...], page_type: str) -> Iterator[_Named]:
    """``By X`` near the headline, also where label and name are two texts."""
    if page_type in _BYLESS_TYPES:
        return
    labels = _labels(nearby)
    if len({line for text, line in labels if text is line}) > _STORIES:
        return  # each of several stories has its own
    for _, line in labels:
        names = [
            name
            for name in names_of_line(line)
            if is_name(name, strict=" " in name) and not _NO_START.match(name)
        ]
        if names:
            yield names, "text", line
            return


def _labels(nearby: tuple[str, ...]) -> list[tuple[str, str]]:
    """The texts that begin with ``By``, each with the line that has the names."""
    found: list[tuple[str, str]] = []
    for at, text in enumerate(nearby):
        label = _label_of(text)
        if label and not _names_editor(nearby, at):
            alone = label.end() == len(text)
            found.append((text, _spoken(nearby[at + 1 : at + 6]) if alone else text))
    return found


def _names_editor(nearby: tuple[str, ...], at: int) -> bool:
    """Whether a label goes on with ``Last updated on 3 May``: an editor is no author."""
    return nearby[at][:1].islower() and any(map(UPDATED.search, nearby[max(0, at - 2) : at]))


def _label_of(text: str) -> re.Match[str] | None:
    first = text[:2]
    if len(text) > 120 or (first.isascii() and first.lower() not in _BY_FIRST):
        return None
    return _BY.match(text)


def _spoken(rest: tuple[str, ...]) -> str:
    """The names after a label as one line: ``Ann Lee`` + ``and`` + ``Bo Ek``."""
    parts: list[str] = []
    for text in rest:
        word = fold_text(text)
        if word in (":", ""):
            continue
        joins = word in ("and", "&", "und", "et", "y", ",", "e")
        if parts and not joins and not parts[-1].endswith((" and", ",")):
            break
        parts.append(" and" if joins and word != "," else "," if joins else text)
        if len(text) > 60:
            break
    return " ".join(parts)


def _is_body(name: str) -> bool:
    """Whether a name is that of an organisation, or of what somebody does there."""
    return _BODIES.search(name) is not None or is_role(name)


def _letters(name: str) -> str:
    return only_alnum(_OF_SITES.sub("", fold_text(name)))


def _is_account(name: str) -> bool:
    """Whether a name looks like a login: one word in small letters, or with digits."""
    return " " not in name and (name.islower() or "_" in name or bool(DIGIT.search(name)))

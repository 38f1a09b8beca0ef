"""Titles: the site's name taken off, and the best of the page's claims chosen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.normalize.text import clean_text, fold_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.parts import Claim

_SPLIT = re.compile(r"\s+[|\u2022\u00b7\u2013\u2014\u00bb\u00ab\u203a\u2039\u2502\uff5c/\\~:]+\s+|\s+-{1,2}\s+|\s*[|\uff5c\u2502\u00bb\u203a]\s*|:\s+")
_STRONG = re.compile(r"\s+[|\u2022\u00b7\u00bb\u00ab\u203a\u2039\u2502\uff5c]\s+|\s*[|\uff5c]\s*")
MAX_HEADLINE = 200


def clean_title(title: str, site_names: tuple[str, ...], headings: tuple[str, ...] = ()) -> str:
    """A title without the site's name before or after it.

    The rest is cut off only where it is the site's name or domain, or where what stays repeats a heading.

    Example:
        >>> clean_title("Rain again | The Daily Cloud", ("The Daily Cloud",))
        'Rain again'
    """
    text = clean_text(title)
    names = {_squash(name) for name in site_names if name}
    known = {fold_text(heading) for heading in headings if heading}
    for _ in range(3):
        shorter = _cut_once(text, names, known)
        if shorter == text:
            break
        text = shorter
    return text


def _cut_once(text: str, names: set[str], known: set[str]) -> str:
    cuts = list(_SPLIT.finditer(text))
    for cut in cuts:
        head, tail = text[: cut.start()].strip(), text[cut.end() :].strip()
        if fold_text(head) in known and len(head) > 3 and not cut[0].startswith(":"):
            return head
        if fold_text(tail) in known and len(tail) > 3 and cut is cuts[0] and not cut[0].startswith(":"):
            return tail
    for cut in (cuts[-1:] + cuts[:1]) if cuts else ():
        head, tail = text[: cut.start()].strip(), text[cut.end() :].strip()
        if head and is_site_name(tail, names) and len(head) > 2:
            return head
        if tail and is_site_name(head, names) and len(tail) > 2 and cut is cuts[0]:
            return tail
    return text


def is_site_name(text: str, names: set[str]) -> bool:
    """Whether a piece of a title is the site's name, or a longer or shorter form of it."""
    squashed = _squash(text)
    if not squashed:
        return True
    if squashed in names:
        return True
    return any(
        len(name) > 3 and len(squashed) > 3 and (squashed.startswith(name) or name.startswith(squashed) or squashed.endswith(name))
        and len(text.split()) <= 6
        for name in names
    )


def _squash(text: str) -> str:
    """A name for comparing: letters and digits only, without ``the`` and a domain's ending."""
    folded = re.sub(r"^(?:www\.|the\s)", "", fold_text(text))
    folded = re.sub(r"\.(?:com|org|net|co\.uk|de|fr|io|info|at|ch|eu|it|es|nl|pl|us|tv|news|blog)$", "", folded)
    return "".join(char for char in folded if char.isalnum())


def split_site(title: str) -> str:
    """The last part of a ``<title>``, which is usually the site's name; empty when it has one part."""
    parts = _STRONG.split(clean_text(title))
    if len(parts) < 2:
        parts = re.split(r"\s[-\u2013\u2014]\s", clean_text(title))
    tail = parts[-1].strip() if len(parts) > 1 else ""
    return tail if 0 < len(tail) <= 40 and len(tail.split()) <= 5 else ""


def occurs_in(heading: str, titles: tuple[str, ...]) -> bool:
    """Whether a heading stands inside one of the declared titles."""
    folded = fold_text(heading)
    return len(folded) > 2 and any(folded in fold_text(title) for title in titles)


def choose_title(claims: list[Claim], page_claims: list[Claim], site_names: tuple[str, ...]) -> tuple[str, str, str]:
    """The page's title, its source, and the claim as it was made; three empty texts when it has none."""
    headings = tuple(clean_text(claim.value) for claim in claims if claim.source == "h1")
    declared = tuple(clean_text(claim.value) for claim in claims if claim.source in ("title", "meta[og:title]"))
    for claim in _in_order(claims, page_claims, declared):
        value = clean_title(claim.value, site_names, headings)
        if value and not is_site_name(value, {_squash(name) for name in site_names if name}):
            return value, claim.source, claim.value
    return next(((clean_text(claim.value), claim.source, claim.value) for claim in _in_order(claims, page_claims, declared)), ("", "", ""))


def _in_order(claims: list[Claim], page_claims: list[Claim], declared: tuple[str, ...]) -> Iterator[Claim]:
    """The claims as the cascade wants them."""
    by_source: dict[str, list[Claim]] = {}
    for claim in claims:
        by_source.setdefault(claim.source, []).append(claim)
    yield from (claim for claim in claims if claim.source.startswith(("rule", "source:")))
    for source in ("json-ld", "microdata", "rdfa"):
        yield from by_source.get(source, ())
    yield from (claim for claim in by_source.get("h1", ()) if len(claim.value) <= MAX_HEADLINE and occurs_in(claim.value, declared))
    for source in ("meta[og:title]", "meta[twitter:title]", "title"):
        yield from by_source.get(source, ())
    yield from (claim for claim in claims if claim.source.startswith("meta["))
    for source in ("h1", "h2", "h3"):
        yield from by_source.get(source, ())
    yield from page_claims

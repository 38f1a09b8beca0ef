"""Metadata claims from what a reader sees: headline, byline, times, tags."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pageloom.core.extract.survey import (
    flat_text,
    joined_text,
    texts_after,
    texts_before,
)
from pageloom.core.non_ascii import has_digit
from pageloom.core.parts import Claim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.dom import Element, Tree
    from pageloom.core.extract.survey import Place, Survey

_MAX_CLAIMS = 40
_SMALL: list[Any] = ["small", "span", "time", "em"]


def find_headline(found: Survey, titles: list[str]) -> Element | None:
    """The heading that names the page: one that a declared title repeats, else the first h1."""
    folded = [_fold(title) for title in titles if len(title) > 3]
    for name in ("h1", "h2"):
        if (element := _repeating(found, name, folded)) is not None:
            return element
    if first := found.tag("h1")[:1]:
        return first[0]
    smaller = (_repeating(found, name, folded, share=0.5) for name in ("h3", "h4", "h5", "h6"))
    return next((element for element in smaller if element is not None), None)


def _repeating(
    found: Survey, name: str, titles: list[str], *, share: float = 0.0
) -> Element | None:
    """The first heading of a level that repeats a declared title, or a share of it."""
    for element in found.tag(name)[:20]:
        text = _fold(found.heading(element))
        if len(text) > 3 and any(
            title in text or (text in title and len(text) >= share * len(title)) for title in titles
        ):
            return element
    return None


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


def nearby_texts(headline: Element | None) -> tuple[str, ...]:
    """The short texts before and after the headline, where bylines and dates stand."""
    if headline is None:
        return ()
    inside = () if headline.find(_SMALL) is None else _own_texts(headline)
    return (*texts_before(headline), *inside, *texts_after(headline))


def _own_texts(headline: Element) -> tuple[str, ...]:
    """What stands in the headline in smaller letters: a date, a section."""
    texts = (flat_text(element, 80) for element in headline.find_all(_SMALL, limit=4))
    return tuple(text for text in texts if has_digit(text))


def byline_claims(found: Survey, headline: Element | None) -> Iterator[Claim]:
    """Author claims of the visible page: ``rel=author``, ``itemprop=author`` and byline classes."""
    declared = [element for prop, element in found.props if "author" in prop.split()]
    places = [(*place, "itemprop[author]") for place in found.steps(declared, headline)]
    places += [(*place, "byline") for place in found.steps(found.kind("author"), headline)]
    places.sort(key=lambda place: (abs(place[0]), place[0]))
    kept = 0
    for steps, element, source in places:
        if kept >= _MAX_CLAIMS:
            break
        if found.is_aside(element):
            continue
        text = (
            (element.attr("content") or "") if element.tag == "meta" else joined_text(element, 300)
        )
        if text:
            kept += 1
            yield Claim(
                field="author",
                value=text,
                source=source if steps < 400 else f"far {source}",
            )


def rel_author_claims(tree: Tree, found: Survey) -> Iterator[Claim]:
    """Authors by ``rel=author``."""
    if not found.signed:
        return
    for element in tree.select('a[rel~="author"],[rel~="author"] a')[:10]:
        if not found.is_aside(element) and (text := flat_text(element, 120)):
            yield Claim(field="author", value=text, source="rel[author]")


def time_claims(found: Survey, headline: Element | None) -> Iterator[Claim]:
    """Dates of ``<time>``, ``itemprop`` and date classes, nearest the headline first."""
    for prop, element in found.props:
        for name, field in (
            ("datepublished", "published"),
            ("datecreated", "published"),
            ("datemodified", "modified"),
        ):
            if name in prop.split() and (text := _stated_date(element)):
                yield Claim(field=field, value=text, source=f"itemprop[{name}]")
    for steps, element in _nearest(found, found.tag("time"), headline):
        if found.is_aside(element) or not (text := _stated_date(element)):
            continue
        near = "" if abs(steps) < 150 else "far "
        yield Claim(field=_time_field(element), value=text, source=f"{near}time")


def _nearest(found: Survey, elements: list[Element], headline: Element | None) -> list[Place]:
    places = found.steps(elements, headline)
    return sorted(places, key=lambda place: (abs(place[0]), place[0]))[:_MAX_CLAIMS]


def _stated_date(element: Element) -> str:
    stated = element.attr("datetime") or element.attr("content") or element.attr("title") or ""
    return stated.strip() if has_digit(stated) else flat_text(element, 80)


_MOST_TAGS = 40
_MOST_LINKS = 400
_MOST_LABELS = 8
_DATE_LABELS = {
    "en": ("ublished", "osted on"),
    "de": (
        "eröffentlicht",
        "er&ouml;ffentlicht",
        "rschienen",
        "rtikel wurde",
        "eitrag wurde",
    ),
    "fr": ("ublié", "is en ligne"),
    "es": ("ublicado",),
    "pt": ("ublicado",),
    "it": ("ubblicato",),
    "nl": ("epubliceerd",),
    "ru": ("публикован",),
}
"""By language, without the first letter, which may be large or small."""
_TAG = re.compile(r"<[^>]*>?")
_CODE = frozenset('{}[]"=')
_SLUG = re.compile(r"(?:^|\s)tag-(\S+)")
_LONGEST_TAG = 50
_MODIFIED = re.compile(r"updat|modif|revis|edit|aktualis|mis-a-jour|maj\b")


def _time_field(element: Element) -> str:
    names = f"{element.attr('class') or ''} {element.attr('itemprop') or ''}".lower()
    return "modified" if _MODIFIED.search(names) else "published"


def dated_texts(found: Survey, headline: Element | None) -> Iterator[Claim]:
    """Short texts of elements whose class speaks of a date: not yet known to hold one."""
    for steps, element in _nearest(found, found.kind("date"), headline):
        if found.is_aside(element):
            continue
        text = joined_text(element, 160)
        if text and has_digit(text):
            near = "" if abs(steps) < 150 else "far "
            yield Claim(field=_class_field(element), value=text, source=f"{near}date class")


def labelled_dates(markup: str, language: str) -> Iterator[Claim]:
    """What follows words such as ``published on``, anywhere on a page that states no other date.

    Looked for in the source, because it may stand after the story, in what is no part of it.
    """
    for label in _DATE_LABELS.get(language[:2].lower(), _DATE_LABELS["en"]):
        start = markup.find(label)
        for _ in range(_MOST_LABELS):
            if start < 0:
                break
            end = start + len(label)
            if markup.rfind("<", 0, start) <= markup.rfind(">", 0, start):
                text = " ".join(_TAG.sub(" ", markup[end : end + 300]).split())[:60]
                if has_digit(text[:40]) and _CODE.isdisjoint(text):
                    yield Claim(field="labelled date", value=text, source="text")
            start = markup.find(label, end)


def _class_field(element: Element) -> str:
    names = f"{element.attr('class') or ''} {element.attr('id') or ''}".lower()
    return "modified text" if _MODIFIED.search(names) else "published text"


def topic_claims(tree: Tree, found: Survey) -> Iterator[Claim]:
    """Tags and breadcrumbs that stand on the page."""
    for element in tree.select('a[rel~="tag"]')[:60]:
        if not found.is_aside(element) and (text := flat_text(element, 80)):
            category = "category" in (element.attr("rel") or "").split()
            yield Claim(field="category" if category else "tag", value=text, source="rel[tag]")
    yield from _tag_links(found)
    for element in found.kind("crumb")[:1]:
        for link in list(element.iter_elements("a"))[:12]:
            if text := flat_text(link, 80):
                yield Claim(field="crumb", value=text, source="breadcrumb")


def _tag_links(found: Survey) -> Iterator[Claim]:
    for element in found.kind("tag")[:20]:
        if found.is_aside(element):
            continue
        links = [element] if element.tag == "a" else list(element.iter_elements("a"))
        texts = [flat_text(link, 80) for link in links[: _MOST_TAGS + 1]]
        if not _is_row_of_tags(element, texts):
            slugs = frozenset(_SLUG.findall(element.attr("class") or ""))
            named = (link for link in links[:_MOST_LINKS] if _slug_of(link) in slugs)
            texts = [flat_text(link, 80) for link in named] if slugs else []
        for text in filter(None, texts):
            yield Claim(field="tag", value=text, source="tag class")


def _slug_of(link: Element) -> str:
    """The last part of the way that a link leads, as WordPress writes it into classes."""
    way = (link.attr("href") or "").partition("?")[0].partition("#")[0]
    return way.rstrip("/").rpartition("/")[2].lower()


def _is_row_of_tags(element: Element, texts: list[str]) -> bool:
    """Whether an element that is called so holds tags, and not a whole article that has some."""
    if element.tag == "a":
        return "title" not in (element.attr("class") or "").lower()
    if len(texts) > _MOST_TAGS or max(map(len, texts), default=0) > _LONGEST_TAG:
        return False
    return 2 * sum(map(len, texts)) >= len("".join(element.text.split()))

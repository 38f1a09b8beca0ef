"""Metadata claims from the head (meta, title, link) and the visible page (headline, byline)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.extract.survey import (
    HEADLINE_LIMIT,
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

META_FIELDS: dict[str, str] = {
    "og:title": "title",
    "twitter:title": "title",
    "parsely-title": "title",
    "sailthru.title": "title",
    "dc.title": "title",
    "dcterms.title": "title",
    "citation_title": "title",
    "description": "description",
    "og:description": "description",
    "twitter:description": "description",
    "dc.description": "description",
    "dcterms.description": "description",
    "sailthru.description": "description",
    "author": "author",
    "article:author": "author",
    "article:author_name": "author",
    "og:article:author": "author",
    "parsely-author": "author",
    "sailthru.author": "author",
    "dc.creator": "author",
    "dc.creator.name": "author",
    "dcterms.creator": "author",
    "dcterm.creator": "author",
    "citation_author": "author",
    "cxenseparse:author": "author",
    "byl": "author",
    "rbauthors": "author",
    "shareaholic:article_author_name": "author",
    "article:published_time": "published",
    "og:article:published_time": "published",
    "og:published_time": "published",
    "article:published": "published",
    "datepublished": "published",
    "date.published": "published",
    "published_time": "published",
    "published_at": "published",
    "publish-date": "published",
    "publish_date": "published",
    "publication_date": "published",
    "pubdate": "published",
    "parsely-pub-date": "published",
    "sailthru.date": "published",
    "cxenseparse:recs:publishtime": "published",
    "shareaholic:article_published_time": "published",
    "dc.date.issued": "published",
    "dcterms.issued": "published",
    "dcterms.created": "published",
    "dc.date.created": "published",
    "dc.date": "published",
    "dcterms.date": "published",
    "citation_publication_date": "published",
    "citation_date": "published",
    "citation_online_date": "published",
    "originalpublicationdate": "published",
    "article.published": "published",
    "article_date_original": "published",
    "bt:pubdate": "published",
    "date": "published",
    "article:modified_time": "modified",
    "og:updated_time": "modified",
    "og:article:modified_time": "modified",
    "article:modified": "modified",
    "datemodified": "modified",
    "dcterms.modified": "modified",
    "dc.date.modified": "modified",
    "last-modified": "modified",
    "lastmod": "modified",
    "revised": "modified",
    "shareaholic:article_modified_time": "modified",
    "og:site_name": "site_name",
    "application-name": "site_name",
    "apple-mobile-web-app-title": "site_name",
    "shareaholic:site_name": "site_name",
    "dc.publisher": "site_name",
    "citation_journal_title": "site_name",
    "og:image:secure_url": "image",
    "og:image:url": "image",
    "og:image": "image",
    "twitter:image": "image",
    "twitter:image:src": "image",
    "thumbnail": "image",
    "og:url": "og_url",
    "article:tag": "tag",
    "og:article:tag": "tag",
    "video:tag": "tag",
    "book:tag": "tag",
    "keywords": "tag",
    "news_keywords": "tag",
    "parsely-tags": "tag",
    "sailthru.tags": "tag",
    "shareaholic:keywords": "tag",
    "citation_keywords": "tag",
    "dc.subject": "tag",
    "dcterms.subject": "tag",
    "article:section": "category",
    "og:article:section": "category",
    "parsely-section": "category",
    "cxenseparse:section": "category",
    "category": "category",
    "content-language": "language",
    "og:locale": "language",
    "dc.language": "language",
    "dcterms.language": "language",
    "language": "language",
    "article:content_tier": "tier",
    "product:availability": "availability",
    "og:availability": "availability",
}
"""Which field a ``<meta>`` speaks of, by its name in lower case."""

_LINK_FIELDS = {"canonical": "canonical", "image_src": "image"}
_PERMALINK_SIGNS = frozenset("¶§#\U0001f517")
_PERMALINK = re.compile(r"\s?[¶§#\U0001f517]\s?$")
"""The sign of the link that headings of documentation carry to themselves."""
_MAX_CLAIMS = 40


def read_metas(found: Survey) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """The metas as a flat dict (first one wins), and all of them in order."""
    flat: dict[str, str] = {}
    pairs: list[tuple[str, str]] = []
    for element in found.tag("meta"):
        content = element.attr("content")
        if not content:
            continue
        name = element.attr("property") or element.attr("name") or element.attr("http-equiv")
        if name and (text := content.strip()):
            name = name.strip()
            pairs.append((name, text))
            flat.setdefault(name, text)
    return flat, pairs


def meta_claims(pairs: list[tuple[str, str]]) -> Iterator[Claim]:
    """A claim for every meta we know, named as printed in lower case."""
    for name, text in pairs:
        folded = name.lower()
        field = META_FIELDS.get(folded)
        if field:
            yield Claim(field=field, value=text, source=f"meta[{folded}]")


def link_claims(found: Survey) -> Iterator[Claim]:
    """Canonical URL, picture and author from ``<link>``."""
    for element in found.tag("link"):
        rel = (element.attr("rel") or "").lower()
        kind = "canonical" if "canonical" in rel.split() else rel
        if kind in _LINK_FIELDS and (href := element.attr("href")):
            yield Claim(field=_LINK_FIELDS[kind], value=href.strip(), source=f"link[{kind}]")


def root_claims(found: Survey) -> Iterator[Claim]:
    """Language and direction as the root elements declare them."""
    for name in ("html", "body"):
        for element in found.tag(name)[:1]:
            for attribute, field in (
                ("lang", "language"),
                ("xml:lang", "language"),
                ("dir", "direction"),
            ):
                if value := (element.attr(attribute) or "").strip():
                    yield Claim(field=field, value=value, source=f"{name}[{attribute}]")


def title_claims(found: Survey) -> Iterator[Claim]:
    """``<title>`` and the headings."""
    for element in found.tag("title")[:4]:
        in_svg = element.parent is not None and getattr(element.parent, "tag", "") == "svg"
        if not in_svg and (text := flat_text(element, HEADLINE_LIMIT)):
            yield Claim(field="title", value=text, source="title")
            break
    for name, most in (("h1", 12), ("h2", 12), ("h3", 4)):
        for element in found.tag(name)[:most]:
            text = found.heading(element)
            if not _PERMALINK_SIGNS.isdisjoint(text[-2:]):
                text = _PERMALINK.sub("", text)
            if text:
                yield Claim(field="title", value=text, source=name)
            if name == "h1" and len(lines := joined_text(element, HEADLINE_LIMIT).split("\n")) > 1:
                yield from (
                    Claim(field="title", value=line, source="part of h1") for line in lines[:6]
                )


def find_headline(found: Survey, titles: list[str]) -> Element | None:
    """The heading that names the page: one that a declared title repeats, else the first h1."""
    folded = [_fold(title) for title in titles]
    for name in ("h1", "h2"):
        for element in found.tag(name)[:20]:
            text = _fold(found.heading(element))
            if len(text) > 3 and any(
                text in title or title in text for title in folded if len(title) > 3
            ):
                return element
    return next(iter(found.tag("h1")), None)


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


def nearby_texts(headline: Element | None, tree: Tree) -> tuple[str, ...]:
    """The short texts before and after the headline, where bylines and dates stand."""
    if headline is None:
        body = tree.find("body")
        return tuple(texts_after(body)) if body is not None else ()
    return (*texts_before(headline), *texts_after(headline))


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

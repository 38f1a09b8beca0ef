"""Metadata claims from the ``<head>``: meta, title, link. Add ``<meta>`` names to META_FIELDS."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.extract.survey import (
    HEADLINE_LIMIT,
    flat_text,
    joined_text,
)
from pageloom.core.parts import Claim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.extract.survey import Survey

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
    "published": "published",
    "published-date": "published",
    "published_date": "published",
    "publisheddate": "published",
    "publishdate": "published",
    "pub_date": "published",
    "article:post_date": "published",
    "article_published": "published",
    "articledate": "published",
    "og:pubdate": "published",
    "og:publish_date": "published",
    "rnews:datepublished": "published",
    "dc.date.published": "published",
    "dc.created": "published",
    "datecreated": "published",
    "date_created": "published",
    "rbpubdate": "published",
    "displaydate": "published",
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

_WRITTEN_BY = frozenset(
    "written by|verfasst von|écrit par|escrito por|scritto da|geschreven door|skriven av"
    "|napisane przez|автор|author".split("|")
)
"""Labels that content systems write for previews, in their languages."""
_LINK_FIELDS = {"canonical": "canonical", "image_src": "image"}
_PERMALINK_SIGNS = frozenset("¶§#\U0001f517")
_PERMALINK = re.compile(r"\s?[¶§#\U0001f517]\s?$")
"""The sign of the link that headings of documentation carry to themselves."""


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
    flat = dict(pairs)
    for number in ("1", "2"):
        if flat.get(f"twitter:label{number}", "").lower() in _WRITTEN_BY:
            text = flat.get(f"twitter:data{number}", "")
            yield Claim(field="author", value=text, source="meta[twitter:data]")


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

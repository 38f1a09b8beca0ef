"""Features of the page from its head and its URL, for the page type."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.core.extract.features import MOST_TITLE_WORDS, PageContext

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.core.dom import Element, Tree

_WORD = re.compile(r"\w+")
_LD_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"([A-Za-z]{1,40})"')
_LD_GROUPS: tuple[frozenset[str], ...] = tuple(
    frozenset(names.split())
    for names in (
        (
            "Article NewsArticle BlogPosting ReportageNewsArticle OpinionNewsArticle "
            "LiveBlogPosting Report ScholarlyArticle"
        ),
        "TechArticle APIReference HowTo",
        "Product ProductGroup Offer AggregateOffer",
        "ItemList CollectionPage OfferCatalog SearchResultsPage",
        "QAPage DiscussionForumPosting Question Comment",
        "FAQPage",
        "Recipe",
        "Service LocalBusiness ProfessionalService Organization Corporation SoftwareApplication",
        "JobPosting",
        "VideoObject",
        "WebPage AboutPage ContactPage",
        "Review AggregateRating",
        "Person",
        "Course Event",
    )
)
_PATH_GROUPS: tuple[frozenset[str], ...] = tuple(
    frozenset(names.split())
    for names in (
        "blog blogs news article articles story stories post posts magazine opinion features press",
        "product products p dp item items pd prod sku ip",
        (
            "category categories collection collections shop store c cat catalog browse "
            "departments b plp"
        ),
        (
            "docs doc documentation reference api manual guide guides tutorial tutorials learn "
            "wiki help support kb userguide"
        ),
        (
            "forum forums thread threads topic topics t questions question discussion community "
            "discuss viewtopic showthread comments r"
        ),
        "services service solutions solution pricing plans about platform features company contact",
        (
            "jobs job careers career directory listings listing list search tag tags author "
            "archive events courses"
        ),
        "en us uk de fr es",
    )
)
_TITLE_WORDS = frozenset("best top how what why guide vs review reviews".split())
_YEAR = re.compile(r"/(19|20)\d\d/")
_MOST_METAS = 200
_MOST_SCRIPTS = 50
_MOST_SCRIPT = 200_000
"""A hostile head may hold any number of these; what comes after the first few tells nothing."""
_OG_TYPES = ("article", "website", "product", "video", "profile", "blog")


def read_context(tree: Tree, url: str, items: Sequence[Element] | None = None) -> PageContext:
    """The context of a page from its head and its URL.

    Args:
        tree: the page.
        url: its URL.
        items: the elements with an ``itemtype``, where somebody has found them already.
    """
    items = tree.select("[itemtype]") if items is None else items
    metas = _metas(tree)
    types = frozenset(_types(tree))
    heading = tree.select_one("title")
    title = metas.get("og:title") or (heading.text if heading is not None else "")
    description = metas.get("description") or metas.get("og:description", "")
    return PageContext(
        title_words=frozenset(_WORD.findall(title[:500].lower())[:MOST_TITLE_WORDS]),
        description_words=frozenset(_WORD.findall(description[:1000].lower())[:60]),
        types=types,
        is_article=metas.get("og:type", "").lower() == "article",
        is_video=metas.get("og:type", "").lower().startswith("video"),
        signals=(*_head_signals(items, metas, types), *_address_signals(url)),
    )


def _metas(tree: Tree) -> dict[str, str]:
    metas: dict[str, str] = {}
    for meta in tree.select("meta")[:_MOST_METAS]:
        name = meta.attr("property") or meta.attr("name")
        if name:
            metas.setdefault(name.lower(), meta.attr("content") or "")
    return metas


def _types(tree: Tree) -> set[str]:
    types: set[str] = set()
    for script in tree.select('script[type="application/ld+json"]')[:_MOST_SCRIPTS]:
        types.update(_LD_TYPE.findall(script.text[:_MOST_SCRIPT]))
    return types


def _head_signals(
    items: Sequence[Element], metas: dict[str, str], types: frozenset[str]
) -> Iterator[float]:
    kind = metas.get("og:type", "").lower()
    yield from (float(name in kind) for name in _OG_TYPES)
    yield float("article:published_time" in metas)
    yield from (float(not group.isdisjoint(types)) for group in _LD_GROUPS)
    marked = {
        (element.attr("itemtype") or "").rsplit("/", 1)[-1] for element in items[:_MOST_METAS]
    }
    yield from (float(not group.isdisjoint(marked)) for group in _LD_GROUPS[:5])


def _address_signals(url: str) -> Iterator[float]:
    path = url.split("://", 1)[-1]
    host, _, path = path.partition("/")
    path = path.split("?", 1)[0].split("#", 1)[0].lower()
    parts = [part for part in path.split("/") if part]
    words = {word for part in parts for word in part.split("-")}
    yield from (float(not group.isdisjoint(parts)) for group in _PATH_GROUPS)
    labels = host.lower().split(".")
    yield from (float(not group.isdisjoint(labels)) for group in _PATH_GROUPS[:7])
    yield float(len(parts))
    yield float(max((part.count("-") for part in parts), default=0))
    yield float(any(char.isdigit() for char in path))
    yield float(_YEAR.search("/" + path) is not None)
    yield float(path.endswith((".html", ".htm", ".php")))
    yield float("?" in url)
    yield float(not parts)
    yield float(not _TITLE_WORDS.isdisjoint(words))

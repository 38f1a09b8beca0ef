"""Metadata claims from structured data about the page's main entity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pageloom.core.extract.structured_data import as_list, nodes_of, resolve_node, text_of, types_of
from pageloom.core.parts import Claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pageloom.core.extract.structured_data import JsonNode

_RANKS: tuple[frozenset[str], ...] = (
    frozenset(
        (
            "Article",
            "NewsArticle",
            "BlogPosting",
            "TechArticle",
            "ReportageNewsArticle",
            "AnalysisNewsArticle",
            "OpinionNewsArticle",
            "ReviewNewsArticle",
            "BackgroundNewsArticle",
            "AdvertiserContentArticle",
            "ScholarlyArticle",
            "MedicalScholarlyArticle",
            "SatiricalArticle",
            "LiveBlogPosting",
            "Report",
            "Recipe",
            "DiscussionForumPosting",
            "SocialMediaPosting",
            "Question",
            "JobPosting",
            "APIReference",
        )
    ),
    frozenset(
        (
            "Product",
            "ProductGroup",
            "IndividualProduct",
            "ProductModel",
            "Vehicle",
            "Car",
            "Book",
            "Movie",
            "TVSeries",
            "TVEpisode",
            "VideoGame",
            "SoftwareApplication",
            "MobileApplication",
            "WebApplication",
            "SoftwareSourceCode",
            "Course",
            "Event",
            "HowTo",
            "VideoObject",
            "PodcastEpisode",
            "MusicAlbum",
            "MusicRecording",
            "CreativeWork",
            "Dataset",
            "Accommodation",
            "Apartment",
            "House",
            "RealEstateListing",
            "TouristTrip",
            "Review",
            "Blog",
        )
    ),
    frozenset(
        (
            "WebPage",
            "AboutPage",
            "ContactPage",
            "ItemPage",
            "FAQPage",
            "QAPage",
            "MedicalWebPage",
            "ProfilePage",
            "CollectionPage",
            "SearchResultsPage",
            "CheckoutPage",
            "Service",
        )
    ),
)
_RANK_OF = {kind: rank for rank, kinds in enumerate(_RANKS) for kind in kinds}
_NO_RANK = len(_RANKS)
_AUTHOR_KEYS = ("author", "creator", "byline", "contributor")
_DATE_KEYS = (
    ("published", "datePublished"),
    ("published", "dateCreated"),
    ("published", "datePosted"),
    ("published", "uploadDate"),
    ("modified", "dateModified"),
)
_SITE_TYPES = frozenset(("WebSite", "NewsMediaOrganization"))


def rank_of(node: JsonNode) -> int:
    """How much a node is worth as main entity: 0 an article, 1 a thing, 2 a page, 3 neither."""
    return min([_RANK_OF.get(kind, _NO_RANK) for kind in types_of(node)], default=_NO_RANK)


def main_entities(nodes: Sequence[JsonNode], url: str, headlines: Iterable[str]) -> list[JsonNode]:
    """The nodes about this page, best first: one article or thing, then the page nodes.

    Several things of the same rank and different names are a list, unless one of them bears this
    page's URL or its headline.
    """
    known = {_fold(text) for text in headlines if text}
    chosen: list[JsonNode] = []
    by_rank: dict[int, list[JsonNode]] = {}
    for node in nodes:
        by_rank.setdefault(rank_of(node), []).append(node)
    for rank in range(_NO_RANK):
        same = by_rank.get(rank, [])
        if len(same) > 1 and rank < 2:
            same = _pick(same, url, known)
        chosen.extend(same)
    return chosen


def _pick(nodes: list[JsonNode], url: str, headlines: set[str]) -> list[JsonNode]:
    """The nodes of one rank that are the page's own."""
    here = [node for node in nodes if url and url in _addresses(node)]
    named = [node for node in nodes if _fold(name_of(node)) in headlines]
    if here or named:
        return named if named and not any(node in here for node in named) else here or named
    names = {_fold(name_of(node)) for node in nodes}
    return nodes if len(names) <= 2 and (len(nodes) <= 2 or names != {""}) else []


def _addresses(node: JsonNode) -> list[str]:
    page = node.get("mainEntityOfPage")
    inner = cast("JsonNode", page).get("@id") if isinstance(page, dict) else page
    return [value for value in (node.get("url"), node.get("@id"), inner) if isinstance(value, str)]


def name_of(node: JsonNode) -> str:
    """The headline or name of a node."""
    return text_of(node.get("headline")) or text_of(node.get("name"))


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


def entity_claims(node: JsonNode, by_id: dict[str, JsonNode], source: str) -> Iterator[Claim]:
    """Everything one main node says: title, description, authors, dates, tags, site, picture."""
    page = rank_of(node) == 2
    if title := name_of(node):
        yield Claim(field="page_title" if page else "title", value=title, source=source)
    for key in ("description", "abstract"):
        if text := text_of(node.get(key)):
            yield Claim(field="description", value=text, source=source)
    for name in people_of(node, by_id):
        yield Claim(field="author", value=name, source=source)
    for field, key in _DATE_KEYS:
        if text := text_of(node.get(key)):
            yield Claim(field=f"page_{field}" if page else field, value=text, source=source)
    yield from _topic_claims(node, source)
    yield from _page_claims(node, by_id, source)


def _topic_claims(node: JsonNode, source: str) -> Iterator[Claim]:
    for item in as_list(node.get("keywords")):
        if text := text_of(item):
            yield Claim(field="tag", value=text, source=source)
    for key in ("articleSection", "genre", "category", "recipeCategory", "applicationCategory"):
        for item in as_list(node.get(key)):
            if text := text_of(item):
                yield Claim(field="category", value=text, source=source)


def _page_claims(node: JsonNode, by_id: dict[str, JsonNode], source: str) -> Iterator[Claim]:
    for item in as_list(node.get("publisher")):
        name = text_of(_full(item, by_id).get("name")) if isinstance(item, dict) else text_of(item)
        if name:
            yield Claim(field="site_name", value=name, source=source)
    if (free := node.get("isAccessibleForFree")) is not None:
        yield Claim(field="free", value=str(free).rsplit("/", 1)[-1].lower(), source=source)
    if language := text_of(node.get("inLanguage")):
        yield Claim(field="language", value=language, source=source)
    for item in as_list(node.get("image"))[:5]:
        url = _image_url(item, by_id)
        if url:
            yield Claim(field="image", value=url, source=source)


def _image_url(item: Any, by_id: dict[str, JsonNode]) -> str:
    if isinstance(item, dict):
        node = _full(item, by_id)
        return text_of(node.get("url")) or text_of(node.get("contentUrl"))
    return item if isinstance(item, str) else ""


def _full(item: Any, by_id: dict[str, JsonNode]) -> JsonNode:
    return resolve_node(item, by_id)


def people_of(node: JsonNode, by_id: dict[str, JsonNode]) -> list[str]:
    """The names of the authors of a node, references resolved."""
    for key in _AUTHOR_KEYS:
        names = [_person_name(item, by_id) for item in as_list(node.get(key))[:40]]
        names = [name for name in names if name]
        if names:
            return names
    return []


def _person_name(item: Any, by_id: dict[str, JsonNode]) -> str:
    if not isinstance(item, dict):
        return text_of(item)
    person = _full(item, by_id)
    if name := text_of(person.get("name")):
        return name
    parts = (text_of(person.get("givenName")), text_of(person.get("familyName")))
    return " ".join(part for part in parts if part)


def site_claims(nodes: Iterable[JsonNode], source: str) -> Iterator[Claim]:
    """The name of the site, from its own node."""
    for node in nodes:
        if _SITE_TYPES.isdisjoint(types_of(node)):
            continue
        if name := text_of(node.get("name")):
            yield Claim(field="site_name", value=name, source=source)


def crumb_claims(
    nodes: Iterable[JsonNode], by_id: dict[str, JsonNode], source: str
) -> Iterator[Claim]:
    """The steps of breadcrumb lists, in order, each as ``crumb``."""
    for node in nodes:
        if "itemListElement" not in node or "BreadcrumbList" not in types_of(node):
            continue
        items = [_full(item, by_id) for item in nodes_of(node.get("itemListElement"))[:30]]
        for item in sorted(items, key=_position):
            inner = [_full(node, by_id) for node in nodes_of(item.get("item"))]
            name = text_of(item.get("name")) or next((name_of(node) for node in inner), "")
            if name:
                yield Claim(field="crumb", value=name, source=source)


def _position(item: JsonNode) -> float:
    try:
        return float(text_of(item.get("position")) or 0)
    except ValueError:
        return 0.0

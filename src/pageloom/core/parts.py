"""Intermediate values of the core: decoded pages, content, claims and other facts of a page.

A tree is owned by one run: a function either only reads it, or takes the part and gives back the
part to use next.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pageloom.model import Blocks

if TYPE_CHECKING:
    from pageloom.core.dom import Element, Tree
    from pageloom.model import (
        Availability,
        BlockTrace,
        Direction,
        FieldSource,
        Moment,
        PageType,
        Price,
        Product,
        Rating,
        Region,
    )

    LinkSite = tuple[Element, str, str, str, Region]
    """A link where it stands: its element, ``href``, text and ``rel``, and the region its ancestors
    put it in. A plain tuple: a page has hundreds, and one with names takes four times as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedPage:
    """A page as text and tree, with what decoding learnt about it."""

    tree: Tree
    url: str = ""
    """The URL that answered: what relative links are relative to (before any ``<base>``)."""
    media_type: str = "text/html"
    charset: str = "utf-8"
    size: int = 0
    """Bytes as they came."""
    markup: str = ""
    """The text that the tree was made from, where that is the page's own source."""
    text: str = ""
    """The decoded text where it is not HTML: a feed, XML, JSON, Markdown or plain text."""
    feed: FeedFacts | None = None
    """The facts of a feed, or of JSON that has items or is an article; the tree lists them."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The part of the page that is the page."""

    root: Element
    """The content alone: what was not kept is gone from this tree."""
    text: str
    method: str
    """``blocks``, ``noscript``, ``preload``, ``body`` or ``visible-text``."""
    page_type: PageType = "other"
    page_type_confidence: float = 0.0
    fallbacks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    traces: tuple[BlockTrace, ...] = ()
    """What decided about each block, where somebody asked."""
    blocks: Blocks = field(default_factory=Blocks)


class Claim(NamedTuple):
    """One possible value of a metadata field, with the source it came from."""

    field: str
    value: str
    source: str
    """Such as ``json-ld``, ``meta[og:title]``, ``h1``."""


class OfferFact(NamedTuple):
    """One price of the page, as written there."""

    raw: str
    currency: str = ""
    high: str = ""
    kind: str = "current"
    """``current``, ``old``, ``from`` or ``range``."""
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingFact:
    """One rating of the page, as written there."""

    raw: str
    value: str = ""
    scale: str = ""
    count: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFacts:
    """All metadata claims of a page, gathered before anything is removed from its tree."""

    base: str = ""
    """What relative URLs are relative to: ``<base href>`` against the page's own URL."""
    claims: tuple[Claim, ...] = ()
    """Possible values of every field; within one field and source, in document order."""
    nearby: tuple[str, ...] = ()
    """The short texts around the headline, in document order, without the headline itself."""
    offers: tuple[OfferFact, ...] = ()
    ratings: tuple[RatingFact, ...] = ()
    types: tuple[str, ...] = ()
    """The schema.org types of the main entity and of the page, such as ``NewsArticle``."""
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    """What becomes ``Document.metadata``."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenValue:
    """One value per field, with its source: what the facts became once the content is known."""

    title: str = ""
    description: str = ""
    authors: tuple[str, ...] = ()
    published: Moment | None = None
    modified: Moment | None = None
    language: str = ""
    language_confidence: float = 0.0
    direction: Direction = "ltr"
    site_name: str = ""
    canonical_url: str = ""
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    availability: Availability = "unknown"
    accessible_for_free: bool | None = None
    price_candidates: tuple[Price, ...] = ()
    rating_candidates: tuple[Rating, ...] = ()
    product: Product | None = None
    images: tuple[str, ...] = ()
    """Pictures the page declares for itself (og:image and kin), absolute, best first."""
    declared_image: str = ""
    """The first of them that the page itself declares, and no rule."""
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    fields: dict[str, FieldSource] = field(default_factory=dict[str, "FieldSource"])
    title_found: bool = False
    """Whether the title stood on the page, or was made up from its URL."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFacts:
    """What a feed, or a JSON answer, says about one of its items. Dates are as written there."""

    title: str = ""
    link: str = ""
    id: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""
    modified: str = ""
    html: str = ""
    """The fullest content there is, as HTML."""
    text: str = ""
    """The same where it came as plain text."""
    summary: str = ""
    """Plain text; empty when it is all the content there is."""
    categories: tuple[str, ...] = ()
    image: str = ""
    language: str = ""
    base: str = ""
    """What relative links in ``html`` are relative to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedFacts:
    """What a feed says about itself, and its items in order."""

    kind: Literal["rss", "atom", "rdf", "jsonfeed", "json"]
    items: tuple[ItemFacts, ...] = ()
    is_list: bool = True
    """False for a JSON answer that is one article: then there is exactly one item."""
    title: str = ""
    description: str = ""
    link: str = ""
    """The site the feed belongs to."""
    language: str = ""
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    published: str = ""
    modified: str = ""
    image: str = ""
    notes: tuple[str, ...] = ()

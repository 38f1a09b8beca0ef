"""The values of Pageloom: RawPage, Document, Provenance and their parts.

Every value is frozen, holds only plain data, and survives a round trip through JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal  # noqa: TC003  msgspec reads the annotations
from typing import TYPE_CHECKING, Any, Literal, Self

import msgspec

from pageloom.model.blocks import Blocks
from pageloom.model.capture import RenderMode  # noqa: TC001  msgspec reads the annotations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    FieldMaker = Callable[[str], "Mapping[str, Any] | Document"]

PageType = Literal[
    "article",
    "product",
    "listing",
    "collection",
    "forum",
    "documentation",
    "service",
    "job",
    "video",
    "feed",
    "other",
]
Direction = Literal["ltr", "rtl"]
Region = Literal["content", "navigation", "footer", "pagination"]
Availability = Literal["in_stock", "out_of_stock", "preorder", "unknown"]
Condition = Literal["new", "used", "refurbished", "damaged", ""]
Precision = Literal["year", "month", "day", "minute", "second"]
DISCARDED = "[Content discarded by parsing rule]"
"""The content of a Document that a rule discarded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One redirect: the URL and its status."""

    url: str
    status: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """A fetched page before extraction: the server's response."""

    url: str
    """The URL that was requested."""
    final_url: str
    """The URL after redirects."""
    status: int
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes
    """Decompressed."""
    content_type: str = ""
    fetched_at: str = ""
    """A UTC instant such as 2026-03-05T08:30:00Z."""
    hops: tuple[Hop, ...] = ()
    """The redirects, first to last."""
    timings: dict[str, float] = field(default_factory=dict[str, float])
    """Seconds: ``dns``, ``connect``, ``tls``, ``first_byte``, ``total``, ``render``."""
    protocol: str = ""
    """``HTTP/1.1`` or ``browser``."""

    @property
    def not_modified(self) -> bool:
        """Whether the server answered 304 to the given validators; then there is no body."""
        return self.status == 304


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestSettings:
    """Request settings from site rules: URL, headers, rendering, further pages."""

    url: str = ""
    """The URL to request: the given one, or what a rule rewrites it to."""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    """For the host of ``url`` alone; names in lower case."""
    cookies: dict[str, str] = field(default_factory=dict[str, str])
    """For the host of ``url`` alone."""
    next_page: tuple[str, ...] = ()
    """Selectors of the link to the next page (CSS, or XPath after ``xpath:``), in order."""
    single_page: tuple[str, ...] = ()
    """Selectors of the link to the whole article on one page."""
    next_page_url: str = ""
    """The absolute URL of the next page, once the page is fetched."""
    single_page_url: str = ""
    rendering: RenderMode = "auto"
    wait_for: str = ""
    """A selector to wait for when rendering."""
    timeout_ms: int | None = None
    rule_ids: tuple[str, ...] = ()
    """The ids of the rules that contributed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image of the page, with its absolute URL."""

    url: str
    alt: str = ""
    caption: str = ""
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link of the page, absolute, without tracking parameters."""

    url: str
    text: str = ""
    rel: tuple[str, ...] = ()
    internal: bool = False
    region: Region = "content"


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """A video, a sound or an embedded post."""

    kind: Literal["video", "audio", "embed"]
    url: str
    """The canonical URL of the item itself, not of its player."""
    provider: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date as the page states it, never more precise than the page."""

    date: str
    """ISO date in the page's own zone, as precise as ``precision``: 2026, 2026-03 or 2026-03-05."""
    time: str = ""
    """ISO time (09:30 or 09:30:15) if stated."""
    zone: str = ""
    """+01:00, Z, or an IANA name."""
    utc: str = ""
    """The instant as 2026-03-05T08:30:00Z, if time and zone are known."""
    precision: Precision = "day"
    assumed: tuple[str, ...] = ()
    """What was assumed: ``zone``, ``day_order``, ``year``, ``fetched_at``."""
    raw: str = ""
    source: str = ""

    @property
    def iso(self) -> str:
        """The most precise form: the UTC instant if known, else the date."""
        return self.utc or (f"{self.date}T{self.time}" if self.time else self.date)


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """A price: the text on the page, and its parsed amount."""

    raw: str
    amount: Decimal | None = None
    currency: str = ""
    high: Decimal | None = None
    """The upper end of a range."""
    kind: Literal["current", "old", "from", "range"] = "current"
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """The product of a page and its main offer; ``provenance.fields`` has ``product.sku`` etc."""

    sku: str = ""
    """The shop's or the maker's number of it."""
    gtin: str = ""
    """GTIN, EAN, UPC or ISBN: digits with the right check digit."""
    brand: str = ""
    amount: Decimal | None = None
    currency: str = ""
    availability: Availability = "unknown"
    condition: Condition = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A rating: the text on the page, and its parsed value."""

    raw: str
    value: float | None = None
    scale: float | None = None
    count: int | None = None
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSource:
    """Where a field's value came from, and its original text."""

    source: str
    raw: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockTrace:
    """One block of the page: its text, whether it was kept, and what decided."""

    text: str
    path: str
    kept: bool
    score: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleEdit:
    """One edit that a rule made to a page."""

    source: str
    """``rule:`` and its id."""
    phase: Literal["pre", "post"]
    what: str
    """``replace``, ``article``, ``wrapper``, ``remove``, ``include``, or the name of an action."""
    selector: str = ""
    count: int = 0
    """The number of elements affected."""
    removed: int = 0
    """Characters of text removed."""
    text: str = ""
    """The beginning of the text that was removed or restored."""


REPORTED = "reported"
"""The strategy of a Document without text: another system reported a change, not the content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Provenance: how a Document was made, and where each field came from."""

    fields: dict[str, FieldSource] = field(default_factory=dict[str, FieldSource])
    strategy: str = ""
    fallbacks: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    media_type: str = ""
    charset: str = ""
    rules: tuple[str, ...] = ()
    """The ids of the rules that matched, in the order they applied."""
    edits: tuple[RuleEdit, ...] = ()
    """The edits they made, in order."""
    fetching: tuple[str, ...] = ()
    """Decisions while fetching: why a browser was used, or was not."""
    parser_version: str = ""
    blocks: tuple[BlockTrace, ...] = ()
    """Filled only when Options.explain is on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceHint:
    """What is known about a source's pages; it takes precedence over what a page says."""

    id: str = ""
    name: str = ""
    language: str = ""
    """ISO 639-1, or any BCP 47 tag."""
    timezone: str = ""
    """An IANA name such as Europe/Paris, or an offset such as +02:00."""
    selectors: dict[str, str] = field(default_factory=dict[str, str])
    """CSS selectors by field: title, description, author, published, modified, tags, categories,
    content."""


class _Deferring:
    """A value whose fields may be computed when they are first read.

    A field that is not there yet is an empty slot, and ``__getattr__`` is only called for these: to
    read any other is as fast as ever.
    """

    __slots__ = ("_make",)

    if not TYPE_CHECKING:  # it would hide misspelt names from type checkers

        def __getattr__(self, name: str) -> Any:
            if name not in type(self).__dataclass_fields__:
                raise AttributeError(f"{type(self).__name__} has no field {name!r}", name=name)
            try:
                make = object.__getattribute__(self, "_make")
            except AttributeError:
                raise AttributeError(f"the field {name!r} is not set", name=name) from None
            if make is None:  # another thread has just set it
                return object.__getattribute__(self, name)
            made = make(name)
            is_whole = isinstance(made, Document)
            if is_whole:
                made = {each: getattr(made, each) for each in type(self).__dataclass_fields__}
            for each, value in made.items():
                object.__setattr__(self, each, value)
            if is_whole:  # the page itself need not be kept any longer
                object.__setattr__(self, "_make", None)
            return made[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(_Deferring):
    """One page, clean and structured."""

    url: str = ""
    """The URL that was requested."""
    final_url: str = ""
    """The URL after redirects."""
    canonical_url: str = ""
    """What the page declares; empty when absent or on another site."""
    id: str = ""
    """Stable identifier: a hash of ``url_key(final_url)``; empty without a URL."""
    source_id: str = ""
    title: str = ""
    description: str = ""
    author: str = ""
    """All authors joined by ", "."""
    authors: tuple[str, ...] = ()
    published: Moment | None = None
    modified: Moment | None = None
    language: str = ""
    language_confidence: float = 0.0
    direction: Direction = "ltr"
    site_name: str = ""
    text: str = ""
    html: str = ""
    markdown: str = ""
    blocks: Blocks = field(default_factory=Blocks, compare=False)
    """The visible page block by block, the content and what stands around it."""
    images: tuple[Image, ...] = ()
    hero_image: str = ""
    """The picture of the story: one at its beginning, else the declared one."""
    declared_image: str = ""
    """What the page declares for previews: og:image, twitter:image or JSON-LD."""
    links: tuple[Link, ...] = ()
    media: tuple[Media, ...] = ()
    tags: tuple[str, ...] = ()
    """Stated by the page."""
    categories: tuple[str, ...] = ()
    generated_tags: tuple[str, ...] = ()
    """Extracted keywords; never mixed with the page's own tags."""
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    """``opengraph``, ``twitter``, ``meta`` (flat, keyed as printed), ``canonical``, ``jsonld``,
    ``microdata``, ``rdfa``."""
    availability: Availability = "unknown"
    accessible_for_free: bool | None = None
    price_candidates: tuple[Price, ...] = ()
    rating_candidates: tuple[Rating, ...] = ()
    product: Product | None = None
    """Of a page of type product: what identifies it, and its main offer."""
    page_type: PageType = "other"
    page_type_confidence: float = 0.0
    word_count: int = 0
    reading_time: int = 0
    """Minutes."""
    reading_level: float | None = None
    summary: str = ""
    near_duplicate: str = ""
    """A signature (simhash) that is similar for similar texts."""
    quality_score: int = 0
    discarded: bool = False
    discard_reason: str = ""
    provenance: Provenance = field(default_factory=Provenance)
    snapshot_hash: str = ""
    change_hash: str = ""
    content_hash: str = ""

    def to_dict(self, *, blocks: bool = False) -> dict[str, Any]:
        """Plain dicts, lists, strings and numbers; the blocks only if asked for: they are long."""
        data: dict[str, Any] = msgspec.to_builtins(complete(self))
        if not blocks:
            del data["blocks"]
        return data

    def to_json(self, *, indent: int | None = None, blocks: bool = False) -> str:
        """The same as JSON text; keys in the order of the class."""
        encoded = msgspec.json.encode(self.to_dict(blocks=blocks))
        if indent is not None:
            encoded = msgspec.json.format(encoded, indent=indent)
        return encoded.decode()

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Make a Document from the result of ``to_dict``."""
        return msgspec.convert(data, cls, str_keys=True)

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        """Pickle as MessagePack, in an eighth of the time."""
        try:
            return _unpack_document, (msgspec.msgpack.encode(complete(self)),)
        except OverflowError:  # a number beyond 64 bits in the metadata
            return read_document, (msgspec.json.encode(self),)


def complete(document: Document) -> Document:
    """The Document with all its fields made: msgspec would leave out those that cannot be made."""
    _ = document.content_hash  # the last of them
    return document


def defer_fields(known: Mapping[str, Any], make: FieldMaker) -> Document:
    """A Document of which some fields are known, and the others are made when they are read.

    Args:
        known: some fields.
        make: gives a field and any others that came with it, or the whole Document; the same again
            when asked again.
    """
    document = object.__new__(Document)
    for name, value in known.items():
        object.__setattr__(document, name, value)
    object.__setattr__(document, "_make", make)
    return document


# What msgspec must know of the class is gathered here, under the lock of the import. Gathered by
# two threads at once, on the first Document that each of them reads, it brings the process down.
_DECODER = msgspec.json.Decoder(Document)
_UNPACKER = msgspec.msgpack.Decoder(Document)


def read_document(data: bytes) -> Document:
    """Read a Document from JSON.

    Raises:
        msgspec.DecodeError: it is not JSON, or not a Document.
    """
    return _DECODER.decode(data)


def _unpack_document(data: bytes) -> Document:
    return _UNPACKER.decode(data)

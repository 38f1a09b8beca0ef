"""Messages as values of the core, and back."""

from __future__ import annotations

import base64
import binascii
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from pageloom.core.normalize.money import parse_price
from pageloom.core.normalize.ratings import find_ratings
from pageloom.core.normalize.urls import document_id, url_key
from pageloom.core.snapshot.fingerprint import change_hash
from pageloom.edges.store.times import later, now, stamp
from pageloom.errors import EmptyContent, InvalidUrl, OversizedContent
from pageloom.flows.events import emit
from pageloom.flows.queue.messages import InvalidMessage, given_or
from pageloom.model import Document, Image, Link, PageType, Price, Rating

if TYPE_CHECKING:
    from pageloom.flows.queue.messages import ChangeResult, FetchJob, ParsedPage, RawHtml

_WRONG_CLOCK = 60.0
"""Seconds by which the clocks of two machines may differ without a word."""


def content_of(message: RawHtml, limit: int) -> tuple[bytes | str, bytes]:
    """The page as it came, bytes where they were sent, otherwise text; and the original to keep.

    Raises:
        InvalidMessage: the bytes are not base64.
        EmptyContent: nothing, or only white space.
        OversizedContent: more than a worker takes.
    """
    encoded = given_or(message.body_base64, "")
    content = _decode(encoded) if encoded else message.html
    if not content.strip():
        raise EmptyContent("The content is empty.", url=message.url, stage="decode")
    body = content if isinstance(content, bytes) else content.encode(errors="replace")
    size = len(body)
    if size > limit:
        raise OversizedContent(
            f"The page has {size:,} bytes; the limit of the parser worker is {limit:,}.",
            suggestions=("Raise parser.max_html_size (MAX_HTML_SIZE) if you trust this page.",),
            url=message.url,
            stage="decode",
            size=size,
            maximum=limit,
        )
    return content, body


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidMessage("bodyBase64 is not base64.") from None


def url_or_key(url: str) -> str:
    """The key of a URL in the library; the text itself where it is not a URL."""
    try:
        return url_key(url)
    except InvalidUrl:
        return url


def validators_of(message: FetchJob | ParsedPage) -> dict[str, str]:
    """``etag`` and ``last-modified`` of a message, as headers; earlier workers spelt them so."""
    given = given_or(message.validators, {})
    dated = given.get("lastModified") or given.get("last-modified")
    named = {"etag": given.get("etag"), "last-modified": dated}
    return {name: value for name, value in named.items() if value}


def fetched_at_of(message: ParsedPage | ChangeResult) -> str:
    """When the page of a message was fetched; a time to come is taken for now.

    All pages until then would otherwise count as older than this one.
    """
    said, at = stamp(given_or(message.fetched_at, "")), now()
    if said > later(at, _WRONG_CLOCK):
        emit("page.future_date", level="warning", url=message.url, fetched_at=said)
    return min(said, at)


def document_of(message: ParsedPage | ChangeResult) -> Document | None:
    """The Document that a message carries; None when it carries none.

    Raises:
        InvalidMessage: what it carries is no Document.
    """
    given = given_or(message.document, None)
    if given is None:
        return None
    try:
        return Document.from_dict(given)
    except msgspec.ValidationError as error:
        raise InvalidMessage(f"The document is invalid: {error}.") from None


def document_from_parsed(message: ParsedPage, page_type: str = "other") -> Document:
    """A Document of what a parser of another make has found."""
    parsed = message.parsed
    document = Document(
        url=message.url,
        final_url=message.url,
        id=_identity(message.url),
        title=parsed.title,
        description=parsed.description,
        text=parsed.text,
        images=tuple(Image(url=url) for url in parsed.images),
        links=tuple(Link(url=url) for url in parsed.links),
        metadata=_metadata(parsed.metadata),
        price_candidates=tuple(read_price(raw) for raw in parsed.price_candidates),
        rating_candidates=tuple(_rating(raw) for raw in parsed.rating_candidates),
        page_type=_page_type(page_type),
        word_count=len(parsed.text.split()),
        markdown=parsed.text,
        snapshot_hash=message.snapshot_hash,
    )
    return replace(document, change_hash=change_hash(document, document.snapshot_hash))


def _page_type(name: str) -> PageType:
    return next((each for each in get_args(PageType) if each == name), "other")


def _identity(url: str) -> str:
    try:
        return document_id(url)
    except InvalidUrl:
        return ""


def _metadata(flat: dict[str, Any]) -> dict[str, Any]:
    """Flat metadata in the parts that a Document keeps them in."""
    parts: dict[str, Any] = {"meta": {}, "opengraph": {}, "twitter": {}}
    for name, given in flat.items():
        if name == "jsonld":
            parts[name] = [each for each in _listed(given) if isinstance(each, dict)]
            continue
        value = _plain(given)
        if name == "canonical":
            parts[name] = value
        elif not value:
            continue
        elif name.startswith("og:"):
            parts["opengraph"][name] = value
        elif name.startswith("twitter:"):
            parts["twitter"][name] = value
        else:
            parts["meta"][name] = value
    return parts


def _listed(value: Any) -> list[Any]:
    return msgspec.convert(value, list[Any]) if isinstance(value, list) else [value]


def _plain(value: Any) -> str:
    """A value as a page would print it: programs also write null, numbers and lists."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ", ".join(filter(None, map(_plain, _listed(value))))
    return "" if value is None else msgspec.json.encode(value).decode()


def read_price(raw: str) -> Price:
    """A price as it was printed, understood as far as possible."""
    return parse_price(raw) or Price(raw=raw)


def _rating(raw: str) -> Rating:
    return next(iter(find_ratings(raw, limit=1)), Rating(raw=raw))

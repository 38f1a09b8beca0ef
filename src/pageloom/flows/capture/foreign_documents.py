"""Documents of pages whose content somebody else has cleaned, with what is known of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast, get_args

from pageloom.core.snapshot.fingerprint import with_hashes
from pageloom.edges.store.times import read_time
from pageloom.flows.capture.extract import extract
from pageloom.flows.transfer.import_times import read_instant
from pageloom.model import FieldSource, Moment, PageType

if TYPE_CHECKING:
    from datetime import datetime

    from pageloom.core.options import Options
    from pageloom.model import Document

_INSTANT = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?"
    r" ?(Z\b|UTC\b|GMT\b|[+-]\d{2}(?::?\d{2})?(?!\d))?)?",
    re.IGNORECASE,
)
_YEAR_OR_MONTH = re.compile(r"[12]\d{3}(?:-\d{2})?", re.ASCII)
_LONGEST_DATE = 100
_EARLIEST = 1000
"""Programs write the year 1, or 0, where they know none."""
_IMPORT = "import"
_SAID = (
    *("title", "author", "published", "description", "language", "site_name", "page_type"),
    *("hero_image", "tags"),
)
"""What can be said of a page, by its names in ``Known`` and in a Document's provenance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What somebody says of a page; it comes before what its content looks like."""

    title: str = ""
    author: str = ""
    published: str = ""
    description: str = ""
    language: str = ""
    site_name: str = ""
    page_type: str = ""
    hero_image: str = ""
    word_count: int = 0
    reading_time: int = 0
    tags: tuple[str, ...] = ()
    tagged: bool = False
    """Its tags are known; none are to be found."""
    source: str = _IMPORT


def make_document(
    content: str,
    url: str,
    options: Options,
    known: Known,
    *,
    html: bool = False,
    fetched_at: str = "",
) -> Document:
    """The Document of a page whose content somebody else has cleaned.

    Raises:
        PageloomError: there is nothing in it to read.
    """
    kind = "text/html" if html else "text/markdown"
    document = extract(
        f"<article>{content}</article>" if html else content,
        url,
        rules=None,
        options=options,
        timeout_ms=options.parse_timeout_ms,
        content_type=f"{kind}; charset=utf-8",
        fetched_at=fetched_at or None,
    )
    if not html:
        document = replace(document, markdown=content.replace("\r\n", "\n").strip())
    return with_known(document, known)


def is_imported(document: Document) -> bool:
    """Whether somebody else cleaned the content that the Document was made of."""
    return document.provenance.strategy == _IMPORT


def read_imported(content: str, old: Document, options: Options) -> Document:
    """The HTML that somebody else cleaned, read again: what was said of the page then still holds.

    Raises:
        PageloomError: there is nothing in it to read.
    """
    return make_document(content, old.final_url or old.url, options, known_of(old), html=True)


def known_of(document: Document) -> Known:
    """What was said of a page when its Document was made.

    A Document that does not tell which of its fields these are keeps them all.
    """
    told = {
        name for name in _SAID if _source(document, name) == document.provenance.strategy
    } or set(_SAID) - {"page_type", "published"}
    said = {name: getattr(document, name) for name in told - {"published"}}
    published = document.published
    if published and published.source == document.provenance.strategy:
        said["published"] = published.raw
    return Known(**said, tagged=not document.generated_tags, source=document.provenance.strategy)


def _source(document: Document, name: str) -> str:
    found = document.provenance.fields.get(name)
    return found.source if found else ""


def with_known(document: Document, known: Known) -> Document:
    """The Document with what is said of the page, and the hashes that follow."""
    origin = FieldSource(source=known.source)
    said = {name: origin for name in _SAID if getattr(known, name)}
    made = replace(
        document,
        title=known.title or document.title,
        author=known.author or document.author,
        authors=(known.author,) if known.author else document.authors,
        description=known.description or document.description,
        language=known.language or document.language,
        site_name=known.site_name or document.site_name,
        page_type=_page_type(known.page_type) or document.page_type,
        hero_image=known.hero_image or document.hero_image,
        word_count=known.word_count or document.word_count,
        reading_time=known.reading_time or document.reading_time,
        tags=known.tags or document.tags,
        generated_tags=() if known.tagged else document.generated_tags,
        published=_moment(known.published, known.source) or document.published,
        provenance=replace(
            document.provenance,
            strategy=known.source,
            fields=document.provenance.fields | said | {"text": origin},
        ),
    )
    return with_hashes(made)


def _page_type(text: str) -> PageType | None:
    return cast("PageType", text) if text in get_args(PageType) else None


def _moment(text: str, source: str) -> Moment | None:
    given = text.strip()[:_LONGEST_DATE]
    found = _INSTANT.match(given)
    if found is None:
        return _of_other(given, source)
    day = read_time(found[1])
    if day is None or day.year < _EARLIEST:
        return None
    instant = read_instant(found[0]) if found[2] else None
    if instant is None:
        return Moment(date=found[1], raw=given, source=source)
    zone = _zone(found[3] or "")
    return Moment(
        date=found[1],
        time=found[2],
        zone=zone,
        utc=_utc(instant) if zone else "",
        precision="second",
        raw=given,
        source=source,
    )


def _of_other(text: str, source: str) -> Moment | None:
    """A year or a month alone; a mail date; unix time."""
    if _YEAR_OR_MONTH.fullmatch(text) and read_time(text):
        precision = "month" if "-" in text else "year"
        return Moment(date=text, precision=precision, raw=text, source=source)
    instant = read_instant(text) if ":" in text or text.isdecimal() else None
    if instant is None or instant.year < _EARLIEST:
        return None
    utc = _utc(instant)
    date, _, time = utc.removesuffix("Z").partition("T")
    return Moment(
        date=date, time=time, zone="Z", utc=utc, precision="second", raw=text, source=source
    )


def _utc(instant: datetime) -> str:
    return instant.isoformat(timespec="seconds").replace("+00:00", "Z")


def _zone(text: str) -> str:
    """A zone as Moments spell it: PostgreSQL writes ``+00``, others ``+0000`` and ``UTC``."""
    if text[:1] not in {"+", "-"}:
        return "Z" if text else ""
    return f"{text[:3]}:{text[3:].lstrip(':') or '00'}"

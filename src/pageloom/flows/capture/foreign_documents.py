"""Documents made from content that another program extracted, with its metadata."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, cast, get_args

from pageloom.core.snapshot.fingerprint import with_hashes
from pageloom.edges.store.times import later, now, read_time, write_time
from pageloom.flows.capture.extract import extract
from pageloom.model import FieldSource, Moment, PageType

if TYPE_CHECKING:
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
"""Placeholder years: some programs write 0 or 1 for an unknown date."""
_IMPORT = "import"
_SAID = (
    *("title", "author", "published", "description", "language", "site_name", "page_type"),
    *("hero_image", "tags"),
)
"""Fields that imported metadata may set: the name in ``Known``, and in the provenance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Metadata that came with the content; it takes precedence over what is extracted."""

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
    generated_tags: tuple[str, ...] | None = None
    """Those that were generated before; None to generate them."""
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
    """Make a Document from content that another program extracted.

    Raises:
        PageloomError: it has no text.
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
    """Whether the Document was made from content that another program extracted."""
    return document.provenance.strategy == _IMPORT


def read_imported(content: str, old: Document, options: Options) -> Document:
    """Parse imported HTML again, keeping the metadata that came with it.

    Raises:
        PageloomError: it has no text.
    """
    return make_document(content, old.final_url or old.url, options, known_of(old), html=True)


def known_of(document: Document) -> Known:
    """The metadata that came with an imported Document.

    If its provenance does not say which fields were imported, all of them are kept.
    """
    told = {
        name for name in _SAID if _source(document, name) == document.provenance.strategy
    } or set(_SAID) - {"page_type", "published"}
    said = {name: getattr(document, name) for name in told - {"published"}}
    published = document.published
    if published and published.source == document.provenance.strategy:
        said["published"] = published.raw
    return Known(
        **said,
        generated_tags=None if document.generated_tags else (),
        source=document.provenance.strategy,
    )


def _source(document: Document, name: str) -> str:
    found = document.provenance.fields.get(name)
    return found.source if found else ""


def with_known(document: Document, known: Known) -> Document:
    """The Document with the given metadata, and its hashes computed again."""
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
        generated_tags=(
            document.generated_tags if known.generated_tags is None else known.generated_tags
        ),
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
    """A zone in the form of Moment.zone: PostgreSQL writes ``+00``, others ``+0000`` or ``UTC``."""
    if text[:1] not in {"+", "-"}:
        return "Z" if text else ""
    return f"{text[:3]}:{text[3:].lstrip(':') or '00'}"


_UNIX = re.compile(r"(\d{9,17})(?:\.\d+)?", re.ASCII)
_SPACED_ZONE = re.compile(r" (?=[+-]\d\d)| ?(?:UTC|GMT|Z)$", re.IGNORECASE)
_FIRST = "1990"
"""The earliest plausible time: no page is older than the web."""
_TWO_DAYS = 2 * 86_400.0


def read_instant(text: str) -> datetime | None:
    """Read a time as UTC; None if the text is not a time."""
    cleaned = text.strip()
    unix = _UNIX.fullmatch(cleaned)
    if unix:
        return _of_unix(int(unix[1]))
    spaced = _SPACED_ZONE.search(cleaned)
    if spaced:
        zone = cleaned[spaced.end() :] or "+00:00"
        return read_time(cleaned[: spaced.start()] + zone) or _of_mail(cleaned)
    return read_time(cleaned) or _of_mail(cleaned)


def known_instant(text: str) -> str:
    """A time as a UTC instant; empty if it is unknown.

    Programs write zero, negative or absurd times when they do not know the time.
    """
    moment = read_instant(text) if text else None
    instant = write_time(moment) if moment else ""
    return instant if _FIRST <= instant <= later(now(), _TWO_DAYS) else ""


def _of_unix(number: int) -> datetime:
    """Seconds, milliseconds or microseconds since 1970."""
    while number > 10**11:
        number //= 1000
    return datetime.fromtimestamp(number, UTC)


def _of_mail(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None

"""Documents of pages whose content somebody else has cleaned, with what is known of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast, get_args

from pageloom.core.snapshot.fingerprint import with_hashes
from pageloom.edges.store.times import read_time
from pageloom.flows.reading import extract
from pageloom.model import FieldSource, Moment, PageType

if TYPE_CHECKING:
    from pageloom.core.options import Options
    from pageloom.model import Document

_INSTANT = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?"
)


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
    source: str = "import"


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
    return with_known(document if html else replace(document, markdown=content.strip()), known)


def bare_document(url: str, known: Known) -> Document:
    """The Document of a page of which no content is known yet."""
    from pageloom.core.normalize.urls import document_id
    from pageloom.model import Document as Made

    return with_known(Made(url=url, final_url=url, id=document_id(url)), known)


def with_known(document: Document, known: Known) -> Document:
    """The Document with what is said of the page, and the hashes that follow."""
    origin = FieldSource(source=known.source)
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
            fields=document.provenance.fields | {"text": origin},
        ),
    )
    return with_hashes(made)


def _page_type(text: str) -> PageType | None:
    return cast("PageType", text) if text in get_args(PageType) else None


def _moment(text: str, source: str) -> Moment | None:
    found = _INSTANT.match(text.strip())
    if found is None:
        return None
    moment = read_time(found[0]) if found[2] else None
    utc = moment.isoformat(timespec="seconds").replace("+00:00", "Z") if moment else ""
    return Moment(
        date=found[1],
        time=found[2] or "",
        zone=found[3] or "",
        utc=utc if found[3] else "",
        precision="second" if found[2] else "day",
        raw=text[:100],
        source=source,
    )

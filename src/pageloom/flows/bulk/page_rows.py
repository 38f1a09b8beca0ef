"""From one page of the input to one row of the output: extract, filter, read the columns."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pageloom.core.assembly import OPTIONAL
from pageloom.core.pipeline import extract
from pageloom.core.rules.patterns import contains
from pageloom.edges.rulefiles import SealedRules
from pageloom.errors import PageloomError
from pageloom.flows.bulk.columns import COLUMNS, PageRow
from pageloom.flows.bulk.options import RESPECT
from pageloom.flows.bulk.runner import Outcome
from pageloom.flows.bulk.signatures import signature_of
from pageloom.flows.bulk.tally import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pageloom.core.options import Options
    from pageloom.flows.bulk.options import BulkFilters, BulkOptions
    from pageloom.model import Document, RawPage

FILTERED = "Filtered"
_WHOLE = frozenset(("document", "provenance", "change_hash", "snapshot_hash"))
"""Columns that are made of all others."""
_SAMPLE = "harbour-swifts.html"
"""A first page, so that all is loaded before the fork: one that has a little of everything."""
_LONGEST_DETAIL = 300


def make_reader(
    options: BulkOptions, rules: Any
) -> Callable[[RawPage, str, tuple[int, int, int]], Outcome]:
    """The function that makes rows, with everything loaded that it needs."""
    book = rules.open() if isinstance(rules, SealedRules) else rules
    extraction, leave_out = needed(options)
    getters = [COLUMNS[name][1] for name in options.columns]

    def read_page(raw: RawPage, source_file: str, place: tuple[int, int, int]) -> Outcome:
        why = _refused_unread(raw, options.filters)
        if why:
            return Outcome(reason=FILTERED, detail=why[1], filter=why[0])
        try:
            document = _extract(raw, extraction, book, leave_out)
            row = PageRow(document, raw, source_file, *place[1:])
            why = next(_refusals(row, options.filters), None)
            if why:
                return Outcome(reason=FILTERED, detail=why[1], filter=why[0])
            values = tuple(getter(row) for getter in getters)
            signature = signature_of(document, options.dedup, place)
        except PageloomError as error:
            return Outcome(reason=error.code, detail=error.message[:_LONGEST_DETAIL])
        shown = dict(zip(options.columns, values, strict=True))
        return Outcome(values, signature, tuple(counted(shown)))

    read_page(_sample(), "", (0, 0, 0))
    return read_page


def _sample() -> RawPage:
    from pageloom.model import RawPage

    body = files("pageloom.samples").joinpath(_SAMPLE).read_bytes()
    url = "https://tidewatch.example/"
    return RawPage(url=url, final_url=url, status=200, headers={}, body=body)


def needed(options: BulkOptions) -> tuple[Options, frozenset[str]]:
    """The options of extraction without what no column needs, and the fields to leave out."""
    columns, extraction = set(options.columns), options.extraction
    if columns & _WHOLE or extraction.strict:
        return extraction, frozenset()
    has_media = extraction.extract_media and bool(columns & {"images", "hero_image"})
    has_links = extraction.extract_links and "links" in columns
    lean = replace(extraction, extract_media=has_media, extract_links=has_links)
    return lean, frozenset(OPTIONAL - columns)


def _extract(raw: RawPage, options: Options, book: Any, leave_out: frozenset[str]) -> Document:
    return extract(
        raw.body,
        raw.url or None,
        content_type=raw.content_type or None,
        rules=book,
        options=options,
        final_url=raw.final_url or None,
        fetched_at=raw.fetched_at or None,
        defer=lambda make: make,  # one thread: nobody to wait for
        leave_out=leave_out,
    )


def _refused_unread(raw: RawPage, filters: BulkFilters) -> tuple[str, str] | None:
    """The filter that refuses a page by what is known before it is read."""
    if filters.status and raw.status and raw.status not in filters.status:
        return "status", f"status {raw.status}"
    if filters.url_match and not contains(filters.url_match, raw.url):
        return "url_match", "url_match"
    return None


def _refusals(row: PageRow, filters: BulkFilters) -> Iterator[tuple[str, str]]:
    """The filters that refuse a page; what none of them asks for is not computed."""
    page = row.document
    if filters.language and page.language not in filters.language:
        yield "language", f"language {page.language or 'unknown'}"
    if filters.page_type and page.page_type not in filters.page_type:
        yield "page_type", f"page_type {page.page_type}"
    for term in filters.respect:
        if found := set(RESPECT[term]).intersection(row.robots):
            yield "respect", f"respect {min(found)}"
    if filters.min_words and page.word_count < filters.min_words:
        yield "min_words", f"min_words {page.word_count}"
    if filters.min_quality and page.quality_score < filters.min_quality:
        yield "min_quality", f"min_quality {page.quality_score}"
    if filters.media_type and page.provenance.media_type not in filters.media_type:
        yield "media_type", f"media_type {page.provenance.media_type}"

"""Compare two captured pages, and show a comparison as text, rows or a page of HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.compare.change import diff
from pageloom.flows.capture.extract import extract
from pageloom.flows.library.version_pairs import VersionPair
from pageloom.views.folding import fold_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.core.compare.options import DiffOptions
    from pageloom.core.compare.rows import Row
    from pageloom.core.options import Options


def compare_files(
    before: bytes, after: bytes, url: str | None, *, extraction: Options, comparing: DiffOptions
) -> VersionPair:
    """Extract two pages and compare them.

    Raises:
        PageloomError: one of them cannot be extracted.
    """
    old, new = (
        extract(content, url, options=extraction, timeout_ms=extraction.parse_timeout_ms)
        for content in (before, after)
    )
    return VersionPair(before=old, after=new, report=diff(old, new, comparing))


def comparison_rows(pair: VersionPair, *, folded: bool = False) -> list[Row]:
    """The texts line by line: the same, removed, added; folded, only what is near a change."""
    from pageloom.core.compare.rows import make_rows

    rows = list(make_rows(pair.before.text, pair.after.text))
    return fold_rows(rows) if folded else rows


def comparison_text(rows: Sequence[Row], *, side_by_side: bool, width: int) -> str:
    """The rows of a comparison as plain text."""
    from pageloom.core.compare.render import render_text

    return render_text(rows, side_by_side=side_by_side, width=width)


def comparison_page(pair: VersionPair, *, side_by_side: bool) -> str:
    """The comparison as one page of HTML."""
    from pageloom.core.compare.render import render_html_page

    title = pair.after.title or pair.before.title or "Comparison"
    rows = comparison_rows(pair)
    return render_html_page(title, pair.report.summary, rows, side_by_side=side_by_side)

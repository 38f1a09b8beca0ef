"""What changed between two Documents: the levels in order, and what they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pageloom.core.compare.options import DEFAULTS, DiffOptions, read_diff_options
from pageloom.core.compare.report import (
    ChangeReport,
    Classification,
    Field,
    TextChange,
    ValueChange,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pageloom.model import Document


def diff(
    before: Document | None,
    after: Document,
    options: DiffOptions | Mapping[str, Any] | None = DEFAULTS,
) -> ChangeReport:
    """What changed, level by level, and whether it matters.

    Args:
        before: the Document to compare with; None for a page that is new.
        after: the Document of today.
        options: a DiffOptions, or a mapping of some of its fields.

    Returns:
        The report. Version numbers are the caller's to fill.
    """
    chosen = read_diff_options(options)
    if before is None:
        return _new_page(after)
    if before.change_hash and before.change_hash == after.change_hash:
        return _unchanged(after)
    return _compare(before, after, chosen)


def classify(document: Document) -> Classification:
    """What kind of page it is, as change messages say it."""
    return Classification(
        type=document.page_type, confidence=round(document.page_type_confidence, 2)
    )


def _new_page(after: Document) -> ChangeReport:
    return ChangeReport(
        url=after.final_url or after.url,
        is_new=True,
        verb="new",
        summary="New page.",
        classification=classify(after),
        snapshot_hash=after.snapshot_hash,
    )


def _unchanged(after: Document) -> ChangeReport:
    return ChangeReport(
        url=after.final_url or after.url,
        same_hash=True,
        summary="No change.",
        classification=classify(after),
        snapshot_hash=after.snapshot_hash,
    )


def _compare(before: Document, after: Document, options: DiffOptions) -> ChangeReport:
    title = _value(before.title, after.title)
    description = _value(before.description, after.description)
    text = TextChange(changed=before.text != after.text, before=before.text, after=after.text)
    availability = _value(before.availability, after.availability)
    levels: dict[Field, ValueChange | TextChange] = {
        "title": title,
        "description": description,
        "text": text,
    }
    changed: list[Field] = [name for name, level in levels.items() if level.changed]
    return ChangeReport(
        url=after.final_url or after.url,
        has_changes=bool(changed),
        changed_fields=tuple(changed),
        title=title,
        description=description,
        text=text,
        availability=availability,
        classification=classify(after),
        snapshot_hash=after.snapshot_hash,
    )


def _value(before: str, after: str) -> ValueChange:
    return ValueChange(before=before, after=after, changed=before != after)

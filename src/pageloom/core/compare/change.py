"""Compare two Documents: all levels in order, and the resulting report."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pageloom.core.compare.links import compare_links
from pageloom.core.compare.metadata import compare_metadata
from pageloom.core.compare.movement import Movement, learn
from pageloom.core.compare.offers import compare_availability, compare_price, compare_rating
from pageloom.core.compare.options import DEFAULTS, DiffOptions, read_diff_options
from pageloom.core.compare.pictures import compare_images
from pageloom.core.compare.report import (
    FIELDS,
    ChangeReport,
    Field,
    TextChange,
    TrivialDifference,
    ValueChange,
    classify,
)
from pageloom.core.compare.side import Side
from pageloom.core.compare.summary import choose_verb, rate_importance, summarise
from pageloom.core.compare.text import compare_text
from pageloom.core.compare.values import ValueVerdict, compare_paragraph, compare_title

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pageloom.model import Document


def diff(
    before: Document | None,
    after: Document,
    options: DiffOptions | Mapping[str, Any] | None = DEFAULTS,
    *,
    earlier: Sequence[Document] | Movement = (),
) -> ChangeReport:
    """What changed, level by level, and whether it matters.

    Args:
        before: the Document to compare with; None for a page that is new.
        after: the Document of today.
        options: a DiffOptions, or a mapping of some of its fields.
        earlier: Documents of older visits, the oldest first. They show which places of the page
            move by themselves.

    Returns:
        The report. Version numbers are the caller's to fill.
    """
    chosen = read_diff_options(options)
    if before is None:
        return _new_page(after)
    if before.change_hash and before.change_hash == after.change_hash:
        return _unchanged(after)
    movement = earlier if isinstance(earlier, Movement) else learn((*earlier, before))
    return _compare(before, after, chosen, movement if movement.visits else None)


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


def _compare(
    before: Document, after: Document, options: DiffOptions, movement: Movement | None
) -> ChangeReport:
    one, two = Side(before), Side(after)
    text, noise, told = compare_text(one, two, options, movement)
    levels: dict[Field, tuple[Any, list[TrivialDifference]]] = {
        "title": _title(before, after, options),
        "description": _description(before, after, text),
        "text": (text, noise),
        "images": compare_images(one, two, movement),
        "metadata": compare_metadata(before, after, options, movement),
        "links": compare_links(one, two, told, movement),
        "price": compare_price(one, two, told),
        "rating": compare_rating(before, after),
        "availability": compare_availability(before, after),
    }
    report = ChangeReport(
        url=after.final_url or after.url,
        trivial=tuple(each for _, trivial in levels.values() for each in trivial),
        classification=classify(after),
        snapshot_hash=after.snapshot_hash,
        **{name: change for name, (change, _) in levels.items()},
    )
    return _conclude(report, options)


def _conclude(report: ChangeReport, options: DiffOptions) -> ChangeReport:
    changed: list[Field] = [name for name in FIELDS if getattr(report, name).changed]
    counted = tuple(name for name in changed if name not in options.ignored_fields)
    report = replace(report, changed_fields=counted, has_changes=bool(counted))
    report = replace(report, importance=rate_importance(report))
    return replace(report, verb=choose_verb(report), summary=summarise(report))


def _title(
    before: Document, after: Document, options: DiffOptions
) -> tuple[ValueChange, list[TrivialDifference]]:
    one, two = before.title, after.title
    verdict = compare_title(one, two, case_matters=options.title_case_matters)
    return _value("title", one, two, verdict)


def _description(
    before: Document, after: Document, text: TextChange
) -> tuple[ValueChange, list[TrivialDifference]]:
    """A description of the page's own making; one that we cut from the text says nothing new."""
    one, two = before.description, after.description
    verdict = compare_paragraph(one, two)
    if verdict.changed and not text.changed and _is_cut(before) and _is_cut(after):
        verdict = ValueVerdict(changed=False, kind="from-text")
    return _value("description", one, two, verdict)


def _is_cut(document: Document) -> bool:
    source = document.provenance.fields.get("description")
    return source is not None and source.source in ("paragraph", "text")


def _value(
    field: Field, before: str, after: str, verdict: ValueVerdict
) -> tuple[ValueChange, list[TrivialDifference]]:
    change = ValueChange(before=before, after=after, changed=verdict.changed)
    if not verdict.kind:
        return change, []
    return change, [
        TrivialDifference(field=field, kind=verdict.kind, before=before[:200], after=after[:200])
    ]

"""Compare two Documents: all levels in order, and the resulting report."""

from __future__ import annotations

import re
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

_SITE_NAME = re.compile(r"\s{0,4}[-–—|·:»]\s{0,4}(\S[^|]{1,80})")


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
    title, title_noise = _title(before, after, options)
    description, description_noise = _description(before, after, text)
    images, image_noise = compare_images(one, two, movement)
    metadata, metadata_noise = compare_metadata(before, after, options, movement)
    links, link_noise = compare_links(one, two, told, movement)
    price, price_noise = compare_price(one, two)
    rating, rating_noise = compare_rating(before, after)
    availability, stock_noise = compare_availability(before, after)
    report = ChangeReport(
        url=after.final_url or after.url,
        title=title,
        description=description,
        text=text,
        images=images,
        metadata=metadata,
        links=links,
        price=price,
        rating=rating,
        availability=availability,
        trivial=(
            *title_noise,
            *description_noise,
            *noise,
            *image_noise,
            *metadata_noise,
            *link_noise,
            *price_noise,
            *rating_noise,
            *stock_noise,
        ),
        classification=classify(after),
        snapshot_hash=after.snapshot_hash,
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
    if verdict.changed and _claim(before) and _claim(before) == _claim(after):
        verdict = ValueVerdict(
            changed=False, kind="placement"
        )  # the same words, cut in another place
    if verdict.changed and _is_signed(before, after):
        verdict = ValueVerdict(changed=False, kind="site-name")
    return _value("title", one, two, verdict)


def _claim(document: Document) -> str:
    """The title as the page has it, with all that we cut from it."""
    source = document.provenance.fields.get("title")
    return " ".join(source.raw.split()) if source else ""


def _is_signed(before: Document, after: Document) -> bool:
    """Whether a title only has the name of its site behind it, which links or metadata tell."""
    short, long = sorted((before.title, after.title), key=len)
    found = _SITE_NAME.fullmatch(long[len(short) :])
    if not short or not long.startswith(short) or not found:
        return False
    names = {name for page in (before, after) for name in (page.site_name, *_home_names(page))}
    return found[1].casefold() in {name.strip().casefold() for name in names if name}


def _home_names(document: Document) -> list[str]:
    """What links to the front page of the site say."""
    return [link.text for link in document.links if link.internal and _is_front(link.url)]


def _is_front(url: str) -> bool:
    return url.partition("://")[2].partition("?")[0].rstrip("/").count("/") == 0


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

"""Summarize a report: importance, category and one line of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.core.compare.report import ChangeReport, Field, Price, Verb

_WEIGHTS: dict[str, float] = {
    "title": 0.6,
    "description": 0.3,
    "text": 0.4,
    "images": 0.25,
    "metadata": 0.2,
    "links": 0.2,
    "price": 0.8,
    "rating": 0.4,
    "availability": 0.8,
}
_MINOR = 0.5
_LONGEST = 200
_QUOTE = 60


def rate_importance(report: ChangeReport) -> float:
    """0 for nothing, 1 for a page that is another one: the weightiest level, and a little more."""
    weights = sorted((_weight(report, name) for name in report.changed_fields), reverse=True)
    if not weights:
        return 0.0
    rest = 1.0
    for weight in weights[1:]:
        rest *= 1 - weight / 4
    return round(min(1.0, weights[0] + (1 - weights[0]) * (1 - rest)), 2)


def _weight(report: ChangeReport, name: Field) -> float:
    if name == "text":
        lost = 1 - report.text.similarity
        salient = 0.15 if report.text.salient else 0.0
        return min(1.0, _WEIGHTS["text"] + salient + lost * 0.6)
    if name == "price" and report.price.percent is not None:
        return min(1.0, 0.6 + abs(report.price.percent) / 100)
    return _WEIGHTS[name]


def choose_verb(report: ChangeReport) -> Verb:
    """The sort of change in one word."""
    if not report.has_changes:
        return "cosmetic" if report.trivial else "unchanged"
    if report.price.changed and "price" in report.changed_fields:
        return "price"
    if "availability" in report.changed_fields:
        return "stock"
    return "minor" if report.importance < _MINOR else "major"


def summarise(report: ChangeReport) -> str:
    """One line for people."""
    if not report.has_changes:
        return _no_change(report)
    parts = [_SAYINGS[name](report) for name in _ORDER if name in report.changed_fields]
    line = "; ".join(part for part in parts if part)
    line = line[:1].upper() + line[1:]
    return (line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…") + (
        "." if len(line) <= _LONGEST else ""
    )


def _no_change(report: ChangeReport) -> str:
    kinds = list(dict.fromkeys(each.kind for each in report.trivial))
    if not kinds:
        return "No change."
    shown = ", ".join(kinds[:4]) + (" …" if len(kinds) > 4 else "")
    return f"No change that matters ({shown})."


_ORDER: tuple[Field, ...] = (
    "availability",
    "price",
    "title",
    "rating",
    "text",
    "description",
    "images",
    "links",
    "metadata",
)


def _say_availability(report: ChangeReport) -> str:
    before, after = (
        report.availability.before.replace("_", " "),
        report.availability.after.replace("_", " "),
    )
    return f"stock: {before} → {after}"


def _say_price(report: ChangeReport) -> str:
    change = report.price
    before, after = _amount(change.before), _amount(change.after)
    if change.direction == "other":
        return f"a price changed: {before} → {after}" if before != after else "a price changed"
    shares = f" ({change.percent:+.1f}%)" if change.percent is not None else ""
    return f"price {change.direction}: {before} → {after}{shares}"


def _amount(price: Price | None) -> str:
    if price is None or price.amount is None:
        return "none"
    return f"{price.amount} {price.currency}".strip()


def _say_title(report: ChangeReport) -> str:
    return f"title: “{_short(report.title.before)}” → “{_short(report.title.after)}”"


def _say_rating(report: ChangeReport) -> str:
    before, after = report.rating.before, report.rating.after
    return f"rating: {before.value if before else 'none'} → {after.value if after else 'none'}"


def _say_text(report: ChangeReport) -> str:
    counts: dict[str, int] = {}
    for block in report.text.blocks:
        if not block.trivial:
            counts[block.operation] = counts.get(block.operation, 0) + 1
    # what is trivial is listed only where there is room for it, after all that is not
    if report.text.omitted and not any(block.trivial for block in report.text.blocks):
        return f"text rewritten ({report.text.similarity:.0%} the same)"
    told = ", ".join(f"{number} {name}" for name, number in counts.items())
    return f"text: {told or 'reworded'} {_short(report.text.snippet)}".rstrip()


def _say_description(report: ChangeReport) -> str:
    return "description changed"


def _say_images(report: ChangeReport) -> str:
    change = report.images
    told = [f"{len(change.added)} new"] if change.added else []
    told += [f"{len(change.removed)} gone"] if change.removed else []
    return f"images: {', '.join(told) or 'another main picture'}"


def _say_links(report: ChangeReport) -> str:
    counts = {
        name: sum(move.operation == name for move in report.links.moves)
        for name in ("added", "removed", "retargeted")
    }
    return "links: " + ", ".join(f"{number} {name}" for name, number in counts.items() if number)


def _say_metadata(report: ChangeReport) -> str:
    names = list(report.metadata.changes)
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return f"metadata: {', '.join(_short(name) for name in names[:2])}{more}"


_SAYINGS: dict[str, Callable[[ChangeReport], str]] = {
    "availability": _say_availability,
    "price": _say_price,
    "title": _say_title,
    "rating": _say_rating,
    "text": _say_text,
    "description": _say_description,
    "images": _say_images,
    "links": _say_links,
    "metadata": _say_metadata,
}


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _QUOTE else text[: _QUOTE - 1] + "…"

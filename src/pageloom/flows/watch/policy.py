"""What a watch looks at, and what it wants to hear: a person's wishes, applied to values."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from decimal import Decimal  # noqa: TC003  part of the value
from functools import partial
from typing import TYPE_CHECKING

from pageloom.core.compare.options import DEFAULTS, DiffOptions
from pageloom.core.rules.patterns import PatternError, compile_pattern
from pageloom.errors import SettingsError
from pageloom.model import edit_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.core.compare.report import ChangeReport
    from pageloom.model import Document
    from pageloom.model.watch import WatchSettings

_MOST_MATCHES = 10_000
# What lies outside of a chosen part is not of interest, whatever it is called.
_OUTSIDE = ("title", "description", "metadata")


_LATE = 600.0
"""Seconds that a second look may come late, because much else is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchPolicy:
    """How one track of versions is compared, and what of it is notified."""

    track: str = ""
    options: DiffOptions = DEFAULTS
    ignore_text: tuple[str, ...] = ()
    only_if: tuple[str, ...] = ()
    price_below: Decimal | None = None
    stock_back: bool = False
    min_importance: float = 0.0
    confirms: bool = True
    """Whether a difference on weak evidence waits for the next check."""
    second_look: float = 0.0
    """Seconds within which a check after the first one only learns what moves by itself."""


def policy_of(
    settings: WatchSettings,
    track: str,
    options: DiffOptions = DEFAULTS,
    *,
    second_look: float = 0.0,
) -> WatchPolicy:
    """The terms that the owner of a watch chose."""
    scoped = bool(settings.scope)
    ignored = (*options.ignored_fields, *_OUTSIDE) if scoped else options.ignored_fields
    return WatchPolicy(
        track=track,
        options=replace(options, scoped=scoped, ignored_fields=ignored),
        ignore_text=settings.ignore_text,
        only_if=settings.only_if,
        price_below=settings.price_below,
        stock_back=settings.stock_back,
        min_importance=settings.min_importance,
        second_look=second_look and second_look + _LATE,
    )


def check_patterns(patterns: Sequence[str]) -> None:
    """Refuse what is no regular expression.

    Raises:
        SettingsError: and why.
    """
    for pattern in patterns:
        try:
            compile_pattern(pattern)
        except PatternError as error:
            raise SettingsError(f"{pattern[:80]!r} is not a valid pattern: {error}.") from None


def masked(document: Document, patterns: Sequence[str]) -> Document:
    """The Document without the ignored text; its hashes no longer hold."""
    if not patterns:
        return document
    text, title = document.text, document.title
    blocks = document.blocks
    for pattern in patterns:
        text, title = _without(pattern, text), _without(pattern, title)
        blocks = edit_texts(blocks, partial(_without, pattern))
    return replace(
        document, text=text, title=title, blocks=blocks, snapshot_hash="", change_hash=""
    )


def matches(pattern: str, text: str) -> Iterator[str]:
    """What a pattern finds in a text, one after another."""
    for number, found in enumerate(compile_pattern(pattern).finditer(text)):
        if number >= _MOST_MATCHES:
            return
        yield text[found.start() : found.end()]


def _without(pattern: str, text: str) -> str:
    parts: list[str] = []
    end = 0
    for number, found in enumerate(compile_pattern(pattern).finditer(text)):
        if number >= _MOST_MATCHES:
            break
        parts.append(text[end : found.start()])
        end = found.end()
    return "".join((*parts, text[end:]))


def why_filtered(report: ChangeReport, terms: WatchPolicy) -> str:
    """Why a change is not what its watcher asked for; empty when it is.

    Of several triggers one is enough; the least importance has to be reached in any case.
    """
    if report.importance < terms.min_importance:
        return f"importance {report.importance:.2f} is below {terms.min_importance:.2f}"
    triggers = [
        terms.only_if and _has_news(report, terms.only_if),
        terms.price_below is not None and _is_below(report, terms.price_below),
        terms.stock_back and _is_back(report),
    ]
    asked = (bool(terms.only_if), terms.price_below is not None, terms.stock_back)
    if not any(asked) or any(triggers):
        return ""
    return "no condition (only_if, price_below, stock_back) was met"


def _has_news(report: ChangeReport, patterns: Sequence[str]) -> bool:
    new = [block.after for block in report.text.blocks if block.after]
    new += [each.after for each in (report.title, report.description) if each.changed]
    text = "\n".join(new)
    return any(compile_pattern(pattern).search(text) is not None for pattern in patterns)


def _is_below(report: ChangeReport, limit: Decimal) -> bool:
    price = report.price.after
    if not report.price.changed or price is None or price.amount is None:
        return False
    return price.amount < limit


def _is_back(report: ChangeReport) -> bool:
    change = report.availability
    return change.changed and change.after == "in_stock"


def reading_version(rules_version: str, scope: Sequence[str], ignored: Sequence[str]) -> str:
    """The name of the way a page is read, beside the parser: another name, another way."""
    if not scope and not ignored:
        return rules_version
    spelt = "\n".join((rules_version, *scope, "", *ignored))
    return hashlib.sha256(spelt.encode()).hexdigest()[:16]

"""Put a report into words: its importance, its category, and one line that a person understands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from pageloom.core.compare.align import common_ends

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pageloom.core.compare.report import BlockChange, ChangeReport, Field, Price, Verb

_LONGEST = 280
_WORDS = 400


def make_snippet(pairs: Iterable[tuple[str, str]], limit: int = _LONGEST) -> str:
    """The words that came and went, in one line, cut where it gets long."""
    came: list[str] = []
    went: list[str] = []
    for before, after in pairs:
        old, new = changed_words(before, after)
        came += [new] if new else []
        went += [old] if old else []
        if sum(map(len, came)) > limit and sum(map(len, went)) > limit:
            break
    new, old = _cut(" … ".join(came), limit), _cut(" … ".join(went), limit)
    if not new and not old:
        return ""
    parts = ([f"+ {new}"] if new else []) + ([f"- {old}"] if old else [])
    return f"[{' '.join(parts)}]"


def changed_words(before: str, after: str) -> tuple[str, str]:
    """What a block lost and what it gained, without the words that both have."""
    if not before or not after:
        return before, after
    start, end = common_ends(before, after)
    left = before[start : len(before) - end].split()
    right = after[start : len(after) - end].split()
    if len(left) > _WORDS or len(right) > _WORDS:
        return " ".join(left[:_WORDS]), " ".join(right[:_WORDS])
    old: list[str] = []
    new: list[str] = []
    for code in Indel.opcodes(left, right):
        if code.tag in ("delete", "replace"):
            old += left[code.src_start : code.src_end]
        if code.tag in ("insert", "replace"):
            new += right[code.dest_start : code.dest_end]
    return " ".join(old), " ".join(new)


def excerpt(pieces: Sequence[str], limit: int) -> str:
    """The pieces, one a line, at most so many characters."""
    kept: list[str] = []
    room = limit
    for piece in pieces:
        if not piece:
            continue
        kept.append(_cut(piece, room))
        room -= len(piece) + 1
        if room <= 0:
            break
    return "\n".join(kept)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"


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
_QUOTE = 90
_MOST_BLOCKS = 3
_MOST_TOLD = 9
"""Differences that one line tells, and a message; the rest are counted."""
_THOUSANDS = re.compile(r"(?<=\d)\s(?=\d{3}(?!\d))")
_NO_FIGURE = re.compile(r"\D+")
_EDGES = "()[]{}.,;:!?*€$£¥₹₽-–—"
_CLAUSE_END = re.compile(r"(?<=[.!?;:。！？；])\s+|(?<=[。！？；])")
_WORDS_AROUND = 5
_PLACES = {
    "bar": "in the bar",
    "box": "in a box",
    "footer": "in the footer",
    "navigation": "in the menu",
}


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
    """One line for people: what changed, in the words of the page."""
    if not report.has_changes:
        return _no_change(report)
    line = ". ".join(dict.fromkeys("; ".join(said) for said in _say(report, _MOST_BLOCKS) if said))
    if len(line) > _LONGEST:
        return _as_sentence(line)[: _LONGEST - 1].rstrip() + "…"
    return _as_sentence(line)


def tell(report: ChangeReport) -> list[str]:
    """The same at length: one sentence for each difference."""
    if not report.has_changes:
        return [_no_change(report)]
    told = dict.fromkeys(one for said in _say(report, _MOST_TOLD) for one in said)
    return [_as_sentence(one) for one in told]


def _say(report: ChangeReport, blocks: int) -> Iterator[list[str]]:
    """What is said of each level that changed, at most so many differences of the text."""
    for name, say in _SAYINGS.items():
        if name in report.changed_fields:
            said = [say(report)] if say is not None else _say_text(report, blocks)
            yield [one for one in said if one]


def _as_sentence(line: str) -> str:
    line = line[:1].upper() + line[1:]
    return line if line.rstrip("”").endswith((".", "!", "?", "…")) else f"{line}."


def _no_change(report: ChangeReport) -> str:
    kinds = list(dict.fromkeys(each.kind for each in report.trivial))
    if not kinds:
        return "No change."
    shown = ", ".join(kinds[:4]) + (" …" if len(kinds) > 4 else "")
    return f"No change that matters ({shown})."


_STOCK = {
    "in_stock": "in stock",
    "out_of_stock": "out of stock",
    "preorder": "for pre-order",
    "unknown": "of unknown availability",
}


def _say_availability(report: ChangeReport) -> str:
    before, after = (
        _STOCK.get(value, value.replace("_", " "))
        for value in (report.availability.before, report.availability.after)
    )
    return f"Now {after} (was {before})"


def _say_price(report: ChangeReport) -> str:
    change = report.price
    before, after = _amount(change.before), _amount(change.after)
    if change.direction == "other":
        return f"A price changed: {before} → {after}" if before != after else "A price changed"
    if change.direction == "appeared":
        return f"A price appeared: {after}"
    if change.direction == "vanished":
        return f"The price is gone (was {before})"
    shares = f" ({change.percent:+.1f}%)" if change.percent is not None else ""
    return f"Price {before} → {after}{shares}"


def _amount(price: Price | None) -> str:
    if price is None or price.amount is None:
        return "none"
    return f"{price.amount} {price.currency}".strip()


def _say_title(report: ChangeReport) -> str:
    return f"Title: “{_short(report.title.before)}” → “{_short(report.title.after)}”"


def _say_rating(report: ChangeReport) -> str:
    before, after = report.rating.before, report.rating.after
    return f"Rating {before.value if before else 'none'} → {after.value if after else 'none'}"


def _say_text(report: ChangeReport, most: int) -> list[str]:
    told = sorted(
        (
            block
            for block in report.text.blocks
            if not block.trivial and not _is_told(block, report)
        ),
        key=lambda block: -block.chance,
    )
    if report.text.omitted and not any(block.trivial for block in report.text.blocks):
        return [f"Text rewritten ({report.text.similarity:.0%} the same)"]
    if not told:
        return [] if len(report.changed_fields) > 1 else ["The text was reworded"]
    chosen = told[:most]
    shown = [describe_block(block) for block in report.text.blocks if block in chosen]
    more = len(told) - len(shown)
    return [*shown, f"and {more} more"] if more else shown


def _is_told(block: BlockChange, report: ChangeReport) -> bool:
    """Whether another part of the line says it already: the price, the title."""
    price = report.price
    if price.changed and price.before and price.after and block.operation == "edited":
        before, after = (_figures(str(each.amount)) for each in (price.before, price.after))
        shown = (_THOUSANDS.sub("", text) for text in (block.before, block.after))
        old, new = map(_figures, changed_words(*shown))
        if after <= new <= after | before and old <= before:
            return True
    return report.title.changed and block.after == report.title.after


def _figures(text: str) -> set[str]:
    """The numbers and words of a price, however it is written: ``34,90 €`` is ``34.9``, and 349.

    Shares are left out, for they are told with the price.
    """
    words = (word.strip(_EDGES) for word in text.split() if not word.rstrip(_EDGES).endswith("%"))
    return {_NO_FIGURE.sub("", word).rstrip("0") or word for word in words if word}


def describe_block(block: BlockChange) -> str:
    """One difference as a person would say it."""
    where = f" {_PLACES[block.role]}" if block.role in _PLACES else ""
    label = block.label or ""
    about = f"{_short(label, 60)}: " if label else ""
    if block.operation == "edited":
        old, new = shown_words(block.before, block.after)
        return f"{about}“{_short(old)}” → “{_short(new)}”{where}"
    if block.operation == "moved":
        return f"Moved: {about}“{_short(block.after)}”"
    under = f" (under “{_short(block.heading, 50)}”)" if block.heading and not where else ""
    if block.operation == "added":
        return f"New{where}: {about}“{_short(block.after)}”{under}"
    return f"Gone{where}: {about}“{_short(block.before)}”{under}"


def shown_words(before: str, after: str) -> tuple[str, str]:
    """What an edit took out and put in, with the clause around it."""
    start, end = common_ends(before, after)
    if len(before) <= _QUOTE and len(after) <= _QUOTE:
        return before, after
    head, tail = before[:start], before[len(before) - end :] if end else ""
    clause = _CLAUSE_END.split(head)[-1]
    rest = _CLAUSE_END.split(tail)[0]
    lead = " ".join(clause.split()[-_WORDS_AROUND:])
    trail = " ".join(rest.split()[:_WORDS_AROUND])
    return tuple(  # type: ignore[return-value]  two of them
        _framed(text[start : len(text) - end], lead, trail, clause, rest)
        for text in (before, after)
    )


def _framed(middle: str, lead: str, trail: str, clause: str, rest: str) -> str:
    """The changed words with those around them; an ellipsis where more was cut."""
    before = ("…" if len(lead) < len(clause.strip()) else "") + lead
    after = trail + ("…" if len(trail) < len(rest.strip()) else "")
    return " ".join(part for part in (before, middle.strip(), after) if part)


def _say_description(report: ChangeReport) -> str:
    before, after = shown_words(report.description.before, report.description.after)
    if report.text.changed:
        return ""
    return f"Description: “{_short(before)}” → “{_short(after)}”"


def _say_images(report: ChangeReport) -> str:
    change = report.images
    told = [f"{len(change.added)} new"] if change.added else []
    told += [f"{len(change.removed)} gone"] if change.removed else []
    names = [_file(url) for url in (*change.added, *change.removed)[:2]]
    named = f" ({', '.join(names)})" if names else ""
    return f"Pictures: {', '.join(told) or 'another main picture'}{named}"


def _file(url: str) -> str:
    return _short(url.partition("?")[0].rstrip("/").rpartition("/")[2], 40)


def _say_links(report: ChangeReport) -> str:
    if report.text.changed:
        return ""
    return "; ".join(_say_moves(report))


def _say_moves(report: ChangeReport) -> Iterator[str]:
    for move in report.links.moves[:2]:
        text = _short(move.text or move.url, 60)
        if move.operation == "retargeted":
            yield f"“{text}” now leads to {_short(move.url, 80)}"
        else:
            yield f"{'New' if move.operation == 'added' else 'Gone'} link: “{text}”"
    if len(report.links.moves) > 2:
        yield f"{len(report.links.moves) - 2} more links"


def _say_metadata(report: ChangeReport) -> str:
    if report.text.changed or report.price.changed or report.availability.changed:
        return ""
    told = [
        f"{_plain_name(name)}: “{_short(change.before, 60)}” → “{_short(change.after, 60)}”"
        for name, change in report.metadata.changes.items()
    ]
    more = f"; and {len(told) - 2} more" if len(told) > 2 else ""
    return "; ".join(told[:2]) + more


def _plain_name(name: str) -> str:
    """A name of metadata as a person would say it: ``eventStatus`` is the event status."""
    bare = name.rpartition(":")[2].partition(".")[2] or name.rpartition(":")[2]
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", bare.replace(".", " ")).lower()


_SAYINGS: dict[str, Callable[[ChangeReport], str] | None] = {
    "availability": _say_availability,
    "price": _say_price,
    "title": _say_title,
    "rating": _say_rating,
    "text": None,
    "description": _say_description,
    "images": _say_images,
    "links": _say_links,
    "metadata": _say_metadata,
}
"""How each level is put into words, in the order in which they are told; text in several."""


def _short(text: str, longest: int = _QUOTE) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"

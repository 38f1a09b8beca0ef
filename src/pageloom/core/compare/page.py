"""One side of a comparison: the lines of a Document with their structure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from typing import TYPE_CHECKING

from pageloom.core.compare import vocabulary
from pageloom.core.compare.chrome import announces_strongly, is_lead_in, is_rotating_heading
from pageloom.core.compare.dates import date_numbers
from pageloom.core.compare.identity import is_advert, link_identity
from pageloom.core.compare.masks import Setting
from pageloom.core.compare.offers import main_price
from pageloom.core.compare.tokens import read_tokens
from pageloom.core.volatile import text_mark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.model import Document, Price

_HEADING = re.compile(r"<(h[1-6]|summary|legend)\b[^<>]{0,500}>(.{0,2000}?)</\1>", re.DOTALL)
_CELL = re.compile(r"<(dt|th|td|dd)\b[^<>]{0,500}>(.{0,2000}?)</\1>", re.DOTALL)
_ROW = re.compile(r"<table\b|<tr\b[^<>]{0,500}>(.{0,20000}?)</tr>", re.DOTALL)
_ORDERED = re.compile(r"<ol\b[^<>]{0,500}>(.{0,100000}?)</ol>", re.DOTALL)
_ENTRY = re.compile(r"<li\b[^<>]{0,500}>(.{0,2000}?)</li>", re.DOTALL)
_QUOTATION = re.compile(r"<blockquote\b[^<>]{0,500}>(.{0,3000}?)</blockquote>", re.DOTALL)
_PARAGRAPH = re.compile(r"</?(?:p|div|br|li|cite)\b[^<>]{0,200}>")
_ITEM = re.compile(r"<(li|a|button)\b[^<>]{0,2000}>([^<]{1,500})")
_TAG = re.compile(r"<[^<>]{0,2000}>")
_TIES = ("other", "listing", "collection", "feed")
"""Kinds of page on which a list of links may be what the page is about."""
_SPECIFIED = ("product", "job", "video", "forum", "service", "documentation")
"""Kinds of page whose tables may count visitors; those of others may be about them."""
_LONGEST_ELEMENT = 400
_TOP = 12
"""Lines that may stand above the title."""
_LARGEST_ASIDE = 0.5
_DATELINE = 3
"""Lines under the title of a story where it may say when it was written."""
_VOTES = frozenset(vocabulary.VOTES.split("|"))
_LONGEST_TALLY = 60
_UNEVEN = tuple(map(re.compile, ("\n ", "  ", " \n")))
"""White space that parts nothing; expressions find two characters faster than ``in`` does."""
_ASCII_SPACES = "\t\r\x0b\x0c\x1c\x1d\x1e\x1f"
"""White space of plain English but for the space and the end of a line."""
_TAKES_PLACE = re.compile(
    r"\b(?:tickets?|venue|admission|doors|rsvp|register now|registration|attend|matinee|kick-?off"
    r"|eintritt|einlass|anmeldung|veranstaltung\w*|billets?|billetterie|entrées?|inscription|lieu"
    r"|entradas|aforo|inscripción|ingressos|bilhetes|biglietti|ingresso|luogo|kaartjes|locatie"
    r"|biljetter|bilety|wstęp|vstupenky|билеты|вход|квитки|bilet|εισιτήρια|jegyek)\b"
    r"|会場|チケット|入場|门票|地点|門票|입장|장소|티켓|تذاكر|الدخول",
    re.IGNORECASE,
)
_DATED_TYPES = frozenset(
    "Event BusinessEvent ChildrensEvent ComedyEvent CourseInstance DanceEvent DeliveryEvent "
    "EducationEvent ExhibitionEvent Festival FoodEvent Hackathon LiteraryEvent MusicEvent "
    "PublicationEvent SaleEvent ScreeningEvent SocialEvent SportsEvent TheaterEvent JobPosting "
    "Flight BusTrip TrainTrip Reservation Offer".split()
)


@dataclass(slots=True)
class Outline:
    """The texts of the elements that say what a line is."""

    headings: dict[str, int] = field(default_factory=dict[str, int])
    """Text and level."""
    labels: set[str] = field(default_factory=set[str])
    values: set[str] = field(default_factory=set[str])
    items: set[str] = field(default_factory=set[str])


Facts = dict[tuple[str, str], list[str]]
"""What tables and lists of terms say: the values by label and column."""


class Side:
    """A Document being compared; what is costly is worked out when first asked for."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.lines = split_lines(document.text)
        self._exchanged: tuple[Side, frozenset[str]] | None = None

    @cached_property
    def outline(self) -> Outline:
        """Headings, labels, values and list items, by their texts."""
        return read_outline(self.document.html)

    @cached_property
    def facts(self) -> Facts:
        """What its tables and lists of terms say."""
        return read_facts(self.document.html)

    @cached_property
    def row_labels(self) -> frozenset[str]:
        """What stands first in rows of two cells of a product, a job and the like."""
        if self.document.page_type not in _SPECIFIED:
            return frozenset()
        return frozenset(label for label, column in self.facts if column == "1")

    def exchanged(self, other: Side) -> frozenset[str]:
        """The labels and values of what both pages speak of and say something else about."""
        if self._exchanged is None or self._exchanged[0] is not other:
            found: set[str] = set()
            for key, values in self.facts.items():
                others = other.facts.get(key, values)
                if sorted(values) != sorted(others):
                    found.update((key[0], *values, *others))
            self._exchanged = (other, frozenset(found))
        return self._exchanged[1]

    @cached_property
    def ordered(self) -> frozenset[str]:
        """The entries of numbered lists, whose order says something."""
        lists = _ORDERED.findall(self.document.html)
        return frozenset(_plain(entry) for each in lists for entry in _ENTRY.findall(each))

    @cached_property
    def quotations(self) -> frozenset[str]:
        """Short lines that stand in quotations."""
        quoted = (_PARAGRAPH.split(each) for each in _QUOTATION.findall(self.document.html))
        lines = {_plain(part) for parts in quoted for part in parts}
        return frozenset(line for line in lines if len(line) <= _LONGEST_ELEMENT)

    @cached_property
    def flat_text(self) -> str:
        """All lines as one."""
        return " ".join(self.lines)

    @cached_property
    def link_texts(self) -> frozenset[str]:
        """The words of all links of the page, whatever their region."""
        return frozenset(" ".join(link.text.split()) for link in self.document.links)

    @cached_property
    def targets(self) -> dict[str, set[str]]:
        """Where links lead, by their words."""
        found: dict[str, set[str]] = {}
        for link in self.document.links:
            found.setdefault(" ".join(link.text.split()), set()).add(link_identity(link.url))
        return found

    @cached_property
    def advert_texts(self) -> frozenset[str]:
        """The words of links that somebody paid for."""
        return frozenset(
            " ".join(link.text.split())
            for link in self.document.links
            if "sponsored" in link.rel or (not link.internal and is_advert(link.url))
        )

    @cached_property
    def margin(self) -> tuple[str, ...]:
        """Texts that extraction nearly kept."""
        return tuple(" ".join(text.split()) for text in self.document.provenance.margin)

    @cached_property
    def known(self) -> frozenset[str]:
        """All lines, those of the margin too."""
        return frozenset((*self.lines, *self.margin))

    @cached_property
    def choices(self) -> dict[str, bool]:
        """What a product can be chosen in, and whether it can be had in that."""
        return self.document.provenance.choices

    @cached_property
    def left_out(self) -> frozenset[str]:
        """The marks of all texts that extraction left out."""
        marks = self.document.provenance.left_out
        return frozenset(marks[at : at + 8] for at in range(0, len(marks), 8))

    @cached_property
    def beside(self) -> frozenset[str]:
        """The marks of lines that stand beside the main part of the page."""
        marks = self.document.provenance.beside
        return frozenset(marks[at : at + 8] for at in range(0, len(marks), 8))

    @cached_property
    def link_share(self) -> float:
        """How much of the text consists of lines that are links."""
        if not self.link_texts:
            return 0.0
        total = sum(map(len, self.lines)) or 1
        return sum(len(line) for line in self.lines if line in self.link_texts) / total

    @cached_property
    def rotating(self) -> frozenset[int]:
        """The lines under headings such as ``You may also like``."""
        return find_rotating(self)

    @cached_property
    def suggesting(self) -> frozenset[int]:
        """Those of them in parts that have links in lines of their own, and so lead elsewhere."""
        return find_suggesting(self)

    @cached_property
    def announced(self) -> frozenset[str]:
        """The marks of blocks under such headings where the heading itself was left out."""
        strict = self.document.page_type in _TIES
        return frozenset(
            digits[at : at + 8]
            for heading, digits in self.document.provenance.lost_headings.items()
            if is_rotating_heading(heading, strict=strict)
            for at in range(0, len(digits), 8)
        )

    @cached_property
    def price(self) -> Price | None:
        """What the page asks today."""
        return main_price(self.document)

    def fleeting(self, text: str) -> tuple[str, ...]:
        """What of a text of the page changes by itself, by the names around it."""
        known = self.document.provenance.fleeting
        return known.get(text_mark(text), ()) if known else ()

    def only_fleeting(self, text: str) -> bool:
        """Whether all that says a text is what changes by itself."""
        word = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
        return word.search(self._fleeting_text) is not None and text not in self._lasting_text

    @cached_property
    def _fleeting_lines(self) -> frozenset[str]:
        known = self.document.provenance.fleeting.values()
        return frozenset(line for lines in known for line in lines)

    @cached_property
    def _fleeting_text(self) -> str:
        return "\n".join(self._fleeting_lines)

    @cached_property
    def _lasting_text(self) -> str:
        return "\n".join(line for line in self.lines if line not in self._fleeting_lines)

    def is_call(self, text: str) -> bool:
        """Whether a text is that of a button."""
        return self.document.provenance.fleeting.get(text_mark(text)) == ()

    @cached_property
    def boxed(self) -> frozenset[str]:
        """The marks of all texts, kept or not, in boxes under such headings."""
        strict = self.document.page_type in _TIES
        boxes = self.document.provenance.boxes.items()
        return frozenset(
            digits[at : at + 8]
            for heading, digits in boxes
            if is_rotating_heading(heading, strict=strict)
            for at in range(0, len(digits), 8)
        )

    @cached_property
    def suggestions(self) -> tuple[str, ...]:
        """All texts, kept or nearly kept, that suggest other pages."""
        aside = [text for text in self.margin if text_mark(text) in self.announced]
        leading = ":" in self.document.text or "：" in self.document.text
        lead_ins = [
            line
            for line in (self.lines if leading else ())
            if (":" in line or "：" in line) and is_lead_in(line)
        ]
        return (*(self.lines[number] for number in sorted(self.rotating)), *lead_ins, *aside)

    @cached_property
    def dated(self) -> bool:
        """Whether the page is about something that takes place on a date."""
        return self._is_event or bool(_TAKES_PLACE.search(self.document.text[:20_000]))

    @cached_property
    def _is_event(self) -> bool:
        return bool(_DATED_TYPES & set(_types(self.document.metadata)))

    @cached_property
    def moments(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the dates of publishing and modifying."""
        dates = [self.document.published, self.document.modified]
        return tuple(date_numbers(date.date) for date in dates if date)

    @cached_property
    def title_at(self) -> int:
        """The number of the line that is the title, near the top; -1 without one."""
        top = self.lines[:_TOP]
        return top.index(self.document.title) if self.document.title in top else -1

    def aside(self, text: str) -> Setting:
        """What is known of a text that was nearly kept; beside a story, a date is of today."""
        story = self.document.page_type == "article"
        place = self.margin.index(text) if text in self.margin else -1
        return Setting(
            moments=self.moments,
            is_first=place == 0 and not self._is_event,
            is_aside=True,
            dated=self._is_event if story else self.dated,
            polled="%" in text and place >= 0 and _is_polled(self.margin, place),
            fleeting=self.fleeting(text),
            scored=self.document.page_type == "forum",
        )

    def setting(self, number: int) -> Setting:
        """What is known about the place of a line."""
        line = self.lines[number]
        label = self.lines[number - 1] if number else ""
        is_label = label in self.outline.labels or (label.endswith((":", "：")) and len(label) < 60)
        if not is_label and line in self.outline.values:
            is_label = label in self.row_labels
        return Setting(
            moments=self.moments,
            label=label if is_label else "",
            is_value=line in self.outline.values,
            is_first=number < self.title_at or (number == 0 and line != self.document.title),
            is_dateline=self.document.page_type == "article"
            and not self._is_event
            and 0 < number - self.title_at <= _DATELINE,
            dated=self.dated,
            polled="%" in line and _is_polled(self.lines, number),
            fleeting=self.fleeting(line),
            scored=self.document.page_type == "forum",
        )

    def is_heading(self, line: str) -> bool:
        """Whether a line is a heading of the page."""
        return line in self.outline.headings or line == self.document.title


def _is_polled(lines: Sequence[str], number: int) -> bool:
    """Whether a line near one says how many voted."""
    near = [*lines[max(0, number - 2) : number], *lines[number + 1 : number + 3]]
    return any(
        token.fold in _VOTES
        for line in near
        if len(line) <= _LONGEST_TALLY and any(map(str.isdigit, line))
        for token in read_tokens(line)
    )


def split_lines(text: str) -> list[str]:
    """The lines of a text that have something in them, white space joined."""
    if _is_even(text):
        return list(filter(None, text.split("\n")))
    lines: list[str] = []
    for line in text.split("\n"):
        if line and not line.isspace():
            plain = "  " not in line and "\t" not in line and line.isprintable()
            lines.append(line.strip() if plain else " ".join(line.split()))
    return lines


def _is_even(text: str) -> bool:
    """Whether white space does nothing in a text but part its words and lines."""
    if any(pair.search(text) for pair in _UNEVEN) or text != text.strip(" "):
        return False
    if text.isascii():
        return not any(space in text for space in _ASCII_SPACES)
    return text.replace("\n", "").isprintable()


def read_outline(html: str) -> Outline:
    """What the elements of the clean HTML say of the lines in them."""
    outline = Outline()
    # apart, because in old pages a cell holds headings
    for tag, text in _texts(_HEADING, html):
        outline.headings.setdefault(text, int(tag[1]) if tag[0] == "h" else 6)
    for tag, text in _texts(_CELL, html):
        (outline.labels if tag in ("dt", "th") else outline.values).add(text)
    outline.items = {_plain(found[2]) for found in _ITEM.finditer(html) if found[1] == "li"}
    return outline


def read_facts(html: str) -> Facts:
    """What the tables and lists of terms of the clean HTML say.

    A value is known by the label of its row, or its term, and by the head of its column, so that
    rows and columns may change places.
    """
    facts: Facts = {}
    heads: list[str] = []
    for row in _ROW.finditer(html):
        cells = list(_texts(_CELL, row[1] or ""))
        if not cells:
            heads = []
        elif not heads and all(tag == "th" for tag, _ in cells):
            heads = [text for _, text in cells]
        else:
            columns = heads if len(heads) == len(cells) else list(map(str, range(len(cells))))
            for column, (_, value) in list(zip(columns, cells, strict=True))[1:]:
                facts.setdefault((cells[0][1], column), []).append(value)
    term = ""
    for tag, text in _texts(_CELL, html) if "<dd" in html else ():
        if tag == "dt":
            term = text
        elif tag == "dd" and term:
            facts.setdefault((term, ""), []).append(text)
    return facts


def _texts(element: re.Pattern[str], html: str) -> Iterator[tuple[str, str]]:
    for found in element.finditer(html):
        text = _plain(found[2])
        if text and len(text) <= _LONGEST_ELEMENT:
            yield found[1], text


def _plain(markup: str) -> str:
    text = _TAG.sub("", markup) if "<" in markup else markup
    return " ".join((unescape(text) if "&" in text else text).split())


def find_rotating(side: Side) -> frozenset[int]:
    """The lines under headings that announce what changes with every visit."""
    found = _under_lost_headings(side)
    for heading, part in _announced_parts(side):
        leads = any(side.lines[number] in side.link_texts for number in part)
        if announces_strongly(heading) or leads or _box_leads(side, heading):
            found.update(part)
    if not found:
        return frozenset()
    size = sum(len(side.lines[number]) for number in found)
    whole = sum(map(len, side.lines))
    return frozenset(found) if size <= whole * _LARGEST_ASIDE else frozenset()


def _box_leads(side: Side, heading: str) -> bool:
    """Whether a link stands in the box of a heading, kept or not."""
    digits = side.document.provenance.boxes.get(heading[:100], "")
    marks = {digits[at : at + 8] for at in range(0, len(digits), 8)}
    return bool(marks) and any(text_mark(text) in marks for text in side.link_texts)


def _announced_parts(side: Side) -> Iterator[tuple[str, list[int]]]:
    """Each heading that may announce such things, with the lines it speaks for."""
    headings = side.outline.headings
    strict = side.document.page_type in _TIES
    boxes = side.document.provenance.boxes
    if not any(is_rotating_heading(line, strict=strict) for line in headings):
        return
    for number, line in enumerate(side.lines):
        if line not in headings or not is_rotating_heading(line, strict=strict):
            continue
        if line[:100] in boxes:
            yield line, list(_in_box(side, number, boxes[line[:100]]))
        else:
            yield line, list(_up_to_next(side, number, headings[line]))


def _up_to_next(side: Side, number: int, level: int) -> Iterator[int]:
    """The lines after a heading up to the next that is no lower."""
    for after in range(number + 1, len(side.lines)):
        own = side.outline.headings.get(side.lines[after], 0)
        if own and own <= level:
            return
        yield after


def _in_box(side: Side, number: int, digits: str) -> Iterator[int]:
    """The lines after a heading that stand in its box."""
    marks = {digits[at : at + 8] for at in range(0, len(digits), 8)}
    for after in range(number + 1, min(number + 1 + len(marks), len(side.lines))):
        if text_mark(side.lines[after]) not in marks:
            return
        yield after


def find_suggesting(side: Side) -> frozenset[int]:
    """The rotating lines that stand together with a link; those without their heading anyway."""
    found = _under_lost_headings(side)
    part: list[int] = []
    for number in [*sorted(side.rotating), len(side.lines) + 1]:
        if part and number != part[-1] + 1:
            if any(side.lines[place] in side.link_texts for place in part):
                found.update(part)
            part = []
        part.append(number)
    return frozenset(found)


def _under_lost_headings(side: Side) -> set[int]:
    """Lines whose announcing heading did not make it into the content."""
    marks = side.announced
    if not marks:
        return set()
    return {number for number, line in enumerate(side.lines) if text_mark(line) in marks}


def _types(metadata: dict[str, object]) -> list[str]:
    """The schema.org types of the nodes near the top of the structured data."""
    stack: list[object] = [metadata.get("jsonld"), metadata.get("microdata")]
    types: list[str] = []
    for _ in range(60):
        if not stack:
            break
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(value[:20])  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        elif isinstance(value, dict):
            kind = value.get("@type") or value.get("type")  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
            kinds = [kind] if isinstance(kind, str) else kind  # pyright: ignore[reportUnknownVariableType]
            types += map(str, kinds) if isinstance(kinds, list) else []  # pyright: ignore[reportUnknownArgumentType]
            stack.append(value.get("@graph"))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    return [kind.rpartition("/")[2] for kind in types if kind != "Offer"]

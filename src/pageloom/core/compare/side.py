"""One side of a comparison: the blocks of a Document, and what is asked about their places."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from pageloom.core.compare.dates import date_numbers
from pageloom.core.compare.masks import Setting
from pageloom.model import plain_blocks

if TYPE_CHECKING:
    from pageloom.model import Block, Document

_TOP = 12
"""Blocks of the content among which the title is looked for."""
_WORD = re.compile(r"[^\W\d_]+")
_MOST_TEXT = 60_000
"""Characters of the content whose words are known."""
_NEAR_CUT = 12
"""Percent: a block with such a score may be content on the next visit."""
_DATELINE = 3
"""Blocks under the title of a story where it may say when it was written."""
_DATED_TYPES = frozenset(
    "Event BusinessEvent ChildrensEvent ComedyEvent CourseInstance DanceEvent EducationEvent "
    "ExhibitionEvent Festival FoodEvent Hackathon LiteraryEvent MusicEvent SaleEvent "
    "ScreeningEvent "
    "SocialEvent SportsEvent TheaterEvent JobPosting Flight BusTrip TrainTrip Reservation".split()
)
_DATED = ("product", "job", "listing", "collection", "service")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufe0f\ufeff]")
"""Characters that nobody sees; generators put them into headings."""


class Side:
    """A Document being compared; what is costly is worked out when first asked for."""

    def __init__(self, document: Document) -> None:
        self.document = document
        blocks = document.blocks
        if not blocks.texts:  # made by hand, or kept before blocks were
            blocks = plain_blocks(tuple(split_lines(document.text)))
        self.blocks = blocks
        self.texts = [text if text.isascii() else _UNSEEN.sub("", text) for text in blocks.texts]

    @cached_property
    def known(self) -> frozenset[str]:
        """All texts of the page, its title and its description too."""
        return frozenset((*self.texts, self.document.title, self.document.description))

    @cached_property
    def links(self) -> frozenset[str]:
        """The texts of its links."""
        return frozenset(" ".join(link.text.split()) for link in self.document.links)

    @cached_property
    def main_text(self) -> str:
        """The content, without what its names say is something else, and what leads elsewhere."""
        blocks = self.blocks
        return "\n".join(
            text
            for number, text in enumerate(self.texts)
            if (blocks.roles[number] == "m" or blocks.scores[number] >= _NEAR_CUT)
            and number not in blocks.hints
        )

    @cached_property
    def main_words(self) -> frozenset[str]:
        """The words of the content, its title among them."""
        text = f"{self.document.title}\n{self.main_text}"[:_MOST_TEXT]
        return frozenset(_WORD.findall(text.casefold()))

    def block(self, number: int) -> Block:
        """The block of a number."""
        return self.blocks[number]

    def is_main(self, number: int) -> bool:
        """Whether a block is of the content."""
        return self.blocks.roles[number] == "m"

    def group(self, number: int) -> tuple[int, int]:
        """Blocks of one group stand in elements alike under one heading: a list, a row of cards."""
        return self.blocks.path_of[number], self.blocks.heading_of[number]

    @cached_property
    def group_sizes(self) -> Counter[tuple[int, int]]:
        """How many blocks each group has."""
        return Counter(zip(self.blocks.path_of, self.blocks.heading_of, strict=True))

    @cached_property
    def ordinals(self) -> list[int]:
        """The position of each block in its group."""
        seen: Counter[tuple[int, int]] = Counter()
        found: list[int] = []
        for group in zip(self.blocks.path_of, self.blocks.heading_of, strict=True):
            found.append(seen[group])
            seen[group] += 1
        return found

    @cached_property
    def ordered(self) -> frozenset[int]:
        """The blocks whose order says something: entries of numbered lists."""
        numbered = [">ol>li" in f">{path}" or "ol." in path for path in self.blocks.paths]
        return frozenset(
            number
            for number, path in enumerate(self.blocks.path_of)
            if numbered[path] and self.blocks.kinds[number] == "i"
        )

    @cached_property
    def moments(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the dates of publishing and modifying."""
        dates = [self.document.published, self.document.modified]
        return tuple(date_numbers(date.date) for date in dates if date)

    @cached_property
    def title_at(self) -> int:
        """The number of the block that is the title, near the top; -1 without one."""
        main = (number for number, role in enumerate(self.blocks.roles) if role == "m")
        for number, _ in zip(main, range(_TOP), strict=False):
            if self.texts[number] == self.document.title:
                return number
        return -1

    @cached_property
    def dated(self) -> bool:
        """Whether the page is about something that takes place on a date."""
        return self.document.page_type in _DATED or bool(
            _DATED_TYPES.intersection(_types(self.document.metadata))
        )

    def setting(self, number: int) -> Setting:
        """What is known about the place of a block."""
        blocks = self.blocks
        label = blocks.labels.get(number, "")
        story = self.document.page_type == "article" and not self.dated
        return Setting(
            moments=self.moments,
            label=label,
            is_value=blocks.kinds[number] == "c",
            is_dateline=story and 0 < number - self.title_at <= _DATELINE,
            is_aside=blocks.roles[number] != "m",
            dated=self.dated or (bool(label) and blocks.kinds[number] == "c"),
            fleeting=blocks.moving.get(number, ()),
            scored=self.document.page_type == "forum",
        )


def split_lines(text: str) -> list[str]:
    """The lines of a text that have something in them, white space joined."""
    return [joined for line in text.split("\n") if (joined := " ".join(line.split()))]


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
    return [kind.rpartition("/")[2] for kind in types]

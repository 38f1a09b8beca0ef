"""One side of a comparison: the blocks of a Document, and what is asked about their places."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from pageloom.core.compare.masks import Setting
from pageloom.model import plain_blocks

if TYPE_CHECKING:
    from pageloom.model import Document

FIGURE = re.compile(r"\d[\d.,]*")
_LOOSE = ("  ", " \n", "\n ", "\t", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f")
"""White space that has to be joined."""
_WORD = re.compile(r"[^\W\d_]+")
_MOST_TEXT = 60_000
"""Characters of the content whose words are known."""
_NEAR_CUT = 12
"""Percent: a block with such a score may be content on the next visit."""
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
        self.texts = list(blocks.texts)
        if not "".join(self.texts).isascii():
            self.texts = [text if text.isascii() else _UNSEEN.sub("", text) for text in self.texts]

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
    def shapes(self) -> list[str]:
        """The texts with a zero for every figure."""
        return FIGURE.sub("0", "\n".join(self.texts)).split("\n")

    def still_parts(
        self, start: int, end: int, moving: dict[str, set[int]]
    ) -> list[tuple[str, ...]] | None:
        """What stays of some texts without the figures that move in texts of their shapes.

        None where a shape is not known.
        """
        shapes = self.shapes[start:end]
        if not moving.keys() >= set(shapes):
            return None
        return [
            (shape, *(f for n, f in enumerate(FIGURE.findall(text)) if n not in moving[shape]))
            for shape, text in zip(shapes, self.texts[start:end], strict=True)
        ]

    @cached_property
    def placed(self) -> frozenset[int]:
        """The blocks that say something else in another place."""
        return self.ordered | self.blocks.labels.keys()

    @cached_property
    def ordered(self) -> frozenset[int]:
        """The blocks whose order says something: entries of numbered lists."""
        numbered = [">ol>li" in f">{path}" or "ol." in path for path in self.blocks.paths]
        return frozenset(
            number
            for number, path in enumerate(self.blocks.path_of)
            if numbered[path] and self.blocks.kinds[number] == "i"
        )

    def setting(self, number: int) -> Setting:
        """What is known about the place of a block."""
        blocks = self.blocks
        return Setting(
            label=blocks.labels.get(number, ""),
            is_value=blocks.kinds[number] == "c",
            fleeting=blocks.moving.get(number, ()),
        )


def split_lines(text: str) -> list[str]:
    """The lines of a text that have something in them, white space joined."""
    if not text.isascii() or any(each in text for each in _LOOSE):
        return [joined for line in text.split("\n") if (joined := " ".join(line.split()))]
    return [line for line in text.strip().split("\n") if line]

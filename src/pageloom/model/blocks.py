"""Blocks: the visible page piece by piece, each with its kind, its role and its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

BlockKind = Literal[
    "paragraph", "heading", "item", "cell", "term", "quote", "code", "button", "caption"
]
BlockRole = Literal["main", "beside", "navigation", "bar", "footer", "box"]
KINDS: dict[str, BlockKind] = {
    "p": "paragraph",
    "h": "heading",
    "i": "item",
    "c": "cell",
    "t": "term",
    "q": "quote",
    "k": "code",
    "b": "button",
    "f": "caption",
}
ROLES: dict[str, BlockRole] = {
    "m": "main",
    "s": "beside",
    "n": "navigation",
    "b": "bar",
    "f": "footer",
    "x": "box",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One piece of text that a reader sees as a whole."""

    number: int
    """Its position on the page, from 0."""
    text: str
    kind: BlockKind = "paragraph"
    role: BlockRole = "main"
    """``main`` is the content; all else says where on the page it stands."""
    score: int = 100
    """How likely it is content, in percent, by the engine."""
    path: str = ""
    """The elements around it, without generated names: ``footer>ul.links>li``."""
    heading: str = ""
    """The text of the heading above it."""
    level: int = 0
    """Of a heading: 1 to 6."""
    label: str = ""
    """Of a cell or a value: the head of its row and its column, or its term."""
    hint: str = ""
    """What the names around it say it is for: ``advert``, ``related``, ``counter`` …"""
    moving: tuple[str, ...] = ()
    """Parts of its text in elements that are named for what changes by itself."""
    linked: int = 0
    """The share of its text that is links, in percent."""
    links: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where it stands, whatever it says: known again on the next visit."""
        return f"{self.path}|{self.heading}|{self.label}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """All blocks of a page in its order, column by column: most readers need few columns."""

    texts: tuple[str, ...] = ()
    kinds: str = ""
    """One letter a block: see ``KINDS``."""
    roles: str = ""
    """One letter a block: see ``ROLES``."""
    scores: tuple[int, ...] = ()
    linked: tuple[int, ...] = ()
    paths: tuple[str, ...] = ()
    """Each path once."""
    path_of: tuple[int, ...] = ()
    heading_of: tuple[int, ...] = ()
    """The number of the heading above each block, or -1."""
    levels: dict[int, int] = field(default_factory=dict[int, int])
    labels: dict[int, str] = field(default_factory=dict[int, str])
    hints: dict[int, str] = field(default_factory=dict[int, str])
    moving: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    links: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    pictures: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    choices: dict[str, bool] = field(default_factory=dict[str, bool])
    """Of a product: the sizes, colours and the like to choose from, and whether each can be had."""

    def __len__(self) -> int:
        """How many blocks there are."""
        return len(self.texts)

    def __iter__(self) -> Iterator[Block]:
        """The blocks, in order."""
        return map(self.__getitem__, range(len(self.texts)))

    def __getitem__(self, number: int) -> Block:
        """One block, by its position on the page."""
        heading = self.heading_of[number]
        return Block(
            number=number,
            text=self.texts[number],
            kind=KINDS[self.kinds[number]],
            role=ROLES[self.roles[number]],
            score=self.scores[number],
            path=self.paths[self.path_of[number]],
            heading=self.texts[heading] if heading >= 0 else "",
            level=self.levels.get(number, 0),
            label=self.labels.get(number, ""),
            hint=self.hints.get(number, ""),
            moving=self.moving.get(number, ()),
            linked=self.linked[number],
            links=self.links.get(number, ()),
            pictures=self.pictures.get(number, ()),
        )


def plain_blocks(texts: tuple[str, ...]) -> Blocks:
    """Blocks of texts of which nothing else is known: all of them paragraphs of the content."""
    count = len(texts)
    return Blocks(
        texts=texts,
        kinds="p" * count,
        roles="m" * count,
        scores=(100,) * count,
        linked=(0,) * count,
        paths=("p",),
        path_of=(0,) * count,
        heading_of=(-1,) * count,
    )

"""Blocks: the visible page piece by piece, each with its kind, its role and its place."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


def pick_blocks(blocks: Blocks, numbers: list[int]) -> Blocks:
    """Some of the blocks, in the order given."""
    place = {number: at for at, number in enumerate(numbers)}
    return Blocks(
        texts=tuple(blocks.texts[number] for number in numbers),
        kinds="".join(blocks.kinds[number] for number in numbers),
        roles="".join(blocks.roles[number] for number in numbers),
        scores=tuple(blocks.scores[number] for number in numbers),
        linked=tuple(blocks.linked[number] for number in numbers),
        paths=blocks.paths,
        path_of=tuple(blocks.path_of[number] for number in numbers),
        heading_of=tuple(place.get(blocks.heading_of[number], -1) for number in numbers),
        levels={place[key]: value for key, value in blocks.levels.items() if key in place},
        labels={place[key]: value for key, value in blocks.labels.items() if key in place},
        hints={place[key]: value for key, value in blocks.hints.items() if key in place},
        moving={place[key]: value for key, value in blocks.moving.items() if key in place},
        links={place[key]: value for key, value in blocks.links.items() if key in place},
        pictures={place[key]: value for key, value in blocks.pictures.items() if key in place},
        choices=blocks.choices,
    )


def join_blocks(one: Blocks, two: Blocks) -> Blocks:
    """The blocks of both, one after the other."""
    shift, paths = len(one), len(one.paths)
    return Blocks(
        texts=one.texts + two.texts,
        kinds=one.kinds + two.kinds,
        roles=one.roles + two.roles,
        scores=one.scores + two.scores,
        linked=one.linked + two.linked,
        paths=one.paths + two.paths,
        path_of=one.path_of + tuple(path + paths for path in two.path_of),
        heading_of=one.heading_of
        + tuple(place + shift if place >= 0 else -1 for place in two.heading_of),
        levels=one.levels | {key + shift: value for key, value in two.levels.items()},
        labels=one.labels | {key + shift: value for key, value in two.labels.items()},
        hints=one.hints | {key + shift: value for key, value in two.hints.items()},
        moving=one.moving | {key + shift: value for key, value in two.moving.items()},
        links=one.links | {key + shift: value for key, value in two.links.items()},
        pictures=one.pictures | {key + shift: value for key, value in two.pictures.items()},
        choices=one.choices | two.choices,
    )


def edit_texts(blocks: Blocks, edit: Callable[[str], str]) -> Blocks:
    """The blocks with their texts edited; those of which nothing is left are left out."""
    texts = tuple(map(edit, blocks.texts))
    if texts == blocks.texts:
        return blocks
    left = [number for number, text in enumerate(texts) if text.strip()]
    return pick_blocks(replace(blocks, texts=texts), left)

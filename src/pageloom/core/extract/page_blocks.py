"""Hand on the visible page as blocks: kind, role, place, label, and what the names around it say.

What extraction knows of a block is kept here as a value, so that comparing two visits, chunks for
language models and exports need not guess it from text or HTML again.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from pageloom.core.dom import Element
from pageloom.core.extract.blocks import LANDMARKS, SKIPPED, TAGS, segment
from pageloom.core.extract.hints import kind_of_name, named_parts
from pageloom.core.extract.vocabulary import CLASS_BIT, FLEETING, HIDDEN
from pageloom.core.memoize import memoize
from pageloom.core.page_urls import absolute_once
from pageloom.core.pictures import best_image_url
from pageloom.model import Blocks, join_blocks, pick_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.core.dom import Text
    from pageloom.core.extract.blocks import BlockPage

MOST_BLOCKS: Final = 20_000
"""Blocks that are handed on; the rest of a longer page is text alone."""
_NEAR_CUT: Final = 12
"""Percent: a hidden block with such a score is a folded part of the content."""
_MOST_LINKS: Final = 12
"""Links of one block that are handed on."""
_LONGEST_LABEL: Final = 80
_NESTED: Final = 4
"""Inline elements between a text and the link around it."""
_INSIDE: Final = SKIPPED - LANDMARKS
_WRAPPERS: Final = frozenset("div section span tbody thead tfoot body".split())
_HEADINGS: Final = {TAGS["h1"]: 1, TAGS["h2"]: 2, TAGS["h3"]: 3, TAGS["h4"]: 4}
_CELLS: Final = frozenset((TAGS["td"], TAGS["th"]))
_TERM, _VALUE, _ROW = TAGS["dt"], TAGS["dd"], TAGS["tr"]
_KIND_OF_TAG: Final = {
    "li": "i",
    "td": "c",
    "th": "t",
    "dt": "t",
    "dd": "c",
    "blockquote": "q",
    "pre": "k",
    "figcaption": "f",
    "caption": "f",
    "button": "b",
    "h1": "h",
    "h2": "h",
    "h3": "h",
    "h4": "h",
    "h5": "h",
    "h6": "h",
}
_ROLE_OF_TAG: Final = {
    "nav": "n",
    "footer": "f",
    "header": "b",
    "aside": "x",
    "dialog": "x",
    "main": "s",
}
_ROLE_OF_GROUP = (
    (CLASS_BIT["consent"] | CLASS_BIT["asked"] | CLASS_BIT["sold"], "x"),
    (CLASS_BIT["footer"], "f"),
    (CLASS_BIT["nav"], "n"),
    (CLASS_BIT["sidebar"], "x"),
)
_TELLING: Final = sum(groups for groups, _ in _ROLE_OF_GROUP)
_STORIES: Final = frozenset(("main", "article"))
"""The header of one of these is the head of a story, and no bar of the site."""
_HEADS: Final = frozenset(("header", "hgroup"))
_BAR: Final = re.compile(
    r"(?:^|[\s_-])(?:announce(?:ment)?s?|alert|notice|(?:top|promo|info|hello|site)-?(?:bar|banner)"
    r"|banner|masthead)(?:[\s_-]|$)"
)
_OF_BARS: Final = ("ba", "announce", "alert", "notice", "masthead")
"""Of these one is in whatever the pattern finds, and they are found faster."""
_HINT_OF_GROUP = (
    (CLASS_BIT["consent"], "consent"),
    (CLASS_BIT["sold"], "advert"),
    (CLASS_BIT["asked"], "newsletter"),
)
_HINTING: Final = FLEETING | sum(group for group, _ in _HINT_OF_GROUP)
_LARGEST_HINT: Final = 0.35
"""The share of the content that an element may hold whose names are believed of all inside it."""
_STABLE_NAME: Final = re.compile(r"[a-z]{3,20}(?:[-_]{1,2}[a-z]{2,20}){0,4}")
_UNSPEAKABLE: Final = re.compile(r"[bcdfghjklmnpqrstvwxz]{5}")


def read_blocks(
    page: BlockPage, keep: Sequence[bool], scores: Sequence[int] | None, base: str
) -> Blocks:
    """All visible blocks of a page, those of menus, footers and dialogs included.

    Args:
        page: the blocks that the engine has judged.
        keep: which of them are the content.
        scores: how likely each is content, in percent; None where nothing was scored.
        base: what addresses are relative to.
    """
    book = _Book(base)
    after = 0
    for element, place in page.passed:
        book.add(page, after, place, keep, scores)
        inner = segment(element, _INSIDE)
        kept = [False] * len(inner)
        book.add(inner, 0, len(inner), kept, [0] * len(inner), outer=_landmark(element))
        after = place
    book.add(page, after, len(page), keep, scores)
    return book.close()


def read_around(elements: Sequence[Element], base: str) -> Blocks:
    """The blocks of what was taken out of a page before its content was looked for."""
    book = _Book(base)
    for element in elements:
        if element.tag in _INSIDE:  # scripts and the like
            continue
        page = segment(element, _INSIDE)
        outer = _ROLE_OF_TAG.get(element.tag, "")
        book.add(page, 0, len(page), [False] * len(page), [0] * len(page), outer=outer)
    return book.close()


def _landmark(element: Element) -> str:
    return _ROLE_OF_TAG[element.tag]


def renew_main(blocks: Blocks, page: BlockPage, base: str) -> Blocks:
    """The blocks of a content that was edited, and what stood around it before."""
    main = read_blocks(page, [True] * len(page), None, base)
    known = set(main.texts)
    around = [
        number
        for number, text in enumerate(blocks.texts)
        if blocks.roles[number] != "m" and text not in known
    ]
    return join_blocks(main, pick_blocks(blocks, around))


class _Book:
    """The columns while they grow."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.texts: list[str] = []
        self.kinds: list[str] = []
        self.roles: list[str] = []
        self.scores: list[int] = []
        self.linked: list[int] = []
        self.paths: dict[str, int] = {}
        self.path_of: list[int] = []
        self.heading_of: list[int] = []
        self.levels: dict[int, int] = {}
        self.labels: dict[int, str] = {}
        self.hints: dict[int, str] = {}
        self.moving: dict[int, tuple[str, ...]] = {}
        self.links: dict[int, tuple[str, ...]] = {}
        self.pictures: dict[int, tuple[str, ...]] = {}
        self.views: dict[int, _View] = {}
        self.addresses: dict[str, str | None] = {}

    def add(
        self,
        page: BlockPage,
        start: int,
        end: int,
        keep: Sequence[bool],
        scores: Sequence[int] | None,
        outer: str = "",
    ) -> None:
        """Take blocks of a page, from one place up to another."""
        view = self.views.get(id(page))
        if view is None:
            view = self.views[id(page)] = _View(page, keep, outer)
        pictures = view.pictures
        owners, link_chars, flags = page.blocks.owners, page.blocks.link_chars, page.blocks.flags
        for place in range(start, end):
            owner = owners[place]
            kept = keep[place]
            score = 100 if scores is None else scores[place]
            if (view.hidden[owner] and not kept and score < _NEAR_CUT) or (
                len(self.texts) >= MOST_BLOCKS
            ):
                continue
            number = len(self.texts)
            text = page.blocks.texts[place]
            view.numbers[place] = number
            kind = view.kinds[owner]
            self.texts.append(text)
            self.kinds.append(kind)
            self.roles.append("m" if kept else view.roles[owner])
            self.scores.append(score)
            self.linked.append(min(100, 100 * link_chars[place] // len(text)))
            self.path_of.append(self.paths.setdefault(view.paths[owner], len(self.paths)))
            heading = view.heading_of(place)
            self.heading_of.append(view.numbers.get(heading, -1))
            if kind == "h":
                self.levels[number] = _HEADINGS.get(page.holders.tags[owner], 5)
            if hint := view.hints[owner]:
                self.hints[number] = hint
            if flags[place] & FLEETING and len(page.blocks.nodes[place]) > 1:
                self._add_moving(number, page, place)
            if link_chars[place]:
                self._add_links(number, page.blocks.nodes[place])
            if place in pictures:
                self._add_pictures(number, pictures[place])
            if label := view.label(place):
                self.labels[number] = label

    def _add_moving(self, number: int, page: BlockPage, place: int) -> None:
        if parts := tuple(named_parts(page, place)):
            self.moving[number] = parts

    def _add_links(self, number: int, nodes: list[Text]) -> None:
        found: list[str] = []
        for href in dict.fromkeys([_href(node) for node in nodes[: 4 * _MOST_LINKS]]):
            if not href:
                continue
            if href not in self.addresses:  # a menu may stand on a page twice
                self.addresses[href] = absolute_once(href, self.base)
            if address := self.addresses[href]:
                found.append(address)
        if found:
            self.links[number] = tuple(found[:_MOST_LINKS])

    def _add_pictures(self, number: int, elements: list[Element]) -> None:
        found = [url for one in elements if (url := best_image_url(one, self.base)) is not None]
        if found:
            self.pictures[number] = tuple(found[:_MOST_LINKS])

    def close(self) -> Blocks:
        """What was gathered."""
        return Blocks(
            texts=tuple(self.texts),
            kinds="".join(self.kinds),
            roles="".join(self.roles),
            scores=tuple(self.scores),
            linked=tuple(self.linked),
            paths=tuple(self.paths),
            path_of=tuple(self.path_of),
            heading_of=tuple(self.heading_of),
            levels=self.levels,
            labels=self.labels,
            hints=self.hints,
            moving=self.moving,
            links=self.links,
            pictures=self.pictures,
        )


class _View:
    """What each element that holds blocks says of them, and where the headings reach."""

    def __init__(self, page: BlockPage, keep: Sequence[bool], outer: str) -> None:
        holders = page.holders
        sizes = [
            len(text) if kept else 0 for text, kept in zip(page.blocks.texts, keep, strict=True)
        ]
        before = [0, *accumulate(sizes)]
        most = max(_LARGEST_HINT * before[-1], 1)
        self.page = page
        self.roles: list[str] = []
        self.paths: list[str] = []
        """Of three parts at most: what lies further out says little, and changes often."""
        self.hints: list[str] = []
        self.kinds: list[str] = []
        self.hidden: list[bool] = []
        self.numbers: dict[int, int] = {}
        columns = zip(
            holders.parents, holders.names, holders.flags, holders.starts, holders.ends, strict=True
        )
        roles, paths, hints, kinds, hidden = (
            self.roles,
            self.paths,
            self.hints,
            self.kinds,
            self.hidden,
        )
        inside: list[bool] = []
        tails: list[tuple[str, str]] = []
        for parent, name, flags, start, end in columns:
            tag, spelling, role, kind, is_bar = _part(name)
            above = parent >= 0
            within = tag in _STORIES or (above and inside[parent])
            inside.append(within)
            if role and within and tag == "header":
                role = ""
            elif not role:
                role = _role(flags) if flags & _TELLING else "b" if is_bar else ""
            roles.append(role or (roles[parent] if above else outer or "s"))
            tail = tails[parent] if above else ("", "")
            if spelling:
                paths.append(f"{tail[0]}{spelling}")
                tails.append((f"{tail[1]}{spelling}>", f"{spelling}>"))
            else:  # wrappers without a name are no part of a path
                paths.append(paths[parent] if above else "")
                tails.append(tail)
            hint = _hint(name, flags) if flags & _HINTING else ""
            if hint and before[end] - before[start] > most:
                hint = ""
            hints.append(hint or (hints[parent] if above else ""))
            kinds.append(kind or (kinds[parent] if above else "p"))
            hidden.append(bool(flags & HIDDEN) or (above and hidden[parent]))
        self._open: list[tuple[int, int, int]] = []
        self._rows: dict[int, list[int]] = {}
        self._heads: dict[int, list[str]] = {}
        self._term = ""
        self.pictures: dict[int, list[Element]] = {}
        for element, place in page.pictures:
            self.pictures.setdefault(min(place, len(page) - 1), []).append(element)

    def heading_of(self, place: int) -> int:
        """The nearest heading that speaks for a block; asked in the order of the page."""
        while self._open and self._open[-1][1] <= place:
            self._open.pop()
        found = self._open[-1][0] if self._open else -1
        owner = self.page.blocks.owners[place]
        if self.kinds[owner] == "h":
            level = _HEADINGS.get(self.page.holders.tags[owner], 5)
            while self._open and self._open[-1][2] >= level:
                self._open.pop()
            found = self._open[-1][0] if self._open else -1
            self._open.append((place, self._end_of_part(place), level))
        return found

    def _end_of_part(self, place: int) -> int:
        """Where the element ends that holds a heading together with something else."""
        owner, holders = self.page.blocks.owners[place], self.page.holders
        ends, names = holders.ends, holders.names
        while owner >= 0 and (ends[owner] <= place + 1 or _part(names[owner])[0] in _HEADS):
            owner = holders.parents[owner]
        return ends[owner] if owner >= 0 else len(self.page)

    def label(self, place: int) -> str:
        """The head of a cell's row and column, the term of a definition, the name of a value."""
        owner = self.page.blocks.owners[place]
        tag = self.page.holders.tags[owner]
        if tag in _CELLS:
            return self._label_of_cell(place, owner)
        if tag == _TERM:
            self._term = self.page.blocks.texts[place]
        elif tag == _VALUE:
            return self._term[:_LONGEST_LABEL]
        return self._label_beside(place, owner)

    def _label_of_cell(self, place: int, owner: int) -> str:
        holders, texts = self.page.holders, self.page.blocks.texts
        row = holders.parents[owner]
        cells = self._rows.setdefault(row, [])
        column = len(cells) if not cells or cells[-1] != owner else len(cells) - 1
        if not cells or cells[-1] != owner:
            cells.append(owner)
        table = row
        while table >= 0 and holders.tags[holders.parents[table]] == _ROW:
            table = holders.parents[table]
        if holders.tags[owner] == TAGS["th"] and column == len(self._heads.get(row, ())):
            self._heads.setdefault(row, []).append(texts[place])
            if column:  # a head of a column speaks for the rows below it
                self._heads[table] = self._heads[row]
                return ""
        first = texts[holders.starts[row]] if row >= 0 and holders.starts[row] != place else ""
        heads = self._heads.get(table, [])
        head = heads[column] if column < len(heads) and column else ""
        return " · ".join(filter(None, (first[:_LONGEST_LABEL], head[:_LONGEST_LABEL])))

    def _label_beside(self, place: int, owner: int) -> str:
        """The first of two blocks alone in an element names the second."""
        parent = self.page.holders.parents[owner]
        if parent < 0 or place == 0:
            return ""
        start, end = self.page.holders.starts[parent], self.page.holders.ends[parent]
        label = self.page.blocks.texts[start]
        alone = end - start == 2 and place == start + 1
        return label if alone and len(label) <= _LONGEST_LABEL // 2 else ""


@memoize(8_192)
def _part(name: str) -> tuple[str, str, str, str, bool]:
    """What the tag and the names of an element say, whatever stands around it.

    Returns:
        The tag, its part of a path (the tag and a name that is not generated; nothing for a wrapper
        without a name), the role and the kind by the tag, and whether it is named as a bar.
    """
    tag, _, names = name.partition(" ")
    stable = next((word for word in names.split()[:8] if _is_stable(word)), "")
    spelling = f"{tag}.{stable}" if stable else "" if tag in _WRAPPERS else tag
    is_bar = any(part in names for part in _OF_BARS) and _BAR.search(names) is not None
    return tag, spelling, _ROLE_OF_TAG.get(tag, ""), _KIND_OF_TAG.get(tag, ""), is_bar


def _is_stable(word: str) -> bool:
    return _STABLE_NAME.fullmatch(word) is not None and _UNSPEAKABLE.search(word) is None


def _role(flags: int) -> str:
    """Where an element stands on the page, by its names."""
    return next(role for groups, role in _ROLE_OF_GROUP if flags & groups)


def _hint(name: str, flags: int) -> str:
    """What the names of an element say it is for."""
    for group, hint in _HINT_OF_GROUP:
        if flags & group:
            return hint
    if not flags & FLEETING:
        return ""
    return kind_of_name(name.partition(" ")[2])


def _href(node: Text) -> str:
    """Where a text leads to."""
    element = node.parent
    for _ in range(_NESTED):
        if not isinstance(element, Element):
            break
        if element.tag == "a":
            return element.attr("href") or ""
        element = element.parent
    return ""

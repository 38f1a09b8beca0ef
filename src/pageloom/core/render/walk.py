"""Walk the content tree and render each element, without recursion."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pageloom.core.dom import Element, Text
from pageloom.core.page_urls import absolute, tidy
from pageloom.core.pictures import (
    Picture,
    Pictures,
    best_image_url,
    image_candidates,
    picture_at,
)
from pageloom.core.render.callouts import only_names_its_kind
from pageloom.core.render.emphasis import EmphasisFormat
from pageloom.core.render.escape import BREAK, is_refused, link_target, link_title
from pageloom.core.render.inline import InlineRun
from pageloom.core.render.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pageloom.core.dom import Node
    from pageloom.core.options import MarkdownOptions
    from pageloom.core.render.prepare import WalkPlan

MAX_NESTING = 24
"""Lists, quotes and tables deeper than this in one another are laid out flat."""


class Walker:
    """One conversion: the run being collected, the lines written, and what is open around them."""

    __slots__ = (
        "figures",
        "flat",
        "flow",
        "in_callout",
        "in_heading",
        "item_start",
        "nesting",
        "notes",
        "options",
        "pictures",
        "plan",
        "references",
        "run",
        "writer",
    )

    def __init__(
        self,
        plan: WalkPlan,
        options: MarkdownOptions,
        flow: Mapping[str, Action],
        flat: Mapping[str, Action],
        pictures: Pictures | None = None,
    ) -> None:
        self.plan = plan
        self.options = options
        self.pictures = pictures or Pictures(options.base_url)
        self.flow = flow
        """What elements do where blocks may stand."""
        self.flat = flat
        """What elements do where only one line may stand: headings, cells, terms."""
        self.references: dict[tuple[str, str], int] = {}
        self.run = InlineRun(plan.signs, self._refer if options.links == "reference" else None)
        self.writer = Writer(options.wrap)
        self.nesting = 0
        self.item_start = -1
        """How many lines there were when the list item being written began."""
        self.in_heading = False
        self.in_callout = False
        self.notes: list[Element] = []
        """Notes met and not yet written: they can only stand outside of lists and quotes."""
        self.figures: list[tuple[int, list[Element]]] = []

    def walk(  # noqa: C901, PLR0912  every node of the page passes here: each call spared is felt
        self, root: Iterable[Node], table: Mapping[str, Action]
    ) -> None:
        """Let every node, and every node under it, do what the table says of its tag.

        Elements that the table does not know are looked through.
        """
        special, run, action_of = self.plan.special, self.run, table.get
        words, collected, write_alone = run.words, run.parts, self._write_alone
        flush: After = Walker.flush
        after: After | None = None
        may_hold_tex = "\\" in self.plan.signs
        outer: list[tuple[Iterator[Node], After | None]] = []
        nodes = iter(root)
        while True:
            for node in nodes:
                if type(node) is Text:
                    data = node.data
                    # the white space between blocks is most of what a page holds
                    if run.loose and data.isspace() and "\xa0" not in data:
                        continue
                    if may_hold_tex:
                        run.text(data)
                    else:
                        words(data)
                    continue
                if type(node) is not Element:
                    continue
                if special and node in special:
                    self._treat_specially(node, table)
                    continue
                action = action_of(node.tag)
                if action is contain:  # most elements by far: spared the calls
                    if collected:
                        flush(self)
                    if len(node) == 1 and type(only := node[0]) is Text:
                        write_alone(only.data)
                        continue
                    then: After | None = flush
                elif action is not None:
                    then = action(self, node)
                    if then is None:
                        continue
                else:
                    then = None
                outer.append((nodes, after))
                nodes, after = iter(node), then
                break
            else:
                if after is not None and (collected or after is not flush):
                    after(self)
                if not outer:
                    return
                nodes, after = outer.pop()

    def _treat_specially(self, element: Element, table: Mapping[str, Action]) -> None:
        if element in self.plan.bodies:
            self.set_note_aside(element)
            if table is self.flow:
                self.flush()
                self.write_notes_here()
        elif element in self.plan.captions:
            table["figcaption"](self, element)
        elif element in self.plan.titles:
            self._write_title(element)

    def _write_title(self, element: Element) -> None:
        """Write a callout's title in bold, unless the sign of the callout says the same."""
        if self.in_callout and only_names_its_kind(element.text):
            return
        self.flush()
        opened = self.run.open(EmphasisFormat("strong"))
        self.blocks(element)
        if opened:
            self.run.close()

    def _write_alone(self, data: str) -> None:
        """Write a text that is a paragraph by itself, as most are."""
        text = self.run.alone(data)
        if text:
            self.writer.paragraph(text)

    def blocks(self, nodes: Element | list[Node]) -> None:
        """Write the nodes, such as the children of an element, as blocks of their own."""
        if self.run.parts:
            self.flush()
        if len(nodes) == 1 and type(only := nodes[0]) is Text:
            self._write_alone(only.data)
            return
        self.nesting += 1
        self.walk(nodes, self.flow)
        self.nesting -= 1
        if self.run.parts:
            self.flush()

    def line(self, element: Element, line_break: str = " ") -> str:
        """The content of an element as one line of Markdown."""
        if self.run.parts:
            self.flush()
        if len(element) == 1 and type(only := element[0]) is Text:
            return self.run.alone(only.data)
        self.walk(element, self.flat)
        return self.run.take().replace(BREAK, line_break)

    def flush(self) -> None:
        """Write the collected run as a paragraph."""
        run = self.run
        if run.parts:
            text = run.take()
            if text:
                self.writer.paragraph(text)

    def set_note_aside(self, element: Element) -> bool:
        """Remember a note until it may be written; tells whether the element is one."""
        is_note = element in self.plan.bodies
        if is_note:
            self.notes.append(element)
        return is_note

    def write_notes_here(self) -> None:
        """Write the notes that were met, unless a list or quote is open around this place."""
        if self.notes and not self.nesting:
            self.write_notes()

    def write_notes(self) -> None:
        """Write the notes that were met."""
        notes, self.notes = self.notes, []
        for note in notes:
            saved = self.writer.enter(f"[^{self.plan.bodies[note]}]: ", "    ")
            before = len(self.writer.lines)
            self.blocks(note)
            self.writer.leave(saved, before)

    @property
    def too_deep(self) -> bool:
        """Whether another level of nesting would cost more than it tells."""
        return self.nesting >= MAX_NESTING

    def address(self, href: str) -> str:
        """A link's URL as it will be written; nothing when there is none to follow."""
        base = self.options.base_url
        found = absolute(href, base) if base else None
        if found is not None:
            return found
        if is_refused(href):
            return ""
        return tidy(href) if not base or ":" in href[:12] else ""

    def shown(self, img: Element) -> Picture | None:
        """The picture as it will be written; None when there is none to see."""
        if self.options.base_url:
            return self.pictures.of(img)
        url = self.picture(img)
        return picture_at(url, img) if url else None

    def picture(self, img: Element) -> str:
        """The URL of a picture as it will be written; nothing when it has none."""
        base = self.options.base_url
        if base:
            return best_image_url(img, base) or ""
        for candidate in image_candidates(img):
            if not is_refused(candidate):
                return tidy(candidate)
        return ""

    def finish(self) -> str:
        """The whole text, with the URLs of reference links at the end."""
        self.flush()
        self.write_notes()
        if self.references:
            self.writer.block(
                [
                    f"[{number}]: {link_target(url) or '<>'}{link_title(title)}"
                    for (url, title), number in self.references.items()
                ]
            )
        return self.writer.text()

    def _refer(self, url: str, title: str) -> str:
        number = self.references.setdefault((url, title), len(self.references) + 1)
        return f"][{number}]"


After = Callable[[Walker], None]
Action = Callable[[Walker, Element], After | None]


def drop(walker: Walker, element: Element) -> None:
    """Leave the element and all it holds out."""


def pass_through(walker: Walker) -> None:
    """Do nothing at the end of an element."""


def contain(walker: Walker, element: Element) -> After:
    """Set the content apart from what stands before and after."""
    walker.flush()
    return Walker.flush


def contain_flat(walker: Walker, element: Element) -> After:
    """Set the content apart by a line break, where only a line may stand."""
    walker.run.line_break()
    return _break_after


def _break_after(walker: Walker) -> None:
    walker.run.line_break()

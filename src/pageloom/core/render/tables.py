"""Tables in Markdown: GFM grid, unwrapped layout tables, HTML for what GFM cannot express."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pageloom.core.dom import Element
from pageloom.core.render.embedded_html import table_as_html
from pageloom.core.render.emphasis import EmphasisFormat
from pageloom.core.render.preformatted import code_text
from pageloom.core.render.walk import contain

if TYPE_CHECKING:
    from pageloom.core.render.walk import After, Walker

_GROUPS = frozenset({"thead", "tbody", "tfoot"})
_BLOCKS: list[Any] = [
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "blockquote",
    "hr",
    "figure",
    "form",
    "dl",
    "details",
]
_BEYOND_CELLS: list[Any] = ["blockquote", "dl", "details", "hr"]
_SPAN = re.compile(r"\s{0,8}(\d{1,5})")
_ALIGN = re.compile(r"text-align\s{0,4}:\s{0,4}(left|center|right)")
_RULERS = {"left": ":---", "center": ":---:", "right": "---:"}
_CODE_TABLES = frozenset(
    "highlighttable rouge-table hljs-ln js-file-line-container lntable crayon-table".split()
)
_MAX_SPAN = 100


@dataclass(slots=True)
class Rows:
    """A table as the page holds it."""

    rows: list[list[Element]] = field(default_factory=list[list[Element]])
    captions: list[Element] = field(default_factory=list[Element])
    endings: list[Element] = field(default_factory=list[Element])
    """Captions that the page puts after the rows."""
    headed: bool = False
    """Whether any cell is a heading, or the table has a head."""
    spanned: bool = False
    """Whether any cell says that it spans others."""


def _is_beyond_cells(element: Element) -> bool:
    """Whether a cell of a table holds what a line of Markdown cannot say."""
    if element.find(_BEYOND_CELLS) is not None:
        return True
    return any("\n" in code_text(pre).strip() for pre in element.find_all("pre", limit=200))


def table(walker: Walker, element: Element) -> After | None:
    """Write a table in the way that keeps its content whole."""
    if walker.too_deep:
        return contain(walker, element)
    walker.flush()
    found = read_rows(walker, element)
    if is_code(element):
        walker.flow["pre"](walker, element)
    elif is_layout(element, found):
        _unwrap(walker, found)
    elif _is_beyond_cells(element):
        _write_captions(walker, found.captions)
        walker.writer.block(table_as_html(walker, found.rows))
        _write_captions(walker, found.endings)
    else:
        _write_captions(walker, found.captions)
        _write_grid(walker, found)
        _write_captions(walker, found.endings)
    return None


def read_rows(walker: Walker, element: Element) -> Rows:
    """The rows in order, with what stands around them."""
    found = Rows(spanned=element.select_one("[colspan], [rowspan]") is not None)
    special = walker.plan.special
    for child in element:
        if type(child) is not Element or child in special:
            continue
        if child.tag in _GROUPS:
            found.headed = found.headed or child.tag == "thead"
            for row in child:
                if type(row) is Element and row.tag == "tr" and row not in special:
                    _read_row(row, found, walker)
        elif child.tag == "tr":
            _read_row(child, found, walker)
        elif child.tag == "caption":
            (found.endings if found.rows else found.captions).append(child)
    return found


def _read_row(row: Element, found: Rows, walker: Walker) -> None:
    cells: list[Element] = []
    special = walker.plan.special
    for cell in row:
        if type(cell) is not Element or (special and cell in special):
            continue
        tag = cell.tag
        if tag == "th":
            found.headed = True
        elif tag != "td":
            continue
        cells.append(cell)
    if cells:
        found.rows.append(cells)


def is_code(element: Element) -> bool:
    """Whether the table only lays out lines of code beside their numbers."""
    classes = element.attr("class")
    if classes and not _CODE_TABLES.isdisjoint(classes.split()):
        return True
    numbers = element.select_one(
        "td.gutter pre, td.linenos pre, td.lineno pre, td.line-numbers pre"
    )
    return numbers is not None and all(line.strip().isdigit() for line in numbers.text.split())


def is_layout(element: Element, found: Rows) -> bool:
    """Whether the table only places things on the page."""
    if (element.attr("role") or "").lower() in {"presentation", "none"}:
        return True
    widest = max((len(row) for row in found.rows), default=0)
    if sum(len(row) for row in found.rows) <= 1 or element.find("table") is not None:
        return True
    if found.headed or found.captions or found.endings:
        return False
    return widest == 1 or element.find(_BLOCKS) is not None or _has_prose(found)


def _has_prose(found: Rows) -> bool:
    """Whether a cell holds several paragraphs."""
    return any(len(cell.find_all("p", limit=3)) > 2 for row in found.rows for cell in row)


def _unwrap(walker: Walker, found: Rows) -> None:
    for caption in found.captions:
        walker.blocks(caption)
    for row in found.rows:
        for cell in row:
            walker.blocks(cell)
    for caption in found.endings:
        walker.blocks(caption)


def _write_captions(walker: Walker, captions: list[Element]) -> None:
    for caption in captions:
        opened = walker.run.open(EmphasisFormat("em"))
        walker.blocks(caption)
        if opened:
            walker.run.close()


def _write_grid(walker: Walker, found: Rows) -> None:
    grid = [row for row in lay_out(walker, found) if any(row)]
    if not grid:
        return
    width = max(len(row) for row in grid)
    for row in grid:
        row.extend([""] * (width - len(row)))
    lines = [f"| {' | '.join(row)} |" for row in grid]
    if _has_side_heads(found):
        lines.insert(0, f"|{'  |' * width}")
    lines.insert(1, f"| {' | '.join(_rulers(found.rows[0], width))} |")
    walker.writer.block(lines)


def _has_side_heads(found: Rows) -> bool:
    """Whether the headings stand at the side: then no row is the table's head."""
    first = found.rows[0]
    if len(first) < 2 or first[0].tag != "th" or first[1].tag == "th":
        return False
    return all(row[0].tag == "th" for row in found.rows[1:])


def _rulers(cells: list[Element], width: int) -> list[str]:
    rulers: list[str] = []
    for cell in cells:
        stated = (cell.attr("align") or "").lower()
        if not stated:
            styled = _ALIGN.search((cell.attr("style") or "")[:300])
            stated = styled[1] if styled else ""
        rulers += [_RULERS.get(stated, "---")] * _span(cell, "colspan")
    return (rulers + ["---"] * width)[:width]


def lay_out(walker: Walker, found: Rows) -> list[list[str]]:
    """The text of every cell in its own column; what a span covers is empty."""
    if not (found.spanned and _spans_are_honest(found.rows)):
        return [[_cell_text(walker, cell) for cell in cells] for cells in found.rows]
    taken: dict[int, int] = {}
    grid: list[list[str]] = []
    for cells in found.rows:
        line: list[str] = []
        for cell in cells:
            _skip_taken(line, taken)
            columns = _span(cell, "colspan")
            below = _span(cell, "rowspan") - 1
            if below:
                for column in range(len(line), len(line) + columns):
                    taken[column] = below
            line.append(_cell_text(walker, cell))
            line.extend([""] * (columns - 1))
            if below:
                for column in range(len(line) - columns, len(line)):
                    taken[column] += 1  # the row being written does not count
        _skip_taken(line, taken)
        grid.append(line)
    return grid


def _skip_taken(line: list[str], taken: dict[int, int]) -> None:
    while taken.get(len(line), 0) > 0:
        column = len(line)
        taken[column] -= 1
        line.append("")


def _cell_text(walker: Walker, cell: Element) -> str:
    text = walker.line(cell, "<br>")
    return text.replace("|", "\\|") if "|" in text else text


def _span(cell: Element, name: str) -> int:
    stated = cell.attr(name)
    found = _SPAN.match(stated) if stated else None
    return min(max(int(found[1]), 1), _MAX_SPAN if name == "colspan" else 65_534) if found else 1


def _spans_are_honest(rows: list[list[Element]]) -> bool:
    """Whether the grid stays in proportion to what the page holds."""
    cells = sum(len(row) for row in rows)
    widest = max(sum(_span(cell, "colspan") for cell in row) for row in rows)
    return widest * len(rows) <= 20 * cells + 1_000

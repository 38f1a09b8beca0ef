"""Small cases of HTML whose Markdown must keep what a manifest says.

    python tools/markdown_cases.py DIRECTORY

DIRECTORY holds ``manifest.json`` and the HTML files that it names. Each is converted, rendered
again as GFM with notes, definition lists and task lists, raw HTML allowed, and checked.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from pageloom.core.dom import Document, Element, Text, parse
from pageloom.core.render.markdown import html_to_markdown

if TYPE_CHECKING:
    from collections.abc import Callable

_UNSEEN = "script,style,template,svg,noscript"
_BLOCKS = (
    "p,div,li,h1,h2,h3,h4,h5,h6,pre,td,th,blockquote,summary,br,hr,ul,ol,dt,dd,figcaption,section,"
    "table,tr"
)


@dataclass(frozen=True, slots=True)
class Result:
    """A case there and back."""

    html: str
    markdown: str
    rendered: str


def convert(html: str, renderer: MarkdownIt) -> Result:
    """Take one case to Markdown and back to HTML."""
    markdown = html_to_markdown(html)
    return Result(html, markdown, renderer.render(markdown))


def make_renderer() -> MarkdownIt:
    """The renderer that the manifest names."""
    renderer = MarkdownIt("gfm-like", {"html": True, "linkify": True})
    return renderer.use(footnote_plugin).use(deflist_plugin).use(tasklists_plugin)


def _seen(html: str) -> Document:
    tree = parse(html)
    tree.remove(_UNSEEN)
    return tree


def _plain(text: str) -> str:
    return " ".join(text.split())


def _set_apart(html: str, sign: str) -> str:
    """The text of the page, with the sign around every block."""
    tree = _seen(html)
    for element in tree.select(_BLOCKS):
        element.insert_before(Text(sign))
        element.insert_after(Text(sign))
    return tree.text


def has_elements(result: Result, check: dict[str, Any]) -> bool:
    """Whether enough elements, and not too many, match the selector and have the text."""
    found = _seen(result.rendered).select(check["sel"])
    if "text" in check:
        found = [element for element in found if _plain(element.text) == _plain(check["text"])]
        if found and "pre" in check["sel"] and found[0].text.rstrip("\n") != check["text"]:
            return False
    return check.get("n", 1) <= len(found) <= check.get("max", len(found))


def has_text(result: Result, check: dict[str, Any]) -> bool:
    """Whether the rendered text contains each of the strings."""
    text = _plain(_set_apart(result.rendered, " "))
    return all(_plain(wanted) in text for wanted in check["text"])


def has_columns(result: Result, check: dict[str, Any]) -> bool:
    """Whether cells stand in the columns that the manifest names."""
    places = [place for row in _seen(result.rendered).select("tr") for place in _places(row)]
    return all(
        any(
            column == wanted and (text in cell if check.get("contains") else text == cell)
            for cell, column in places
        )
        for text, wanted in check["is"].items()
    )


def _places(row: Element) -> list[tuple[str, int]]:
    places: list[tuple[str, int]] = []
    column = 0
    for cell in row:
        if isinstance(cell, Element) and cell.tag in {"td", "th"}:
            places.append((_plain(cell.text), column))
            column += int(cell.attr("colspan") or 1)
    return places


def has_separate_blocks(result: Result, check: dict[str, Any]) -> bool:
    """Whether each string is a block of its own."""
    lines = {_plain(line) for line in _set_apart(result.rendered, "\n").split("\n")}
    return lines.issuperset(check["blocks_separate"])


def has_same_text(result: Result, _: dict[str, Any]) -> bool:
    """Whether the text is the same, word boundaries included."""
    return _plain(_set_apart(result.html, " ")) == _plain(_set_apart(result.rendered, " "))


CHECKS: dict[str, Callable[[Result, dict[str, Any]], bool]] = {
    "sel": has_elements,
    "cols": has_columns,
    "blocks_separate": has_separate_blocks,
    "same_text": has_same_text,
    "not_text": lambda result, check: (
        not any(text in _seen(result.rendered).text for text in check["not_text"])
    ),
    "md": lambda result, check: re.search(check["md"], result.markdown) is not None,
    "not_md": lambda result, check: re.search(check["not_md"], result.markdown) is None,
    "md_count": lambda result, check: (
        len(re.findall(check["md_count"][0], result.markdown)) == check["md_count"][1]
    ),
    "text": has_text,
}
"""By the key that tells what kind of check it is; the first that a check has counts."""


def failures(result: Result, checks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The checks that a case does not pass; an unknown kind of check is one of them."""
    failed: list[dict[str, Any]] = []
    for check in checks:
        kind = next((kind for kind in CHECKS if kind in check), None)
        if kind is None or not CHECKS[kind](result, check):
            failed.append(check)
    return failed


def main() -> int:
    """Check every case and print what fails; 1 when anything does."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("directory", type=Path)
    directory: Path = parser.parse_args().directory
    cases = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))["cases"]
    renderer = make_renderer()
    passed = 0
    for case in cases:
        html = (directory / case["file"]).read_text(encoding="utf-8")
        result = convert(html, renderer)
        failed = failures(result, case["checks"])
        passed += not failed
        for check in failed:
            print(f"{case['name']}: {check}\n{result.markdown}")
    print(f"Markdown cases passed  {passed} of {len(cases)} (promised: all)")
    return int(passed < len(cases))


if __name__ == "__main__":
    sys.exit(main())

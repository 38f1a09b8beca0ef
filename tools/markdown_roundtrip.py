"""What real articles lose on the way to Markdown and back.

    python tools/markdown_roundtrip.py DIRECTORY [--show PAGE]

DIRECTORY holds one folder per page with ``expected.html``, the content of an article as clean HTML.
Each is converted, rendered again by a CommonMark and GFM renderer, and compared with what it was:
the sequence of words, the links, the pictures, the blocks of code, and the text of table cells.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from pageloom.core.dom import Element, Text, parse
from pageloom.core.embeds import EMBED_TAGS
from pageloom.core.pictures import image_candidates, is_tracking_pixel
from pageloom.core.render.footnotes import find_notes
from pageloom.core.render.markdown import html_to_markdown

_BLOCKS = (
    "p,div,li,h1,h2,h3,h4,h5,h6,pre,td,th,blockquote,summary,br,hr,ul,ol,dt,dd,figure,figcaption,"
    "section,article,aside,header,footer,table,tr,caption,center,address,iframe,video"
)
_UNSEEN = (
    "script",
    "style",
    "template",
    "svg",
    "noscript",
    "[hidden]",
    "math",
    "select",
    "textarea",
    ".mw-cite-backlink",
    ".mw-editsection",
)
_OURS = ("a.footnote-backref", "hr.footnotes-sep", "sup.footnote-ref")
_WORD = re.compile(r"\w+")
_FORMULA = re.compile(r"\$\$[^$]*\$\$|\$[^$]*\$")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")


@dataclass(slots=True)
class Facts:
    """What a piece of HTML holds."""

    words: list[str] = field(default_factory=list)
    links: Counter[str] = field(default_factory=Counter)
    images: list[set[str]] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)


def make_renderer() -> MarkdownIt:
    """A renderer as people use it: GFM with notes, definitions, tasks and raw HTML."""
    renderer = MarkdownIt("gfm-like", {"html": True, "linkify": False})
    renderer.options["maxNesting"] = 100
    return renderer.use(footnote_plugin).use(deflist_plugin).use(tasklists_plugin)


def facts_of(html: str, *, rendered: bool, formulas: bool = False) -> Facts:
    """Everything that is compared."""
    tree = parse(html)
    body = tree.find("body")
    if body is not None and not rendered:
        _take_notes_aside(body)
    for selector in _OURS if rendered else _UNSEEN:
        tree.remove(selector)
    facts = Facts()
    for link in tree.select("a[href]"):
        href = _address(link.attr("href") or "")
        if href and (link.text.strip() or link.find("img") is not None):
            facts.links[href] += 1
    for img in tree.select("img"):
        urls = {_address(url) for url in image_candidates(img) if not url.startswith("data:")}
        if urls and not is_tracking_pixel(img, next(iter(sorted(urls)))):
            facts.images.append(urls)
    facts.code = [_code(pre) for pre in tree.select("pre") if pre.text.strip()]
    for element in tree.select(_BLOCKS):
        element.insert_before(Text(" "))
        element.insert_after(Text(" "))
    facts.cells = [text for cell in tree.select("td, th") if (text := _plain(cell))]
    for element in tree.select(",".join(sorted(EMBED_TAGS))):
        element.replace_with(Text(element.attr("title") or ""))
    text = (tree.find("body") or tree).text
    if formulas:
        text = _FORMULA.sub(" ", text)
    facts.words = _WORD.findall(_INVISIBLE.sub("", text))
    return facts


def _take_notes_aside(body: Element) -> None:
    """Put notes where a renderer puts them, at the end, and leave out their references."""
    notes = find_notes(body)
    if notes is None:
        return
    for backlink in notes.backlinks:
        if isinstance(backlink, Element):
            backlink.extract()
    for note in notes.bodies:
        body.append(note.extract())
    for reference in notes.references:
        reference.extract()


def _address(href: str) -> str:
    href = re.sub(r"[\t\n\r]", "", href.strip()).replace(" ", "%20")
    if href[:11].lower() == "javascript:":
        return ""
    return re.sub(r"%[0-9A-Fa-f]{2}|[^\x21-\x7e]", lambda found: _encoded(found[0]), href)


def _encoded(piece: str) -> str:
    if piece[0] == "%":
        return piece.upper()
    return "".join(f"%{byte:02X}" for byte in piece.encode())


def _code(pre: Element) -> str:
    for br in pre.select("br"):
        br.replace_with(Text("\n"))
    return pre.text.removesuffix("\n").replace("\r\n", "\n").replace("\r", "\n")


def _plain(element: Element) -> str:
    return " ".join(_WORD.findall(_INVISIBLE.sub("", element.text)))


@dataclass(slots=True)
class Losses:
    """What one page lost."""

    page: str
    same_words: bool
    links: int = 0
    lost_links: int = 0
    images: int = 0
    lost_images: int = 0
    code: int = 0
    lost_code: int = 0
    cells: int = 0
    lost_cells: int = 0


def compare(page: str, before: Facts, after: Facts) -> Losses:
    """Count what is missing after the round trip."""
    # a note's reference becomes a reference of Markdown's own, and its way back is the renderer's
    missing = before.links - after.links
    lost_links = sum(count for url, count in missing.items() if not _is_note(url))
    shown = set[str]().union(*after.images)
    kept_text = " " + " ".join(after.words) + " "
    lost_code = list((Counter(before.code) - Counter(after.code)).elements())
    return Losses(
        page,
        same_words=_sequence(before.words) == _sequence(after.words),
        links=sum(before.links.values()),
        lost_links=lost_links,
        images=len(before.images),
        lost_images=sum(not urls & shown for urls in before.images),
        code=len(before.code),
        lost_code=len(lost_code),
        cells=len(before.cells),
        lost_cells=sum(f" {cell} " not in kept_text for cell in before.cells),
    )


def _is_note(url: str) -> bool:
    return re.search(r"#(?:cite_|fn|footnote|_ftn)", url) is not None


def _sequence(words: list[str]) -> list[str]:
    return [word.lower() for word in words]


def measure(folder: Path, renderer: MarkdownIt) -> Losses:
    """Take one page there and back."""
    html = (folder / "expected.html").read_text(encoding="utf-8")
    rendered = renderer.render(html_to_markdown(html))
    after = facts_of(rendered, rendered=True, formulas="<math" in html)
    return compare(folder.name, facts_of(html, rendered=False), after)


def show(folder: Path, renderer: MarkdownIt) -> None:
    """Print where the words of one page part, and what it lost."""
    html = (folder / "expected.html").read_text(encoding="utf-8")
    markdown = html_to_markdown(html)
    before = facts_of(html, rendered=False)
    after = facts_of(renderer.render(markdown), rendered=True, formulas="<math" in html)
    for place, (one, other) in enumerate(zip_longest(before.words, after.words)):
        if one != other:
            print("page    :", " ".join(before.words[max(0, place - 8) : place + 12]))
            print("markdown:", " ".join(after.words[max(0, place - 8) : place + 12]))
            break
    print("links   :", list(before.links - after.links)[:20])
    shown = set[str]().union(*after.images)
    print("images  :", [sorted(urls) for urls in before.images if not urls & shown][:10])
    print("code    :", [code[:200] for code in (Counter(before.code) - Counter(after.code))][:3])
    kept_text = " " + " ".join(after.words) + " "
    print("cells   :", [cell for cell in before.cells if f" {cell} " not in kept_text][:10])


def main() -> int:
    """Measure every page and print the sums; 1 when a promise is broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--show", metavar="PAGE", help="print the losses of one page")
    arguments = parser.parse_args()
    renderer = make_renderer()
    if arguments.show:
        show(arguments.directory / arguments.show, renderer)
        return 0
    folders = sorted(path.parent for path in arguments.directory.glob("*/expected.html"))
    losses = [measure(folder, renderer) for folder in folders]
    for loss in losses:
        if (
            not loss.same_words
            or loss.lost_links
            or loss.lost_images
            or loss.lost_code
            or loss.lost_cells
        ):
            print(loss)
    return report(losses)


def report(losses: list[Losses]) -> int:
    """Print the sums beside what is promised."""
    pages = len(losses)
    same = sum(loss.same_words for loss in losses)
    print(f"pages with the same words  {same} of {pages} (promised: 95%)")
    broken = same < 0.95 * pages
    for name, allowed in (("links", 0.01), ("images", 0.01), ("code", 0.0), ("cells", 0.0)):
        total = sum(getattr(loss, name) for loss in losses)
        lost = sum(getattr(loss, f"lost_{name}") for loss in losses)
        print(f"lost {name:<22} {lost} of {total} (promised: at most {allowed:.0%})")
        broken = broken or lost > allowed * total
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())

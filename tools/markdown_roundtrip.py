"""What real articles lose on the way to Markdown and back.

    python tools/markdown_roundtrip.py DIRECTORY [--show PAGE]

DIRECTORY holds one folder per page with ``expected.html``, the content of an article as clean HTML.
Each is converted, rendered again by a CommonMark and GFM renderer that also sets formulas, and
compared with what it was: the sequence of words, the links, the pictures, the blocks of code, and
the text of table cells. Words are compared twice: once with nothing set aside, which is what is
promised, and once without what a renderer does to notes (it collects them at the end, numbers them
anew and writes its own ways back).
"""

from __future__ import annotations

import argparse
import re
import sys
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import latex2mathml.converter
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from pageloom.core.dom import Document, Element, Text, parse
from pageloom.core.embeds import EMBED_TAGS
from pageloom.core.pictures import image_candidates, picture_at
from pageloom.core.render.footnotes import find_notes
from pageloom.core.render.markdown import html_to_markdown

_BLOCKS = (
    "p,div,li,h1,h2,h3,h4,h5,h6,pre,td,th,blockquote,summary,br,hr,ul,ol,dt,dd,figure,figcaption,"
    "section,article,aside,header,footer,table,tr,caption,center,address,iframe,video"
)
_SYMBOLS = "mi,mn,mo,mtext,ms"
_UNSEEN = "script,style,template,svg,noscript,[hidden],select,textarea"
_WAYS_BACK = ".mw-cite-backlink,.mw-editsection"
_OURS = "a.footnote-backref,hr.footnotes-sep,sup.footnote-ref"
_WORD = re.compile(r"\w+")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")


@dataclass(slots=True)
class Facts:
    """What a piece of HTML holds."""

    all_words: list[str] = field(default_factory=list)
    """Every word, in order."""
    words: list[str] = field(default_factory=list)
    """The words with the notes at the end, without their numbers and ways back."""
    links: Counter[str] = field(default_factory=Counter)
    images: list[set[str]] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)


def make_renderer() -> MarkdownIt:
    """A renderer as people use it: GFM with notes, definitions, tasks, formulas and raw HTML."""
    renderer = MarkdownIt("gfm-like", {"html": True, "linkify": False})
    renderer.options["maxNesting"] = 100
    renderer.use(footnote_plugin).use(deflist_plugin).use(tasklists_plugin)
    return renderer.use(dollarmath_plugin, double_inline=True, renderer=_set_formula)


def _set_formula(tex: str, _: dict[str, object]) -> str:
    return latex2mathml.converter.convert(tex)


def facts_of(html: str, *, rendered: bool) -> Facts:
    """Everything that is compared."""
    facts = Facts(all_words=_words(_seen(html)))
    tree = _seen(html)
    body = tree.find("body")
    if body is not None and not rendered:
        _take_notes_aside(body)
    tree.remove(_OURS if rendered else _WAYS_BACK)
    for link in tree.select("a[href]"):
        href = _address(link.attr("href") or "")
        if href and (link.text.strip() or link.find("img") is not None):
            facts.links[href] += 1
    for img in tree.select("img"):
        urls = {_address(url) for url in image_candidates(img) if not url.startswith("data:")}
        if urls and picture_at(min(urls), img) is not None:
            facts.images.append(urls)
    facts.code = [_code(pre) for pre in tree.select("pre") if pre.text.strip()]
    _space(tree)
    facts.cells = [text for cell in tree.select("td, th") if (text := _plain(cell))]
    facts.words = _words(tree)
    return facts


def _seen(html: str) -> Document:
    """What a reader sees of the page."""
    tree = parse(html)
    tree.remove(_UNSEEN)
    return tree


def _space(tree: Document) -> None:
    """Part what stands apart on the screen: blocks, and the symbols of formulas."""
    for element in tree.select(f"{_BLOCKS},{_SYMBOLS}"):
        element.insert_before(Text(" "))
        element.insert_after(Text(" "))


def _words(tree: Document) -> list[str]:
    _space(tree)
    for element in tree.select(",".join(sorted(EMBED_TAGS))):
        element.replace_with(Text(element.attr("title") or ""))
    text = (tree.find("body") or tree).text
    # the bold letter of a formula is the same letter
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    return [word.lower() for word in _WORD.findall(text)]


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
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", element.text))
    return " ".join(_WORD.findall(text)).lower()


@dataclass(slots=True)
class Losses:
    """What one page lost."""

    page: str
    same_words: bool
    same_but_notes: bool
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
        same_words=before.all_words == after.all_words,
        same_but_notes=before.words == after.words,
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


def measure(folder: Path, renderer: MarkdownIt) -> Losses:
    """Take one page there and back."""
    html = (folder / "expected.html").read_text(encoding="utf-8")
    rendered = renderer.render(html_to_markdown(html))
    after = facts_of(rendered, rendered=True)
    return compare(folder.name, facts_of(html, rendered=False), after)


def show(folder: Path, renderer: MarkdownIt) -> None:
    """Print where the words of one page part, and what it lost."""
    html = (folder / "expected.html").read_text(encoding="utf-8")
    markdown = html_to_markdown(html)
    before = facts_of(html, rendered=False)
    after = facts_of(renderer.render(markdown), rendered=True)
    for place, (one, other) in enumerate(zip_longest(before.all_words, after.all_words)):
        if one != other:
            print("page    :", " ".join(before.all_words[max(0, place - 8) : place + 12]))
            print("markdown:", " ".join(after.all_words[max(0, place - 8) : place + 12]))
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
    print(f"pages with the same words  {same} of {pages} ({same / pages:.1%}; promised: 95%)")
    but_notes = sum(loss.same_but_notes for loss in losses)
    print(f"  with the place and numbers of notes set aside  {but_notes} of {pages}")
    broken = same < 0.95 * pages
    for name, allowed in (("links", 0.01), ("images", 0.01), ("code", 0.0), ("cells", 0.0)):
        total = sum(getattr(loss, name) for loss in losses)
        lost = sum(getattr(loss, f"lost_{name}") for loss in losses)
        print(f"lost {name:<22} {lost} of {total} (promised: at most {allowed:.0%})")
        broken = broken or lost > allowed * total
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())

"""Find the main content: the strategies in order, and when the next one is tried.

1. blocks: the visible page, scored block by block (the content of ``<noscript>`` is among them);
2. preload: what the page ships for its scripts, where the visible page is nearly empty;
3. body: all blocks but the plain clutter, where the first answer is too short or left much out;
4. visible-text: whatever can be seen at all, navigation and footer included.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.dom import Element, parse_fragment
from pageloom.core.extract.blocks import HIDING, SKIPPED, segment
from pageloom.core.extract.by_blocks import CERTAIN, BlockVerdict, choose_blocks, find_kind
from pageloom.core.extract.by_preload import read_preloaded
from pageloom.core.extract.media import with_lead_picture
from pageloom.core.extract.page_blocks import read_blocks, renew_main
from pageloom.core.extract.page_features import read_context
from pageloom.core.extract.prune import prune, render_text
from pageloom.core.extract.trace import trace_blocks
from pageloom.core.extract.weights import shipped
from pageloom.core.options import DEFAULTS, Options
from pageloom.core.parts import Content

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from pageloom.core.dom import Tree
    from pageloom.core.extract.blocks import BlockPage
    from pageloom.core.extract.weights import Weights
    from pageloom.core.parts import DecodedPage
    from pageloom.model import BlockTrace, PageType

_NEARLY_EMPTY = 60
"""Words: with fewer, what a page ships for its scripts is looked at before any fallback."""
_GOOD = 60
_ACCEPTABLE = 40
"""Quality scores: under the first a second candidate is made, from the second on it is accepted."""
_LEFT_OUT = 0.2
"""An expected F1 under this means that the scores themselves do not believe in the cut."""
_PLAIN_CLUTTER = CERTAIN // 50
VISIBLE = frozenset("script style template head svg canvas noscript datalist option".split())


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A page and what one strategy would keep of it; the tree is cut only for the one chosen."""

    method: str
    page: BlockPage
    keep: NDArray[np.bool_]
    text: str

    @property
    def words(self) -> int:
        return self.text.count(" ") + self.text.count("\n") + 1 if self.text else 0


@dataclass(frozen=True, slots=True)
class Found:
    """Where the content of a page is; the tree is still whole."""

    kind: tuple[PageType, float]
    chosen: _Candidate | None
    fallbacks: tuple[str, ...]
    scores: list[int] | None = None
    """How likely each block of the chosen page is content, in percent, where it was judged."""
    traces: tuple[BlockTrace, ...] = ()

    @property
    def text(self) -> str:
        """The content as plain text."""
        return self.chosen.text if self.chosen else ""


def find_content(
    source: DecodedPage,
    options: Options = DEFAULTS,
    quality: Callable[[str], int] | None = None,
    weights: Weights | None = None,
) -> Found:
    """Decide which part of a page is its content.

    Args:
        source: the page.
        options: limits and switches.
        quality: scores a text from 0 to 100, for the choice between candidates.
        weights: the trained parts; the shipped ones when left out.
    """
    body = _body_of(source.tree)
    hidden, items = _find_marked(source.tree, body)
    page = segment(body, hidden=hidden)
    kind: tuple[PageType, float] = ("other", 0.0)
    verdict = judged = None
    fallbacks: list[str] = []
    if page:
        context = read_context(source.tree, source.url, items)
        verdict = choose_blocks(page, context, weights or shipped())
        kind = verdict.kind
        judged = _candidate("blocks", page, verdict.keep)
        if options.enable_fallbacks:
            score = quality or _length_score
            judged = _second_thoughts(judged, verdict, options, score, fallbacks)
    chosen = judged
    if options.enable_fallbacks:
        chosen = _rescue(source, judged, options, fallbacks)
    if verdict is None or judged is None:
        return Found(kind, chosen, tuple(fallbacks))
    # the verdict itself is not kept: a page of many blocks has a lot of figures
    is_judged = chosen is not None and chosen.page is judged.page
    scores = (verdict.chances * 100 // CERTAIN).tolist() if is_judged else None
    traces: tuple[BlockTrace, ...] = ()
    if options.explain:
        traces = trace_blocks(judged.page, verdict, judged.keep, weights or shipped())
    return Found(kind, chosen, tuple(fallbacks), scores, traces)


def extract_content(
    source: DecodedPage,
    options: Options = DEFAULTS,
    quality: Callable[[str], int] | None = None,
    base: str = "",
    *,
    blocks: bool = True,
) -> Content:
    """The main content of a page; its tree is cut down to it and belongs to the content now.

    Args:
        source: the page.
        options: limits and switches.
        quality: scores a text from 0 to 100, for the choice between candidates.
        base: what addresses are relative to; the URL of the page when left out.
        blocks: whether the blocks of the page are wanted, which takes a fifth of the time.
    """
    found = find_content(source, options, quality)
    content = describe_content(found, options)
    return cut_content(content, found, base or source.url, blocks=blocks)


def describe_content(found: Found, options: Options = DEFAULTS) -> Content:
    """What can be told of the content while the tree is whole: all but its root and blocks."""
    chosen = found.chosen
    if chosen is None:
        return _nothing(found.kind, found.fallbacks)
    text = chosen.text
    if options.image_alt_in_text:
        text = render_text(chosen.page, chosen.keep, alts=True)
    return Content(
        root=parse_fragment(""),
        text=text,
        method=chosen.method,
        page_type=found.kind[0],
        page_type_confidence=found.kind[1],
        fallbacks=found.fallbacks,
        notes=(f"content found by {chosen.method}",) if found.fallbacks else (),
        traces=found.traces,
    )


def cut_content(content: Content, found: Found, base: str, *, blocks: bool = True) -> Content:
    """The content with its root and blocks; the tree of the page is cut down to it."""
    chosen = found.chosen
    if chosen is None:
        return content
    if blocks:
        read = read_blocks(chosen.page, chosen.keep.tolist(), found.scores, base)
        content = replace(content, blocks=read)
    return replace(content, root=with_lead_picture(prune(chosen.page, chosen.keep)))


def whole_content(
    tree: Tree, method: str, skipped: frozenset[str] = SKIPPED, base: str = ""
) -> Content:
    """All of a tree as content, for what came without clutter: a feed's item, JSON, plain text."""
    chosen = _whole(method, _body_of(tree), skipped)
    if chosen is None:
        return _nothing(("other", 0.0), ())
    blocks = read_blocks(chosen.page, chosen.keep.tolist(), None, base)
    root = prune(chosen.page, chosen.keep)
    return Content(root=root, text=chosen.text, method=method, blocks=blocks)


def whole_page(source: DecodedPage, method: str, skipped: frozenset[str]) -> Content:
    """All of a page's tree as content, and what kind of page it is."""
    page = segment(_body_of(source.tree), skipped)
    if not page:
        return _nothing(("other", 0.0), ())
    kind = find_kind(page, read_context(source.tree, source.url), shipped())
    chosen = _candidate(method, page, np.ones(len(page), np.bool_))
    blocks = read_blocks(page, chosen.keep.tolist(), None, source.url)
    return Content(
        root=prune(page, chosen.keep),
        blocks=blocks,
        text=chosen.text,
        method=method,
        page_type=kind[0],
        page_type_confidence=kind[1],
    )


def recount(content: Content, root: Element, *, alts: bool = False, base: str = "") -> Content:
    """The content with another root, and the text that this one has."""
    page = segment(root)
    keep = np.ones(len(page), np.bool_)
    text = render_text(page, keep, alts=alts) if page else ""
    return replace(content, root=root, text=text, blocks=renew_main(content.blocks, page, base))


def _find_marked(tree: Tree, body: Element) -> tuple[set[Element], list[Element]]:
    """What is hidden in the body, and the elements with an ``itemtype``: one search for both."""
    marked = tree.select(f"[itemtype],{HIDING}")
    items = [element for element in marked if "itemtype" in element.attrs]
    hidden = set(marked).difference(items)
    hidden.update(item for item in items if item.matches(HIDING))
    hidden.discard(body)  # until its scripts have run
    return hidden, items


def _body_of(tree: Tree) -> Element:
    body = tree.select_one("body")
    return body if body is not None else (tree.root or parse_fragment(""))


def _candidate(method: str, page: BlockPage, keep: NDArray[np.bool_]) -> _Candidate:
    return _Candidate(method, page, keep, render_text(page, keep))


def _second_thoughts(
    first: _Candidate,
    verdict: BlockVerdict,
    options: Options,
    score: Callable[[str], int],
    fallbacks: list[str],
) -> _Candidate:
    """The whole body without plain clutter, where the first answer is short or disbelieved."""
    too_short = len(first.text) < options.text_min_length
    if not too_short and (verdict.expected >= _LEFT_OUT or score(first.text) >= _GOOD):
        return first
    links = verdict.sheet.read("own.link_ratio")
    keep = ((verdict.chances >= _PLAIN_CLUTTER) & (links < 0.5)) | verdict.keep
    second = _candidate("body", first.page, keep)
    accepted = score(second.text) >= _ACCEPTABLE or too_short
    if not accepted or len(second.text) <= len(first.text):
        return first
    fallbacks.append("blocks: too short" if too_short else "blocks: much was left out")
    return second


def _rescue(
    source: DecodedPage,
    chosen: _Candidate | None,
    options: Options,
    fallbacks: list[str],
) -> _Candidate | None:
    """Preloaded state for a nearly empty page, then anything that can be seen."""
    if chosen is None or chosen.words < _NEARLY_EMPTY:
        preloaded = read_preloaded(source.tree)
        if preloaded is not None:
            candidate = _whole("preload", preloaded)
            if candidate and candidate.words > 2 * (chosen.words if chosen else 0):
                fallbacks.append("blocks: the visible page is nearly empty")
                return candidate
    if chosen is None or len(chosen.text) < options.text_min_length:
        everything = _whole("visible-text", _body_of(source.tree), VISIBLE)
        if everything and (chosen is None or len(everything.text) > 2 * len(chosen.text)):
            fallbacks.append(f"{chosen.method if chosen else 'blocks'}: hardly any text")
            return everything
    return chosen


def _whole(method: str, root: Element, skipped: frozenset[str] = SKIPPED) -> _Candidate | None:
    page = segment(root, skipped)
    if not page:
        return None
    return _candidate(method, page, np.ones(len(page), np.bool_))


def _nothing(kind: tuple[PageType, float], fallbacks: tuple[str, ...]) -> Content:
    return Content(
        root=parse_fragment(""),
        text="",
        method="none",
        page_type=kind[0],
        page_type_confidence=kind[1],
        fallbacks=fallbacks,
        notes=("the page has no visible text",),
    )


def _length_score(text: str) -> int:
    """A stand-in where nobody scores: long texts are good."""
    return min(100, len(text) // 20)

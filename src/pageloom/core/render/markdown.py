"""Convert HTML to GitHub-flavoured Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.dom import parse
from pageloom.core.mend import mend
from pageloom.core.options import MarkdownOptions
from pageloom.core.render.element_table import FLAT, FLOW, FLOW_WITHOUT_CALLOUTS
from pageloom.core.render.prepare import prepare
from pageloom.core.render.walk import Walker

if TYPE_CHECKING:
    from pageloom.core.dom import Element
    from pageloom.core.options import ImageStyle, LinkStyle
    from pageloom.core.pictures import Pictures

_DEFAULTS = MarkdownOptions()


def to_markdown(
    root: Element,
    options: MarkdownOptions = _DEFAULTS,
    pictures: Pictures | None = None,
    *,
    revealed: bool = False,
) -> str:
    """The Markdown of a content tree, which is only read. Ends in one newline, or is empty.

    Args:
        root: the content; its own tag is not written.
        options: how it is written.
        pictures: those of the tree, where other stages ask for them too.
        revealed: whether ``reveal`` has left nothing hidden to look for.
    """
    plan = prepare(root, revealed=revealed)
    flow = FLOW if plan.has_callouts else FLOW_WITHOUT_CALLOUTS
    walker = Walker(plan, options, flow, FLAT, pictures)
    walker.walk(root, flow)
    return walker.finish()


def html_to_markdown(
    html: str,
    base_url: str | None = None,
    *,
    images: ImageStyle = "clickable",
    links: LinkStyle = "inline",
    wrap: int | None = None,
) -> str:
    """The Markdown of HTML text.

    Args:
        html: a page or a part of one.
        base_url: what relative URLs are made absolute with; left as they are without it.
        images: ``clickable``, ``plain`` or ``none``.
        links: ``inline``, ``reference`` (URLs at the end) or ``none`` (the text alone).
        wrap: the longest line of a paragraph; None for one line each.

    Raises:
        TypeError: ``html`` or ``base_url`` is no text.
    """
    for name, text in (("html", html), ("base_url", base_url or "")):
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{name} must be a str, not {type(text).__name__}")
    tree = parse(html)
    mend(tree)
    root = tree.find("body") or tree.root
    options = MarkdownOptions(images=images, links=links, wrap=wrap, base_url=base_url or "")
    return to_markdown(root, options) if root is not None else ""

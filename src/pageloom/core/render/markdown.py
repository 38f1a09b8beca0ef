"""Markdown from HTML: GitHub-flavoured, and the same page again when it is rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.dom import parse
from pageloom.core.render.actions import FLAT, FLOW
from pageloom.core.render.options import MarkdownOptions
from pageloom.core.render.prepare import prepare
from pageloom.core.render.walk import Walker

if TYPE_CHECKING:
    from pageloom.core.dom import Element

_DEFAULTS = MarkdownOptions()


def to_markdown(root: Element, options: MarkdownOptions = _DEFAULTS) -> str:
    """The Markdown of a content tree, which is only read. Ends in one newline, or is empty."""
    walker = Walker(prepare(root), options, FLOW, FLAT)
    walker.walk(root, FLOW)
    return walker.finish()


def html_to_markdown(html: str, base_url: str | None = None) -> str:
    """The Markdown of HTML text; relative addresses are made absolute when a base is given."""
    tree = parse(html)
    root = tree.find("body") or tree.root
    return to_markdown(root, MarkdownOptions(base_url=base_url or "")) if root is not None else ""

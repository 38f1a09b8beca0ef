"""Options of the Markdown output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ImageStyle = Literal["clickable", "plain", "none"]
LinkStyle = Literal["inline", "reference", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownOptions:
    """How images, links and long lines are written."""

    images: ImageStyle = "clickable"
    """``[![alt](src)](src)``, ``![alt](src)``, or nothing."""
    links: LinkStyle = "inline"
    """``[text](url)``, ``[text][1]`` with the URLs at the end, or the text alone."""
    wrap: int | None = None
    """The longest line of a paragraph where a space allows a break; None for one line each."""
    base_url: str = ""
    """What relative URLs are relative to; without it they stay as the page spells them."""

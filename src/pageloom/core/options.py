"""Options of extraction, and of the Markdown that it writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pageloom.core.option_values import read_values

if TYPE_CHECKING:
    from collections.abc import Mapping

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of ``extract``. A part that is switched off leaves its field empty."""

    enable_markdown: bool = True
    extract_links: bool = True
    extract_media: bool = True
    detect_language: bool = True
    extract_categories: bool = True
    enable_fallbacks: bool = True
    max_content_length: int = 10_000_000
    """The most bytes of content; more raises OversizedContent."""
    parse_timeout_ms: int = 5_000
    """The time limit for one page, when extraction runs in the sandbox."""
    max_pdf_pages: int = 1_000
    """The most pages of a PDF; more raises OversizedContent."""
    pdf_timeout_ms: int = 30_000
    """The time limit for reading a PDF, which always happens in the sandbox."""
    min_quality_score: int = 30
    strict: bool = False
    """Raise LowQuality under the minimum score, NoContentFound under ``text_min_length``."""
    text_min_length: int = 50
    """With less text than this, the next extraction strategy is tried."""
    image_alt_in_text: bool = False
    max_depth: int = 256
    max_nodes: int = 400_000
    markdown_images: ImageStyle = "clickable"
    markdown_links: LinkStyle = "inline"
    markdown_wrap: int | None = None
    """The style of the Markdown. Score and hashes are those of the default style."""
    explain: bool = False
    """Record in the provenance why each block was kept or dropped."""
    scope: tuple[str, ...] = ()
    """Selectors (CSS, or XPath after ``xpath:``): only these parts of a page are extracted."""
    ignore: tuple[str, ...] = ()
    """Selectors of parts that are ignored."""


DEFAULTS = Options()


def read_options(given: Options | Mapping[str, Any] | None) -> Options:
    """Options from an instance, from a mapping of some of its fields, or the defaults.

    Raises:
        SettingsError: an unknown name, or an invalid value.
    """
    if isinstance(given, Options):
        return given
    return read_values(Options, given or {}, strict=True)

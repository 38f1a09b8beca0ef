"""What a caller may choose about extraction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pageloom.core.option_values import read_values

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of ``extract``. A part that is switched off costs no time and its field is empty."""

    enable_markdown: bool = True
    extract_links: bool = True
    extract_media: bool = True
    detect_language: bool = True
    extract_categories: bool = True
    enable_fallbacks: bool = True
    max_content_length: int = 10_000_000
    """Bytes; larger content is refused with OversizedContent."""
    parse_timeout_ms: int = 5_000
    """The time for one page where extraction runs in a sandbox."""
    min_quality_score: int = 30
    strict: bool = False
    """Raise LowQuality under the minimum score, NoContentFound under ``text_min_length``."""
    text_min_length: int = 50
    """Shorter text means: try the next strategy."""
    image_alt_in_text: bool = False
    max_depth: int = 256
    max_nodes: int = 400_000
    markdown_images: Literal["clickable", "plain", "none"] = "clickable"
    markdown_links: Literal["inline", "reference", "none"] = "inline"
    markdown_wrap: int | None = None
    """The style of the Markdown. Score and hashes are those of the default style."""
    explain: bool = False
    """Keep a trace of every block in the provenance."""
    scope: tuple[str, ...] = ()
    """Selectors (CSS, or XPath behind ``xpath:``): only these parts of a page are read."""
    ignore: tuple[str, ...] = ()
    """Selectors of parts that are passed over."""


DEFAULTS = Options()


def read_options(given: Options | Mapping[str, Any] | None) -> Options:
    """The options meant by an Options, by a mapping of some of its fields, or by nothing.

    Raises:
        SettingsError: a name that is no option, or a value that does not fit.
    """
    if isinstance(given, Options):
        return given
    return read_values(Options, given or {}, strict=True)

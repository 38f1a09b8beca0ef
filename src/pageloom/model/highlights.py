"""Highlights: passages of a page that a user marked, wherever later versions have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Colour = Literal["yellow", "green", "blue", "pink"]
COLOURS: tuple[Colour, ...] = ("yellow", "green", "blue", "pink")
HighlightState = Literal["same", "moved", "edited", "gone"]
"""What became of the words since they were marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkSpan:
    """A passage of a text: from one character to before another, and the line it begins in."""

    start: int
    end: int
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """A marked passage."""

    id: int
    page_id: int
    quote: str
    """The words as they were when they were marked."""
    before: str = ""
    after: str = ""
    """What stood around them then, up to 32 characters on each side."""
    colour: Colour = "yellow"
    note: str = ""
    version: int
    """The version in which they were marked."""
    state: HighlightState = "same"
    text: str = ""
    """The words in the last version that has them: another text once they were edited."""
    found_version: int
    """The last version that has them."""
    block: int = 0
    """The block of that version that they begin in."""
    start: int = 0
    end: int = 0
    """Where in the text of that version they stand."""
    created_at: str
    updated_at: str
    page_title: str = ""
    page_url: str = ""

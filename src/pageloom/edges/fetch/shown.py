"""What the browser brings back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pageloom.model import RawPage


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A page as a browser shows it."""

    page: RawPage
    """Its body is the markup after all scripts have run, web components laid out flat."""
    screenshot: bytes = b""
    pdf: bytes = b""
    refused: tuple[str, ...] = ()
    """Hosts that the page wanted to reach and the gate did not allow."""

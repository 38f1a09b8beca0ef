"""A page as rendered by the browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pageloom.model import RawPage


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPage:
    """The HTML after scripts, and what else was asked for."""

    page: RawPage
    """Its body is the HTML after all scripts have run, shadow trees flattened."""
    screenshot: bytes = b""
    pdf: bytes = b""
    refused: tuple[str, ...] = ()
    """Hosts that the page wanted to connect to and that could not be or were refused."""

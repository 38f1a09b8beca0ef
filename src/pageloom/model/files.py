"""Files that are kept with pages: their pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PictureState = Literal["waiting", "kept", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFile:
    """A file as it came, and what it is by its bytes."""

    hash: str
    """SHA-256 of its bytes, by which it is known."""
    media_type: str
    body: bytes
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePicture:
    """A picture that a page shows, and whether it is kept."""

    page_id: int
    url: str
    state: PictureState = "waiting"
    """``waiting``: it is fetched with the next save, or by ``pageloom pictures fetch``."""
    hash: str | None = None
    small_hash: str | None = None
    small_type: str = ""
    """Of the smaller copy for reading, if one was made."""
    media_type: str = ""
    size: int = 0
    """In bytes."""
    width: int | None = None
    height: int | None = None
    reason: str = ""
    """Why it is not kept."""
    attempts: int = 0

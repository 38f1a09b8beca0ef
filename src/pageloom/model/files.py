"""Files that are kept with pages: their pictures, and snapshots of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SnapshotKind = Literal["screenshot", "pdf", "html"]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A page as a browser showed it: a picture, a print, or one HTML file."""

    id: int
    page_id: int
    version: int
    """The version of the page that was read from the same visit."""
    kind: SnapshotKind
    hash: str
    media_type: str
    size: int
    width: int | None = None
    height: int | None = None
    taken_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VisualChange:
    """A watched page that looks different: its screenshots, and where they differ."""

    id: int = 0
    page_id: int
    watch_id: int
    version: int
    """The version that was the last when the newer screenshot was taken."""
    share: float
    """The part of the area that differs, 0 to 1."""
    regions: tuple[tuple[int, int, int, int], ...] = ()
    """Left, top, width and height in pixels."""
    before_hash: str | None = None
    after_hash: str
    outlined_hash: str | None = None
    """The newer screenshot with the regions outlined."""
    at: str

    @property
    def summary(self) -> str:
        """In words."""
        places = "1 place" if len(self.regions) == 1 else f"{len(self.regions)} places"
        return f"The page looks different: {self.share:.1%} of it, in {places}."

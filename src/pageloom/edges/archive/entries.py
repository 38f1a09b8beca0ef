"""What the readers of archives give: one Entry for each record, damage included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from pageloom.errors import DamagedInput, OversizedContent

if TYPE_CHECKING:
    from pageloom.model import RawPage

EntryKind = Literal["page", "refused", "damaged", "other"]
LARGEST = 10_000_000
END = -1
"""As the end of a piece: that of its file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of an archive."""

    kind: EntryKind
    """``other`` is a record that is no page: a request, metadata, a revisit."""
    offset: int
    """Where it begins: bytes of the file, of its unpacked form, or a row."""
    after: int
    """Where the next one begins."""
    page: RawPage | None = None
    url: str = ""
    reason: str = ""
    """Of a refused or damaged one: the code of an error."""
    detail: str = ""


class Readable(Protocol):
    """An open file: what readers need of it."""

    def read(self, size: int = -1, /) -> bytes:
        """Some bytes; none at the end."""
        ...

    def seek(self, offset: int, whence: int = 0, /) -> int | None:
        """Go to a place."""
        ...

    def tell(self) -> int:
        """Where it is."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How an archive is read."""

    largest: int = LARGEST
    """Bytes of a page; a larger one is refused without being read."""
    names: tuple[tuple[str, str], ...] = ()
    """Of JSON lines and Parquet: our field, and the name it has there."""
    url_from: Literal["none", "name", "sidecar", "canonical"] = "none"
    """Of page files: where their URLs come from."""


def damaged(offset: int, after: int, why: str, url: str = "") -> Entry:
    """A stretch of the input that cannot be read."""
    what = f"{why} (from {offset:,} to {after:,})"
    return Entry("damaged", offset, after, url=url, reason=DamagedInput.__name__, detail=what)


def oversized(offset: int, after: int, size: int, reading: Reading, url: str = "") -> Entry:
    """A page above the limit, which was not read."""
    detail = f"The page has {size:,} bytes; the limit is {reading.largest:,}."
    return Entry("refused", offset, after, url=url, reason=OversizedContent.__name__, detail=detail)

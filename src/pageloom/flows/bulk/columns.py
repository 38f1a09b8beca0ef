"""The columns of a bulk run: what each is called, its type, and where its value comes from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.core.enrich.reuse import reuse_terms
from pageloom.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pageloom.model import Document, Moment, RawPage


@dataclass
class PageRow:
    """One page and its place in the input: what the columns read."""

    document: Document
    raw: RawPage
    source_file: str
    source_offset: int
    source_record: int

    @cached_property
    def robots(self) -> tuple[str, ...]:
        """What page and server say about reuse."""
        return reuse_terms(self.document.metadata, self.raw.headers)


def _iso(moment: Moment | None) -> str:
    return moment.iso if moment else ""


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _plain(values: Sequence[Any]) -> list[Any]:
    """Lists of our values as dicts, numbers of prices as text: no digit is lost."""
    return [msgspec.to_builtins(each) for each in values]


_TEXTS = (
    "id url final_url canonical_url title description site_name language page_type text markdown "
    "near_duplicate content_hash author direction html hero_image summary change_hash snapshot_hash"
)
_LISTS = "authors tags categories generated_tags"

COLUMNS: dict[str, tuple[str, Callable[[PageRow], Any]]] = {
    **{
        name: ("string", lambda row, name=name: getattr(row.document, name))
        for name in _TEXTS.split()
    },
    **{
        name: ("strings", lambda row, name=name: getattr(row.document, name))
        for name in _LISTS.split()
    },
    "published": ("string", lambda row: _iso(row.document.published)),
    "modified": ("string", lambda row: _iso(row.document.modified)),
    "language_confidence": (
        "float",
        lambda row: row.document.language_confidence if row.document.language else None,
    ),
    "page_type_confidence": ("float", lambda row: row.document.page_type_confidence),
    "word_count": ("int32", lambda row: row.document.word_count),
    "reading_time": ("int32", lambda row: row.document.reading_time),
    "quality_score": ("int16", lambda row: row.document.quality_score),
    "robots": ("strings", lambda row: row.robots),
    "fetched_at": ("string", lambda row: row.raw.fetched_at),
    "status": ("int16", lambda row: row.raw.status or None),
    "media_type": ("string", lambda row: row.document.provenance.media_type),
    "charset": ("string", lambda row: row.document.provenance.charset),
    "warnings": ("strings", lambda row: row.document.provenance.warnings),
    "source_file": ("string", lambda row: row.source_file),
    "source_offset": ("int64", lambda row: row.source_offset),
    "source_record": ("int64", lambda row: row.source_record),
    "links": ("links", lambda row: _plain(row.document.links)),
    "images": ("images", lambda row: _plain(row.document.images)),
    "price_candidates": ("prices", lambda row: _plain(row.document.price_candidates)),
    "metadata": ("string", lambda row: _json(row.document.metadata)),
    "provenance": ("string", lambda row: _json(row.document.provenance)),
    "document": ("string", lambda row: row.document.to_json()),
    "duplicate_of": ("string", lambda _: ""),
}
"""By name: the type in the file, and what reads the value."""

DEFAULT = tuple(
    (
        "id url final_url canonical_url title authors published modified language "
        "language_confidence site_name description page_type page_type_confidence text markdown "
        "tags word_count quality_score content_hash near_duplicate robots fetched_at status "
        "media_type charset warnings source_file source_offset source_record"
    ).split()
)
_NOT_IN_ALL = ("document", "duplicate_of")


def choose_columns(given: Sequence[str]) -> tuple[str, ...]:
    """The columns that were asked for: names, ``+name`` for one more, or ``all``.

    Raises:
        InvalidArgument: an unknown name.
    """
    if "all" in given:
        return (*DEFAULT, *(name for name in COLUMNS if name not in (*DEFAULT, *_NOT_IN_ALL)))
    more = [name[1:] for name in given if name.startswith("+")]
    plain = [name for name in given if not name.startswith("+")]
    chosen = tuple(dict.fromkeys([*(plain or DEFAULT), *more]))
    for name in chosen:
        if name not in COLUMNS:
            raise InvalidArgument(
                f"There is no column {name!r}.",
                suggestions=(f"Choose from {', '.join(COLUMNS)}.",),
            )
    return chosen

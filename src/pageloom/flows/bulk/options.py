"""What a bulk run is asked to do: all of it is written to its plan."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from pageloom.core.options import Options
from pageloom.core.rules.patterns import compile_pattern
from pageloom.edges.archive.parts import Compress, Format  # noqa: TC001  msgspec reads them
from pageloom.edges.archive.rows import FIELDS
from pageloom.errors import InvalidArgument
from pageloom.flows.bulk.columns import choose_columns
from pageloom.model import PageType

if TYPE_CHECKING:
    from collections.abc import Mapping

Dedup = Literal["off", "exact", "near"]
UrlFrom = Literal["none", "name", "sidecar", "canonical"]
PART_RECORDS = 10_000
RESPECT: dict[str, tuple[str, ...]] = {
    "noindex": ("noindex", "none"),
    "noarchive": ("noarchive",),
    "nosnippet": ("nosnippet",),
    "noai": ("noai",),
    "noimageai": ("noimageai",),
    "tdm": ("tdm-reservation",),
}
"""What ``--respect`` may name, and the entries of the column ``robots`` that it stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkFilters:
    """Which pages are kept; every one that is set must let a page through."""

    language: tuple[str, ...] = ()
    min_words: int = 0
    min_quality: int = 0
    page_type: tuple[str, ...] = ()
    status: tuple[int, ...] = (200,)
    """Only where the archive says one; none at all for an empty tuple."""
    media_type: tuple[str, ...] = ()
    respect: tuple[str, ...] = ()
    """Of ``RESPECT``."""
    url_match: str = ""
    """A regular expression (RE2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkOptions:
    """Everything that the output depends on, besides the input and the rules."""

    format: Format = "parquet"
    compress: Compress = "zstd"
    columns: tuple[str, ...] = field(default_factory=lambda: choose_columns(()))
    filters: BulkFilters = field(default_factory=BulkFilters)
    dedup: Dedup = "off"
    keep_duplicates: bool = False
    against: str = ""
    """An earlier output: what it kept counts as first."""
    reject_rows: bool = True
    names: tuple[tuple[str, str], ...] = ()
    url_from: UrlFrom = "none"
    part_records: int = PART_RECORDS
    extraction: Options = field(default_factory=Options)

    def checked(self) -> BulkOptions:
        """The same, once every value was found to be a valid one.

        Raises:
            InvalidArgument: one is not.
        """
        _one_of("format", self.format, ("parquet", "jsonl"))
        _one_of("compress", self.compress, ("zstd", "gzip", "none"))
        _one_of("dedup", self.dedup, get_args(Dedup))
        _one_of("url_from", self.url_from, get_args(UrlFrom))
        for kind in self.filters.page_type:
            _one_of("page_type", kind, get_args(PageType))
        for term in self.filters.respect:
            _one_of("respect", term, tuple(RESPECT))
        for name, _ in self.names:
            _one_of("map", name, FIELDS)
        if self.part_records < 1:
            raise InvalidArgument("part_records must be at least 1.")
        if (self.keep_duplicates or self.against) and self.dedup == "off":
            raise InvalidArgument(
                "keep_duplicates and against need deduplication.",
                suggestions=("Add --dedup exact or --dedup near.",),
            )
        if self.filters.url_match:
            _check_pattern(self.filters.url_match)
        columns = choose_columns(self.columns)
        if self.keep_duplicates and "duplicate_of" not in columns:
            columns = (*columns, "duplicate_of")
        return replace(self, columns=columns)


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InvalidArgument(
            f"{value!r} is not a valid value of {name}.",
            suggestions=(f"Choose from {', '.join(known)}.",),
        )


def _check_pattern(pattern: str) -> None:
    try:
        compile_pattern(pattern)
    except ValueError as error:
        raise InvalidArgument(f"The pattern of url_match cannot be used: {error}.") from None


def read_filters(given: BulkFilters | Mapping[str, Any] | None) -> BulkFilters:
    """Filters from an instance, or from a mapping of some of its fields.

    Raises:
        InvalidArgument: an unknown name.
    """
    if isinstance(given, BulkFilters):
        return given
    known = {each.name: each for each in fields(BulkFilters)}
    for name in given or {}:
        _one_of("filters", name, tuple(known))
    return BulkFilters(**{name: _listed(name, value) for name, value in (given or {}).items()})


def _listed(name: str, value: Any) -> Any:
    if name in ("min_words", "min_quality", "url_match"):
        return value
    return (value,) if isinstance(value, str | int) else tuple(value)

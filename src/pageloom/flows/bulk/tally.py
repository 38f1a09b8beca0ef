"""Counts of pages: of a batch, of a part, of a run. They add up, in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.core.normalize.urls import domain_of
from pageloom.errors import InvalidUrl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MOST_SITES = 100
MOST_SLOW = 20
_KEPT_SITES = 500
"""Of a part: so many that the commonest of the run are among them."""
TIME_STEPS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
WORD_STEPS = (0, 10, 50, 100, 200, 500, 1000, 2000, 5000, 10000)


class Slow(msgspec.Struct, frozen=True, array_like=True):
    """A page that took long."""

    seconds: float
    url: str
    source_file: str
    source_record: int


class Tally(msgspec.Struct, kw_only=True):
    """What happened to pages."""

    read: int = 0
    """Pages that could be read from the input, kept or not."""
    damaged: int = 0
    """Stretches of the input that could not."""
    other: int = 0
    """Records that are no pages."""
    kept: int = 0
    rejected: dict[str, int] = {}
    """By reason."""
    filtered: dict[str, int] = {}
    """By filter."""
    languages: dict[str, int] = {}
    page_types: dict[str, int] = {}
    sites: dict[str, int] = {}
    words: dict[str, int] = {}
    """By the lower end of a range."""
    quality: dict[str, int] = {}
    times: dict[str, int] = {}
    """By the upper end of a range of CPU seconds."""
    slow: list[Slow] = []
    deaths: dict[str, int] = {}
    """Of workers, by signal."""
    retries: int = 0
    bytes_in: int = 0
    """Of the pages, unpacked: places in an archive may be rows."""
    bytes_out: int = 0
    cpu_seconds: float = 0.0
    seconds: float = 0.0
    """Of the workers' clocks, added up."""

    def add(self, other: Tally) -> None:
        """Add another."""
        for name in self.__struct_fields__:
            own: Any = getattr(self, name)
            more: Any = getattr(other, name)
            if name == "slow":
                self.slow = slowest([*own, *more])
            elif name in _COUNTS:
                for key, number in more.items():
                    own[key] = own.get(key, 0) + number
            else:
                setattr(self, name, own + more)

    @property
    def adds_up(self) -> bool:
        """Whether every page that was read is accounted for."""
        return self.read + self.damaged == self.kept + sum(self.rejected.values())

    def trim(self, most: int = _KEPT_SITES) -> None:
        """Keep the commonest sites only."""
        if len(self.sites) > most:
            self.sites = commonest(self.sites, most)


_COUNTS = frozenset(
    "rejected filtered languages page_types sites words quality times deaths".split()
)
"""The fields of a Tally that count by key."""


def time_step(seconds: float) -> str:
    """The range that a page's time falls in."""
    return next((str(step) for step in TIME_STEPS if seconds <= step), "+Inf")


def counted(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What the report counts of a row: the name of a count, and a key."""
    if "language" in row:
        yield "languages", row["language"] or "unknown"
    if "page_type" in row:
        yield "page_types", row["page_type"]
    if "word_count" in row:
        yield "words", str(max(step for step in WORD_STEPS if step <= row["word_count"]))
    if "quality_score" in row:
        yield "quality", str(min(row["quality_score"], 99) // 10 * 10)
    if site := _site(row.get("final_url") or row.get("url") or ""):
        yield "sites", site


def _site(url: str) -> str:
    try:
        return domain_of(url) if url else ""
    except InvalidUrl:
        return ""


def count(counts: dict[str, int], key: str) -> None:
    """Count one more."""
    counts[key] = counts.get(key, 0) + 1


def slowest(pages: Iterable[Slow]) -> list[Slow]:
    """The pages that took longest."""
    return sorted(pages, key=lambda page: -page.seconds)[:MOST_SLOW]


def commonest(counts: dict[str, int], most: int) -> dict[str, int]:
    """The largest counts, largest first; by name where they are equal."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return dict(ranked[:most])

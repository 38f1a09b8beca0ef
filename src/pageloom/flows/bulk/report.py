"""The report of a run: sums of its markers, so it can be had at any time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.edges.archive.places import write_small
from pageloom.flows.bulk.shard import Left, each_marker
from pageloom.flows.bulk.tally import MOST_SITES, Tally, commonest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pageloom.flows.bulk.shard import Output

_KEPT_SITES = 100_000
"""Of all parts together, so that no number of sites fills the memory."""
QUIET = frozenset(("Filtered", "Duplicate"))
"""Reasons that somebody asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkReport:
    """What a bulk run did, over all its interruptions."""

    out: str
    shards: int
    shards_done: int
    parts: int
    read: int
    """Pages that could be read from the input."""
    damaged: int
    """Stretches of the input that could not."""
    kept: int
    rejected: dict[str, int]
    """By reason, commonest first."""
    tally: Tally
    """All other counts."""
    failed: dict[int, str] = field(default_factory=dict[int, str])
    """Shards that could not be finished, and why."""

    @property
    def is_complete(self) -> bool:
        """Whether every shard is done."""
        return self.shards_done == self.shards

    @property
    def trouble_share(self) -> float:
        """The share of pages that were rejected although nobody asked for it, from 0 to 1."""
        unasked = sum(n for reason, n in self.rejected.items() if reason not in QUIET)
        return unasked / max(1, self.read + self.damaged)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as in report.json."""
        tally = self.tally
        rate = self.read / tally.cpu_seconds if tally.cpu_seconds else 0.0
        return {
            "out": self.out,
            "complete": self.is_complete,
            "shards": self.shards,
            "shards_done": self.shards_done,
            "parts": self.parts,
            "read": self.read,
            "damaged": self.damaged,
            "kept": self.kept,
            "rejected": self.rejected,
            "adds_up": tally.adds_up,
            "filtered": tally.filtered,
            "other_records": tally.other,
            "languages": commonest(tally.languages, MOST_SITES),
            "page_types": commonest(tally.page_types, MOST_SITES),
            "sites": commonest(tally.sites, MOST_SITES),
            "words": _by_number(tally.words),
            "quality": _by_number(tally.quality),
            "slowest": [msgspec.structs.asdict(page) for page in tally.slow],
            "deaths": tally.deaths,
            "retries": tally.retries,
            "duplicates": self.rejected.get("Duplicate", 0),
            "bytes_in": tally.bytes_in,
            "bytes_out": tally.bytes_out,
            "cpu_seconds": round(tally.cpu_seconds, 1),
            "pages_per_cpu_second": round(rate, 1),
            "failed_shards": {str(shard): why for shard, why in self.failed.items()},
        }


def _by_number(counts: Mapping[str, int]) -> dict[str, int]:
    return {key: counts[key] for key in sorted(counts, key=int)}


def build_report(output: Output, failed: Mapping[int, str] | None = None) -> BulkReport:
    """The report of what is whole by now."""
    tally, left, parts = Tally(), Left(output.plan), 0
    for parts, marker in enumerate(each_marker(output), 1):  # noqa: B007  their number
        tally.add(marker.tally)
        if len(tally.sites) > 2 * _KEPT_SITES:
            tally.trim(_KEPT_SITES)
        left.note(marker)
    shards = len(output.plan.shards)
    return BulkReport(
        out=output.out,
        shards=shards,
        shards_done=shards - len(left.parts),
        parts=parts,
        read=tally.read,
        damaged=tally.damaged,
        kept=tally.kept,
        rejected=commonest(tally.rejected, 1000),
        tally=tally,
        failed=dict(failed or {}),
    )


def write_report(report: BulkReport) -> None:
    """Write report.json and report.html."""
    from pageloom.flows.bulk.report_page import report_page

    data = report.to_dict()
    encoded = msgspec.json.format(msgspec.json.encode(data), indent=1)
    write_small(f"{report.out}/report.json", encoded + b"\n")
    write_small(f"{report.out}/report.html", report_page(data).encode())

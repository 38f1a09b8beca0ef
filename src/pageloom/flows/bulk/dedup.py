"""Take duplicates out of a run whose parts are all written.

Three steps, each with files that say whether they are whole: pairs of equal signatures, piece by
piece; which pages go; and the parts that lose rows, written again under the same names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from pageloom.edges.archive.parts import count_rows, read_rows, write_rejects, write_rows
from pageloom.edges.archive.places import read_small, write_small
from pageloom.errors import InvalidArgument, StorageError
from pageloom.flows.bulk.plan import read_plan
from pageloom.flows.bulk.shard import Output, each_marker, read_marker, write_marker
from pageloom.flows.bulk.signatures import Signatures, checksum, lowest_of_groups, read_signatures
from pageloom.flows.bulk.tally import Tally, count, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.flows.bulk.shard import Marker

Spread = Callable[[Callable[[Any], None], Iterable[Any]], None]
"""Does something with each of many items."""
DUPLICATE = "Duplicate"
_DIGEST = 128
"""Bytes before each file of ours: its length and hash."""


@dataclass(frozen=True)
class _Kept:
    """The page that stays, for each row of a part that goes."""

    marker: Marker
    rows: dict[int, str]
    """By row: the id of the page that stays."""


def remove_duplicates(output: Output, *, spread: Spread, memory: int | None) -> None:
    """Take out the duplicates of a whole run; what an interrupted call did is not done again.

    Args:
        output: the run.
        spread: what does something with each of many items, here or on a cluster.
        memory: bytes for the signatures that are sorted at once.
    """
    done = f"{output.out}/_run/dedup/done"
    if read_small(done) is not None:
        return
    sources = [*_earlier(output), *_sources(output)]
    signatures = Signatures(sources, output.plan.options.dedup)
    count = max(1, -(-signatures.size * 3 // (memory or _quarter_of_memory())))
    pieces = [_Piece(output, number, count) for number in range(count)]
    spread(partial(_find_pairs, signatures), [piece for piece in pieces if piece.read() is None])
    edges = [piece.pairs() for piece in pieces]
    labels = lowest_of_groups(np.concatenate(edges), int(signatures.starts[-1]))
    spread(partial(_write_again, output), _losers(sources, signatures.starts, labels))
    write_small(done, b"")


def _sources(output: Output) -> Iterable[tuple[Output, Marker]]:
    """The parts of a run, without their counts: there may be very many of them."""
    return ((output, msgspec.structs.replace(one, tally=Tally())) for one in each_marker(output))


def _quarter_of_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4


def _earlier(output: Output) -> list[tuple[Output, Marker]]:
    """The parts of the run that this one is compared against."""
    place = output.plan.options.against.rstrip("/")
    if not place:
        return []
    plan = read_plan(place)
    if plan is None:
        raise InvalidArgument(f"There is no bulk run in {place}.")
    if plan.options.dedup != output.plan.options.dedup:
        raise InvalidArgument(
            f"--against {place} was made with --dedup {plan.options.dedup};"
            f" this run uses --dedup {output.plan.options.dedup}.",
            suggestions=("Use the same for both.",),
        )
    earlier = Output(place, plan, {})
    return list(_sources(earlier))


@dataclass(frozen=True)
class _Piece:
    """The pairs of one range of hashes, and the file that they are in."""

    output: Output
    number: int
    count: int

    @property
    def path(self) -> str:
        return f"{self.output.out}/_run/dedup/pairs-{self.number:05d}-of-{self.count:05d}.bin"

    def read(self) -> bytes | None:
        """What the file holds, if it is whole."""
        data = read_small(self.path)
        if data is None or data[:_DIGEST] != _digest(data[_DIGEST:]):
            return None
        return data[_DIGEST:]

    def pairs(self) -> np.ndarray:
        """The pairs.

        Raises:
            StorageError: the file is not whole.
        """
        data = self.read()
        if data is None:
            raise StorageError(f"{self.path} cannot be read: it is missing or damaged.")
        return np.frombuffer(data, "<i8").reshape(-1, 2)


def _find_pairs(signatures: Signatures, piece: _Piece) -> None:
    """Find the pairs of one piece and write them down: they may be too many to be sent."""
    found = signatures.edges(piece.number, piece.count).astype("<i8").tobytes()
    write_small(piece.path, _digest(found) + found)


def _digest(data: bytes) -> bytes:
    return checksum(data).encode().ljust(_DIGEST)


def _losers(
    sources: Sequence[tuple[Output, Marker]], starts: np.ndarray, labels: np.ndarray
) -> Iterable[_Kept]:
    """The parts that lose rows and were not written again yet."""
    own_output = sources[-1][0]  # an earlier run is only read
    gone = np.flatnonzero(labels != np.arange(len(labels)))
    names = _ids(sources, starts, np.unique(labels[gone]))
    for (output, marker), start, end in zip(sources, starts, starts[1:], strict=False):
        own = gone[(gone >= start) & (gone < end)]
        if len(own) and marker.generation == 1 and output is own_output:
            rows = {int(number - start): names[int(labels[number])] for number in own}
            yield _Kept(marker, rows)


def _ids(
    sources: Sequence[tuple[Output, Marker]], starts: np.ndarray, wanted: np.ndarray
) -> dict[int, str]:
    """The ids of pages by number."""
    found: dict[int, str] = {}
    for (output, marker), start, end in zip(sources, starts, starts[1:], strict=False):
        own = wanted[(wanted >= start) & (wanted < end)]
        if len(own):
            ids = read_signatures(output, marker)["id"][own - start]
            found |= {int(n): bytes(i).decode() for n, i in zip(own, ids, strict=True)}
    return found


def _write_again(output: Output, kept: _Kept) -> None:
    """Write a part without its duplicates: rejects first, for they name what is taken out."""
    options, name = output.plan.options, output.name(kept.marker.shard, kept.marker.part)
    marker = read_marker(output, name) or kept.marker
    kept = _Kept(marker, kept.rows)
    path = output.documents(name)
    if options.keep_duplicates:
        rows = read_rows(path, options.format)
        rows = [row | {"duplicate_of": kept.rows.get(n, "")} for n, row in enumerate(rows)]
        write_rows(path, options.format, options.compress, output.schema(), rows)
        marker.generation = 2
        write_marker(output, marker)
        return
    if count_rows(path, options.format) == marker.rows:  # else it was killed after this
        rows = read_rows(path, options.format)
        if options.reject_rows:
            _add_rejects(output, kept, rows)
        left = [row for number, row in enumerate(rows) if number not in kept.rows]
        write_rows(path, options.format, options.compress, output.schema(), left)
    _settle(output, kept)


def _add_rejects(output: Output, kept: _Kept, rows: Sequence[dict[str, Any]]) -> None:
    marker = kept.marker
    name = output.name(marker.shard, marker.part)
    path = output.rejects(name)
    before = read_rows(path, "parquet")
    if any(row["reason"] == DUPLICATE for row in before):
        return
    places = read_signatures(output, marker)
    files = [file.path for file, _, _ in output.plan.pieces(marker.shard)]
    gone = [
        (
            rows[number].get("url", ""),
            files[int(places[number]["piece"])],
            int(places[number]["offset"]),
            int(places[number]["record"]),
            DUPLICATE,
            first,
            None,
        )
        for number, first in kept.rows.items()
    ]
    rank = {path: number for number, path in enumerate(files)}
    every = [*(tuple(row.values()) for row in before), *gone]
    write_rejects(path, sorted(every, key=lambda row: (rank[row[1]], row[3])))


def _settle(output: Output, kept: _Kept) -> None:
    """Count again what is left, and say that the part is whole."""
    marker, options = kept.marker, output.plan.options
    tally, path = marker.tally, output.documents(output.name(marker.shard, marker.part))
    tally.languages, tally.page_types, tally.sites = {}, {}, {}
    tally.words, tally.quality = {}, {}
    for row in read_rows(path, options.format):
        for name, key in counted(row):
            count(getattr(tally, name), key)
    tally.kept -= len(kept.rows)
    tally.rejected[DUPLICATE] = len(kept.rows)
    tally.trim()
    write_marker(output, msgspec.structs.replace(marker, rows=tally.kept, generation=2))

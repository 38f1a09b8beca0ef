"""Carry out one shard, part by part: the keeper's side of the work.

The keeper reads no page. It asks for a runner, writes what the runner sends, and when the runner
dies it knows from which record on the work is done again, and what becomes of the page in hand.
"""

from __future__ import annotations

import signal
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.edges.archive.columns import schema_of
from pageloom.edges.archive.parts import ending_of, open_part, write_rejects
from pageloom.edges.archive.places import names_in, read_small, write_small
from pageloom.errors import InternalError, ParseTimeout, StorageError
from pageloom.flows.bulk.columns import COLUMNS
from pageloom.flows.bulk.runner import PAGE, READING, Batch, PartJob, Position, key_of
from pageloom.flows.bulk.tally import Tally, count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from pageloom.edges.archive.parts import Part
    from pageloom.edges.mother import Ending, Mother
    from pageloom.flows.bulk.plan import Plan

PROCESS_DIED = "ProcessDied"
_MANY_DEATHS = 50
_DEATH_SHARE = 0.05
_MOST_STANDSTILLS = 5
"""Runners in a row that got nowhere and were not at a page."""
_TIMERS = (signal.SIGPROF, signal.SIGALRM)


class Stopped(Exception):
    """The run is asked to stop: the open part is dropped."""


class Marker(msgspec.Struct, kw_only=True):
    """That a part is whole, what is in it, and where the next one begins."""

    shard: int
    part: int
    start: Position
    next: Position | None
    """None after the last part of a shard."""
    tally: Tally
    rows: int
    signatures: str = ""
    """Length and checksum of the part's signatures."""
    generation: int = 1
    """2 once duplicates were taken out."""


class ShardReport(msgspec.Struct, kw_only=True):
    """What came of a shard."""

    shard: int
    parts: int = 0
    tally: Tally = msgspec.field(default_factory=Tally)
    """Without its longer lists."""
    trouble: str = ""


@dataclass(frozen=True)
class Output:
    """Where a run writes, and how its files are named."""

    out: str
    plan: Plan
    metadata: dict[str, str]

    def name(self, shard: int, part: int) -> str:
        """The name that all files of a part share."""
        return f"{shard:05d}-{part:03d}"

    def documents(self, name: str) -> str:
        """The file of the pages that were kept."""
        options = self.plan.options
        return f"{self.out}/documents/{name}{ending_of(options.format, options.compress)}"

    def rejects(self, name: str) -> str:
        """The file of those that were not."""
        return f"{self.out}/rejects/{name}.parquet"

    def signatures(self, name: str) -> str:
        """What its pages are compared by."""
        return f"{self.out}/_run/signatures/{name}.bin"

    def marker(self, name: str) -> str:
        """What says that the part is whole."""
        return f"{self.out}/_run/parts/{name}.json"

    def schema(self) -> Any:
        """The schema of the documents, where they have one."""
        if self.plan.options.format == "jsonl":
            return None
        types = {name: COLUMNS[name][0] for name in self.plan.options.columns}
        return schema_of(types, self.metadata)

    def open(self, name: str) -> AbstractContextManager[Part]:
        """The file of the pages, to be written."""
        options = self.plan.options
        return open_part(self.documents(name), options.format, options.compress, self.schema())


def read_marker(output: Output, name: str) -> Marker | None:
    """The marker of a part; None if the part is not whole."""
    data = read_small(output.marker(name))
    if data is None:
        return None
    try:
        return msgspec.json.decode(data, type=Marker)
    except msgspec.MsgspecError:
        raise StorageError(
            f"{output.marker(name)} is damaged.",
            suggestions=("Remove it: the part is then written again.",),
        ) from None


def write_marker(output: Output, marker: Marker) -> None:
    """Say that a part is whole: after all its files are."""
    path = output.marker(output.name(marker.shard, marker.part))
    write_small(path, msgspec.json.encode(marker))


def each_marker(output: Output) -> Iterator[Marker]:
    """The markers of all parts, in order, one at a time: there may be very many of them."""
    names = names_in(f"{output.out}/_run/parts")
    for name in sorted(name.removesuffix(".json") for name in names if name.endswith(".json")):
        marker = None if name.startswith(".") else read_marker(output, name)
        if marker is not None:
            yield marker


class Left:
    """What is left to do: the shards that are not whole, once all markers were noted."""

    def __init__(self, plan: Plan) -> None:
        self.parts = {
            number: (0, Position(0, shard[0].start, 0)) for number, shard in enumerate(plan.shards)
        }
        """By shard: its next part, and where it begins."""

    def note(self, marker: Marker) -> None:
        """A part that is whole."""
        if marker.next is None:
            self.parts.pop(marker.shard, None)
        elif marker.shard in self.parts and marker.part + 1 > self.parts[marker.shard][0]:
            self.parts[marker.shard] = (marker.part + 1, marker.next)


def resume_point(output: Output, shard: int) -> tuple[int, Position] | None:
    """The next part of one shard, and where it begins; None if the shard is whole."""
    part, start = 0, Position(0, output.plan.shards[shard][0].start, 0)
    while (marker := read_marker(output, output.name(shard, part))) is not None:
        if marker.next is None:
            return None
        part, start = part + 1, marker.next
    return part, start


@dataclass
class Keeping:
    """What a keeper needs for every part."""

    output: Output
    mother: Mother
    on_batch: Callable[[Tally], None] = lambda _: None
    stop: Callable[[], bool] = lambda: False
    limit: float = field(init=False)

    def __post_init__(self) -> None:
        self.limit = self.output.plan.options.extraction.parse_timeout_ms / 1000


def run_shard(keeping: Keeping, shard: int, part: int, start: Position) -> ShardReport:
    """Carry out a shard from one of its parts on.

    Raises:
        PageloomError: nothing more can be done here.
        Stopped: the run is asked to stop.
    """
    report = ShardReport(shard=shard)
    following: Position | None = start
    while following is not None:
        if keeping.stop():
            raise Stopped
        marker = _Part(keeping, shard, part, following).carry_out()
        report.parts += 1
        report.tally.add(msgspec.structs.replace(marker.tally, sites={}, slow=[]))
        part, following = part + 1, marker.next
    return report


class _Part:
    """One part on its way from the first runner to its marker."""

    def __init__(self, keeping: Keeping, shard: int, part: int, start: Position) -> None:
        self._keeping = keeping
        self._output = keeping.output
        self._name = self._output.name(shard, part)
        self._marker = Marker(
            shard=shard, part=part, start=start, next=start, tally=Tally(), rows=0
        )
        self._job = PartJob(
            pieces=self._output.plan.pieces(shard),
            start=start,
            most=self._output.plan.options.part_records,
        )
        self._rejects: list[tuple[Any, ...]] = []
        self._signatures: list[bytes] = []
        self._tried: set[str] = set()
        self._standstills = 0
        self._is_done = False

    def carry_out(self) -> Marker:
        """Write the part, then its marker."""
        begun = time.thread_time()
        tally = self._marker.tally
        with ExitStack() as stack:
            part = stack.enter_context(self._output.open(self._name))
            while not self._is_done:
                self._one_runner(part)
                _stop_if_hopeless(tally)
        if self._output.plan.options.reject_rows:
            write_rejects(self._output.rejects(self._name), self._rejects)
        if not tally.adds_up:
            raise InternalError(f"The counts of part {self._name} do not add up.")
        self._write_signatures()
        tally.cpu_seconds += time.thread_time() - begun
        tally.trim()
        self._marker.rows = tally.kept
        write_marker(self._output, self._marker)
        return self._marker

    def _write_signatures(self) -> None:
        if self._output.plan.options.dedup == "off":
            return
        from pageloom.flows.bulk.signatures import checksum  # numpy, which others do without

        data = b"".join(self._signatures)
        write_small(self._output.signatures(self._name), data)
        self._marker.signatures = checksum(data)

    def _one_runner(self, part: Part) -> None:
        """Take what one runner sends, until it ends or dies."""
        child = self._keeping.mother.child()
        try:
            child.send(msgspec.msgpack.encode(self._job))
            while not self._is_done and (message := child.receive()) is not None:
                self._take(msgspec.msgpack.decode(message, type=Batch), part)
        finally:
            ending = child.end()
        if not self._is_done:
            self._judge(ending)

    def _take(self, batch: Batch, part: Part) -> None:
        if batch.trouble:
            raise StorageError(batch.trouble, act=batch.act)
        if batch.sizes:
            part.add(batch.rows, batch.sizes)
        tally = batch.tally
        tally.bytes_out = len(batch.rows)
        self._rejects += batch.rejects
        if batch.signatures:
            self._signatures.append(batch.signatures)
        self._marker.tally.add(tally)
        self._job.start = batch.after
        self._job.most -= tally.read + tally.damaged
        self._job.alone = self._job.damaged_at = None
        self._standstills = 0
        self._marker.next = None if batch.ended else batch.after
        self._is_done = batch.ended or batch.full
        self._keeping.on_batch(tally)
        if self._keeping.stop() and not self._is_done:
            raise Stopped

    def _judge(self, ending: Ending) -> None:
        """A runner died: what to do with the record that it was at."""
        tally = self._marker.tally
        tally.retries += 1
        if ending.by_mother:
            return  # no fault of the page
        if ending.signal not in _TIMERS:
            count(tally.deaths, ending.signal_name if ending.signal else "exit")
        phase, piece, offset, number = ending.mark
        page = key_of(piece, number)
        if phase == PAGE and ending.signal in _TIMERS:
            self._job.verdicts[page] = self._too_slow(ending)
        elif phase == PAGE and page in self._tried:
            self._job.verdicts[page] = (PROCESS_DIED, ending.signal_name, None)
        elif phase == PAGE:
            self._tried.add(page)
            self._job.alone = (piece, number)
        elif phase == READING and f"{piece}@{offset}" in self._tried:
            self._job.damaged_at = (piece, offset)
        else:
            self._tried.add(f"{piece}@{offset}")
            self._standstills += 1
            if self._standstills > _MOST_STANDSTILLS:
                raise InternalError(
                    f"Workers crash during start-up ({ending.signal_name}).",
                    suggestions=("Is there enough memory? Try fewer --workers.",),
                )

    def _too_slow(self, ending: Ending) -> tuple[str, str, float]:
        limit = self._keeping.limit
        kind = "of processor time" if ending.signal == signal.SIGPROF else "by the clock"
        seconds = limit if ending.signal == signal.SIGPROF else 10 * limit
        return ParseTimeout.__name__, f"The page took more than {seconds:g} s {kind}.", seconds


def _stop_if_hopeless(tally: Tally) -> None:
    """A set in which every other page kills its process is not the pages' fault."""
    died = tally.rejected.get(PROCESS_DIED, 0)
    if died > _MANY_DEATHS and died > _DEATH_SHARE * (tally.read + tally.damaged):
        raise InternalError(
            f"{died:,} of {tally.read:,} pages crashed their worker, so the run was stopped.",
            suggestions=("Check the free memory, and the installation with pageloom doctor.",),
        )

"""What a runner does: read pages from a place in the input, extract them, send them in batches.

A runner is forked for one part and may die of any page. It notes which page it is at in memory
that its keeper sees, and the kernel ends it when a page takes too long; the keeper does the rest.
"""

from __future__ import annotations

import gc
import signal
import time
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from pageloom.edges.archive.columns import schema_of, size_of, to_batch, to_lines
from pageloom.edges.archive.entries import Reading, damaged
from pageloom.edges.archive.kinds import next_readable, read_entries
from pageloom.edges.mother import MARK, receive, send
from pageloom.errors import InternalError, PageloomError, ParseError
from pageloom.flows.bulk.columns import COLUMNS
from pageloom.flows.bulk.plan import InputFile  # noqa: TC001  msgspec reads it
from pageloom.flows.bulk.read import use_web
from pageloom.flows.bulk.tally import Slow, Tally, count, slowest, time_step

if TYPE_CHECKING:
    import mmap
    import socket
    from collections.abc import Callable, Iterator

    from pageloom.edges.archive.entries import Entry
    from pageloom.edges.fetch.options import FetchOptions
    from pageloom.edges.rulefiles import SealedRules
    from pageloom.flows.bulk.options import BulkOptions
    from pageloom.model import RawPage

MODULE = "pageloom.flows.bulk.runner"
ENGINE = "pageloom.flows.bulk.page_rows"
READING, PAGE, SENDING = 0, 1, 2
"""The phases of a runner."""
_BATCH_PAGES = 32
_BATCH_BYTES = 1 << 20
_SLEEP_FACTOR = 10
"""A page may take so many times its limit by the clock, most of it waiting for a processor."""
_TOO_LARGE = "The page needs more memory than the limit allows."
_READ_SECONDS = 600.0
"""For one record, by the clock: object stores may be slow."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a page: a row, or why there is none."""

    values: tuple[Any, ...] = ()
    signature: bytes = b""
    counted: tuple[tuple[str, str], ...] = ()
    """What the report counts: the name of a count, and a key."""
    reason: str = ""
    detail: str = ""
    filter: str = ""


class Position(NamedTuple):
    """A place in a shard: which of its pieces, where in it, and how many pages came before."""

    piece: int
    offset: int
    number: int


class PartJob(msgspec.Struct, kw_only=True):
    """What one runner is to do."""

    pieces: list[tuple[InputFile, int, int]]
    start: Position
    most: int
    """Pages, at most."""
    verdicts: dict[str, tuple[str, str, float | None]] = {}
    """Pages that killed a runner, by piece and number: reason, detail and seconds."""
    alone: tuple[int, int] | None = None
    """A page that is sent in a batch of its own: the last runner died of it."""
    damaged_at: tuple[int, int] | None = None
    """A piece and an offset at which nothing can be read."""


class Batch(msgspec.Struct, kw_only=True):
    """What a runner sends."""

    rows: bytes = b""
    sizes: list[int] = []
    rejects: list[tuple[Any, ...]] = []
    signatures: bytes = b""
    tally: Tally = msgspec.field(default_factory=Tally)
    after: Position
    ended: bool = False
    """Whether the shard is read to its end."""
    full: bool = False
    """Whether the part is."""
    trouble: str = ""
    """Why the runner cannot go on."""
    act: str = ""
    """What it could not do: ``read`` where only this input is to blame."""


@dataclass(frozen=True)
class RunnerSetup:
    """What all runners share: handed to their mother once."""

    options: BulkOptions
    rules: SealedRules | Any = None
    metadata: dict[str, str] = field(default_factory=dict[str, str])
    engine: str = ENGINE
    fetch: FetchOptions | None = None
    """How inputs on the web are read."""


class _Engine(NamedTuple):
    """What is loaded once, in the mother."""

    setup: RunnerSetup
    read_page: Callable[[RawPage, str, tuple[int, int, int]], Outcome]
    schema: Any
    reading: Reading


_engine: list[_Engine] = []


def key_of(piece: int, number: int) -> str:
    """A page as the key of a verdict."""
    return f"{piece}:{number}"


def prepare(setup: RunnerSetup) -> None:
    """Load the engine, the rules and what writes batches."""
    options = setup.options
    use_web(setup.fetch)
    make = import_module(setup.engine).make_reader
    read_page = make(options, setup.rules)
    types = {name: COLUMNS[name][0] for name in options.columns}
    schema = schema_of(types, setup.metadata) if options.format == "parquet" else None
    if schema is not None:
        to_batch(schema, [])
    reading = Reading(
        largest=options.extraction.max_content_length,
        names=options.names,
        url_from=options.url_from,
    )
    _engine[:] = [_Engine(setup, read_page, schema, reading)]


def run(sock: socket.socket, mark: mmap.mmap) -> None:
    """Do one job and end."""
    asked = receive(sock)
    if asked is None:
        return
    for timer in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(timer, signal.SIG_DFL)  # the kernel ends the process, in any C code
    gc.disable()
    job = msgspec.msgpack.decode(asked, type=PartJob)
    runner = _Runner(job, sock, mark, _engine[0])
    try:
        runner.work()
    except PageloomError as error:
        runner.fail(error.message, str(error.figures.get("act", "")))
    except BrokenPipeError:  # the keeper has stopped
        return


class _Runner:
    def __init__(self, job: PartJob, sock: socket.socket, mark: mmap.mmap, engine: _Engine) -> None:
        self._job = job
        self._sock = sock
        self._mark = mark
        self._engine = engine
        self._names = engine.setup.options.columns
        limit = engine.setup.options.extraction.parse_timeout_ms / 1000
        self._limits = (limit, _SLEEP_FACTOR * limit)
        self._at = job.start
        self._left = job.most
        self._clear()
        self._cpu = time.process_time()
        self._clock = time.perf_counter()

    def _clear(self) -> None:
        self._rows: list[Any] = []
        self._sizes: list[int] = []
        self._bytes = 0
        self._rejects: list[tuple[Any, ...]] = []
        self._signatures: list[bytes] = []
        self._tally = Tally()

    def work(self) -> None:
        """Read on until the part is full or the shard ends."""
        for entry in self._entries():
            if entry.kind == "other":
                self._tally.other += 1
                self._at = self._at._replace(offset=entry.after)
                continue
            if not self._left:
                self._send(full=True)
                return
            self._take(entry)
        self._send(ended=True)

    def _take(self, entry: Entry) -> None:
        here = (self._at.piece, self._at.number)
        if self._job.alone == here and self._tally.read + self._tally.damaged:
            self._send()
        self._page(entry)
        self._tally.bytes_in += len(entry.page.body) if entry.page else 0
        self._at = self._at._replace(offset=entry.after, number=self._at.number + 1)
        self._left -= 1
        pages = self._tally.read + self._tally.damaged
        if pages >= _BATCH_PAGES or self._bytes >= _BATCH_BYTES or self._job.alone == here:
            self._send()

    def _entries(self) -> Iterator[Entry]:
        """The records from the start on, piece after piece."""
        start = self._job.start
        for number, (file, begin, end) in enumerate(self._job.pieces):
            if number < start.piece:
                continue
            if number > start.piece:
                self._at = Position(number, begin, 0)
            self._at = self._at._replace(offset=max(begin, self._at.offset))
            yield from self._read(file, end)

    def _read(self, file: InputFile, end: int) -> Iterator[Entry]:
        """The records of one piece, from where we are."""
        entries = self._open(file, self._at.offset, end)
        while True:
            if self._job.damaged_at == self._at[:2]:
                after = next_readable(file.path, file.kind, self._at.offset)
                yield damaged(self._at.offset, after, "Reading it crashed the worker twice")
                entries = self._open(file, after, end)
            self._note(READING)
            signal.setitimer(signal.ITIMER_REAL, _READ_SECONDS)
            entry = next(entries, None)
            signal.setitimer(signal.ITIMER_REAL, 0)
            if entry is None:
                return
            yield entry

    def _open(self, file: InputFile, start: int, end: int) -> Iterator[Entry]:
        reading = self._engine.reading
        return read_entries(file.path, file.kind, start, end, root=file.root, reading=reading)

    def _note(self, phase: int) -> None:
        MARK.pack_into(self._mark, 0, phase, *self._at)

    def _page(self, entry: Entry) -> None:
        """One page: to a row or to a reject."""
        if entry.kind == "damaged":
            self._tally.damaged += 1
            self._reject(entry, entry.reason, entry.detail)
            return
        self._tally.read += 1
        verdict = self._job.verdicts.get(key_of(self._at.piece, self._at.number))
        if verdict:
            self._reject(entry, *verdict)
        elif entry.page is None:
            self._reject(entry, entry.reason, entry.detail)
        else:
            self._extract(entry, entry.page)

    def _extract(self, entry: Entry, page: RawPage) -> None:
        file = self._job.pieces[self._at.piece][0]
        begun = time.process_time()
        processor, clock = self._limits
        self._note(PAGE)
        signal.setitimer(signal.ITIMER_PROF, processor)
        signal.setitimer(signal.ITIMER_REAL, clock)
        place = (self._at.piece, entry.offset, self._at.number)
        try:
            outcome = self._engine.read_page(page, file.path, place)
        except MemoryError:
            outcome = Outcome(reason=ParseError.__name__, detail=_TOO_LARGE)
        except Exception as error:  # noqa: BLE001  one page, and not the run
            outcome = Outcome(reason=InternalError.__name__, detail=type(error).__name__)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        spent = time.process_time() - begun
        slow = Slow(round(spent, 3), entry.url, file.path, self._at.number)
        self._tally.slow.append(slow)
        count(self._tally.times, time_step(spent))
        if outcome.reason:
            if outcome.filter:
                count(self._tally.filtered, outcome.filter)
            self._reject(entry, outcome.reason, outcome.detail)
        else:
            self._keep(outcome)

    def _keep(self, outcome: Outcome) -> None:
        self._tally.kept += 1
        for name, key in outcome.counted:
            count(getattr(self._tally, name), key)
        self._rows.append(outcome.values)
        size = size_of(outcome.values)
        self._sizes.append(size)
        self._bytes += size
        self._signatures.append(outcome.signature)

    def _reject(self, entry: Entry, reason: str, detail: str, seconds: float | None = None) -> None:
        count(self._tally.rejected, reason)
        file = self._job.pieces[self._at.piece][0].path
        row = (entry.url, file, entry.offset, self._at.number, reason, detail, seconds)
        self._rejects.append(row)

    def _send(self, *, ended: bool = False, full: bool = False) -> None:
        self._note(SENDING)
        if self._engine.schema is None:
            rows = to_lines(self._names, self._rows)
        else:
            rows = to_batch(self._engine.schema, self._rows) if self._rows else b""
        self._tally.slow = slowest(self._tally.slow)
        cpu, clock = time.process_time(), time.perf_counter()
        self._tally.cpu_seconds, self._tally.seconds = cpu - self._cpu, clock - self._clock
        self._cpu, self._clock = cpu, clock
        batch = Batch(
            rows=rows,
            sizes=self._sizes,
            rejects=self._rejects,
            signatures=b"".join(self._signatures),
            tally=self._tally,
            after=self._at,
            ended=ended,
            full=full,
        )
        send(self._sock, msgspec.msgpack.encode(batch))
        self._clear()
        gc.collect()

    def fail(self, why: str, act: str = "") -> None:
        """Say that nothing further can be done here."""
        send(self._sock, msgspec.msgpack.encode(Batch(after=self._at, trouble=why, act=act)))

"""Bulk runs beside other pipelines, in turns: CPU time of all processes for the same pages.

    make bench-bulk                              pages made here
    make bench-bulk ARGS="--pages DIR --count 900 --rounds 2 --ray"

Each variant is a program of its own; what it takes to start, measured on one page, is taken off.
With --update, the table of docs/bulk.md for three billion pages is written from what was measured.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from bench.run import make_page  # noqa: E402  the path comes first
from tests.archives import record  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZES = (20_000, 60_000, 130_000, 250_000, 900_000)
DOCS = ROOT / "docs" / "bulk.md"
OTHERS = {"datatrove", "trafilatura"}
_BATCH = 32
"""Pages, as runners send them."""


def read_arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description="Bulk runs beside other pipelines.")
    parser.add_argument("--pages", type=Path, help="a directory of .html or .html.gz files")
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--files", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--ray", action="store_true")
    parser.add_argument("--alone", action="store_true", help="without the other pipelines")
    parser.add_argument("--update", action="store_true", help="write the table of docs/bulk.md")
    parser.add_argument("--variant", help=argparse.SUPPRESS)
    parser.add_argument("--at", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Measure and tell."""
    chosen = read_arguments()
    if chosen.variant:
        VARIANTS[chosen.variant](chosen.at)
        return
    place = Path(tempfile.mkdtemp(prefix="bench-bulk-"))
    try:
        size = write(place / "in", pages(chosen.pages), chosen.count, chosen.files)
        write(place / "one" / "in", pages(chosen.pages), 1, 1)
        left_out = (set() if chosen.ray else {"ray"}) | (OTHERS if chosen.alone else set())
        names = [name for name in VARIANTS if name not in left_out]
        cpu, wall = measure(place, names, chosen.rounds)
        shares = json.loads((place / "shares.json").read_text())
    finally:
        shutil.rmtree(place, ignore_errors=True)
    tell(cpu, wall, chosen, size)
    tell_shares(shares)


def pages(directory: Path | None) -> Iterator[bytes]:
    """Endless pages: those of a directory in turn, or made here."""
    if directory is None:
        made = [make_page(size) for size in SIZES]
        yield from cycle(page.encode() if isinstance(page, str) else page for page in made)
        return
    for path in cycle(sorted(directory.rglob("*.html*"))):
        data = path.read_bytes()
        yield gzip.decompress(data) if path.suffix == ".gz" else data


def write(folder: Path, found: Iterator[bytes], count: int, files: int) -> int:
    """WARC files, and how large a page is on average."""
    folder.mkdir(parents=True)
    total = 0
    opened = [(folder / f"{number:03d}.warc.gz").open("wb") for number in range(files)]
    for number, body in enumerate(islice(found, count)):
        total += len(body)
        one = record(f"https://tidewatch.example/page/{number}", body)
        opened[number % files].write(gzip.compress(one, 6))
    for file in opened:
        file.close()
    return total // count


def measure(
    place: Path, names: list[str], rounds: int
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """CPU seconds and seconds of each variant, in turns, without what starting takes."""
    cpu: dict[str, list[float]] = {name: [] for name in names}
    wall: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            start_cpu, start_wall = run(name, place / "one")
            whole_cpu, whole_wall = run(name, place)
            cpu[name].append(whole_cpu - start_cpu)
            wall[name].append(whole_wall - start_wall)
            print(f"{name:10} {cpu[name][-1]:7.1f} CPU s  start {start_cpu:.1f}", flush=True)
    return cpu, wall


def run(name: str, place: Path) -> tuple[float, float]:
    """CPU seconds of a variant's processes, and seconds."""
    shutil.rmtree(place / "out", ignore_errors=True)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, __file__, "--variant", name, "--at", str(place)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, time.perf_counter() - began


def bulk(at: Path, **work: Any) -> None:
    """A run as users have it."""
    import pageloom
    from pageloom.flows.bulk import plan

    plan._LEAST_BYTES = 1  # noqa: SLF001  a shard for each file, however small
    pageloom.bulk(str(at / "in" / "*.warc.gz"), str(at / "out"), **work)


def unguarded(at: Path) -> None:
    """The same rows without keeper, mother and limits: what the watchdog costs."""
    from pageloom.edges.archive.columns import schema_of, size_of, to_batch
    from pageloom.edges.archive.entries import Reading
    from pageloom.edges.archive.kinds import read_entries
    from pageloom.edges.archive.parts import open_part
    from pageloom.edges.memory import gc_paused
    from pageloom.edges.rulefiles import SHIPPED_RULES
    from pageloom.flows.bulk.columns import COLUMNS
    from pageloom.flows.bulk.options import BulkOptions
    from pageloom.flows.bulk.page_rows import make_reader

    options = BulkOptions().checked()
    read_page = make_reader(options, SHIPPED_RULES)
    schema = schema_of({name: COLUMNS[name][0] for name in options.columns}, {})
    spent = {"read": 0.0, "extract": 0.0, "write": 0.0}
    clock = Laps(spent)
    with gc_paused():
        for number, path in enumerate(sorted((at / "in").iterdir())):
            with open_part(str(at / f"out/{number}.parquet"), "parquet", "zstd", schema) as part:
                rows: list[Any] = []
                for entry in read_entries(str(path), "warc", 0, reading=Reading()):
                    clock.lap("read")
                    if entry.page is not None:
                        rows.append(read_page(entry.page, str(path), (0, 0, 0)).values)
                        clock.lap("extract")
                    if len(rows) == _BATCH:
                        part.add(to_batch(schema, rows), [size_of(row) for row in rows])
                        rows.clear()
                        clock.lap("write")
                part.add(to_batch(schema, rows), [size_of(row) for row in rows])
            clock.lap("write")
    (at / "shares.json").write_text(json.dumps(spent))


class Laps:
    """CPU seconds by what they were spent on."""

    def __init__(self, spent: dict[str, float]) -> None:
        self._spent = spent
        self._last = time.process_time()

    def lap(self, what: str) -> None:
        """All since the last call was spent on this."""
        now = time.process_time()
        self._spent[what] += now - self._last
        self._last = now


def trafilatura(at: Path) -> None:
    """Text alone, in a loop without any limit, the pages read by us."""
    from trafilatura import extract

    from pageloom import read_archive

    for path in sorted((at / "in").iterdir()):
        for page in read_archive(str(path)):
            extract(page.body)


def datatrove(at: Path) -> None:
    """Text alone, by datatrove with its own extractor.

    Its reader of WARC and its writer want further packages, one of them of the system; these here
    do less, so that is no disadvantage.
    """
    from datatrove.data import Document
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.extractors import Trafilatura
    from warcio.archiveiterator import ArchiveIterator

    def read(data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        for path in sorted((at / "in").iterdir()):
            with path.open("rb") as file:
                for number, one in enumerate(ArchiveIterator(file)):
                    html = one.content_stream().read().decode("utf-8", "replace")
                    yield Document(text=html, id=f"{path.name}/{number}")

    def write_all(data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        with gzip.open(at / "text.jsonl.gz", "wt") as file:
            for one in data:
                file.write(json.dumps({"id": one.id, "text": one.text}) + "\n")
                yield one

    steps = [read, Trafilatura(timeout=60), write_all]
    LocalPipelineExecutor(steps, logging_dir=str(at / "out/logs")).run()


VARIANTS: dict[str, Callable[[Path], None]] = {
    "cores1": lambda at: bulk(at, workers=1),
    "unguarded": unguarded,
    "cores2": lambda at: bulk(at, workers=2),
    "trafilatura": trafilatura,
    "datatrove": datatrove,
    "ray": lambda at: bulk(at, on="ray", workers=2),
}


def tell(
    cpu: dict[str, list[float]], wall: dict[str, list[float]], chosen: argparse.Namespace, size: int
) -> None:
    """The figures beside their targets."""

    def ratio(one: str, other: str, seconds: dict[str, list[float]] = cpu) -> str:
        pairs = zip(seconds[one], seconds[other], strict=True)
        found = [first / max(second, 0.001) for first, second in pairs]
        return f"{statistics.median(found):5.2f}  ({', '.join(f'{each:.2f}' for each in found)})"

    rate = chosen.count / statistics.median(cpu["cores1"])
    load = os.getloadavg()[0]
    print(f"\n{chosen.count} pages of {size:,} bytes, {chosen.rounds} rounds; load {load:.1f}")
    print(f"pages a CPU second                 {rate:6.1f}")
    if "datatrove" in cpu:
        print(f"datatrove + trafilatura / bulk  {ratio('datatrove', 'cores1')}   target 4 or more")
    if "trafilatura" in cpu:
        print(
            f"trafilatura / bulk              {ratio('trafilatura', 'cores1')}   target 3 or more"
        )
    print(f"watchdog: bulk / unguarded      {ratio('cores1', 'unguarded')}   target 1.03 or less")
    print(f"1 to 2 processes, by the clock  {ratio('cores1', 'cores2', wall)}   target 1.8")
    print(f"2 processes / 1, by CPU         {ratio('cores2', 'cores1')}   target 1.11 or less")
    got = sum(cpu["cores2"]) / max(sum(wall["cores2"]), 0.001)
    print(f"cores that 2 processes had      {got:5.2f}   2 on a quiet machine")
    if "ray" in cpu:
        print(f"ray / cores                     {ratio('ray', 'cores2')}   target 1.10 or less")
    if chosen.update:
        update(rate)


def tell_shares(shares: dict[str, float]) -> None:
    """What the CPU time of one process goes to."""
    total = sum(shares.values())
    told = ", ".join(f"{what} {100 * spent / total:.1f}%" for what, spent in shares.items())
    print(f"shares without watchdog         {told}   target 8% to read and write")


def update(rate: float) -> None:
    """Write the plan for three billion pages anew."""
    text = DOCS.read_text(encoding="utf-8")
    table = billions(rate)
    begin, end = "<!-- billions -->\n", "<!-- /billions -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    DOCS.write_text(pattern.sub(lambda _: begin + table + end, text), encoding="utf-8")


def billions(rate: float) -> str:
    """The plan for three billion pages, from pages a CPU second."""
    pages = 3e9
    hours = pages / rate / 3600
    virtual = 1.6 * hours
    rows = {
        "measured": f"{rate:.1f} pages a CPU second",
        "CPU time": f"{hours:,.0f} core-hours",
        "virtual CPUs (0.6 of a core, assumed)": f"{virtual:,.0f} hours; {virtual / 1e3:.0f} h on"
        " a thousand",
        "cost at $0.015–0.04 an hour (assumed)": f"${0.015 * virtual:,.0f}–{0.04 * virtual:,.0f}",
        "in, at 40 KB a page": f"{pages * 40e3 / 1e12:,.0f} TB,"
        f" {40e3 * pages / virtual / 3600 / 1e6:.1f} MB/s a virtual CPU",
        "out, at 7.8 KB a page": f"{pages * 7.8e3 / 1e12:,.0f} TB in 300,000 parts of 80 MB",
        "near duplicates to sort": f"{15 * 16 * pages / 1e9:,.0f} GB, in pieces that fit",
        "reports to the driver": "100,000 of at most 4 KB",
    }
    lines = [f"| {what} | {figure} |\n" for what, figure in rows.items()]
    return "| three billion pages | |\n|---|---|\n" + "".join(lines)


if __name__ == "__main__":
    main()

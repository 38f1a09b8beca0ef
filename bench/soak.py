"""Many pages through one process: does its memory stay flat?

    python bench/soak.py                        10,000 pages made from the sample
    python bench/soak.py --pages 2000 --pages-from directory

Ends with 1 if memory grew by more than the allowed share after the warm-up.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import subprocess
import sys
import time
from importlib.resources import files
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import pageloom

if TYPE_CHECKING:
    from collections.abc import Iterator

_WARM_UP = 0.1


def main() -> int:
    """Run and tell; the exit code is the verdict."""
    chosen = read_arguments()
    started, before, failed = time.perf_counter(), 0, 0
    for number, page in enumerate(islice(make_pages(chosen.pages_from), chosen.pages)):
        failed += not extract(page)
        if number == int(chosen.pages * _WARM_UP):
            before = resident()
        if number % max(1, chosen.pages // 10) == 0:
            print(f"{number:7,} pages  {resident() / 1e6:7.1f} MB", flush=True)
    return tell(chosen, before, failed, time.perf_counter() - started)


def read_arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description="Watch the memory of one process.")
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--pages-from", type=Path, help="a directory of .html files")
    parser.add_argument("--allowed", type=float, default=0.05, help="share of growth")
    return parser.parse_args()


def make_pages(directory: Path | None) -> Iterator[bytes]:
    """Endless pages: those of a directory in turn, or the sample with its paragraphs shuffled."""
    if directory is not None:
        yield from (path.read_bytes() for path in cycle(sorted(directory.rglob("*.html"))))
    sample = (files("pageloom.samples") / "harbour-swifts.html").read_text(encoding="utf-8")
    chance = random.Random(7)  # noqa: S311  no secret
    lines = sample.splitlines()
    while True:
        extra = chance.choices(lines, k=chance.randrange(400))
        yield "\n".join([*lines, *extra, f"<p>Page {chance.random()}</p>"]).encode()


def extract(page: bytes) -> bool:
    """Whether the page became a Document."""
    try:
        _ = pageloom.extract(page, "https://tidewatch.example/page").content_hash  # all fields
    except pageloom.PageloomError:
        return False
    return True


def resident() -> int:
    """Bytes of memory this process holds now."""
    gc.collect()
    command = ["ps", "-o", "rss=", "-p", str(os.getpid())]
    return int(subprocess.run(command, capture_output=True, check=True).stdout) * 1024


def tell(chosen: argparse.Namespace, before: int, failed: int, spent: float) -> int:
    """Print the result; 1 if memory grew too much."""
    after = resident()
    growth = after / before - 1
    print(
        f"{chosen.pages:,} pages in {spent:.0f} s, {failed} errors; after the warm-up "
        f"{before / 1e6:.1f} MB, at the end {after / 1e6:.1f} MB: {growth:+.1%}"
    )
    return int(growth > chosen.allowed)


if __name__ == "__main__":
    sys.exit(main())

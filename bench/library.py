"""A library of many pages: how fast it is searched and listed, how large it is, how fast it opens.

    python bench/library.py [--pages 100000] [--no-postgres]

Pages are made up: 250 words of a vocabulary of 20,000 in which, as in any language, a few words
are in most texts and most words in few.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from hashlib import sha1
from itertools import accumulate
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.postgres import new_database, postgres_server

from pageloom.edges.store.base import Store, open_store
from pageloom.edges.store.listing import Filters, list_pages
from pageloom.edges.store.saving import Prepared, prepare, save_in
from pageloom.edges.store.search import search
from pageloom.edges.store.stats import read_stats
from pageloom.model import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WORDS = 250
BATCH = 500
TARGET_MS = 50
_SYLLABLES = "ba de fi go lu mar nel pi ro su ten vor wil xa yo zi kra sto ple dri".split()


def vocabulary(size: int, chance: random.Random) -> list[str]:
    """So many different words."""
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4)))] = None
    return list(words)


def make_pages(numbers: range, words: list[str]) -> Iterator[Prepared]:
    """Pages, the same in every run."""
    chance = random.Random(numbers.start)  # noqa: S311  the same library in every run
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
    for number in numbers:
        chosen = chance.choices(words, cum_weights=weights, k=WORDS)
        text = " ".join(chosen)
        title = " ".join(chosen[:6]).capitalize()
        url = f"https://site{number % 900}.example/{chosen[0]}/{number}"
        yield prepare(
            Document(
                url=url,
                final_url=url,
                title=title,
                text=text,
                html=f"<p>{text}</p>",
                markdown=text,
                description=" ".join(chosen[6:18]),
                language=("en", "de", "fr", "ja")[number % 4],
                page_type="article" if number % 5 else "forum",
                word_count=WORDS,
                quality_score=70,
                snapshot_hash=sha1(text.encode(), usedforsecurity=False).hexdigest(),
            ),
            body=f"<html><body><nav>Home</nav><p>{text}</p></body></html>".encode(),
        )


def write_slice(numbers: range, places: list[str]) -> None:
    """The same pages into every library."""
    words = vocabulary(20_000, random.Random(7))  # noqa: S311
    stores = [open_store(place) for place in places]
    batch: list[Prepared] = []
    for page in make_pages(numbers, words):
        batch.append(page)
        if len(batch) == BATCH:
            keep(batch, stores)
    keep(batch, stores)


def keep(batch: list[Prepared], stores: list[Store]) -> None:
    """Save what was made, and begin anew."""
    for store in stores:
        with store.write() as tx:
            for ready in batch:
                save_in(tx, "local", ready)
    batch.clear()


def fill(places: list[str], count: int, writers: int) -> None:
    """Several processes at once, each with its share of the pages."""
    for place in places:
        open_store(place).close()
    share = -(-count // writers)
    paths = os.pathsep.join(filter(None, sys.path))
    workers = [
        subprocess.Popen(
            [
                sys.executable,
                __file__,
                "--slice",
                str(start),
                str(min(start + share, count)),
                *places,
            ],
            env=os.environ | {"PYTHONPATH": paths},
        )
        for start in range(0, count, share)
    ]
    for worker in workers:
        if worker.wait():
            raise RuntimeError("a writer failed")


def cases() -> dict[str, Callable[[Store], object]]:
    """What users ask for."""
    chance = random.Random(7)  # noqa: S311
    words = vocabulary(20_000, chance)
    common, usual, rare = words[0], words[300], words[15_000]
    return {
        "search: a word in most pages": lambda store: search(store, "local", common),
        "search: a usual word": lambda store: search(store, "local", usual),
        "search: a rare word": lambda store: search(store, "local", rare),
        "search: two words": lambda store: search(store, "local", f"{words[40]} {words[90]}"),
        "search: beginning of a word": lambda store: search(store, "local", f"{usual[:5]}*"),
        "search: words side by side": lambda store: search(
            store, "local", f'"{words[10]} {words[20]}"'
        ),
        "search: with filters": lambda store: search(
            store, "local", usual, Filters(language="de", page_type="article")
        ),
        "search: page 10": lambda store: search(store, "local", usual, offset=200),
        "list: newest": lambda store: list_pages(store, "local"),
        "list: page 100": lambda store: list_pages(store, "local", offset=5_000),
        "list: one site": lambda store: list_pages(store, "local", Filters(domain="site7.example")),
        "list: by title": lambda store: list_pages(store, "local", sort="title"),
    }


def measure(store: Store) -> bool:
    """Print the median and the worst of each; whether all medians are within the target."""
    good = True
    for name, ask in cases().items():
        times: list[float] = []
        for _ in range(9):
            began = time.perf_counter()
            ask(store)
            times.append((time.perf_counter() - began) * 1000)
        within = median(times) < TARGET_MS
        good &= within
        sign = "" if within else "   over 50 ms"
        print(f"  {name:<32} {median(times):7.1f} ms   worst {max(times):7.1f}{sign}", flush=True)
    return good


def measure_opening(database: str) -> None:
    """How long ``pageloom list`` takes as a process."""
    paths = os.pathsep.join(filter(None, sys.path))
    environment = os.environ | {"PYTHONPATH": paths, "PAGELOOM_DATABASE_URL": database}
    walls: list[float] = []
    before = os.times()
    for _ in range(7):
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "pageloom", "list"],
            env=environment,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        walls.append(time.perf_counter() - began)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user
    cpu = (cpu - before.children_system) / 7
    print(f"  pageloom list: {median(walls):.2f} s, best {min(walls):.2f} s, {cpu:.2f} s of CPU")


def main() -> int:
    """Fill, measure, tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--writers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--no-postgres", action="store_true")
    asked = parser.parse_args()
    good = True
    server = nullcontext("") if asked.no_postgres else postgres_server()
    with tempfile.TemporaryDirectory() as folder, server as address:
        places = {"SQLite": str(Path(folder) / "library.db")}
        with nullcontext("") if asked.no_postgres else new_database(address) as postgres:
            if postgres:
                places["PostgreSQL"] = postgres
            began = time.perf_counter()
            fill(list(places.values()), asked.pages, asked.writers)
            seconds = time.perf_counter() - began
            print(f"{asked.pages:,} pages into {' and '.join(places)}: {seconds:.0f} s", flush=True)
            for name, place in places.items():
                good &= measure_library(name, place, asked.pages)
    return 0 if good else 1


def measure_library(name: str, place: str, pages: int) -> bool:
    """Tell how large and how fast one library is; whether it is fast enough."""
    with open_store(place) as store:
        if store.dialect == "postgres":
            with store.connection() as bare:
                bare.run("VACUUM ANALYZE", ())
        size = read_stats(store, "local")["database_size"] / pages
        print(f"{name}: {size:,.0f} bytes a page", flush=True)
        good = measure(store)
    measure_opening(place)
    return good


if __name__ == "__main__":
    if sys.argv[1:2] == ["--slice"]:
        write_slice(range(int(sys.argv[2]), int(sys.argv[3])), sys.argv[4:])
    else:
        sys.exit(main())

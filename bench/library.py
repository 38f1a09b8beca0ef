"""A library of many pages: how fast it is searched and listed, how large it is, how fast it opens.

    python bench/library.py [--pages 100000] [--no-postgres] [--folder DIRECTORY] [--only TEXT]

Pages are made up: some hundred words of a vocabulary of 50,000 in which, as in any language, a few
words are in most texts and most words in few; saved as any page is, with tags, pins and dates as
an import brings them. Libraries that are in the folder are measured as they are, and what is made
is left there; without one, all is gone in the end. CPU is what the least of some askings took: it
says more than the time where other programs run.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha1
from itertools import accumulate, islice
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import psycopg
from tests.postgres import postgres_server

from pageloom.edges.store.backup import TABLES
from pageloom.edges.store.base import Store, open_store
from pageloom.edges.store.import_rows import bring_state
from pageloom.edges.store.listing import list_pages, walk_pages
from pageloom.edges.store.pages import find_page
from pageloom.edges.store.saving import Prepared, prepare, save_in
from pageloom.edges.store.search import search
from pageloom.edges.store.stats import read_stats
from pageloom.edges.store.tags import add_tags, all_tags
from pageloom.edges.store.users import find_token, make_token
from pageloom.edges.store.versions import history, latest_version
from pageloom.edges.store.words import list_words
from pageloom.model import Document, Moment
from pageloom.model.capture import Capture
from pageloom.model.pages import SORTS, Filters, Hits, PageRef, Sort

if TYPE_CHECKING:
    from pageloom.edges.store.connection import Row

VOCABULARY = 50_000
BATCH = 500
TARGET_MS = 50
ROUNDS = 15
_SYLLABLES = [c + v for c in "b d f g h k l m n p r s t v w z st pl kr tr".split() for v in "aeiou"]
_ENDINGS = ["", "n", "r", "s", "t", "l", "nd", "st"]
_LANGUAGES = ("en",) * 70 + ("de",) * 15 + ("fr",) * 10 + ("ja",) * 5
_SENTENCE = (0, 812, 2, 40, 9_500, 1, 260, 5)
"""Ranks of words as they follow each other in a sentence that somebody pastes."""
_FIRST_DAY = datetime(2016, 1, 1, tzinfo=UTC)


def vocabulary() -> list[str]:
    """Different words, the most frequent first; those are short."""
    chance = random.Random(7)  # noqa: S311  the same library in every run
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        syllables = chance.choices(_SYLLABLES, k=1 + len(words) // 200 if len(words) < 600 else 3)
        words["".join(syllables) + chance.choice(_ENDINGS)] = None
    return list(words)


def make_pages(numbers: range, words: list[str]) -> Iterator[tuple[Prepared, dict[str, Any]]]:
    """Pages and their state, the same in every run."""
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
    for number in numbers:
        chance = random.Random(number)  # noqa: S311
        length = min(2_000, max(40, int(chance.lognormvariate(5.5, 0.6))))
        chosen = chance.choices(words, cum_weights=weights, k=length)
        day = _FIRST_DAY + timedelta(minutes=50 * number)
        yield (
            make_page(number, chosen, chance, day),
            {
                "saved_at": day.isoformat(),
                "pinned": number % 2_000 == 3,  # and not archived
                "archived": number % 10 == 0,
                "read_at": day.isoformat() if number % 3 else "",
                "last_opened_at": (day + timedelta(days=chance.randrange(90))).isoformat(),
                "deleted_at": day.isoformat() if number % 100 == 50 else "",
                "tags": ["reading"] * (number % 10 == 1) + ["lighthouse"] * (number % 5_000 == 7),
            },
        )


def make_page(number: int, words: list[str], chance: random.Random, day: datetime) -> Prepared:
    """One page."""
    text = "\n\n".join(" ".join(words[at : at + 60]) for at in range(0, len(words), 60))
    url = f"https://site{int(chance.paretovariate(0.9)) % 2_000}.example/{words[0]}/{number}"
    paragraphs = text.replace("\n\n", "</p><p>")
    return prepare(
        Capture(
            document=Document(
                id=sha1(url.encode(), usedforsecurity=False).hexdigest(),
                url=url,
                final_url=url,
                title=" ".join(words[:8]).capitalize(),
                text=text,
                html=f"<p>{paragraphs}</p>",
                markdown=text,
                description=" ".join(words[8:30]),
                language="is" if number % 9_000 == 11 else _LANGUAGES[number % 100],
                page_type="article" if number % 5 else "forum",
                word_count=len(words),
                quality_score=chance.randrange(20, 100),
                published=Moment(
                    date=(day - timedelta(days=chance.randrange(3_000))).isoformat()[:10]
                ),
                snapshot_hash=sha1(text.encode(), usedforsecurity=False).hexdigest(),
            ),
            body=f"<html><body><nav>Home</nav><p>{paragraphs}</p></body></html>".encode(),
            fetched_at=day.isoformat(),
        )
    )


def fill(place: str, count: int) -> None:
    """Save the pages, and tell how far it is."""
    words = vocabulary()
    began = time.perf_counter()
    with open_store(place) as store:
        for start in range(0, count, BATCH):
            pages = make_pages(range(start, min(start + BATCH, count)), words)
            with store.write() as tx:
                for ready, state in pages:
                    page_id = save_in(tx, "local", ready).page_id
                    add_tags(tx, PageRef("local", page_id), state["tags"])
                    bring_state(tx, page_id, state)
            if start % (20 * BATCH) == 0:
                print(f"  {start:,} pages, {time.perf_counter() - began:.0f} s", flush=True)


def copy_library(place: str, postgres: str) -> None:
    """Every row of a library of SQLite into an empty one of PostgreSQL."""
    open_store(postgres).close()
    with open_store(place) as store, psycopg.connect(postgres) as target:
        target.execute("TRUNCATE users CASCADE")
        index = target.execute(
            "SELECT indexdef FROM pg_indexes WHERE indexname = 'search_by_words'"
        ).fetchone()
        target.execute("DROP INDEX search_by_words")  # made in less time than it is kept
        for table in TABLES:
            with store.read() as tx:
                if not tx.has_relation(table):  # a name of older backups
                    continue
                columns = sorted(tx.columns(table))
                rows = tx.stream(f"SELECT * FROM {table}")  # noqa: S608  our own names
                copy_rows(table, columns, rows, target)
        target.execute(str(index[0] if index else "").encode())
        target.execute(_COUNT_ON)
    with psycopg.connect(postgres, autocommit=True) as target:
        target.execute("VACUUM ANALYZE")  # as the server does by itself, a minute later


_COUNT_ON = b"""DO $$ DECLARE a record; BEGIN
    FOR a IN SELECT table_name AS t, column_name AS c FROM information_schema.columns
        WHERE table_schema = current_schema() AND is_identity = 'YES'
    LOOP EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), max(%I)) FROM %I',
        a.t, a.c, a.c, a.t); END LOOP; END $$"""
"""New rows get numbers that no copied one has."""


def copy_rows(
    table: str, columns: list[str], rows: Iterator[Row], target: psycopg.Connection
) -> None:
    """The rows of one table."""
    words = ["words"] if table == "search" else []
    names = ", ".join([*columns, *words])
    with target.cursor() as cursor, cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
        for row in rows:
            values = [row[name] for name in columns]
            texts = (row[name] for name in ("title", "about", "own", "body") if words)
            copy.write_row([*values, *(list_words(*texts) for _ in words)])


def environment(**more: str) -> dict[str, str]:
    """What a process of ours needs to find the code, and to keep it compiled as installers do."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | more


Ask = Callable[[Store], object]


def _several() -> dict[str, str]:
    """Searches that are asked with every filter, in every order, and far behind."""
    words = vocabulary()
    return {
        "in most pages": words[0],
        "usual": words[300],
        "rare": words[30_000],
        "eight words": " ".join(words[:8]),
        "phrase": f'"{words[0]} {words[1]}"',
        "two phrases": f'"{words[0]} {words[1]}" "{words[2]} {words[3]}"',
    }


def searches() -> dict[str, Ask]:
    """Every way to search."""
    words = vocabulary()
    most, common, usual, rare = words[0], words[30], words[300], words[30_000]
    texts = {
        "a word in most pages": most,
        "a common word": common,
        "a usual word": usual,
        "a rare word": rare,
        "a word that is nowhere": "qqqq",
        "two words in most pages": f"{most} {words[1]}",
        "two usual words": f"{usual} {words[500]}",
        "a common and a rare word": f"{most} {rare}",
        "one or the other": f"{most} OR {rare}",
        "one but not the other": f"{words[1]} -{most}",
        "one letter of a word": f"{most[:1]}*",
        "three letters of a word": f"{words[700][:3]}*",
        "beginning of a word": f"{words[700][:5]}*",
        "phrase of words in most pages": f'"{most} {words[1]}"',
        "phrase of common words": f'"{words[30]} {words[45]}"',
        "phrase that is rare": f'"{words[5]} {words[900]}"',
        "phrase that is nowhere": f'"{words[3]} {words[7]} {words[2]} {words[5]} {words[1]}"',
        "phrase, last word begun": f'"{words[30]} {words[45][:2]}*"',
        "eight words in most pages": " ".join(words[:8]),
        "ten words in most pages": " ".join(words[:10]),
        "sixteen words in most pages": " ".join(words[:16]),
        "eight and a common one": " ".join([*words[:8], words[100]]),
        "two phrases in most pages": f'"{most} {words[1]}" "{words[2]} {words[3]}"',
        "two phrases and a word": f'"{most} {words[1]}" "{words[2]} {words[3]}" {words[4]}',
        "one phrase or the other": f'"{most} {words[1]}" OR "{words[2]} {words[3]}"',
        "a sentence": " ".join(words[number] for number in _SENTENCE),
        "a sentence in quotes": f'"{" ".join(words[number] for number in _SENTENCE)}"',
        "not a phrase": f'{usual} -"{most} {words[1]}"',
    }
    found: dict[str, Ask] = {
        f"search: {name}": lambda store, text=text: search(store, "local", text)
        for name, text in texts.items()
    }
    for name, word in _several().items():
        found |= {
            f"search: {name}, {label}": lambda store, word=word, kept=kept: search(
                store, "local", word, kept
            )
            for label, kept in filters().items()
        }
        found |= {
            f"search: {name}, by {sort}": lambda store, word=word, sort=sort: search(
                store, "local", word, sort=sort
            )
            for sort in SORTS
        }
        found |= _pages(name, word, 10)
    return found


def _pages(name: str, word: str, *pages: int) -> dict[str, Ask]:
    return {
        f"search: {name}, page {page:,}": lambda store, page=page: search(
            store, "local", word, offset=20 * (page - 1)
        )
        for page in pages
    }


def far_behind() -> dict[str, Ask]:
    """Hits that nobody turns the pages to; a program may ask for them, and no target is set."""
    found: dict[str, Ask] = {}
    for name, word in _several().items():
        found |= _pages(name, word, 250, 2_501)
    return found


def filters() -> dict[str, Filters]:
    """Every filter, where it leaves many pages and where it leaves few."""
    return {
        "large site": Filters(domain="site1.example"),
        "small site": Filters(domain="site700.example"),
        "common tag": Filters(tags=("reading",)),
        "rare tag": Filters(tags=("lighthouse",)),
        "since": Filters(since="2025-01"),
        "until": Filters(until="2016-03"),
        "long until": Filters(until="2018"),
        "language": Filters(language="de"),
        "rare language": Filters(language="is"),
        "type": Filters(page_type="forum"),
        "source": Filters(source_id="tide"),
        "reliability": Filters(min_reliability=0.5),
        "quality": Filters(min_quality=95),
        "pinned": Filters(pinned=True),
        "unread": Filters(unread=True),
        "archived": Filters(archived="only"),
        "deleted": Filters(deleted="only"),
        "everything": Filters(archived="all", deleted="all"),
        "three at once": Filters(language="fr", page_type="forum", unread=True),
    }


def lists() -> dict[str, Ask]:
    """Every way to list."""
    found: dict[str, Ask] = {
        f"list: by {sort}": lambda store, sort=sort: list_pages(store, "local", sort=sort)
        for sort in SORTS
    }
    found |= {
        f"list: {name}": lambda store, kept=kept: list_pages(store, "local", kept)
        for name, kept in filters().items()
    }
    found |= {
        f"list: {name}, by {sort}": lambda store, kept=kept, sort=sort: list_pages(
            store, "local", kept, sort=sort
        )
        for name, kept in filters().items()
        for sort in ("title", "opened")
    }
    found["list: until, page 1,001"] = lambda store: list_pages(
        store, "local", Filters(until="2025"), offset=50_000
    )
    found["list: page 100"] = lambda store: list_pages(store, "local", offset=4_950)
    found["list: last page"] = lambda store: list_pages(store, "local", offset=89_000)
    found |= {
        f"list: behind page 80, by cursor, by {sort}": lambda store, sort=sort: list_pages(
            store, "local", sort=sort, cursor=cursor_at(store, sort, 4_000)
        )
        for sort in SORTS
    }
    return found


@cache
def cursor_at(store: Store, sort: Sort, place: int) -> str:
    """The cursor behind a page of a list; asked for once."""
    return list_pages(store, "local", sort=sort, limit=1, offset=place).next_cursor or ""


def others() -> dict[str, Ask]:
    """What else is read from the library; no target is set for these."""
    return {
        "read: by number": lambda store: latest_version(store, PageRef("local", 70_001)),
        "read: by address": lambda store: find_page(store, "local", "https://site1.example/x/1"),
        "walk: 1,000 pages": lambda store: list(islice(walk_pages(store, "local"), 1_000)),
        "history": lambda store: history(store, PageRef("local", 70_001)),
        "tag list": lambda store: all_tags(store, "local"),
        "stats": lambda store: read_stats(store, "local"),
    }


def measure(store: Store, asks: dict[str, Ask]) -> list[float]:
    """Print the median, the 95th percentile and the best of each, and its work; the medians."""
    medians: list[float] = []
    for name, ask in asks.items():
        ask(store)
        times: list[float] = []
        works: list[float] = []
        for _ in range(ROUNDS):
            began, worked = time.perf_counter(), worked_by(store)
            ask(store)
            times.append((time.perf_counter() - began) * 1000)
            works.append(worked_by(store) - worked)
        medians.append(median(times))
        late = quantiles(times, n=20)[-1]
        sign = "" if medians[-1] < TARGET_MS else "   over 50 ms"
        figures = f"{medians[-1]:7.1f} ms   p95 {late:7.1f}   best {min(times):7.1f}"
        figures += f"   CPU {min(works):7.1f}"
        print(f"  {name:<40} {figures}{sign}", flush=True)
    return medians


def measure_beside_writer(store: Store, place: str) -> list[float]:
    """What a list and a token take while another holds the locks of a transaction."""
    token = make_token(store, "local")
    asks: dict[str, Ask] = {
        "list beside a writer": lambda store: list_pages(store, "local"),
        "token beside a writer": lambda store: find_token(store, token),
    }
    with open_store(place) as other, other.write() as tx:
        tx.run("UPDATE tokens SET label = 'held'")
        tx.run("UPDATE pages SET title_sort = title_sort WHERE id <= 100")
        return measure(store, asks)


def worked_by(store: Store) -> float:
    """Milliseconds of CPU that this process and the one of the server that serves it have had."""
    own = time.process_time() * 1000
    if store.dialect == "sqlite":
        return own
    with store.read() as tx:
        server = tx.value("SELECT pg_backend_pid()")
    return own + int(Path(f"/proc/{server}/schedstat").read_text().split()[0]) / 1e6


def measure_opening(database: str) -> None:
    """How long the command line takes as a process: the best of ten, and its CPU time."""
    for arguments in (["--version"], ["list"], ["search", vocabulary()[300]]):
        walls: list[float] = []
        before = os.times()
        for _ in range(10):
            began = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "pageloom", *arguments],
                env=environment(PAGELOOM_DATABASE_URL=database),
                stdout=subprocess.DEVNULL,
                check=True,
            )
            walls.append(time.perf_counter() - began)
        spent = sum(os.times()[2:4]) - sum(before[2:4])
        print(
            f"  pageloom {arguments[0]:<10} best {min(walls):.2f} s, median {median(walls):.2f} s,"
            f" CPU {spent / 10:.2f} s",
            flush=True,
        )


def main() -> int:
    """Fill, measure, tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--no-postgres", action="store_true")
    parser.add_argument("--folder", type=Path, help="keep the libraries here")
    parser.add_argument("--only", default="", help="ask only what has this in its name")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = asked.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        places = {"SQLite": str(folder / "library.db")}
        if not Path(places["SQLite"]).exists():
            fill(places["SQLite"], asked.pages)
        if not asked.no_postgres:
            kept = asked.folder / "postgres" if asked.folder else None
            server = stack.enter_context(postgres_server(kept))
            places["PostgreSQL"] = in_postgres(server, places["SQLite"])
        good = [measure_library(*place, asked.pages, asked.only) for place in places.items()]
        if not asked.no_postgres:
            good.append(compare_answers(*places.values(), asked.only))
    return 0 if all(good) else 1


def in_postgres(server: str, place: str) -> str:
    """The address of the same library in PostgreSQL; copied, unless that was done before."""
    with psycopg.connect(server, autocommit=True) as admin:
        if not admin.execute("SELECT 1 FROM pg_database WHERE datname = 'library'").fetchone():
            print("  copying all rows to PostgreSQL", flush=True)
            admin.execute("DROP DATABASE IF EXISTS half_a_library")
            admin.execute("CREATE DATABASE half_a_library")
            copy_library(place, server.replace("/postgres?", "/half_a_library?"))
            admin.execute("ALTER DATABASE half_a_library RENAME TO library")
    return server.replace("/postgres?", "/library?")


def compare_answers(one: str, two: str, only: str) -> bool:
    """Whether both libraries answer every question with the same pages in the same order."""
    with open_store(one) as first, open_store(two) as second:
        asks = chosen(searches() | far_behind() | lists(), only)
        differ = [
            name for name, ask in asks.items() if pages_of(ask(first)) != pages_of(ask(second))
        ]
    print(f"{len(asks)} answers of both databases compared, {len(differ)} differ: {differ[:5]}")
    return not differ


def pages_of(answer: Any) -> list[int]:
    """The numbers of the pages that a list or a search shows."""
    if isinstance(answer, Hits):
        return [hit.page.id for hit in answer.hits]
    return [page.id for page in answer.pages]


def chosen(asks: dict[str, Ask], only: str) -> dict[str, Ask]:
    """Those with a text in their names."""
    return {name: ask for name, ask in asks.items() if only in name}


def measure_library(name: str, place: str, pages: int, only: str) -> bool:
    """Tell how large and how fast one library is; whether it is fast enough."""
    with open_store(place) as store:
        if store.dialect == "postgres":
            with store.connection() as bare:
                bare.run("VACUUM ANALYZE", ())
        size = read_stats(store, "local")["database_size"] / pages
        print(f"{name}: {size:,.0f} bytes a page", flush=True)
        medians = measure(store, chosen(searches() | lists(), only))
        slow = sum(one >= TARGET_MS for one in medians)
        print(f"{name}: {len(medians)} ways to search and list, {slow} over {TARGET_MS} ms")
        measure(store, chosen(far_behind() | others(), only))
        if not only:
            slow += sum(one >= TARGET_MS for one in measure_beside_writer(store, place))
    if not only:
        measure_opening(place)
    return not slow


if __name__ == "__main__":
    sys.exit(main())

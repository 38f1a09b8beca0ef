"""Many writers at once, and writers that are killed: is the library still whole, is nothing lost?

    python bench/library_soak.py [--seconds 60] [--processes 8] [--kills 50] [--crashes 10]
                                  [--seed 1] [--act WORK] [--postgres]

Prints one line for each part and ends with exit code 1 when anything was lost. On PostgreSQL its
server is killed too, while clients save.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.backup import back_up, is_backup
from pageloom.edges.store.base import Store, connect_store, open_store
from pageloom.edges.store.listing import count_pages, walk_pages
from pageloom.edges.store.migrate import migrate, schema_version
from pageloom.edges.store.saving import prepare, save_in
from pageloom.edges.store.schema import LATEST
from pageloom.edges.store.versions import history, latest_version
from pageloom.errors import PageloomError, StorageError
from pageloom.flows.capture.extract import extract
from pageloom.model import Document
from pageloom.model.capture import Capture
from pageloom.model.pages import WITH_ARCHIVED

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.model.library import Saved

    Databases = Callable[[], str]
    """Gives the address of an empty database, another one each time."""

SHARED = 12
"""Pages that all writers save."""
ACTS = ("save", "import", "reparse", "backup", "migration")
_STARTING = {"import": 0.15, "reparse": 0.15}
"""Seconds in which a process does not work yet."""
_SPANS = {"save": 1.0, "import": 1.2, "reparse": 2.0, "backup": 0.05, "migration": 0.06}
"""Seconds in which one is killed at first; where it has ended before, in less the next time."""


def page_html(name: str, more: str) -> str:
    """A page as a small site writes it."""
    text = f"The {name} of the harbour are counted every spring, and the ledger is kept. {more} "
    return (
        f"<html lang=en><head><title>{name} | Tidewatch</title></head><body><nav>Home News</nav>"
        f"<article><h1>All about {name}</h1>"
        + f"<p>{text * 3}</p>" * 5
        + "</article></body></html>"
    )


def quick_document(url: str, title: str, text: str) -> Document:
    """A Document without the engine: here the library is what is tried."""
    seal = sha1(text.encode(), usedforsecurity=False).hexdigest()
    return Document(
        url=url, final_url=url, title=title, text=text, markdown=text, snapshot_hash=seal
    )


def write_pages(database: str, seconds: float, seed: int) -> None:
    """A writer: saves pages until its time is over, and says so of each once it is acknowledged."""
    chance = random.Random(seed)  # noqa: S311  the same run again, no secret
    number = 0
    with open_store(database) as store:
        end = time.monotonic() + seconds
        while time.monotonic() < end or number < 3:
            number += 1
            shared = chance.random() < 0.6
            name = f"page{chance.randrange(SHARED)}" if shared else f"own{seed}-{number}"
            html = page_html(name, f"State {seed}-{number}." if chance.random() < 0.8 else "")
            url = f"https://tidewatch.example/{name}"
            document = quick_document(url, name, html)
            try:
                saved = save_page(store, document, html.encode())
            except PageloomError as error:
                print(json.dumps({"error": error.message}), flush=True)
                time.sleep(0.05)
                continue
            ack = {"url": url, "hash": document.snapshot_hash, "version": saved.version}
            print(json.dumps(ack | {"changed": saved.is_new or saved.changed}), flush=True)


@dataclass(slots=True)
class Verdict:
    """What was found."""

    acknowledged: int = 0
    pages: int = 0
    versions: int = 0
    crashes: int = 0
    hits: Counter[str] = field(default_factory=Counter[str])
    """Kills that met a process at work, by what it did."""
    problems: list[str] = field(default_factory=list[str])


def start(*arguments: object, stdout: Any = subprocess.PIPE) -> subprocess.Popen[bytes]:
    """Another process of this script."""
    return subprocess.Popen(
        [sys.executable, __file__, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


class Writer:
    """A process that saves pages. What it is told goes to a file: a pipe would hold it up."""

    def __init__(self, database: str, seconds: float, seed: int) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  as long as this
        self.process = start("--write", database, seconds, seed, stdout=self._said)

    def wait_until_it_writes(self) -> None:
        """Until it was told of a page for the first time, or has ended."""
        while not os.fstat(self._said.fileno()).st_size and self.is_writing():
            time.sleep(0.02)

    def is_writing(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    def end(self, verdict: Verdict) -> list[dict[str, Any]]:
        """Everything that it was told, but for a line that it could not finish."""
        _, err = self.process.communicate()
        if self.process.returncode not in (0, -signal.SIGKILL):
            verdict.problems.append(err.decode()[-300:])
        self._said.seek(0)
        lines = self._said.read().splitlines()
        self._said.close()
        return [json.loads(line) for line in lines if line.endswith(b"}")]


def run_writers(database: str, *, processes: int, seconds: float) -> Verdict:
    """Writers at once; then everything they were told is held against the library."""
    open_store(database).close()
    writers = [Writer(database, seconds, seed) for seed in range(processes)]
    verdict = Verdict()
    said = [one for writer in writers for one in writer.end(verdict)]
    verdict.problems += [one["error"] for one in said if "error" in one]
    check_acks(database, said, verdict)
    return verdict


def check_acks(database: str, acks: list[dict[str, Any]], verdict: Verdict) -> None:
    """Nothing acknowledged is lost, no page is there twice, numbers have no gap and no repeat."""
    acks = [ack for ack in acks if "url" in ack]
    verdict.acknowledged += len(acks)
    with open_store(database) as store:
        check_whole(store, verdict)
        known = {page.url: page for page in walk_pages(store, "local", WITH_ARCHIVED)}
        verdict.pages = len(known)
        lines = {url: history(store, page, limit=10**6) for url, page in known.items()}
        verdict.versions = sum(map(len, lines.values()))
        for url, line in lines.items():
            if [one.number for one in line] != list(range(len(line), 0, -1)):
                verdict.problems.append(f"numbers of {url} have a gap or a repeat")
        by_number = {(url, one.number): one for url, line in lines.items() for one in line}
        for ack in acks:
            found = by_number.get((ack["url"], ack["version"]))
            if found is None or found.snapshot_hash != ack["hash"]:
                verdict.problems.append(f"lost: {ack}")


def check_whole(store: Store, verdict: Verdict) -> None:
    """The database itself is whole, and so is its index."""
    with store.read() as tx:
        doubles = tx.all("SELECT url FROM pages GROUP BY owner, url HAVING count(*) > 1")
        verdict.problems += [f"twice: {row['url']}" for row in doubles]
        if tx.dialect == "sqlite" and tx.value("PRAGMA integrity_check") != "ok":
            verdict.problems.append("the file is damaged")
    if store.dialect == "sqlite":
        with store.write() as tx:
            tx.run("INSERT INTO search_index (search_index) VALUES ('integrity-check')")
            tx.run("INSERT INTO search_heads (search_heads) VALUES ('integrity-check')")
        return
    with store.read() as tx:  # what the index says, and what the rows say
        counts: list[int] = []
        for way in ("seqscan", "bitmapscan"):
            tx.run(f"SET LOCAL enable_{way} = off")
            counts.append(tx.value("SELECT count(*) FROM search WHERE words @@ 'harbour'"))
            tx.run(f"SET LOCAL enable_{way} = on")
        if counts[0] != counts[1]:
            verdict.problems.append("the index of words and the rows do not agree")


def files_in(folder: Path) -> Databases:
    """Libraries of SQLite, each in a folder of its own."""
    numbers = iter(range(10**6))

    def new() -> str:
        place = folder / f"library{next(numbers)}"
        place.mkdir(parents=True)
        return str(place / "library.db")

    return new


def kill_some(
    new: Databases,
    folder: Path,
    *,
    kills: int,
    seed: int = 1,
    pages: int = 120,
    acts: tuple[str, ...] = ACTS,
) -> Verdict:
    """Kill a process in the middle of each kind of work, again and again; then look."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)  # noqa: S311  the same run again, no secret
    verdict = Verdict()
    spans = dict(_SPANS)
    for number in range(kills):
        act = acts[number % len(acts)]
        before = len(verdict.problems)
        _KILLS[act](Kill(act, new, folder / f"{number}", chance, pages, spans), verdict)
        verdict.problems[before:] = [f"{act}: {one}" for one in verdict.problems[before:]]
    return verdict


@dataclass(frozen=True, slots=True)
class Kill:
    """What one kill has to work with: databases, files, chance, so many pages, and time."""

    act: str
    new: Databases
    file: Path
    chance: random.Random
    pages: int
    spans: dict[str, float]

    def strike(self, process: subprocess.Popen[bytes], verdict: Verdict) -> None:
        """Kill a process at some moment of its work."""
        span = self.spans[self.act]
        time.sleep(_STARTING.get(self.act, 0) + self.chance.random() * span)
        process.kill()
        process.wait()
        is_hit = process.returncode == -signal.SIGKILL
        verdict.hits[self.act] += is_hit
        self.spans[self.act] = span * (1.05 if is_hit else 0.8)


def strike_command(kill: Kill, process: subprocess.Popen[bytes], verdict: Verdict) -> None:
    """Kill a process of which nothing is to be heard any more."""
    kill.strike(process, verdict)
    process.communicate()


@cache
def read_page(number: int) -> tuple[Document, bytes]:
    """A page of a library, and its original."""
    html = page_html(f"kind{number}", "")
    url = f"https://tidewatch.example/{number}"
    return extract(html, url, rules=None), html.encode()


def save_page(store: Store, document: Document, body: bytes) -> Saved:
    """Store a page and its original."""
    ready = prepare(Capture(document=document, body=body))
    return store.transact(lambda tx: save_in(tx, "local", ready))


def fill(database: str, pages: int) -> None:
    """A library with so many pages and their originals."""
    with open_store(database) as store:
        for number in range(pages):
            document, body = read_page(number)
            save_page(store, document, body)


def kill_save(kill: Kill, verdict: Verdict) -> None:
    """Whoever saves."""
    database = kill.new()
    open_store(database).close()
    writer = Writer(database, 60, 7)
    writer.wait_until_it_writes()
    kill.strike(writer.process, verdict)
    check_acks(database, writer.end(verdict), verdict)


def pageloom(database: str, *arguments: object) -> subprocess.Popen[bytes]:
    """The command line on that library."""
    paths = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(
        [sys.executable, "-m", "pageloom", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": paths, "PAGELOOM_DATABASE_URL": database},
    )


def finish(process: subprocess.Popen[bytes], verdict: Verdict) -> None:
    """Let it run to its end, which has to be a good one."""
    _, err = process.communicate()
    if process.returncode:
        verdict.problems.append(f"exit {process.returncode}: {err.decode()[-200:]}")


def kill_import(kill: Kill, verdict: Verdict) -> None:
    """Whoever brings pages in."""
    source, database = kill.new(), kill.new()
    exported = kill.file.with_suffix(".jsonl")
    fill(source, kill.pages)
    finish(pageloom(source, "export", "jsonl", exported, "--originals"), verdict)
    strike_command(kill, pageloom(database, "import", exported), verdict)
    finish(pageloom(database, "import", exported), verdict)
    with open_store(database) as store:
        check_whole(store, verdict)
        if count_pages(store, "local", WITH_ARCHIVED) != kill.pages:
            verdict.problems.append("pages are missing after it went on")
        verdict.pages += kill.pages


def kill_reparse(kill: Kill, verdict: Verdict) -> None:
    """Whoever reads pages again."""
    database = kill.new()
    fill(database, kill.pages)
    with open_store(database) as store, store.write() as tx:
        tx.run("UPDATE versions SET parser_version = '0'")
        tx.run("UPDATE pages SET parser_version = '0', pinned = 1")
    strike_command(kill, pageloom(database, "reparse"), verdict)
    finish(pageloom(database, "reparse"), verdict)
    with open_store(database) as store:
        check_whole(store, verdict)
        for page in walk_pages(store, "local", WITH_ARCHIVED):
            last = latest_version(store, page)
            if not (page.pinned and last and last.info.number == 1 and last.document.text):
                verdict.problems.append(f"page {page.id} is not as it was")
        verdict.pages += kill.pages


def kill_backup(kill: Kill, verdict: Verdict) -> None:
    """Whoever makes a backup."""
    database, other, target = kill.new(), kill.new(), kill.file.with_suffix(".zip")
    fill(database, kill.pages)
    with open_store(database) as store:
        back_up(store, target)
    process = pageloom(database, "backup", target)
    while process.poll() is None and not any(target.parent.glob(f".{target.name}.*.part")):
        time.sleep(0.001)  # it does not write yet
    strike_command(kill, process, verdict)
    if not is_backup(target):
        verdict.problems.append("the older backup is gone")
    finish(pageloom(other, "restore", target), verdict)
    with open_store(other) as store:
        if count_pages(store, "local", WITH_ARCHIVED) != kill.pages:
            verdict.problems.append("pages are missing in the backup")


def kill_migration(kill: Kill, verdict: Verdict) -> None:
    """Whoever opens an older library."""
    database = kill.new()
    with connect_store(database) as store:
        migrate(store, 1 + kill.chance.randrange(LATEST - 1))
        with store.write() as tx:
            tx.run(
                "INSERT INTO pages (uuid, owner, url, url_full, saved_at, created_at, updated_at,"
                " metadata) VALUES ('5f600d38-efb7-4237-abef-215bbb074a0c', 'local',"
                " 'https://a.example/', '', '', '', '', '{}')"
            )
    worker = start("--open", database)
    if worker.stdout:
        worker.stdout.readline()  # it is about to begin
    strike_command(kill, worker, verdict)
    with open_store(database) as store, store.read() as tx:
        if schema_version(tx) != LATEST or tx.value("SELECT count(*) FROM pages") != 1:
            verdict.problems.append("the page is gone")


def crash_server(database: str, *, crashes: int, seed: int = 1) -> Verdict:
    """Kill processes of the PostgreSQL server while clients save: it recovers, and so do they."""
    chance = random.Random(seed)  # noqa: S311  the same run again, no secret
    open_store(database).close()
    writers = [Writer(database, 4 + crashes * 3, seed) for seed in range(3)]
    for writer in writers:
        writer.wait_until_it_writes()
    verdict = Verdict()
    for _ in range(crashes):
        time.sleep(0.8 + chance.random())
        while not (found := server_processes(database)) and any(map(Writer.is_writing, writers)):
            time.sleep(0.05)
        if found:  # one that is killed makes the server end all others and read its log again
            os.kill(chance.choice(found), signal.SIGKILL)
            verdict.crashes += 1
    said = [one for writer in writers for one in writer.end(verdict)]
    check_acks(database, said, verdict)
    return verdict


def server_processes(database: str) -> list[int]:
    """The processes of the server that work for others; none while it recovers."""
    try:
        with open_store(database) as store, store.read() as tx:
            rows = tx.all(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid() ORDER BY pid"
            )
    except StorageError:
        return []
    return [row["pid"] for row in rows]


_KILLS = {
    "save": kill_save,
    "import": kill_import,
    "reparse": kill_reparse,
    "backup": kill_backup,
    "migration": kill_migration,
}


def report(what: str, verdict: Verdict, seconds: float) -> int:
    """One line for people; whether it went wrong."""
    figures = f"{verdict.acknowledged:,} acknowledged, {verdict.pages:,} pages"
    print(f"{what}: {figures}, {verdict.versions:,} versions, {seconds:.0f} s", flush=True)
    for problem in verdict.problems[:20]:
        print(f"  PROBLEM {problem}")
    return int(bool(verdict.problems))


def main() -> int:
    """Run the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--crashes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="other moments to kill at")
    parser.add_argument("--act", choices=ACTS, help="kill only at this work")
    parser.add_argument("--postgres", action="store_true", help="the same on PostgreSQL")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        files = Path(folder)
        failed = soak("SQLite", files_in(files), files / "sqlite", asked)
        if asked.postgres:
            new = postgres_databases(stack)
            failed |= soak("PostgreSQL", new, files / "postgres", asked)
            began = time.monotonic()
            verdict = crash_server(new(), crashes=asked.crashes, seed=asked.seed)
            what = f"PostgreSQL, {verdict.crashes} crashes of the server"
            failed |= report(what, verdict, time.monotonic() - began)
    return failed


def postgres_databases(stack: ExitStack) -> Databases:
    """Databases of a PostgreSQL server that runs as long as the stack."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    import psycopg
    from tests.postgres import postgres_server

    server = stack.enter_context(postgres_server())
    names = (f"soak_{number}" for number in range(10**6))

    def new() -> str:
        name = next(names)
        with psycopg.connect(server, autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {name}".encode())
        return server.replace("/postgres?", f"/{name}?")

    return new


def soak(name: str, new: Databases, folder: Path, asked: argparse.Namespace) -> int:
    """Both parts on one kind of database."""
    began = time.monotonic()
    verdict = run_writers(new(), processes=asked.processes, seconds=asked.seconds)
    failed = report(f"{name}, writers at once", verdict, time.monotonic() - began)
    began = time.monotonic()
    acts = (asked.act,) if asked.act else ACTS
    verdict = kill_some(new, folder, kills=asked.kills, seed=asked.seed, acts=acts)
    hits = ", ".join(f"{act} {number}" for act, number in verdict.hits.items())
    what = f"{name}, {asked.kills} kills, of processes at work {verdict.hits.total()} ({hits})"
    return failed | report(what, verdict, time.monotonic() - began)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write_pages(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
    elif sys.argv[1:2] == ["--open"]:
        print("ready", flush=True)
        open_store(sys.argv[2]).close()
    else:
        sys.exit(main())

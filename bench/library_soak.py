"""Many writers at once, and writers that are killed: is the library still whole, is nothing lost?

    python bench/library_soak.py [--seconds 60] [--processes 8] [--kills 50] [--postgres]

Prints one line for each part and ends with exit code 1 when anything was lost.
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
from dataclasses import dataclass, field
from hashlib import sha1
from pathlib import Path
from typing import Any

from pageloom.edges.store.backup import back_up, is_backup
from pageloom.edges.store.base import Store, connect_store, open_store
from pageloom.edges.store.listing import ALL, list_pages, walk_pages
from pageloom.edges.store.migrate import migrate, schema_version
from pageloom.edges.store.saving import save_document
from pageloom.edges.store.schema import LATEST
from pageloom.edges.store.versions import history, latest_version
from pageloom.errors import PageloomError
from pageloom.flows.reading import extract
from pageloom.model import Document

SHARED = 12
"""Pages that all writers save."""
ACTS = ("save", "import", "reparse", "backup", "migration")


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
                saved = save_document(store, "local", document, body=html.encode())
            except PageloomError as error:
                print(json.dumps({"error": error.message}), flush=True)
                continue
            ack = {"url": url, "hash": document.snapshot_hash, "version": saved.version}
            print(json.dumps(ack | {"changed": saved.is_new or saved.changed}), flush=True)


@dataclass(slots=True)
class Verdict:
    """What was found."""

    acknowledged: int = 0
    pages: int = 0
    versions: int = 0
    problems: list[str] = field(default_factory=list[str])


def start(*arguments: object, **more: Any) -> subprocess.Popen[bytes]:
    """Another process of this script."""
    return subprocess.Popen(
        [sys.executable, __file__, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        **more,
    )


def run_writers(database: str, *, processes: int, seconds: float) -> Verdict:
    """Writers at once; then everything they were told is held against the library."""
    open_store(database).close()
    workers = [start("--write", database, seconds, seed) for seed in range(processes)]
    verdict = Verdict()
    acks: list[dict[str, Any]] = []
    for worker in workers:
        out, err = worker.communicate()
        acks += map(json.loads, out.splitlines())
        if worker.returncode:
            verdict.problems.append(err.decode()[-300:])
    verdict.problems += [ack["error"] for ack in acks if "error" in ack]
    check_acks(database, [ack for ack in acks if "url" in ack], verdict)
    return verdict


def check_acks(database: str, acks: list[dict[str, Any]], verdict: Verdict) -> None:
    """Nothing acknowledged is lost, no page is there twice, numbers have no gap and no repeat."""
    verdict.acknowledged += len(acks)
    with open_store(database) as store:
        check_whole(store, verdict)
        known = {page.url: page for page in walk_pages(store, "local", ALL)}
        verdict.pages = len(known)
        lines = {url: history(store, page.id, limit=10**6) for url, page in known.items()}
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


def kill_some(folder: Path, *, kills: int, seed: int = 1, pages: int = 120) -> Verdict:
    """Kill a process in the middle of each kind of work, again and again; then look."""
    chance = random.Random(seed)  # noqa: S311  the same run again, no secret
    verdict = Verdict()
    for number in range(kills):
        act = ACTS[number % len(ACTS)]
        before = len(verdict.problems)
        _KILLS[act](folder / f"{number}", chance, pages, verdict)
        verdict.problems[before:] = [f"{act}: {one}" for one in verdict.problems[before:]]
    return verdict


def kill_after(process: subprocess.Popen[bytes], seconds: float) -> bytes:
    """What the process said until it was killed."""
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    return process.communicate()[0]


def fill(database: str, pages: int) -> None:
    """A library with so many pages and their originals."""
    with open_store(database) as store:
        for number in range(pages):
            html = page_html(f"kind{number}", "")
            url = f"https://tidewatch.example/{number}"
            save_document(store, "local", extract(html, url, rules=None), body=html.encode())


def kill_save(folder: Path, chance: random.Random, _pages: int, verdict: Verdict) -> None:
    """Whoever saves."""
    folder.mkdir(parents=True)
    database = str(folder / "library.db")
    open_store(database).close()
    worker = start("--write", database, 60, 7)
    out = kill_after(worker, 0.8 + chance.random())
    acks = [json.loads(line) for line in out.splitlines() if line.endswith(b"}")]
    check_acks(database, acks, verdict)


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


def kill_import(folder: Path, chance: random.Random, pages: int, verdict: Verdict) -> None:
    """Whoever brings pages in."""
    folder.mkdir(parents=True)
    source, database = str(folder / "source.db"), str(folder / "library.db")
    fill(source, pages)
    finish(pageloom(source, "export", "jsonl", folder / "out.jsonl", "--originals"), verdict)
    kill_after(pageloom(database, "import", folder / "out.jsonl"), 0.3 + chance.random() * 1.2)
    finish(pageloom(database, "import", folder / "out.jsonl"), verdict)
    with open_store(database) as store:
        check_whole(store, verdict)
        if list_pages(store, "local", ALL, limit=1).total != pages:
            verdict.problems.append("pages are missing after it went on")
        verdict.pages += pages


def kill_reparse(folder: Path, chance: random.Random, pages: int, verdict: Verdict) -> None:
    """Whoever reads pages again."""
    folder.mkdir(parents=True)
    database = str(folder / "library.db")
    fill(database, pages)
    with open_store(database) as store, store.write() as tx:
        tx.run("UPDATE versions SET parser_version = '0'")
        tx.run("UPDATE pages SET parser_version = '0', pinned = 1")
    kill_after(pageloom(database, "reparse"), 0.8 + chance.random() * 1.5)
    finish(pageloom(database, "reparse"), verdict)
    with open_store(database) as store:
        check_whole(store, verdict)
        for page in walk_pages(store, "local", ALL):
            last = latest_version(store, page.id)
            if not (page.pinned and last and last.info.number == 1 and last.document.text):
                verdict.problems.append(f"page {page.id} is not as it was")
        verdict.pages += pages


def kill_backup(folder: Path, chance: random.Random, pages: int, verdict: Verdict) -> None:
    """Whoever makes a backup."""
    folder.mkdir(parents=True)
    database, target = str(folder / "library.db"), folder / "backup.zip"
    fill(database, pages)
    with open_store(database) as store:
        back_up(store, target)
    kill_after(pageloom(database, "backup", target), 0.2 + chance.random() * 0.5)
    if not is_backup(target):
        verdict.problems.append("the older backup is gone")
    finish(pageloom(str(folder / "other.db"), "restore", target), verdict)
    with open_store(str(folder / "other.db")) as store:
        if list_pages(store, "local", ALL, limit=1).total != pages:
            verdict.problems.append("pages are missing in the backup")


def kill_migration(folder: Path, chance: random.Random, _pages: int, verdict: Verdict) -> None:
    """Whoever opens an older library."""
    folder.mkdir(parents=True)
    database = str(folder / "library.db")
    with connect_store(database) as store:
        migrate(store, 1 + chance.randrange(LATEST - 1))
        with store.write() as tx:
            tx.run(
                "INSERT INTO pages (uuid, owner, url, url_full, saved_at, created_at, updated_at,"
                " metadata) VALUES ('u', 'local', 'https://a.example/', '', '', '', '', '{}')"
            )
    worker = start("--open", database, stdin=subprocess.PIPE)
    if worker.stdout:
        worker.stdout.readline()  # it is about to begin
    kill_after(worker, chance.random() * 0.06)
    with open_store(database) as store, store.read() as tx:
        if schema_version(tx) != LATEST or tx.value("SELECT count(*) FROM pages") != 1:
            verdict.problems.append("the page is gone")


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
    parser.add_argument("--postgres", action="store_true", help="the writers on PostgreSQL too")
    asked = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        database = str(Path(folder) / "library.db")
        verdict = run_writers(database, processes=asked.processes, seconds=asked.seconds)
        failed |= report("SQLite, writers at once", verdict, time.monotonic() - began)
        if asked.postgres:
            failed |= soak_postgres(asked.processes, asked.seconds)
        began = time.monotonic()
        verdict = kill_some(Path(folder) / "kills", kills=asked.kills)
        failed |= report(f"SQLite, {asked.kills} kills", verdict, time.monotonic() - began)
    return failed


def soak_postgres(processes: int, seconds: float) -> int:
    """The same writers on a real PostgreSQL."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.postgres import new_database, postgres_server

    with postgres_server() as server, new_database(server) as database:
        began = time.monotonic()
        verdict = run_writers(database, processes=processes, seconds=seconds)
        return report("PostgreSQL, writers at once", verdict, time.monotonic() - began)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write_pages(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
    elif sys.argv[1:2] == ["--open"]:
        print("ready", flush=True)
        open_store(sys.argv[2]).close()
    else:
        sys.exit(main())

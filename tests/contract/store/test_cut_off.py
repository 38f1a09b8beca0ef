"""Processes that are killed while bytes are seen to be written: the work goes on, once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.integration.cli import environment, pageloom
from tests.saving import save_many
from tests.site.server import start_site

from pageloom.edges.store.backup import restore_backup
from pageloom.edges.store.base import connect_store, open_store
from pageloom.edges.store.migrate import migrate, schema_version
from pageloom.edges.store.schema import LATEST
from pageloom.model import Document
from pageloom.model.capture import Capture

pytestmark = pytest.mark.slow_file(seconds=15)
PATIENCE = 30
OPEN = "import sys; from pageloom.edges.store.base import open_store; open_store(sys.argv[1])"
TEXT = "The swifts of the harbour came back on the fifth of May, two days before the terns. "


def start(*command: object, **settings: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, *map(str, command)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(**settings),
    )


def kill_when(process: subprocess.Popen, is_writing) -> bool:
    """Kill a process in the middle of writing; False when it ended before that was seen."""
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        if is_writing():
            process.kill()
            break
        time.sleep(0.0005)  # the other needs the processor too
    return process.wait(PATIENCE) == -signal.SIGKILL


def size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def ask(path: Path, sql: str) -> int:
    with connect_store(path) as store, store.read() as tx:
        return tx.value(sql) or 0


def is_whole(path: Path) -> bool:
    with connect_store(path) as store, store.read() as tx:
        found = tx.value("PRAGMA integrity_check")
        return found == "ok" and not tx.all("PRAGMA foreign_key_check")


def fill(path: Path, count: int) -> None:
    documents = [
        Document(url=f"https://a.example/{number}", title=f"Page {number}", text=TEXT * 20)
        for number in range(count)
    ]
    with open_store(path) as store:
        save_many(store, [Capture(document=each) for each in documents])


def test_a_migration_that_is_killed_is_taken_up_where_it_was(tmp_path):
    path = tmp_path / "old.db"
    old = 1
    with connect_store(path) as store:
        migrate(store, old)
        with store.write() as tx:
            for number in range(4_000):
                tx.run(
                    "INSERT INTO pages (uuid, owner, url, url_full, title, saved_at, created_at,"
                    " updated_at, metadata) VALUES (?, 'local', ?, ?, 'T', ?, ?, ?, '{}')",
                    *(f"u{number}", f"https://a.example/{number}", f"https://a.example/{number}"),
                    *["2026-03-05T08:30:00.000Z"] * 3,
                )
    log = path.with_name("old.db-wal")
    reached: list[int] = []
    for _ in range(12):
        before = size(log)
        if not kill_when(start("-c", OPEN, path), lambda before=before: size(log) > before):
            break
        with connect_store(path) as store, store.read() as tx:
            reached.append(schema_version(tx))
        assert is_whole(path)
        assert ask(path, "SELECT count(*) FROM pages") == 4_000
    assert reached == sorted(reached)
    assert any(old <= step < LATEST for step in reached)  # some were killed in between
    with open_store(path) as store, store.read() as tx:
        assert schema_version(tx) == LATEST
        assert tx.column("SELECT version FROM schema_version ORDER BY 1") == [*range(1, LATEST + 1)]
    assert ask(path, "SELECT count(*) FROM pages") == 4_000


def test_two_who_migrate_at_once_one_of_them_killed(tmp_path):
    path = tmp_path / "old.db"
    with connect_store(path) as store:
        migrate(store, LATEST - 6)
    first, *others = [start("-c", OPEN, path) for _ in range(4)]
    log = path.with_name("old.db-wal")
    kill_when(first, lambda: size(log) > 0)
    assert [other.wait(PATIENCE) for other in others] == [0, 0, 0]
    assert is_whole(path)
    assert ask(path, "SELECT count(*) FROM schema_version") == LATEST


OLDER = """
import sys
import pageloom.edges.store.schema as schema
schema.LATEST -= 3  # before anything else reads it: this is what an older Pageloom knows
from pageloom.edges.store.base import open_store
from pageloom.errors import StorageError
try:
    open_store(sys.argv[1])
except StorageError as error:
    sys.exit(0 if "newer Pageloom" in str(error) else 1)
"""


def test_an_older_and_a_newer_pageloom_that_migrate_at_once(tmp_path):
    path = tmp_path / "old.db"
    with connect_store(path) as store:
        migrate(store, 1)
    both = [start("-c", script, path) for script in (OLDER, OPEN)]
    assert [process.wait(PATIENCE) for process in both] == [0, 0]
    assert is_whole(path)
    assert ask(path, "SELECT count(*) FROM schema_version") == LATEST
    assert start("-c", OLDER, path).wait(PATIENCE) == 0  # it says that it is too old


def test_a_backup_that_is_killed_leaves_the_older_one(tmp_path):
    library, backup = tmp_path / "library.db", tmp_path / "all.zip"
    fill(library, 600)
    settings = {"PAGELOOM_DATABASE_URL": str(library)}
    assert pageloom("backup", backup, **settings).code == 0
    older = backup.read_bytes()

    def is_writing() -> bool:
        return any(size(part) > 10_000 for part in tmp_path.glob(".all.zip.*.part"))

    kills = 0
    for _ in range(3):
        kills += kill_when(
            start("-m", "pageloom", "backup", backup, "--force", **settings), is_writing
        )
        assert backup.read_bytes() == older or kills == 0
        for part in tmp_path.glob(".all.zip.*.part"):
            part.rename(tmp_path / f"{part.name}.seen")
    assert kills
    with open_store(tmp_path / "again.db") as store:
        assert restore_backup(store, backup)["pages"] == 600


def test_what_a_killed_backup_left_behind_is_removed_by_a_later_one(tmp_path):
    library, backup = tmp_path / "library.db", tmp_path / "all.zip"
    fill(library, 1)
    left, fresh = tmp_path / ".all.zip.0a1b2c3d.part", tmp_path / ".all.zip.4e5f6a7b.part"
    for part in (left, fresh):
        part.write_bytes(b"half")
    os.utime(left, (0, 0))
    assert pageloom("backup", backup, PAGELOOM_DATABASE_URL=str(library)).code == 0
    assert not left.exists()
    assert fresh.exists()  # perhaps another backup is being written


def test_an_import_that_is_killed_between_two_pages_goes_on_there(tmp_path):
    library, file = tmp_path / "library.db", tmp_path / "pages.jsonl"
    count = 160
    file.write_text(
        "".join(
            json.dumps(
                {
                    "url": f"https://a.example/{number}",
                    "title": f"Page {number}",
                    "content": f"<p>{TEXT * 3}{number}</p>",
                    "tags": ["birds"],
                    "notes": [{"text": f"Note {number}"}],
                }
            )
            + "\n"
            for number in range(count)
        )
    )
    settings = {"PAGELOOM_DATABASE_URL": str(library)}
    open_store(library).close()
    kills = 0
    pages = "SELECT count(*) FROM pages"
    for goal in (20, 60):
        command = ("-m", "pageloom", "import", file, "--no-fetch")

        def is_far(goal: int = goal) -> bool:
            return ask(library, pages) >= goal

        kills += kill_when(start(*command, **settings), is_far)
        assert is_whole(library)
    assert kills
    done = pageloom("import", file, "--no-fetch", "--json", **settings)
    assert done.code == 0
    for table in ("pages", "notes", "tags"):
        assert ask(library, f"SELECT count(*) FROM {table}") == count  # noqa: S608
    assert 0 < done.json["imported"] < count


FULL = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
sys.argv = ["pageloom", *sys.argv[2:]]
runpy.run_module("pageloom", run_name="__main__")
"""


def test_a_disk_that_is_full_for_a_while_loses_nothing(tmp_path):
    """No file may grow beyond what the library has now."""
    library, backup = tmp_path / "library.db", tmp_path / "all.zip"
    fill(library, 40)
    file = tmp_path / "more.jsonl"
    page = {"url": "https://b.example/", "title": "More", "content": f"<p>{TEXT * 900}</p>"}
    file.write_text(json.dumps(page))
    settings = {"PAGELOOM_DATABASE_URL": str(library)}
    assert pageloom("backup", backup, **settings).code == 0
    older = backup.read_bytes()
    for command, most in (
        (("import", file, "--no-fetch"), 20_000),
        (("backup", backup), len(older) // 2),
        (("export", "jsonl", tmp_path / "all.jsonl"), 20_000),
    ):
        done = subprocess.run(
            [sys.executable, "-c", FULL, str(most), *map(str, command)],
            capture_output=True,
            text=True,
            check=False,
            env=environment(**settings),
        )
        assert done.returncode in {1, 2}
        assert done.stderr.startswith("Error: ")
        assert "disk" in done.stderr
        assert "Traceback" not in done.stderr
    assert backup.read_bytes() == older
    assert sorted(tmp_path.glob("all.*")) == [backup]
    assert list(tmp_path.glob(".*.part")) == []
    assert is_whole(library)
    assert pageloom("import", file, "--no-fetch", **settings).code == 0
    assert ask(library, "SELECT count(*) FROM pages") == 41


MID_LIFE = """
import resource, sys
from tests.saving import save_document
from pageloom import open_library
from pageloom.errors import StorageError
from pageloom.model import Document

text = "The swifts came back on the fifth of May, two days before the terns. " * 2_000
with open_library(sys.argv[1]) as library:
    store = library.context.store
    for number, most in enumerate((-1, 4_096, 4_096, -1, -1)):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, -1))
        page = Document(url=f"https://a.example/{number}", title="Page", text=f"{number} {text}")
        try:
            save_document(store, "local", page)
        except StorageError as error:
            print(number, "full" if "disk" in str(error) else error)
        print(number, len(library.list().pages), len(library.search("terns").hits))
"""


def test_a_disk_that_is_full_while_a_library_is_open_stops_only_what_needs_room(tmp_path):
    """It goes on reading, and writes again once there is room: nothing has to be opened anew."""
    library = tmp_path / "library.db"
    done = subprocess.run(
        [sys.executable, "-c", MID_LIFE, str(library)],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )
    assert done.stdout.splitlines() == [
        *("0 1 1", "1 full", "1 1 1", "2 full", "2 1 1", "3 2 2", "4 3 3"),
    ], done.stderr
    assert is_whole(library)


@pytest.fixture
def site():
    yield from start_site()


def test_a_check_that_is_killed_while_it_commits_tells_its_change_once(tmp_path, site):
    library = tmp_path / "library.db"
    log = tmp_path / "library.db-wal"
    settings = {
        "PAGELOOM_DATABASE_URL": str(library),
        "PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.1",
        "PAGELOOM_WATCH_LEASE_SECONDS": "1",
        "PAGELOOM_NOTIFY_TARGETS": "console",
    }
    state = 0

    def serve() -> None:
        site.add_html("/page", f"<h1>Swifts</h1><p>{TEXT * 9}</p><p>Seen so far: {state} of them, "
                      f"in the year of the {state} storms.</p>")  # fmt: skip

    serve()
    added = pageloom("watch", "add", site.url("/page"), "--every", "1m", **settings)
    assert added.code == 0, added.err
    assert pageloom("check", "--all", "--no-notify", **settings).code == 0
    kills = 0
    for _ in range(3):
        state += 1
        serve()
        before = size(log)
        command = ("-m", "pageloom", "check", "--all", "--no-notify")
        grown = lambda before=before: size(log) > before + 30_000  # noqa: E731
        kills += kill_when(start(*command, **settings), grown)
        assert is_whole(library)
        time.sleep(1.2)  # until the lease of the killed one is over
        assert pageloom("check", "--all", "--no-notify", **settings).code == 0
    assert kills
    told = "SELECT count(*) FROM outbox"
    changes = ask(library, "SELECT count(*) FROM changes")
    assert ask(library, "SELECT count(*) FROM runs WHERE outcome = 'changed'") == changes
    assert ask(library, "SELECT count(DISTINCT change_id) FROM outbox") == ask(library, told)
    numbers = "SELECT count(*) - count(DISTINCT number) FROM versions"
    assert ask(library, numbers) == 0

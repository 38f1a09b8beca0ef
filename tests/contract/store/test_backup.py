from __future__ import annotations

import re
import zipfile

import pytest
from tests.saving import save_document

from pageloom.edges.store import schema
from pageloom.edges.store.backup import TABLES, back_up, is_backup, restore_backup
from pageloom.edges.store.base import connect_store, open_store
from pageloom.edges.store.bodies import read_body
from pageloom.edges.store.jobs import get_job, open_job
from pageloom.edges.store.listing import list_pages
from pageloom.edges.store.migrate import migrate, schema_version
from pageloom.edges.store.search import search
from pageloom.edges.store.tags import add_note, add_tags
from pageloom.edges.store.versions import latest_version
from pageloom.errors import StorageError
from pageloom.model import Document
from pageloom.model.pages import PageRef

INTERRUPTED = "aba8f6f3e61f339277a4296e27ae572a"
"""What the id of a job to save nothing was made of its request."""


def fill(store):
    for number in range(5):
        url = f"https://a.example/{number}"
        text = f"base64:swifts text:{number} \u00e9"
        document = Document(url=url, final_url=url, title=text, text=text, snapshot_hash=text)
        save_document(store, "local", document, body=b"<html>%d" % number)
    with store.write() as tx:
        add_tags(tx, PageRef("local", 1), ["birds"])
        add_note(tx, PageRef("local", 1), "A note.")


def test_no_table_is_left_out_of_a_backup():
    steps = " ".join(str(step) for step in schema.STEPS)
    renamed = set(re.findall(r"RENAME TO (\w+)", steps)) - {"search_before"}
    assert set(re.findall(r"CREATE TABLE (\w+)", steps)) | renamed == set(TABLES)


@pytest.mark.parametrize("other", ["sqlite", "postgres"])
def test_a_backup_of_either_database_goes_into_either(store, other, tmp_path, request):
    fill(store)
    back_up(store, tmp_path / "backup.zip")
    assert is_backup(tmp_path / "backup.zip")
    where = tmp_path / "other.db" if other == "sqlite" else request.getfixturevalue("postgres_url")
    with open_store(where) as fresh:
        counts = restore_backup(fresh, tmp_path / "backup.zip")
        assert (counts["pages"], counts["bodies"], counts["tags"]) == (5, 5, 1)
        assert list_pages(fresh, "local") == list_pages(store, "local")
        assert search(fresh, "local", "swifts") == search(store, "local", "swifts")
        before, after = (
            latest_version(store, PageRef("local", 1)),
            latest_version(fresh, PageRef("local", 1)),
        )
        assert before == after
        assert after
        assert read_body(fresh, PageRef("local", 1), after.info.body_hash or "") == b"<html>0"
        url = "https://a.example/new"
        saved = save_document(fresh, "local", Document(url=url, final_url=url, snapshot_hash="n"))
        assert saved.page_id == 6


def test_a_library_that_holds_pages_is_replaced_only_when_asked(store, tmp_path):
    fill(store)
    back_up(store, tmp_path / "backup.zip")
    with store.write() as tx:
        tx.run("UPDATE pages SET title = 'changed'")
    with pytest.raises(StorageError, match="not empty"):
        restore_backup(store, tmp_path / "backup.zip")
    restore_backup(store, tmp_path / "backup.zip", replace=True)
    assert {page.title[:7] for page in list_pages(store, "local").pages} == {"base64:"}


@pytest.mark.parametrize("old", range(1, schema.LATEST))
def test_a_backup_of_an_older_schema_is_brought_up(bare_database, tmp_path, old):
    with connect_store(bare_database) as store:
        migrate(store, old)
        with store.write() as tx:
            tx.run(
                "INSERT INTO pages (uuid, owner, url, url_full, saved_at, created_at, updated_at,"
                " metadata) VALUES ('5f600d38-efb7-4237-abef-215bbb074a0c', 'local', 'https://a.example/',"
                " 'https://a.example/', ?, ?, ?, '{}')",
                *["2026-03-05T08:30:00.000Z"] * 3,
            )
            if old >= 3:
                tx.run(
                    "INSERT INTO jobs (id, owner, kind, settings, created_at, updated_at)"
                    " VALUES (?, 'local', 'save', '{}', '2026', '2026')",
                    INTERRUPTED,
                )
                if old > schema.STEPS.index((schema.SERVING,)):
                    tx.run("UPDATE jobs SET request = id, done = 1")
                tx.run(
                    "INSERT INTO job_items (job_id, item, state, updated_at)"
                    " VALUES (?, 'a', 'done', '')",
                    INTERRUPTED,
                )
        back_up(store, tmp_path / "old.zip")
        migrate(store)
        restore_backup(store, tmp_path / "old.zip", replace=True)
        job = open_job(store, "local", "save", {})
        assert job.done == ({"a"} if old >= 3 else frozenset())
        assert get_job(store, "local", job.id).done == len(job.done)
        with store.read() as tx:
            assert schema_version(tx) == schema.LATEST
            assert tx.value("SELECT count(*) FROM websites") == 1


def test_what_is_no_backup_changes_nothing(store, tmp_path):
    fill(store)
    (tmp_path / "text").write_text("no archive")
    with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
        archive.writestr("manifest.json", '{"format": "pageloom-backup", "schema": 1, "rows": {}}')
        archive.writestr("users.jsonl", '{"name; DROP TABLE users": 1}')
    with zipfile.ZipFile(tmp_path / "new", "w") as archive:
        archive.writestr("manifest.json", '{"format": "pageloom-backup", "schema": 999}')
    back_up(store, tmp_path / "cut")
    whole = (tmp_path / "cut").read_bytes()
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    for name in ("text", "zip", "new", "cut", "missing"):
        with pytest.raises(StorageError):
            restore_backup(store, tmp_path / name, replace=True)
        assert list_pages(store, "local").total == 5
    assert not is_backup(tmp_path / "text")
    assert not is_backup(tmp_path / "missing")


def test_a_backup_that_fails_leaves_the_older_one(store, tmp_path):
    fill(store)
    back_up(store, tmp_path / "b.zip")
    before = (tmp_path / "b.zip").read_bytes()
    with pytest.raises(StorageError):
        back_up(store, tmp_path / "no" / "b.zip")
    assert (tmp_path / "b.zip").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []

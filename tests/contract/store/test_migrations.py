from __future__ import annotations

import shutil
import threading
from dataclasses import replace

import pytest
from tests.saving import save_document

from pageloom.edges.store.backfill import REFILLS
from pageloom.edges.store.backup import TABLES
from pageloom.edges.store.base import connect_store, open_store
from pageloom.edges.store.codec import read_json, write_json
from pageloom.edges.store.jobs import mark_done, open_job
from pageloom.edges.store.migrate import migrate, schema_version
from pageloom.edges.store.schema import FOLDING, FORMS, LATEST, STEPS
from pageloom.edges.store.search import search
from pageloom.edges.store.search_terms import write_findable
from pageloom.edges.store.sources import put_source
from pageloom.edges.store.tags import add_note, add_tags
from pageloom.edges.store.users import make_token
from pageloom.edges.store.versions import latest_version
from pageloom.edges.store.words import Findable, add_forms
from pageloom.errors import StorageError
from pageloom.model import Document
from pageloom.model.library import Source
from pageloom.model.pages import DEFAULT_FILTERS, Filters, PageRef


def test_an_empty_database_gets_the_present_schema_and_its_first_user(bare_database):
    with open_store(bare_database) as store, store.read() as tx:
        assert schema_version(tx) == LATEST
        assert tx.value("SELECT name FROM users") == "local"


OLD_WORDS = (" old crane ", "  ", " two hundred swifts ")
IN_HEADS = {
    "sqlite": "SELECT rowid FROM search_heads WHERE search_heads MATCH 'crane NOT swifts'",
    "postgres": "SELECT page_id FROM search WHERE words @@ $$'a/crane' & !'a/swifts'$$",
}


def put_old_words(tx) -> None:
    """What a page was found by when the words of titles were not yet among those about pages."""
    words = "'t/old' 't/crane' 'old' 'crane' 'two' 'hundred' 'swifts'"
    row = dict(zip(("title", "about", "body"), OLD_WORDS, strict=True))
    row |= {"page_id": 1, "own": "  "} | ({"words": words} if tx.dialect == "postgres" else {})
    marks = ", ".join("CAST(? AS tsvector)" if name == "words" else "?" for name in row)
    tx.run(f"INSERT INTO search ({', '.join(row)}) VALUES ({marks})", *row.values())  # noqa: S608


@pytest.mark.parametrize("old", range(1, LATEST))
def test_every_older_version_is_brought_up_and_keeps_its_data(bare_database, old):
    with connect_store(bare_database) as store:
        migrate(store, old)
        with store.write() as tx:
            tx.run(
                "INSERT INTO pages (uuid, owner, url, url_full, saved_at, created_at, updated_at,"
                " metadata) VALUES ('5f600d38-efb7-4237-abef-215bbb074a0c', 'local',"
                " 'https://a.example/', 'https://a.example/', ?, ?, ?, '{}')",
                *["2026-03-05T08:30:00.000Z"] * 3,
            )
            tx.run("UPDATE pages SET domain = 'sub.a.example', title = 'Old crane'")
            tx.run("UPDATE pages SET language = 'en'")
            tx.run("INSERT INTO tags VALUES (1, 'wharf', 'Wharf', '')")
            if old < 8 and tx.dialect == "postgres":
                tx.run("INSERT INTO search VALUES (1, ?, ?, ?, '')", *OLD_WORDS)
            elif old < 8:
                tx.run("INSERT INTO search VALUES (1, ?, ?, ?)", *OLD_WORDS)
            elif old < 10:
                put_old_words(tx)
            else:
                title, about, body = OLD_WORDS
                words = Findable(title=title, about=about, body=body)
                has_forms = old > STEPS.index((FORMS,))
                english = add_forms(replace(words, language="en"))
                write_findable(tx, 1, english if has_forms else words)
    with open_store(bare_database) as store, store.read() as tx:
        assert tx.column(IN_HEADS[tx.dialect]) == [1]
        assert schema_version(tx) == LATEST
        assert tx.value("SELECT url FROM pages") == "https://a.example/"
        assert tx.value("SELECT count(*) FROM websites") == 1
    with open_store(bare_database) as store:
        assert found(store, "swift cranes") == [1]
        assert found(store, "wharfs") == [1]
    if old < 8:
        with open_store(bare_database) as store:
            assert found(store, '"hundred swifts" wharf') == [1]
            assert found(store, "crane", Filters(domain="a.example")) == [1]
            assert found(store, "crane", Filters(domain="b.example")) == []


def test_words_of_an_older_library_lose_the_marks_that_may_be_left_out(database):
    url = "https://a.example/"
    with open_store(database) as store:
        document = Document(url=url, final_url=url, title="Library", text="x", snapshot_hash="x")
        save_document(store, "local", document)
        save_document(store, "local", replace(document, url=f"{url}2", final_url=f"{url}2"))
        with store.write() as tx:
            add_note(tx, PageRef("local", 1), "שָׁלוֹם")
            tx.run("UPDATE search SET own = ? WHERE page_id = 1", " שָׁלוֹם ")
            tx.run("UPDATE search SET body = ? WHERE page_id = 1", " كان مُحَمَّدٌ هنا ")
        assert found(store, "محمد") == []
        store.transact(REFILLS[STEPS.index((FOLDING,)) + 1])
        assert found(store, "محمد هنا") == [1]
        assert found(store, '"محمد هنا" שלום') == [1]
        assert found(store, "library") == [2, 1]


def live_in(store) -> None:
    """Leave something in every part of a library that its users know."""
    url = "https://tidewatch.example/swifts"
    for text in ("Swifts.", "Swifts and terns."):
        document = Document(
            url=url, final_url=url, title="Swifts", text=text, snapshot_hash=text, word_count=1
        )
        save_document(store, "local", document, body=text.encode(), content_type="text/html")
    with store.write() as tx:
        add_tags(tx, PageRef("local", 1), ["Birds"])
        add_note(tx, PageRef("local", 1), "Ask the pilot.")
        tx.run("UPDATE pages SET pinned = 1, read_at = saved_at")
    make_token(store, "local", label="reader")
    put_source(store, "local", Source(id="tide", site="tidewatch.example"))
    job = open_job(store, "local", "reparse", {"limit": 3})
    store.transact(lambda tx: mark_done(tx, job, "1"))


def rows_of(store) -> dict[str, list[dict]]:
    with store.read() as tx:
        return {
            table: [dict(row) for row in tx.all(f"SELECT * FROM {table}")]  # noqa: S608
            for table in TABLES
            if table != "search" and tx.has_relation(table)
        }


def put_rows(store, rows: dict[str, list[dict]]) -> dict[str, list[dict]]:
    """Put rows into an older library, as far as it has room for them; what was put there."""
    kept = {}
    with store.write() as tx:
        tx.run("DELETE FROM users")
        for table in (name for name in rows if tx.has_relation(name)):
            columns = tx.columns(table)
            kept[table] = [
                {name: row[name] for name in row if name in columns} for row in rows[table]
            ]
            for row in kept[table]:
                values = [write_json(v) if isinstance(v, dict | list) else v for v in row.values()]
                marks = ", ".join("?" * len(row))
                tx.run(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", *values)  # noqa: S608
    return kept


@pytest.fixture(scope="module")
def rows(library_in_a_file, tmp_path_factory) -> dict[str, list[dict]]:
    """All rows of a library that was used."""
    path = shutil.copy(library_in_a_file, tmp_path_factory.mktemp("used") / "library.db")
    with open_store(path) as store:
        live_in(store)
        return rows_of(store)


@pytest.mark.parametrize("old", range(1, LATEST))
def test_every_row_of_an_older_library_is_there_when_it_is_brought_up(bare_database, rows, old):
    with connect_store(bare_database) as store:
        migrate(store, old)
        kept = put_rows(store, rows)
    assert {"pages", "versions", "bodies", "tags", "notes", "tokens"} <= {
        table for table, found in kept.items() if found
    }
    with open_store(bare_database) as store:
        after = rows_of(store)
        assert latest_version(store, PageRef("local", 1)).document.text == "Swifts and terns."
    for table, before in kept.items():
        here = [{name: row[name] for name in before[0]} for row in after[table]] if before else []
        assert list(map(plain, here)) == list(map(plain, before)), table


def plain(row: dict) -> dict:
    """A row as both databases give it: one of them reads JSON itself, or gives other bytes."""
    values = {
        name: bytes(v) if isinstance(v, memoryview) else read_json(v) if _is_json(v) else v
        for name, v in row.items()
    }
    return dict(sorted(values.items()))


def _is_json(value: object) -> bool:
    return isinstance(value, str) and value[:1] in {"{", "["}


def found(store, text: str, filters: Filters = DEFAULT_FILTERS) -> list[int]:
    return [hit.page.id for hit in search(store, "local", text, filters).hits]


def test_many_who_open_an_empty_library_at_once_all_find_it_whole(bare_database):
    troubles: list[Exception] = []

    def open_it() -> None:
        try:
            with open_store(bare_database) as store, store.read() as tx:
                assert schema_version(tx) == LATEST
        except Exception as error:  # noqa: BLE001  handed to the test
            troubles.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []


def test_a_library_of_a_newer_pageloom_is_left_alone(database):
    with open_store(database) as store, store.write() as tx:
        tx.run("INSERT INTO schema_version (version, applied_at) VALUES (?, '')", LATEST + 1)
    with pytest.raises(StorageError, match=f"schema {LATEST + 1}"):
        open_store(database)


def test_an_older_table_of_the_same_name_as_our_view_is_not_touched(bare_database):
    with connect_store(bare_database) as store, store.write() as tx:
        tx.run("CREATE TABLE websites (id INTEGER)")
        tx.run("INSERT INTO websites VALUES (7)")
    with open_store(bare_database) as store, store.read() as tx:
        assert tx.value("SELECT id FROM websites") == 7

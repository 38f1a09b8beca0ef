from __future__ import annotations

import threading

import pytest

from pageloom.edges.store.base import connect_store, open_store
from pageloom.edges.store.listing import SHELF, Filters
from pageloom.edges.store.migrate import migrate, schema_version
from pageloom.edges.store.schema import LATEST
from pageloom.edges.store.search import search
from pageloom.errors import StorageError


def test_an_empty_database_gets_the_present_schema_and_its_first_user(store):
    with store.read() as tx:
        assert schema_version(tx) == LATEST
        assert tx.value("SELECT name FROM users") == "local"


OLD_WORDS = (" old crane ", "  ", " two hundred swifts ")


@pytest.mark.parametrize("old", range(1, LATEST))
def test_every_older_version_is_brought_up_and_keeps_its_data(database, old):
    with connect_store(database) as store:
        migrate(store, old)
        with store.write() as tx:
            tx.run(
                "INSERT INTO pages (uuid, owner, url, url_full, saved_at, created_at, updated_at,"
                " metadata) VALUES ('5f600d38-efb7-4237-abef-215bbb074a0c', 'local',"
                " 'https://a.example/', 'https://a.example/', ?, ?, ?, '{}')",
                *["2026-03-05T08:30:00.000Z"] * 3,
            )
            tx.run("UPDATE pages SET domain = 'sub.a.example', title = 'Old crane'")
            tx.run("INSERT INTO tags VALUES (1, 'wharf', 'Wharf', '')")
            if old < 8 and tx.dialect == "postgres":
                tx.run("INSERT INTO search VALUES (1, ?, ?, ?, '')", *OLD_WORDS)
            elif old < 8:
                tx.run("INSERT INTO search VALUES (1, ?, ?, ?)", *OLD_WORDS)
    with open_store(database) as store, store.read() as tx:
        assert schema_version(tx) == LATEST
        assert tx.value("SELECT url FROM pages") == "https://a.example/"
        assert tx.value("SELECT count(*) FROM websites") == 1
    if old < 8:
        with open_store(database) as store:
            assert found(store, '"hundred swifts" wharf') == [1]
            assert found(store, "crane", Filters(domain="a.example")) == [1]
            assert found(store, "crane", Filters(domain="b.example")) == []


def found(store, text: str, filters: Filters = SHELF) -> list[int]:
    return [hit.page.id for hit in search(store, "local", text, filters).hits]


def test_many_who_open_an_empty_library_at_once_all_find_it_whole(database):
    troubles: list[Exception] = []

    def open_it() -> None:
        try:
            with open_store(database) as store, store.read() as tx:
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


def test_an_older_table_of_the_same_name_as_our_view_is_not_touched(database):
    with connect_store(database) as store, store.write() as tx:
        tx.run("CREATE TABLE websites (id INTEGER)")
        tx.run("INSERT INTO websites VALUES (7)")
    with open_store(database) as store, store.read() as tx:
        assert tx.value("SELECT id FROM websites") == 7

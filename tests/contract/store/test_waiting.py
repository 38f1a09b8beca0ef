"""Who waits for whom: readers and tokens for nobody, requests not for long."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest
from tests.saving import save_document

from pageloom.edges.store.base import open_store
from pageloom.edges.store.events import events_after, record_event, write_events
from pageloom.edges.store.listing import list_pages
from pageloom.edges.store.options import DatabaseOptions
from pageloom.edges.store.times import later, now
from pageloom.edges.store.users import find_token, list_tokens, make_token
from pageloom.errors import StorageError
from pageloom.model import Document

URL = "https://a.example/"
PAGE = Document(url=URL, final_url=URL, title="Swifts", text="Swifts.", snapshot_hash="x")


@contextmanager
def a_writer(database: str):
    """Another process' writer, which holds its locks until the block has ended."""
    with open_store(database) as other, other.write() as tx:
        tx.run("UPDATE tokens SET label = 'held'")
        tx.run("UPDATE pages SET title = 'held'")
        yield


def until(is_so) -> None:
    for _ in range(200):
        if is_so():
            return
        time.sleep(0.02)
    raise AssertionError("it never came to that")


def test_lists_and_tokens_are_answered_while_somebody_writes(store, database):
    save_document(store, "local", PAGE)
    token = make_token(store, "local")
    impatient = store.for_requests(0)  # who has to wait for the writer gets an error at once
    with a_writer(database):
        assert find_token(impatient, token).owner == "local"
        assert list_pages(impatient, "local").pages[0].title == "Swifts"
        assert find_token(impatient, token).owner == "local"


def test_the_use_of_a_token_is_written_behind_the_answer_and_once_a_minute(store):
    token = make_token(store, "local")
    assert find_token(store, token).owner == "local"
    until(lambda: list_tokens(store, "local")[0].last_used_at)
    [known] = list_tokens(store, "local")
    assert find_token(store, token).owner == "local"
    time.sleep(0.1)
    assert list_tokens(store, "local") == [known]
    earlier = later(now(), -61)
    with store.write() as tx:
        tx.run("UPDATE tokens SET last_used_at = ?", earlier)
    assert find_token(store, token).owner == "local"
    until(lambda: (list_tokens(store, "local")[0].last_used_at or "") > earlier)


def test_a_use_that_cannot_be_written_now_is_no_error(store, database):
    token = make_token(store, "local")
    with a_writer(database):
        assert find_token(store, token).owner == "local"
        until(lambda: "pageloom-token-use" not in {each.name for each in threading.enumerate()})
    assert list_tokens(store, "local")[0].last_used_at is None
    assert find_token(store, token).owner == "local"
    until(lambda: list_tokens(store, "local")[0].last_used_at)


def test_a_request_does_not_wait_long_for_other_writers(store, database):
    save_document(store, "local", PAGE)
    hasty = store.for_requests(0.2)
    with a_writer(database), pytest.raises(StorageError, match="busy") as caught:
        save_document(hasty, "local", replace(PAGE, text="Terns.", snapshot_hash="y"))
    assert caught.value.retryable
    save_document(hasty, "local", replace(PAGE, text="Terns.", snapshot_hash="y"))


def test_a_request_does_not_wait_long_for_a_thread_of_its_own_process(store):
    with store.write() as tx:
        tx.run("UPDATE users SET created_at = 'x'")
        waited: list[StorageError] = []

        def ask() -> None:
            try:
                with store.for_requests(0.1).write() as other:
                    other.run("UPDATE users SET created_at = 'y'")
            except StorageError as error:
                waited.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        thread.join(10)
    assert [error.retryable for error in waited] == [True]


def test_no_more_connections_are_opened_than_the_settings_allow(database):
    options = DatabaseOptions(url=database, max_connections=2)
    with open_store(options) as store:
        with (
            store.read(),
            store.read(),
            pytest.raises(StorageError, match="all connections"),
            store.for_requests(0.1).read(),
        ):
            pass
        with store.read(), store.for_requests(0).read() as tx:
            assert tx.value("SELECT count(*) FROM users") == 1


def test_a_closed_library_opens_no_connection(database):
    store = open_store(database)
    token = make_token(store, "local")
    view = store.for_requests()
    store.close()
    for closed in (store, view):
        with pytest.raises(StorageError, match="closed"), closed.read():
            pass
        with pytest.raises(StorageError, match="closed"):
            find_token(closed, token)


def test_a_connection_that_was_given_back_goes_to_whoever_waits(database):
    with open_store(DatabaseOptions(url=database, max_connections=1)) as store:
        taken = threading.Event()

        def hold() -> None:
            with store.read():
                taken.set()
                time.sleep(0.3)

        thread = threading.Thread(target=hold)
        thread.start()
        taken.wait()
        with store.for_requests(10).read() as tx:
            assert tx.value("SELECT 1 AS one") == 1
        thread.join()


def follow(database: str, stop: threading.Event, seen: list[int]) -> None:
    last = 0
    with open_store(database) as reader:
        while True:
            is_over = stop.is_set()
            found = events_after(reader, "local", last, limit=3)
            seen.extend(event.id for event in found)
            last = found[-1].id if found else last
            if is_over and not found:
                return
            time.sleep(0.001)


def write_slowly(database: str, number: int) -> None:
    """Commit late, each time by another delay after the number was given."""
    with open_store(database) as writer:
        for turn in range(12):

            def work(tx, turn: int = turn) -> None:
                record_event(tx, "local", "test", number=number, turn=turn)
                write_events(tx)
                time.sleep((number * 7 + turn * 3) % 5 * 0.003)

            writer.transact(work)


def test_a_follower_sees_every_event_once_and_in_the_order_of_commits(store, database):
    stop, seen = threading.Event(), []
    follower = threading.Thread(target=follow, args=(database, stop, seen))
    writers = [threading.Thread(target=write_slowly, args=(database, n)) for n in range(6)]
    for thread in (follower, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    follower.join()
    assert len(seen) == 6 * 12
    assert seen == sorted(set(seen))
    found = [event.detail for event in events_after(store, "local", limit=1_000)]
    for number in range(6):
        mine = [each["turn"] for each in found if each["number"] == number]
        assert mine == list(range(12))


def test_no_event_becomes_visible_behind_a_later_one(store, database):
    """The second transaction waits until the first, which has the lower number, is done."""
    is_first_written, done = threading.Event(), []

    def second() -> None:
        is_first_written.wait()
        with open_store(database) as other:
            other.transact(lambda tx: record_event(tx, "local", "second"))
        done.append(1)

    thread = threading.Thread(target=second)
    thread.start()
    with store.write() as tx:
        record_event(tx, "local", "first")
        write_events(tx)
        is_first_written.set()
        time.sleep(0.3)
        assert done == []
        assert events_after(store.for_requests(), "local") == []
    thread.join()
    assert [event.kind for event in events_after(store, "local")] == ["first", "second"]

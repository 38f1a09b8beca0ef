"""Many reads in one transaction: one state, until the thread writes or something fails."""

from __future__ import annotations

import threading
from contextlib import suppress

import pytest

from pageloom.edges.store.base import Store, open_store
from pageloom.edges.store.options import DatabaseOptions
from pageloom.edges.store.users import make_token
from pageloom.errors import StorageError

COUNT = "SELECT count(*) FROM tokens"


def count(store: Store) -> int:
    with store.read() as tx:
        return tx.value(COUNT)


def in_another_thread(work) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()


@pytest.fixture
def store(database):
    """A library with one connection too few for two transactions of one thread at once."""
    with open_store(DatabaseOptions(url=database, max_connections=2)) as opened:
        yield opened


def test_reads_of_one_block_see_one_state(store):
    with store.reading():
        assert count(store) == 0
        in_another_thread(lambda: make_token(store, "local"))
        assert count(store) == count(store.for_requests()) == 0
        with store.reading():  # a block within is the same block
            assert count(store) == 0
        assert count(store) == 0
    assert count(store) == 1


def test_what_is_written_in_the_block_is_seen_afterwards(store):
    with store.reading():
        assert count(store) == 0
        make_token(store, "local")
        assert count(store) == 1
        in_another_thread(lambda: make_token(store, "local"))
        assert count(store) == 1  # again one state


def test_reads_within_reads_share_their_transaction(store):
    with store.reading(), store.read() as outer:
        assert outer.value(COUNT) == 0
        for _ in range(5):
            with store.read() as inner:
                in_another_thread(lambda: make_token(store, "local"))
                assert inner.value(COUNT) == 0
        assert outer.value(COUNT) == 0


def test_several_streams_of_one_block_do_not_meet(store):
    make_token(store, "local")
    with store.reading(), store.read() as tx, store.read() as other:
        pairs = zip(tx.stream("SELECT 1 AS n"), other.stream("SELECT 2 AS n"), strict=True)
        assert [(one["n"], two["n"]) for one, two in pairs] == [(1, 2)]


def test_a_write_during_a_read_is_seen_by_the_next(store):
    with store.reading():
        with store.read() as before:
            assert before.value(COUNT) == 0
            make_token(store, "local")
            assert before.value(COUNT) == 0  # it sees one state throughout
            assert count(store) == 1
        assert count(store) == 1


@pytest.mark.parametrize("fault", [StorageError, ZeroDivisionError])
def test_an_error_in_the_block_spoils_no_later_read(store, fault):
    def fail() -> None:
        with store.read() as tx:
            tx.value("SELECT nothing FROM nowhere" if fault is StorageError else f"{1 // 0}")

    for _ in range(5):
        with store.reading():
            assert count(store) == 0
            with pytest.raises(fault):
                fail()
            assert count(store) == 0
            with store.read() as outer:  # in a read that goes on
                with suppress(fault):
                    fail()
                assert count(store) == 0
                with suppress(StorageError):  # what was begun before may have been lost with it
                    outer.value(COUNT)
            assert count(store) == 0
        with pytest.raises(fault), store.reading():
            fail()
    assert count(store) == 0


def test_threads_have_transactions_of_their_own(store):
    with store.reading():
        assert count(store) == 0
        make_token(store, "local")
        seen: list[int] = []

        def read() -> None:
            seen.append(count(store))
            with store.reading():
                seen.append(count(store))

        assert count(store) == 1
        in_another_thread(read)
        assert seen == [1, 1]


def test_no_connection_is_kept_after_the_block(store):
    for _ in range(10):
        with store.reading():
            count(store)
    with store.for_requests(0).read(), store.for_requests(0).read() as tx:
        assert tx.value(COUNT) == 0


def test_a_lost_connection_is_replaced_in_the_same_block(store):
    if store.dialect != "postgres":
        pytest.skip("a file is not lost")
    with store.reading():
        assert count(store) == 0
        with pytest.raises(StorageError, match="lost"), store.read() as tx:
            tx.value("SELECT pg_terminate_backend(pg_backend_pid())")
        assert count(store) == 0
    with store.for_requests(0).read(), store.for_requests(0).read() as tx:
        assert tx.value(COUNT) == 0

"""A Store: transactions over a pool of connections, the same for both databases.

``with store.write() as tx`` is one transaction; ``store.transact(work)`` is one that is run again
as a whole when another writer got in its way, so ``work`` must do nothing but use its ``tx``.

Background work waits up to two minutes for locks and connections. What answers a request uses
``store.for_requests()``: the same library, whose waits end after two seconds with a retryable
StorageError.
"""

from __future__ import annotations

import os
import random
import threading
import time
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pageloom.edges.store.codec import read_json
from pageloom.edges.store.connection import Busy, Connection, Dialect, Lost, Row
from pageloom.edges.store.events import NewEvent, write_events
from pageloom.edges.store.options import DatabaseOptions
from pageloom.edges.store.pool import Pool
from pageloom.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

T = TypeVar("T")

_SCHEMES = ("postgresql://", "postgres://")
_PATIENCE = 120.0
"""Seconds that background work waits for locks and connections before it fails."""
REQUEST_PATIENCE = 2.0
"""The same for a request, whose user is waiting too."""


class Tx:
    """One transaction: plain SQL with ``?`` for parameters; rows are dictionaries."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.dialect: Dialect = connection.dialect
        self.events: list[NewEvent] = []
        """Written last, just before the commit: see ``events``."""

    def run(self, sql: str, *parameters: Any) -> int:
        """Run a statement; the number of rows it touched."""
        return self._connection.run(sql, parameters)

    def all(self, sql: str, *parameters: Any) -> list[Row]:
        """All rows of a query."""
        return self._connection.rows(sql, parameters)

    def column(self, sql: str, *parameters: Any) -> list[Any]:
        """The first value of each row of a query: for many rows, in a fraction of the time."""
        return self._connection.column(sql, parameters)

    def numbers(self, sql: str, *parameters: Any) -> list[int]:
        """All numbers, called ``id``, of a query: for very many of them, as one value."""
        gather = "array_agg" if self.dialect == "postgres" else "json_group_array"
        found = self.value(f"SELECT {gather}(n.id) FROM ({sql}) AS n", *parameters)
        return read_json(found) if self.dialect == "sqlite" else found or []

    def one(self, sql: str, *parameters: Any) -> Row | None:
        """The first row of a query, if it has any."""
        found = self._connection.rows(sql, parameters)
        return found[0] if found else None

    def value(self, sql: str, *parameters: Any) -> Any:
        """The first value of the first row, if there is any."""
        row = self.one(sql, *parameters)
        return None if row is None else next(iter(row.values()))

    def stream(self, sql: str, *parameters: Any) -> Iterator[Row]:
        """The rows of a query, a few at a time."""
        return self._connection.stream(sql, parameters)

    def for_update(self) -> str:
        """What stands behind a SELECT whose rows are about to be written."""
        return " FOR UPDATE" if self.dialect == "postgres" else ""

    def lock_migrations(self) -> None:
        """Let nobody else migrate until the end of this transaction."""
        self._connection.lock_migrations()

    def has_relation(self, name: str) -> bool:
        """Whether a table or view of that name exists."""
        return self._connection.has_relation(name)

    def columns(self, table: str) -> frozenset[str]:
        """The columns of a table of ours."""
        return self._connection.columns(table)


class _Shared:
    """A transaction that the reads of a thread share, until it is over and nobody reads in it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.readers = 0
        self.is_over = False
        self.is_lost = False


class _Thread(threading.local):
    """What each thread has for itself."""

    shares = False
    shared: _Shared | None = None


class Store:
    """The library. Safe to use from several threads, and from several processes at once."""

    def __init__(self, connect: Callable[[], Connection], *, max_connections: int = 20) -> None:
        self._pool = Pool(connect, max_connections)
        self._writing = threading.RLock()
        self._thread = _Thread()
        self._patience = _PATIENCE
        first = self._pool.take(0)
        self.dialect: Dialect = first.dialect
        self._pool.give_back(first)

    def for_requests(self, patience: float = REQUEST_PATIENCE) -> Store:
        """The same library, for those who cannot wait: no wait takes longer than ``patience``.

        Args:
            patience: seconds to wait for a connection and for other writers. With 0, a transaction
                either has what it needs at once or fails.
        """
        view = copy(self)
        view._patience = patience  # noqa: SLF001  a Store like this one
        return view

    @contextmanager
    def reading(self) -> Generator[None]:
        """Let all that this thread reads in here see one state: one transaction for many reads.

        It lasts until the thread writes, for what is read after that has to be seen.
        """
        if self._thread.shares:
            yield
            return
        self._thread.shares = True
        try:
            yield
        finally:
            self._thread.shares = False
            self._stop_sharing()

    @contextmanager
    def read(self) -> Generator[Tx]:
        """A transaction that sees one state of the library throughout."""
        if self._thread.shares:
            with self._read_shared() as tx:
                yield tx
            return
        with self._transaction(self._deadline(), write=False) as tx:
            yield tx

    @contextmanager
    def write(self) -> Generator[Tx]:
        """A transaction that is kept as a whole or not at all."""
        with self._write_until(self._deadline()) as tx:
            yield tx

    def transact(self, work: Callable[[Tx], T]) -> T:
        """What ``work`` answers in a writing transaction, run again when others interfered."""
        deadline = self._deadline()
        attempt = 0
        while True:
            try:
                with self._write_until(deadline) as tx:
                    return work(tx)
            except StorageError as error:
                if not isinstance(error.__cause__, Busy) or time.monotonic() >= deadline:
                    raise
            attempt += 1
            time.sleep(random.uniform(0, min(0.5, 0.005 * 2**attempt)))  # noqa: S311  no secret

    @contextmanager
    def connection(self) -> Generator[Connection]:
        """A bare connection, for what no transaction can do."""
        connection = self._take(self._deadline())
        try:
            yield connection
        except (Busy, Lost) as error:
            self._pool.drop(connection)
            raise _as_error(error) from error
        except BaseException:
            self._pool.drop(connection)
            raise
        self._pool.give_back(connection)

    def ping(self) -> None:
        """Ask the database for nothing.

        Raises:
            StorageError: it does not answer.
        """
        with self.read() as tx:
            tx.value("SELECT 1")

    def close(self) -> None:
        """Close every connection; those in use are closed when their transactions end."""
        self._pool.close()

    def _deadline(self) -> float:
        return time.monotonic() + self._patience

    @contextmanager
    def _read_shared(self) -> Generator[Tx]:
        shared = self._thread.shared
        if shared is None or shared.is_over:
            shared = self._thread.shared = _Shared(self._begin(self._deadline(), write=False))
        shared.readers += 1
        try:
            yield Tx(shared.connection)
        except BaseException as error:
            shared.is_over = True  # PostgreSQL answers nothing more in a transaction that failed
            if isinstance(error, Busy | Lost):
                shared.is_lost = True
                raise _as_error(error) from error
            raise
        finally:
            shared.readers -= 1
            self._give_up(shared)

    def _stop_sharing(self) -> None:
        """Let the next read of this thread see the library as it is then."""
        shared, self._thread.shared = self._thread.shared, None
        if shared is not None and not shared.is_over:
            shared.is_over = True
            self._give_up(shared)

    def _give_up(self, shared: _Shared) -> None:
        if shared.is_over and not shared.readers:
            (self._abandon if shared.is_lost else self._undo)(shared.connection)

    @contextmanager
    def _write_until(self, deadline: float) -> Generator[Tx]:
        self._stop_sharing()
        if self.dialect == "postgres":
            with self._transaction(deadline, write=True) as tx:
                yield tx
            return
        # Threads of one process wait here instead of asking the file again and again.
        if not self._writing.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise _as_error(Busy()) from Busy()
        try:
            with self._transaction(deadline, write=True) as tx:
                yield tx
        finally:
            self._writing.release()

    @contextmanager
    def _transaction(self, deadline: float, *, write: bool) -> Generator[Tx]:
        connection = self._begin(deadline, write=write)
        is_ending = False
        try:
            tx = Tx(connection)
            yield tx
            if tx.events:
                write_events(tx)
            is_ending = write
            connection.commit()
        except (Busy, Lost) as error:
            self._abandon(connection)
            raise _as_error(error, is_ending=is_ending) from error
        except BaseException:
            self._undo(connection)
            raise
        self._pool.give_back(connection)

    def _begin(self, deadline: float, *, write: bool) -> Connection:
        """A connection in a transaction; one that died while it was idle is replaced."""
        while True:
            connection = self._take(deadline)
            left = max(0.0, deadline - time.monotonic())
            try:
                connection.begin(write=write, wait=left if self._patience < _PATIENCE else None)
            except Lost as error:
                self._pool.drop(connection)
                if not self._pool.drop_idle():
                    raise _as_error(error) from error
            except Busy as error:
                self._pool.give_back(connection)
                if time.monotonic() >= deadline:
                    raise _as_error(error) from error
            except BaseException:
                self._pool.drop(connection)
                raise
            else:
                return connection

    def _take(self, deadline: float) -> Connection:
        try:
            return self._pool.take(deadline - time.monotonic())
        except Busy as error:
            raise StorageError(
                "The library is busy: all connections to its database are in use.",
                suggestions=("Try again in a moment, or raise database.max_connections.",),
            ) from error

    def _undo(self, connection: Connection) -> None:
        try:
            connection.rollback()
        except (Busy, Lost, StorageError):
            self._pool.drop(connection)
        else:
            self._pool.give_back(connection)

    def _abandon(self, connection: Connection) -> None:
        try:
            connection.rollback()
        except (Busy, Lost, StorageError):
            pass  # the connection is closed in any case
        finally:
            self._pool.drop(connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(database: str | Path | DatabaseOptions = "") -> Store:
    """The library at a URL or a path, migrated to the present schema.

    Args:
        database: ``postgresql://…``, ``sqlite:///path``, a path, or the options; the file in the
            user's data directory when empty.

    Raises:
        StorageError: it cannot be opened.
        MissingExtra: PostgreSQL without its driver.
    """
    from pageloom.edges.store.migrate import migrate

    store = connect_store(database)
    try:
        migrate(store)
    except BaseException:
        store.close()
        raise
    return store


def connect_store(database: str | Path | DatabaseOptions = "", *, read_only: bool = False) -> Store:
    """The database as it is: not migrated, perhaps empty, perhaps not ours."""
    options = (
        database if isinstance(database, DatabaseOptions) else DatabaseOptions(url=str(database))
    )
    if options.url.startswith(_SCHEMES):
        from pageloom.edges.store.postgres import PostgresConnection

        return Store(
            lambda: PostgresConnection(options.url, options.busy_timeout),
            max_connections=options.max_connections,
        )
    from pageloom.edges.store.sqlite import SqliteConnection

    path = _path_of(options.url)
    return Store(
        lambda: SqliteConnection(path, options, read_only=read_only),
        max_connections=options.max_connections,
    )


def default_path() -> Path:
    """The library's file in the user's data directory."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "pageloom" / "library.db"


def files_of(database: DatabaseOptions) -> tuple[Path, ...]:
    """The files that a library is in, or will be while it is open; none for PostgreSQL."""
    if database.url.startswith(_SCHEMES):
        return ()
    path = _path_of(database.url).resolve()
    return tuple(path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal"))


def _path_of(url: str) -> Path:
    if not url:
        return default_path()
    path = url.removeprefix("sqlite:///") if url.startswith("sqlite:") else url
    if "://" in path or path.startswith("sqlite:"):
        raise StorageError(
            f"Unsupported database URL: {url.partition(':')[0]}.",
            suggestions=("Set database.url to postgresql://…, sqlite:///path or a path.",),
            retryable=False,
        )
    return Path(path).expanduser()


def _as_error(error: Exception, *, is_ending: bool = False) -> StorageError:
    if isinstance(error, Busy):
        return StorageError(
            "The library is busy: other writers did not finish in time.",
            suggestions=("Try again in a moment.",),
        )
    if is_ending:  # the server may have done it, and been unable to say so
        return StorageError(
            "The connection to the database was lost: the change may or may not have been saved.",
            suggestions=("Try again: saving the same thing twice does no harm.",),
        )
    return StorageError(
        "The connection to the database was lost; nothing was changed.",
        suggestions=("Try again; check that the server is running.",),
    )

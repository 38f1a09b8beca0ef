"""A Store: transactions over a pool of connections, the same for both databases.

``with store.write() as tx`` is one transaction; ``store.transact(work)`` is one that is run again
as a whole when another writer got in its way, so ``work`` must do nothing but use its ``tx``.
"""

from __future__ import annotations

import os
import random
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pageloom.edges.store.codec import read_json
from pageloom.edges.store.connection import Busy, Connection, Dialect, Lost, Row
from pageloom.edges.store.options import DatabaseOptions
from pageloom.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

T = TypeVar("T")

_SCHEMES = ("postgresql://", "postgres://")
_PATIENCE = 120.0
"""Seconds for which a transaction is tried again before its user hears of it."""
_IDLE = 8
"""Connections that are kept open for the next transaction."""


class Tx:
    """One transaction: plain SQL with ``?`` for parameters; rows are dictionaries."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.dialect: Dialect = connection.dialect

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


class Store:
    """The library. Safe to use from several threads, and from several processes at once."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._idle: list[Connection] = []
        self._guard = threading.Lock()
        self._writing = threading.RLock()
        self._process = os.getpid()
        first = connect()
        self.dialect: Dialect = first.dialect
        self._idle.append(first)

    @contextmanager
    def read(self) -> Generator[Tx]:
        """A transaction that sees one state of the library throughout."""
        with self._transaction(write=False) as tx:
            yield tx

    @contextmanager
    def write(self) -> Generator[Tx]:
        """A transaction that is kept as a whole or not at all."""
        if self.dialect == "postgres":
            with self._transaction(write=True) as tx:
                yield tx
            return
        # Threads of one process wait here instead of asking the file again and again.
        with self._writing, self._transaction(write=True) as tx:
            yield tx

    def transact(self, work: Callable[[Tx], T]) -> T:
        """What ``work`` answers in a writing transaction, run again when others interfered."""
        deadline = time.monotonic() + _PATIENCE
        attempt = 0
        while True:
            try:
                with self.write() as tx:
                    return work(tx)
            except StorageError as error:
                if not isinstance(error.__cause__, Busy) or time.monotonic() > deadline:
                    raise
            attempt += 1
            time.sleep(random.uniform(0, min(0.5, 0.005 * 2**attempt)))  # noqa: S311  no secret

    @contextmanager
    def connection(self) -> Generator[Connection]:
        """A bare connection, for what no transaction can do."""
        connection = self._take()
        try:
            yield connection
        except (Busy, Lost) as error:
            connection.close()
            raise _as_error(error) from error
        except BaseException:
            connection.close()
            raise
        self._give_back(connection)

    def close(self) -> None:
        """Let go of every connection."""
        with self._guard:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def _transaction(self, *, write: bool) -> Generator[Tx]:
        connection = self._begin(write=write)
        is_ending = False
        try:
            yield Tx(connection)
            is_ending = write
            connection.commit()
        except (Busy, Lost) as error:
            _abandon(connection)
            raise _as_error(error, is_ending=is_ending) from error
        except BaseException:
            self._undo(connection)
            raise
        self._give_back(connection)

    def _begin(self, *, write: bool) -> Connection:
        """A connection in a transaction; one that died while it was idle is replaced."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            connection = self._take()
            try:
                connection.begin(write=write)
            except Lost as error:
                connection.close()
                if not self._forget_idle():
                    raise _as_error(error) from error
            except Busy as error:
                self._give_back(connection)
                if time.monotonic() > deadline:
                    raise _as_error(error) from error
            else:
                return connection

    def _undo(self, connection: Connection) -> None:
        try:
            connection.rollback()
        except (Busy, Lost, StorageError):
            connection.close()
        else:
            self._give_back(connection)

    def _take(self) -> Connection:
        with self._guard:
            if self._process != os.getpid():  # a fork must not use its parent's connections
                self._process, self._idle = os.getpid(), []
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give_back(self, connection: Connection) -> None:
        with self._guard:
            if len(self._idle) < _IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def _forget_idle(self) -> bool:
        """Close what is idle, for it is likely to be dead too; whether there was any."""
        with self._guard:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        return bool(idle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(database: str | Path | DatabaseOptions = "") -> Store:
    """The library at an address or a path, brought to the present schema.

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

        return Store(lambda: PostgresConnection(options.url, options.busy_timeout))
    from pageloom.edges.store.sqlite import SqliteConnection

    path = _path_of(options.url)
    return Store(lambda: SqliteConnection(path, options, read_only=read_only))


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
            "The address of the library is of no kind that is known.",
            suggestions=("Write postgresql://…, sqlite:///path or a path in database.url.",),
            retryable=False,
        )
    return Path(path).expanduser()


def _abandon(connection: Connection) -> None:
    try:
        connection.rollback()
    except (Busy, Lost, StorageError):
        pass  # the connection is closed in any case
    finally:
        connection.close()


def _as_error(error: Exception, *, is_ending: bool = False) -> StorageError:
    if isinstance(error, Busy):
        return StorageError(
            "The library is busy: other writers did not finish in time.",
            suggestions=("Try again in a moment.",),
        )
    if is_ending:  # the server may have done it, and been unable to say so
        return StorageError(
            "The connection to the database was lost while it was saving: perhaps it has.",
            suggestions=("Do it again: nothing is there twice.",),
        )
    return StorageError(
        "The connection to the database was lost; nothing was changed.",
        suggestions=("Try again; check that the server runs.",),
    )

"""The library in one file, shared by any number of processes."""

from __future__ import annotations

import math
import sqlite3
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import keepable
from pageloom.edges.store.connection import Busy, Dialect, Row
from pageloom.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pageloom.edges.store.options import DatabaseOptions

OLDEST = (3, 35, 0)
"""The first that answers with what an INSERT made."""
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_FULL = sqlite3.SQLITE_FULL
_TOO_LARGE = 2**63
_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""The latter for a damaged file, whose names and values may be anything."""
_LEAST_CACHE = 0.1
"""Megabytes; with none at all, a transaction would read the same pages again and again."""


class SqliteConnection:
    """One connection to a file."""

    dialect: Dialect = "sqlite"

    def __init__(self, path: Path, options: DatabaseOptions, *, read_only: bool = False) -> None:
        self._raw = _open(path, options, read_only=read_only)
        self._waits = self._busy_timeout = options.busy_timeout

    def begin(self, *, write: bool, wait: float | None = None) -> None:
        """Start a transaction; a writing one may wait for others, at most ``wait`` seconds."""
        if write:
            self._set_wait(self._busy_timeout if wait is None else round(wait, 1))
        # A writer takes its place at once: upgrading a reader later could fail halfway.
        self._do("BEGIN IMMEDIATE" if write else "BEGIN")

    def _set_wait(self, seconds: float) -> None:
        if seconds != self._waits:
            self._do(f"PRAGMA busy_timeout = {round(seconds * 1_000)}")
            self._waits = seconds

    def commit(self) -> None:
        """Keep what the transaction did, safely on disk."""
        self._do("COMMIT")

    def rollback(self) -> None:
        """Undo what the transaction did."""
        if self._raw.in_transaction:
            self._do("ROLLBACK")

    def run(self, sql: str, parameters: Sequence[Any]) -> int:
        """Run a statement; the number of rows it touched."""
        return self._do(sql, parameters).rowcount

    def rows(self, sql: str, parameters: Sequence[Any]) -> list[Row]:
        """All rows of a query."""
        cursor, found = self._fetch(sql, parameters)
        return _as_rows(cursor, found)

    def column(self, sql: str, parameters: Sequence[Any]) -> list[Any]:
        """The first value of each row of a query."""
        return [row[0] for row in self._fetch(sql, parameters)[1]]

    def stream(self, sql: str, parameters: Sequence[Any]) -> Iterator[Row]:
        """The rows of a query, a few at a time."""
        cursor = self._do(sql, parameters)
        try:
            while batch := cursor.fetchmany(200):
                yield from _as_rows(cursor, batch)
        except _ERRORS as error:
            raise translate(error) from error

    def lock_migrations(self) -> None:
        """Writers have the whole file to themselves already."""

    def has_relation(self, name: str) -> bool:
        """Whether a table or view of that name exists."""
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)))

    def columns(self, table: str) -> frozenset[str]:
        """The columns of a table."""
        rows = self.rows("SELECT name FROM pragma_table_info(?)", (table,))
        return frozenset(row["name"] for row in rows)

    def close(self) -> None:
        """Close the connection."""
        self._raw.close()

    def _fetch(
        self, sql: str, parameters: Sequence[Any]
    ) -> tuple[sqlite3.Cursor, list[tuple[Any, ...]]]:
        cursor = self._do(sql, parameters)
        try:
            return cursor, cursor.fetchall()
        except _ERRORS as error:
            raise translate(error) from error

    def _do(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        try:
            return self._raw.execute(sql, [_fit(value) for value in parameters])
        except OverflowError:  # somebody asks for a number that no row can have
            return self._do(sql, [_within_reach(value) for value in parameters])
        except _ERRORS as error:
            raise translate(error) from error


def _open(path: Path, options: DatabaseOptions, *, read_only: bool) -> sqlite3.Connection:
    if sqlite3.sqlite_version_info < OLDEST:
        raise StorageError(
            f"SQLite {sqlite3.sqlite_version} is too old; 3.35 or later is needed.",
            suggestions=("Use a newer Python, or a PostgreSQL database.",),
            retryable=False,
        )
    try:
        if not read_only:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _keep_private(path)
        raw = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}",
            uri=True,
            timeout=options.busy_timeout,
            isolation_level=None,
            check_same_thread=False,
        )
        if not read_only:
            _prepare(raw, time.monotonic() + options.busy_timeout)
            raw.execute(
                f"PRAGMA cache_size = {-round(1_000 * max(_LEAST_CACHE, options.cache_mb))}"
            )
    except (*_ERRORS, OSError) as error:
        raise translate(error) from error
    return raw


def _keep_private(path: Path) -> None:
    """Let nobody else read the library: it holds proxies with their passwords, and tokens.

    A new file is its owner's alone; one of an earlier version is closed to those outside its group.
    """
    if not path.exists():
        path.touch(mode=0o600)
    for end in ("", "-wal", "-shm"):
        file = path.with_name(path.name + end)
        with suppress(FileNotFoundError, PermissionError):  # not there, or somebody else's
            mode = file.stat().st_mode
            if mode & 0o007:
                file.chmod(mode & 0o770)


def _prepare(raw: sqlite3.Connection, deadline: float) -> None:
    while not _keeps_a_log(raw):
        if time.monotonic() > deadline:
            raise StorageError("The library is busy: other programs hold its file.")
        time.sleep(0.02)
    raw.execute("PRAGMA synchronous = FULL")  # what was acknowledged survives a power cut
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute("PRAGMA journal_size_limit = 67108864")


def _keeps_a_log(raw: sqlite3.Connection) -> bool:
    """Whether readers and writers no longer wait for each other.

    The switch happens once in the life of a file, and does not wait when others look at it.
    """
    try:
        if raw.execute("PRAGMA journal_mode").fetchone() == ("wal",):
            return True
        return raw.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    except sqlite3.OperationalError as error:
        if isinstance(translate(error), Busy):
            return False
        raise


def _as_rows(cursor: sqlite3.Cursor, found: list[tuple[Any, ...]]) -> list[Row]:
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, values, strict=True)) for values in found]


def _fit(value: Any) -> Any:
    return keepable(value) if isinstance(value, str) else value


def _within_reach(value: Any) -> Any:
    if not isinstance(value, int) or abs(value) < _TOO_LARGE:
        return value
    return math.inf if value > 0 else -math.inf


def _is_damage(error: Exception, code: int) -> bool:
    """Whether the file holds what no database does; text that is none has no number."""
    unreadable = type(error) is sqlite3.OperationalError and code == 0
    return unreadable or code == sqlite3.SQLITE_CORRUPT or isinstance(error, UnicodeDecodeError)


def translate(error: sqlite3.Error | UnicodeDecodeError | OSError) -> Exception:
    """The error of SQLite as one of ours."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _BUSY:
        return Busy()
    if code == _FULL:
        return StorageError(
            "The disk is full: nothing was saved.", suggestions=("Free some space, then retry.",)
        )
    if code == sqlite3.SQLITE_NOTADB:
        return StorageError(
            "The library's file is not a SQLite database.",
            suggestions=("Restore a backup, or name another file in database.url.",),
            retryable=False,
        )
    if _is_damage(error, code):
        return StorageError(
            "The library's file is damaged.",
            suggestions=("Restore a backup with pageloom backup restore FILE.",),
            retryable=False,
        )
    if code in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY} or isinstance(error, OSError):
        return StorageError(
            "The library's file cannot be opened for writing.",
            suggestions=("Check database.url, and that you may write there.",),
            retryable=False,
        )
    return _unexpected(getattr(error, "sqlite_errorname", ""), code)


def _unexpected(name: str, code: int) -> StorageError:
    if code == sqlite3.SQLITE_IOERR:
        return StorageError(
            f"The library's file cannot be read or written: the disk reported an error ({name}).",
            suggestions=("Check the free space, your quota and the disk, then retry.",),
        )
    return StorageError(f"The database refused a request ({name}).", retryable=False)

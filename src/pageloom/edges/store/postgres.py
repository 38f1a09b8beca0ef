"""The library in PostgreSQL."""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any

from pageloom.edges.store.codec import keepable
from pageloom.edges.store.connection import Busy, Dialect, Lost, Row
from pageloom.errors import MissingExtra, StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import psycopg

_MIGRATIONS = 7_239_461_023
"""The number of our advisory lock."""
_AGAIN = frozenset({"40001", "40P01", "55P03"})
"""Serialisation failure, deadlock, lock not available."""
_GONE = ("08", "57P")
_cursors = count()
"""Several of one transaction may be open at once."""


class PostgresConnection:
    """One connection to a server."""

    dialect: Dialect = "postgres"

    def __init__(self, url: str, busy_timeout: float) -> None:
        self._raw = _open(url, busy_timeout)

    def begin(self, *, write: bool, wait: float | None = None) -> None:
        """Start a transaction; a writing one may wait for others, at most ``wait`` seconds."""
        begin = "BEGIN" if write else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        if wait is not None:  # 0 would mean for ever
            begin += f"; SET LOCAL lock_timeout = {max(1, round(wait * 1_000))}"
        self._do(begin)

    def commit(self) -> None:
        """Keep what the transaction did, safely on disk."""
        self._do("COMMIT")

    def rollback(self) -> None:
        """Undo what the transaction did."""
        if not self._raw.closed:
            self._do("ROLLBACK")

    def run(self, sql: str, parameters: Sequence[Any]) -> int:
        """Run a statement; the number of rows it touched."""
        return self._do(sql, parameters).rowcount

    def rows(self, sql: str, parameters: Sequence[Any]) -> list[Row]:
        """All rows of a query."""
        cursor = self._do(sql, parameters)
        return cursor.fetchall()

    def column(self, sql: str, parameters: Sequence[Any]) -> list[Any]:
        """The first value of each row of a query."""
        import psycopg
        from psycopg.rows import scalar_row

        try:
            with self._raw.cursor(row_factory=scalar_row) as cursor:
                cursor.execute(_spell(sql), [_fit(value) for value in parameters])
                return cursor.fetchall()
        except psycopg.Error as error:
            raise translate(error) from error

    def stream(self, sql: str, parameters: Sequence[Any]) -> Iterator[Row]:
        """The rows of a query, a few at a time."""
        import psycopg

        try:
            with self._raw.cursor(name=f"pageloom_{next(_cursors)}") as cursor:
                cursor.itersize = 200
                cursor.execute(_spell(sql), [_fit(value) for value in parameters])
                yield from cursor
        except psycopg.Error as error:
            raise translate(error) from error

    def lock_migrations(self) -> None:
        """Let nobody else migrate until the end of this transaction."""
        self._do("SELECT pg_advisory_xact_lock(?)", (_MIGRATIONS,))

    def has_relation(self, name: str) -> bool:
        """Whether a table or view of that name exists."""
        # Not to_regclass: its answer may come from before we waited for a lock.
        sql = (
            "SELECT 1 AS found FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE c.relname = ? AND n.nspname = ANY (current_schemas(false))"
        )
        return bool(self.rows(sql, (name,)))

    def columns(self, table: str) -> frozenset[str]:
        """The columns of a table."""
        sql = (
            "SELECT column_name FROM information_schema.columns WHERE table_name = ?"
            " AND table_schema = ANY (current_schemas(false))"
        )
        return frozenset(row["column_name"] for row in self.rows(sql, (table,)))

    def close(self) -> None:
        """Close the connection."""
        self._raw.close()

    def _do(self, sql: str, parameters: Sequence[Any] = ()) -> psycopg.Cursor[Row]:
        import psycopg

        try:
            if not parameters:
                return self._raw.execute(sql.encode())
            return self._raw.execute(_spell(sql), [_fit(value) for value in parameters])
        except psycopg.Error as error:
            raise translate(error) from error


def _open(url: str, busy_timeout: float) -> psycopg.Connection[Row]:
    try:
        import psycopg
        from psycopg.rows import dict_row
        from psycopg.types.string import TextLoader
    except ImportError:
        raise MissingExtra(
            "A PostgreSQL library needs the psycopg driver.",
            suggestions=("pip install 'pageloom[postgres]'",),
        ) from None
    try:
        raw = psycopg.Connection[Row].connect(
            url, autocommit=True, row_factory=dict_row, connect_timeout=10
        )
        raw.adapters.register_loader("jsonb", TextLoader)  # the store reads JSON itself
        # It would forget what is asked for once it has made the same plan five times; to compile a
        # plan takes longer than to answer by it.
        plans = "SET plan_cache_mode = force_custom_plan; SET jit = off"
        raw.execute(f"SET lock_timeout = '{busy_timeout:.0f}s'; {plans}".encode())
    except psycopg.Error as error:
        raise _no_server(error) from None
    return raw


def _no_server(error: Exception) -> StorageError:
    # The driver's words hold host and user; the kind is enough.
    said = str(error)
    known = (meaning for words, meaning in _REFUSALS.items() if words in said)
    return StorageError(
        f"The PostgreSQL server {next(known, 'cannot be reached')}.",
        suggestions=(
            "Check database.url (PAGELOOM_DATABASE_URL), and that the server is running.",
        ),
    )


_REFUSALS = {
    "authentication failed": "does not accept the user or the password",
    "no password supplied": "asks for a password",
    'role "': "does not know this user",
    'database "': "has no database of that name",
    "too many": "has no room for another connection",
    "the database system is": "is starting, stopping or recovering",
}
"""By what it says: a server that lets nobody in gives no codes."""


@lru_cache(maxsize=1024)
def _spell(sql: str) -> bytes:
    """The statement with the driver's marks for parameters."""
    return sql.replace("%", "%%").replace("?", "%s").encode()


def _fit(value: Any) -> Any:
    return keepable(value) if isinstance(value, str) else value


def translate(error: psycopg.Error) -> Exception:
    """The error of PostgreSQL as one of ours."""
    import psycopg

    state = error.sqlstate or ""
    if state in _AGAIN:
        return Busy()
    if state.startswith(_GONE) or (isinstance(error, psycopg.OperationalError) and not state):
        return Lost()
    if state.startswith("53"):
        return StorageError(
            "The database server has no room left: nothing was saved.",
            suggestions=("Free space or connections on the server, then retry.",),
        )
    return StorageError(f"The database refused a request ({state}).", retryable=False)

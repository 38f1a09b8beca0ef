"""What the store needs of a database, whichever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Dialect = Literal["sqlite", "postgres"]
Row = dict[str, Any]


class Busy(Exception):
    """Another writer was in the way; the same transaction may succeed when run again."""


class Lost(Exception):
    """The connection is gone; nothing of the transaction was kept."""


class Connection(Protocol):
    """One connection; parameters are written as ``?`` in every statement."""

    dialect: Dialect

    def begin(self, *, write: bool, wait: float | None = None) -> None:
        """Start a transaction; a writing one may wait for others.

        Args:
            write: whether it is going to write.
            wait: seconds that it may wait for others; as its options say when left out.
        """
        ...

    def commit(self) -> None:
        """Keep what the transaction did, safely on disk."""
        ...

    def rollback(self) -> None:
        """Undo what the transaction did."""
        ...

    def run(self, sql: str, parameters: Sequence[Any]) -> int:
        """Run a statement; the number of rows it touched."""
        ...

    def rows(self, sql: str, parameters: Sequence[Any]) -> list[Row]:
        """All rows of a query."""
        ...

    def column(self, sql: str, parameters: Sequence[Any]) -> list[Any]:
        """The first value of each row of a query."""
        ...

    def stream(self, sql: str, parameters: Sequence[Any]) -> Iterator[Row]:
        """The rows of a query, a few at a time."""
        ...

    def lock_migrations(self) -> None:
        """Let nobody else migrate until the end of this transaction."""
        ...

    def has_relation(self, name: str) -> bool:
        """Whether a table or view of that name exists."""
        ...

    def columns(self, table: str) -> frozenset[str]:
        """The columns of a table."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...

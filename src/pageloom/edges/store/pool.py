"""A pool of connections: never more than a number of them, idle ones kept for the next user."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from pageloom.edges.store.connection import Busy
from pageloom.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.edges.store.connection import Connection

_MOST_IDLE = 8
"""Idle connections that are kept open for the next transaction."""


class Pool:
    """Connections for any number of threads; a fork starts with an empty pool of its own."""

    def __init__(self, connect: Callable[[], Connection], most: int) -> None:
        self._connect = connect
        self._most = max(1, most)
        self._idle: list[Connection] = []
        self._open = 0
        """How many there are: idle and in use."""
        self._is_closed = False
        self._freed = threading.Condition()
        self._process = os.getpid()

    def take(self, seconds: float) -> Connection:
        """A connection, after at most so many seconds.

        Raises:
            Busy: none was given back in time.
            StorageError: the pool is closed.
        """
        with self._freed:
            self._forget_after_fork()
            if not self._freed.wait_for(self._has_room, max(0.0, seconds)):
                raise Busy
            if self._is_closed:
                raise StorageError(
                    "This library is closed.",
                    suggestions=("Call pageloom.open_library() again.",),
                    retryable=False,
                )
            if self._idle:
                return self._idle.pop()
            self._open += 1
        try:
            return self._connect()
        except BaseException:
            self._count_down()
            raise

    def give_back(self, connection: Connection) -> None:
        """Keep a connection for the next transaction, unless enough are idle."""
        with self._freed:
            if not self._is_closed and len(self._idle) < _MOST_IDLE:
                self._idle.append(connection)
                self._freed.notify()
                return
        self.drop(connection)

    def drop(self, connection: Connection) -> None:
        """Close a connection that is in use."""
        connection.close()
        self._count_down()

    def drop_idle(self) -> bool:
        """Close the idle connections, for they are likely to be dead too; whether any were."""
        with self._freed:
            idle, self._idle = self._idle, []
        for connection in idle:
            self.drop(connection)
        return bool(idle)

    def close(self) -> None:
        """Close the idle connections now, those in use when they are given back."""
        with self._freed:
            self._is_closed = True
            self._freed.notify_all()
        self.drop_idle()

    def _has_room(self) -> bool:
        return self._is_closed or bool(self._idle) or self._open < self._most

    def _count_down(self) -> None:
        with self._freed:
            self._open = max(0, self._open - 1)
            self._freed.notify()

    def _forget_after_fork(self) -> None:
        if self._process != os.getpid():  # a fork must not use its parent's connections
            self._process, self._idle, self._open = os.getpid(), [], 0

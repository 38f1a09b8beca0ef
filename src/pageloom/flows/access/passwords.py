"""Passwords: Argon2id, and waits that grow with every wrong try."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from pageloom.edges.store.sessions import end_sessions
from pageloom.edges.store.users import password_hash, set_password
from pageloom.errors import InvalidArgument, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable

    from argon2 import PasswordHasher

    from pageloom.edges.store.base import Store

_SHORTEST, _LONGEST = 8, 1_000
_FREE_TRIES = 5
_LONGEST_WAIT = 900.0
_MOST_NAMES = 10_000


@cache
def _hasher() -> PasswordHasher:
    try:
        from argon2 import PasswordHasher
    except ImportError:
        raise MissingExtra(
            "Passwords need the extra [web].", suggestions=("Run pip install 'pageloom[web]'.",)
        ) from None
    return PasswordHasher()


@cache
def _nobodys_hash() -> str:
    """Checked for unknown names, so that they take as long as known ones."""
    return _hasher().hash("nobody has this password")


def change_password(store: Store, owner: str, password: str) -> None:
    """Give a user a password; all their sessions end.

    Raises:
        InvalidArgument: it is too short or too long.
        MissingExtra: the extra [web] is not installed.
    """
    if not _SHORTEST <= len(password) <= _LONGEST:
        raise InvalidArgument(
            f"A password needs at least {_SHORTEST} characters.",
            suggestions=("Use several words, or a password manager.",),
        )
    set_password(store, owner, _hasher().hash(password))
    end_sessions(store, owner)


def is_password(store: Store, owner: str, password: str) -> bool:
    """Whether this is the user's password; as slow for a user who is not there."""
    from argon2.exceptions import InvalidHashError, VerificationError

    known = password_hash(store, owner)
    try:
        _hasher().verify(known or _nobodys_hash(), password[:_LONGEST])
    except (VerificationError, InvalidHashError):
        return False
    return bool(known)


class Waits:
    """How long somebody has to wait before the next try: per name, and per IP address.

    Kept in memory: whoever restarts the server may try again.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._guard = threading.Lock()
        self._wrong: dict[str, tuple[int, float]] = {}

    def seconds(self, *keys: str) -> float:
        """Seconds until the next try is allowed; 0 for at once."""
        with self._guard:
            return max(0.0, *(self._until(key) - self._clock() for key in keys))

    def _until(self, key: str) -> float:
        tries, last = self._wrong.get(key, (0, 0.0))
        over = tries - _FREE_TRIES
        return last + min(2.0**over, _LONGEST_WAIT) if over >= 0 else 0.0

    def note(self, *keys: str, right: bool) -> None:
        """A try was right, or wrong."""
        with self._guard:
            for key in keys:
                tries, _ = self._wrong.pop(key, (0, 0.0))
                if not right:
                    self._wrong[key] = (tries + 1, self._clock())
            while len(self._wrong) > _MOST_NAMES:
                del self._wrong[next(iter(self._wrong))]

"""Memoize functions of short texts between pages, within bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

LONGEST = 500
"""Longer texts are not memoized. Pages are hostile: thousands of them, with a name or a URL of
megabytes each, must not fill the memory."""


class _Memory(dict[str, T]):
    __slots__ = ("_function", "_most")

    def __init__(self, function: Callable[[str], T], most: int) -> None:
        super().__init__()
        self._function = function
        self._most = most

    def __missing__(self, text: str) -> T:
        result = self._function(text)
        if len(text) <= LONGEST:
            if len(self) >= self._most:
                self.clear()
            self[text] = result
        return result


def memoize(most: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Memoize a function of short texts; the cache is emptied when it is full.

    ``functools.lru_cache`` would keep arguments of any length; a look-up here is as fast.

    Args:
        most: the most texts in the cache.
    """

    def with_memory(function: Callable[[str], T]) -> Callable[[str], T]:
        return _Memory(function, most).__getitem__

    return with_memory

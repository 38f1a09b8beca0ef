"""What was said of short texts, remembered between pages: names and URLs come again."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

LONGEST = 500
"""Characters of a text that is remembered. Pages are hostile: thousands of them, with a name or an
URL of megabytes each, must not fill the memory."""


class _Memory(dict[str, T]):
    __slots__ = ("_most", "_tell")

    def __init__(self, tell: Callable[[str], T], most: int) -> None:
        super().__init__()
        self._tell = tell
        self._most = most

    def __missing__(self, text: str) -> T:
        said = self._tell(text)
        if len(text) <= LONGEST:
            if len(self) >= self._most:
                self.clear()
            self[text] = said
        return said


def memoize(most: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Let a function remember what it said of short texts; the memory is emptied when full.

    By hand, because ``functools.lru_cache`` keeps arguments of any length; a look at what is known
    is as fast.

    Args:
        most: how many texts are remembered.
    """

    def with_memory(tell: Callable[[str], T]) -> Callable[[str], T]:
        return _Memory(tell, most).__getitem__

    return with_memory

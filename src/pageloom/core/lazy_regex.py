"""Regular expressions that are compiled when they are first asked.

Compiling takes a millisecond or more where an expression has many words or letters beyond Latin,
and a process that reads one page needs few of those: most pages have one language and no prices.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_PARTS = tuple(name for name in dir(re.Pattern) if not name.startswith("_"))


class _Compiled:
    """What is left of a late pattern once it was asked: the answers of the real one."""


class _Late(_Compiled):
    """A pattern that nobody has asked yet."""

    def __init__(self, expression: object, flags: int) -> None:
        self._source = expression, flags

    def __getattr__(self, name: str) -> Any:
        compiled: Any = re.compile(*cast("tuple[Any, int]", self._source))
        for part in _PARTS:
            setattr(self, part, getattr(compiled, part))
        # Last, for other threads may ask at the same time: now attributes are found as fast as any.
        self.__class__ = cast("Any", _Compiled)
        return getattr(compiled, name)


def lazy_regex(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like ``re.compile``, for what is dear to compile and seldom needed.

    The pattern must be right: a mistake in it would be told only by the first page that needs it.
    """
    return cast("re.Pattern[AnyStr]", _Late(expression, flags))

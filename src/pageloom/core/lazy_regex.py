"""Regular expressions that are compiled on first use.

Compiling takes a millisecond or more for an expression with many words or non-Latin letters, and
a process that extracts one page needs few of those: most pages have one language and no prices.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_PARTS = tuple(name for name in dir(re.Pattern) if not name.startswith("_"))


class _Compiled:
    """The methods of the compiled pattern, after first use."""


class _Late(_Compiled):
    """A pattern that is not compiled yet."""

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
    """Like ``re.compile``, for patterns that are slow to compile and seldom needed.

    The pattern must be valid: a mistake would show only on the first page that needs it.
    """
    return cast("re.Pattern[AnyStr]", _Late(expression, flags))

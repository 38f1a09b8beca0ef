"""What somebody without a terminal can do about an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pageloom.redaction import redact

if TYPE_CHECKING:
    from pageloom.errors import PageloomError

_FOR_TERMINALS = re.compile(r"\bpageloom [a-z]|--[a-z]")
_ELSEWHERE = {
    "NotInLibrary": ("Look it up in the list of pages.",),
    "OversizedContent": ("Send a smaller page.",),
    "NoContentFound": ("If the page needs JavaScript, have it rendered: render=force.",),
}
"""Advice where the error's own speaks of commands."""


def advice_of(error: PageloomError) -> list[str]:
    """What an error advises, without what only the command line can do."""
    own = [each for each in error.suggestions if not _FOR_TERMINALS.search(each)]
    return [redact(each) for each in own or _ELSEWHERE.get(error.code, ())]

"""Messages in a user's own words: ``{{ name }}`` and nothing else, so that nothing can be run.

What is put in is never looked at again: a page that writes ``{{ secret }}`` gets just that.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from pageloom.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_TEMPLATE = 4_000
MAX_VALUE = 4_000
MAX_MESSAGE = 20_000

NAMES = {
    "title": "the page's title",
    "url": "its address",
    "summary": "the change in one line",
    "details": "the change in several lines",
    "changed": "the fields that changed",
    "importance": "0.00 to 1.00",
    "price": "the price now",
    "old_price": "the price before",
    "version": "the version's number",
    "previous": "the number of the version told before",
    "when": "the time of the check, UTC",
    "watch": "the watch's name",
}
_HOLE = re.compile(r"\{\{ {0,4}([A-Za-z_]{1,30}) {0,4}\}\}")


def check_template(template: str) -> str:
    """The template itself, if it can be used.

    Raises:
        SettingsError: too long, or a name that is not known.
    """
    if len(template) > MAX_TEMPLATE:
        raise SettingsError(
            f"A template has at most {MAX_TEMPLATE:,} characters; this one has {len(template):,}."
        )
    for hole in _HOLE.finditer(template):
        if hole[1] not in NAMES:
            raise _unknown(hole[1])
    return template


def fill(template: str, values: Mapping[str, str]) -> str:
    """The template with its holes filled, cut where it grows too long."""
    filled = _HOLE.sub(lambda hole: values.get(hole[1], "")[:MAX_VALUE], template[:MAX_TEMPLATE])
    return filled if len(filled) <= MAX_MESSAGE else filled[: MAX_MESSAGE - 1] + "…"


def _unknown(name: str) -> SettingsError:
    near = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.5)
    advice = f"Did you mean {{{{ {near[0]} }}}}?" if near else f"Known: {', '.join(NAMES)}."
    return SettingsError(f"A template knows no {name!r}.", suggestions=(advice,))

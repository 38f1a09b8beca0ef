"""Templates for the text of notices: ``{{ name }}`` and nothing else, so that no code can run.

Inserted values are never expanded again: a page that contains ``{{ secret }}`` shows just that.
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
    "url": "the page's URL",
    "summary": "the change in one line",
    "details": "the change in several lines",
    "changed": "the fields that changed",
    "importance": "0.00 to 1.00",
    "price": "the current price",
    "old_price": "the previous price",
    "version": "the number of the new version",
    "previous": "the number of the version last notified",
    "when": "the time of the check, UTC",
    "watch": "the watch's name",
}
_HOLE = re.compile(r"\{\{ {0,4}([A-Za-z_]{1,30}) {0,4}\}\}")


def check_template(template: str) -> str:
    """Check a template, and return it.

    Raises:
        SettingsError: the template is too long, or has an unknown variable.
    """
    if len(template) > MAX_TEMPLATE:
        raise SettingsError(
            f"The template has {len(template):,} characters; at most {MAX_TEMPLATE:,} are allowed."
        )
    for hole in _HOLE.finditer(template):
        if hole[1] not in NAMES:
            raise _unknown(hole[1])
    return template


def fill(template: str, values: Mapping[str, str]) -> str:
    """Fill in the template's variables; the result is cut if it is too long."""
    filled = _HOLE.sub(lambda hole: values.get(hole[1], "")[:MAX_VALUE], template[:MAX_TEMPLATE])
    return filled if len(filled) <= MAX_MESSAGE else filled[: MAX_MESSAGE - 1] + "…"


def _unknown(name: str) -> SettingsError:
    near = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.5)
    advice = f"Did you mean {{{{ {near[0]} }}}}?" if near else f"Known: {', '.join(NAMES)}."
    return SettingsError(f"There is no template variable {name!r}.", suggestions=(advice,))

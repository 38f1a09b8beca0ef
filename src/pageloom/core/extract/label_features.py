"""Features of what parts of a page say of themselves: related stories, sign-up boxes, adverts.

As rules they would silence what stands after a label such as "Advertisement" in the midst of a
story; beside all other features they warn without deciding. Written once, for ``features`` and for
its twin in C.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.extract.asides import announced, asking

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pageloom.core.extract.blocks import BlockPage
    from pageloom.core.extract.feature_matrix import FeatureMatrix

_HINTS = ("announced", "asked", "side", "unmistakable")
FIRST = f"hint.{_HINTS[0]}"
"""The name of the first of these features."""


def add_hints(sheet: FeatureMatrix, page: BlockPage) -> None:
    """Add them; the features of single blocks are there."""
    words = sheet.read("own.words").astype(np.float64)
    sheet.announced = announced(page, words)
    sheet.asked = _asked(page, words)
    rows = sheet.room("hint", _HINTS)
    rows[0] = sheet.announced
    rows[1] = sheet.asked
    rows[2] = sheet.side
    rows[3] = sheet.unmistakable


def headed(page: BlockPage, flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of announced blocks those in a box that begins with the announcement.

    A label between two paragraphs is followed by the story; what shares a box with it is not.
    """
    holders, boxed = page.holders, np.zeros_like(flags)
    begins = flags.copy()
    begins[1:] &= ~flags[:-1]
    for place in begins.nonzero()[0].tolist():
        index = page.blocks.owners[place]
        while index > 0 and holders.starts[index] == place:
            box = slice(place, holders.ends[index])
            if not flags[box].all():
                break
            boxed[box] = True
            index = holders.parents[index]
    return boxed


def _asked(page: BlockPage, words: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Blocks in small boxes around a field for an e-mail address, and in advertisements."""
    flags = np.zeros(len(page), np.bool_)
    if page.holders.elements:
        for box in asking(page.holders.elements[0], page, words):
            flags[box] = True
    return flags

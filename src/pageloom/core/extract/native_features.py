"""Compute features with the compiled module if it exists, otherwise with ``features``.

Both write the same numbers to the bit.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from pageloom.core.extract import ancestry, features
from pageloom.core.extract.blocks import BlockColumns, BlockPage, Holders
from pageloom.core.extract.feature_matrix import AT_ONCE, FeatureMatrix
from pageloom.core.extract.features import PageContext
from pageloom.core.extract.label_features import FIRST, add_hints
from pageloom.core.extract.vocabulary import TEXT_GROUPS, text_table


def _find_native() -> Any:
    """The compiled module, or None in a checkout and in a wheel built without a compiler."""
    name = "pageloom.core.extract.features_native"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # it is there, and what it needs is not
            raise
        return None


_native = _find_native()


def measure(page: BlockPage, context: PageContext) -> FeatureMatrix:
    """All features of all blocks of a page, which must have at least one block."""
    if _native is None or len(page) > AT_ONCE:
        return features.measure(page, context)
    sheet = FeatureMatrix(len(page))
    counts = _native.measure(
        _tables(),
        sheet.small,
        page,
        text_table(context.title_words),
        len(context.title_words),
        context.description_words,
        sheet.unmistakable.view(np.uint8),
        sheet.side.view(np.uint8),
    )
    sheet.names.extend(_names())
    add_hints(sheet, page)
    features.add_page(sheet, counts, len(page.pictures), context)
    return sheet


@cache
def _names() -> list[str]:
    """What the rows are called that tell of single blocks: asked of a page with one word."""
    blocks = BlockColumns(("a",), (0,), ([],), *((0,) for _ in range(5)))
    holders = Holders((), (-1,), (0,), (0,), (0,), ("",), (False,), (0,), [1])
    sheet = features.measure(BlockPage(blocks, holders, []), PageContext())
    return sheet.names[: sheet.names.index(FIRST)]


@cache
def _tables() -> Any:
    """What those in C must know."""
    return _native.Tables(
        characters=features.character_kinds(),
        edges=features.EDGES,
        shown=features.TAGS_SHOWN_KINDS.ravel().tolist(),
        inline=features.INLINE_ROWS.tolist(),
        headed=features.HEADED_ROWS.tolist(),
        announced=features.ANNOUNCED_ROWS.tolist(),
        bits=(len(TEXT_GROUPS), len(ancestry.NAME_GROUPS), ancestry.FIRST_TAG),
        headings=(features.HEADINGS[0], features.HEADINGS[-1]),
        group_bits=int(ancestry.GROUP_BITS),
        unmistakable=(int(ancestry.UNMISTAKABLE_NAMES), int(ancestry.UNMISTAKABLE_BIT)),
        side=(int(ancestry.SIDE_NAMES), int(ancestry.SIDE_BIT)),
        shares=(ancestry.MOST, ancestry.SMALL, ancestry.HEAVY),
        repeated=ancestry.REPEATED,
        tag_bits=ancestry.TAG_BITS.tolist(),
    )

"""Why each block was kept or dropped, in words; made only when somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.extract import forest
from pageloom.core.extract.by_blocks import CERTAIN
from pageloom.model import BlockTrace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pageloom.core.extract.blocks import Page
    from pageloom.core.extract.by_blocks import Verdict
    from pageloom.core.extract.forest import Forest

_MOST_TEXT = 300
_MOST_BLOCKS = 2_000


def trace_blocks(
    page: Page, verdict: Verdict, keep: NDArray[np.bool_], weights: Forest | None = None
) -> tuple[BlockTrace, ...]:
    """One entry a block: its text, where it stands, its score, and the features that decided."""
    trees = weights or forest.load("blocks")
    figures = verdict.sheet.figures
    return tuple(
        BlockTrace(
            text=block.text[:_MOST_TEXT],
            path=_path(page, block.owner),
            kept=bool(keep[place]),
            score=round(int(verdict.chances[place]) / CERTAIN, 4),
            reasons=tuple(trees.reasons(figures[:, place])),
        )
        for place, block in enumerate(page.blocks[:_MOST_BLOCKS])
    )


def _path(page: Page, index: int) -> str:
    """The last few elements above a block, as CSS would spell them."""
    parts: list[str] = []
    while index >= 0 and len(parts) < 4:
        tag, *names = page.holders[index].name.split()
        parts.append(".".join((tag, *names[:2])))
        index = page.holders[index].parent
    return " > ".join(reversed(parts))

"""Explain why each block was kept or dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.extract.by_blocks import CERTAIN
from pageloom.model import BlockTrace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pageloom.core.extract.blocks import BlockPage
    from pageloom.core.extract.by_blocks import BlockVerdict
    from pageloom.core.extract.weights import Weights

_MOST_TEXT = 300
_MOST_BLOCKS = 2_000
_MOST_REASONS = 4


def trace_blocks(
    page: BlockPage, verdict: BlockVerdict, keep: NDArray[np.bool_], weights: Weights
) -> tuple[BlockTrace, ...]:
    """One entry a block: its text, where it stands, its score, and the features that decided."""
    figures = verdict.sheet.between(0, _MOST_BLOCKS)
    names, shares = weights.share_out(figures)
    return tuple(
        BlockTrace(
            text=text[:_MOST_TEXT],
            path=_path(page, page.blocks.owners[place]),
            kept=bool(keep[place]),
            score=round(int(verdict.chances[place]) / CERTAIN, 4),
            reasons=_reasons(names, figures[:, place], shares[:, place]),
        )
        for place, text in enumerate(page.blocks.texts[:_MOST_BLOCKS])
    )


def _reasons(
    names: tuple[str, ...], figures: NDArray[np.float32], shares: NDArray[np.float64]
) -> tuple[str, ...]:
    """The features that moved a score the most, with their values and shares."""
    best = np.argsort(-np.abs(shares), kind="stable")[:_MOST_REASONS].tolist()
    return tuple(
        f"{names[i]}={figures[i]:.4g} ({shares[i]:+.2f})"
        if i < len(figures)
        else f"{names[i]} ({shares[i]:+.2f})"
        for i in best
        if shares[i]
    )


def _path(page: BlockPage, index: int) -> str:
    """The last few elements above a block, as CSS would spell them."""
    parts: list[str] = []
    while index >= 0 and len(parts) < 4:
        tag, *names = page.holders.names[index].split()
        parts.append(".".join((tag, *names[:2])))
        index = page.holders.parents[index]
    return " > ".join(reversed(parts))

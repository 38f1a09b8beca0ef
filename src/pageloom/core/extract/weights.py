"""The trained parts of the engine, together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pageloom.core.extract.feature_matrix import AT_ONCE
from pageloom.core.extract.sequence import SIGHT, Sequence, load_sequence
from pageloom.core.forest import Forest, load

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pageloom.core.extract.feature_matrix import FeatureMatrix

_HERE = "pageloom.core.extract"
NEIGHBOURS = "neighbours"
"""What the blocks around one did to its score, among the features that did."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What judges blocks, and what tells the kind of a page."""

    blocks: Forest
    sequence: Sequence
    """Judges blocks too: trees and network err on different ones, and the mean errs less."""
    kinds: Forest

    def score(self, sheet: FeatureMatrix) -> NDArray[np.int64]:
        """The score of each block; for some at a time, so that a long page needs little memory."""
        parts: list[NDArray[np.int64]] = []
        for low in range(0, sheet.count, AT_ONCE):
            high = min(low + AT_ONCE, sheet.count)
            first = max(low - SIGHT, 0)
            figures = sheet.between(first, high + SIGHT)
            own = slice(low - first, high - first)
            trees = self.blocks.score(figures[:, own], sheet.page_start)[:, 0]
            parts.append((trees + self.sequence.score(figures, sheet.page_start)[own]) // 2)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def share_out(
        self, figures: NDArray[np.float32]
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Names, and names × blocks: how far each feature moved each score, in logits."""
        own, around = self.sequence.shares(figures)
        shares = (self.blocks.shares(figures) + own) / 2
        return (*self.blocks.names, NEIGHBOURS), np.vstack((shares, around / 2))


def shipped() -> Weights:
    """The weights that come with the package."""
    return Weights(load(_HERE, "blocks"), load_sequence(), load(_HERE, "kinds"))

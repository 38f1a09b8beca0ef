"""The trained parts of the engine, together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pageloom.core.extract.forest import Forest, load
from pageloom.core.extract.network import Network, load_network

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Weights:
    """What judges blocks, and what tells the kind of a page."""

    blocks: Forest
    kinds: Forest
    network: Network
    """Judges blocks too: trees and network err on different ones, and the mean errs less."""

    def score_blocks(
        self, figures: NDArray[np.float32], alike: int, *, by_both: bool
    ) -> NDArray[np.int64]:
        """The score of each block.

        Args:
            figures: features × blocks.
            alike: from this feature on all blocks have the same.
            by_both: whether the network is asked beside the trees.
        """
        trees = self.blocks.score(figures, alike)[:, 0]
        return (trees + self.network.score(figures, alike)) // 2 if by_both else trees

    def share_out(self, figures: NDArray[np.float32], *, by_both: bool) -> NDArray[np.float64]:
        """Features × blocks: how far each feature moved each score, in logits."""
        trees = self.blocks.shares(figures)
        return (trees + self.network.shares(figures)) / 2 if by_both else trees


def shipped() -> Weights:
    """The weights that come with the package."""
    return Weights(load("blocks"), load("kinds"), load_network())

"""Weigh the evidence on differences: how likely it is that each matters, and why.

A table has a row for each fact: what it says by itself, and why (``weights.json``). Trees learnt
from many pairs of visits put right what the facts mean together (``changes.npz``), because one
means this in a footer and that in the content. All are whole numbers, so that they add up alike on
every machine. ``tools/train_changes.py`` grows the trees.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from pageloom.core.forest import SCALE, Forest, load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pageloom.core.compare.evidence import Facts

HUNDRED = 100
"""Sums are logits times this."""
_MOST_REASONS = 3
_SLIGHT = 5
"""Hundredths of a logit: what moved a sum by less is no reason."""


class FactWeight(msgspec.Struct, frozen=True):
    """What one fact adds to the sum by itself, and why."""

    weight: int
    why: str


class Table(msgspec.Struct, frozen=True):
    """All rows, and where the lines are drawn."""

    told: int
    """From this sum on a difference is told."""
    strong: int
    """From this sum on it is told at once; below, a watch waits for the next check."""
    noise: int
    """Below this sum a difference is noise for certain."""
    base: int
    facts: dict[str, FactWeight]


class Reasons(NamedTuple):
    """How likely it is that a difference matters, and what speaks for and against."""

    chance: float
    for_it: tuple[str, ...] = ()
    """The heaviest first."""
    against: tuple[str, ...] = ()


@cache
def table() -> Table:
    """The shipped lines and reasons."""
    data = files("pageloom.core.compare").joinpath("weights.json").read_bytes()
    return msgspec.json.decode(data, type=Table)


def weigh(several: Sequence[Facts]) -> list[int]:
    """The sum of the evidence on each of several differences."""
    if not several:
        return []
    scores = _trees().score(_figures(several))[:, 0]
    return [
        add_up(facts) + int(score) * HUNDRED // SCALE
        for score, facts in zip(scores, several, strict=True)
    ]


def add_up(facts: Facts) -> int:
    """What the facts say each by itself."""
    rows = table().facts
    own = (int(rows[name].weight * value) for name, value in facts.items() if name in rows)
    return table().base + sum(own)


def explain(several: Sequence[Facts], totals: Sequence[int]) -> list[Reasons]:
    """What moved each of these sums most."""
    if not several:
        return []
    trees, rows = _trees(), table().facts
    shares = np.rint(trees.shares(_figures(several)) * HUNDRED).astype(np.int64)
    places = {name: number for number, name in enumerate(trees.names)}

    def moved_by(name: str, number: int) -> int:
        return int(shares[places[name], number]) if name in places else 0

    found: list[Reasons] = []
    for number, (facts, total) in enumerate(zip(several, totals, strict=True)):
        moved = sorted(
            (int(rows[name].weight * value + moved_by(name, number)), why)
            for name, value in facts.items()
            if value and name in rows and (why := rows[name].why)
        )
        found.append(
            Reasons(
                chance=round(1 / (1 + math.exp(-max(-30.0, min(30.0, total / HUNDRED)))), 3),
                for_it=tuple(why for by, why in reversed(moved) if by >= _SLIGHT)[:_MOST_REASONS],
                against=tuple(why for by, why in moved if by <= -_SLIGHT)[:_MOST_REASONS],
            )
        )
    return found


def _trees() -> Forest:
    return load("pageloom.core.compare", "changes")


def _figures(several: Sequence[Facts]) -> NDArray[np.float32]:
    """Features × differences, as the trees ask for them."""
    names = _trees().names
    rows = [[facts.get(name, 0.0) for name in names] for facts in several]
    return np.ascontiguousarray(np.array(rows, np.float32).T)

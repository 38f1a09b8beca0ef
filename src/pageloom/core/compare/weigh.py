"""Weigh the evidence on a difference: how likely it is that it matters, and why.

The weights are data, ``weights.json``: a row for each fact, with the reason for it. They are whole
numbers (hundredths of a logit) that ``tools/train_changes.py`` fits, so that they add up alike
on every machine.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from pageloom.core.compare.evidence import Facts

SCALE = 100
_MOST_REASONS = 3


class Row(msgspec.Struct, frozen=True):
    """What one fact adds to the logit, and why."""

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
    facts: dict[str, Row]


class Weighed(NamedTuple):
    """What the evidence on one difference comes to."""

    total: int
    for_it: tuple[str, ...] = ()
    """The reasons why it matters, the heaviest first."""
    against: tuple[str, ...] = ()

    @property
    def chance(self) -> float:
        """How likely it is that the difference matters."""
        return round(1 / (1 + math.exp(-max(-30.0, min(30.0, self.total / SCALE)))), 3)


@cache
def table() -> Table:
    """The shipped weights."""
    data = files("pageloom.core.compare").joinpath("weights.json").read_bytes()
    return msgspec.json.decode(data, type=Table)


@cache
def crossed() -> tuple[tuple[str, str, str], ...]:
    """The rows of two facts together: their name, and those of the two."""
    return tuple((name, *name.split("+", 1)) for name in table().facts if "+" in name)  # type: ignore[misc]


def weigh(facts: Facts) -> int:
    """The sum of the evidence."""
    rows = table().facts
    total = table().base
    for name, value in facts.items():
        row = rows.get(name)
        if row is not None:
            total += int(row.weight * value)
    return total


def explain(facts: Facts) -> Weighed:
    """The sum, and the facts that moved it most."""
    rows = table().facts
    moved = sorted(
        (int(rows[name].weight * value), rows[name].why)
        for name, value in facts.items()
        if name in rows and rows[name].why
    )
    return Weighed(
        total=weigh(facts),
        for_it=tuple(why for weight, why in reversed(moved) if weight > 0)[:_MOST_REASONS],
        against=tuple(why for weight, why in moved if weight < 0)[:_MOST_REASONS],
    )

"""Problems in rule files: file, line, rule, field and message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.rules.schema import RuleSpec

Level = Literal["error", "warning", "advice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProblem:
    """Something wrong in a rule file: where, and what."""

    file: str
    line: int = 0
    rule: str = ""
    field: str = ""
    message: str = ""
    level: Level = "error"

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        parts = [place, f"rule {self.rule}" if self.rule else "", self.field, self.message]
        return ": ".join(part for part in parts if part)


def meant(name: str, known: Iterable[str], *, listed: bool = True) -> str:
    """What to say after a name that does not exist: the one that was probably meant, or all."""
    import difflib  # only who mistypes waits for it

    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f"; did you mean {near[0]}?"
    return f"; known: {', '.join(names)}" if listed and names else ""


class Loaded(NamedTuple):
    """The usable rules of a text, and all that is wrong in it."""

    specs: list[RuleSpec]
    problems: list[FileProblem]

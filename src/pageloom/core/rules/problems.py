"""Problems in rule files: file, line, rule, field and message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
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


class Loaded(NamedTuple):
    """The usable rules of a text, and all that is wrong in it."""

    specs: list[RuleSpec]
    problems: list[FileProblem]

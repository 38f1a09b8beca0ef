"""The rules that apply: the shipped ones and the user's, listed, described and checked."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.core.rules.schema import listed
from pageloom.edges.rulefiles import (
    RuleLibrary,
    list_files,
    load_rule_library,
    read_files,
    shipped_specs,
)
from pageloom.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.rules.book import RuleBook
    from pageloom.core.rules.problems import FileProblem
    from pageloom.core.rules.schema import RuleSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRule:
    """One rule, and where it comes from."""

    id: str
    phase: str
    priority: int
    origin: str
    """``shipped`` or ``yours``."""
    trigger: Any
    applies_to: tuple[str, ...]
    """Hosts, selectors and texts that make it match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LintResult:
    """What was found in rule files."""

    files: int
    rules: int
    problems: list[FileProblem]

    @property
    def mistakes(self) -> int:
        """How many of the problems are more than advice."""
        return sum(problem.level != "advice" for problem in self.problems)


def load_all_rules(directory: Path | None) -> RuleLibrary:
    """The shipped rules and those of a directory, with the mistakes in its files."""
    return load_rule_library([directory] if directory else [])


def list_rules(book: RuleBook, host: str = "") -> list[ListedRule]:
    """The rules in the order they apply; with a host, those that may apply to it."""
    shipped = {spec.id: spec for spec in shipped_specs()}
    named = book.for_host(host) if host else set[int]()
    return [
        _listed(spec, "shipped" if shipped.get(spec.id) == spec else "yours")
        for number, spec in enumerate(book.specs)
        if not host or number in named or not _has_host(spec)
    ]


def _has_host(spec: RuleSpec) -> bool:
    return bool(spec.trigger and spec.trigger.host)


def _listed(spec: RuleSpec, origin: str) -> ListedRule:
    return ListedRule(
        id=spec.id,
        phase=spec.phase,
        priority=spec.priority,
        origin=origin,
        trigger=msgspec.to_builtins(spec.trigger),
        applies_to=_applies_to(spec),
    )


def _applies_to(spec: RuleSpec) -> tuple[str, ...]:
    host = spec.trigger.host if spec.trigger else None
    dom = spec.trigger.dom if spec.trigger else None
    groups = [host.equals, host.equals_www, host.ends_with, host.etld_plus_one] if host else []
    groups += [dom.any, dom.all, dom.any_text_contains] if dom else []
    return tuple(each for group in groups for each in listed(group))


def rule_data(book: RuleBook, rule: str) -> dict[str, Any]:
    """A rule as plain data.

    Raises:
        RuleError: there is no such rule.
    """
    spec = next((each for each in book.specs if each.id == rule), None)
    if spec is None:
        raise _no_rule(rule, book)
    return msgspec.to_builtins(spec)


def _no_rule(rule: str, book: RuleBook) -> RuleError:
    import difflib  # only who mistypes waits for it

    near = difflib.get_close_matches(rule, [spec.id for spec in book.specs], n=3, cutoff=0.4)
    advice = (f"Did you mean {', '.join(near)}?",) if near else ("See pageloom rules list.",)
    return RuleError(f"There is no rule {rule[:80]}.", suggestions=advice, stage="rules")


def lint_rules(places: Iterable[Path]) -> LintResult:
    """Check rule files for mistakes; the shipped ones where no place is named.

    Raises:
        RuleError: a directory that does not exist.
    """
    wanted = list(places) or [Path(str(files("pageloom.rulebook")))]
    found = [each for place in wanted for each in list_files(place)]
    loaded = read_files(found, lint=True)
    return LintResult(files=len(found), rules=len(loaded.specs), problems=loaded.problems)

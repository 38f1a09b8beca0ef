"""Load rules from a YAML text; a bad rule is reported and does not stop the others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pageloom.core.rules.compile import Problem, compile_rule, lint_rule
from pageloom.core.rules.mistakes import convert_rule
from pageloom.core.rules.modernize import modernize
from pageloom.core.rules.problems import FileProblem, Level, Loaded
from pageloom.core.rules.yaml_reader import YamlLines, YamlTrouble, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pageloom.core.rules.schema import RuleSpec

MAX_FILE = 5_000_000
_ITEM = re.compile(r"^- ", re.MULTILINE)
_LEVELS = {"error": 0, "warning": 1, "advice": 2}


class _Item(NamedTuple):
    """One rule as plain data, and where it stands."""

    value: Any
    path: str
    lines: YamlLines


def load_rules(text: str, name: str = "rules", *, lint: bool = False) -> Loaded:
    """The rules of a YAML text: a list of rules, or one rule.

    Args:
        text: the file.
        name: how problems call it.
        lint: whether to tell also what makes no sense, and what should be written otherwise.
    """
    specs: list[RuleSpec] = []
    problems: list[FileProblem] = []
    if len(text) > MAX_FILE:
        message = f"larger than {MAX_FILE:,} characters"
        return Loaded([], [FileProblem(file=name, line=1, message=message)])
    seen: dict[str, int] = {}
    for item in _items(text, name, problems):
        spec = _read(item, name, problems, lint=lint)
        if spec is None:
            continue
        line = item.lines.of(item.path)
        if spec.id in seen:
            message = f"the id is already used in line {seen[spec.id]}"
            problems.append(FileProblem(file=name, line=line, rule=spec.id, message=message))
            continue
        seen[spec.id] = line
        specs.append(spec)
    problems.sort(key=lambda each: (each.line, _LEVELS[each.level], each.field))
    return Loaded(specs, problems)


def _items(text: str, name: str, problems: list[FileProblem]) -> Iterator[_Item]:
    try:
        yield from _listed(*read_yaml(text), name, problems)
    except YamlTrouble as trouble:
        pieces = list(_pieces(text))
        if len(pieces) < 2:
            problems.append(FileProblem(file=name, line=trouble.line, message=trouble.message))
            return
        for piece, line in pieces:  # one bad rule is no reason to lose the others
            yield from _items_of_piece(piece, line, name, problems)


def _items_of_piece(
    piece: str, line: int, name: str, problems: list[FileProblem]
) -> Iterator[_Item]:
    try:
        value, lines = read_yaml(piece, line)
    except YamlTrouble as trouble:
        problems.append(FileProblem(file=name, line=trouble.line, message=trouble.message))
        return
    yield from _listed(value, lines, name, problems)


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """The items of a list that starts at the margin, each with its first line."""
    starts = [found.start() for found in _ITEM.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=False):
        yield text[start:end], text.count("\n", 0, start) + 1


def _listed(
    value: Any, lines: YamlLines, name: str, problems: list[FileProblem]
) -> Iterator[_Item]:
    prefix = ""
    table = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if set(table) == {"rules"}:
        value, prefix = table["rules"], "rules"
    if isinstance(value, list):
        for number, each in enumerate(cast("list[Any]", value)):
            yield _Item(each, f"{prefix}[{number}]", lines)
    elif isinstance(value, dict):
        yield _Item(value, prefix, lines)
    elif value is not None:
        problems.append(FileProblem(file=name, line=1, message="expected a list of rules"))


def _read(item: _Item, name: str, problems: list[FileProblem], *, lint: bool) -> RuleSpec | None:
    def note(each: Problem, rule: str) -> None:
        path = f"{item.path}.{each.path}".strip(".") if each.path else item.path
        level = cast("Level", each.level)
        problems.append(
            FileProblem(
                file=name,
                line=item.lines.of(path),
                rule=rule,
                field=each.path,
                message=each.message,
                level=level,
            )
        )

    value = item.value
    if not isinstance(value, dict):
        note(Problem("", "a rule must be a mapping with an id"), "")
        return None
    raw, advice = modernize(cast("dict[str, Any]", value))
    rule = str(raw.get("id", ""))
    if lint:
        for each in advice:
            path, _, message = each.partition(": ")
            note(Problem(path, message, "advice"), rule)
    spec, is_whole = _convert(raw, rule, note)
    if spec is None:
        return None
    found = lint_rule(spec, is_whole=is_whole) if lint else compile_rule(spec)[1]
    for each in found:
        note(each, rule)
    usable = compile_rule(spec)[0] is not None if lint else _is_usable(found)
    return spec if usable and is_whole else None


def _is_usable(problems: list[Problem]) -> bool:
    return not any(problem.level == "error" for problem in problems)


def _convert(raw: dict[str, Any], rule: str, note: Any) -> tuple[RuleSpec | None, bool]:
    """The rule as far as the schema allows it, and whether that is all of it."""
    if not rule:
        note(Problem("id", "a rule needs an id"), "")
        return None, False
    spec, mistakes = convert_rule(raw | {"id": rule})
    for each in mistakes:
        note(Problem(each.path, each.message), rule)
    return spec, not mistakes

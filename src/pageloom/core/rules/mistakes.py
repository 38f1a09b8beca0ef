"""Every mistake in a rule against its schema, each with the name that was probably meant.

The schema is checked by msgspec, which stops at the first mistake: what is wrong is taken out, and
the rest is checked again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import msgspec

from pageloom.core.rules.problems import meant
from pageloom.core.rules.schema import RuleSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST = 50
_STEP = re.compile(r"\[\.\.\.\]|\[\d+\]|[^.\[\]]+")
_UNKNOWN = re.compile(r"Object contains unknown field `([^`]*)`")
_MISSING = re.compile(r"Object missing required field `([^`]*)`")
_TYPES = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}
_ENUM = "Invalid enum value"


@dataclass(frozen=True, slots=True)
class SchemaMistake:
    """What the schema does not allow, and where."""

    path: str
    message: str


def convert_rule(raw: dict[str, Any]) -> tuple[RuleSpec | None, list[SchemaMistake]]:
    """What the schema allows of a rule, and all that it does not."""
    found: list[SchemaMistake] = []
    while len(found) < _MOST:
        try:
            return msgspec.convert(raw, RuleSpec), found
        except msgspec.ValidationError as error:
            what, steps = _read(str(error))
            steps = _indexed(raw, steps, str(error))
            mistake, wrong = _mistake(raw, what, steps)
            found.append(mistake)
            if not wrong:
                break
            raw = _without(raw, wrong)
    return None, found


def _read(message: str) -> tuple[str, list[str]]:
    what, _, path = message.partition(" - at `")
    return what, _STEP.findall(path.rstrip("`").removeprefix("$"))


def _mistake(raw: Any, what: str, steps: list[str]) -> tuple[SchemaMistake, list[str]]:
    """The mistake in our words, and what has to go for the rest to be checked."""
    unknown, missing = _UNKNOWN.match(what), _MISSING.match(what)
    if unknown:
        wrong = [*steps, unknown[1]]
        hint = meant(unknown[1], _keys_at(steps))
        return SchemaMistake(_path(wrong), f"unknown key {unknown[1]}{hint}"), wrong
    if missing:
        return SchemaMistake(_path(steps), f"needs {missing[1]}"), steps
    if what.startswith(_ENUM):
        value = str(_value(raw, steps))
        choices = _choices_at(steps)
        message = f"{value[:60]} is not one of {', '.join(choices)}"
        return SchemaMistake(_path(steps), message + meant(value, choices, listed=False)), steps
    return SchemaMistake(_path(steps), _in_words(what)), steps


def _in_words(what: str) -> str:
    """``Expected `int`, got `str` `` for people who write YAML."""
    found = _TYPES.fullmatch(what)
    if not found:
        return what[:1].lower() + what[1:]
    wanted = [_KINDS.get(kind, kind) for kind in found[1].split(" | ") if kind != "null"]
    return f"expected {' or '.join(wanted)}, not {_KINDS.get(found[2], found[2])}"


def _path(steps: list[str]) -> str:
    return "".join(step if step[0] == "[" else f".{step}" for step in steps).removeprefix(".")


def _indexed(raw: dict[str, Any], steps: list[str], message: str) -> list[str]:
    """The place with the number of the item, which msgspec does not tell: the first that fails."""
    if "[...]" not in steps:
        return steps
    at = steps.index("[...]")
    items = _value(raw, steps[:at])
    for number, item in enumerate(_entries(items)):
        alone = _changed(raw, steps[:at], item if isinstance(items, dict) else [item])
        try:
            msgspec.convert(alone, RuleSpec)
        except msgspec.ValidationError as error:
            if str(error) == message:
                name = next(iter(item)) if isinstance(items, dict) else f"[{number}]"
                return [*steps[:at], name, *steps[at + 1 :]]
    return steps[:at]


def _entries(items: Any) -> list[Any]:
    if isinstance(items, dict):
        return [{name: value} for name, value in cast("dict[str, Any]", items).items()]
    return cast("list[Any]", items) if isinstance(items, list) else []


def _value(raw: Any, steps: list[str]) -> Any:
    for step in steps:
        raw = raw[int(step[1:-1])] if step[0] == "[" else raw[step]
    return raw


def _changed(raw: Any, steps: list[str], value: Any) -> Any:
    """A copy with another value at a place."""
    if not steps:
        return value
    step, *rest = steps
    if step[0] == "[":
        number = int(step[1:-1])
        return [*raw[:number], _changed(raw[number], rest, value), *raw[number + 1 :]]
    return raw | {step: _changed(raw[step], rest, value)}


def _without(raw: dict[str, Any], steps: list[str]) -> dict[str, Any]:
    """A copy without what is at a place; without the whole list if an item of it is wrong."""
    parent = _value(raw, steps[:-1])
    if isinstance(parent, dict):
        table = cast("dict[str, Any]", parent)
        kept: Any = {name: value for name, value in table.items() if name != steps[-1]}
    else:
        number = int(steps[-1][1:-1])
        kept = [*parent[:number], *parent[number + 1 :]]
    return _changed(raw, steps[:-1], kept)


def _keys_at(steps: list[str]) -> list[str]:
    return [
        field.encode_name
        for each in _types_at(steps)
        if isinstance(each, msgspec.inspect.StructType)
        for field in each.fields
    ]


def _choices_at(steps: list[str]) -> list[str]:
    types = _types_at(steps)
    found = [each.values for each in types if isinstance(each, msgspec.inspect.LiteralType)]
    return [str(value) for values in found for value in values]


def _types_at(steps: list[str]) -> list[msgspec.inspect.Type]:
    types = list(_plain([msgspec.inspect.type_info(RuleSpec)]))
    for step in steps:
        types = list(_plain(_below(types, step)))
    return types


def _below(types: Iterable[msgspec.inspect.Type], step: str) -> Iterator[msgspec.inspect.Type]:
    for each in types:
        if isinstance(each, msgspec.inspect.StructType):
            yield from (field.type for field in each.fields if field.encode_name == step)
        elif isinstance(each, msgspec.inspect.DictType):
            yield each.value_type
        elif isinstance(each, msgspec.inspect.ListType) and step[0] == "[":
            yield each.item_type


def _plain(types: Iterable[msgspec.inspect.Type]) -> Iterator[msgspec.inspect.Type]:
    for each in types:
        yield from each.types if isinstance(each, msgspec.inspect.UnionType) else (each,)

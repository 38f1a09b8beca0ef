"""A safe YAML reader for rules: plain values with line numbers, and limits on size.

Read event by event, so that nesting, aliases and size are bounded before anything is built; tags,
which could ask for objects, are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_DEPTH = 20
MAX_NODES = 500_000
MAX_ALIASES = 100
MAX_COPIED = 20_000
"""Values that aliases may stand for, counted every time they are used."""

_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_TRUE = frozenset(("true", "yes", "on"))
_FALSE = frozenset(("false", "no", "off"))
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?[0-9]{1,15}\.[0-9]{0,15}")


class YamlTrouble(ValueError):
    """Text that cannot be read, and the line where it stops."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


@dataclass(slots=True)
class _Open:
    """A list or a mapping that is being read."""

    value: dict[str, Any] | list[Any]
    path: str
    anchor: str | None
    start: int
    key: str | None = None

    def place(self) -> str:
        """The path of the next value in it."""
        if isinstance(self.value, list):
            return f"{self.path}[{len(self.value)}]"
        key = self.key or ""
        return f"{self.path}.{key}" if self.path else key


@dataclass(slots=True)
class YamlLines:
    """The line of every value, by its path."""

    by_path: dict[str, int] = field(default_factory=dict[str, int])

    def of(self, path: str) -> int:
        """The line of a path, or of the nearest thing around it."""
        while path:
            if path in self.by_path:
                return self.by_path[path]
            cut = max(path.rfind("."), path.rfind("["))
            path = path[:cut] if cut > 0 else ""
        return self.by_path.get("", 1)


class _Reader:
    def __init__(self, first_line: int) -> None:
        self.lines = YamlLines()
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.result: Any = None
        self.nodes = 0
        self.aliases = self.copied = 0
        self.first_line = first_line

    def line(self, event: Any) -> int:
        return event.start_mark.line + self.first_line

    def take(self, event: Any) -> None:
        """Read one event."""
        name = type(event).__name__
        if name == "ScalarEvent":
            self._scalar(event)
        elif name in ("MappingStartEvent", "SequenceStartEvent"):
            self._begin(event, {} if name.startswith("Mapping") else [])
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            self._end()
        elif name == "AliasEvent":
            self._alias(event)
        elif name == "DocumentStartEvent" and self.nodes:
            raise YamlTrouble("more than one document in a file", self.line(event))

    def _scalar(self, event: Any) -> None:
        self._refuse_tag(event)
        if self.open and isinstance(self.open[-1].value, dict) and self.open[-1].key is None:
            self._key(event)
            return
        value = _plain(event.value) if event.implicit[0] else event.value
        self._add(value, event, 1)
        if event.anchor:
            self.anchors[event.anchor] = (value, 1)

    def _key(self, event: Any) -> None:
        top = self.open[-1]
        if event.value in top.value:
            raise YamlTrouble(f"duplicate key {event.value}", self.line(event))
        top.key = event.value
        self.lines.by_path[top.place()] = self.line(event)

    def _begin(self, event: Any, value: Any) -> None:
        self._refuse_tag(event)
        if len(self.open) >= MAX_DEPTH:
            raise YamlTrouble(f"nested deeper than {MAX_DEPTH} levels", self.line(event))
        if self.open and isinstance(self.open[-1].value, dict) and self.open[-1].key is None:
            raise YamlTrouble("a key must be plain text", self.line(event))
        path = self.open[-1].place() if self.open else ""
        self._add(value, event, 1)
        self.open.append(_Open(value, path, event.anchor, self.nodes))

    def _end(self) -> None:
        done = self.open.pop()
        if done.anchor:
            self.anchors[done.anchor] = (done.value, self.nodes - done.start + 1)

    def _alias(self, event: Any) -> None:
        value, size = self.anchors.get(event.anchor, (None, 0))
        if not size:
            raise YamlTrouble(f"*{event.anchor} is not defined before it is used", self.line(event))
        self.aliases += 1
        self.copied += size
        if self.aliases > MAX_ALIASES or self.copied > MAX_COPIED:
            raise YamlTrouble("too many aliases", self.line(event))
        self._add(value, event, size)

    def _add(self, value: Any, event: Any, size: int) -> None:
        self.nodes += size
        if self.nodes > MAX_NODES:
            raise YamlTrouble(f"more than {MAX_NODES} values", self.line(event))
        if not self.open:
            self.lines.by_path[""] = self.line(event)
            self.result = value
            return
        top = self.open[-1]
        self.lines.by_path.setdefault(top.place(), self.line(event))
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is None:
            raise YamlTrouble("a key must be plain text", self.line(event))
        else:
            top.value[top.key] = value
            top.key = None

    def _refuse_tag(self, event: Any) -> None:
        if event.tag and event.tag not in ("!", "tag:yaml.org,2002:str"):
            raise YamlTrouble(f"tags such as {event.tag} are not allowed", self.line(event))


def _plain(text: str) -> Any:
    """An unquoted word as YAML means it; dates stay text."""
    if text in _NULL:
        return None
    lower = text.lower()
    if lower in _TRUE or lower in _FALSE:
        return lower in _TRUE
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


def read_yaml(text: str, first_line: int = 1) -> tuple[Any, YamlLines]:
    """The value of a YAML text, and the line of each part.

    Args:
        text: the YAML.
        first_line: the number of its first line, where it is a piece of a file.

    Raises:
        YamlTrouble: it cannot be read, or is larger or deeper than rules are.
    """
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    parse = cast("Callable[..., Iterable[object]]", yaml.parse)  # pyright: ignore[reportUnknownMemberType]
    reader = _Reader(first_line)
    try:
        for event in parse(text, loader):
            reader.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + first_line if mark else first_line
        raise YamlTrouble(f"not valid YAML: {error.problem or error.context}", line) from None
    except yaml.YAMLError as error:
        reason = str(error).splitlines()[0]
        raise YamlTrouble(f"not valid YAML: {reason}", first_line) from None
    return reader.result, reader.lines

"""JSON-LD, microdata and RDFa as plain data: read, repaired, and joined by their identifiers."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any, cast

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.dom import Tree

JsonNode = dict[str, Any]

MAX_NODES = 5_000
"""Nodes looked at per page: a catalogue may ship its whole stock as JSON-LD."""
MAX_SCRIPT = 2_000_000

_COMMENT = re.compile(r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)")
_COMMENT_END = re.compile(r"(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>)\s*;?\s*$")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_MISSING_COMMA = re.compile(r'([}\]"])(\s*\n\s*)(["{])')
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrtu])')
_CONTROL = re.compile(r"[\x00-\x1f]+")

_MAIN_EDGES = ("@graph", "mainEntity", "mainEntityOfPage", "itemReviewed", "about")


def read_json_ld(scripts: Iterable[str]) -> tuple[list[Any], list[str]]:
    """The value of every JSON-LD script, repaired where it is slightly broken, and what was wrong.

    Example:
        >>> read_json_ld(['{"@type": "Article", "headline": "Rain",}'])
        ([{'@type': 'Article', 'headline': 'Rain'}], ['json-ld repaired'])
    """
    values: list[Any] = []
    notes: list[str] = []
    for script in scripts:
        found, note = _read_script(script)
        if found is not None:
            values.append(found)
        if note and note not in notes:
            notes.append(note)
    return values, notes


def _read_script(script: str) -> tuple[Any, str]:
    if not script.strip():
        return None, ""
    if len(script) > MAX_SCRIPT:
        return None, "json-ld too large, ignored"
    try:
        return msgspec.json.decode(script), ""
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return _repair(script)


def _repair(script: str) -> tuple[Any, str]:
    """Try the usual cures one after the other, each on top of the ones before it."""
    text = _COMMENT_END.sub("", _COMMENT.sub("", script)).strip().rstrip(";")
    text = text.encode("utf-8", "replace").decode()
    for cure in (_keep, _unescape, _fix_commas, _drop_controls, _fix_escapes, _close):
        text = cure(text)
        try:
            return msgspec.json.decode(text), "json-ld repaired"
        except (msgspec.DecodeError, RecursionError):
            continue
    return None, "json-ld unreadable, ignored"


def _keep(text: str) -> str:
    return text


def _unescape(text: str) -> str:
    return html.unescape(text) if "&quot;" in text and '"' not in text else text


def _drop_controls(text: str) -> str:
    return _CONTROL.sub(" ", text)


def _fix_escapes(text: str) -> str:
    return _BAD_ESCAPE.sub(r"\\\\", text)


def _fix_commas(text: str) -> str:
    return _MISSING_COMMA.sub(r"\1,\2\3", _TRAILING_COMMA.sub(r"\1", text))


def _close(text: str) -> str:
    """Cut what follows the first whole value, or close what a cut tail left open."""
    stack: list[str] = []
    in_string = escaped = False
    for position, char in enumerate(text):
        if escaped:
            escaped = False
        elif in_string:
            escaped = char == "\\"
            in_string = char != '"'
        elif char == '"':
            in_string = True
        elif char in "{[":
            stack.append("}" if char == "{" else "]")
        elif char in "}]":
            if not stack or stack.pop() != char:
                return text
            if not stack:
                return text[: position + 1]
    tail = '"' if in_string else ""
    return text.rstrip().rstrip(",:") + tail + "".join(reversed(stack))


def index_by_id(nodes: Iterable[JsonNode]) -> dict[str, JsonNode]:
    """Nodes by ``@id``; the fullest one wins where an identifier is used twice."""
    found: dict[str, JsonNode] = {}
    for node in nodes:
        name = node.get("@id")
        if isinstance(name, str) and len(node) > len(found.get(name, ())):
            found[name] = node
    return found


def walk_nodes(values: Iterable[Any]) -> list[JsonNode]:
    """Every object in the data, outer before inner, at most MAX_NODES of them."""
    found: list[JsonNode] = []
    stack: list[Any] = list(values)[::-1]
    while stack and len(found) < MAX_NODES:
        value = stack.pop()
        if isinstance(value, dict):
            node = cast("JsonNode", value)
            found.append(node)
            stack.extend(
                [part for part in reversed(node.values()) if isinstance(part, (dict, list))]
            )
        elif isinstance(value, list):
            stack.extend(reversed(cast("list[Any]", value)))
    return found


def main_nodes(values: Iterable[Any], by_id: dict[str, JsonNode]) -> list[JsonNode]:
    """The nodes that may be what the page is about: roots, graph members and main entities.

    What hangs deeper (related items, list elements, reviews) is about something else.
    """
    found: list[JsonNode] = []
    seen: set[int] = set()
    queue: list[tuple[Any, int]] = [(value, 0) for value in values]
    for value, depth in queue:
        if isinstance(value, list) and depth < 4:
            queue.extend((inner, depth) for inner in cast("list[Any]", value)[:200])
            continue
        if (
            not isinstance(value, dict)
            or id(cast("JsonNode", value)) in seen
            or len(queue) > MAX_NODES
        ):
            continue
        node = resolve_node(cast("JsonNode", value), by_id)
        seen.update((id(cast("JsonNode", value)), id(node)))
        if "@type" in node and node not in found[-1:]:
            found.append(node)
        if depth < 4:
            queue.extend((node[edge], depth + 1) for edge in _MAIN_EDGES if edge in node)
    return found


def resolve_node(node: JsonNode, by_id: dict[str, JsonNode]) -> JsonNode:
    """The full node behind a bare reference such as ``{"@id": "#author"}``."""
    name = node.get("@id")
    if isinstance(name, str) and len(node) <= 2:
        return by_id.get(name, node)
    return node


def types_of(node: JsonNode) -> tuple[str, ...]:
    """The types of a node, without their vocabulary's URL."""
    value = node.get("@type")
    if isinstance(value, str):
        return (short_type(value),) if value else ()
    values = cast("list[Any]", value) if isinstance(value, list) else []
    return tuple([short_type(item) for item in values if isinstance(item, str)])


def short_type(name: str) -> str:
    """``NewsArticle`` for ``http://schema.org/NewsArticle`` or ``schema:NewsArticle``."""
    if name.isalnum():
        return name
    bare = name.strip().rstrip("/")
    return bare.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


def nodes_of(value: object) -> list[JsonNode]:
    """The objects among a value or a list of values."""
    return [cast("JsonNode", item) for item in as_list(value) if isinstance(item, dict)]


def as_list(value: object) -> list[Any]:
    """A list of one for a single value, nothing for None."""
    if value is None:
        return []
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def text_of(value: object) -> str:
    """The text of a JSON-LD value: a string, a number, a named thing, or the first of a list."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, (int, float)):
        return (
            format(value, "f").rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
        )
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return text_of(items[0]) if items and not isinstance(items[0], list) else ""
    if isinstance(value, dict):
        node = cast("JsonNode", value)
        inner = node.get("@value", node.get("name", node.get("@id", "")))
        return text_of(inner) if not isinstance(inner, dict) else ""
    return ""


def read_microdata(tree: Tree) -> list[JsonNode]:
    """Top-level microdata items in the shape of JSON-LD nodes."""
    return [_plain_item(item, 0) for item in tree.microdata()[:200]]


def _plain_item(item: Any, depth: int) -> JsonNode:
    node: JsonNode = {}
    if item.type:
        kinds = [short_type(kind) for kind in item.type.split()]
        node["@type"] = kinds[0] if len(kinds) == 1 else kinds
    if item.id:
        node["@id"] = item.id
    for name, values in item.properties.items():
        plain = [_plain_value(value, depth) for value in values[:200]]
        node[name] = plain[0] if len(plain) == 1 else plain
    return node


def _plain_value(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return " ".join(value.split())
    return _plain_item(value, depth + 1) if depth < 16 else {}


def read_rdfa(tree: Tree) -> list[JsonNode]:
    """Top-level RDFa resources in the shape of JSON-LD nodes."""
    return [_plain_resource(item, 0) for item in tree.rdfa()[:200]]


def _plain_resource(item: Any, depth: int) -> JsonNode:
    node: JsonNode = {}
    if item.type:
        kinds = [short_type(kind) for kind in item.type]
        node["@type"] = kinds[0] if len(kinds) == 1 else kinds
    if item.resource:
        node["@id"] = item.resource
    for name, values in item.properties.items():
        plain = [_plain_rdfa(value, depth) for value in values[:200]]
        node[short_type(name)] = plain[0] if len(plain) == 1 else plain
    return node


def _plain_rdfa(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return " ".join(value.split())
    return _plain_resource(value, depth + 1) if depth < 16 else {}

"""JSON-LD as flat paths, so that order, nesting in a graph and lists of one make no difference."""

from __future__ import annotations

from typing import Any, cast

from pageloom.core.volatile import VOLATILE_KEYS

_SKIPPED_TYPES = frozenset(
    "BreadcrumbList SiteNavigationElement SearchAction WPHeader WPFooter WPSideBar ItemList "
    "ReadAction ListItem Review Comment UserComments".split()
)
_LONG_TEXTS = frozenset("articlebody text reviewbody transcript".split())
"""The page's own text says these better."""
_NAMED_BY = ("@id", "sku", "productID", "identifier", "url", "name", "headline")
_DEEPEST = 8
_MOST = 2_000

Leaves = dict[str, tuple[str, ...]]


def flatten_pair(before: Any, after: Any) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """The leaves of two graphs by path, nodes of the same thing together.

    A node that only one side has is left out where the page has several of its type: pages list
    other products and other stories beside their own.
    """
    old, new = _by_thing(_nodes(before)), _by_thing(_nodes(after))
    found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for label, one, two in _couples(old, new):
        left, right = _leaves(one, label), _leaves(two, label)
        for path in [*left, *(path for path in right if path not in left)]:
            found[path] = left.get(path, ()), right.get(path, ())
    return found


def _nodes(value: Any) -> list[dict[str, Any]]:
    """The nodes at the top, those of a ``@graph`` among them."""
    stack: list[Any] = [value]
    nodes: list[dict[str, Any]] = []
    while stack and len(nodes) < 100:
        item = stack.pop(0)
        if isinstance(item, list):
            stack = [*cast("list[Any]", item)[:100], *stack]
        elif isinstance(item, dict):
            node = cast("dict[str, Any]", item)
            if "@graph" in node:
                stack = [node["@graph"], *stack]
            elif _type_of(node) not in _SKIPPED_TYPES:
                nodes.append(node)
    return nodes


def _type_of(node: dict[str, Any]) -> str:
    kind = node.get("@type", "")
    if isinstance(kind, list):
        kind = "+".join(sorted(str(each) for each in cast("list[Any]", kind)))
    return str(kind).rpartition("/")[2]


def _by_thing(nodes: list[dict[str, Any]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Nodes by type, then by what names them."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for node in nodes:
        same = found.setdefault(_type_of(node), {})
        same.setdefault(_name_of(node) or f"#{len(same)}", node)
    return found


def _name_of(node: dict[str, Any]) -> str:
    for key in _NAMED_BY:
        value = node.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def _couples(
    old: dict[str, dict[str, dict[str, Any]]], new: dict[str, dict[str, dict[str, Any]]]
) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    couples: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
    for kind in [*old, *(kind for kind in new if kind not in old)]:
        left, right = old.get(kind, {}), new.get(kind, {})
        shared = [name for name in left if name in right]
        couples += [(kind, left[name], right[name]) for name in shared]
        lone = [node for name, node in left.items() if name not in right]
        others = [node for name, node in right.items() if name not in left]
        if len(lone) <= 1 and len(others) <= 1 and (not shared or (lone and others)):
            couples.append((kind, lone[0] if lone else {}, others[0] if others else {}))
    return couples


def _leaves(node: dict[str, Any], label: str) -> Leaves:
    found: dict[str, list[str]] = {}
    stack: list[tuple[str, Any, int]] = [(label, node, 0)]
    seen = 0
    while stack and seen < _MOST:
        path, value, depth = stack.pop()
        seen += 1
        if isinstance(value, dict):
            if depth < _DEEPEST:
                stack += _children(path, cast("dict[str, Any]", value), depth)
        elif isinstance(value, list):
            stack += [(path, item, depth) for item in cast("list[Any]", value)[:200]]
        elif value is not None and value != "":
            found.setdefault(path, []).append(" ".join(str(value).split()))
    return {path: tuple(sorted(values)) for path, values in sorted(found.items())}


def _children(path: str, node: dict[str, Any], depth: int) -> list[tuple[str, Any, int]]:
    if depth and _type_of(node) in _SKIPPED_TYPES:
        return []
    return [
        (f"{path}.{key}", item, depth + 1)
        for key, item in node.items()
        if key.lower() not in VOLATILE_KEYS
        and key.lower() not in _LONG_TEXTS
        and key not in ("@type", "@id")
    ]

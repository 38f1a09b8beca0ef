"""Import rules in the compact JSON format of link savers (one or two letters per key)."""

from __future__ import annotations

import re
from typing import Any, cast

from pageloom.core.dom import SelectorError
from pageloom.core.rules.selectors import read_selector
from pageloom.core.rules.siteconfig import Converted, Dropped

_HASH = re.compile(r"[0-9a-f]{32}")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_FIELDS = {
    "t": "title",
    "title": "title",
    "a": "author",
    "author": "author",
    "byline": "author",
    "d": "published",
    "date": "published",
    "published": "published",
    "i": "hero_image",
    "image": "hero_image",
    "s": "site_name",
    "site": "site_name",
    "description": "description",
}
_KNOWN = frozenset(("a", "we", "e", "i", "ac", "m", "ea", "d", "h", "host", "s", "selector", "id"))


def convert_compact(data: Any, name: str) -> Converted:
    """The rules of a JSON value: a table by host or selector, or a list of rules with theirs."""
    made = Converted()
    for number, (key, raw) in enumerate(_entries(data), 1):
        if isinstance(raw, dict):
            _Compact(key, cast("dict[str, Any]", raw), f"{name}:{number}", made, number).convert()
        else:
            reason = "a rule must be a mapping of keys"
            made.dropped.append(
                Dropped(line=number, directive=key, value=str(raw)[:80], reason=reason, lost=True)
            )
    return made


def _entries(data: Any) -> list[tuple[str, Any]]:
    if isinstance(data, dict):
        table = cast("dict[str, Any]", data)
        inner = table.get("rules")
        if len(table) == 1 and isinstance(inner, dict | list):
            return _entries(inner)
        return list(table.items())
    if not isinstance(data, list):
        return []
    rules = cast("list[Any]", data)
    return [(_own_key(each), each) for each in rules]


def _own_key(raw: Any) -> str:
    table = cast("dict[str, Any]", raw) if isinstance(raw, dict) else {}
    return str(next((table[key] for key in ("h", "host", "s", "selector") if key in table), ""))


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(each) for each in cast("list[Any]", value)]
    return [value] if isinstance(value, str) and value else []


class _Compact:
    """One rule in short keys."""

    def __init__(
        self, key: str, raw: dict[str, Any], ident: str, made: Converted, number: int
    ) -> None:
        self.key = key
        self.raw = raw
        self.ident = str(raw.get("id") or re.sub(r"[^\w.:@+/-]+", "-", ident))
        self.made = made
        self.number = number

    def drop(self, directive: str, value: Any, reason: str) -> None:
        self.made.dropped.append(
            Dropped(
                line=self.number,
                directive=directive,
                value=str(value)[:200],
                reason=reason,
                lost=True,
            )
        )

    def convert(self) -> None:
        trigger = self._trigger()
        for key in sorted(set(self.raw) - _KNOWN):
            self.drop(key, self.raw[key], "unknown key")
        if trigger is None:
            return
        rule: dict[str, Any] = {"id": self.ident}
        if self.raw.get("ea"):
            rule["phase"] = "both"
        rule["trigger"] = trigger
        self.made.rules.append(rule | self._parts())

    def _trigger(self) -> dict[str, Any] | None:
        if _HASH.fullmatch(self.key):
            self.drop(self.key, "", "the host is given only as a hash")
        elif _HOST.fullmatch(self.key):
            return {"host": {"equals": self.key}}
        elif selector := self._checked([self.key], "selector"):
            return {"dom": {"any": selector}}
        return None

    def _checked(self, selectors: list[str], directive: str) -> list[str]:
        good: list[str] = []
        for selector in selectors:
            try:
                good.append(read_selector(selector).text)
            except SelectorError as error:
                self.drop(directive, selector, f"invalid selector: {error}")
        return good

    def _parts(self) -> dict[str, Any]:
        raw = self.raw
        parts: dict[str, Any] = {}
        scope = {
            name: found
            for name, key in (("article", "a"), ("wrapper", "we"))
            if (found := self._checked(_texts(raw.get(key)), key))
        }
        if scope:
            parts["selector_overrides"] = scope
        for name, key in (("remove", "e"), ("include", "i")):
            if found := self._checked(_texts(raw.get(key)), key):
                parts[name] = found
        if actions := self._actions(raw.get("ac")):
            parts["actions"] = actions
        if fields := self._fields(raw.get("m")):
            parts["metadata"] = fields
        if raw.get("d"):
            parts["discard"] = True
        return parts

    def _fields(self, given: Any) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        table = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
        for key, value in table.items():
            name = _FIELDS.get(key)
            inner = cast("dict[str, Any]", value) if isinstance(value, dict) else {"s": value}
            selectors = self._checked(_texts(inner.get("s") or inner.get("selector")), f"m.{key}")
            if name is None or not selectors:
                self.drop(f"m.{key}", value, "unknown field, or nothing to extract it from")
                continue
            attr = inner.get("a") or inner.get("attr")
            fields[name] = {"selector": selectors} | ({"attr": str(attr)} if attr else {})
        return fields

    def _actions(self, given: Any) -> list[dict[str, Any]]:
        actions: list[dict[str, Any]] = []
        raw_actions = cast("list[Any]", given) if isinstance(given, list) else []
        for raw in raw_actions:
            table = cast("dict[str, Any]", raw) if isinstance(raw, dict) else {}
            selectors = self._checked(_texts(table.get("s")), "ac.s")
            made = _action(table) if selectors else None
            if made is None:
                self.drop("ac", raw, "unknown action")
            else:
                actions.extend({"op": made[0], "selector": each} | made[1] for each in selectors)
        return actions


def _action(table: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """The action that the keys of one mean, the most telling key first."""
    for key, op, argument in (
        ("rt", "retag", "tag"),
        ("rtp", "remove_to_parent", "parent"),
        ("tp", "move", "target"),
        ("t", "move", "target"),
        ("w", "wrap", "wrapper_tag"),
        ("ra", "remove_attrs", "attrs"),
        ("gs", "group_siblings", "wrapper_tag"),
        ("g", "group_siblings", "wrapper_tag"),
        ("rop", "remove_outer_parent", ""),
        ("rp", "remove_parent", ""),
        ("rc", "unwrap", ""),
    ):
        value = table.get(key)
        if value in (None, False, ""):
            continue
        arguments: dict[str, Any] = {}
        if argument and isinstance(value, str | list):
            arguments[argument] = _texts(value) if argument == "attrs" else value
        if op == "move" and isinstance(table.get("ts"), int):
            arguments |= {"position": "index", "index": table["ts"]}
        return op, arguments
    if "p" in table:
        bottom = str(table["p"]).lower() in ("bottom", "last", "move_to_bottom")
        return "reorder", {"method": "move_to_bottom" if bottom else "move_to_top"}
    return None

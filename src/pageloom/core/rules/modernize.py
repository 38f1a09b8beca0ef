"""Convert older forms of rules, with advice on how to write them now."""

from __future__ import annotations

from typing import Any, cast

_OPS = {"remove_attribute": "remove_attrs"}


def modernize(raw: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A rule in today's spelling, and what was said differently in it."""
    rule = dict(raw)
    advice: list[str] = []
    _modernize_actions(rule, advice)
    _modernize_rendering(rule, advice)
    if isinstance(rule.get("metadata"), dict):
        rule["metadata"] = _modernize_metadata(rule["metadata"], "metadata", advice)
    return rule, advice


def _modernize_actions(rule: dict[str, Any], advice: list[str]) -> None:
    actions = rule.get("actions")
    if isinstance(actions, list):
        listed = cast("list[Any]", actions)
        rule["actions"] = [_modernize_action(each, advice) for each in listed]
    if not isinstance(actions, dict):
        return
    table = cast("dict[str, Any]", actions)
    del rule["actions"]
    for name, value in table.items():
        if name in ("remove", "include"):
            advice.append(f"actions.{name}: move {name} to the top level of the rule")
            rule[name] = [*_as_list(rule.get(name)), *_as_list(value)]
        elif name == "metadata" and isinstance(value, dict):
            advice.append("actions.metadata: move metadata to the top level of the rule")
            moved = _modernize_metadata(cast("dict[str, Any]", value), "actions.metadata", advice)
            rule["metadata"] = moved | dict(rule.get("metadata") or {})
        else:  # the schema refuses it by its name
            rule[f"actions.{name}"] = value


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def _modernize_action(action: Any, advice: list[str]) -> Any:
    if not isinstance(action, dict):
        return action
    table = dict(cast("dict[str, Any]", action))
    op = table.get("op")
    if op == "remove_attribute":
        advice.append("actions: op remove_attribute is now remove_attrs")
        table["op"] = _OPS[op]
        for old in ("attribute", "attr"):
            if old in table:
                table["attrs"] = _as_list(table.pop(old))
    return table


def _modernize_rendering(rule: dict[str, Any], advice: list[str]) -> None:
    rendering = rule.get("rendering")
    if not isinstance(rendering, dict) or "js_required" not in rendering:
        return
    table = dict(cast("dict[str, Any]", rendering))
    required = table.pop("js_required")
    table.setdefault("mode", "force" if required else "never")
    rule["rendering"] = table
    advice.append(f"rendering.js_required: write mode: {table['mode']}")


def _modernize_metadata(table: dict[str, Any], place: str, advice: list[str]) -> dict[str, Any]:
    """``author_selector`` and ``author_attr`` become ``author: {selector, attr}``."""
    fields: dict[str, Any] = {}
    for name, value in table.items():
        field, _, part = str(name).rpartition("_")
        if field and part in ("selector", "attr", "regex"):
            advice.append(f"{place}.{name}: write {field}: {{{part}: …}}")
            slot = fields.setdefault(field, {})
            if isinstance(slot, dict):
                slot[part] = value
        else:
            fields[name] = value
    return fields

"""Write the JSON Schema of rule files, for editors that check while one types.

python tools/make_rule_schema.py
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from pageloom.core.rules.actions import ACTIONS
from pageloom.core.rules.fields import FIELDS
from pageloom.core.rules.schema import RuleSpec

PLACE = Path(__file__).parents[1] / "docs" / "rules.schema.json"


def build() -> str:
    """The schema as text."""
    schema = msgspec.json.schema(list[RuleSpec])
    rule = schema["$defs"]["RuleSpec"]["properties"]
    action = {
        "type": "object",
        "required": ["op", "selector"],
        "properties": {"op": {"enum": list(ACTIONS)}, "selector": {"type": "string"}},
    }
    rule["actions"] = {"anyOf": [{"type": "array", "items": action}, {"type": "null"}]}
    for choice in rule["metadata"]["anyOf"]:
        if choice.get("type") == "object":
            choice["propertyNames"] = {"enum": list(FIELDS)}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Pageloom rules"}
    return json.dumps(head | schema, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    PLACE.write_text(build(), encoding="utf-8")

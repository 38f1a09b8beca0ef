"""The JSON of rules, and of what they do to pages."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from pageloom.model.user_rules import UserRule


def user_rule(rule: UserRule) -> dict[str, Any]:
    """A rule that is kept, without its page."""
    return {
        "id": rule.name,
        "text": rule.text,
        "url": rule.url,
        "expected": msgspec.json.decode(rule.expected),
        "updated_at": rule.updated_at,
    }


def trial(value: Any) -> dict[str, Any]:
    """What a rule does to a page, or what is wrong with it."""
    return {
        "id": value.name,
        "problems": [asdict(each) for each in value.problems],
        "removed": list(value.gone),
        "added": list(value.new),
        "fields": {name: {"before": old, "after": new} for name, old, new in value.fields},
        "trouble": value.trouble,
    }


def proof(value: Any) -> dict[str, Any]:
    """What a rule does to another page."""
    return {
        "page": value.page_id,
        "verdict": value.verdict,
        "words": {"before": value.words[0], "after": value.words[1]},
        "quality": {"before": value.quality[0], "after": value.quality[1]},
        "trouble": value.trouble,
    }

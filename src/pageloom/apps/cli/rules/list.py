"""``pageloom rules list``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pageloom.apps.cli.flags import Json, JsonLines, Rules
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import print_items, print_table
from pageloom.apps.cli.rules.shared import load_all
from pageloom.apps.cli.safe import one_line
from pageloom.flows.rules.rulebooks import ListedRule, list_rules


def list_(
    *,
    directory: Rules = None,
    host: Annotated[
        str | None, typer.Option("--host", help="Only rules that may apply to this host.")
    ] = None,
    as_json: Json = False,
    as_lines: JsonLines = False,
) -> None:
    """List rules in the order they are applied.

    The shipped rules and yours.
    """
    rules = list_rules(load_all(directory).book, host or "")
    if current.as_json:
        print_items(map(_data, rules))
        return
    print_table(
        ("id", "phase", ">priority", "from", "applies to"),
        [
            (
                one_line(rule.id, 60),
                rule.phase,
                str(rule.priority),
                rule.origin,
                one_line(", ".join(rule.applies_to), 200),
            )
            for rule in rules
        ],
        flexible=4,
    )


def _data(rule: ListedRule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "phase": rule.phase,
        "priority": rule.priority,
        "origin": rule.origin,
        "trigger": rule.trigger,
    }

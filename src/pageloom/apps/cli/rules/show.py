"""``pageloom rules show``."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, Rules
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.rules.shared import load_all
from pageloom.apps.cli.safe import safe
from pageloom.flows.rules.import_rules import write_yaml
from pageloom.flows.rules.rulebooks import rule_data


def show(
    rule: Annotated[str, typer.Argument(metavar="ID", help="The id of a rule.")],
    *,
    directory: Rules = None,
    as_json: Json = False,
) -> None:
    """Show one rule as YAML."""
    book = load_all(directory).book
    data = rule_data(book, rule)
    if as_json:
        print_json({"success": True, "rule": data})
    else:
        print_lines(map(safe, write_yaml([data]).splitlines()))

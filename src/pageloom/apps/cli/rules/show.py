"""``pageloom rules show``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.rules.shared import load_all
from pageloom.apps.cli.safe import one_line
from pageloom.errors import RuleError

if TYPE_CHECKING:
    from pageloom.core.rules.book import RuleBook
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json
from pageloom.apps.cli.rules.shared import Directory


def show(
    rule: Annotated[str, typer.Argument(metavar="ID", help="The id of a rule.")],
    *,
    directory: Directory = None,
    as_json: Json = False,
) -> None:
    """Show one rule as YAML."""
    from pageloom.flows.rules.import_rules import write_yaml

    book = load_all(directory).book
    spec = next((each for each in book.specs if each.id == rule), None)
    if spec is None:
        raise no_rule(rule, book)
    data = msgspec.to_builtins(spec)
    if as_json:
        print_json(data)
    else:
        print_lines(write_yaml([data]).splitlines())


def no_rule(rule: str, book: RuleBook) -> RuleError:
    """There is no such rule; perhaps one like it."""
    import difflib

    near = difflib.get_close_matches(rule, [spec.id for spec in book.specs], n=3, cutoff=0.4)
    advice = (f"Did you mean {', '.join(near)}?",) if near else ("See pageloom rules list.",)
    return RuleError(f"There is no rule {one_line(rule, 80)}.", suggestions=advice, stage="rules")

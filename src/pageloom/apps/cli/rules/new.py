"""``pageloom rules new``: a draft of a rule, and of the page that proves it."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, Rules, Source, Url
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.rules.shared import get_page, require_directory
from pageloom.apps.cli.safe import safe
from pageloom.flows.rules.drafts import draft_rule


def new(
    source: Source,
    *,
    url: Url = None,
    rule: Annotated[str | None, typer.Option("--id", help="The id of the new rule.")] = None,
    directory: Rules = None,
    as_json: Json = False,
) -> None:
    """Draft a rule and its test from a page.

    Both are written to your rules directory.
    """
    place = require_directory(directory)
    content, address = get_page(source, url)
    draft = draft_rule(content, address, place, name=rule or "")
    if as_json:
        print_json(
            {"success": True, "rule": draft.rule, "file": str(draft.file), "case": str(draft.case)}
        )
    else:
        print_lines([f"rule: {draft.file}", f"test: {draft.case}", ""])
        print_lines(map(safe, draft.text.splitlines()))
        print_lines(
            ["", f"Edit both, then: pageloom rules test --rule {draft.name} --rules {place}"]
        )

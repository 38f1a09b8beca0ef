"""``pageloom rules lint``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, Rules
from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.rules.shared import require_place, user_directory
from pageloom.apps.cli.safe import safe
from pageloom.flows.rules.rulebooks import lint_rules


def lint(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH...]", help="Files or directories; default: your rules."),
    ] = None,
    *,
    directory: Rules = None,
    as_json: Json = False,
) -> None:
    """Check rule files for mistakes.

    Every mistake is shown with file, line and field. Exits with 1 if there is an error.
    """
    named = [require_place(Path(path)) for path in paths or ()]
    own = None if named else user_directory(directory)
    result = lint_rules(named or ([own] if own else []))
    if as_json:
        figures = {"files": result.files, "rules": result.rules}
        print_json({"success": not result.mistakes} | figures | {"items": result.problems})
    else:
        print_lines(safe(f"{problem.level}: {problem}") for problem in result.problems)
        advice = len(result.problems) - result.mistakes
        figures = f"{count(result.files, 'file')}, {count(result.rules, 'valid rule')}"
        print_lines([f"{figures}, {count(result.mistakes, 'error')}, {advice} warnings or advice"])
    raise typer.Exit(1 if result.mistakes else 0)

"""``pageloom rules lint``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.rules.shared import Directory, require_place, user_directory
from pageloom.flows.rules.rulebooks import LintResult, lint_rules


def lint(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH...]", help="Files or directories; default: your rules."),
    ] = None,
    *,
    directory: Directory = None,
    as_json: Json = False,
) -> None:
    """Check rule files for mistakes.

    Every mistake is shown with file, line and field. Exits with 1 if there is an error.
    """
    raise typer.Exit(run_lint(paths or [], directory, as_json=as_json))


def run_lint(paths: list[str], directory: str | None, *, as_json: bool) -> int:
    """Check files and tell all that is wrong; 1 if anything is."""
    places = [require_place(Path(path)) for path in paths] or _default_places(directory)
    result = lint_rules(places)
    failed = bool(result.mistakes)
    if as_json:
        print_json(
            {
                "success": not failed,
                "files": result.files,
                "rules": result.rules,
                "problems": result.problems,
            }
        )
    else:
        print_lines(f"{problem.level}: {problem}" for problem in result.problems)
        print_lines([_summary(result)])
    return 1 if failed else 0


def _default_places(directory: str | None) -> list[Path]:
    place = user_directory(directory)
    return [place] if place else []


def _summary(result: LintResult) -> str:
    advice = len(result.problems) - result.mistakes
    return (
        f"{result.files} files, {result.rules} rules in order, {result.mistakes} mistakes,"
        f" {advice} pieces of advice"
    )

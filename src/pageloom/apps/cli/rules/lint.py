"""``pageloom rules lint``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.rules.shared import require_place, user_directory

if TYPE_CHECKING:
    from pageloom.core.rules.problems import FileProblem
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json
from pageloom.apps.cli.rules.shared import Directory


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
    from pageloom.edges.rulefiles import list_files, read_files

    found = [each for place in places for each in list_files(place)]
    loaded = read_files(found, lint=True)
    failed = any(problem.level != "advice" for problem in loaded.problems)
    if as_json:
        print_json(
            {
                "success": not failed,
                "files": len(found),
                "rules": len(loaded.specs),
                "problems": loaded.problems,
            }
        )
    else:
        print_lines(f"{problem.level}: {problem}" for problem in loaded.problems)
        print_lines([_summary(len(found), len(loaded.specs), loaded.problems)])
    return 1 if failed else 0


def _default_places(directory: str | None) -> list[Path]:
    from importlib.resources import files

    place = user_directory(directory)
    return [place] if place else [Path(str(files("pageloom.rulebook")))]


def _summary(files: int, rules: int, problems: list[FileProblem]) -> str:
    errors = sum(problem.level != "advice" for problem in problems)
    advice = len(problems) - errors
    return f"{files} files, {rules} rules in order, {errors} mistakes, {advice} pieces of advice"

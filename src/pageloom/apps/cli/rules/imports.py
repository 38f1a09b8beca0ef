"""``pageloom rules import``: rules of other readers are converted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.files import require_free
from pageloom.apps.cli.flags import Force, Json
from pageloom.apps.cli.output import print_json, print_lines
from pageloom.apps.cli.progress import show_progress
from pageloom.apps.cli.safe import one_line, safe
from pageloom.flows.rules.import_rules import ImportReport, import_rules, output_names


def import_(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SRC", help="A .txt or .json rule file of another tool, or a directory of them."
        ),
    ],
    *,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="Where to write the rules.")
    ],
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Convert site rules written for other tools.

    Reads site configurations of Full-Text RSS (.txt) and compact rules (.json). Directives
    that cannot be converted are listed with file and line, and whether anything is lost.
    """
    place = Path(source)
    if not place.exists():
        raise UsageTrouble(f"{one_line(source, 80)} does not exist.")
    require_free((Path(output) / name for name in output_names(place)), force=force)
    total = sum(1 for _ in place.iterdir()) if place.is_dir() else 1
    with show_progress("import", total, quiet=as_json) as step:
        report = import_rules(place, Path(output), lambda _done, _all: step())
    if as_json:
        print_json(
            {
                "success": True,
                "files": report.files,
                "lossless": report.lossless,
                "rules": report.rules,
                "dropped": report.dropped,
                "problems": report.problems,
            }
        )
    else:
        _print(report, output)


def _print(report: ImportReport, output: str) -> None:
    for each in report.dropped:
        kind = "lost" if each["lost"] else "note"
        said = f"{each['directive']}: {each['value']}" if each["directive"] else each["value"]
        place = f"{each['file']}:{each['line']}"
        print_lines([f"{kind}: {place}: {one_line(said, 80)} ({one_line(each['reason'], 120)})"])
    print_lines(safe(f"{problem.level}: {problem}") for problem in report.problems)
    share = report.lossless / report.files if report.files else 1.0
    counts = f"{report.files:,} files, {report.lossless:,} without loss ({share:.1%})"
    print_lines([f"{counts}, {report.rules:,} rules in {output}"])

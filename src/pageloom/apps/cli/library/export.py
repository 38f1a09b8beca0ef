"""``pageloom export``: pages for other programs, or for reading elsewhere."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import Common, takes
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import count, print_json, print_lines
from pageloom.apps.cli.page_flags import ChosenAnywhere
from pageloom.apps.cli.pages import open_library, require_pages
from pageloom.apps.cli.progress import show_progress
from pageloom.apps.cli.safe import safe
from pageloom.errors import NotInLibrary
from pageloom.flows.transfer.export_formats import FORMATS, ExportFormat

if TYPE_CHECKING:
    from pageloom.flows.transfer.export_formats import ExportResult
    from pageloom.flows.transfer.markdown_folder import Written
    from pageloom.library import Library
    from pageloom.model.pages import Filters


_MOST_SHOWN = 10


@dataclass(frozen=True, kw_only=True)
class ExportFlags(ChosenAnywhere, Common):
    """The flags of ``export``."""

    form: Annotated[ExportFormat, typer.Argument(metavar="FORMAT", help=", ".join(FORMATS))]
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUTPUT", help="A file, a directory for markdown, or - for standard output."
        ),
    ]
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PAGE…]", help="Only these pages; default: all that match."),
    ] = None
    originals: Annotated[
        bool, typer.Option("--originals", help="jsonl: include the original HTML.")
    ] = False
    title: Annotated[str, typer.Option("--title", help="epub: the title of the book.")] = (
        "Saved pages"
    )
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite files that Pageloom did not write.")
    ] = False


@takes(ExportFlags)
def export(*, flags: ExportFlags) -> None:
    """Write pages as Markdown, JSON lines, EPUB and more.

    markdown: a directory of files with frontmatter, ready for Obsidian. jsonl: everything, with all
    versions. epub: a book. bookmarks: for browsers. html, pdf: one clean article. warc: what the
    servers sent, for web archives.
    """
    target = "-" if flags.target == "/dev/stdout" else flags.target
    if target == "-" and current.as_json:
        raise UsageTrouble(
            "The pages go to standard output, so --json has nowhere to print its answer.",
            suggestions=("Leave out --json, or export to a file.",),
        )
    everything = flags.everything or (flags.form == "jsonl" and not flags.archived)
    filters = flags.filters(**({"archived": "all"} if everything else {}))
    with open_library(flags.user) as library:
        pages = require_pages(library, flags.names or ())
        left_out = {} if pages else _left_out(library, filters, flags.form)
        total = len(pages) or library.count(filters)
        if not total:
            raise NotInLibrary(" ".join(("No pages match.", *_advice(left_out))))
        quiet = current.as_json or target == "-"
        with show_progress("exporting", total, quiet=quiet) as advance:
            result = library.export(
                sys.stdout.buffer if target == "-" else target,
                flags.form,
                pages=pages or None,
                filters=filters,
                originals=flags.originals,
                title=flags.title,
                force=flags.force,
                on_page=advance,
            )
    result.left_out |= left_out
    _print(flags.form, target, result)


def _left_out(library: Library, filters: Filters, form: ExportFormat) -> dict[str, int]:
    """How many pages would match but for their state, which no flag asks for."""
    others: dict[str, Filters] = {}
    if filters.archived == "no":
        others["archived"] = replace(filters, archived="only")
    if form == "jsonl" and filters.deleted == "no":
        others["deleted"] = replace(filters, deleted="only")
    counted = {name: library.count(one) for name, one in others.items()}
    return {name: number for name, number in counted.items() if number}


_REMEDIES = {"archived": "include them with --all", "deleted": "export them with --deleted"}


def _advice(left_out: dict[str, int]) -> tuple[str, ...]:
    """What was left out, and the flag that includes it."""
    return tuple(
        f"Left out: {_counted(number, name)}"
        + (f"; {_REMEDIES[name]}." if name in _REMEDIES else ".")
        for name, number in left_out.items()
    )


def _counted(number: int, name: str) -> str:
    if name.startswith("without"):
        return f"{count(number, 'page')} {name}"
    return count(number, f"{name} page")


def _print(form: ExportFormat, target: str, result: ExportResult) -> None:
    """On standard output, unless the pages went there."""
    if current.as_json:
        data = {"success": True, "format": form, "target": target, "pages": result.pages}
        data |= {"pictures": result.pictures, "not_in_it": result.not_in_it}
        renamed = [{"wanted": one.spared, "written": one.name} for one in result.renamed]
        data |= {"left_out": result.left_out, "renamed": renamed}
        print_json(data)
        return
    if Path(target).is_file() or Path(target).is_dir():  # not into a stream
        print_lines([f"Wrote {count(result.pages, 'page')}: {safe(target)}"])
    missing = [
        f"Not in this export: {number:,} {kind}." for kind, number in result.not_in_it.items()
    ]
    for line in (*_advice(result.left_out), *missing, *_renamed(result.renamed)):
        print(line, file=sys.stderr)


def _renamed(renamed: list[Written]) -> list[str]:
    """Which files of others were met, and where the pages are instead."""
    lines = [
        f"{safe(one.spared)} was not written by Pageloom and stays; the page is in"
        f" {safe(one.name)}."
        for one in renamed[:_MOST_SHOWN]
    ]
    more = len(renamed) - len(lines)
    return [*lines, f"The same applies to {count(more, 'more page')}."] if more > 0 else lines

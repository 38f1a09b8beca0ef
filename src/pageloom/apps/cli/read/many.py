"""``pageloom extract`` of several pages: into a directory, or as JSON lines."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.files import require_free, write_file
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.output import count, print_item, print_json, print_lines
from pageloom.apps.cli.progress import show_progress
from pageloom.apps.cli.read.extract import FORMS, choose_form, read_one, read_settings, to_line
from pageloom.apps.cli.read.source import is_url
from pageloom.apps.cli.safe import one_line
from pageloom.errors import PageloomError, why_not

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.apps.cli.read.extract import ExtractFlags
    from pageloom.settings import Settings

_PAGES = frozenset({".html", ".htm", ".xhtml", ".xml", ".rss", ".atom", ".json"})
"""Files of a directory that are pages."""
_ENDINGS = {"markdown": ".md", "text": ".txt", "html": ".html"}


def is_many(sources: Sequence[str], output: str | None) -> bool:
    """Whether several pages are meant: more than one, or a directory on either side."""
    places = [*sources, output or ""]
    return len(sources) > 1 or any(place and Path(place).is_dir() for place in places)


def extract_many(flags: ExtractFlags) -> int:
    """Extract page after page; the exit code is 1 if one of them failed."""
    form = choose_form(flags)
    if flags.output is None and not current.as_json:
        raise UsageTrouble(
            "Several pages need an output directory, or --jsonl.",
            suggestions=("Add -o DIR for files, or --jsonl for one line each.",),
        )
    pages = list(_pages(flags.sources))
    if not pages:
        raise UsageTrouble(f"{one_line(flags.sources[0], 80)} contains no pages.", suggestions=())
    settings = read_settings(flags, form)
    folder = _folder(flags.output)
    items: list[dict[str, Any]] = []
    used: set[Path] = set()
    ending = _ENDINGS.get(form, ".json")
    targets = [_free(folder / (name + ending), used) if folder else None for _, name in pages]
    require_free(targets, force=flags.force)
    with show_progress("extracting", len(pages), quiet=current.as_json) as advance:
        for (source, _), target in zip(pages, targets, strict=True):
            items.append(_extract(source, target, form, flags, settings))
            advance()
    return _sum_up(items, folder)


def _extract(
    source: str, target: Path | None, form: str, flags: ExtractFlags, settings: Settings
) -> dict[str, Any]:
    item: dict[str, Any] = {"success": True, "source": source}
    try:
        read = read_one(source, flags, settings)
        if target is None:
            item["document"] = json.loads(to_line(read, form))
        else:
            if not is_url(source) and Path(source).resolve() == target.resolve():
                raise UsageTrouble(
                    f"{target} is the input file itself.",
                    suggestions=("Choose another file with -o.",),
                )
            target.parent.mkdir(parents=True, exist_ok=True)
            write_file(target, FORMS[form](read).rstrip("\n").encode() + b"\n")
            item["output"] = str(target)
    except PageloomError as error:
        item |= {"success": False, "error": error.to_dict()}
        if not current.as_json:
            print(
                f"failed  {one_line(source, 100)}: {one_line(error.message, 200)}", file=sys.stderr
            )
    if current.as_lines:
        print_item(item)
    return item


def _sum_up(items: list[dict[str, Any]], folder: Path | None) -> int:
    failed = sum(not item["success"] for item in items)
    if not current.as_json:
        done = count(len(items) - failed, "page")
        print_lines(
            [f"Extracted {done} to {folder}" + (f"; {failed:,} failed." if failed else ".")]
        )
    elif not current.as_lines:
        print_json({"success": not failed, "items": items})
    return 1 if failed else 0


def _folder(output: str | None) -> Path | None:
    if output is None:
        return None
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = why_not(error)
        raise UsageTrouble(
            f"{output} cannot be used as a directory: {why}.",
            suggestions=("Several pages are written to a directory, not to one file.",),
        ) from None
    return folder


def _pages(sources: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each page, and the name of its file without ending."""
    for source in sources:
        path = Path(source)
        if is_url(source):
            bare = re.sub(r"^https?://|[?#].*$", "", source)
            yield source, re.sub(r"[^\w.-]+", "-", bare).strip("-.")[:150] or "page"
        elif path.is_dir():
            for file in sorted(path.rglob("*")):
                if file.suffix.lower() in _PAGES and file.is_file():
                    yield str(file), str(file.relative_to(path).with_suffix(""))
        else:
            yield source, "stdin" if source == "-" else path.stem


def _free(target: Path, used: set[Path]) -> Path:
    """The name, with a number where another page of this run has it."""
    number, found = 2, target
    while found in used:
        found = target.with_stem(f"{target.stem}-{number}")
        number += 1
    used.add(found)
    return found

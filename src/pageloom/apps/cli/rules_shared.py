"""What the commands of ``rules`` share: the rules meant, the page meant, how things are told."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.extract import is_address, read_source
from pageloom.apps.cli.safe import escape_json, one_line, safe
from pageloom.apps.cli.trouble import UsageTrouble
from pageloom.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pageloom.edges.rulefiles import RuleLibrary


def user_directory(directory: str | None, settings: Settings | None = None) -> Path | None:
    """The user's rules: what the flag says, or else the settings."""
    chosen = directory or (settings or load_settings()).rules.directory
    return Path(chosen).expanduser() if chosen else None


def require_directory(directory: str | None) -> Path:
    """The user's rules, which this command cannot do without."""
    found = user_directory(directory)
    if found is None:
        raise UsageTrouble(
            "There is no directory for your rules.",
            suggestions=("Give --rules DIR, or set rules.directory.",),
        )
    return found


def load_all(directory: str | None) -> RuleLibrary:
    """The shipped rules and the user's; what is wrong in files is told on standard error."""
    from pageloom.edges.rulefiles import load_rule_library

    place = user_directory(directory)
    library = load_rule_library([place] if place else [])
    for problem in library.problems:
        print(safe(f"{problem.level}: {problem}"), file=sys.stderr)
    return library


def get_page(source: str, url: str | None) -> tuple[bytes, str]:
    """The page that a command is about, and its address."""
    settings = load_settings()
    if not is_address(source):
        return read_source(source, settings.extraction.max_content_length), url or ""
    from pageloom.flows.capture.acquire import capture

    acquired = capture(source, settings=settings.fetch, options=settings.extraction)
    return acquired.page.body, acquired.page.final_url


def print_json(value: Any) -> None:
    """Plain data as JSON on standard output."""
    import msgspec

    encoded = msgspec.json.format(msgspec.json.encode(value), indent=2)
    sys.stdout.write(escape_json(encoded.decode()) + "\n")


def require_place(place: Path) -> Path:
    """A file or directory that was named.

    Raises:
        UsageTrouble: it is not there.
    """
    if not place.exists():
        raise UsageTrouble(f"There is no {one_line(str(place), 80)}.")
    return place


def print_table(headers: Sequence[str], rows: Sequence[Sequence[str]], *, flexible: int) -> None:
    """A table that fits the terminal; cells of safe text on one line."""
    from pageloom.apps.cli.columns import set_table

    print_lines(set_table(headers, rows, flexible=flexible))


def print_lines(lines: Iterable[str]) -> None:
    """Lines on standard output."""
    for line in lines:
        sys.stdout.write(safe(line) + "\n")

"""What the commands of ``rules`` share: the rules and the page they are about."""

from __future__ import annotations

import sys
from pathlib import Path

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.read.source import is_url, read_source
from pageloom.apps.cli.safe import one_line, safe
from pageloom.flows.rules.rulebooks import RuleLibrary, load_all_rules
from pageloom.settings import Settings, load_settings


def user_directory(directory: str | None, settings: Settings | None = None) -> Path | None:
    """The user's rules: what the flag says, or else the settings."""
    chosen = directory or (settings or load_settings()).rules.directory
    return Path(chosen).expanduser() if chosen else None


def require_directory(directory: str | None) -> Path:
    """The user's rules, which this command cannot do without."""
    found = user_directory(directory)
    if found is None:
        raise UsageTrouble(
            "No directory for your rules is set.",
            suggestions=("Give --rules DIR, or set rules.directory.",),
        )
    return found


def load_all(directory: str | None) -> RuleLibrary:
    """The shipped rules and the user's; mistakes in files are reported on standard error."""
    library = load_all_rules(user_directory(directory))
    for problem in library.problems:
        print(safe(f"{problem.level}: {problem}"), file=sys.stderr)
    return library


def get_page(source: str, url: str | None) -> tuple[bytes, str]:
    """The page that a command is about, and its URL."""
    settings = load_settings()
    if not is_url(source):
        return read_source(source, settings.extraction.max_content_length), url or ""
    from pageloom.flows.capture.acquire import capture

    captured = capture(source, settings=settings.fetch, options=settings.extraction)
    return captured.body or b"", captured.final_url


def require_place(place: Path) -> Path:
    """A file or directory that was named.

    Raises:
        UsageTrouble: it is not there.
    """
    if not place.exists():
        raise UsageTrouble(f"{one_line(str(place), 80)} does not exist.")
    return place

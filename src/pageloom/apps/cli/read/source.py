"""A page that a user names: a file, standard input, or a URL."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.errors import OversizedContent, why_not, with_scheme

if TYPE_CHECKING:
    pass

_FILE = re.compile(
    r"\.(?:html?|xhtml|xml|rss|atom|json|md|markdown|txt|pdf|gz|zip|warc)$", re.IGNORECASE
)


_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}:")


def is_url(source: str) -> bool:
    """Whether an argument is meant as a URL: it has a scheme, and no file has that name."""
    return bool(_SCHEME.match(source)) and not Path(source).exists()


def read_source(source: str, limit: int) -> bytes:
    """The bytes of a file or of standard input, never many more than the limit."""
    if source == "-":
        return sys.stdin.buffer.read(limit + 1)
    path = Path(source)
    try:
        size = path.stat().st_size
        if size > limit:
            raise OversizedContent(
                f"The file has {size:,} bytes; the limit is {limit:,}.",
                stage="decode",
                size=size,
                maximum=limit,
            )
        with path.open("rb") as file:
            return file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise _no_file(source, error) from None


def _no_file(source: str, error: Exception) -> UsageTrouble:
    if isinstance(error, FileNotFoundError | ValueError):
        meant = "" if _FILE.search(source.partition("/")[0]) else with_scheme(source)
        advice = (f"For a web page, write {meant}",) if meant else None
        return UsageTrouble(f"File {source} does not exist.", suggestions=advice)
    why = why_not(error) if isinstance(error, OSError) else "the path is invalid"
    return UsageTrouble(f"{source} cannot be read: {why}.", suggestions=())

"""``pageloom extract``: get a page, read it in the sandbox, print what came of it."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pageloom.apps.cli.safe import escape_json, safe
from pageloom.apps.cli.trouble import UsageTrouble
from pageloom.errors import OversizedContent
from pageloom.flows import extract, read_page
from pageloom.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.model import Document, RawPage

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What was asked for on the command line."""

    source: str
    form: str | None = None
    url: str | None = None
    content_type: str | None = None
    explain: bool = False
    strict: bool = False
    timeout: float | None = None
    output: str | None = None


def run_extract(request: Request) -> None:
    """Extract the page and write it where it was asked for."""
    form = _choose_form(request)
    settings = load_settings(flags=_flags(request))
    document = _read(request, settings)
    if form == "pretty":
        _show(document, explain=request.explain)
    else:
        _write(_FORMS[form](document), request.output)


def _choose_form(request: Request) -> str:
    to_screen = sys.stdout.isatty() and request.output is None
    form = request.form or ("pretty" if to_screen or request.explain else "markdown")
    if request.explain and form not in ("pretty", "json"):
        raise UsageTrouble(f"--explain goes with --format pretty or json, not with {form}.")
    if form == "pretty" and request.output is not None:
        raise UsageTrouble("--output takes markdown, text, html or json, not the pretty view.")
    return form


def _flags(request: Request) -> dict[str, object]:
    timeout = request.timeout
    if timeout is not None and not 0 < timeout <= 3600:
        raise UsageTrouble("--timeout takes seconds, more than 0 and at most 3600.")
    return {
        "extraction.strict": request.strict or None,
        "extraction.explain": request.explain or None,
        "extraction.parse_timeout_ms": None if timeout is None else max(1, int(timeout * 1000)),
    }


def _read(request: Request, settings: Settings) -> Document:
    if is_address(request.source):
        return read_page(_fetch(request.source, settings), settings.extraction)
    limit = settings.extraction.max_content_length
    return extract(
        read_source(request.source, limit),
        request.url,
        content_type=request.content_type,
        options=settings.extraction,
        timeout_ms=settings.extraction.parse_timeout_ms,
    )


def is_address(source: str) -> bool:
    """Whether an argument is meant as an address: it has a scheme, and no file has that name."""
    return bool(_SCHEME.match(source)) and not Path(source).exists()


def _fetch(url: str, settings: Settings) -> RawPage:
    import asyncio

    from pageloom.edges.fetch.http import HttpClient, fetch_http

    async def get() -> RawPage:
        async with HttpClient(settings.fetch) as client:
            return await fetch_http(url, client=client)

    return asyncio.run(get())


def read_source(source: str, limit: int) -> bytes:
    """The bytes of a file or of standard input, never many more than the limit."""
    if source == "-":
        return sys.stdin.buffer.read(limit + 1)
    path = Path(source)
    try:
        size = path.stat().st_size
        if size > limit:
            raise OversizedContent(
                f"The file has {size:,} bytes; at most {limit:,} are read.",
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
        looks_like_host = "." in source and "/" not in source.partition(".")[0]
        advice = (f"For a page of the web write https://{source}",) if looks_like_host else None
        return UsageTrouble(f"There is no file {source}.", suggestions=advice)
    return UsageTrouble(f"{source} cannot be read ({type(error).__name__}).", suggestions=())


def _to_json(document: Document) -> str:
    return escape_json(document.to_json(indent=2))


def _to_markdown(document: Document) -> str:
    return safe(document.markdown or document.text)


def _to_text(document: Document) -> str:
    return safe(document.text)


def _to_html(document: Document) -> str:
    return safe(document.html)


_FORMS: dict[str, Callable[[Document], str]] = {
    "json": _to_json,
    "markdown": _to_markdown,
    "text": _to_text,
    "html": _to_html,
}


def _write(text: str, output: str | None) -> None:
    data = text.rstrip("\n").encode() + b"\n"
    if output is None or output == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        Path(output).write_bytes(data)
    except OSError as error:
        raise UsageTrouble(f"{output} cannot be written ({type(error).__name__}).") from None


def _show(document: Document, *, explain: bool) -> None:
    from pageloom.apps.cli.show import show_document, show_explanation

    if explain:
        show_explanation(document)
    else:
        show_document(document)

"""``pageloom extract``: get a page, read it in the sandbox, print what came of it."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pageloom import views
from pageloom.apps.cli.flags import WebFlags
from pageloom.apps.cli.library import warn_of_rules
from pageloom.apps.cli.safe import escape_json, safe
from pageloom.apps.cli.trouble import UsageTrouble
from pageloom.context import site_rules
from pageloom.errors import InternalError, OversizedContent, why_not
from pageloom.flows.capture.extract import extract
from pageloom.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.core.render.options import ImageStyle
    from pageloom.model import Document

_NARROWEST = 20
_WIDEST = 1_000
_IN_JSON = ("json", "article", "parsed", "extracted")
_HOST = re.compile(r"[\w-]+(\.[\w-]+)+(/|$)")
_FILE = re.compile(
    r"\.(?:html?|xhtml|xml|rss|atom|json|md|markdown|txt|pdf|gz|zip|warc)$", re.IGNORECASE
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}:")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractRequest:
    """What was asked for on the command line."""

    source: str
    form: str | None = None
    as_json: bool = False
    url: str | None = None
    content_type: str | None = None
    explain: bool = False
    strict: bool = False
    timeout: float | None = None
    output: str | None = None
    frontmatter: bool | None = None
    images: str | None = None
    links: str | None = None
    wrap: int | None = None
    web: WebFlags = field(default_factory=WebFlags)

    @property
    def has_style(self) -> bool:
        """Whether anything was said about how Markdown is written."""
        given = (self.frontmatter, self.images, self.links, self.wrap)
        return any(value is not None for value in given)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What came of the page, and what a format may have to know beside it."""

    document: Document
    images: ImageStyle
    frontmatter: bool
    fetched_at: str | None = None


def run_extract(request: ExtractRequest) -> None:
    """Extract the page and write it where it was asked for."""
    form = _choose_form(request)
    settings = load_settings(flags=_flags(request, form))
    read = _read(request, settings)
    if form == "pretty":
        _show(read.document, explain=request.explain)
    else:
        _write(_FORMS[form](read), request.output)


def _choose_form(request: ExtractRequest) -> str:
    for_people = sys.stdout.isatty() and request.output is None and not request.has_style
    usual = "pretty" if for_people or request.explain else "markdown"
    form = request.form or ("json" if request.as_json else usual)
    if request.as_json and form not in _IN_JSON:
        raise UsageTrouble(
            f"--json goes with --format json, article, parsed or extracted, not with {form}.",
            suggestions=("Leave one of the two out.",),
        )
    if request.has_style and form != "markdown":
        raise UsageTrouble(
            f"--frontmatter, --images, --links and --wrap go with markdown, not with {form}."
        )
    if request.explain and form not in ("pretty", "json"):
        raise UsageTrouble(f"--explain goes with --format pretty or json, not with {form}.")
    if form == "pretty" and request.output is not None:
        raise UsageTrouble("--output takes any format but pretty.")
    return form


def _flags(request: ExtractRequest, form: str) -> dict[str, object]:
    timeout = request.timeout
    if timeout is not None and not 0 < timeout <= 3600:
        raise UsageTrouble("--timeout takes seconds, more than 0 and at most 3600.")
    if request.wrap is not None and not _NARROWEST <= request.wrap <= _WIDEST:
        raise UsageTrouble(f"--wrap takes a number of characters, {_NARROWEST} to {_WIDEST}.")
    return {
        "fetch.proxy": request.web.proxy,
        "extraction.markdown_images": request.images,
        "extraction.markdown_links": request.links,
        "extraction.markdown_wrap": request.wrap,
        "extraction.strict": request.strict or None,
        "extraction.explain": request.explain or form == "pretty" or None,
        "extraction.parse_timeout_ms": None if timeout is None else max(1, int(timeout * 1000)),
    }


def _read(request: ExtractRequest, settings: Settings) -> Read:
    options = settings.extraction
    fetched_at = None
    _check_address(request)
    if is_address(request.source):
        document, fetched_at = _capture(request, settings)
    else:
        document = extract(
            read_source(request.source, options.max_content_length),
            request.url,
            content_type=request.content_type,
            rules=site_rules(settings, warn_of_rules).sealed,
            options=options,
            timeout_ms=options.parse_timeout_ms,
        )
    return Read(
        document=document,
        images=options.markdown_images,
        frontmatter=request.frontmatter is not False,
        fetched_at=fetched_at,
    )


def is_address(source: str) -> bool:
    """Whether an argument is meant as an address: it has a scheme, and no file has that name."""
    return bool(_SCHEME.match(source)) and not Path(source).exists()


def _check_address(request: ExtractRequest) -> None:
    """What only a page of the web can have, and whether --url is an address at all."""
    if request.web.given and not is_address(request.source):
        raise UsageTrouble(f"{', '.join(request.web.given)} goes with an address, not with a file.")
    if request.url is not None:
        from pageloom.edges.fetch.guard import read_target

        read_target(request.url)


def _capture(request: ExtractRequest, settings: Settings) -> tuple[Document, str]:
    from pageloom.apps.cli.web import capture_page

    acquired = capture_page(request.source, settings, request.web)
    if acquired.document is None:
        raise InternalError("The server answered a question that was not asked.")
    return acquired.document, acquired.page.fetched_at


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
        looks_like_host = _HOST.match(source) and not _FILE.search(source.partition("/")[0])
        advice = (f"For a page of the web write https://{source}",) if looks_like_host else None
        return UsageTrouble(f"There is no file {source}.", suggestions=advice)
    why = why_not(error) if isinstance(error, OSError) else "there is no such place"
    return UsageTrouble(f"{source} cannot be read: {why}.", suggestions=())


def _to_json(read: Read) -> str:
    return escape_json(read.document.to_json(indent=2))


def _to_markdown(read: Read) -> str:
    """A file that can be kept: the body under its title, after frontmatter unless unwanted."""
    from pageloom.core.render.frontmatter import markdown_body, markdown_page

    if not read.frontmatter:
        return safe(markdown_body(read.document, images=read.images) or read.document.text)
    return safe(markdown_page(read.document, _now(), images=read.images))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _to_text(read: Read) -> str:
    return safe(read.document.text)


def _to_html(read: Read) -> str:
    return safe(read.document.html)


def _to_article(read: Read) -> str:
    return _as_json(views.article(read.document, fetched_at=read.fetched_at))


def _to_parsed(read: Read) -> str:
    return _as_json(views.parsed(read.document))


def _to_extracted(read: Read) -> str:
    return _as_json(views.extracted(read.document))


def _as_json(view: dict[str, Any]) -> str:
    return escape_json(json.dumps(view, ensure_ascii=False, indent=2))


_FORMS: dict[str, Callable[[Read], str]] = {
    "json": _to_json,
    "markdown": _to_markdown,
    "text": _to_text,
    "html": _to_html,
    "article": _to_article,
    "parsed": _to_parsed,
    "extracted": _to_extracted,
}


def _write(text: str, output: str | None) -> None:
    data = text.rstrip("\n").encode() + b"\n"
    if output is None or output == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        Path(output).write_bytes(data)
    except OSError as error:
        message = f"{output} cannot be written: {why_not(error)}."
        raise UsageTrouble(message, suggestions=()) from None


def _show(document: Document, *, explain: bool) -> None:
    from pageloom.apps.cli.show import show_document, show_explanation

    if explain:
        show_explanation(document)
    else:
        show_document(document)

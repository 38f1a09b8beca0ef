"""``pageloom extract`` and ``pageloom explain``: extract pages and print or write the result."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pageloom import views
from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.flags import (
    ContentType,
    Json,
    Output,
    Source,
    Strict,
    Timeout,
    Url,
    WebFlags,
    takes,
)
from pageloom.apps.cli.pages import warn_of_rules
from pageloom.apps.cli.read.source import is_url, read_source
from pageloom.apps.cli.safe import escape_json, safe
from pageloom.context import site_rules
from pageloom.errors import why_not
from pageloom.flows.capture.extract import extract as extract_page
from pageloom.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.core.render.options import ImageStyle
    from pageloom.model import Document
from pageloom.apps.cli.invocation import note_format

_NARROWEST = 20


_WIDEST = 1_000


_IN_JSON = ("json", "article", "parsed", "extracted")


class Format(StrEnum):
    """What ``extract`` may print."""

    pretty = "pretty"
    markdown = "markdown"
    text = "text"
    html = "html"
    json = "json"
    article = "article"
    parsed = "parsed"
    extracted = "extracted"


class Images(StrEnum):
    """How Markdown shows images."""

    clickable = "clickable"
    plain = "plain"
    none = "none"


class Links(StrEnum):
    """How Markdown writes links."""

    inline = "inline"
    reference = "reference"
    none = "none"


@dataclass(frozen=True, kw_only=True)
class ExtractFlags(WebFlags):
    """The flags of ``extract``."""

    source: Source
    form: Annotated[
        Format | None,
        typer.Option(
            "--format",
            "-f",
            callback=note_format,
            help="Default: pretty on a terminal, otherwise markdown.",
        ),
    ] = None
    url: Url = None
    content_type: ContentType = None
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Show what was kept and dropped, why, and the source of each field."
        ),
    ] = False
    strict: Strict = False
    timeout: Timeout = None
    as_json: Json = False
    output: Output = None
    frontmatter: Annotated[
        bool | None,
        typer.Option(
            "--frontmatter/--no-frontmatter",
            help="Markdown: start with the metadata as YAML. On by default.",
            show_default=False,
        ),
    ] = None
    images: Annotated[
        Images | None, typer.Option("--images", help="Markdown: how images are written.")
    ] = None
    links: Annotated[
        Links | None, typer.Option("--links", help="Markdown: how links are written.")
    ] = None
    wrap: Annotated[
        int | None,
        typer.Option("--wrap", metavar="N", help="Markdown: break paragraphs after N characters."),
    ] = None

    @property
    def has_style(self) -> bool:
        """Whether a flag asks how Markdown is written."""
        given = (self.frontmatter, self.images, self.links, self.wrap)
        return any(value is not None for value in given)


@takes(ExtractFlags)
def extract(*, flags: ExtractFlags) -> None:
    """Extract text, metadata and Markdown from pages."""
    form = _choose_form(flags)
    settings = load_settings(flags=_settings(flags, form))
    read = _read(flags, settings)
    if form == "pretty":
        _show(read.document, explain=flags.explain)
    else:
        _write(_FORMS[form](read), flags.output)


def explain(
    source: Source,
    *,
    url: Url = None,
    content_type: ContentType = None,
    timeout: Timeout = None,
    as_json: Json = False,
    output: Output = None,
) -> None:
    """Show what was kept and dropped of a page, and why."""
    extract(
        source=source,
        url=url,
        content_type=content_type,
        explain=True,
        timeout=timeout,
        as_json=as_json,
        output=output,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """An extracted page, and what a format may need beside it."""

    document: Document
    images: ImageStyle
    frontmatter: bool
    fetched_at: str | None = None


def _choose_form(request: ExtractFlags) -> str:
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


def _settings(request: ExtractFlags, form: str) -> dict[str, object]:
    timeout = request.timeout
    if timeout is not None and not 0 < timeout <= 3600:
        raise UsageTrouble("--timeout takes seconds, more than 0 and at most 3600.")
    if request.wrap is not None and not _NARROWEST <= request.wrap <= _WIDEST:
        raise UsageTrouble(f"--wrap takes a number of characters, {_NARROWEST} to {_WIDEST}.")
    return {
        "fetch.proxy": request.proxy,
        "extraction.markdown_images": request.images,
        "extraction.markdown_links": request.links,
        "extraction.markdown_wrap": request.wrap,
        "extraction.strict": request.strict or None,
        "extraction.explain": request.explain or form == "pretty" or None,
        "extraction.parse_timeout_ms": None if timeout is None else max(1, int(timeout * 1000)),
    }


def _read(request: ExtractFlags, settings: Settings) -> Read:
    options = settings.extraction
    fetched_at = None
    _check_address(request)
    if is_url(request.source):
        document, fetched_at = _capture(request, settings)
    else:
        document = extract_page(
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


def _check_address(request: ExtractFlags) -> None:
    """What only a page of the web can have, and whether --url is an address at all."""
    if request.given and not is_url(request.source):
        raise UsageTrouble(f"{', '.join(request.given)} goes with an address, not with a file.")
    if request.url is not None:
        from pageloom.edges.fetch.guard import read_target

        read_target(request.url)


def _capture(request: ExtractFlags, settings: Settings) -> tuple[Document, str]:
    from pageloom.apps.cli.read.web import capture_page

    captured = capture_page(request.source, settings, request)
    return captured.document, captured.fetched_at


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

"""``pageloom extract`` and ``pageloom explain``: extract pages and print or write the result."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pageloom import views
from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.files import require_free, write_file
from pageloom.apps.cli.flags import (
    ContentType,
    Force,
    Json,
    JsonLines,
    Output,
    Rules,
    Source,
    Strict,
    Timeout,
    Url,
    WebFlags,
    takes,
)
from pageloom.apps.cli.invocation import JSON_FORMATS, current, note_format
from pageloom.apps.cli.pages import warn_of_rules
from pageloom.apps.cli.read.source import is_url, read_source
from pageloom.apps.cli.read.web import capture_page
from pageloom.apps.cli.safe import escape_json, safe
from pageloom.context import site_rules
from pageloom.flows.capture.extract import extract as extract_page
from pageloom.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.model import Document

_NARROWEST = 20
_WIDEST = 1_000


Format = Literal["pretty", "markdown", "text", "html", "json", "article", "parsed", "extracted"]
Images = Literal["clickable", "plain", "none"]
Links = Literal["inline", "reference", "none"]


@dataclass(frozen=True, kw_only=True)
class ExtractFlags(WebFlags):
    """The flags of ``extract``."""

    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|DIR|URL…",
            help="Files, directories of them, URLs, or - for standard input.",
        ),
    ]
    form: Annotated[
        Format | None,
        typer.Option(
            "--format",
            "-f",
            callback=note_format,
            help="Output format; default: pretty on a terminal, otherwise markdown.",
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
    as_lines: JsonLines = False
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE|DIR",
            help="Write to this file; for several pages, to files in this directory.",
        ),
    ] = None
    rules: Rules = None
    saved_at: Annotated[
        bool, typer.Option("--saved-at", help="Markdown: write the current time as saved_at.")
    ] = False
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
        given = (self.frontmatter, self.images, self.links, self.wrap, self.saved_at or None)
        return any(value is not None for value in given)


@takes(ExtractFlags)
def extract(*, flags: ExtractFlags) -> None:
    """Extract text, metadata and Markdown from pages.

    Several files, directories or URLs are written to -o DIR, or printed with --jsonl; a page that
    fails does not stop the others. The same input always gives the same output.
    """
    from pageloom.apps.cli.read.many import extract_many, is_many

    if is_many(flags.sources, flags.output):
        raise typer.Exit(extract_many(flags))
    form = choose_form(flags)
    settings = read_settings(flags, form)
    require_free((flags.output,), force=flags.force)
    read = read_one(flags.sources[0], flags, settings)
    if form == "pretty":
        _show(read.document, explain=flags.explain)
    elif current.as_lines:
        sys.stdout.write(to_line(read, form) + "\n")
    else:
        _write(FORMS[form](read), flags.output)


def explain(  # noqa: PLR0913  the flags of a command
    source: Source,
    *,
    url: Url = None,
    content_type: ContentType = None,
    timeout: Timeout = None,
    as_json: Json = False,
    output: Output = None,
    force: Force = False,
    rules: Rules = None,
) -> None:
    """Show which parts of a page were kept or dropped, and why."""
    extract(
        sources=[source],
        url=url,
        content_type=content_type,
        explain=True,
        timeout=timeout,
        as_json=as_json,
        output=output,
        force=force,
        rules=rules,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """An extracted page, and what a format may need beside it."""

    document: Document
    settings: Settings
    flags: ExtractFlags
    fetched_at: str | None = None


def choose_form(flags: ExtractFlags) -> str:
    """The format that the flags mean.

    Raises:
        UsageTrouble: they contradict each other.
    """
    for_people = sys.stdout.isatty() and flags.output is None and not flags.has_style
    usual = "pretty" if for_people or flags.explain else "markdown"
    form = flags.form or ("json" if flags.as_json or flags.as_lines else usual)
    if (flags.as_json or flags.as_lines) and form not in JSON_FORMATS:
        raise UsageTrouble(
            f"--json needs --format json, article, parsed or extracted, not {form}.",
            suggestions=("Leave out one of the two.",),
        )
    if flags.has_style and form != "markdown":
        raise UsageTrouble(
            f"--frontmatter, --images, --links, --wrap and --saved-at need markdown, not {form}."
        )
    if flags.explain and form not in ("pretty", "json"):
        raise UsageTrouble(f"--explain needs --format pretty or json, not {form}.")
    if form == "pretty" and flags.output is not None:
        raise UsageTrouble(
            "The pretty format is for the terminal: with --output, choose another --format."
        )
    return form


def read_settings(flags: ExtractFlags, form: str) -> Settings:
    """The settings with what the flags change."""
    timeout = flags.timeout
    if timeout is not None and not 0 < timeout <= 3600:
        raise UsageTrouble("--timeout must be greater than 0 and at most 3600 seconds.")
    if flags.wrap is not None and not _NARROWEST <= flags.wrap <= _WIDEST:
        raise UsageTrouble(f"--wrap must be between {_NARROWEST} and {_WIDEST} characters.")
    return load_settings(
        flags={
            "fetch.proxy": flags.proxy,
            "rules.directory": flags.rules,
            "rules.enabled": True if flags.rules else None,
            "extraction.markdown_images": flags.images,
            "extraction.markdown_links": flags.links,
            "extraction.markdown_wrap": flags.wrap,
            "extraction.strict": flags.strict or None,
            "extraction.explain": flags.explain or form == "pretty" or None,
            "extraction.parse_timeout_ms": None if timeout is None else max(1, int(timeout * 1000)),
        }
    )


def read_one(source: str, flags: ExtractFlags, settings: Settings) -> Read:
    """Extract one page.

    Raises:
        PageloomError: it cannot be fetched, read or extracted.
    """
    if is_url(source):
        found = capture_page(source, settings, flags)
        return Read(
            document=found.document, settings=settings, flags=flags, fetched_at=found.fetched_at
        )
    if flags.given:
        raise UsageTrouble(f"{', '.join(flags.given)} needs a URL, not a file.")
    if flags.url is not None:
        from pageloom.flows.capture.fetch_page import require_url

        require_url(flags.url)
    options = settings.extraction
    document = extract_page(
        read_source(source, options.max_content_length),
        flags.url,
        content_type=flags.content_type,
        rules=site_rules(settings, warn_of_rules).sealed,
        options=options,
        timeout_ms=options.parse_timeout_ms,
    )
    return Read(document=document, settings=settings, flags=flags)


def _to_markdown(read: Read) -> str:
    """A file to keep: the body under its title, after frontmatter unless that is unwanted."""
    images = read.settings.extraction.markdown_images
    if read.flags.frontmatter is False:
        return safe(views.markdown(read.document, images=images))
    # Without the flag there is no clock in it: the same page gives the same file.
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    saved_at = now if read.flags.saved_at else None
    return safe(views.frontmatter(read.document, saved_at, images=images))


_SHAPES: dict[str, Callable[[Read], dict[str, Any]]] = {
    "json": lambda read: read.document.to_dict(),
    "article": lambda read: views.article(read.document, fetched_at=read.fetched_at),
    "parsed": lambda read: views.parsed(read.document),
    "extracted": lambda read: views.extracted(read.document),
}


def _as_json(view: dict[str, Any]) -> str:
    return escape_json(json.dumps(view, ensure_ascii=False, indent=2))


def to_line(read: Read, form: str) -> str:
    """The page in a format that is JSON, on one line."""
    return escape_json(json.dumps(_SHAPES[form](read), ensure_ascii=False))


FORMS: dict[str, Callable[[Read], str]] = {
    "json": lambda read: escape_json(read.document.to_json(indent=2)),
    "markdown": _to_markdown,
    "text": lambda read: safe(read.document.text),
    "html": lambda read: safe(read.document.html),
    "article": lambda read: _as_json(_SHAPES["article"](read)),
    "parsed": lambda read: _as_json(_SHAPES["parsed"](read)),
    "extracted": lambda read: _as_json(_SHAPES["extracted"](read)),
}
"""What each format prints of a page."""


def _write(text: str, output: str | None) -> None:
    data = text.rstrip("\n").encode() + b"\n"
    if output is None or output == "-":
        sys.stdout.buffer.write(data)
    else:
        write_file(output, data)


def _show(document: Document, *, explain: bool) -> None:
    from pageloom.apps.cli.show import show_document, show_explanation

    if explain:
        show_explanation(document)
    else:
        show_document(document)

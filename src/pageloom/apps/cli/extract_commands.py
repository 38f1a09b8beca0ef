"""The flags of ``extract``, ``explain`` and ``doctor``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

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


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(extract)
    app.command()(explain)
    app.command()(doctor)


@takes(WebFlags, "web")
def extract(  # noqa: PLR0913  one argument per flag
    source: Source,
    *,
    form: Annotated[
        Format | None,
        typer.Option("--format", "-f", help="On a terminal: pretty. Otherwise: markdown."),
    ] = None,
    url: Url = None,
    content_type: ContentType = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="What was kept and dropped, why, and from where.")
    ] = False,
    strict: Strict = False,
    timeout: Timeout = None,
    as_json: Json = False,
    output: Output = None,
    frontmatter: Annotated[
        bool | None,
        typer.Option(
            "--frontmatter/--no-frontmatter",
            help="Markdown: with the metadata as YAML first. On unless switched off.",
            show_default=False,
        ),
    ] = None,
    images: Annotated[
        Images | None, typer.Option("--images", help="Markdown: how images are shown.")
    ] = None,
    links: Annotated[
        Links | None, typer.Option("--links", help="Markdown: how links are written.")
    ] = None,
    wrap: Annotated[
        int | None,
        typer.Option("--wrap", metavar="N", help="Markdown: the longest line of a paragraph."),
    ] = None,
    web: WebFlags,
) -> None:
    """Extract one page: clean text, metadata, Markdown."""
    from pageloom.apps.cli.extract import ExtractRequest, run_extract

    run_extract(
        ExtractRequest(
            source=source,
            form=form,
            as_json=as_json,
            url=url,
            content_type=content_type,
            explain=explain,
            strict=strict,
            timeout=timeout,
            output=output,
            frontmatter=frontmatter,
            images=images,
            links=links,
            wrap=wrap,
            web=web,
        )
    )


def explain(
    source: Source,
    *,
    url: Url = None,
    content_type: ContentType = None,
    timeout: Timeout = None,
    as_json: Json = False,
    output: Output = None,
) -> None:
    """Show what was kept and dropped of a page, why, and where each field came from."""
    extract(
        source,
        url=url,
        content_type=content_type,
        explain=True,
        timeout=timeout,
        as_json=as_json,
        output=output,
    )


def doctor(*, as_json: Json = False) -> None:
    """Show the effective settings, what is installed, and how to get what is missing."""
    from pageloom.apps.cli.doctor import run_doctor

    raise typer.Exit(run_doctor(as_json=as_json))

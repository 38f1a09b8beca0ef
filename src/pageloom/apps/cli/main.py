"""The commands with their flags, and the one door through which errors become exit codes."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pageloom import __version__
from pageloom.apps.cli.trouble import UsageTrouble, exit_code, report
from pageloom.errors import PageloomError

app = typer.Typer(
    name="pageloom",
    help="Turn whatever a URL answers with into one clean, structured Document.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
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


JSON_FORMATS = frozenset({"json", "article", "parsed", "extracted"})
"""Errors are told in JSON too where the answer would have been JSON."""


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


Source = Annotated[
    str, typer.Argument(metavar="FILE|-|URL", help="A file, - for standard input, or an address.")
]
Url = Annotated[
    str | None, typer.Option("--url", help="The address the page came from; links need it.")
]
ContentType = Annotated[
    str | None, typer.Option("--content-type", help="The Content-Type header it came with.")
]
Timeout = Annotated[
    float | None, typer.Option("--timeout", metavar="SECONDS", help="Time for reading the page.")
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Fail (exit 5) on low quality or no content.")
]
Json = Annotated[
    bool, typer.Option("--json", help="For programs: JSON on standard output, errors too.")
]
Output = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE", help="Write there instead.")
]


def _show_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"pageloom {__version__}")
        raise typer.Exit


@app.callback()
def _all(
    *,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    _show_version(wanted=version)


@app.command()
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
) -> None:
    """Extract one page: clean text, metadata, Markdown."""
    from pageloom.apps.cli.extract import Request, run_extract

    run_extract(
        Request(
            source=source,
            form=form or (Format.json if as_json else None),
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
        )
    )


@app.command()
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


@app.command()
def doctor(*, as_json: Json = False) -> None:
    """Show the effective settings, what is installed, and how to get what is missing."""
    from pageloom.apps.cli.doctor import run_doctor

    raise typer.Exit(run_doctor(as_json=as_json))


def run(arguments: list[str]) -> int:
    """Run one command line; the only place that catches PageloomError.

    Returns:
        The exit code.
    """
    if not arguments:
        run(["--help"])
        return 2
    try:
        return app(arguments, standalone_mode=False) or 0
    except SystemExit:  # only so does Typer say that the reader of our output has left
        return 0
    except typer.TyperException as error:
        trouble = UsageTrouble(error.format_message())
    except PageloomError as error:
        trouble = error
    report(trouble, as_json=_wants_json(arguments))
    return exit_code(trouble, strict=_is_strict(arguments))


def _is_strict(arguments: list[str]) -> bool:
    if "--strict" in arguments:
        return True
    from pageloom.settings import load_settings

    try:
        return load_settings().extraction.strict
    except PageloomError:  # then this is the error that is being reported
        return False


def _wants_json(arguments: list[str]) -> bool:
    if "--json" in arguments:
        return True
    pairs = zip(arguments, [*arguments[1:], ""], strict=True)
    return any(_format_of(one, two) in JSON_FORMATS for one, two in pairs)


def _format_of(one: str, two: str) -> str:
    """The format that a flag names, in any of the spellings that a shell user may choose."""
    if one in ("--format", "-f"):
        return two
    if one.startswith("--format="):
        return one.removeprefix("--format=")
    return one[2:].removeprefix("=") if one.startswith("-f") else ""

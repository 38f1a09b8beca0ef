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
    pairs = zip(arguments, [*arguments[1:], ""], strict=True)
    asked = {"--json", "--format=json", "-fjson"}
    return any(one in asked or (one in ("--format", "-f") and two == "json") for one, two in pairs)

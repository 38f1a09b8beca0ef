"""The flags of ``sources``, ``duplicates`` and ``compare``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pageloom.apps.cli.flags import LARGEST, Json
from pageloom.apps.cli.library_flags import Domain, Kind, Language, Tags, User


class SourceAction(StrEnum):
    """What ``sources`` does."""

    list = "list"
    add = "add"
    show = "show"
    remove = "remove"
    poll = "poll"


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(sources)
    app.command()(duplicates)
    app.command()(compare)


def sources(  # noqa: PLR0913  one argument per flag
    action: Annotated[SourceAction, typer.Argument(help="list, add, show, remove or poll.")],
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="A source.")] = "",
    *,
    title: Annotated[str, typer.Option("--title", help="add: its name for people.")] = "",
    site: Annotated[str, typer.Option("--site", help="add: its host.")] = "",
    feed: Annotated[
        list[str] | None, typer.Option("--feed", help="add: a feed of it; again for more.")
    ] = None,
    language: Annotated[str, typer.Option("--language", help="add: of its pages.")] = "",
    timezone: Annotated[str, typer.Option("--timezone", help="add: of its dates.")] = "",
    proxy: Annotated[str, typer.Option("--proxy", help="add: the way to it.")] = "",
    hint: Annotated[
        list[str] | None,
        typer.Option("--hint", metavar="FIELD=CSS", help="add: where a field stands on its pages."),
    ] = None,
    every: Annotated[
        int | None,
        typer.Option(
            "--every",
            min=1,
            max=525_600,
            metavar="MINUTES",
            help="add: between two polls; 60 unless given.",
        ),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="add: fetch the pages that its feeds announce.")
    ] = False,
    loop: Annotated[
        bool, typer.Option("--loop", help="poll: go on, each source when it is due, until Ctrl-C.")
    ] = False,
    reliable: Annotated[
        float, typer.Option("--min-reliability", min=0, max=1, help="list: at least so reliable.")
    ] = 0.0,
    user: User = None,
    as_json: Json = False,
) -> None:
    """The registry of sources: who they are, how reliable, and what is new in their feeds.

    add makes a source known, or changes what is said of one. poll looks at the feeds that are due,
    or at those of one source, and saves what is new.
    """
    from pageloom.apps.cli.library_source_add import SourceFlags
    from pageloom.apps.cli.library_sources import SourceRequest, run_sources

    request = SourceRequest(
        action=action.value,
        name=name,
        flags=SourceFlags(
            title=title,
            site=site,
            feeds=tuple(feed or ()),
            language=language,
            timezone=timezone,
            proxy=proxy,
            hints=tuple(hint or ()),
            every=every,
            full=full,
        ),
        loop=loop,
        min_reliability=reliable,
        user=user,
        as_json=as_json,
    )
    raise typer.Exit(run_sources(request))


def duplicates(*, user: User = None, as_json: Json = False) -> None:
    """Show pages that tell the same story, in clusters."""
    from pageloom.apps.cli.library_sources import run_duplicates

    run_duplicates(user, as_json=as_json)


def compare(  # noqa: PLR0913
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[FOLDER|JSONL]", help="Pages with references; none: those of the library."
        ),
    ] = None,
    *,
    one: Annotated[
        str | None,
        typer.Option("--reference", "-a", metavar="EXTRACTOR", help="What is taken as right."),
    ] = None,
    two: Annotated[
        str, typer.Option("--with", "-b", metavar="EXTRACTOR", help="What is measured.")
    ] = "ours",
    canonical: Annotated[
        bool, typer.Option("--canonical", help="Compare bare text: case and marks aside.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, max=LARGEST, help="At most so many pages.")
    ] = None,
    history: Annotated[
        str | None, typer.Option("--history", metavar="CSV", help="Append this run there.")
    ] = None,
    summary: Annotated[
        str | None, typer.Option("--summary", metavar="CSV", help="A row for each page.")
    ] = None,
    report: Annotated[
        str | None, typer.Option("--report", metavar="HTML", help="Worst pages, and the trend.")
    ] = None,
    tolerance: Annotated[
        float, typer.Option("--tolerance", min=0, help="How far a figure may fall.")
    ] = 0.01,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, help="Seconds for a command and a page.")
    ] = 30.0,
    git_sha: Annotated[
        str | None, typer.Option("--git-sha", help="For the history; found out unless given.")
    ] = None,
    domain: Domain = None,
    tag: Tags = None,
    language: Language = None,
    kind: Kind = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Compare two extractors over the same pages; exit 1 when a figure fell since the last run.

    Extractors: ours, ours:setting=value,…, stored (as the library reads them), reference,
    command:PROGRAM (page on standard input, its address behind the arguments, Markdown or a
    Document out), reader:URL (a service).
    """
    from pageloom.apps.cli.library_compare import CompareRequest, run_compare
    from pageloom.apps.cli.library_filters import make_filters

    filters = make_filters(domain=domain, tags=tag, language=language, kind=kind, everything=True)
    request = CompareRequest(
        source=source,
        one=one,
        two=two,
        filters=filters,
        canonical=canonical,
        limit=limit,
        history=history,
        summary=summary,
        report=report,
        tolerance=tolerance,
        timeout=timeout,
        git_sha=git_sha,
        user=user,
        as_json=as_json,
    )
    raise typer.Exit(run_compare(request))

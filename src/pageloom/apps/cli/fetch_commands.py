"""The flags of ``fetch``."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, WebFlags, takes


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(fetch)


@takes(WebFlags, "web")
def fetch(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of a page.")],
    *,
    web: WebFlags,
    etag: Annotated[
        str | None,
        typer.Option("--etag", help="What is known already: the answer may be: not modified."),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option("--timeout", metavar="SECONDS", help="Time for all hops and retries."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the page there; - prints it."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Fetch a page and show how it was had: hops, headers, timings, decisions."""
    from pageloom.apps.cli.fetch import FetchOrder, run_fetch

    run_fetch(
        FetchOrder(url=url, web=web, etag=etag, as_json=as_json, output=output, timeout=timeout)
    )

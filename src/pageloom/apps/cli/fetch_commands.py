"""The flags of ``fetch``."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import (
    Cookies,
    Headers,
    Json,
    Pdf,
    Proxy,
    Render,
    Robots,
    Screenshot,
    UserAgent,
    WaitFor,
)


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(fetch)


def fetch(  # noqa: PLR0913  one argument per flag
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of a page.")],
    *,
    render: Render = None,
    wait_for: WaitFor = None,
    screenshot: Screenshot = None,
    pdf: Pdf = None,
    header: Headers = None,
    cookie: Cookies = None,
    proxy: Proxy = None,
    user_agent: UserAgent = None,
    robots: Robots = False,
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
    from pageloom.apps.cli.web import WebFlags

    web = WebFlags(
        render=render,
        wait_for=wait_for,
        screenshot=screenshot,
        pdf=pdf,
        headers=tuple(header or ()),
        cookies=tuple(cookie or ()),
        proxy=proxy,
        user_agent=user_agent,
        robots=robots,
        etag=etag,
    )
    run_fetch(FetchOrder(url=url, web=web, as_json=as_json, output=output, timeout=timeout))

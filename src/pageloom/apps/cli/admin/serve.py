"""``pageloom serve``: the web app, the HTTP API, and the work that is due."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import User
from pageloom.apps.cli.pages import open_library
from pageloom.errors import MissingExtra


def serve(
    *,
    listen: Annotated[
        str | None,
        typer.Option("--listen", metavar="HOST:PORT", help="Default: 127.0.0.1:8460."),
    ] = None,
    no_work: Annotated[
        bool,
        typer.Option("--no-work", help="Leave watches, notices, feeds and jobs to others."),
    ] = False,
    user: User = None,
) -> None:
    """Open the library in the browser, and serve its API.

    On the first start, the terminal shows a link that signs you in.
    """
    try:
        from pageloom.apps.web.serve import serve as run
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("pageloom"):
            raise  # ours: it is broken, not missing
        raise MissingExtra(
            "The web app needs the extra [web].",
            suggestions=("Run pip install 'pageloom[web]'.",),
        ) from None
    flags = {"web.listen": listen, "web.work": False if no_work else None}
    with open_library(user, flags) as library:
        run(library, typer.echo)

"""``pageloom serve``: the web app, the HTTP API, and the work that is due."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pageloom.apps.cli.flags import User
from pageloom.apps.cli.pages import open_library
from pageloom.errors import InvalidArgument, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.library import Library


def serve(
    *,
    listen: Annotated[
        str | None,
        typer.Option("--listen", metavar="HOST:PORT", help="Default: 127.0.0.1:8460."),
    ] = None,
    no_work: Annotated[
        bool,
        typer.Option(
            "--no-work",
            help="Only serve; leave watches, notifications, feeds and jobs to another process.",
        ),
    ] = False,
    only_work: Annotated[
        bool,
        typer.Option("--only-work", help="Serve nothing: only do the work for all users."),
    ] = False,
    pipe: Annotated[int | None, typer.Option("--pipe", hidden=True)] = None,
    user: User = None,
) -> None:
    """Open the library in the browser, and serve its API.

    On the first start, the terminal shows a link that signs you in. Watches, notifications, feeds
    and queued saves are worked on beside it, in a process of its own.
    """
    if only_work and (no_work or listen):
        raise InvalidArgument("--only-work cannot be used with --no-work or --listen.")
    run = _work(pipe) if only_work else _serve()
    flags = {"web.listen": listen, "web.work": False if no_work else None}
    with open_library(user, flags) as library:
        run(library)


def _work(pipe: int | None) -> Callable[[Library], None]:
    from pageloom.apps.web.work import only_work  # without the web: it is half of the memory

    return lambda library: only_work(library, pipe)


def _serve() -> Callable[[Library], None]:
    try:
        from pageloom.apps.web.serve import serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("pageloom"):
            raise  # ours: it is broken, not missing
        raise MissingExtra(
            "The web app needs the extra [web].",
            suggestions=("Run pip install 'pageloom[web]'.",),
        ) from None
    return lambda library: serve(library, typer.echo)

"""``pageloom mcp``: the library for agents, over standard input and output."""

from __future__ import annotations

from typing import Annotated

import typer

from pageloom.apps.cli.flags import User
from pageloom.apps.cli.pages import open_library
from pageloom.errors import MissingExtra


def mcp(
    *,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Offer no tool that changes the library.")
    ] = False,
    user: User = None,
) -> None:
    """Serve the library to agents by the Model Context Protocol.

    It speaks over standard input and output: name the command in the settings of the program that
    runs the agent. Over HTTP, pageloom serve answers at /mcp.
    """
    import asyncio

    try:
        from pageloom.apps.mcp.server import serve_stdio
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("pageloom"):
            raise  # ours: it is broken, not missing
        raise MissingExtra(
            "This needs the extra [mcp].", suggestions=("Run pip install 'pageloom[mcp]'.",)
        ) from None
    with open_library(user) as library:
        asyncio.run(serve_stdio(library, read_only=read_only))

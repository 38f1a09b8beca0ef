"""Flags that the commands of the workers share."""

from __future__ import annotations

from typing import Annotated

import typer

Broker = Annotated[
    str | None,
    typer.Option(
        "--broker", metavar="URL", help="The URL of RabbitMQ; default: broker.url or RABBIT_URL."
    ),
]

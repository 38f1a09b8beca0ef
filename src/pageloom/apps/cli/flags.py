"""Flags that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

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

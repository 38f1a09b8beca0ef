"""Flags that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class RenderChoice(StrEnum):
    """When a browser shows the page."""

    auto = "auto"
    force = "force"
    never = "never"


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
Render = Annotated[
    RenderChoice | None,
    typer.Option("--render", help="Use a browser: on evidence (auto), always (force), never."),
]
WaitFor = Annotated[
    str | None,
    typer.Option("--wait-for", metavar="CSS", help="Show the page until this appears."),
]
Screenshot = Annotated[
    str | None, typer.Option("--screenshot", metavar="FILE", help="A picture of the page, PNG.")
]
Pdf = Annotated[str | None, typer.Option("--pdf", metavar="FILE", help="The page as PDF.")]
Headers = Annotated[
    list[str] | None,
    typer.Option("--header", "-H", metavar="'NAME: VALUE'", help="Sent to this host only."),
]
Cookies = Annotated[
    list[str] | None,
    typer.Option("--cookie", metavar="NAME=VALUE", help="Sent to this host only."),
]
Proxy = Annotated[
    str | None,
    typer.Option("--proxy", metavar="URL", help="http://host:port or socks5://host:port."),
]
UserAgent = Annotated[
    str | None, typer.Option("--user-agent", help="Introduce yourself as something else.")
]
Robots = Annotated[bool, typer.Option("--robots", help="Ask robots.txt first, and obey (exit 4).")]

"""Flags that several commands share."""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003  part of a public signature
from enum import StrEnum
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

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


def takes(group: type, name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command all flags of a group, so that several commands can have them.

    Args:
        group: a dataclass whose fields are flags that may be left out.
        name: the parameter of the command in which the group is handed over.
    """
    flags = get_type_hints(group, include_extras=True)

    def widen(command: Callable[..., None]) -> Callable[..., None]:
        own = list(signature(command, eval_str=True).parameters.values())
        kept = [each for each in own if each.name != name]
        first = [each for each in kept if each.kind is not Parameter.KEYWORD_ONLY]
        added = [
            Parameter(flag, Parameter.KEYWORD_ONLY, default=None, annotation=kind)
            for flag, kind in flags.items()
        ]

        def run(*arguments: Any, **given: Any) -> None:
            chosen = group(**{flag: given.pop(flag) for flag in flags})
            command(*arguments, **given, **{name: chosen})

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        shown = Signature([*first, *added, *kept[len(first) :]])
        run.__signature__ = shown  # pyright: ignore[reportFunctionMemberAccess]
        run.__annotations__ = {each.name: each.annotation for each in shown.parameters.values()}
        return run

    return widen

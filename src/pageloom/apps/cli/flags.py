"""Flags that several commands share."""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003  part of a public signature
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import wraps
from inspect import Parameter, signature
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


@dataclass(frozen=True, slots=True, kw_only=True)
class WebFlags:
    """What was said about getting a page."""

    render: Render = None
    wait_for: WaitFor = None
    screenshot: Screenshot = None
    pdf: Pdf = None
    headers: Headers = None
    cookies: Cookies = None
    proxy: Proxy = None
    user_agent: UserAgent = None
    robots: Robots = False

    @property
    def given(self) -> list[str]:
        """The names of the flags that were used."""
        named = {
            "--render": self.render,
            "--wait-for": self.wait_for,
            "--screenshot": self.screenshot,
            "--pdf": self.pdf,
            "--header": self.headers,
            "--cookie": self.cookies,
            "--proxy": self.proxy,
            "--user-agent": self.user_agent,
            "--robots": self.robots,
        }
        return [name for name, value in named.items() if value]


LARGEST = 10**15
"""Of numbers that are counted or looked up; far below what databases refuse."""


def takes(group: type, name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command all flags of a group, so that several commands can have them.

    Args:
        group: a dataclass whose fields are flags that may be left out.
        name: the parameter of the command in which the group is handed over.
    """
    hints = get_type_hints(group, include_extras=True)
    added = [
        Parameter(
            flag.name, Parameter.KEYWORD_ONLY, default=flag.default, annotation=hints[flag.name]
        )
        for flag in fields(group)
    ]

    def widen(command: Callable[..., None]) -> Callable[..., None]:
        own = signature(command, eval_str=True)
        shown: list[Parameter] = []
        for each in own.parameters.values():
            shown += added if each.name == name else [each]

        @wraps(command)
        def run(*arguments: Any, **given: Any) -> None:
            chosen = group(**{flag: given.pop(flag) for flag in hints if flag in given})
            command(*arguments, **given, **{name: chosen})

        run.__signature__ = own.replace(parameters=shown)  # pyright: ignore[reportFunctionMemberAccess, reportAttributeAccessIssue]
        run.__annotations__ = {each.name: each.annotation for each in shown}
        return run

    return widen

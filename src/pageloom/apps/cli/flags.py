"""Flags that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, get_type_hints

import typer

from pageloom.apps.cli.invocation import note_json, note_lines, note_strict, note_utc
from pageloom.model.capture import RenderMode

Source = Annotated[
    str, typer.Argument(metavar="FILE|-|URL", help="A file, - for standard input, or a URL.")
]
Url = Annotated[
    str | None,
    typer.Option("--url", help="The URL a file came from; relative links are resolved against it."),
]
ContentType = Annotated[
    str | None, typer.Option("--content-type", help="The Content-Type header of a file.")
]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", metavar="SECONDS", help="Time limit for extracting the page."),
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict", callback=note_strict, help="Fail (exit 5) on low quality or no content."
    ),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json",
        callback=note_json,
        is_eager=True,
        help="Print one JSON object on standard output, errors too.",
    ),
]
JsonLines = Annotated[
    bool,
    typer.Option(
        "--jsonl",
        callback=note_lines,
        is_eager=True,
        help="Print one JSON object per line, as results come in.",
    ),
]
Utc = Annotated[
    bool,
    typer.Option(
        "--utc", callback=note_utc, help="Show times in UTC instead of the local time zone."
    ),
]
Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write to this file."),
]
Render = Annotated[
    RenderMode | None,
    typer.Option("--render", help="Use a browser: when needed (auto), always (force) or never."),
]
WaitFor = Annotated[
    str | None,
    typer.Option(
        "--wait-for", metavar="CSS", help="Render in a browser and wait until this element appears."
    ),
]
Screenshot = Annotated[
    str | None,
    typer.Option("--screenshot", metavar="FILE", help="Save a screenshot of the page as PNG."),
]
Pdf = Annotated[
    str | None, typer.Option("--pdf", metavar="FILE", help="Save the rendered page as PDF.")
]
Headers = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        "-H",
        metavar="'NAME: VALUE'",
        help="Send this header, to the host of the URL only. May be repeated.",
    ),
]
Cookies = Annotated[
    list[str] | None,
    typer.Option(
        "--cookie",
        metavar="NAME=VALUE",
        help="Send this cookie, to the host of the URL only. May be repeated.",
    ),
]
Proxy = Annotated[
    str | None,
    typer.Option("--proxy", metavar="URL", help="http://host:port or socks5://host:port."),
]
UserAgent = Annotated[
    str | None, typer.Option("--user-agent", help="The User-Agent header to send.")
]
Robots = Annotated[
    bool, typer.Option("--robots", help="Obey robots.txt (exit 4 where it forbids the page).")
]
User = Annotated[
    str | None, typer.Option("--user", help="The user whose library to use; default: library.user.")
]
Limit = Annotated[
    int, typer.Option("--limit", "-n", min=1, max=10_000, help="Show at most this many.")
]
Rules = Annotated[
    str | None,
    typer.Option(
        "--rules", metavar="DIR", help="The directory of your rules; default: rules.directory."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be done without doing it.")
]
Restart = Annotated[
    bool, typer.Option("--restart", help="Start over instead of continuing an interrupted run.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]


@dataclass(frozen=True, kw_only=True)
class Common:
    """Flags of nearly every command of the library."""

    user: User = None
    as_json: Json = False
    utc: Utc = False


@dataclass(frozen=True, kw_only=True)
class CommonStream(Common):
    """Those, for commands that print many results."""

    as_lines: JsonLines = False


@dataclass(frozen=True, kw_only=True)
class WebFlags:
    """How a page is fetched."""

    render: Render = None
    wait_for: WaitFor = None
    screenshot: Screenshot = None
    pdf: Pdf = None
    headers: Headers = None
    cookies: Cookies = None
    proxy: Proxy = None
    user_agent: UserAgent = None
    robots: Robots = False
    force: Force = False

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

_LAST = ("user", "utc", "as_json", "as_lines")
"""Flags of nearly every command stand behind its own in its help."""


def _rank(group: type, name: str) -> int:
    """Where a flag stands in the help of a command: its own first, shared ones behind them."""
    return 2 if name in _LAST else int(name not in group.__annotations__)


def takes(group: type, name: str = "flags") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the flags and arguments that are the fields of a dataclass.

    Args:
        group: the dataclass; each field is annotated with its ``typer.Option`` or ``Argument``.
        name: the parameter in which the command gets an instance of it.
    """
    hints = get_type_hints(group, include_extras=True)
    added = [
        Parameter(
            flag.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if flag.default is MISSING else flag.default,
            annotation=hints[flag.name],
        )
        for flag in sorted(fields(group), key=lambda flag: _rank(group, flag.name))
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


Broker = Annotated[
    str | None,
    typer.Option(
        "--broker", metavar="URL", help="The URL of RabbitMQ; default: broker.url or RABBIT_URL."
    ),
]

"""``pageloom fetch``: how a page was fetched: redirects, headers, timings, decisions."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.files import require_free, write_file
from pageloom.apps.cli.output import print_json
from pageloom.apps.cli.read.web import capture_page
from pageloom.apps.cli.safe import one_line
from pageloom.model.capture import Capture
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from pageloom.apps.cli.flags import WebFlags
    from pageloom.model import RawPage
    from pageloom.settings import Settings
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, WebFlags, takes


@dataclass(frozen=True, kw_only=True)
class FetchFlags(WebFlags):
    """The flags of ``fetch``."""

    url: Annotated[str, typer.Argument(metavar="URL", help="The URL of a page.")]
    etag: Annotated[
        str | None,
        typer.Option(
            "--etag", help="The ETag of an earlier fetch; an unchanged page is not sent again."
        ),
    ] = None
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout", metavar="SECONDS", help="Time limit for all redirects and retries."
        ),
    ] = None
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the body to this file; - prints it."
        ),
    ] = None
    as_json: Json = False


@takes(FetchFlags)
def fetch(*, flags: FetchFlags) -> None:
    """Fetch a page and show redirects, headers and timings."""
    settings = load_settings(flags={"fetch.timeout": flags.timeout, "fetch.proxy": flags.proxy})
    require_free((flags.output,), force=flags.force)
    page = _fetch(flags, settings)
    if flags.output == "-":
        sys.stdout.buffer.write(page.body or b"")
        return
    if flags.output is not None:
        write_file(flags.output, page.body or b"")
    if flags.as_json:
        print_json(_to_dict(page))
    else:
        _show(page)


def _fetch(flags: FetchFlags, settings: Settings) -> Capture | RawPage:
    """The page; only what the server answered where that is "not modified"."""
    from pageloom.flows.capture.acquire import NotModified

    try:
        return capture_page(flags.url, settings, flags, etag=flags.etag)
    except NotModified as same:
        return same.page


def _to_dict(page: Capture | RawPage) -> dict[str, Any]:
    return {
        "success": True,
        "url": page.url,
        "final_url": page.final_url,
        "status": page.status,
        "protocol": page.protocol,
        "not_modified": page.status == 304,
        "used_browser": page.protocol == "browser",
        "content_type": page.content_type,
        "bytes": len(page.body or b""),
        "fetched_at": page.fetched_at,
        "hops": [asdict(hop) for hop in page.hops],
        "headers": page.headers,
        "timings_ms": {name: round(spent * 1000, 1) for name, spent in page.timings.items()},
        "decisions": list(_decisions(page)),
        "document": _figures(page),
    }


def _decisions(page: Capture | RawPage) -> tuple[str, ...]:
    return page.decisions if isinstance(page, Capture) else ()


def _figures(page: Capture | RawPage) -> dict[str, Any] | None:
    if not isinstance(page, Capture):
        return None
    document = page.document
    return {
        "title": document.title,
        "page_type": document.page_type,
        "word_count": document.word_count,
        "quality_score": document.quality_score,
        "strategy": document.provenance.strategy,
    }


def _show(page: Capture | RawPage) -> None:
    from rich.text import Text

    from pageloom.apps.cli.show import make_console, make_table

    console = make_console()
    summary = make_table("", "")
    for name, value in _summary(page):
        summary.add_row(Text(name, style="cyan"), Text(one_line(value, 300)))
    console.print(summary)
    for title, rows in (
        ("redirects", [(str(hop.status or "→"), hop.url) for hop in page.hops]),
        ("timings", [(n, f"{spent * 1000:,.0f} ms") for n, spent in page.timings.items()]),
        ("headers", sorted(page.headers.items())),
        ("decisions", [(str(n), what) for n, what in enumerate(_decisions(page), 1)]),
    ):
        if rows:
            console.print()
            table = make_table(title, "")
            for name, value in rows:
                table.add_row(Text(one_line(name, 40), style="cyan"), Text(one_line(value, 300)))
            console.print(table)


def _summary(page: Capture | RawPage) -> list[tuple[str, str]]:
    rows = [
        ("url", page.final_url),
        ("status", f"{page.status} over {page.protocol}"),
        ("type", page.content_type or "(none)"),
        ("size", f"{len(page.body or b''):,} bytes"),
    ]
    if isinstance(page, Capture):
        words = f"{page.document.word_count:,} words"
        rows.append(("text", f"{words}, quality {page.document.quality_score}/100"))
    return rows

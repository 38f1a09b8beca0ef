"""``pageloom fetch``: how a page was fetched: redirects, headers, timings, decisions."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.read.web import capture_page, write_file
from pageloom.apps.cli.safe import escape_json, one_line
from pageloom.settings import load_settings

if TYPE_CHECKING:
    from pageloom.apps.cli.flags import WebFlags
    from pageloom.flows.capture.acquire import Acquired
from typing import Annotated

import typer

from pageloom.apps.cli.flags import Json, WebFlags, takes


@dataclass(frozen=True, kw_only=True)
class FetchFlags(WebFlags):
    """The flags of ``fetch``."""

    url: Annotated[str, typer.Argument(metavar="URL", help="The URL of a page.")]
    etag: Annotated[
        str | None,
        typer.Option("--etag", help="The ETag you know; the server may answer: not modified."),
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
    acquired = capture_page(flags.url, settings, flags, etag=flags.etag)
    if flags.output == "-":
        sys.stdout.buffer.write(acquired.page.body)
        return
    if flags.output is not None:
        write_file(flags.output, acquired.page.body)
    if flags.as_json:
        print(escape_json(json.dumps(_to_dict(acquired), ensure_ascii=False, indent=2)))
    else:
        _show(acquired)


def _to_dict(acquired: Acquired) -> dict[str, Any]:
    page = acquired.page
    return {
        "success": True,
        "url": page.url,
        "final_url": page.final_url,
        "status": page.status,
        "protocol": page.protocol,
        "not_modified": acquired.not_modified,
        "used_browser": acquired.used_browser,
        "content_type": page.content_type,
        "bytes": len(page.body),
        "fetched_at": page.fetched_at,
        "hops": [asdict(hop) for hop in page.hops],
        "headers": page.headers,
        "timings_ms": {name: round(spent * 1000, 1) for name, spent in page.timings.items()},
        "decisions": list(acquired.decisions),
        "document": _figures(acquired),
    }


def _figures(acquired: Acquired) -> dict[str, Any] | None:
    document = acquired.document
    if document is None:
        return None
    return {
        "title": document.title,
        "page_type": document.page_type,
        "word_count": document.word_count,
        "quality_score": document.quality_score,
        "strategy": document.provenance.strategy,
    }


def _show(acquired: Acquired) -> None:
    from rich.text import Text

    from pageloom.apps.cli.show import make_console, make_table

    console = make_console()
    page = acquired.page
    summary = make_table("", "")
    for name, value in _summary(acquired):
        summary.add_row(Text(name, style="cyan"), Text(one_line(value, 300)))
    console.print(summary)
    for title, rows in (
        ("hops", [(str(hop.status or "→"), hop.url) for hop in page.hops]),
        ("timings", [(n, f"{spent * 1000:,.0f} ms") for n, spent in page.timings.items()]),
        ("headers", sorted(page.headers.items())),
        ("decisions", [(str(n), what) for n, what in enumerate(acquired.decisions, 1)]),
    ):
        if rows:
            console.print()
            table = make_table(title, "")
            for name, value in rows:
                table.add_row(Text(one_line(name, 40), style="cyan"), Text(one_line(value, 300)))
            console.print(table)


def _summary(acquired: Acquired) -> list[tuple[str, str]]:
    page = acquired.page
    rows = [
        ("address", page.final_url),
        ("status", f"{page.status} over {page.protocol}"),
        ("type", page.content_type or "(none)"),
        ("size", f"{len(page.body):,} bytes"),
    ]
    if acquired.document is not None:
        words = f"{acquired.document.word_count:,} words"
        rows.append(("text", f"{words}, quality {acquired.document.quality_score}/100"))
    return rows

"""How answers are printed (JSON, JSON lines, tables, times), and how confirmation is asked for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from pageloom.apps.cli.errors import UsageTrouble
from pageloom.apps.cli.invocation import current
from pageloom.apps.cli.safe import escape_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def print_json(value: Any) -> None:
    """Plain data as one JSON text on standard output."""
    import msgspec

    encoded = msgspec.json.format(msgspec.json.encode(value), indent=2)
    sys.stdout.write(escape_json(encoded.decode()) + "\n")


def print_item(value: Any) -> None:
    """One line of JSON, written at once so that whoever reads the stream can go on."""
    import msgspec

    sys.stdout.write(escape_json(msgspec.json.encode(value).decode()) + "\n")
    sys.stdout.flush()


def require_stream() -> None:
    """Refuse --json for work without an end, whose results are printed as they come.

    Raises:
        UsageTrouble: --json without --jsonl.
    """
    if current.as_json and not current.as_lines:
        raise UsageTrouble(
            "--json cannot be used with --loop, because --loop never ends.",
            suggestions=("Use --jsonl: one line for each result as it comes.",),
        )


def print_items(items: Iterable[Any], **more: Any) -> None:
    """A list as JSON: one object with ``items``, or with --jsonl one line for each item."""
    if current.as_lines:
        for item in items:
            print_item(item)
    else:
        print_json({"success": True, "items": list(items)} | more)


def print_lines(lines: Iterable[str]) -> None:
    """Lines of ours, in which text of pages was made safe already."""
    for line in lines:
        sys.stdout.write(line + "\n")


def print_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    flexible: int,
    drop: Sequence[int] = (),
) -> None:
    """A table that fits the terminal: wide columns give way to the others.

    Args:
        headers: the names of the columns; one that starts with ``>`` is set to the right.
        rows: cells of safe text on one line.
        flexible: the column that may be cut shortest where the terminal is too narrow.
        drop: the columns that are left out first where that is not enough.
    """
    from pageloom.apps.cli.table_layout import set_table

    print_lines(set_table(headers, rows, flexible=flexible, drop=drop))


def date_of(instant: str | None) -> str:
    """The day of an instant of the store."""
    return time_of(instant)[:10]


def time_of(instant: str | None) -> str:
    """An instant of the store to the minute: local with its zone on a terminal, otherwise UTC."""
    if not instant:
        return ""
    if current.utc or not sys.stdout.isatty():
        return instant[:16].replace("T", " ")
    from datetime import datetime

    local = datetime.fromisoformat(instant).astimezone()
    return local.strftime("%Y-%m-%d %H:%M %Z")


def count(number: int, what: str) -> str:
    """``1 page``, ``2,000 pages``, ``3 watches``."""
    if number == 1:
        return f"{number:,} {what}"
    return f"{number:,} {what}es" if what.endswith("ch") else f"{number:,} {what}s"


def size_of(number: int) -> str:
    """Bytes for people."""
    size = float(number)
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:,.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} GB"


def confirm(what: str, *, yes: bool) -> None:
    """Ask a person at the terminal, unless --yes was given.

    Args:
        what: what would be done, as in ``Remove 3 pages permanently``.
        yes: whether --yes was given.

    Raises:
        UsageTrouble: nobody can be asked, or the answer was no.
    """
    if yes:
        return
    if current.as_json or not sys.stdin.isatty():
        raise UsageTrouble(
            f"This needs confirmation: {what}.", suggestions=("Add --yes to confirm.",)
        )
    sys.stderr.write(f"{what}? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise UsageTrouble("Cancelled; nothing was changed.", suggestions=())

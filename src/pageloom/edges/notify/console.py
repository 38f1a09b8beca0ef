"""Print notices on a terminal or into a log; their text was cleaned when they were built."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from pageloom.edges.notify.notice import Notice


async def show_notice(notice: Notice, stream: TextIO) -> None:
    """Print one notice: its title, then the URL and the text, indented."""
    lines = [f"{notice.at}  {notice.title}"]
    if notice.url:
        lines.append(f"    {notice.url}")
    said = (line for line in notice.text.splitlines() if line.strip())
    lines += [f"    {line}" for line in said if line.rstrip(".") not in notice.title]
    print("\n".join(lines), file=stream, flush=True)

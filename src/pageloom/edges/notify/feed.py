"""Write an Atom or RSS feed of changes to a file."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pageloom.errors import NotifyError, why_not
from pageloom.views.feeds import Feed, FeedEntry, write_feed_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.edges.notify.notice import Notice

FeedForm = Literal["atom", "rss"]


def make_feed(notices: Sequence[Notice], *, name: str, form: FeedForm) -> str:
    """The feed as XML, newest entry first; all text of pages is escaped."""
    newest_first = sorted(notices, key=lambda notice: (notice.at, notice.id), reverse=True)
    entries = [
        FeedEntry(
            id=notice.id,
            title=notice.title,
            at=notice.at,
            url=notice.url,
            text=notice.text,
            category=notice.kind,
        )
        for notice in newest_first
    ]
    return write_feed_text(Feed(id=name, title=f"Changes: {name}", entries=entries), form)


async def write_feed(
    notices: Sequence[Notice], directory: Path, *, name: str, form: FeedForm
) -> Path:
    """Write the feed's file atomically: readers see the old file or the new one.

    Raises:
        NotifyError: it cannot be written.
    """
    text = make_feed(notices, name=name, form=form)
    return await asyncio.to_thread(_replace, directory / f"{name}.{form}.xml", text)


def _replace(path: Path, text: str) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, written = tempfile.mkstemp(dir=path.parent, prefix=".feed-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(written).chmod(0o644)
        Path(written).replace(path)
    except OSError as error:
        raise NotifyError(
            f"The feed file could not be written: {why_not(error)}.",
            retryable=True,
            suggestions=("Check notify.feed_directory.",),
        ) from error
    return path

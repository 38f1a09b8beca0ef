"""Visual change: the screenshot of a check against the one that was last found different.

So slow drift adds up until it is notified, as with text.
"""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pageloom.core.picture_bytes import picture_size
from pageloom.edges.notify.notice import Notice, delivery_id, one_line
from pageloom.edges.store.files import make_file, read_file
from pageloom.edges.store.visual_changes import keep_look, last_look
from pageloom.errors import MissingExtra, SettingsError
from pageloom.flows.notify.notices import queue_notice
from pageloom.model.files import VisualChange
from pageloom.model.pages import PageRef

if TYPE_CHECKING:
    from pageloom.edges.store.base import Tx
    from pageloom.flows.watch.context import CheckContext
    from pageloom.model.capture import Capture
    from pageloom.model.files import KeptFile
    from pageloom.model.watch import Watch

_MODULE = "pageloom.edges.decoders.pictures"
_MEMORY = 1_500_000_000
_MS = 30_000
_MOST_REGIONS = 50

Region = tuple[int, int, int, int]


def read_region(text: str) -> Region:
    """A region from ``left,top,width,height``.

    Raises:
        SettingsError: it is not four numbers.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 4 or not all(part.isdigit() and len(part) < 6 for part in parts):
        raise SettingsError(
            f"A region has four numbers, not {text[:40]}.",
            suggestions=("Write left,top,width,height in pixels, such as 0,0,1280,120.",),
        )
    left, top, width, height = map(int, parts)
    return left, top, width, height


def require_visual() -> None:
    """Refuse to watch looks without what compares them.

    Raises:
        MissingExtra: Pillow is not installed.
    """
    from importlib.util import find_spec

    if find_spec("PIL") is None:
        raise MissingExtra(
            "Comparing screenshots needs Pillow.",
            suggestions=("Install it with: pip install 'pageloom[pictures]'",),
        )


async def look_at(
    context: CheckContext, watch: Watch, captured: Capture, page_id: int, version: int
) -> VisualChange | None:
    """Compare the screenshot of a check with the last; what differs, if that is enough.

    It is kept with its screenshots, and notices of it are queued, in one transaction.
    """
    if not captured.screenshot:
        return None
    page = PageRef(watch.owner, page_id)
    shot = captured.screenshot
    new = make_file(shot, "image/png", picture_size(shot, "image/png"))
    last = await asyncio.to_thread(last_look, context.store, page, watch.id)
    known: dict[str, Any] = {
        "page_id": page_id,
        "watch_id": watch.id,
        "version": version,
        "at": context.at(),
    }
    if last is None:
        first = VisualChange(**known, share=0.0, after_hash=new.hash)
        await asyncio.to_thread(_keep, context, watch, first, [new], captured.document.title)
        return None
    old = await asyncio.to_thread(read_file, context.store, watch.owner, last.after_hash)
    if old is None or last.after_hash == new.hash:
        return None
    share, regions, outlined = await asyncio.to_thread(_compare, old, new, watch)
    if share * 100 < watch.settings.visual_threshold or not regions:
        return None
    drawn = make_file(outlined, "image/png", (new.width or 0, new.height or 0))
    change = VisualChange(
        **known,
        share=share,
        regions=tuple(regions[:_MOST_REGIONS]),
        before_hash=last.after_hash,
        after_hash=new.hash,
        outlined_hash=drawn.hash,
    )
    title = captured.document.title
    await asyncio.to_thread(_keep, context, watch, change, [new, drawn], title)
    return change


def _compare(old: bytes, new: KeptFile, watch: Watch) -> tuple[float, list[Region], bytes]:
    from pageloom.edges.sandbox import shared_sandbox

    ignored = [read_region(each) for each in watch.settings.visual_ignore]
    sandbox = shared_sandbox(_MODULE, memory=_MEMORY)
    return sandbox.run("compare_looks", old, new.body, ignored, timeout_ms=_MS)


def _keep(
    context: CheckContext, watch: Watch, look: VisualChange, files: list[KeptFile], title: str
) -> None:
    page = PageRef(watch.owner, look.page_id)

    def work(tx: Tx) -> None:
        keep_look(tx, page, look, files)
        if look.share:
            targets = watch.settings.targets or context.notify.targets
            chosen = watch.settings.digest_minutes
            minutes = context.notify.digest_minutes if chosen is None else chosen
            notice = _notice(watch, look, title)
            queue_notice(
                tx, watch.owner, notice, targets, watch_id=watch.id, digest_minutes=minutes
            )

    context.store.transact(work)


def _notice(watch: Watch, look: VisualChange, title: str) -> Notice:
    name = watch.name or title or watch.url_full
    mark = sha256(f"{look.before_hash} {look.after_hash} {look.at}".encode()).hexdigest()
    return Notice(
        id=delivery_id(f"visual {watch.id} {mark}", ""),
        kind="visual",
        title=f"{one_line(name, 90)}: it looks different",
        text=look.summary,
        url=watch.url_full,
        at=look.at,
        importance=min(1.0, 0.3 + look.share),
        data={
            "watch": {"id": watch.id, "name": watch.name},
            "share": look.share,
            "regions": [list(each) for each in look.regions],
            "page_id": look.page_id,
            "version": look.version,
        },
    )

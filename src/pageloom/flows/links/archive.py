"""A web archive: the nearest capture of a page, the page as it was, and captures made for us."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote, urlsplit

import msgspec

from pageloom.edges.fetch.guard import without_login
from pageloom.edges.fetch.http import require_ok
from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import FetchError, NotInLibrary
from pageloom.flows.capture.extract import read_page
from pageloom.flows.library.save import SaveResult, store_capture
from pageloom.model.capture import Capture
from pageloom.model.links import ArchiveCapture

if TYPE_CHECKING:
    from pageloom.edges.fetch.fetcher import Fetcher
    from pageloom.flows.library.save import SaveContext
    from pageloom.flows.links.options import ArchiveOptions
    from pageloom.model import RawPage

_TIMESTAMP = re.compile(r"\d{4,14}")
_ANSWER_BYTES = 1_000_000
_SAVE_SECONDS = 120.0
_KEPT_MARKS = ":/?&=%~+,;@!$'()*[]"


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive, and the way to it."""

    options: ArchiveOptions
    fetcher: Fetcher

    async def find(self, url: str, near: str = "") -> ArchiveCapture | None:
        """The capture of a page nearest to a time (``20260305083000``); None where there is none.

        Raises:
            FetchError: the archive cannot be asked, or wants us to wait.
        """
        stamp = "".join(filter(str.isdigit, near))[:14]
        return await self._nearest(url, stamp) or await self._listed(url, stamp)

    async def _nearest(self, url: str, stamp: str) -> ArchiveCapture | None:
        answer = await self._ask(
            f"{self.options.api_url.rstrip('/')}/wayback/available?url={_quoted(url)}"
            + (f"&timestamp={stamp}" if stamp else "")
        )
        closest = _dict(_dict(_dict(answer).get("archived_snapshots")).get("closest"))
        is_page = closest.get("available") is True and str(closest.get("status", "200")) == "200"
        return self._capture(url, str(closest.get("timestamp", ""))) if is_page else None

    async def _listed(self, url: str, stamp: str) -> ArchiveCapture | None:
        """From the list of captures, for pages that the quick answer does not know."""
        order = f"&sort=closest&closest={stamp}" if stamp else ""
        rows = await self._ask(
            f"{self._base}/cdx/search/cdx?url={_quoted(url)}&output=json&limit=1"
            f"&fl=timestamp&filter=statuscode:200{order}"
        )
        found = _list(rows)  # the first row names the columns
        last = _list(found[1]) if len(found) > 1 else []
        return self._capture(url, str(last[0]) if last else "")

    def _capture(self, url: str, timestamp: str) -> ArchiveCapture | None:
        if not _TIMESTAMP.fullmatch(timestamp):
            return None
        replay = f"{self._base}/web/{timestamp}/{url}"
        return ArchiveCapture(url=url, timestamp=timestamp, replay_url=replay)

    @property
    def _base(self) -> str:
        return self.options.url.rstrip("/")

    async def _ask(self, url: str) -> Any:
        """The JSON that the archive answers with; None for anything else."""
        page = await self._get(url)
        try:
            return msgspec.json.decode(page.body) if page.body.strip() else None
        except msgspec.MsgspecError:
            return None

    async def _get(self, url: str, seconds: float | None = None) -> RawPage:
        page = await self.fetcher.get(
            FetchRequest(url=url, max_bytes=_ANSWER_BYTES, timeout=seconds)
        )
        if page.status == 429:
            raise FetchError(
                "The web archive is limiting requests.",
                kind="status",
                url=url,
                retryable=True,
                suggestions=("Try again in a few minutes.",),
                status=429,
            )
        return require_ok(page)

    async def original(self, capture: ArchiveCapture) -> RawPage:
        """What the site sent when the capture was made, as if it came from the site.

        Raises:
            FetchError: the archive cannot be asked, or has lost it.
        """
        replay = f"{self._base}/web/{capture.timestamp}id_/{capture.url}"
        page = require_ok(await self.fetcher.get(FetchRequest(url=replay)))
        return replace(page, url=capture.url, final_url=capture.url, hops=())

    async def submit(self, url: str) -> ArchiveCapture:
        """Have the archive capture a page now.

        Raises:
            FetchError: the archive cannot be asked, wants us to wait, or refuses.
        """
        page = await self._get(f"{self._base}/save/{without_login(url)}", _SAVE_SECONDS)
        place = page.headers.get("content-location") or urlsplit(page.final_url).path
        found = re.search(r"/web/(\d{4,14})", place)
        capture = self._capture(url, found[1] if found else "")
        if capture is None:
            raise FetchError(
                "The web archive did not return the URL of the capture.", kind="protocol"
            )
        return capture


def _quoted(url: str) -> str:
    return quote(without_login(url), safe=_KEPT_MARKS.replace("&", "").replace("?", ""))


def _dict(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


async def save_from_archive(
    context: SaveContext, url: str, archive: Archive, near: str = ""
) -> SaveResult:
    """Save a page as an archive has it, under its own URL.

    Args:
        context: the library, and how to extract.
        url: of the page.
        archive: where to look.
        near: the capture nearest to this time; the newest when left out.

    Raises:
        NotInLibrary: the archive has no capture of it.
        PageloomError: it cannot be fetched or extracted.
    """
    archive.fetcher.client.guard.check(url)
    capture = await archive.find(url, near)
    if capture is None:
        raise NotInLibrary("The archive has no capture of this page.", suggestions=())
    page = await archive.original(capture)
    document = await asyncio.to_thread(read_page, page, context.options, rules=context.rules)
    decision = f"archive: as it was on {capture.taken_at[:10]} ({capture.replay_url})"
    provenance = replace(document.provenance, fetching=(decision,))
    document = replace(document, url=url.strip(), provenance=provenance)
    captured = replace(Capture.of(page, document, decisions=(decision,)), status=None)
    return await asyncio.to_thread(store_capture, replace(context, origin="archive"), url, captured)

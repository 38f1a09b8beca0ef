"""Events as they happen, as a stream that goes on where it was broken off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from fastapi import Depends, Query, Response
from starlette.responses import StreamingResponse

from pageloom.apps.web.auth import Ask, identify, needs
from pageloom.apps.web.errors import TooManyRequests
from pageloom.apps.web.scoped_routes import Routes
from pageloom.errors import PageloomError
from pageloom.model.library import LibraryEvent
from pageloom.views import records

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
_HEARTBEAT = 15.0


@routes.add("GET", "/events", "read")
async def events(ask: Reads, after: Annotated[int | None, Query(ge=0)] = None) -> Response:
    """What happens in the library, as server-sent events.

    The id of each is the place to go on from: ``Last-Event-ID`` or ``?after=``. Without either it
    begins with what happens next.
    """
    stated = ask.request.headers.get("last-event-id", "")
    if stated.isascii() and stated.isdigit() and len(stated) < 19:
        after = int(stated)
    if after is None:
        last = await asyncio.to_thread(ask.library.last_events, [ask.who.owner])
        after = last[ask.who.owner]
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream(ask, after), 200, headers, "text/event-stream")


async def _stream(ask: Ask, after: int) -> AsyncIterator[bytes]:
    """The events behind one, until whoever follows them leaves or is signed out."""
    owner, hub = ask.who.owner, ask.site.hub
    yield b"retry: 2000\n\n"
    try:
        async with hub.following(owner):
            while not hub.has_ended:
                found = await asyncio.to_thread(ask.library.events, after)
                for event in found:
                    after = event.id
                    yield _line(event)
                if found or await hub.wait(owner, after, _HEARTBEAT):
                    continue
                yield b": still here\n\n"
                if await asyncio.to_thread(identify, ask.site, ask.request) is None:
                    return
    except TooManyRequests:
        yield b"retry: 30000\n\n"
    except PageloomError:
        return  # whoever follows comes back, and misses nothing


def _line(event: LibraryEvent) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (event.id, msgspec.json.encode(records.event(event)))

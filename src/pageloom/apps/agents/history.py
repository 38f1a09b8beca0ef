"""What the history of runs is told of: jobs that ended well, and those that were given up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.core.normalize.urls import url_key
from pageloom.errors import InvalidUrl, PageloomError

if TYPE_CHECKING:
    from pageloom.apps.agents.work import World
    from pageloom.edges.broker.letters import Letter
    from pageloom.edges.store.base import Store

_BESIDE = frozenset({"price-tracker", "notifier", "discovery"})
"""Workers beside the way of the page: their failure is not that of the page."""


class _Head(msgspec.Struct, rename="camel"):
    job_id: Any = ""
    url: Any = ""


def job_of(body: bytes) -> tuple[str, str]:
    """The job and the address that a message is about, as far as it says so."""
    try:
        head = msgspec.json.decode(body, type=_Head)
    except (msgspec.DecodeError, RecursionError):
        return "", ""
    return str(head.job_id)[:200], str(head.url)[:2000]


def failure_key(job_id: str, worker: str) -> str:
    """The name in the history of a job that was given up."""
    return f"{job_id}:{worker}" if worker in _BESIDE else job_id


def address_key(url: str) -> str:
    """What the library knows an address by; the address itself where it is none."""
    try:
        return url_key(url)
    except InvalidUrl:
        return url


async def note_dead(world: World, worker: str, letter: Letter, error: PageloomError) -> None:
    """Write into the history that a job was given up, and why."""
    from pageloom.apps.agents.watched import fail_watched
    from pageloom.edges.store.runs import Run, note_run

    job, url = job_of(letter.body)
    if not job:
        return
    run = Run(
        url=address_key(url),
        outcome="dead_letter",
        reason=f"{worker}: {error.code}: {error.message}"[:500],
        key=failure_key(job, worker),
    )

    def note(store: Store) -> None:
        store.transact(lambda tx: note_run(tx, world.owner, run))
        if b'"watchId"' in letter.body and worker not in _BESIDE:
            fail_watched(store, world, msgspec.json.decode(letter.body), error)

    await world.with_store(note)

"""The run of each job: what identifies it, and how a job that was given up is recorded."""

from __future__ import annotations

import time
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.edges.store.runs import record_run
from pageloom.edges.store.sources import note_outcome, outcome_of, source_of
from pageloom.flows.capture.fetch_jobs import BESIDE
from pageloom.flows.queue.documents import url_or_key
from pageloom.flows.queue.lookups import find_watch, holds_lease
from pageloom.flows.queue.messages import mend_all, owner_of
from pageloom.model.library import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom.edges.store.base import Store, Tx
    from pageloom.errors import PageloomError
    from pageloom.flows.queue.messages import ChangeResult, ParsedPage
    from pageloom.flows.watch.context import CheckContext


class _Head(msgspec.Struct, rename="camel"):
    job_id: Any = ""
    url: Any = ""
    owner: Any = ""
    source_id: Any = ""
    watch_id: Any = None
    lease: Any = None


def job_of(body: bytes) -> tuple[str, str]:
    """The job and the URL that a message is about, as far as it says so."""
    head = _head(body)
    return _word(head.job_id)[:200], _word(head.url)[:2000]


def _word(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _head(body: bytes) -> _Head:
    """Of the body as it is, or mended: a message that nobody can work by still has a name."""
    for mend in (bytes, mend_all):
        try:
            return msgspec.json.decode(mend(body), type=_Head)
        except (ValueError, RecursionError):  # of bytes that are no UTF-8 it is no DecodeError
            continue
    return _Head()


def failure_key(owner: str, job_id: str, worker: str) -> str:
    """The name in the history of a job that was given up; two owners may have jobs of one name."""
    key = f"{job_id}:{_short_hash(owner)}"
    return f"{key}:{worker}" if worker in BESIDE else key


def check_key(owner: str, message: ParsedPage | ChangeResult) -> str:
    """What makes a check the same check again: its owner, its job, the content, and the URL.

    A job may lead to several URLs, and those to the same content.
    """
    place = _short_hash(f"{owner}\n{url_or_key(message.url)}")
    return f"{message.job_id}:{message.snapshot_hash}:{place}"


def _short_hash(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()[:16]


def record_failed_job(
    store: Store,
    worker: str,
    body: bytes,
    error: PageloomError,
    *,
    owner: str,
    context: Callable[[], CheckContext],
) -> None:
    """Write into the history that a job was given up, and why.

    Args:
        store: the library.
        worker: who gave it up.
        body: its message.
        error: why.
        owner: whose library it is for, if the message does not say so.
        context: makes what ending the turn of a watch needs.
    """
    job, url = job_of(body)
    if not job:
        return
    head = _head(body)
    named = owner_of({"owner": head.owner}, owner)
    if worker not in BESIDE and _fail_watch(store, named, head, error, context):
        return
    run = Run(
        url=url_or_key(url),
        outcome="dead_letter",
        reason=f"{worker}: {error.code}: {error.message}"[:500],
        key=failure_key(named, job, worker),
    )
    source = "" if worker in BESIDE else _source(store, named, head)
    store.transact(lambda tx: _note(tx, named, run, source, error))


def _fail_watch(
    store: Store,
    owner: str,
    head: _Head,
    error: PageloomError,
    context: Callable[[], CheckContext],
) -> bool:
    """A check that was given up is a failure of its watch; whether it was leased for this one."""
    if head.watch_id is None:
        return False
    watch = find_watch(store, owner, head.watch_id, _word(head.url))
    if watch is None or not holds_lease(watch, head.lease):
        return False
    from pageloom.flows.watch.check import fail_check

    fail_check(context(), watch, error, time.monotonic())
    return True


def _source(store: Store, owner: str, head: _Head) -> str:
    if isinstance(head.source_id, str) and head.source_id:
        return head.source_id
    found = source_of(store, owner, str(head.url))
    return found.id if found else ""


def _note(tx: Tx, owner: str, run: Run, source: str, error: PageloomError) -> None:
    if record_run(tx, owner, run) and source:
        note_outcome(tx, owner, source, outcome_of(error))

"""What the event log tells of."""

from __future__ import annotations

from dataclasses import replace

from tests.saving import save_document

from pageloom.edges.store.changes import insert_change
from pageloom.edges.store.events import events_after, prune_events
from pageloom.edges.store.outbox import mark_failed, mark_sent, queue_message
from pageloom.edges.store.pages import act
from pageloom.edges.store.times import later, now
from pageloom.edges.store.watches import add_watch, change_watch, pause_watch, remove_watch
from pageloom.model import Document
from pageloom.model.library import Change, OutboxMessage
from pageloom.model.watch import NewWatch, WatchSettings

URL = "https://a.example/"
AT = "2026-01-01T00:00:00.000Z"


def kinds(store, after: int = 0) -> list[str]:
    return [event.kind for event in events_after(store, "local", after)]


def newest(store) -> int:
    return events_after(store, "local")[-1].id


def test_pages_changes_watches_and_notices_are_in_the_log(store):
    saved = save_document(store, "local", Document(url=URL, text="x", snapshot_hash="x"))
    store.transact(lambda tx: act(tx, "local", "pin", saved.page_id))
    change = Change(id="c", owner="local", page_id=saved.page_id, to_version=1, created_at=AT)
    for _ in range(2):
        store.transact(lambda tx: insert_change(tx, change))
    assert kinds(store)[1:] == ["page.pin", "change.found"]
    (_, pinned, found) = events_after(store, "local")
    assert (pinned.page_id, found.detail["change"]) == (saved.page_id, "c")
    seen = newest(store)
    new = NewWatch(owner="local", url=URL, url_full=URL, host="a", settings=WatchSettings())
    watch, _ = add_watch(store, new)
    add_watch(store, new)
    change_watch(store, watch, settings=WatchSettings(), name="x", next_due=AT)
    pause_watch(store, watch, paused=True)
    pause_watch(store, watch, paused=False)
    remove_watch(store, watch)
    remove_watch(store, watch)
    watched = ["added", "changed", "paused", "resumed", "removed"]
    assert kinds(store, seen) == [f"watch.{kind}" for kind in watched]
    seen = newest(store)
    message = OutboxMessage(id="m1", owner="local", target="console", created_at=AT)
    other = replace(message, id="m2")
    for each in (message, other):
        store.transact(lambda tx, each=each: queue_message(tx, each))
    mark_sent(store, message, AT)
    mark_failed(store, other, error="no", next_try=AT, at=AT)
    mark_failed(store, other, error="no", next_try=None, at=AT)
    assert kinds(store, seen) == ["notice.sent", "notice.failed"]
    assert events_after(store, "ann") == []


def test_events_are_kept_for_a_while_and_then_pruned(store):
    save_document(store, "local", Document(url=URL, text="x", snapshot_hash="x"))
    with store.write() as tx:
        tx.run("UPDATE events SET at = ?", later(now(), -40 * 86_400))
    save_document(store, "local", Document(url=URL, text="y", snapshot_hash="y"))
    [_, last] = events_after(store, "local")
    assert store.transact(lambda tx: prune_events(tx, later(now(), -30 * 86_400))) == 1
    assert events_after(store, "local") == [last]

"""Two users of one library: neither reads, nor changes, what is the other's."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.saving import save_document

import pageloom.edges.store
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.notify.notice import Notice
from pageloom.edges.notify.options import NotifyOptions
from pageloom.edges.store import outbox
from pageloom.edges.store.backup import TABLES
from pageloom.edges.store.changes import insert_change, list_changes
from pageloom.edges.store.events import record_event
from pageloom.edges.store.files import make_file
from pageloom.edges.store.highlights import add_highlight
from pageloom.edges.store.jobs import mark_done, open_job
from pageloom.edges.store.link_checks import note_link_check
from pageloom.edges.store.pictures import keep_picture, want_pictures
from pageloom.edges.store.prices import insert_event, insert_price
from pageloom.edges.store.runs import record_run
from pageloom.edges.store.saving import prepare
from pageloom.edges.store.searches import put_search
from pageloom.edges.store.sessions import add_session, list_sessions
from pageloom.edges.store.snapshots import keep_snapshot
from pageloom.edges.store.sources import put_source
from pageloom.edges.store.stats import read_stats
from pageloom.edges.store.tags import add_note, add_tags, notes_of, tags_of
from pageloom.edges.store.user_rules import put_rule
from pageloom.edges.store.users import ensure_user, list_tokens, make_token
from pageloom.edges.store.versions import history
from pageloom.edges.store.visual_changes import keep_look
from pageloom.edges.store.watches import add_watch
from pageloom.errors import NotInLibrary
from pageloom.flows.notify.deliver import NotifyContext
from pageloom.flows.notify.outbox_sender import send_due
from pageloom.model import Document
from pageloom.model.capture import Capture
from pageloom.model.files import VisualChange
from pageloom.model.highlights import Highlight
from pageloom.model.library import (
    Change,
    Job,
    OutboxMessage,
    Run,
    Source,
    StoredPrice,
    StoredPriceEvent,
)
from pageloom.model.links import LinkCheck
from pageloom.model.pages import DEFAULT_FILTERS, PageRef, ReadingProgress
from pageloom.model.searches import SavedSearch
from pageloom.model.user_rules import UserRule
from pageloom.model.watch import NewWatch, Watch, WatchSettings, WatchState


def queue(store, owner: str, number: int, target: str = "feed:walks") -> None:
    notice = Notice(
        id=f"{owner}-{number}",
        kind="change",
        title=f"Number {number} for {owner}",
        url="https://a.example/",
        at="2026-01-01T00:00:00Z",
    )

    def add(tx) -> None:
        ensure_user(tx, owner)
        message = OutboxMessage(
            id=notice.id,
            owner=owner,
            target=target,
            payload=notice.to_dict(),
            created_at="2026-01-01T00:00:00.000000Z",
        )
        outbox.queue_message(tx, message)

    store.transact(add)


def send(store, directory: Path, **options) -> None:
    context = NotifyContext(
        options=NotifyOptions(**options),
        fetch=FetchOptions(),
        feed_directory=directory,
        now=lambda: 1_800_000_000.0,
    )
    asyncio.run(send_due(store, context, "test"))


@pytest.mark.parametrize("other", ["ann", "../local", "Ann", "a/b", "ann." * 50])
def test_a_feed_of_the_same_name_is_another_feed_for_each_user(store, tmp_path, other):
    queue(store, "local", 1)
    queue(store, other, 2)
    send(store, tmp_path / "feeds")
    queue(store, "local", 3)
    queue(store, other, 4)
    send(store, tmp_path / "feeds")
    local = (tmp_path / "feeds" / "walks.atom.xml").read_text()
    assert "Number 1 for local" in local
    assert "Number 3 for local" in local
    assert "Number 2" not in local
    (theirs,) = (tmp_path / "feeds").glob("*/walks.atom.xml")
    assert "Number 2 for" in theirs.read_text()
    assert "Number 4 for" in theirs.read_text()
    assert "for local" not in theirs.read_text()
    assert [each.id for each in outbox.recent_messages(store, other, "feed:walks", 9)] == [
        f"{other}-2",
        f"{other}-4",
    ]


def test_a_digest_is_sent_in_its_round_and_holds_up_no_backlog(store, tmp_path):
    for number in range(450):
        queue(store, "ann", number, "console")
    for sent, waiting in ((1, 250), (2, 50), (3, 0)):
        send(store, tmp_path, rate_limit=40)
        states = [each.state for each in outbox.list_messages(store, "ann", limit=500)]
        assert (states.count("sent"), states.count("waiting")) == (sent, waiting)


def test_the_rate_limit_of_a_target_counts_the_messages_of_one_user(store, tmp_path, capsys):
    for number in range(2):
        queue(store, "ann", number, "console")
        send(store, tmp_path, rate_limit=2)
    queue(store, "ben", 1, "console")
    send(store, tmp_path, rate_limit=2)
    assert outbox.list_messages(store, "ben")[0].state == "sent"
    queue(store, "ann", 2, "console")
    send(store, tmp_path, rate_limit=2)
    assert [each.state for each in outbox.list_messages(store, "ann")].count("waiting") == 1


SECRET = "annssecret"
URL = "https://a.example/"
LOOK = VisualChange(page_id=1, watch_id=1, version=1, share=0.5, after_hash=SECRET, at=SECRET)
PICTURE = "https://a.example/lamp.png"
AT = "2026-01-01T00:00:00.000Z"
MARK = Highlight(
    id=0, page_id=1, quote="swifts", version=1, found_version=1, created_at=AT, updated_at=AT
)
SEARCH = SavedSearch(id=0, owner="ann", name="x", query="swifts", checked_at=AT, created_at=AT)
BY_OWNER = {"owner", "page", "watch", "job", "message", "messages"}
"""A function with one of these knows whose things it reads and writes."""
INTERNAL = (
    # The whole database, and its schema.
    "backup.back_up backup.restore_backup migrate.apply_steps migrate.migrate"
    " migrate.schema_version import_rows.replace_table "
    # What the scheduler, the workers, the sender and housekeeping do for all users.
    "clock_jumps.forget_future "
    "host_leases.claim_due host_leases.free_all host_leases.lease_host host_leases.release_host"
    " jobs.claim_next sources.claim_source outbox.due_targets watches.first_due"
    " events.last_events events.prune_events events.write_events"
    " files.drop_unused_files pictures.owners_waiting"
    " idempotency.prune_results jobs.prune_jobs outbox.prune_messages runs.prune_runs"
    " retention.drop_unused_bodies retention.prune_content retention.prune_daily"
    " idempotency.count_results idempotency.find_result idempotency.lock_name"
    " idempotency.store_result idempotency.drop_results searches.due_searches "
    # Users and tokens themselves.
    "users.ensure_user users.find_token users.has_passwords users.user_figures"
    " sessions.find_session sessions.server_key sessions.use_link "
    # Parts of a transaction that has found its page by its owner before; values with an owner.
    "files.insert_file pictures.forget_pictures snapshots.drop_snapshots"
    " bodies.has_body bodies.insert_body bodies.keep_body changes.insert_change"
    " import_rows.add_thinned import_rows.bring_state import_rows.note_last_seen"
    " import_rows.stay_deleted import_rows.uuid_is_free import_rows.has_versions"
    " prices.insert_event prices.insert_price"
    " highlights.follow_highlights highlights.highlights_in highlight_places.text_in"
    " searches.put_search prices.series_in saving.next_number saving.refresh_page"
    " saving.write_content"
    " search_hits.show_hits search_terms.refresh_own search_terms.write_findable"
    " tags.notes_in tags.tags_in"
    " tracks.note_still tracks.read_track tracks.replace_document tracks.version_at"
    " tracks.write_track_state versions.latest_in versions.see_version_again watches.add_watch "
    # Pieces of SQL.
    "listing.among listing.by_number listing.few_in_order listing.in_order"
)


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function of the store that reads or writes, as ``module.name``."""
    for module in pkgutil.iter_modules(pageloom.edges.store.__path__):
        found = importlib.import_module(f"pageloom.edges.store.{module.name}")
        for name, function in inspect.getmembers(found, inspect.isfunction):
            is_own = function.__module__ == found.__name__ and not name.startswith("_")
            if is_own and next(iter(inspect.signature(function).parameters), "") in {"store", "tx"}:
                yield f"{module.name}.{name}", function


def owned() -> dict[str, Callable[..., Any]]:
    return {
        name: function
        for name, function in functions()
        if BY_OWNER & set(inspect.signature(function).parameters)
    }


def test_every_function_knows_whose_things_it_touches_or_is_said_to_be_internal():
    assert {name for name, _ in functions()} - set(owned()) == set(INTERNAL.split())


def live(store) -> SimpleNamespace:
    """What Ann has: something of everything."""
    document = Document(
        url=URL, final_url=URL, title=SECRET, text=f"{SECRET} swifts.", snapshot_hash="x"
    )
    saved = save_document(store, "ann", document, body=SECRET.encode())
    page = PageRef("ann", saved.page_id)
    make_token(store, "ann", label=SECRET)
    add_session(store, "ann", label=SECRET, seconds=9e9)
    put_source(store, "ann", Source(id="tide", name=SECRET, site="a.example", feeds=("f",)))
    watch = NewWatch(
        owner="ann",
        url=URL,
        url_full=URL,
        host="h",
        name=SECRET,
        settings=WatchSettings(),
        next_due=AT,
    )
    job = open_job(store, "ann", "save", {"urls": [SECRET]})
    message = OutboxMessage(
        id="m1", owner="ann", target="console", payload={"x": SECRET}, created_at=AT
    )
    price = StoredPrice(page_id=page.id, at=AT, amount=Decimal(1), source=SECRET)
    event = StoredPriceEvent(id="p1", page_id=page.id, at=AT, kind="drop", detail={"x": SECRET})
    change = Change(
        id="c1", owner="ann", page_id=page.id, to_version=1, summary=SECRET, created_at=AT
    )
    with store.write() as tx:
        add_tags(tx, page, [SECRET])
        note = add_note(tx, page, SECRET)
        highlight = add_highlight(tx, page, replace(MARK, quote=SECRET))
        put_search(tx, replace(SEARCH, name=SECRET))
        insert_change(tx, change)
        insert_price(tx, price)
        insert_event(tx, event)
        outbox.queue_message(tx, message)
        outbox.queue_message(tx, replace(message, id="m2"))
        tx.run("UPDATE outbox SET state = 'sent', done_at = created_at WHERE id = 'm2'")
        record_run(tx, "ann", Run(url=URL, outcome="new", reason=SECRET, key="run"))
        mark_done(tx, job, "a", {"x": SECRET})
        want_pictures(tx, page, [PICTURE, f"{URL}{SECRET}.png"])
        note_link_check(tx, page, LinkCheck(page_id=page.id, url=SECRET, state="dead"))
        shot = make_file(SECRET.encode(), "image/png")
        keep_look(tx, page, replace(LOOK, page_id=page.id, after_hash=shot.hash), [shot])
        keep_snapshot(tx, page, 1, "html", make_file(SECRET.encode(), "text/html"))
        keep_picture(tx, page, PICTURE, make_file(SECRET.encode(), "image/png"))
        record_event(tx, "ann", "test", x=SECRET)
    rule = UserRule(name=SECRET, text=SECRET, url=URL, expected=SECRET, page=SECRET.encode())
    put_rule(store, "ann", rule)
    (info,) = history(store, page)
    return SimpleNamespace(
        page=page,
        watch=add_watch(store, watch)[0],
        job=job,
        message=message,
        note=note,
        highlight=highlight,
        info=info,
        document=document,
        token=list_tokens(store, "ann")[0].id,
        session=list_sessions(store, "ann")[0].id,
    )


def rows_of_ann(store) -> dict[str, list]:
    """All that is Ann's: everything but Eve's rows."""
    with store.read() as tx:
        found = {
            table: [dict(row) for row in tx.all(f"SELECT * FROM {table}")]  # noqa: S608
            for table in TABLES
            if tx.has_relation(table) and table != "users"
        }
        eves = tx.column("SELECT id FROM pages WHERE owner = 'eve'")
        jobs = tx.column("SELECT id FROM jobs WHERE owner = 'eve'")
    return {
        table: sorted(
            str(row)
            for row in rows
            if row.get("owner") != "eve"
            and row.get("page_id") not in eves
            and row.get("job_id") not in jobs
        )
        for table, rows in found.items()
    }


def as_eve(ann: SimpleNamespace) -> dict[str, Any]:
    """Arguments by name: Eve's name, and Ann's ids."""
    watch: Watch = replace(ann.watch, owner="eve", name="", lease_owner="w")
    message = replace(ann.message, owner="eve", payload={})
    return {
        "owner": "eve",
        "page": PageRef("eve", ann.page.id),
        "page_id": ann.page.id,
        "watch": watch,
        "job": Job(id=ann.job.id, owner="eve", kind="save"),
        "job_id": ann.job.id,
        "message": message,
        "messages": [message],
        "digest": replace(message, id="digest"),
        "number": 1,
        "note_id": ann.note,
        "token_id": ann.token,
        "session_id": ann.session,
        "page_ids": [ann.page.id],
        "hashed": "x",
        "role": "member",
        "preferences": {},
        "tag": SECRET,
        "change_id": "c1",
        "id_": "tide",
        "hash_": ann.info.body_hash,
        "info": ann.info,
        "ready": prepare(Capture(document=replace(ann.document, text="Eve's.", title="Eve's"))),
        "document": replace(ann.document, title="Eve's"),
        "snapshot_hash": "x",
        "source": Source(id="tide", name="Eve's"),
        "run": Run(url=URL, outcome="new"),
        "key": URL,
        "url": URL,
        "name": URL,
        "title": "Eve's",
        "text": "swifts",
        "tags": ["birds"],
        "filters": DEFAULT_FILTERS,
        "item": "a",
        "target": "console",
        "action": "delete",
        "instant": "9",
        "at": AT,
        "since": "",
        "until": "9",
        "next_try": None,
        "next_due": AT,
        "error": "",
        "outcome": "success",
        "settings": WatchSettings(),
        "state": WatchState(),
        "failures": 0,
        "paused": True,
        "holder": "w",
        "lease_until": AT,
        "seconds": 60.0,
        "limit": 9,
        "total": 7,
        "kind": "save",
        "free_at": AT,
        "after": 0,
        "progress": ReadingProgress(version=1, block=1, blocks=2),
        "to": PageRef("eve", ann.page.id),
        "urls": [URL],
        "file": make_file(b"eve", "image/png"),
        "reason": "x",
        "table": "pictures",
        "look": LOOK,
        "files": [],
        "watch_id": 1,
        "check": LinkCheck(page_id=ann.page.id, url="x", state="alive"),
        "attempts": 1,
        "retry": True,
        "highlight": replace(MARK, id=ann.highlight, note="Eve's"),
        "given": [MARK],
        "new": ann.document,
        "rule": UserRule(name=SECRET, text="eve", url=URL, expected="{}"),
    }


OTHERWISE: dict[str, dict[str, Any]] = {
    "events.record_event": {"detail": None, "page_id": None},
    "snapshots.keep_snapshot": {"kind": "html"},
    "snapshots.read_snapshot": {"kind": "html"},
    "pictures.find_picture": {"url": PICTURE},
    "pictures.keep_picture": {"url": PICTURE},
    "pictures.miss_picture": {"url": f"{URL}{SECRET}.png"},
    "jobs.open_job": {"settings": {"urls": []}},
    "jobs.end_job": {"failed": 1},
    "jobs.list_jobs": {"state": None},
    "jobs.list_items": {"state": None},
    "outbox.list_messages": {"state": None},
    "runs.runs_of_job": {"job": "run"},
    "runs.delete_run": {"key": "run"},
    "saving.save_in": {"origin": "save"},
    "sources.note_poll": {"state": {}},
    "user_rules.find_user_rule": {"name": SECRET},
    "user_rules.remove_user_rule": {"name": SECRET},
}
"""Where a name means something else."""


def call_as_eve(store, ann: SimpleNamespace, name: str) -> Any:
    """What a function gives Eve for Ann's ids."""
    known = as_eve(ann) | OTHERWISE.get(name, {})
    first, *rest = inspect.signature(owned()[name]).parameters.values()
    wanted = [
        each
        for each in rest
        if each.kind is not each.VAR_KEYWORD
        and (known.get(each.name) is not None or each.default is each.empty)
    ]
    positional = [known[each.name] for each in wanted if each.kind is not each.KEYWORD_ONLY]
    named = {each.name: known[each.name] for each in wanted if each.kind is each.KEYWORD_ONLY}
    call = partial(owned()[name], **named)
    try:
        if first.name == "tx":
            return store.transact(lambda tx: call(tx, *positional))
        found = call(store, *positional)
    except NotInLibrary:
        return None
    return list(found) if isinstance(found, Iterator) else found


def test_nobody_reads_or_changes_what_is_anothers_by_its_id(store):
    ann = live(store)
    with store.write() as tx:
        ensure_user(tx, "eve")
    before = rows_of_ann(store)
    for name in sorted(owned()):
        assert SECRET not in str(call_as_eve(store, ann, name)), name
        assert rows_of_ann(store) == before, name


def test_figures_are_those_of_one_user(store):
    live(store)
    save_document(store, "eve", Document(url=URL, text="x", snapshot_hash="x"), body=b"12345678")
    mine = read_stats(store, "eve")
    assert (mine["pages"], mine["versions"], mine["bodies"]["size"]) == (1, 1, 8)
    assert mine["bodies"]["count"] == 1


def test_the_owner_reads_what_nobody_else_does(store):
    """The test above would pass if nothing were found at all."""
    ann = live(store)
    assert history(store, ann.page)
    assert tags_of(store, ann.page) == (SECRET,)
    assert [note.text for note in notes_of(store, ann.page)] == [SECRET]
    assert list_changes(store, "ann", page_id=ann.page.id)[0].title == SECRET

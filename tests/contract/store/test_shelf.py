from __future__ import annotations

import pytest
from tests.saving import save_document

from pageloom.edges.store.pages import act, deleted_before, get_page, mark_opened, purge
from pageloom.edges.store.retention import prune_content
from pageloom.edges.store.sources import (
    due_sources,
    get_source,
    list_sources,
    note_outcome,
    note_poll,
    put_source,
    remove_source,
    source_of,
)
from pageloom.edges.store.stats import read_stats
from pageloom.edges.store.tags import (
    add_note,
    add_tags,
    all_tags,
    notes_of,
    remove_note,
    remove_tags,
    tags_of,
)
from pageloom.edges.store.times import now
from pageloom.edges.store.users import (
    find_token,
    list_tokens,
    make_token,
    revoke_token,
    user_figures,
)
from pageloom.edges.store.versions import history, version
from pageloom.model import Document
from pageloom.model.library import Source
from pageloom.model.pages import PageRef

URL = "https://tidewatch.example/swifts"


def save(store, text="Swifts.", *, owner="local", url=URL, body=None, **more):
    document = Document(
        url=url, final_url=url, title="Swifts", text=text, snapshot_hash=text, word_count=1
    )
    return save_document(store, owner, document, body=body, **more)


def do(store, action, page_id=1, owner="local"):
    return store.transact(lambda tx: act(tx, owner, action, page_id))


def test_what_a_user_did_with_a_page_stays_when_it_is_saved_again(store):
    save(store, fetched_at="2026-01-01T00:00:00Z")
    with store.write() as tx:
        tx.run("UPDATE pages SET saved_at = '2025-01-01T00:00:00.000Z'")
        add_tags(tx, PageRef("local", 1), ["Birds"])
        add_note(tx, PageRef("local", 1), "Ask about the crane.")
    do(store, "pin")
    do(store, "archive")
    saved = save(store, "Other text.")
    page = get_page(store, "local", 1)
    assert saved.changed
    assert page
    assert (page.pinned, page.archived) == (True, True)
    assert page.saved_at == "2025-01-01T00:00:00.000Z"
    assert tags_of(store, PageRef("local", 1)) == ("Birds",)
    assert [note.text for note in notes_of(store, PageRef("local", 1))] == ["Ask about the crane."]


def test_every_action_does_what_it_says_once_and_only_for_the_owner(store):
    save(store)
    for action, undo in (
        ("pin", "unpin"),
        ("archive", "unarchive"),
        ("delete", "restore"),
        ("read", "unread"),
    ):
        assert not do(store, undo)
        assert not do(store, action, owner="eve")
        assert do(store, action)
        assert not do(store, action)
        assert do(store, undo)
    with pytest.raises(KeyError):
        do(store, "explode")


def test_reading_marks_the_page_as_opened_and_read(store):
    save(store)
    mark_opened(store, "local", 1)
    page = get_page(store, "local", 1)
    assert page
    assert page.last_opened_at
    assert page.read_at == page.last_opened_at


def test_only_a_deleted_page_can_be_purged_and_then_nothing_of_it_is_left(store):
    save(store, body=b"original")
    assert not store.transact(lambda tx: purge(tx, "local", 1))
    do(store, "delete")
    with store.read() as tx:
        assert deleted_before(tx, "local", now()) == [1]
    assert not store.transact(lambda tx: purge(tx, "eve", 1))
    assert store.transact(lambda tx: purge(tx, "local", 1))
    prune_content(store)
    with store.read() as tx:
        for table in ("pages", "versions", "contents", "search", "tracks", "bodies"):
            assert tx.value(f"SELECT count(*) FROM {table}") == 0, table  # noqa: S608


def test_saving_a_deleted_page_brings_it_back_but_watching_it_does_not(store):
    save(store)
    do(store, "delete")
    save(store, "Seen by a watch.", origin="watch")
    page = get_page(store, "local", 1)
    assert page
    assert page.deleted_at
    save(store, "Saved again.")
    page = get_page(store, "local", 1)
    assert page
    assert not page.deleted_at


def test_a_discarded_page_is_archived(store):
    document = Document(
        url=URL, final_url=URL, discarded=True, discard_reason="spam", snapshot_hash="x"
    )
    save_document(store, "local", document)
    page = get_page(store, "local", 1)
    assert page
    assert (page.archived, page.discarded, page.metadata["discarded"]) == (True, True, True)


def test_tags_are_the_same_however_they_are_spelt(store):
    save(store)
    with store.write() as tx:
        assert add_tags(tx, PageRef("local", 1), ["Birds", " #birds ", "harbour  crane", ""]) == 2
        assert remove_tags(tx, PageRef("local", 1), ["BIRDS", "none"]) == 1
    assert tags_of(store, PageRef("local", 1)) == ("harbour crane",)
    assert all_tags(store, "local") == [("harbour crane", 1)]


def test_notes_are_kept_in_order_and_removed_by_number(store):
    save(store)
    with store.write() as tx:
        first, _ = (
            add_note(tx, PageRef("local", 1), "One."),
            add_note(tx, PageRef("local", 1), "Two."),
        )
        assert remove_note(tx, PageRef("local", 1), first)
        assert not remove_note(tx, PageRef("local", 2), first)
    assert [note.text for note in notes_of(store, PageRef("local", 1))] == ["Two."]


def test_old_trivial_versions_are_thinned_but_the_history_has_no_gap(store):
    save(store, "One.", body=b"1", fetched_at="2020-01-01")
    save(store, "Two.", body=b"2", fetched_at="2020-01-02", trivial=True)
    save(store, "Three.", body=b"3", fetched_at="2020-01-03", trivial=True)
    gone = prune_content(store, trivial_before="2021-01-01")
    assert (gone.versions, gone.originals) == (1, 1)
    assert [(one.number, one.thinned) for one in history(store, PageRef("local", 1))] == [
        (3, False),
        (2, True),
        (1, False),
    ]
    assert version(store, PageRef("local", 1), 2) is None
    assert version(store, PageRef("local", 1), 3)


def test_old_originals_are_deleted_but_never_the_last(store):
    save(store, "One.", body=b"1", fetched_at="2020-01-01")
    save(store, "Two.", body=b"2", fetched_at="2020-01-02")
    assert prune_content(store, originals_before="2021-01-01").originals == 1
    assert [bool(one.body_hash) for one in history(store, PageRef("local", 1))] == [True, False]


def test_the_same_original_is_kept_once(store):
    save(store, body=b"same" * 100)
    save(store, url="https://tidewatch.example/copy", body=b"same" * 100)
    for other in ("ann", "zoe"):
        save(store, owner=other, body=b"same" * 100)
    stats = read_stats(store, "local")
    assert (stats["pages"], stats["versions"], stats["bodies"]["count"]) == (2, 2, 1)
    assert stats["bodies"]["stored_size"] < stats["bodies"]["size"] == 400
    assert stats["domains"] == [{"name": "tidewatch.example", "pages": 2}]


def test_a_token_speaks_for_its_user_until_it_is_revoked_or_past_its_time(store):
    token = make_token(store, "ann", label="phone")
    assert find_token(store, token).owner == "ann"
    for wrong in ("", "plm_", token + "x", token.swapcase(), "plm_" + "x" * 10_000):
        assert find_token(store, wrong) is None
    [known] = list_tokens(store, "ann")
    assert known.label == "phone"
    assert not revoke_token(store, "bob", known.id)
    assert revoke_token(store, "ann", known.id)
    assert find_token(store, token) is None
    assert (
        find_token(store, make_token(store, "ann", expires_at="2020-01-01T00:00:00.000Z")) is None
    )
    figures = {one["name"]: (one["pages"], one["tokens"]) for one in user_figures(store)}
    assert figures == {"ann": (0, 0), "local": (0, 0)}
    with store.read() as tx:
        assert token not in str(tx.all("SELECT * FROM tokens"))


def test_reliability_follows_the_outcomes(store):
    put_source(store, "local", Source(id="tide", site="tidewatch.example"))

    def outcome(kind: str) -> float:
        store.transact(lambda tx: note_outcome(tx, "local", "tide", kind))
        source = get_source(store, "local", "tide")
        assert source
        return round(source.reliability, 4)

    assert outcome("success") == 0.55
    assert outcome("unrecoverable") == 0.495
    assert outcome("parse") == 0.495
    assert outcome("parse") == 0.495
    assert outcome("parse") == 0.4455
    assert outcome("down") == 0.4455
    assert outcome("success") == 0.501
    assert outcome("parse") == 0.501


def test_the_registry_knows_sources_by_name_host_and_time(store):
    feeds = ("https://tidewatch.example/feed.xml",)
    put_source(store, "local", Source(id="tide", site="tidewatch.example", feeds=feeds))
    assert put_source(store, "local", Source(id="blog", site="blog.tidewatch.example"))
    assert not put_source(
        store, "local", Source(id="blog", site="blog.tidewatch.example", name="B")
    )
    nearest = source_of(store, "local", "https://www.blog.tidewatch.example/x")
    assert nearest
    assert (nearest.id, nearest.name) == ("blog", "B")
    assert source_of(store, "local", "https://watch.example/x") is None
    assert source_of(store, "local", "no address") is None
    [due] = due_sources(store, "local", now())
    assert due.id == "tide"
    note_poll(store, "local", due, {"etag": "x"})
    assert due_sources(store, "local", now()) == []
    assert [one.id for one in list_sources(store, "local", min_reliability=0.5)] == ["blog", "tide"]
    assert remove_source(store, "local", "tide")
    assert get_source(store, "local", "tide") is None

"""The same done to many pages, undone again; tags renamed; sources claimed; on both databases."""

from __future__ import annotations

import pytest
from tests.saving import save_document

from pageloom.edges.store.pages import get_page
from pageloom.edges.store.sources import claim_source, note_poll, put_source
from pageloom.edges.store.tags import add_tags, all_tags, tags_of, tags_of_pages
from pageloom.errors import InvalidArgument, NotInLibrary
from pageloom.flows.library.organize import act_on_many, find_done, rename_tag, undo
from pageloom.model import Document
from pageloom.model.library import Source
from pageloom.model.pages import PageRef


def save(store, owner: str, name: str) -> PageRef:
    url = f"https://{name}.example/"
    document = Document(url=url, final_url=url, title=name, text=name, snapshot_hash=name)
    return PageRef(owner, save_document(store, owner, document).page_id)


def test_what_was_done_to_many_pages_is_undone_where_it_changed_something(store):
    first, second = save(store, "ann", "a"), save(store, "ann", "b")
    act_on_many(store, "ann", "archive", [first.id])
    done = act_on_many(store, "ann", "archive", [first.id, second.id, 999])
    assert done.pages == (second.id,)
    assert find_done(store, "ann", done.id) == done
    assert undo(store, "ann", done.id).pages == (second.id,)
    assert get_page(store, "ann", first.id).archived
    assert not get_page(store, "ann", second.id).archived


def test_deleting_and_tagging_can_be_undone_too(store):
    page = save(store, "ann", "a")
    with store.write() as tx:
        add_tags(tx, page, ["Old"])
    deleted = act_on_many(store, "ann", "delete", [page.id])
    undo(store, "ann", deleted.id)
    assert get_page(store, "ann", page.id).deleted_at is None
    tagged = act_on_many(store, "ann", "tag", [page.id], tag="New")
    again = act_on_many(store, "ann", "tag", [page.id], tag="old")
    assert tags_of(store, page) == ("New", "Old")
    assert again.pages == ()
    undo(store, "ann", tagged.id)
    assert tags_of(store, page) == ("Old",)


def test_nobody_acts_on_or_undoes_what_is_anothers(store):
    page = save(store, "ann", "a")
    for action in ("delete", "tag"):
        assert act_on_many(store, "eve", action, [page.id], tag="x").pages == ()
    done = act_on_many(store, "ann", "pin", [page.id])
    with pytest.raises(NotInLibrary):
        undo(store, "eve", done.id)
    assert get_page(store, "ann", page.id).pinned


@pytest.mark.parametrize(("action", "tag"), [("explode", ""), ("tag", ""), ("tag", "#")])
def test_what_cannot_be_done_is_refused(store, action, tag):
    with pytest.raises(InvalidArgument):
        act_on_many(store, "ann", action, [], tag=tag)


def test_a_tag_is_renamed_merged_and_removed(store):
    first, second, other = (
        save(store, *each) for each in (("ann", "a"), ("ann", "b"), ("eve", "c"))
    )
    with store.write() as tx:
        add_tags(tx, first, ["Birds", "Swifts"])
        add_tags(tx, second, ["swifts"])
        add_tags(tx, other, ["Swifts"])
    assert rename_tag(store, "ann", "SWIFTS", "birds") == 2
    assert all_tags(store, "ann") == [("Birds", 2)] or all_tags(store, "ann") == [("birds", 2)]
    assert rename_tag(store, "ann", "birds", "") == 2
    assert all_tags(store, "ann") == []
    assert all_tags(store, "eve") == [("Swifts", 1)]


def test_the_tags_of_many_pages_come_at_once(store):
    first, second = save(store, "ann", "a"), save(store, "ann", "b")
    with store.write() as tx:
        add_tags(tx, first, ["Two", "One"])
    assert tags_of_pages(store, "ann", [first.id, second.id]) == {first.id: ("One", "Two")}
    assert tags_of_pages(store, "eve", [first.id]) == {}
    assert tags_of_pages(store, "ann", []) == {}


def test_a_source_that_is_due_is_claimed_by_one(store):
    put_source(store, "ann", Source(id="tide", feeds=("https://a.example/feed",)))
    put_source(store, "eve", Source(id="tide", feeds=("https://b.example/feed",)))
    claimed = [claim_source(store, seconds=60) for _ in range(3)]
    assert sorted(one[0] for one in claimed if one) == ["ann", "eve"]
    owner, source = claimed[0]
    note_poll(store, owner, source, {})
    assert claim_source(store, seconds=60) is None


def test_a_source_whose_poller_was_killed_is_claimed_again(store):
    put_source(store, "ann", Source(id="tide", feeds=("https://a.example/feed",)))
    assert claim_source(store, seconds=-1)
    assert claim_source(store, seconds=60)

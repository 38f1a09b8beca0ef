"""Which page a Document belongs to when addresses lead elsewhere, in both databases."""

from __future__ import annotations

from tests.saving import save_document

from pageloom.edges.store.import_rows import add_bare, bring_state
from pageloom.edges.store.pages import act, find_page, get_page
from pageloom.edges.store.stats import read_stats
from pageloom.edges.store.tags import add_note, add_tags, notes_of, tags_of
from pageloom.model import Document
from pageloom.model.pages import PageRef

OLD, NEW = "https://ships.example/old", "https://ships.example/ropes/new"
KEY = "https://ships.example/old"


def document(url: str, final_url: str, title: str = "A good rope", text: str = "one") -> Document:
    return Document(
        url=url, final_url=final_url, title=title, text=text, snapshot_hash=text, word_count=9
    )


def pages_in(store) -> int:
    return read_stats(store, "local")["pages"]


def test_a_page_that_has_moved_stays_the_page_that_it_was(store):
    first = save_document(store, "local", document(OLD, OLD))
    store.transact(lambda tx: add_tags(tx, PageRef("local", first.page_id), ["keep"]))
    store.transact(lambda tx: act(tx, "local", "pin", first.page_id))
    second = save_document(store, "local", document(OLD, NEW, text="two"))
    assert (second.page_id, second.version, second.changed) == (first.page_id, 2, True)
    third = save_document(store, "local", document(NEW, NEW, text="three"))
    assert (third.page_id, third.version) == (first.page_id, 3)
    page = find_page(store, "local", NEW)
    assert page is not None
    assert (page.id, page.pinned, page.final_url) == (first.page_id, True, NEW)
    assert find_page(store, "local", OLD) == page
    assert pages_in(store) == 1


def test_a_detour_to_something_else_is_a_page_of_its_own(store):
    first = save_document(store, "local", document(OLD, OLD))
    login = save_document(store, "local", document(OLD, NEW, title="Sign in", text="two"))
    assert login.page_id != first.page_id
    page = find_page(store, "local", OLD)
    assert page is not None
    assert (page.id, page.title, page.version) == (first.page_id, "A good rope", 1)


def test_a_detour_to_the_front_page_is_none_of_the_page_that_is_gone(store):
    first = save_document(store, "local", document(OLD, OLD, title="Ships"))
    home = "https://ships.example/"
    assert save_document(store, "local", document(OLD, home, "Ships", "two")).page_id != (
        first.page_id
    )


def test_what_was_once_led_elsewhere_can_become_a_page(store):
    login = save_document(store, "local", document(OLD, NEW, title="Sign in"))
    story = save_document(store, "local", document(OLD, OLD, text="two"))
    assert story.page_id != login.page_id
    page = find_page(store, "local", OLD)
    assert page is not None
    assert page.id == story.page_id


def test_a_bare_address_gets_the_content_of_the_place_it_leads_to(store):
    bare = store.transact(lambda tx: add_bare(tx, "local", KEY, OLD, "Rope?")["id"])
    store.transact(lambda tx: add_tags(tx, PageRef("local", bare), ["keep"]))
    saved = save_document(store, "local", document(OLD, NEW))
    assert (saved.page_id, saved.is_new, saved.version) == (bare, True, 1)
    assert tags_of(store, PageRef("local", bare)) == ("keep",)
    assert pages_in(store) == 1


def test_a_bare_address_that_leads_to_a_kept_page_joins_it(store):
    kept = save_document(store, "local", document(NEW, NEW))
    bare = store.transact(lambda tx: add_bare(tx, "local", KEY, OLD, "Rope?")["id"])
    state = {"saved_at": "2017-05-01T00:00:00Z"}
    store.transact(lambda tx: bring_state(tx, bare, state))
    store.transact(lambda tx: add_tags(tx, PageRef("local", bare), ["keep"]))
    store.transact(lambda tx: add_note(tx, PageRef("local", bare), "For the mast."))
    saved = save_document(store, "local", document(OLD, NEW))
    assert saved.page_id == kept.page_id
    assert tags_of(store, PageRef("local", kept.page_id)) == ("keep",)
    assert [note.text for note in notes_of(store, PageRef("local", kept.page_id))] == [
        "For the mast."
    ]
    page = get_page(store, "local", kept.page_id)
    assert page is not None
    assert page.saved_at.startswith("2017-05-01")
    assert find_page(store, "local", OLD) == page
    assert get_page(store, "local", bare) is None

from __future__ import annotations

import threading
import zlib
from dataclasses import replace

import msgspec
import pytest
from tests.saving import save_document

from pageloom.edges.store.base import open_store
from pageloom.edges.store.bodies import body_hash, read_body
from pageloom.edges.store.pages import find_page, get_page, page_by_url
from pageloom.edges.store.saving import prepare, save_in
from pageloom.edges.store.versions import history, latest_version, version
from pageloom.errors import InvalidUrl, StorageError
from pageloom.flows.capture.extract import extract
from pageloom.model.capture import Capture
from pageloom.model.pages import PageRef

URL = "https://tidewatch.example/nature/swifts"


def page(text: str = "The swifts came back to the harbour crane this spring.", title="Swifts"):
    body = f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>" + "".join(
        f"<p>{text} Paragraph {number} says a little more about it.</p>" for number in range(9)
    )
    return extract(body, URL, rules=None)


def test_a_new_page_gets_version_one_and_reads_back_as_it_was(store):
    document = page()
    saved = save_document(store, "local", document, body=b"<html>", fetched_at="2026-03-05T08:30Z")
    assert (saved.version, saved.is_new, saved.changed) == (1, True, False)
    found = latest_version(store, PageRef("local", saved.page_id))
    assert found
    assert found.document == document
    assert found.info.fetched_at == "2026-03-05T08:30:00.000Z"
    assert found.info.body_hash
    assert read_body(store, PageRef("local", saved.page_id), found.info.body_hash) == b"<html>"


def test_the_same_again_only_moves_the_time_it_was_last_seen(store):
    save_document(store, "local", page(), fetched_at="2026-03-05T08:00:00Z")
    saved = save_document(store, "local", page(), fetched_at="2026-03-06T08:00:00Z")
    assert (saved.version, saved.is_new, saved.changed) == (1, False, False)
    [only] = history(store, PageRef("local", saved.page_id))
    assert only.fetched_at.startswith("2026-03-05")
    assert only.last_seen_at.startswith("2026-03-06")


def test_a_difference_gets_the_next_number_and_the_old_stays_readable(store):
    save_document(store, "local", page("First."))
    saved = save_document(store, "local", page("Second."))
    assert (saved.version, saved.changed, saved.previous_version) == (2, True, 1)
    assert [one.number for one in history(store, PageRef("local", saved.page_id))] == [2, 1]
    first = version(store, PageRef("local", saved.page_id), 1)
    assert first
    assert "First." in first.document.text
    assert version(store, PageRef("local", saved.page_id), 3) is None


def test_a_line_of_its_own_has_its_own_numbers_and_leaves_the_page_alone(store):
    whole = save_document(store, "local", page("Whole."))
    part = save_document(store, "local", page("Part.", title="Part"), track="scope:price")
    assert (part.page_id, part.version) == (whole.page_id, 1)
    found = get_page(store, "local", whole.page_id)
    assert found
    assert found.title == "Swifts"
    assert len(history(store, PageRef("local", whole.page_id))) == 1


def test_a_much_worse_result_leaves_what_is_there(store):
    good = replace(page("Good."), quality_score=80)
    first = save_document(store, "local", good)
    worse = replace(page("Enable JavaScript."), quality_score=20)
    saved = save_document(store, "local", worse)
    assert saved.kept_old
    assert saved.version == 1
    found = latest_version(store, PageRef("local", first.page_id))
    assert found
    assert "Good." in found.document.text
    shorter = replace(page("Short."), quality_score=35)
    assert save_document(store, "local", shorter).version == 2


def test_the_page_is_found_by_number_address_and_id_and_only_by_its_owner(store):
    document = replace(page(), url="https://short.example/x")
    saved = save_document(store, "local", document)
    for name in (str(saved.page_id), URL + "?utm_source=feed", "https://short.example/x"):
        found = find_page(store, "local", name)
        assert found
        assert found.id == saved.page_id
    assert find_page(store, "local", document.id)
    assert find_page(store, "eve", str(saved.page_id)) is None
    assert find_page(store, "eve", URL) is None
    for name in ("", "0", "-1", "99999999999999999999", "'; DROP TABLE pages; --", "http://"):
        assert find_page(store, "local", name) is None
    assert page_by_url(store, "local", "no address") is None


def test_two_owners_have_their_own_page_of_one_address(store):
    one = save_document(store, "ann", page())
    other = save_document(store, "bob", page())
    assert one.page_id != other.page_id
    assert (one.version, other.version) == (1, 1)


def test_a_document_without_an_address_is_refused(store):
    with pytest.raises(InvalidUrl):
        prepare(Capture(document=extract("<p>Some words of a page without address.</p>")))


def test_what_a_transaction_did_is_kept_together_or_not_at_all(store):
    ready = prepare(Capture(document=page()))

    def save_and_fail() -> None:
        with store.write() as tx:
            save_in(tx, "local", ready)
            raise RuntimeError("the caller changed its mind")

    with pytest.raises(RuntimeError):
        save_and_fail()
    assert page_by_url(store, "local", URL) is None


def test_what_no_database_keeps_is_replaced(store):
    document = replace(page(), title="A\x00B", description="C\ud800D", metadata={"x": "\x00"})
    saved = save_document(store, "local", replace(document, description="CD"))
    found = get_page(store, "local", saved.page_id)
    assert found
    assert found.title == "A\ufffdB"


def test_numbers_are_without_gap_or_repeat_under_many_writers(store, database):
    documents = [prepare(Capture(document=page(f"Writer {number}."))) for number in range(8)]

    def save(ready) -> None:
        with open_store(database) as own:
            for _ in range(5):
                own.transact(lambda tx: save_in(tx, "local", ready, always=True))

    threads = [threading.Thread(target=save, args=(ready,)) for ready in documents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = page_by_url(store, "local", URL)
    assert found
    assert [one.number for one in history(store, PageRef("local", found.id))] == list(
        range(40, 0, -1)
    )


def turn_a_bit(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


@pytest.mark.parametrize(
    "damage",
    [lambda _: b"broken", lambda _: b"", lambda data: data[:-5], turn_a_bit],
    ids=["another", "empty", "cut", "turned"],
)
def test_a_damaged_version_is_told_and_the_newest_whole_one_is_read(store, damage):
    save_document(store, "local", page("First."))
    saved = save_document(store, "local", page("Second."))
    with store.write() as tx:
        data = bytes(tx.value("SELECT document FROM versions WHERE number = 2"))
        tx.run("UPDATE versions SET document = ? WHERE number = 2", damage(data))
    with pytest.raises(StorageError, match="damaged"):
        version(store, PageRef("local", saved.page_id), 2)
    found = latest_version(store, PageRef("local", saved.page_id))
    assert found
    assert found.info.number == 1


def test_versions_and_originals_that_were_packed_in_the_older_way_are_read(store):
    saved = save_document(store, "local", page("First."), body=b"<p>First.")
    name = body_hash(b"<p>First.")
    older = zlib.compress(msgspec.json.encode(page("First.")))
    with store.write() as tx:
        tx.run("UPDATE versions SET document = ?", older)
        tx.run("UPDATE bodies SET data = ?", zlib.compress(b"<p>First."))
    found = latest_version(store, PageRef("local", saved.page_id))
    assert found
    assert found.document == page("First.")
    assert read_body(store, PageRef("local", saved.page_id), name) == b"<p>First."


def test_the_older_view_offers_the_columns_that_frontends_know(store):
    save_document(store, "local", page())
    with store.read() as tx:
        row = tx.one("SELECT * FROM websites")
    assert row
    assert (
        list(row)
        == (
            "id user_id url url_full domain title content source saved_at published_at metadata"
            " created_at updated_at last_opened_at deleted_at"
        ).split()
    )
    assert row["content"].startswith("---\nsource: https://tidewatch.example/nature/swifts\n")
    assert '"pinned"' in row["metadata"]

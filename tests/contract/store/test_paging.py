"""Lists read part by part: nothing twice, nothing missed, whatever is added meanwhile."""

from __future__ import annotations

import base64
import json

import pytest
from tests.saving import save_document

from pageloom.edges.store import listing
from pageloom.edges.store.base import Tx
from pageloom.edges.store.changes import insert_change, list_changes
from pageloom.edges.store.listing import list_pages
from pageloom.edges.store.outbox import list_messages, queue_message
from pageloom.edges.store.pages import act
from pageloom.edges.store.runs import record_run, runs_of
from pageloom.edges.store.search import search
from pageloom.edges.store.versions import history
from pageloom.errors import InvalidQuery
from pageloom.model import Document
from pageloom.model.library import Change, OutboxMessage, Run
from pageloom.model.pages import SORTS, Filters, PageRef

TIME = "2026-03-05T08:30:00.000Z"


def add(store, number: int, owner: str = "local") -> None:
    url = f"https://h{number % 3}.example/{number}"
    document = Document(
        url=url,
        final_url=url,
        title=f"Page {number % 4}",
        text="swifts " * (1 + number % 5),
        word_count=1 + number % 5,
        quality_score=50 + number % 2,
        language="en",
        snapshot_hash=f"{number}",
    )
    save_document(store, owner, document)


@pytest.fixture
def shelf(store):
    """Pages with many equal sort values, some of them pinned, opened and published."""
    for number in range(13):
        add(store, number)
    with store.write() as tx:
        tx.run("UPDATE pages SET saved_at = ? WHERE id % 3 <> 0", TIME)
        tx.run("UPDATE pages SET published_at = ? WHERE id % 4 = 1", TIME)
        tx.run("UPDATE pages SET last_opened_at = ? WHERE id % 5 = 2", TIME)
        for number in (2, 7, 9):
            act(tx, "local", "pin", number)
    return store


def walk(read, meanwhile=lambda: None) -> list:
    """All that a list has, part by part."""
    part = read("")
    found = [*part] if isinstance(part, list) else [*part.pages]
    while part.next_cursor:
        meanwhile()
        part = read(part.next_cursor)
        found += [*part] if isinstance(part, list) else [*part.pages]
    return found


@pytest.mark.parametrize("few", [1_000, 3], ids=["few", "many"])
def test_pages_of_every_order_come_part_by_part(shelf, few, monkeypatch):
    monkeypatch.setattr(listing, "FEW", few)
    for sort in SORTS:
        check_parts(shelf, sort)


def check_parts(shelf, sort: str) -> None:
    whole = [page.id for page in list_pages(shelf, "local", sort=sort, limit=99).pages]
    assert len(whole) == 13
    for size in (1, 4, 13):
        found = walk(
            lambda cursor, size=size: list_pages(
                shelf, "local", sort=sort, limit=size, cursor=cursor
            )
        )
        assert [page.id for page in found] == whole, sort
    english = Filters(language="en", pinned=False)
    only = walk(
        lambda cursor: list_pages(shelf, "local", english, sort=sort, limit=3, cursor=cursor)
    )
    assert [page.id for page in only] == [
        page.id for page in list_pages(shelf, "local", english, sort=sort).pages
    ], sort


@pytest.mark.parametrize("few", [1_000, 3], ids=["few", "many"])
def test_what_is_added_meanwhile_moves_nothing(shelf, few, monkeypatch):
    monkeypatch.setattr(listing, "FEW", few)
    whole = [page.id for page in list_pages(shelf, "local", limit=99).pages]
    new = iter(range(100, 200))
    found = walk(
        lambda cursor: list_pages(shelf, "local", limit=2, cursor=cursor),
        lambda: add(shelf, next(new)),
    )
    assert [page.id for page in found if page.id in whole] == whole
    assert len({page.id for page in found}) == len(found)


def test_the_other_lists_come_part_by_part_too(store):
    for number in range(7):
        save_document(
            store,
            "local",
            Document(url="https://a.example/", text=str(number), snapshot_hash=str(number)),
        )
    with store.write() as tx:
        for number in range(7):
            insert_change(
                tx,
                Change(
                    id=f"c{number}",
                    owner="local",
                    page_id=1,
                    to_version=number,
                    created_at=TIME if number % 2 else "2026-01",
                    importance=number % 3 / 2,
                ),
            )
            record_run(tx, "local", Run(url="u", outcome="new", at=TIME, version=number))
            message = OutboxMessage(
                id=f"m{number}", owner="local", target="console", created_at=TIME
            )
            queue_message(tx, message)
    page = PageRef("local", 1)
    lists = (
        lambda limit, cursor: history(store, page, limit=limit, cursor=cursor),
        lambda limit, cursor: list_changes(store, "local", limit=limit, cursor=cursor),
        lambda limit, cursor: list_changes(
            store, "local", sort="important", unread=True, limit=limit, cursor=cursor
        ),
        lambda limit, cursor: runs_of(store, "local", "u", limit=limit, cursor=cursor),
        lambda limit, cursor: list_messages(store, "local", limit=limit, cursor=cursor),
    )
    for read in lists:
        whole = read(99, "")
        assert len(whole) == 7
        assert whole.next_cursor is None
        assert walk(lambda cursor, read=read: read(3, cursor)) == whole


def test_hits_come_part_by_part(shelf):
    whole = [hit.page.id for hit in search(shelf, "local", "swifts", limit=99).hits]
    assert len(whole) == 13
    found, cursor = [], ""
    while cursor is not None:
        hits = search(shelf, "local", "swifts", limit=5, cursor=cursor)
        found += [hit.page.id for hit in hits.hits]
        cursor = hits.next_cursor
    assert found == whole
    first = search(shelf, "local", "swifts", limit=5)
    with pytest.raises(InvalidQuery):
        search(shelf, "local", "page", cursor=first.next_cursor)


def forge(mark: str, values: list) -> str:
    return base64.urlsafe_b64encode(json.dumps([mark, values]).encode()).decode()


def test_a_cursor_comes_without_an_offset(shelf):
    part = list_pages(shelf, "local", limit=2)
    with pytest.raises(InvalidQuery, match="not by both"):
        list_pages(shelf, "local", limit=2, cursor=part.next_cursor or "", offset=1)
    hits = search(shelf, "local", "swifts", limit=2)
    with pytest.raises(InvalidQuery, match="not by both"):
        search(shelf, "local", "swifts", limit=2, cursor=hits.next_cursor or "", offset=1)


def test_a_cursor_is_checked(shelf):
    good = list_pages(shelf, "local", limit=2).next_cursor
    mark = json.loads(base64.urlsafe_b64decode(good + "=="))[0]
    damaged = [
        "x",
        "é",
        good[:-4],
        good[:8] + "A" + good[9:],
        "A" * 100_000,
        forge(mark, []),
        forge(mark, [0, TIME]),
        forge(mark, ["0", TIME, 1]),
        forge(mark, [0, TIME, 2**63]),
        forge(mark, [0, TIME, None]),
        forge("other", [0, TIME, 1]),
    ]
    for cursor in damaged:
        with pytest.raises(InvalidQuery, match="cursor"):
            list_pages(shelf, "local", cursor=cursor)
    for other in (
        {"sort": "title"},
        {"filters": Filters(pinned=True)},
        {"owner": "ann"},
    ):
        with pytest.raises(InvalidQuery, match="another list"):
            list_pages(shelf, **({"owner": "local", "cursor": good} | other))


def test_the_next_part_is_found_by_an_index_in_its_order(shelf, monkeypatch):
    """Neither all pages are read, nor are they sorted."""
    monkeypatch.setattr(listing, "FEW", 3)
    asked: list[tuple] = []
    column = Tx.column
    monkeypatch.setattr(Tx, "column", lambda tx, *sql: asked.append(sql) or column(tx, *sql))
    for sort in SORTS:
        cursor = list_pages(shelf, "local", sort=sort, limit=2).next_cursor
        list_pages(shelf, "local", sort=sort, limit=2, cursor=cursor)
        check_plan(shelf, sort, *asked[-1])


def check_plan(shelf, sort: str, sql: str, *values) -> None:
    with shelf.read() as tx:
        if tx.dialect == "sqlite":
            plan = str(tx.all(f"EXPLAIN QUERY PLAN {sql}", *values))
        else:  # a dozen pages are read and sorted in no time: left to itself it would do that
            tx.run("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
            plan = str(tx.all(f"EXPLAIN {sql}", *values))
    assert "INDEX pages_" in plan or "Index Only Scan" in plan, sort
    assert "TEMP B-TREE" not in plan, sort
    assert "Sort" not in plan, sort
    if tx.dialect == "postgres":
        assert "Index Cond" in plan, sort
        assert "ROW(" in plan.split("Filter")[0] or sort == "domain"

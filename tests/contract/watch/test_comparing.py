"""What a Document that was just read comes to: compared with what was told, kept as a whole."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from tests.contract.watch.pages import article, product

import pageloom
from pageloom.edges.store import changes, prices, tracks
from pageloom.edges.store.times import later
from pageloom.edges.store.versions import history
from pageloom.edges.store.watches import add_watch
from pageloom.flows.watch.check import check_page
from pageloom.flows.watch.commit import CheckTask
from pageloom.flows.watch.context import CheckContext
from pageloom.flows.watch.history import PageHistory
from pageloom.flows.watch.policy import WatchPolicy
from pageloom.flows.watch.record_check import LostLease
from pageloom.model.capture import Capture
from pageloom.model.pages import PageRef
from pageloom.model.watch import NewWatch, WatchSettings

pytestmark = pytest.mark.slow_file(seconds=20)

T0 = "2026-03-05T08:00:00.000Z"
URL = "https://news.example/coast-path"
DAY = 86_400


class Page:
    """One page of a library, as checks of it come in."""

    def __init__(self, store, url: str = URL) -> None:
        self.store, self.url, self.clock = store, url, 0.0

    def see(self, html: str, *, after: float = 3600, terms: WatchPolicy | None = None, **rest):
        self.clock += after
        document = rest.pop("document", None) or pageloom.extract(html, self.url)
        arrival = Capture(
            document=document,
            body=html.encode(),
            content_type="text/html",
            fetched_at=later(T0, self.clock),
            **{key: rest.pop(key) for key in ("rules_version",) if key in rest},
        )
        task = CheckTask(owner="local", policy=terms or WatchPolicy(), **rest)
        return check_page(CheckContext(store=self.store), task, arrival).verdict


@pytest.fixture
def page(store) -> Page:
    return Page(store)


def test_a_new_page_is_no_change(page, store):
    found = page.see(article())
    assert (found.kind, found.version, found.previous) == ("new", 1, None)
    assert found.report.is_new
    assert not found.report.has_changes
    assert changes.list_changes(store, "local") == []


def test_the_same_again_is_decided_by_its_hash_and_makes_no_version(page, store):
    page.see(article())
    found = page.see(article())
    assert (found.kind, found.path, found.version) == ("unchanged", "hash", 1)
    assert len(history(store, PageRef("local", found.page_id))) == 1


def test_what_rotates_in_addresses_is_decided_by_hash_and_kept_as_trivial(page, store):
    def shown(session: str) -> str:
        picture = f'<img src="/pier.jpg?v={session}" width="600" height="400" alt="The pier">'
        link = f'<a href="/tides?sid={session}">Tides</a>'
        return article().replace("</h1>", f"</h1>{picture}<p>See {link} before you go.</p>")

    page.see(shown("8f3a"))
    found = page.see(shown("77be"))
    assert (found.kind, found.path, found.version) == ("trivial", "hash", 2)
    assert [info.trivial for info in history(store, PageRef("local", found.page_id))].count(
        True
    ) == 1


def test_a_change_is_kept_with_its_report_its_version_and_its_baseline(page, store):
    page.see(article())
    found = page.see(article(closing="The path is closed until 14 May because of a landslide."))
    assert (found.kind, found.version, found.previous, found.baseline) == ("changed", 2, 1, 1)
    (change,) = changes.list_changes(store, "local")
    assert change.id == found.change_id
    assert change.notified_at
    assert pageloom.ChangeReport.from_dict(change.report).has_changes
    assert "text" in found.report.changed_fields


def test_slow_drift_is_told_when_it_adds_up(page):
    page.see(article(paragraphs=100))
    kinds = []
    for day in range(1, 31):
        found = page.see(article(paragraphs=100, reworded=day), after=DAY)
        kinds.append(found.kind)
        if found.kind == "changed":
            break
    assert kinds[-1] == "changed"
    assert found.baseline == 1
    assert found.previous == found.version - 1


def test_going_back_soon_is_no_change_and_so_is_going_on(page):
    closed = article(closing="The path is closed until 14 May because of a landslide.")
    page.see(article())
    assert page.see(closed).kind == "changed"
    back = page.see(article())
    assert back.kind == "returned"
    assert page.see(closed).kind == "returned"
    assert page.see(article(closing="The path has a new bridge since 9 June.")).kind == "changed"


def test_going_back_after_days_is_a_change(page):
    closed = article(closing="The path is closed until 14 May because of a landslide.")
    page.see(article())
    page.see(closed)
    for _ in range(5):
        page.see(closed, after=DAY)
    assert page.see(article()).kind == "changed"


def test_a_parser_upgrade_is_no_change(page, store):
    old = pageloom.extract(article(), URL)
    old = replace(
        old,
        text=old.text.upper(),
        change_hash="old",
        snapshot_hash="old",
        provenance=replace(old.provenance, parser_version="0"),
    )
    page.see(article(), document=old)
    read = []

    def reread(body: bytes, info):
        read.append(info.number)
        return pageloom.extract(body, URL)

    assert page.see(article(), reread=reread).kind == "unchanged"
    assert page.see(article(), reread=reread).path == "hash"
    assert read == [1]
    assert len(history(store, PageRef("local", 1))) == 1
    found = page.see(article(closing="Closed since 3 May."), reread=reread)
    assert found.kind == "changed"


def test_other_rules_are_no_change(page):
    page.see(article(), rules_version="a")
    trimmed = pageloom.extract(article().replace("Weather permitting", ""), URL)

    def reread(body: bytes, info):
        return trimmed

    found = page.see(article(), document=trimmed, rules_version="b", reread=reread)
    assert found.kind == "unchanged"


def test_without_its_original_an_upgrade_is_still_no_change(page):
    page.see(article(), rules_version="a")
    found = page.see(article(closing="Closed since 3 May."), rules_version="b")
    assert found.kind == "rebased"
    assert page.see(article(closing="Closed since 3 May."), rules_version="b").kind == "unchanged"
    again = page.see(article(closing="Open again since 30 June."), rules_version="b")
    assert (again.kind, again.baseline) == ("changed", 2)


def test_a_far_poorer_result_is_not_kept(page, store):
    page.see(article(paragraphs=40))
    found = page.see("<html><body><p>Oops</p></body></html>")
    assert found.kind == "worse"
    assert len(history(store, PageRef("local", found.page_id))) == 1


SHOP = "https://shop.example/kettle"


def test_prices_make_a_series_with_events(store):
    shop = Page(store, SHOP)
    for price in ("39.90", "39.90", "34.90", "36.90", "29.90"):
        found = shop.see(product(price=price), after=DAY / 4)
    series = prices.price_series(store, PageRef("local", found.page_id))
    assert [str(point.amount) for point in series] == ["39.90", "34.90", "36.90", "29.90"]
    kinds = [event.kind for event in prices.price_events(store, PageRef("local", found.page_id))]
    assert kinds == ["drop", "all_time_low", "rise", "drop", "all_time_low"] or set(kinds) >= {
        "drop",
        "rise",
        "all_time_low",
    }


def test_a_price_that_stays_is_written_down_once_a_day(store):
    shop = Page(store, SHOP)
    for _ in range(48):
        found = shop.see(product(), after=3600)
    assert len(prices.price_series(store, PageRef("local", found.page_id))) == 3


def test_a_price_that_cannot_be_is_held_until_it_is_seen_again(store):
    shop = Page(store, SHOP)
    shop.see(product(price="39.90"))
    assert shop.see(product(price="3990.00")).kind == "held"
    back = shop.see(product(price="39.90"))
    assert back.kind in ("unchanged", "trivial")
    assert changes.list_changes(store, "local") == []
    assert shop.see(product(price="3990.00")).kind == "held"
    assert shop.see(product(price="3990.00")).kind == "changed"
    series = prices.price_series(store, PageRef("local", back.page_id))
    assert [str(point.amount) for point in series] == ["39.90", "3990.00"]
    assert len(prices.price_series(store, PageRef("local", back.page_id), held=True)) == 4


def test_back_in_stock_is_always_news(store):
    shop = Page(store, SHOP)
    shop.see(product())
    assert shop.see(product(stock=False)).kind == "changed"
    found = shop.see(product())
    assert found.kind == "changed"
    assert "back_in_stock" in [event.kind for event in found.prices.events]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("terms", "kinds"),
    [
        (WatchPolicy(price_below=36), ["filtered", "changed"]),
        (WatchPolicy(stock_back=True), ["filtered", "filtered"]),
        (WatchPolicy(only_if=("(?i)discontinued",)), ["filtered", "filtered"]),
        (WatchPolicy(min_importance=1.01), ["filtered", "filtered"]),
        (WatchPolicy(), ["changed", "changed"]),
    ],
)
def test_only_what_was_asked_for_is_told(store, terms, kinds):
    shop = Page(store, SHOP)
    shop.see(product(price="39.90"), terms=terms)
    found = [shop.see(product(price=price), terms=terms) for price in ("37.90", "34.90")]
    assert [each.kind for each in found] == kinds
    if kinds == ["filtered", "changed"]:
        assert found[1].baseline == 1  # what was never told is told now


def test_ignored_text_is_no_change(page):
    terms = WatchPolicy(ignore_text=(r"Reader number [0-9]+\.", "(?i)weather permitting[^.]*"))
    page.see(article(closing="Reader number 1."), terms=terms)
    assert page.see(article(closing="Reader number 2."), terms=terms).kind == "trivial"
    assert page.see(article(closing="Closed since 3 May."), terms=terms).kind == "changed"


def test_another_scope_has_its_own_line(page, store):
    page.see(article())
    scoped = WatchPolicy(track="w1")
    assert page.see(article(), terms=scoped).kind == "new"
    assert page.see(article(closing="Closed since 3 May."), terms=scoped).version == 2
    assert page.see(article()).kind == "unchanged"


def test_a_damaged_baseline_is_no_change_and_no_crash(page, store):
    page.see(article())
    page.see(article(closing="Closed since 3 May."))
    with store.write() as tx:
        tx.run("UPDATE versions SET document = ?", b"not a document")
    found = page.see(article(closing="Open again since 30 June."))
    assert found.kind in ("rebased", "new")
    assert page.see(article(closing="Closed again since 1 July.")).kind == "changed"


def test_what_belongs_to_a_finding_is_kept_with_it_or_not_at_all(page, store):
    page.see(article())
    hourly = WatchSettings(every=3600)
    new = NewWatch(owner="local", url=URL, url_full=URL, host="news.example", settings=hourly)
    taken_over = replace(add_watch(store, new)[0], lease_owner="a process that was too slow")
    with pytest.raises(LostLease):
        page.see(article(closing="Closed since 3 May."), watch=taken_over)
    assert len(history(store, PageRef("local", 1))) == 1
    assert changes.list_changes(store, "local") == []
    with store.read() as tx:
        assert tracks.read_track(tx, 1, "").state.baseline == 1


def test_two_checks_at_once_never_compare_with_a_stale_predecessor(store):
    first = Page(store)
    first.see(article())

    def check(number: int):
        return Page(store).see(
            article(closing=f"Closed since {number} May 2026, say {number} people."), after=number
        )

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(check, range(1, 9)))
    told = sorted((each for each in found if each.kind == "changed"), key=lambda each: each.version)
    assert [each.version for each in told] == list(range(2, 2 + len(told)))
    assert [each.baseline for each in told] == [each.version - 1 for each in told]


def test_what_was_compared_is_let_go_of_at_once_and_not_when_garbage_is_collected(page):
    page.see(article())
    gc.collect()
    gc.disable()
    try:
        found = page.see(article(closing="The path is closed until 14 May."))
        left = [each for each in gc.get_objects() if isinstance(each, PageHistory)]
    finally:
        gc.enable()
    assert found.kind == "changed"
    assert left == []

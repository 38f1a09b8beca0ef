"""A watch on a real site: what is told, and above all what is not."""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace

import pytest
from tests.contract.watch.pages import article, product
from tests.contract.watch.rig import Rig, answer_with_etag

from pageloom.edges.notify.console import show_notice
from pageloom.edges.notify.notice import Notice
from pageloom.edges.store import changes, prices, watches
from pageloom.edges.store.pages import act, purge
from pageloom.edges.store.times import read_time
from pageloom.edges.store.versions import history
from pageloom.flows.watch.mutes import living_places, mute_places
from pageloom.model.pages import PageRef

on_sqlite = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
"""For what no database has a part in."""
CLOSED = "The path is closed until 14 May because of a landslide."


def test_a_new_page_tells_nobody_and_a_change_tells_once(rig: Rig):
    rig.serve(article())
    watch = rig.watch()
    assert rig.check(watch).outcome == "new"
    assert rig.check(watch).path == "hash"
    rig.serve(article(closing=CLOSED))
    checked = rig.check(watch)
    assert (checked.outcome, checked.version) == ("changed", 2)
    assert rig.check(watch).outcome == "unchanged"
    (message,) = rig.messages()
    assert message.change_id == checked.finding.change_id
    assert "landslide" in message.payload["text"]
    data = message.payload["data"]
    assert (data["from_version"], data["baseline_version"], data["to_version"]) == (1, 1, 2)
    assert data["report"]["changes"]["text"]["changed"]
    with rig.store.read() as tx:
        stored = tx.value("SELECT id FROM changes")
    assert data["id"] == stored
    assert [run.outcome for run in rig.runs(watch)] == ["new", "unchanged", "changed", "unchanged"]
    assert [run.path for run in rig.runs(watch)] == ["diff", "hash", "diff", "hash"]


@on_sqlite
def test_the_next_check_is_put_on_the_watch_s_own_place(rig: Rig):
    rig.serve(article())
    watch = rig.watch()
    rig.check(watch)
    due = read_time(rig.again(watch).next_due).timestamp() - rig.clock
    assert 1800 <= due <= 3600
    assert rig.again(watch).lease_owner is None


@on_sqlite
def test_a_second_look_soon_after_the_first_learns_what_moves_by_itself(rig: Rig):
    rig.options = replace(rig.options, second_look=30.0)
    rig.serve(article(closing="Today the warden says: mind the 3 loose steps by the mill."))
    watch = rig.watch()
    first = rig.check(watch)
    assert read_time(first.next_due).timestamp() - rig.clock <= 30
    rig.serve(article(closing="Today the warden says: bring 2 litres of water for each dog."))
    second = rig.check(watch, after=30)
    assert (second.outcome, second.reason) == ("trivial", "a second look: this moves by itself")
    assert read_time(second.next_due).timestamp() - rig.clock > 30
    rig.serve(article(closing="Today the warden says: the kiosk has 14 kinds of ice cream."))
    assert rig.check(watch).outcome in ("trivial", "pending")
    assert rig.messages() == []


@on_sqlite
def test_a_second_look_still_tells_of_a_price(rig: Rig):
    rig.options = replace(rig.options, second_look=30.0)
    rig.serve(product(price="39.90"))
    watch = rig.watch()
    rig.check(watch)
    rig.serve(product(price="34.90"))
    assert rig.check(watch, after=30).outcome == "changed"


def test_a_server_that_says_nothing_changed_is_believed(rig: Rig):
    statuses = answer_with_etag(rig.site, "/page", article(), '"v1"')
    watch = rig.watch()
    assert rig.check(watch).outcome == "new"
    same = rig.check(watch)
    assert (same.outcome, same.path) == ("unchanged", "304")
    assert statuses == [200, 304]
    answer_with_etag(rig.site, "/page", article(closing=CLOSED), '"v2"')
    assert rig.check(watch).outcome == "changed"
    assert (
        history(rig.store, PageRef("local", rig.again(watch).state.page_id))[1].last_seen_at
        == rig.runs(watch)[1].at
    )


CHALLENGE = (
    "<html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>"
    "<script src='/cdn-cgi/challenge-platform/h/b/orchestrate.js'></script></body></html>"
)
CONSENT = (
    "<html><head><title>Before you continue</title></head><body><p>We use cookies. Your consent"
    " is needed before you continue to the site.</p><form><button>Accept</button></form></body>"
    "</html>"
)
LOGIN = (
    "<html><head><title>Sign in</title></head><body><h1>Sign in</h1><form><label>Name <input"
    ' name="n"></label><input type="password" name="p"><button>Go</button></form></body></html>'
)
SOFT_404 = "<html><head><title>Page not found</title></head><body><p>Sorry.</p></body></html>"
FRONT = article(closing="Welcome to our front page, with news of the day.")


LONG_LOGIN = LOGIN.replace("</form>", "</form>" + "<p>Forgotten your name?</p>" * 80)
TROUBLE = {
    "error 500": [("<h1>Internal Server Error</h1>", "/page", 500, {})],
    "error 404": [("<h1>Not found</h1>", "/page", 404, {})],
    "challenge": [(CHALLENGE, "/page", 403, {})],
    "challenge with status 200": [(CHALLENGE, "/page", 200, {})],
    "consent": [(CONSENT, "/page", 200, {})],
    "login in place": [(LOGIN, "/page", 200, {})],
    "redirect to login": [
        (LONG_LOGIN, "/login", 200, {}),
        ("", "/page", 302, {"Location": "/login?next=/page"}),
    ],
    "redirect to the front page": [
        (FRONT, "/", 200, {}),
        ("", "/page", 302, {"Location": "/"}),
    ],
    "soft 404": [(SOFT_404, "/page", 200, {})],
    "empty": [("", "/page", 200, {})],
    "nearly empty": [("<html><body><p>Oops</p></body></html>", "/page", 200, {})],
}


@on_sqlite
def test_a_short_scope_of_a_page_with_a_captcha_is_no_challenge(rig: Rig):
    captcha = "<script src='https://www.google.com/recaptcha/api.js'></script>"
    rig.serve(article().replace("</article>", f"</article>{captcha}"))
    watch = rig.watch(track="w", scope=("h1",))
    assert rig.check(watch).outcome == "new"
    missing = rig.watch(track="w2", scope=(".nowhere",))
    assert "NoContentFound" in rig.check(missing).reason
    rig.serve(CHALLENGE)
    assert "challenge" in rig.check(watch).reason


@on_sqlite
@pytest.mark.parametrize("kind", TROUBLE)
def test_what_is_not_the_page_is_a_failure_and_never_a_change(rig: Rig, kind):
    rig.serve(article(paragraphs=30))
    watch = rig.watch(render="never")
    rig.check(watch)
    for html, path, status, headers in TROUBLE[kind]:
        rig.serve(html, path, status, **headers)
    failed = rig.check(watch)
    assert failed.outcome == "failed", failed
    rig.serve(article(paragraphs=30))
    assert rig.check(watch).outcome == "unchanged"
    assert rig.messages() == []
    assert len(history(rig.store, PageRef("local", rig.again(watch).state.page_id))) == 1
    assert rig.runs(watch)[1].reason


def test_there_and_back_is_told_once(rig: Rig):
    rig.serve(article())
    watch = rig.watch()
    rig.check(watch)
    for number in range(4):
        rig.serve(article(closing=CLOSED) if number % 2 == 0 else article())
        rig.check(watch)
    assert [run.outcome for run in rig.runs(watch)] == ["new", "changed"] + ["returned"] * 3
    assert len(rig.messages()) == 1


@on_sqlite
def test_one_digit_in_a_page_of_ten_thousand_words_is_told(rig: Rig):
    rig.serve(article(paragraphs=400, closing="The ferry costs 12 euros for adults."))
    watch = rig.watch()
    rig.check(watch)
    rig.serve(article(paragraphs=400, closing="The ferry costs 13 euros for adults."))
    checked = rig.check(watch)
    assert checked.finding.report.text.similarity > 0.99
    assert checked.outcome == "changed"


def test_slow_drift_is_told_against_what_was_told(rig: Rig):
    rig.serve(article(paragraphs=100))
    watch = rig.watch()
    rig.check(watch)
    for day in range(1, 25):
        rig.serve(article(paragraphs=100, reworded=day))
        checked = rig.check(watch, after=86_400)
        if checked.outcome == "changed":
            break
    assert checked.outcome == "changed"
    data = rig.messages()[0].payload["data"]
    assert data["baseline_version"] == 1
    assert data["from_version"] == data["to_version"] - 1


def test_other_rules_and_another_scope_are_no_change(rig: Rig):
    rig.serve(article())
    watch = rig.watch()
    rig.check(watch)
    rig.rules_version = "tomorrow"
    assert rig.check(watch).outcome == "unchanged"
    settings = replace(rig.again(watch).settings, ignore=("article > p:last-child",))
    watches.change_watch(rig.store, watch, settings=settings, name="", next_due=None)
    assert rig.check(watch).outcome == "unchanged"
    rig.serve(article(closing="The walk takes about 9 hours, and 3 of them are steep."))
    assert rig.check(watch).outcome in ("unchanged", "trivial")
    assert rig.messages() == []


def test_a_scope_has_its_own_line_and_nothing_outside_of_it_counts(rig: Rig):
    rig.serve(product(price="39.90"))
    watch = rig.watch(track="price", scope=(".price",))
    whole = rig.watch()
    assert rig.check(watch).outcome == rig.check(whole).outcome == "new"
    rig.serve(product(price="39.90", stock=False, blurb="Model 2027, now with 3 colours."))
    assert rig.check(watch).outcome == "unchanged"
    assert rig.check(whole).outcome == "changed"
    rig.serve(product(price="34.90", stock=False, blurb="Model 2027, now with 3 colours."))
    told = rig.check(watch)
    assert told.outcome == "changed"
    assert "price" in told.finding.report.changed_fields
    assert told.version == 2
    rig.serve(product().replace('class="price"', 'class="cost"'))
    lost = rig.check(watch)
    assert lost.outcome == "failed"
    assert "scope" in lost.reason


@on_sqlite
def test_ignored_parts_and_ignored_text_do_not_count(rig: Rig):
    rig.serve(article(closing="Reader number 17 today. <span class=n>Offer 5 of 9</span>"))
    watch = rig.watch(track="w", ignore=(".n",), ignore_text=("Reader number [0-9]+",))
    rig.check(watch)
    rig.serve(article(closing="Reader number 18 today. <span class=n>Offer 6 of 9</span>"))
    assert rig.check(watch).outcome in ("trivial", "unchanged")
    rig.serve(article(closing="Reader number 18 today. Closed since 3 May."))
    assert rig.check(watch).outcome == "changed"


def test_only_what_triggers_is_told(rig: Rig):
    rig.serve(product(price="39.90"))
    watch = rig.watch(price_below=35)
    rig.check(watch)
    for price, outcome in (("37.90", "filtered"), ("34.90", "changed"), ("33.90", "changed")):
        rig.serve(product(price=price))
        assert rig.check(watch).outcome == outcome, price
    assert len(rig.messages()) == 2
    assert len(changes.list_changes(rig.store, "local")) == 3
    assert len(changes.list_changes(rig.store, "local", notified=True)) == 2
    (quiet,) = changes.list_changes(rig.store, "local", notified=False)
    assert "37.90" in quiet.summary


def test_a_price_that_cannot_be_is_looked_at_again_soon_and_told_only_if_it_stays(rig: Rig):
    rig.serve(product(price="39.90"), ETag='"x"')
    watch = rig.watch()
    rig.check(watch)
    rig.serve(product(price="3990.00"), ETag='"x"')
    held = rig.check(watch)
    assert held.outcome == "held"
    assert read_time(held.next_due).timestamp() - rig.clock <= 300
    rig.serve(product(price="39.90"), ETag='"x"')
    rig.check(watch, after=300)
    assert rig.messages() == []
    rig.serve(product(price="3990.00"))
    assert [rig.check(watch).outcome for _ in range(2)] == ["held", "changed"]
    assert len(rig.messages()) == 1
    kinds = [
        e.kind
        for e in prices.price_events(rig.store, PageRef("local", rig.again(watch).state.page_id))
    ]
    assert kinds == ["rise"]


def test_a_part_that_never_rests_counts_less_with_every_check_and_is_listed(rig: Rig):
    def page(number: int) -> str:
        words = "amber birch cedar dune elder fern gorse heath iris juniper".split()
        first, second = words[number % 10], words[number * 3 % 10]
        quote = f"Quote of the hour: {first} falls where {second} grows, say {number * 37} people."
        return article(paragraphs=30, closing=quote)

    rig.serve(page(0))
    watch = rig.watch()
    rig.check(watch)
    outcomes = []
    for number in range(1, 12):
        rig.serve(page(number))
        outcomes.append(rig.check(watch).outcome)
    assert "changed" not in outcomes[6:]
    living = living_places(rig.store, rig.again(watch))
    assert any("Quote of the hour" in place.text and place.moved >= 10 for place in living)
    assert mute_places(rig.store, rig.again(watch), [living[0].key], muted=True)
    assert living_places(rig.store, rig.again(watch))[0].muted
    assert mute_places(rig.store, rig.again(watch), [], muted=False) == [living[0].key]


def test_failing_is_told_once_and_so_is_coming_back(rig: Rig):
    rig.serve(article())
    watch = rig.watch()
    rig.check(watch)
    rig.serve("down", status=503)
    waits = []
    for _ in range(6):
        failed = rig.check(watch)
        waits.append(read_time(failed.next_due).timestamp() - rig.clock)
    assert rig.kinds() == ["health"]
    assert waits == sorted(waits)
    assert rig.again(watch).failures == 6
    rig.serve(article())
    rig.check(watch)
    rig.check(watch)
    assert rig.kinds() == ["health", "health"]
    assert "can be checked again" in rig.titles()[1]
    assert rig.again(watch).failures == 0


def test_gone_is_told_once_after_it_was_sure(rig: Rig):
    rig.serve(article())
    watch = rig.watch()
    rig.check(watch)
    rig.serve("gone", status=404)
    rig.check(watch)
    assert rig.kinds() == []
    for _ in range(4):
        rig.check(watch)
    assert rig.kinds() == ["health"]
    assert "is gone" in rig.titles()[0]


@on_sqlite
def test_410_needs_no_second_look(rig: Rig):
    rig.serve(article())
    watch = rig.watch()
    rig.check(watch)
    rig.serve("gone", status=410)
    rig.check(watch)
    assert "is gone" in rig.titles()[0]


def test_a_watch_that_was_taken_over_keeps_nothing(rig: Rig):
    from pageloom.flows.watch.record_check import LostLease

    rig.serve(article())
    watch = rig.watch()
    rig.check(watch)
    rig.serve(article(closing=CLOSED))
    original = watches.finish_check
    with rig.store.write() as tx:
        tx.run(
            "UPDATE watches SET lease_owner = 'other', lease_until = '2999' WHERE id = ?", watch.id
        )
    late = replace(rig.again(watch), lease_owner="test")

    async def check() -> None:
        from tests.contract.watch.rig import FETCH

        from pageloom.edges.fetch.fetcher import open_fetcher
        from pageloom.flows.watch.check import check_watch

        async with open_fetcher(FETCH) as fetcher:
            await check_watch(late, rig.world(fetcher))

    import asyncio

    with pytest.raises(LostLease):
        asyncio.run(check())
    assert original is watches.finish_check
    assert rig.messages() == []
    assert len(history(rig.store, PageRef("local", rig.again(watch).state.page_id))) == 1


@on_sqlite
def test_robots_are_asked_and_obeyed(rig: Rig):
    rig.serve(article())
    rig.site.add("/robots.txt", b"User-agent: *\nDisallow: /page\n", Content_Type="text/plain")
    watch = rig.watch(respect_robots=True)
    checked = rig.check(watch)
    assert checked.outcome == "failed"
    assert "robots" in checked.reason


@on_sqlite
def test_a_page_that_has_moved_keeps_its_history(rig: Rig):
    rig.serve(article())
    watch = rig.watch()
    rig.check(watch)
    rig.serve(article(), "/walks/coast-path-guide")
    rig.serve("", status=301, Location="/walks/coast-path-guide")
    moved = rig.check(watch)
    assert moved.outcome in ("unchanged", "trivial")
    rig.serve(article(closing=CLOSED), "/walks/coast-path-guide")
    told = rig.check(watch)
    assert (told.outcome, told.finding.baseline) == ("changed", 1)


@on_sqlite
def test_a_template_is_filled_with_the_page_s_words_and_nothing_else(rig: Rig):
    rig.serve(article())
    watch = rig.watch(
        subject="{{ title }}\n{{ summary }}",
        template="{{ title }} / {{ url }} / {{ changed }}: {{ details }}",
    )
    rig.check(watch)
    rig.serve(article(closing="Closed since 3 May {{ webhook_secret }} {% raise %}."))
    rig.check(watch)
    title, text = (rig.messages()[0].payload[part] for part in ("title", "text"))
    assert title.startswith("The coast path Gone: “")
    assert text.startswith(f"The coast path / {rig.site.url('/page')} / text: ")
    assert "{{ webhook_secret }}" in text


@on_sqlite
def test_a_message_says_each_thing_once(rig: Rig):
    rig.serve(article())
    watch = rig.watch()
    rig.check(watch)
    rig.serve(article(closing=CLOSED))
    rig.check(watch)
    [message] = rig.messages()
    assert message.payload["text"].count(CLOSED.rstrip(".")) == 1
    shown = io.StringIO()
    asyncio.run(show_notice(Notice(**message.payload), shown))
    assert shown.getvalue().count(CLOSED.rstrip(".")) == 1


@on_sqlite
def test_a_bug_of_ours_is_a_failed_check_and_no_more(rig: Rig):
    from pageloom.flows.watch.check import check_watch

    rig.serve(article())
    watch = rig.watch()
    rig.check(watch)
    taken = watches.lease_watch(rig.store, watch, "test", 60, rig.world(None).at())
    checked = asyncio.run(check_watch(taken, rig.world(None)))  # a world without a fetcher
    assert (checked.outcome, checked.error.code) == ("failed", "InternalError")
    assert rig.check(watch).outcome == "unchanged"


def test_a_change_is_notified_though_its_page_was_purged_before(rig: Rig):
    watch = rig.watch()
    for _ in range(2):
        rig.serve(article())
        assert rig.check(watch).outcome == "new"
        rig.serve(article(closing=CLOSED))
        assert rig.check(watch).outcome == "changed"
        page = rig.again(watch).state.page_id
        with rig.store.write() as tx:
            assert act(tx, "local", "delete", page)
            assert purge(tx, "local", page)
    assert rig.kinds() == ["change", "change"]

"""The editor of watches, what matters, feeds, events, the reader prefix, what needs care."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree import ElementTree as ET

import pytest
from tests.api.conftest import kettle
from tests.web.server import running
from tests.web.test_sweeps import ENDLESS, NAMES, QUERIES, TABLE, filled

from pageloom import load_settings
from pageloom.library import open_library

ATOM = "{http://www.w3.org/2005/Atom}"
TERMS = """<html lang="en"><title>Terms of the ferry</title><main><h1>Terms of the ferry</h1>
<p>The ferry leaves at nine and takes {cars} cars on every crossing, in any weather.</p>
<p>Updated {seen} minutes ago by the harbour office, which writes down what it has seen.</p>
<p class="box">Tickets cost {price} euros at the kiosk, and dogs travel free all year.</p>
</main></html>"""


def terms(cars: str = "forty", seen: str = "5", price: str = "four") -> str:
    return TERMS.format(cars=cars, seen=seen, price=price)


@pytest.fixture(scope="module")
def server(database):
    """A server that signs webhooks."""
    chosen = {"NOTIFY_WEBHOOK_SECRET": "s3cret-of-the-hooks", "OBSERVE_LOG_LEVEL": "debug"}
    with running(
        database, **{f"PAGELOOM_{name}": each for name, each in chosen.items()}
    ) as started:
        yield started


@pytest.fixture(scope="module")
def library(database, server):
    settings = load_settings(flags={"notify.webhook_secret": "s3cret-of-the-hooks"})
    with open_library(database, settings=settings) as opened:
        yield opened


@pytest.fixture(scope="module")
def token(library) -> str:
    return library.make_token(scopes=["read", "save", "write", "watch", "admin"])


@pytest.fixture(scope="module")
def ask(server, token):
    """A program with a token."""

    def send(method: str, path: str, data=None, **headers):
        body = None if data is None else json.dumps(data)
        known = {"Authorization": f"Bearer {token}", "Content_Type": "application/json"}
        return server.ask(method, path, body=body, **(known | headers))

    return send


@pytest.fixture(scope="module")
def ferry(browser, library, site):
    """A watch of a page with a change behind it; it is paused, so that only tests check it."""
    site.add_html("/ferry", terms())
    browser.post("/watches/new", url=site.url("/ferry"), name="Ferry", every="12h")
    [watch] = library.watches()
    library.pause(watch)
    for cars in ("forty", "sixty"):
        site.add_html("/ferry", terms(cars))
        check(browser, library, watch.id)
    return library.get_watch(watch)


def check(browser, library, watch: int) -> str:
    """Check a watch, when the scheduler does not have it."""
    before = library.get_watch(watch).last_checked_at
    for _ in range(50):
        browser.post(f"/watches/{watch}", do="check")
        known = library.get_watch(watch)
        if known.last_checked_at != before:
            return known.state.outcome
    raise AssertionError("it was never checked")


def test_the_preview_shows_what_is_compared_and_what_is_ignored(browser, site, ferry):
    asked = site.paths.count("/ferry")
    fields = {"url": site.url("/ferry"), "every": "6h", "ignore_text": "in any \\w+"}
    whole = browser.post("/watches/preview", **fields).text
    assert "takes sixty cars" in whole
    assert "in any weather" in whole.partition("Ignored")[2]
    part = browser.post("/watches/preview", **fields, scope=".box").text
    assert "Tickets cost four euros" in part
    assert "sixty cars" not in part
    assert part.count("<time") >= 5  # when it would be checked
    nothing = browser.post("/watches/preview", **fields, scope=".absent").text
    assert "notice bad" in nothing
    assert site.paths.count("/ferry") == asked + 1  # fetched once for all of them


def test_what_cannot_work_names_the_field_and_keeps_what_was_typed(browser, site):
    for field, value, said in (
        ("price_below", "cheap", "The price to fall below is not a number"),
        ("every", "often", "often"),
        ("scope", "p[", "p["),
        ("ignore_text", "(", "not a valid pattern"),
        ("targets", "nowhere:at-all", "nowhere"),
    ):
        answer = browser.post("/watches/new", **{"url": site.url("/ferry"), field: value})
        assert answer.status == 422, field
        assert said in answer.text.partition("notice bad")[2][:400], field
        assert site.url("/ferry") in answer.text


def test_a_watch_is_edited_and_its_secrets_are_not_shown(browser, library, ferry):
    library.edit_watch(ferry, targets=["https://hooks.example/secret-path"])
    shown = browser.get(f"/watches/{ferry.id}").text
    assert "hooks.example" in shown
    assert "secret-path" not in shown
    path = f"/watches/{ferry.id}/edit"
    browser.post(path, name="Ferry two", every="3h", keep_target="0", targets="feed:walks")
    known = library.get_watch(ferry.id)
    assert (known.name, known.settings.every) == ("Ferry two", 10_800)
    assert known.settings.targets == ("https://hooks.example/secret-path", "feed:walks")
    browser.post(path, name="Ferry", every="12h")
    assert library.get_watch(ferry.id).settings.targets == ()


def test_changes_are_unread_until_their_page_is_read(browser, library, ask, ferry):
    page = ferry.state.page_id
    assert "sixty" in browser.get("/changes?unread=true").text
    [change] = ask("GET", "/api/v1/changes?unread=true&sort=important").json["items"]
    assert change["unread"]
    back = browser.post(f"/p/{page}/read", back="/changes?unread=true").headers["location"]
    assert "Nothing has changed that is shown here." in browser.get(back).text
    assert ask("GET", "/api/v1/changes?unread=true").json["total"] == 0
    assert "sixty" in browser.get("/changes?sort=important").text
    assert "Changed since you read it" not in browser.get(f"/p/{page}").text
    away = browser.post(f"/p/{page}/read", back="//evil.example/").headers["location"]
    assert re.match(r"/(?!/)", away)


def test_what_never_matters_is_tried_on_the_past_and_then_ignored(browser, library, site, ferry):
    page = ferry.state.page_id
    diff = browser.get(f"/p/{page}/diff?from=1&to=2").text
    [link] = re.findall(r'href="(/watches/\d+/matters[^"]*how=never[^"]*)"', diff)
    shown = browser.get(link.replace("&amp;", "&")).text
    assert "Of the last 1 change of this watch, 0 would have been found." in shown
    [key] = set(re.findall(r'name="key" value="(\w+)"', shown))
    assert browser.post(f"/watches/{ferry.id}/matters", key=key, how="never").status == 303
    site.add_html("/ferry", terms("ninety"))
    assert check(browser, library, ferry.id) == "trivial"
    again = browser.get(f"/p/{page}/diff?from=1&to=2").text
    assert "muted" in again.partition("not counted")[2]
    browser.post(f"/watches/{ferry.id}/matters", key=key, how="usual")
    assert library.track_state(ferry).muted == ()


def test_what_always_matters_is_a_change_whatever_it_looks_like(browser, library, site, ferry, ask):
    places = f"/api/v1/watches/{ferry.id}/places"
    site.add_html("/ferry", terms("ninety", seen="12"))
    check(browser, library, ferry.id)
    site.add_html("/ferry", terms("ninety", seen="31"))
    assert check(browser, library, ferry.id) in ("trivial", "unchanged")
    blocks = library.diff(ferry.state.page_id, 1).text.blocks
    [key] = {block.key for block in blocks if "31 minutes" in block.after}
    assert ask("POST", places, {"key": key, "matters": "always"}).json["always"] == [key]
    site.add_html("/ferry", terms("ninety", seen="47"))
    assert check(browser, library, ferry.id) == "changed"
    assert ask("GET", places).json["always"] == [key]
    assert ask("POST", places, {"key": "zz", "matters": "never"}).status == 422


def test_settings_are_tried_on_the_past_by_programs_too(ask, ferry, site):
    body = {"only_if": ["never this"]}
    items = ask("POST", f"/api/v1/watches/{ferry.id}/backtest", body).json["items"]
    assert items
    assert not any(item["counts"] for item in items)
    seen = ask("POST", "/api/v1/watches/preview", {"url": site.url("/ferry"), "scope": [".box"]})
    assert seen.json["selected"].startswith("Tickets cost")
    assert len(seen.json["next_checks"]) == 5


@contextmanager
def stream(server, token: str, **headers: str) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    sent = {"Authorization": f"Bearer {token}", **headers}
    connection.request("GET", "/events", headers=sent)
    try:
        yield connection.getresponse()
    finally:
        connection.close()


def read_events(answer: http.client.HTTPResponse, number: int) -> list[dict]:
    found = []
    while len(found) < number:
        line = answer.readline()
        if line.startswith(b"data: "):
            found.append(json.loads(line[6:]))
    return found


def test_events_are_followed_and_gone_on_with_where_they_broke_off(server, token, library):
    saved = library.save("https://live.example/", content=kettle("7.00"))
    with stream(server, token) as answer:
        assert answer.getheader("content-type").startswith("text/event-stream")
        answer.readline()
        library.pin(saved)
        [first] = read_events(answer, 1)
    assert (first["kind"], first["page_id"]) == ("page.pin", saved.saved.page_id)
    library.unpin(saved)
    library.archive(saved)
    with stream(server, token, **{"Last-Event-ID": str(first["id"])}) as answer:
        missed = read_events(answer, 2)
    assert [event["kind"] for event in missed] == ["page.unpin", "page.archive"]
    library.unarchive(saved)


def test_events_are_nobody_elses(server, browser, database):
    assert server.ask("GET", "/events").status == 401
    foreign = {"Cookie": browser.cookie, "Sec_Fetch_Site": "cross-site"}
    assert server.ask("GET", "/events", **foreign).status == 403
    with open_library(database, "ann") as ann, open_library(database) as mine:
        token = ann.make_token(scopes=["read"])
        with stream(server, token, **{"Last-Event-ID": "0"}) as answer:
            mine.save_sample()
            saved = ann.save("https://ann.example/", content=kettle("8.00"))
            [event] = read_events(answer, 1)
    assert event["page_id"] == saved.saved.page_id
    assert server.ask("HEAD", "/events", Authorization=f"Bearer {token}").status == 200


def feed_of(browser, kind: str, query: str = "") -> str:
    """The path of a new feed."""
    shown = browser.post("/feeds", kind=kind, query=query).text
    [url] = re.findall(r"http://[^<]*\.atom[^<]*", shown)
    return "/" + url.replace("&amp;", "&").split("/", 3)[3]


def entries(answer) -> list[tuple[str, str]]:
    assert answer.headers["content-type"].startswith("application/atom+xml"), answer.text
    root = ET.fromstring(answer.body)  # noqa: S314  our own
    return [
        (entry.findtext(f"{ATOM}id"), entry.findtext(f"{ATOM}title"))
        for entry in root.iter(f"{ATOM}entry")
    ]


def test_a_search_a_tag_a_watch_and_all_changes_have_feeds(server, browser, library, ferry):
    library.save_sample()
    library.tag(library.find("https://tidewatch.example/nature/harbour-swifts"), "Birds")
    for kind, query, title in (
        ("search", "q=swifts", "swifts"),
        ("tag", "tag=birds", "swifts"),
        ("watch", f"watch={ferry.id}", "sixty"),
        ("changes", "", "sixty"),
    ):
        path = feed_of(browser, kind, query)
        answer = server.ask("GET", path)
        found = entries(answer)
        assert any(title in name.lower() for _, name in found), (kind, found)
        assert entries(server.ask("GET", path)) == found  # the same ids, whenever it is read
        again = server.ask("GET", path, If_None_Match=answer.headers["etag"])
        assert (again.status, again.body) == (304, b"")
        for form in ("rss", "json"):
            assert server.ask("GET", path.replace(".atom", f".{form}")).status == 200
    assert "the arm in feet" in server.ask("GET", feed_of(browser, "search", "q=swifts")).text


def test_the_key_of_a_feed_opens_that_feed_and_nothing_else(server, browser, library):
    path = feed_of(browser, "search", "q=swifts")
    key = path.split("/")[2]
    assert server.ask("GET", f"/feeds/{key}/search.atom?q=kettle").status == 404
    assert server.ask("GET", f"/feeds/{key}/changes.atom").status == 404
    bearer = {"Authorization": f"Bearer {key}"}
    assert server.ask("GET", "/api/v1/pages", **bearer).status == 403
    reader = library.make_token(scopes=["read"])
    assert server.ask("GET", f"/feeds/{reader}/changes.atom").status == 404
    everything = library.make_token(scopes=["feed"])
    assert server.ask("GET", f"/feeds/{everything}/changes.atom").status == 200
    [made] = [one for one in library.tokens() if one.feed == "search?q=swifts"][-1:]
    browser.post("/settings/tokens", revoke=str(made.id))
    assert server.ask("GET", path).status == 404
    logged = "".join(server.said)
    assert "/search.atom" in logged
    assert key not in logged
    assert server.link.rpartition("/")[2] not in logged.partition("within ten minutes")[2][200:]


def test_a_url_behind_the_prefix_is_read(server, ask, site):
    site.add_html("/read me", kettle())
    site.add_html("/read", kettle())
    url = site.url("/read")
    text = ask("GET", f"/r/{url}?b=1&c=%2F").text
    assert text.startswith("Title: Harbour kettle\n\nURL Source: " + url)
    assert "Markdown Content:\n" in text
    assert site.paths[-1].endswith("?b=1&c=%2F")
    data = ask("GET", f"/r/{url}", Accept="application/json", X_Return_Format="text").json
    assert (data["code"], data["data"]["title"]) == (200, "Harbour kettle")
    assert data["data"]["usage"]["tokens"] > 20
    part = ask("POST", "/r/", {"url": url}, X_Target_Selector=".price", X_Proxy="http://a.example")
    assert "39.90" in part.text
    assert "steel" not in part.text
    assert part.headers["x-ignored"] == "x-proxy"
    events = ask("GET", f"/r/{url}", Accept="text/event-stream")
    assert json.loads(events.text.removeprefix("data: "))["title"] == "Harbour kettle"
    assert ask("GET", f"/r/{url}", X_Token_Budget="3").status == 422
    assert ask("GET", "/r/").json["status"] == 422
    assert ask("GET", f"/r/{site.url('/absent')}").status == 502
    assert server.ask("GET", f"/r/{url}").status == 401


def test_a_page_read_by_the_prefix_is_kept_when_asked_for(ask, library, site):
    site.add_html("/kept", kettle("4.00", "Kept by the prefix. " * 9))
    before = library.count()
    ask("GET", f"/r/{site.url('/kept')}")
    assert library.count() == before
    ask("GET", f"/r/{site.url('/kept')}", X_Save="true")
    assert library.find(site.url("/kept")) is not None


def test_our_own_reader_service_gives_the_same_text(server, token, site, tmp_path):
    site.add_html("/service", kettle())
    flags = {
        "fetch.allowed_hosts": ["127.0.0.1"],
        "library.reader_url": f"{server.origin}/r",
        "library.reader_token": token,
    }
    with open_library(tmp_path / "a.db", settings=load_settings(flags=flags)) as here:
        local = here.document(here.save(site.url("/service")))
    flags["library.mode"] = "external"
    with open_library(tmp_path / "b.db", settings=load_settings(flags=flags)) as there:
        theirs = there.document(there.save(site.url("/service")))
    assert (theirs.title, theirs.url) == (local.title, local.url)
    assert theirs.text.split()[-30:] == local.text.split()[-30:]


def test_duplicates_are_found_hinted_at_and_merged(browser, library, site):
    words = "The same long story of the harbour crane and of those who climb it at dawn. " * 12
    site.add_html("/one", kettle("3.00", words))
    site.add_html("/two", kettle("3.00", words))
    browser.post("/save", urls=site.url("/one"))
    answer = browser.post("/save", urls=site.url("/two"), tags="Cranes", note="Seen twice.")
    shown = browser.get(answer.headers["location"]).text
    assert "Nearly the same text as" in shown
    one, two = library.find(site.url("/one")), library.find(site.url("/two"))
    assert f"/p/{two.id}" in browser.get(f"/p/{one.id}/similar").text
    assert f'value="{two.id}"' in browser.get("/duplicates").text
    browser.post(
        "/duplicates", [("keep", str(one.id)), ("page", str(one.id)), ("page", str(two.id))]
    )
    assert library.get(two.id).deleted_at
    assert library.tags(one) == ("Cranes",)
    assert [note.text for note in library.notes(one)] == ["Seen twice."]
    assert library.find(site.url("/two")).id == one.id
    browser.post("/save", urls=site.url("/two"))
    assert library.get(two.id).deleted_at  # its URL leads to the other by now


def test_what_needs_somebody_is_listed_with_what_helps(browser, library, site):
    browser.post("/save", urls=site.url("/missing-page"))
    library.save("https://poor.example/", content="<title>Poor</title><p>Short.")
    shown = browser.get("/attention").text
    assert site.url("/missing-page") in shown
    assert "https://poor.example/" in shown
    site.add_html("/missing-page", kettle("2.00", "Here after all. " * 9))
    browser.post("/save", urls=site.url("/missing-page"), render="never")
    assert site.url("/missing-page") not in browser.get("/attention").text


def test_several_prices_share_a_chart(browser, library, ask):
    from tests.web.test_browser import add_prices

    numbers = []
    for name in ("pot", "pan"):
        saved = library.save(f"https://{name}.example/", content=kettle("9.00", f"A {name}. " * 9))
        add_prices(library, saved.saved.page_id)
        numbers.append(saved.saved.page_id)
    query = "&".join(f"page={number}" for number in numbers)
    shown = browser.get(f"/prices?{query}").text
    assert shown.count('<path class="step c0"') >= 1
    assert '<path class="step c1"' in shown
    assert "The prices of 2 pages" in shown
    assert f'value="{numbers[0]}"' in browser.get("/prices").text
    assert browser.get("/prices?page=999999").status == 404
    assert "No prices in this time" in browser.get(f"/prices?{query}&since=2030-01-01").text
    later = ask("GET", f"/api/v1/prices?{query}&since=2026-04-01").json["items"]
    assert [[point["amount"] for point in one["items"]] for one in later] == [["4", "5"]] * 2
    assert {one["page_id"] for one in ask("GET", "/api/v1/prices").json["items"]} >= {*numbers}
    table = browser.get(f"/p/{numbers[0]}/prices.csv")
    assert table.text.splitlines()[:2] == [
        "at,amount,currency,availability,held",
        "2026-03-10T08:00:00.000Z,3,EUR,unknown,0",
    ]
    assert "attachment" in table.headers["content-disposition"]


def test_reading_goes_on_where_it_was(browser, library, ask):
    saved = library.save("https://long.example/", content=kettle("1.00", "Words. " * 90))
    number = saved.saved.page_id
    done = browser.post(f"/p/{number}/progress", version="1", block="2", blocks="5")
    assert done.status == 204
    assert "You were at 40%." in browser.get(f"/p/{number}").text
    assert "40% read" in browser.get("/").text
    assert ask("GET", f"/api/v1/pages/{number}/progress").json["block"] == 2
    place = {"version": 1, "block": 4, "blocks": 5}
    assert ask("POST", f"/api/v1/pages/{number}/progress", place).status == 200
    assert library.progress(number).percent == 80


def test_programs_read_what_there_is_beside_the_content(ask, library):
    library.save_sample()
    page = library.find("https://tidewatch.example/nature/harbour-swifts")
    path = f"/api/v1/pages/{page.id}"
    outline = ask("GET", f"{path}/outline").json
    assert outline["items"][0]["anchor"] == "s-1"
    links = ask("GET", f"{path}/links").json
    assert links["total"] == len(links["items"]) > 0
    explained = ask("GET", f"{path}/explain").json
    assert explained["fields"]["title"]
    assert explained["version"]["number"] == 1
    original = ask("GET", f"{path}/original")
    assert "sandbox" in original.headers["content-security-policy"]
    assert ask("GET", f"{path}/similar").json["items"] is not None
    system = ask("GET", "/api/v1/system").json
    assert system["database"] == "sqlite"
    assert system["library"]["pages"] > 0
    assert "kept" in browser_text(ask, f"/p/{page.id}/why")


def browser_text(ask, path: str) -> str:
    return ask("GET", path).text


def test_lists_have_totals_and_the_fields_that_are_asked_for(ask, ferry):
    items = ask("GET", "/api/v1/pages?fields=title,url&limit=2").json["items"]
    assert [sorted(item) for item in items] == [["id", "title", "url"]] * 2
    assert ask("GET", "/api/v1/pages?fields=colour").status == 422
    for path in ("/changes", "/jobs", f"/pages/{ferry.state.page_id}/versions"):
        part = ask("GET", f"/api/v1{path}?limit=1").json
        assert part["total"] >= len(part["items"]) > 0, path
        assert part["exact"] is True


def test_a_copy_is_kept_up_to_date_with_what_is_gone(ask, library):
    from pageloom.edges.store.times import now

    at = now()
    kept = library.save("https://sync.example/kept", content=kettle("6.00", "Kept here. " * 9))
    gone = library.save("https://sync.example/gone", content=kettle("6.10", "Gone soon. " * 9))
    deleted = library.save("https://sync.example/x", content=kettle("6.20", "In the trash. " * 9))
    library.delete(gone, deleted)
    library.purge(gone)
    found = ask("GET", f"/api/v1/pages?updated_since={at}&limit=200").json
    items = {item["id"]: item for item in found["items"]}
    assert found["total"] == len(items) == 3
    assert items[kept.saved.page_id]["title"] == "Harbour kettle"
    assert items[deleted.saved.page_id]["deleted_at"]
    assert items[gone.saved.page_id] == {"id": gone.saved.page_id, "purged": True}
    first = ask("GET", f"/api/v1/pages?updated_since={at}&limit=2").json
    rest = ask("GET", f"/api/v1/pages?updated_since={at}&limit=2&cursor={first['next']}").json
    assert len(first["items"]) + len(rest["items"]) == 3
    library.tag(kept, "Later")
    ids = [item["id"] for item in ask("GET", f"/api/v1/pages?updated_since={at}").json["items"]]
    assert kept.saved.page_id in ids


def test_a_secret_of_the_settings_is_in_no_answer_and_in_no_log(
    server, browser, library, ask, ferry
):
    library.edit_watch(ferry, targets=["https://hooks.example/secret-path"])
    page = str(ferry.state.page_id)
    values = dict.fromkeys(NAMES.split(), "1") | {"page": page, "watch": str(ferry.id)}
    values |= {"kind": "changes", "form": "atom", "ending": "md", "number": "1"}
    for key in TABLE:
        if key[0] != "GET" or key == ENDLESS:
            continue
        path = filled(key[1] + QUERIES.get(key, ""), values)
        for answer in (browser.get(path), ask("GET", path)):
            for secret in ("s3cret-of-the-hooks", "secret-path"):
                assert secret not in answer.text if answer.body[:2] != b"PK" else True, path
    assert browser.post(f"/watches/{ferry.id}", do="test").status == 422
    logged = "".join(server.said)
    assert "s3cret" not in logged
    assert "secret-path" not in logged

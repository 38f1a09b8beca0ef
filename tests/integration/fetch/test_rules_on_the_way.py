"""What rules say about asking for a page is done: headers, rewrites, further pages, the browser."""

from __future__ import annotations

import json

import pytest
from tests.site.apps import NAVIGATION, PARAGRAPHS, TITLE, article, page
from tests.site.server import send

from pageloom.core.rules.book import RuleBook
from pageloom.core.rules.load import load_rules
from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import FetchError
from pageloom.flows.capture.acquire import acquire


def get(world, url: str, rules: str, **how):
    loaded = load_rules(rules, "test.yaml", lint=True)
    assert not loaded.problems
    return world.run(
        acquire(FetchRequest(url=url), fetcher=world.fetcher, rules=RuleBook(loaded.specs), **how)
    )


def rule(**parts: object) -> str:
    """JSON is YAML too."""
    trigger = {"host": {"equals": "site.test"}}
    return json.dumps([{"id": "the-site", "trigger": trigger} | parts])


@pytest.fixture
def series(site):
    """An article in seven pages, each in ``site.room`` by its number."""

    def answer(request) -> None:
        number = int(request.path.partition("page=")[2] or 1)
        send(request, site.room[number].encode(), Content_Type="text/html; charset=utf-8")

    site.room = {number: _part(number, 7) for number in range(1, 8)}
    site.pages["/ferry"] = answer
    site.add_html("/whole", page(NAVIGATION + article()))
    return site


def _part(number: int, count: int) -> str:
    link = f'<a class="next" href="ferry?page={number + 1}">Next</a>' if number < count else ""
    text = f"<p>This is page number {number}. {PARAGRAPHS[(number - 1) % 5]}</p>"
    return page(f"{NAVIGATION}<main><article><h1>{TITLE}</h1>{text}</article>{link}</main>")


def test_headers_cookies_and_another_address(world, site):
    site.add_html("/print/ferry", page(article()))
    rules = rule(
        request={
            "headers": {"X-Key": "k"},
            "cookies": {"consent": "yes"},
            "url_rewrite": {"match": "/story/", "replace": "/print/"},
        }
    )
    url = site.url("/story/ferry", "site.test")
    got = get(world, url, rules)
    assert got.document.title == TITLE
    assert got.document.url == url
    assert got.document.final_url.endswith("/print/ferry")
    (path, headers) = site.asked[0]
    assert (path, headers["x-key"], headers["cookie"]) == ("/print/ferry", "k", "consent=yes")
    assert got.decisions[0] == "rules: the-site"


def test_a_rewrite_does_not_open_closed_addresses(world, site):
    rewrite = {"match": "site.test:[0-9]+", "replace": "127.0.0.1:1"}
    with pytest.raises(FetchError) as caught:
        get(world, site.url("/", "site.test"), rule(request={"url_rewrite": rewrite}))
    assert caught.value.kind == "blocked_address"
    assert site.connections == 0


def test_the_pages_of_an_article_are_joined(world, series):
    got = get(world, series.url("/ferry", "site.test"), rule(request={"next_page": "a.next"}))
    for number in range(1, 8):
        assert got.document.text.count(f"This is page number {number}.") == 1
    assert got.document.markdown.count(TITLE) <= 1
    assert "next page: 7 pages joined" in got.decisions
    assert got.document.provenance.fetching == got.decisions


def test_what_was_joined_can_be_read_again_without_the_network(world, series):
    from pageloom import extract

    got = get(world, series.url("/ferry", "site.test"), rule(request={"next_page": "a.next"}))
    again = extract(got.body, got.document.url, content_type=got.content_type, rules=None)
    assert again.text == got.document.text


def test_pages_are_followed_up_to_the_limit(world, series):
    series.room = {number: _part(number, 40) for number in range(1, 41)}
    get(world, series.url("/ferry", "site.test"), rule(request={"next_page": "a.next"}))
    assert len(series.asked) == world.fetcher.options.max_pages


def test_pages_that_lead_round_in_a_circle_end(world, series):
    series.room[3] = series.room[3].replace("ferry?page=4", "ferry")
    got = get(world, series.url("/ferry", "site.test"), rule(request={"next_page": "a.next"}))
    assert "next page: 3 pages joined" in got.decisions
    assert len(series.asked) == 3


@pytest.mark.parametrize("place", ["http://127.0.0.1:1/", "http://10.0.0.1/", "/missing"])
def test_a_further_page_that_cannot_be_had_costs_nothing(world, series, place: str):
    series.room[2] = series.room[2].replace("ferry?page=3", place)
    got = get(world, series.url("/ferry", "site.test"), rule(request={"next_page": "a.next"}))
    assert "This is page number 2." in got.document.text
    assert any(decision.startswith("further page: not") for decision in got.decisions)


def test_secrets_do_not_follow_to_another_host(world, series, other_site):
    other_site.add_html("/2", page(article()))
    series.room[1] = series.room[1].replace("ferry?page=2", other_site.url("/2", "friend.test"))
    rules = rule(request={"next_page": "a.next", "cookies": {"s": "1"}, "headers": {"X-Key": "k"}})
    got = get(world, series.url("/ferry", "site.test"), rules)
    assert PARAGRAPHS[4] in got.document.text
    (headers,) = [headers for path, headers in other_site.asked if path == "/2"]
    assert "cookie" not in headers
    assert "x-key" not in headers


def test_the_single_page_is_taken_instead(world, series):
    series.room[1] = series.room[1].replace(
        "</main>", '<a id="all" href="/whole">All on one page</a></main>'
    )
    rules = rule(request={"next_page": "a.next", "single_page": "#all"})
    got = get(world, series.url("/ferry", "site.test"), rules)
    assert PARAGRAPHS[4] in got.document.text
    assert "single page: used" in got.decisions
    assert series.paths == ["/ferry", "/whole"]


def test_a_rule_may_forbid_the_browser(world, spa):
    got = get(world, spa.url("/spa/timer", "site.test"), rule(rendering={"mode": "never"}))
    assert not got.used_browser


def test_a_rule_for_the_markup_may_ask_for_the_browser(world, spa):
    rules = json.dumps(
        [
            {
                "id": "late-app",
                "trigger": {"dom": {"any": ["#app"]}},
                "rendering": {"mode": "force", "wait_for": "#app article", "timeout": 15000},
            }
        ]
    )
    got = get(world, spa.url("/spa/late", "site.test"), rules)
    assert got.used_browser
    assert PARAGRAPHS[4] in got.document.text

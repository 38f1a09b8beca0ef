"""What rules say about asking for a page."""

from __future__ import annotations

import pickle

from pageloom.core.rules.book import RuleBook
from pageloom.core.rules.load import load_rules


def book(text: str) -> RuleBook:
    loaded = load_rules(text)
    assert not loaded.problems, [str(each) for each in loaded.problems]
    return RuleBook(loaded.specs)


HOST_ALONE = r"""
- id: harbour
  trigger: {host: {equals: harbour.example}}
  request:
    headers: {User-Agent: Reader, Referer: "https://search.example/"}
    cookies: {consent: "yes"}
    url_rewrite: {match: "^(https://[^/]+)/story/(\\d+)$", replace: '\1/print/\2'}
    next_page: a.next
    single_page: "xpath://a[contains(., 'View all')]/@href"
- id: lower
  priority: 10
  trigger: {host: {ends_with: harbour.example}}
  request: {headers: {user-agent: Other, Accept-Language: de}, cookies: {consent: "no", a: b}}
- id: only-with-a-wall
  trigger: {host: {equals: harbour.example}, dom: {any: [".wall"]}}
  request: {headers: {X-Wall: "1"}}
"""


def test_host_and_path_are_enough_for_what_needs_no_page():
    asked = book(HOST_ALONE).request_for("https://www.harbour.example:8443/story/17")
    assert asked.url == "https://www.harbour.example:8443/print/17"
    assert asked.headers == {
        "user-agent": "Reader",
        "referer": "https://search.example/",
        "accept-language": "de",
    }
    assert asked.cookies == {"consent": "yes", "a": "b"}
    assert asked.rule_ids == ("harbour", "lower")
    assert asked.next_page == ("a.next",)
    assert not asked.next_page_url


def test_a_page_tells_where_it_goes_on():
    page = """<div class=wall></div><a class=next href="?p=2">more</a>
        <p><a href="/all/17">View all on one page</a></p>"""
    asked = book(HOST_ALONE).request_for_page(page, "https://harbour.example/story/17")
    assert asked.next_page_url == "https://harbour.example/story/17?p=2"
    assert asked.single_page_url == "https://harbour.example/all/17"
    assert asked.headers["x-wall"] == "1"


def test_a_link_to_the_page_itself_is_no_next_page():
    page = '<a class=next href="#top">next</a>'
    asked = book(HOST_ALONE).request_for_page(page, "https://harbour.example/story/17")
    assert asked.next_page_url == ""


def test_a_rewrite_to_anything_but_http_is_ignored():
    rules = book("""
- id: trick
  trigger: {host: {equals: a.example}}
  request: {url_rewrite: {match: "^.*$", replace: "file:///etc/passwd"}}
""")
    assert rules.request_for("https://a.example/x").url == "https://a.example/x"


RENDERING = """
- id: low-force
  priority: 10
  trigger: {host: {equals: a.example}}
  rendering: {mode: force, wait_for: .low, timeout: 1000}
- id: high-never
  priority: 90
  trigger: {host: {equals: a.example}}
  rendering: {mode: never}
- id: middle-force
  priority: 60
  trigger: {host: {equals: a.example}}
  rendering: {mode: force, wait_for: .middle, timeout: 2000}
- id: never
  trigger: {host: {equals: b.example}}
  rendering: {mode: never}
- id: auto
  priority: 90
  trigger: {host: {equals: b.example}}
  rendering: {mode: auto}
"""


def test_any_force_wins_and_the_highest_of_them_gives_the_details():
    asked = book(RENDERING).request_for("https://a.example/")
    assert (asked.rendering, asked.wait_for, asked.timeout_ms) == ("force", ".middle", 2000)


def test_never_wins_over_auto():
    assert book(RENDERING).request_for("https://b.example/").rendering == "never"
    assert book(RENDERING).request_for("https://c.example/").rendering == "auto"


def test_a_book_survives_a_process_border():
    rules = book(HOST_ALONE)
    copy = pickle.loads(pickle.dumps(rules))  # noqa: S301  our own
    url = "https://harbour.example/story/17"
    assert copy.request_for(url) == rules.request_for(url)
    assert copy.key == rules.key

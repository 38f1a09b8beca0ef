"""From a URL to a Document."""

from __future__ import annotations

import asyncio
import time

import pytest
from tests.api.conftest import kettle

import pageloom


def test_a_url_becomes_a_document(shop, settings):
    document = pageloom.fetch(shop, settings=settings)
    assert document.title == "Harbour kettle"
    assert document.url == shop
    assert "two litres" in document.text
    assert document.price_candidates[0].raw


def test_it_can_be_awaited(shop, settings):
    document = asyncio.run(pageloom.fetch_async(shop, settings=settings))
    assert document.snapshot_hash == pageloom.fetch(shop, settings=settings).snapshot_hash


def test_it_may_be_called_where_an_event_loop_is_running(shop, settings):
    async def main() -> str:
        return pageloom.fetch(shop, settings=settings).title

    assert asyncio.run(main()) == "Harbour kettle"


def test_closed_addresses_are_refused_unless_the_settings_allow_them(shop):
    with pytest.raises(pageloom.FetchError) as caught:
        pageloom.fetch(shop)
    assert caught.value.code == "FetchError.blocked_address"


def test_settings_of_the_environment_are_followed(shop, monkeypatch):
    monkeypatch.setenv("PAGELOOM_FETCH_ALLOWED_HOSTS", "127.0.0.1")
    assert pageloom.fetch(shop).title == "Harbour kettle"


@pytest.mark.parametrize(
    ("path", "code"),
    [("/missing", "FetchError.status"), ("/empty", "EmptyContent")],
)
def test_what_cannot_be_fetched_is_an_error_with_a_code(site, settings, path, code):
    site.add_html("/empty", "  ")
    with pytest.raises(pageloom.PageloomError) as caught:
        pageloom.fetch(site.url(path), settings=settings, render="never")
    assert caught.value.code == code
    assert caught.value.message


def test_a_wrong_url_is_an_error():
    with pytest.raises(pageloom.InvalidUrl):
        pageloom.fetch("harbour")


def test_the_time_is_limited(site, settings):
    site.pages["/slow"] = lambda _: time.sleep(5)
    started = time.monotonic()
    with pytest.raises(pageloom.FetchError) as caught:
        pageloom.fetch(site.url("/slow"), timeout=0.5, settings=settings, render="never")
    assert caught.value.kind == "timeout"
    assert time.monotonic() - started < 4


def test_headers_and_cookies_are_sent(shop, site, settings):
    pageloom.fetch(
        shop, headers={"X-Berth": "7"}, cookies={"crew": "yes"}, settings=settings, render="never"
    )
    sent = site.asked[-1][1]
    assert (sent["x-berth"], sent["cookie"]) == ("7", "crew=yes")


def test_options_and_rules_are_those_of_extract(shop, settings):
    plain = pageloom.fetch(shop, options={"enable_markdown": False}, settings=settings)
    assert plain.markdown == ""
    rules = pageloom.parse_rules("""
- id: shop
  trigger: {host: {equals: 127.0.0.1}}
  metadata: {author: {value: The yard}}
""")
    assert pageloom.fetch(shop, rules=rules, settings=settings).author == "The yard"
    assert pageloom.fetch(shop, rules=None, settings=settings).author == ""


def test_a_mistake_in_rules_is_an_error():
    with pytest.raises(pageloom.RuleError, match=r"rules:2: .*hots"):
        pageloom.parse_rules("- id: shop\n  trigger: {hots: shop.example}\n")


def test_a_difference_is_shown():
    assert (
        pageloom.render_diff("a ferry at nine", "a ferry at ten") == "~ a ferry at [-nine-]{+ten+}"
    )
    shown = pageloom.render_diff("<b>", "<i>", html=True)
    assert "<del>" in shown
    assert "<b>" not in shown


def test_the_page_that_changed_is_the_page_that_comes(shop, site, settings):
    before = pageloom.fetch(shop, settings=settings)
    site.add_html("/kettle", kettle(price="34.90"))
    after = pageloom.fetch(shop, settings=settings)
    assert "price" in pageloom.diff(before, after).changed_fields

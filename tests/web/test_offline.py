"""The app without network, in real Chromium: a list, fifty pages, and saves that are sent once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from tests.saving import save_many
from tests.services import chromium
from tests.web.forwarder import Forwarder
from tests.web.server import Browser, running

from pageloom.library import open_library
from pageloom.model import Document
from pageloom.model.capture import Capture

playwright_api = pytest.importorskip("playwright.sync_api")

PAGE = "<html lang=en><title>Story {0}</title><article><p>{1}</p></article></html>"


def story(number: int) -> Capture:
    words = f"The words of story {number}, which are read on a train in a tunnel."
    url = f"https://s.example/{number}"
    known = {"id": url, "url": url, "final_url": url, "title": f"Story {number}"}
    return Capture(document=Document(**known, html=f"<p>{words}</p>", text=words, quality_score=80))


@pytest.fixture(scope="module")
def network(database, tmp_path_factory) -> Iterator[tuple[Forwarder, Any]]:
    """A server behind a network that can be cut, with fifty pages that somebody has read."""
    with open_library(database) as library:
        save_many(library.context.store, map(story, range(50)))
        for number in range(50):
            library.mark_opened(f"https://s.example/{number}")
    home, forwarder = str(tmp_path_factory.mktemp("home")), Forwarder()
    own = {"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
    with running(database, PAGELOOM_WEB_URL=f"http://127.0.0.1:{forwarder.port}", **own) as server:
        forwarder.target = server.port
        forwarder.up()
        yield forwarder, server
        forwarder.down()


@pytest.fixture(scope="module")
def page(network, database) -> Iterator[Any]:
    """A tab of somebody who is signed in."""
    with open_library(database) as library:
        secret = library.open_session("phone")
    origin = f"http://127.0.0.1:{network[0].port}"
    with playwright_api.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        context = browser.new_context(base_url=origin)
        context.add_cookies([{"name": "pageloom", "value": secret, "url": origin}])
        yield context.new_page()
        browser.close()
    asyncio.set_event_loop(None)


COUNT = "caches.open('read').then((cache) => cache.keys()).then((keys) => keys.length)"
QUEUED = """new Promise((resolve) => { const asked = indexedDB.open('pageloom', 1);
asked.onsuccess = () => { const counted = asked.result.transaction('queue').objectStore('queue')
.count(); counted.onsuccess = () => { asked.result.close(); resolve(counted.result); }; }; })"""


def until(page: Any, expression: str, wanted: int) -> None:
    for _ in range(150):
        if page.evaluate(expression) == wanted:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{expression[:40]}… is {page.evaluate(expression)}, not {wanted}")


def test_the_list_and_fifty_pages_are_readable_without_network(page, network):
    forwarder, _ = network
    page.goto("/")
    until(page, COUNT, 50)
    forwarder.down()
    page.goto("/")
    assert page.locator("h1").inner_text() == "You are offline"
    assert page.locator("[data-offline] a").count() == 50
    links = page.locator("[data-offline] a").evaluate_all("all => all.map((one) => one.href)")
    read = page.evaluate(
        "(links) => Promise.all(links.map((one) => caches.match(one).then((it) => it.text())))",
        links,
    )
    assert sum("which are read on a train" in each for each in read) == 50
    page.get_by_role("link", name="Story 7", exact=True).click()
    assert page.locator("h1").inner_text() == "Story 7"
    assert "The words of story 7" in page.locator("article").inner_text()
    assert page.evaluate("getComputedStyle(document.body).display") == "grid"  # with its style


def test_what_is_saved_and_marked_without_network_is_sent_once(page, network, database, site):
    forwarder, _ = network
    site.add_html("/later", PAGE.format("later", "It was saved in a tunnel, and sent later. " * 5))
    page.locator("[data-marks] p").first.select_text()
    page.get_by_role("button", name="pink").click()
    page.get_by_text("1 thing is sent when you are online again.").wait_for()
    page.get_by_label("URLs").fill(site.url("/later"))
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("2 things are sent when you are online again.").wait_for()
    forwarder.up()
    page.evaluate("dispatchEvent(new Event('online'))")
    page.evaluate("dispatchEvent(new Event('online'))")
    until(page, QUEUED, 0)
    page.goto("/")
    with open_library(database) as library:
        for _ in range(100):
            if library.find(site.url("/later")):
                break
            page.wait_for_timeout(100)
        assert [each.total for each in library.jobs()] == [1]
        assert library.get(site.url("/later")).title == "Story later"
        assert [each.colour for each in library.all_highlights()] == ["pink"]


def test_a_page_is_kept_and_signing_out_deletes_everything(page):
    page.get_by_role("link", name="Story 9", exact=True).first.click()
    page.get_by_role("button", name="Keep offline").click()
    page.get_by_role("button", name="Kept offline ✓").wait_for()
    page.goto("/settings")
    page.get_by_role("button", name="Sign out here").click()
    page.wait_for_url("**/login*")
    assert page.evaluate("caches.keys()") == []
    assert (
        page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    )


def test_a_phone_can_install_it_and_share_with_it(network, database):
    server = network[1]
    headers = {"Host": f"127.0.0.1:{network[0].port}"}
    manifest = server.ask("GET", "/manifest.webmanifest", **headers).json
    assert manifest["share_target"]["action"] == "/share"
    assert server.ask("GET", manifest["icons"][0]["src"], **headers).status == 200
    with open_library(database) as library:
        browser = Browser(server, f"pageloom={library.open_session('phone')}")
    own = {"Origin": f"http://127.0.0.1:{network[0].port}", "Content_Type": "text/plain"}
    own |= {"Content_Type": "application/x-www-form-urlencoded", "Cookie": browser.cookie}
    body = "text=Read+https%3A%2F%2Fa.example%2F&title=A"
    shared = server.ask("POST", "/share", body=body, **headers, **own)
    assert shared.headers["location"] == "/save?title=A&text=Read+https%3A%2F%2Fa.example%2F"

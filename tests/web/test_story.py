"""A newcomer in Chromium, from the link of the terminal to a change, on both databases."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from tests.api.conftest import kettle
from tests.postgres import new_database
from tests.services import chromium
from tests.web.server import Server, running

from pageloom.library import open_library

playwright_api = pytest.importorskip("playwright.sync_api")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_newcomer_finds_the_way(kind, request, site, tmp_path):
    if kind == "sqlite":
        tell(str(tmp_path / "library.db"), site)
        return
    with new_database(request.getfixturevalue("postgres")) as database:
        tell(database, site)


def tell(database: str, site: Any) -> None:
    with running(database) as server, playwright_api.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        trouble: list[str] = []
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("requestfinished", lambda sent: trouble.extend(elsewhere(sent.url, server)))
        come_in(page, server)
        save_and_find(page, site)
        watch_and_hear(page, site, database)
        say_what_matters(page)
        follow_elsewhere(page, server)
        leave(page, server)
        browser.close()
    asyncio.set_event_loop(None)
    assert trouble == []


def elsewhere(url: str, server: Server) -> list[str]:
    return [] if url.startswith((server.origin, "data:")) else [url]


def come_in(page: Any, server: Server) -> None:
    page.goto(server.link)
    page.get_by_role("button").first.click()
    page.get_by_text("Try it with a sample page").click()
    assert "swifts" in page.locator("h1").inner_text().lower()
    page.get_by_role("link", name="why?").click()
    page.get_by_text("Blocks of the page").wait_for()


def save_and_find(page: Any, site: Any) -> None:
    site.add_html("/kettle", kettle("39.90"))
    page.get_by_role("link", name="Save a page").click()
    page.get_by_label("URLs").fill(site.url("/kettle"))
    page.get_by_label("Tags").fill("kitchen")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("Saved.").wait_for()
    page.keyboard.press("/")
    page.keyboard.type("spout kettle")
    page.keyboard.press("Enter")
    page.locator("mark").first.wait_for()
    page.keyboard.press("j")
    page.keyboard.press("o")
    page.wait_for_url(re.compile(r"/p/\d+$"))


def watch_and_hear(page: Any, site: Any, database: str) -> None:
    """By keys and by the live preview; the change comes into the open list by itself."""
    page.get_by_role("link", name="Watch it").click()
    page.wait_for_load_state("load")  # the preview follows what is typed from then on
    page.get_by_label("Name").fill("Kettle")
    page.locator("#preview").get_by_text("read without a browser").wait_for()
    assert "39.90" in page.locator("#preview .looked").inner_text()
    page.get_by_label("Only these parts").fill(".price")
    page.locator("#preview .looked", has_not_text="steel").wait_for()
    page.get_by_label("Only these parts").fill("")
    page.locator("#preview .looked", has_text="steel").wait_for()
    page.get_by_role("button", name="Start watching").click()
    page.get_by_role("link", name="Kettle", exact=True).wait_for()
    with open_library(database) as library:
        wait_for_check(page, library, "39.90")
        site.add_html("/kettle", kettle("29.90"))
        page.goto(re.sub(r"/watches.*", "/changes", page.url))
        page.get_by_text("Nothing has changed yet.").wait_for()
        watch = library.watches()[0]
        library.edit_watch(watch)  # due at once, and the server is at work
        page.get_by_role("link", name=re.compile("29.90")).first.wait_for()
    page.get_by_role("link", name=re.compile("29.90")).first.click()
    assert "29.90" in page.locator("ins").first.inner_text()


def wait_for_check(page: Any, library: Any, price: str) -> None:
    for _ in range(300):
        number = library.watches()[0].state.page_id
        if number and price in [str(one.amount) for one in library.prices(number)]:
            return
        page.wait_for_timeout(100)
    pytest.fail(f"the watch never saw {price}")


def say_what_matters(page: Any) -> None:
    page.get_by_role("link", name="this never matters").first.click()
    page.get_by_text("Of the last 1 change of this watch").first.wait_for()
    page.get_by_role("button", name="Keep this").click()
    page.locator("summary", has_text="not counted").wait_for()
    page.goto(re.sub(r"/diff.*", "/prices", page.url))
    assert "29.90 EUR, the lowest so far" in page.locator("h1").inner_text()


def follow_elsewhere(page: Any, server: Server) -> None:
    page.goto(server.origin + "/changes")
    page.get_by_role("button", name="Feed of these changes").click()
    url = page.locator("dd").first.inner_text()
    assert b"29.90" in server.ask("GET", url.removeprefix(server.origin)).body
    page.set_viewport_size({"width": 360, "height": 700})
    page.goto(server.origin)
    page.get_by_label("Main, short").get_by_role("link", name="Watches").click()
    page.get_by_role("link", name="Kettle", exact=True).wait_for()


def leave(page: Any, server: Server) -> None:
    page.goto(server.origin + "/settings")
    page.get_by_role("button", name="Sign out here").click()
    page.wait_for_url("**/login")
    page.goto(server.origin + "/")
    assert "/login" in page.url

"""All of it without JavaScript, and all of it without a mouse."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from tests.api.conftest import kettle
from tests.services import chromium
from tests.web.server import running
from tests.web.test_endurance import slow_pages

from pageloom.library import open_library

playwright_api = pytest.importorskip("playwright.sync_api")

NAME = """(() => { const one = document.activeElement;
  return one.getAttribute('aria-label') || (one.labels && one.labels[0] && one.labels[0].innerText)
    || one.innerText || one.value || ''; })()"""
HAS_OUTLINE = """(() => { const one = document.activeElement;
  return one === document.body || getComputedStyle(one).outlineStyle !== 'none'
    || one.closest('.find') !== null; })()"""


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    with playwright_api.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield browser
        browser.close()
    asyncio.set_event_loop(None)


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def follow(page: Any, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).first.click()


def said(page: Any) -> str:
    return page.get_by_role("status").first.inner_text()


@pytest.mark.timeout(200)
def test_everything_is_done_without_javascript(chrome, site, tmp_path):
    database = str(tmp_path / "a.db")
    with running(database) as server:
        context = chrome.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(server.link)
        page.get_by_role("button").first.click()
        press(page, "Try it with a sample page")
        _save(page, site)
        _find_and_act(page)
        _read(page)
        with open_library(database) as library:
            library.save(site.url("/one"), content=kettle("29.90"))
        _compare(page, server.origin)
        _follow_it(page, site)
        _look_after(page)
        _set(page, server.origin)
        context.close()


def _save(page: Any, site: Any) -> None:
    for name in ("one", "two"):
        site.add_html(f"/{name}", kettle("39.90", words=f"Words of {name}. " * 20))
    follow(page, "Save a page")
    page.get_by_label("URLs").fill(f"{site.url('/one')}\n{site.url('/two')}")
    page.get_by_label("Tags").fill("Kitchen")
    press(page, "Save")
    for _ in range(100):
        if "2 of 2 done" in said(page):
            break
        page.wait_for_timeout(100)
        follow(page, "Refresh")
    assert "2 of 2 done" in said(page)


def _find_and_act(page: Any) -> None:
    page.get_by_label("Search the library").fill("kettle")
    page.keyboard.press("Enter")
    page.locator("summary", has_text="More filters").click()
    page.get_by_label("Order").select_option("title")
    press(page, "Show")
    assert "2 pages for “kettle”. By title." in page.locator(".sub").inner_text()
    page.get_by_label(re.compile("^Select ")).first.check()
    press(page, "Archive")
    assert "1 page archived." in said(page)
    press(page, "Undo")
    page.get_by_label("that match").check()
    page.get_by_label("Tag for the selected pages").fill("Tin")
    press(page, "Tag")
    assert "2 pages tagged #Tin." in said(page)


def _read(page: Any) -> None:
    page.locator("a[data-open]").first.click()
    page.get_by_label("Add tags, separated by commas").fill("Steel")
    page.keyboard.press("Enter")
    page.locator("a.tag", has_text="Steel").wait_for()
    page.get_by_label("Remove the tag Steel").click()
    assert page.locator("a.tag", has_text="Steel").count() == 0
    page.get_by_label("Add a note").fill("For the boat.")
    press(page, "Add")
    page.locator(".note", has_text="For the boat.").wait_for()
    press(page, "Mark as read")
    page.get_by_role("button", name="Mark unread").wait_for()
    page.get_by_label("Size").select_option("5")
    press(page, "Apply")
    assert page.locator("html").get_attribute("data-size") == "5"
    press(page, "Delete")
    follow(page, "Trash")
    page.get_by_label(re.compile("^Select ")).first.check()
    press(page, "Restore")
    assert "1 page restored." in said(page)


def _compare(page: Any, origin: str) -> None:
    page.goto(f"{origin}/?q=kettle")
    page.locator("a.badge", has_text="version 2").click()
    page.get_by_label("From version 1").check()
    press(page, "Compare")
    assert "29.90" in page.locator("ins").first.inner_text()
    for view in ("Side by side", "In the text", "As a patch"):
        follow(page, view)
        assert "29.90" in page.locator("main").inner_text()


def _follow_it(page: Any, site: Any) -> None:
    follow(page, "Watches")
    follow(page, "With a preview and more settings")
    page.get_by_label("Page").fill(site.url("/two"))
    press(page, "Preview")
    assert "39.90" in page.locator("#preview .looked").inner_text()
    page.get_by_label("Name").fill("Two")
    press(page, "Start watching")
    follow(page, "Two")
    press(page, "Pause")
    assert said(page) == "Paused."
    press(page, "Resume")
    press(page, "Check now")
    assert said(page).startswith("Checked just now: ")
    page.get_by_label("Every").fill("soon")
    press(page, "Keep")
    assert "soon" in page.get_by_role("alert").inner_text()
    page.get_by_label("Every").fill("2h")
    press(page, "Keep")
    follow(page, "Two")
    press(page, "Feed of its changes")
    assert "/feeds/plm_" in page.locator("dd").first.inner_text()


def _look_after(page: Any) -> None:
    follow(page, "Tags")
    page.get_by_label("New name of Tin").fill("Metal")
    page.get_by_label("Rename Tin").click()
    page.get_by_role("link", name="Metal").wait_for()
    for name in ("Changes", "Prices", "Attention", "Duplicates", "Archive", "Jobs"):
        follow(page, name)
        assert page.locator("h1").count() == 1, name


def _set(page: Any, origin: str) -> None:
    follow(page, "Settings")
    page.get_by_label("black", exact=True).check()
    press(page, "Keep")
    assert page.locator("html").get_attribute("data-theme") == "black"
    page.get_by_label("What it is for").fill("Phone")
    press(page, "Make a token")
    assert page.locator(".secret").inner_text().startswith("plm_")
    page.get_by_label("Revoke Phone").click()
    assert page.get_by_label("Revoke Phone").count() == 0
    for label in ("New password", "The same again"):
        page.get_by_label(label).fill("a kettle of herrings")
    page.get_by_role("region", name="Set a password").get_by_role("button", name="Keep").click()
    press(page, "Sign out here")
    page.get_by_label("Name").fill("local")
    page.get_by_label("Password").fill("a kettle of herrings")
    press(page, "Sign in")
    assert page.url == f"{origin}/"


def reach(page: Any, name: str) -> None:
    """Tab to what has this name; whatever is passed shows that it has the focus."""
    for _ in range(150):
        page.keyboard.press("Tab")
        assert page.evaluate(HAS_OUTLINE), page.evaluate(NAME)
        if page.evaluate(NAME).strip().startswith(name):
            return
    pytest.fail(f"Tab does not lead to {name!r}")


def use(page: Any, name: str) -> None:
    reach(page, name)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def write(page: Any, name: str, text: str) -> None:
    reach(page, name)
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


@pytest.mark.timeout(200)
def test_everything_is_done_without_a_mouse(chrome, site, tmp_path):
    gate = threading.Event()
    with running(str(tmp_path / "a.db")) as server:
        page = chrome.new_page()
        page.goto(server.link)
        assert page.evaluate(NAME) == "Open the library"
        with page.expect_navigation():
            page.keyboard.press("Enter")
        use(page, "Try it with a sample page")
        page.locator("h1", has_text="swifts").wait_for()
        _read_by_keys(page)
        _save_by_keys(page, slow_pages(site, 3, gate), gate)
        _list_by_keys(page)
        _watch_by_keys(page, site)
        _set_by_keys(page)
        page.close()


def _read_by_keys(page: Any) -> None:
    write(page, "Add tags", "Birds")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.locator("a.tag", has_text="Birds").wait_for()
    write(page, "Add a note", "They are back.")
    use(page, "Add")
    page.locator(".note", has_text="They are back.").wait_for()
    use(page, "Pin")
    page.get_by_role("button", name="Unpin").wait_for()
    page.keyboard.press("v")
    page.wait_for_url("**/history")


def _save_by_keys(page: Any, urls: list[str], gate: threading.Event) -> None:
    """What has the focus keeps it while its part of the page is renewed every second."""
    use(page, "Save a page")
    page.wait_for_url("**/save")
    page.keyboard.type("\n".join(urls))  # the field has the focus
    use(page, "Save")
    page.wait_for_url("**/jobs/*")
    page.get_by_text("2 of 3 done").wait_for()
    reach(page, "Cancel")
    with page.expect_response("**/jobs/*"):
        pass
    page.wait_for_timeout(300)
    assert page.evaluate(NAME) == "Cancel"
    gate.set()
    page.get_by_text("3 of 3 done").wait_for()
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))
    page.wait_for_timeout(1500)
    assert asked == []  # there is nothing more to follow


def _list_by_keys(page: Any) -> None:
    page.keyboard.press("/")
    page.keyboard.type("kettle")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=kettle*")
    for key in ("j", "x", "j", "x"):
        page.keyboard.press(key)
    write(page, "Tag for the selected", "Tin")
    use(page, "Tag")
    page.get_by_text("2 pages tagged #Tin.").wait_for()
    page.keyboard.press("u")
    page.wait_for_url("**q=kettle")
    reach(page, "More filters")
    page.keyboard.press("Enter")
    reach(page, "Order")
    page.keyboard.type("By title")
    use(page, "Show")
    page.get_by_text("By title.").wait_for()


def _watch_by_keys(page: Any, site: Any) -> None:
    page.keyboard.press("g")
    page.keyboard.press("w")
    page.wait_for_url("**/watches")
    use(page, "With a preview")
    page.wait_for_url("**/watches/new")
    write(page, "Page", site.url("/slow/0"))
    write(page, "Name", "Kettle")
    page.locator("#preview .looked").wait_for()
    assert page.evaluate(NAME) == "Name"  # the preview came and took nothing away
    use(page, "Start watching")
    use(page, "Kettle")
    page.wait_for_url(re.compile(r"/watches/\d+$"))
    use(page, "Pause")
    page.get_by_role("button", name="Resume").wait_for()


def _set_by_keys(page: Any) -> None:
    for key in ("g", "s"):
        page.keyboard.press(key)
    page.wait_for_url("**/settings")
    reach(page, "system")
    page.keyboard.press("ArrowRight")
    use(page, "Keep")
    page.locator("html[data-theme=light]").wait_for()
    use(page, "Sign out here")
    page.wait_for_url("**/login")

"""Saving from anywhere: pages that a real browser hands over, and who may not."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any
from urllib.parse import unquote

import pytest
from tests.services import chromium
from tests.site.server import send

from pageloom.library import open_library

playwright_api = pytest.importorskip("playwright.sync_api")

PRIVATE = "Your balance of 4,117 crowns was paid out in full on Tuesday, says the harbour bank."
PAGE = f"""<html lang="en"><head><title>Your account</title></head><body><article>
<h1>Your account</h1><p id="said">{PRIVATE} It will be there in three days at most.</p>
<p>Another paragraph with enough words, so that whoever reads this page knows what it is about.</p>
<form><input name="pin" value="9876"><textarea>typed secret</textarea></form>
<bank-notice></bank-notice>
<button id="go" type="button">Click</button></article></body></html>"""
SHADOW = """(() => { const host = document.querySelector('bank-notice');
const root = host.attachShadow({mode: 'open'}), line = document.createElement('p');
line.textContent = 'From a shadow root: the vault is closed on Mondays and on public holidays.';
root.append(line); })()"""
CSP = (
    "default-src 'none'; form-action 'none'; connect-src 'none'; require-trusted-types-for 'script'"
)
KINDS: dict[str, dict[str, str]] = {
    "plain": {},
    "csp": {"Content_Security_Policy": CSP},
    "coop": {"Cross_Origin_Opener_Policy": "same-origin"},
    "both": {"Content_Security_Policy": CSP, "Cross_Origin_Opener_Policy": "same-origin"},
}


@pytest.fixture(scope="module")
def bank(site):
    """A site that shows its pages to those who are logged in, with all kinds of headers."""

    def page(headers: dict[str, str]):
        def answer(request: Any) -> None:
            is_known = "login=yes" in request.headers.get("Cookie", "")
            body = PAGE if is_known else "<title>Log in</title><p>Please log in first."
            send(request, body.encode(), Content_Type="text/html; charset=utf-8", **headers)

        return answer

    for name, headers in KINDS.items():
        site.pages[f"/{name}"] = page(headers)
    return f"http://localhost:{site.port}"


@pytest.fixture(scope="module")
def code(browser) -> str:
    """The bookmarklet, as it is dragged to the bookmarks."""
    page = browser.post("/settings/capture").text
    found = re.search(r'href="(javascript:[^"]+)"', page)
    assert found
    return unquote(unescape(found[1])).removeprefix("javascript:")


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    with playwright_api.sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=chromium(),
            args=["--no-sandbox"],
            ignore_default_args=["--disable-popup-blocking"],
        )
        yield browser
        browser.close()
    asyncio.set_event_loop(None)


@contextmanager
def context_of(chrome, server, browser, bank) -> Iterator[Any]:
    context = chrome.new_context()
    name, _, value = browser.cookie.partition("=")
    context.add_cookies(
        [
            {"name": name, "value": value, "url": server.origin, "sameSite": "Lax"},
            {"name": "login", "value": "yes", "url": bank},
        ]
    )
    yield context
    context.close()


def click(page: Any, code: str) -> None:
    """A real click that runs the bookmarklet in the page, as a click on a bookmark does."""
    page.evaluate(f"document.querySelector('#go').addEventListener('click', () => {{ {code} }})")
    page.locator("#go").click()


@pytest.mark.parametrize("kind", ["plain", "csp", "coop"])
def test_a_page_behind_a_login_is_saved_as_it_is_shown(  # noqa: PLR0917  fixtures
    chrome, server, browser, bank, database, code, kind
):
    with context_of(chrome, server, browser, bank) as context:
        page = context.new_page()
        page.goto(f"{bank}/{kind}")
        page.evaluate(SHADOW)
        page.locator("#said").select_text()
        saved: list[str] = []
        context.on("page", lambda new: new.on("load", lambda: saved.append(new.url)))
        click(page, code)
        for _ in range(100):
            if any("/captured/" in url for url in saved):
                break
            if page.get_by_role("button", name="Save to Pageloom").count():  # a popup was blocked
                page.get_by_role("button", name="Save to Pageloom").click()
            page.wait_for_timeout(100)
        assert any("/captured/" in url for url in saved), saved
    with open_library(database) as library:
        found = library.get(f"{bank}/{kind}")
        text = library.document(found).text
        assert PRIVATE in text
        assert "From a shadow root" in text
        assert library.history(found)[0].origin == "capture"
        original = (library.original(found) or b"").decode()
        assert "9876" not in original
        assert "typed secret" not in original
        assert [PRIVATE in each.quote for each in library.highlights(found)] == [True]


def test_where_nothing_else_is_left_the_address_is(chrome, server, browser, bank, code):
    with context_of(chrome, server, browser, bank) as context:
        page = context.new_page()
        page.goto(f"{bank}/both")
        click(page, code)
        other = None
        for _ in range(100):
            other = next((each for each in context.pages if "/save?url=" in each.url), None)
            if other:
                break
            if page.get_by_role("button", name="Save to Pageloom").count():
                page.get_by_role("button", name="Save to Pageloom").click()
            page.wait_for_timeout(100)
        assert other
        assert other.get_by_label("URLs").input_value() == f"{bank}/both"


def test_without_a_key_a_click_is_asked_for(chrome, server, browser, bank, database, code):
    without = re.sub(r'key = "plm_[^"]*"', 'key = ""', code)
    assert without != code
    with context_of(chrome, server, browser, bank) as context:
        page = context.new_page()
        page.goto(f"{bank}/plain?asked")
        with context.expect_page() as opened:
            click(page, without)
        window = opened.value
        window.wait_for_url("**/capture/held/*")
        with open_library(database) as library:
            assert library.find(f"{bank}/plain?asked") is None
        window.get_by_role("button", name="Save it").click()
        window.wait_for_url("**/captured/*")
        window.get_by_label("Add tags").focus()
        assert window.locator("[data-closes]").is_hidden()
    with open_library(database) as library:
        assert library.find(f"{bank}/plain?asked")


def form(**fields: str) -> tuple[bytes, str]:
    lines = [
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    return "".join([*lines, "--x--\r\n"]).encode(), "multipart/form-data; boundary=x"


def test_a_site_cannot_write_the_page_of_another(server, browser, database):
    body, kind = form(url="https://bank.example/", html=PAGE, title="Fake")
    headers = {"Content_Type": kind, "Sec_Fetch_Site": "cross-site"}
    foreign = server.ask(
        "POST", "/capture/form", body=body, Origin="https://evil.example", **headers
    )
    assert foreign.status == 403
    nowhere = server.ask("POST", "/capture/form", body=body, Origin="null", **headers)
    assert nowhere.headers["location"].startswith("/save?url=https%3A%2F%2Fbank.example")
    # By message, the window names the origin: without the session, or from elsewhere, it is none.
    stranger = server.ask("POST", "/capture", body=body, Content_Type=kind)
    assert stranger.status == 401
    forged = server.ask(
        "POST",
        "/capture",
        body=body,
        Cookie=browser.cookie,
        Origin="https://evil.example",
        **headers,
    )
    assert forged.status == 403
    wrong, kind = form(url="https://bank.example/", html=PAGE, origin="https://evil.example")
    own = {"Cookie": browser.cookie, "Origin": server.origin, "Sec_Fetch_Site": "same-origin"}
    assert server.ask("POST", "/capture", body=wrong, Content_Type=kind, **own).status == 403
    with open_library(database) as library:
        assert library.find("https://bank.example/") is None


def test_a_form_is_held_once_and_changes_nothing_by_itself(server, browser, database):
    body, kind = form(url="https://bank.example/held", html=PAGE)
    headers = {
        "Content_Type": kind,
        "Sec_Fetch_Site": "cross-site",
        "Origin": "https://bank.example",
    }
    held = server.ask("POST", "/capture/form", body=body, Cookie=browser.cookie, **headers)
    path = held.headers["location"]
    assert path.startswith("/capture/held/")
    assert "data-auto" not in browser.get(path).text
    with open_library(database) as library:
        assert library.find("https://bank.example/held") is None
    assert browser.post(path).headers["location"].startswith("/captured/")
    assert browser.post(path).status == 404
    assert browser.get("/capture/held/unknown").status == 404


def test_a_capture_key_opens_nothing_else(server, code):
    found = re.search(r"plm_[\w-]+", code)
    assert found
    bearer = {"Authorization": f"Bearer {found[0]}"}
    for path in ("/api/v1/pages", "/api/v1/me", "/", "/capture"):
        assert server.ask("GET", path, **bearer).status == 403, path
    assert server.ask("POST", "/api/v1/pages", body="{}", **bearer).status == 403
    assert server.ask("GET", f"/feeds/{found[0]}/changes.atom").status == 404


def test_a_thousand_captures_are_limited(server, browser):
    body, kind = form(url="https://bank.example/many", html=PAGE)
    headers = {
        "Content_Type": kind,
        "Sec_Fetch_Site": "cross-site",
        "Origin": "https://bank.example",
    }
    statuses = [
        server.ask("POST", "/capture/form", body=body, **headers).status for _ in range(1000)
    ]
    assert 1 <= statuses.count(303) <= 60
    assert statuses[-1] == 429
    refused = server.ask("POST", "/capture/form", body=body, **headers)
    assert int(refused.headers["retry-after"]) <= 60
    assert browser.get("/").status == 200


def test_a_file_of_another_program_is_uploaded_with_its_address(server, browser, database):
    """What SingleFile and curl -F send."""
    with open_library(database) as library:
        token = library.make_token("SingleFile", scopes=["save"])
    lines = (
        '--x\r\nContent-Disposition: form-data; name="url"\r\n\r\nhttps://a.example/single\r\n'
        '--x\r\nContent-Disposition: form-data; name="file"; filename="page.html"\r\n'
        f"Content-Type: text/html\r\n\r\n{PAGE}\r\n--x--\r\n"
    )
    kind = "multipart/form-data; boundary=x"
    bearer = {"Authorization": f"Bearer {token}"}
    answer = server.ask("POST", "/api/v1/pages", body=lines, Content_Type=kind, **bearer)
    assert (answer.status, answer.json["outcome"]) == (201, "saved")
    form_page = browser.get("/save?title=Shared&text=Look+at+https%3A%2F%2Fa.example%2Fsingle").text
    assert "https://a.example/single</textarea>" in form_page
    assert "You have this" in form_page

"""Real Chromium against the real server: looks, accessibility, keys, and markup that attacks."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import kettle
from tests.services import chromium

from pageloom.edges.store.changes import insert_change
from pageloom.edges.store.prices import insert_price
from pageloom.edges.store.times import now
from pageloom.library import open_library
from pageloom.model.library import Change, StoredPrice

playwright_api = pytest.importorskip("playwright.sync_api")

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
WIDTHS = (360, 768, 1280, 1920)
ALL_LOOKS = os.environ.get("LOOKS") == "all"
ROOT = "document.documentElement"
EVIL = "\"><img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}\u202e' onfocus=alert(3) x="
HOSTILE = f"""<html lang="en"><head><title>{EVIL}</title>
<meta name="author" content='&lt;script&gt;alert(4)&lt;/script&gt;'>
<meta name="description" content="{{{{7*7}}}} &lt;img src=x onerror=alert(5)&gt;">
<script>alert(6)</script></head><body><article id="main" class="top"><h1>Plain</h1>
<p hx-get="https://evil.example/" hx-trigger="load" data-read-end="/logout" onclick="alert(7)"
 style="position:fixed;inset:0;z-index:9">A paragraph that is long enough to be kept by any reader
of pages, with a <a href="javascript:alert(8)">link</a>, and <a href="data:text/html,x">two</a>.</p>
<form action="https://evil.example/"><input name="page" autofocus onfocus="alert(9)"></form>
<p><img src="https://evil.example/pixel.png" alt="{{{{7*7}}}}" onerror="alert(10)"> More words of
this story, so that there is something to read beside what attacks whoever reads it.</p>
<svg onload="alert(11)"><a xlink:href="javascript:alert(12)"><text>x</text></a></svg>
<math><mtext><script>alert(13)</script></mtext></math><iframe src="https://evil.example/"></iframe>
<video src="https://evil.example/v.mp4" autoplay></video><link rel=stylesheet href="//evil.example">
<details ontoggle="alert(14)" open><summary>Sum</summary>And what it hides, in some words.</details>
<h2 id="find">{{{{ask}}}}</h2><p>The end of it, with some more words to keep this one as well.</p>
</article></body></html>"""


NO_PRICE = """
- id: shop.example
  trigger: {host: {equals: shop.example}}
  metadata: {title: {value: Kettle}}
"""


def add_prices(library, number: int) -> None:
    """Prices of three months."""
    with library.context.store.write() as tx:
        for month in (3, 4, 5):
            at = f"2026-0{month}-10T08:00:00.000Z"
            insert_price(tx, StoredPrice(page_id=number, at=at, amount=month, currency="EUR"))


def add_change(library, number: int) -> None:
    """A change that a watch would have found."""
    change = Change(
        id="0" * 32,
        owner="local",
        page_id=number,
        from_version=1,
        to_version=2,
        importance=0.9,
        summary="Price 39.90 EUR → 29.90 EUR (-25.1%).",
        created_at=now(),
    )
    with library.context.store.write() as tx:
        insert_change(tx, change)


@pytest.fixture(scope="module")
def library(database, server):
    with open_library(database) as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(library) -> dict[str, str]:
    """Every page of the app, by name, with something on it."""
    library.save_sample()
    url = "https://shop.example/kettle"
    for price, words in (("39.90", "Old words of it. " * 9), ("29.90", "New words of it. " * 9)):
        shop = library.save(url, content=kettle(price, words), tags=["Kitchen"]).saved.page_id
    arabic = "<html lang=ar dir=rtl><title>الرجل</title><article><p>" + "في صباح كل يوم جمعة. " * 20
    right = library.save("https://ar.example/", content=arabic).saved.page_id
    hebrew = "<html lang=he dir=rtl><title>הנמל</title><article><p>" + "הספינה יוצאת בבוקר. " * 20
    for price in ("19.90", "14.90"):
        content = f"{hebrew}<p>המחיר הוא {price} EUR ב-Harbour Shop."
        ship = library.save("https://he.example/", content=content).saved.page_id
    twin = kettle("29.90", "New words of it. " * 9)
    other = library.save("https://copy.example/kettle", content=twin).saved.page_id
    library.save("https://poor.example/", content="<title>Poor</title><p>Short.")
    add_prices(library, shop)
    add_prices(library, other)
    watch = library.watch(url, name="Kettle", every="6h")
    library.pause(watch)
    add_change(library, shop)
    library.note(shop, "A note.")
    library.highlight(shop, "Old words of it.", version=1, note="It said so.")
    library.highlight(shop, "New words", colour="green")
    library.make_token("Phone")
    library.save_search("Kettles", "kettle price:<50", notify=["feed:kettles"])
    library.keep_rule(shop, NO_PRICE)
    job = library.save_later(["http://10.0.0.1/"])
    shown = {"url": url, "origin": "https://shop.example", "title": "Kettle", "key": ""}
    held = library.hold_capture(shown | {"html": "<p>Kettle", "selection": ""})
    return {
        "library": "/",
        "search": "/?q=kettle",
        "cards": "/?view=cards",
        "trash": "/?deleted=only",
        "save": "/save",
        "reader": f"/p/{shop}",
        "right to left": f"/p/{right}",
        "old version": f"/p/{shop}/v/1",
        "history": f"/p/{shop}/history",
        "diff": f"/p/{shop}/diff?from=1&to=2",
        "side by side": f"/p/{shop}/diff?from=1&to=2&view=side",
        "patch": f"/p/{shop}/diff?from=1&to=2&view=patch",
        "nothing to compare": f"/p/{right}/diff",
        "right to left, history": f"/p/{ship}/history",
        "right to left, diff": f"/p/{ship}/diff?from=1&to=2",
        "right to left, side by side": f"/p/{ship}/diff?from=1&to=2&view=side",
        "right to left, why": f"/p/{ship}/why",
        "prices": f"/p/{shop}/prices",
        "why": f"/p/{shop}/why",
        "changes": "/changes",
        "no changes": "/changes?since=2090-01-01",
        "watches": "/watches",
        "watch": f"/watches/{watch.id}",
        "new watch": f"/watches/new?url={url}&price_below=30",
        "matters": f"/watches/{watch.id}/matters?key=0a1b2c3d&how=never&text=Old+words",
        "all prices": "/prices",
        "two prices": f"/prices?page={shop}&page={other}",
        "attention": "/attention",
        "duplicates": "/duplicates",
        "similar": f"/p/{shop}/similar",
        "jobs": "/jobs",
        "job": f"/jobs/{job.id}",
        "tags": "/tags",
        "rules": "/rules",
        "workbench": f"/rules/try?page={shop}",
        "workbench of a rule": "/rules/try?rule=shop.example",
        "settings": "/settings",
        "highlights": "/highlights",
        "searches": "/searches?q=kettle",
        "found by filters": "/?q=tag:kitchen+has:price",
        "offline": "/offline",
        "capture": "/capture",
        "held": f"/capture/held/{held}",
        "captured": f"/captured/{shop}",
        "keys": "/keys",
        "api": "/api",
        "error": "/p/999999",
    }


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    with playwright_api.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield browser
        browser.close()
    asyncio.set_event_loop(None)


@contextmanager
def tab(chrome, server, browser, **settings: Any) -> Iterator[Any]:
    """A tab of somebody who is signed in; ``trouble`` of it is whatever must not happen."""
    context = chrome.new_context(**settings)
    name, _, value = browser.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": server.origin}])
    page = context.new_page()
    page.trouble = []
    page.on("dialog", lambda dialog: (page.trouble.append(dialog.message), dialog.dismiss()))
    page.on("pageerror", lambda error: page.trouble.append(str(error)))
    page.on("console", lambda said: page.trouble.append(said.text) if is_bad(said) else None)
    for event in ("requestfinished", "requestfailed"):
        page.on(event, lambda asked: page.trouble.extend(sent_elsewhere(asked, server.origin)))
    yield page
    context.close()


def sent_elsewhere(asked: Any, origin: str) -> list[str]:
    """A request to another host, unless the page's own policy has stopped it."""
    is_own = asked.url.startswith((origin, "data:", "blob:"))
    return [] if is_own or asked.failure == "csp" else [f"request: {asked.url} {asked.failure}"]


def is_bad(said: Any) -> bool:
    return "Content Security Policy" in said.text or "Refused" in said.text


def violations(page: Any, *rules: str) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = page.evaluate(f"axe.run(document, {json.dumps(options)})")["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("place", "width"), list(enumerate(WIDTHS)))
def test_every_page_is_accessible_and_fits_at_every_width_light_and_dark(
    chrome, server, browser, pages, place, width
):
    """Each page at one width, light and dark there; with LOOKS=all at every width, all of it."""
    found: list[str] = []
    size = {"width": width, "height": 900}
    with tab(chrome, server, browser, viewport=size, bypass_csp=True) as page:
        for number, (name, path) in enumerate(pages.items()):
            if (number - place) % len(WIDTHS) and not ALL_LOOKS:
                continue
            page.goto(server.origin + path)
            found += [f"{name}: {one}" for one in _wrong_looks(page, name, size)]
        found += page.trouble
    assert found == []


def _wrong_looks(page: Any, name: str, size: dict[str, int]) -> Iterator[str]:
    for way in ("rtl", "ltr"):  # lastly as it is
        page.evaluate(f"document.documentElement.dir = '{way}'")
        for width in (320, size["width"]):
            page.set_viewport_size(size | {"width": width})
            if page.evaluate(f"{ROOT}.scrollWidth > {ROOT}.clientWidth"):
                yield f"{width} {way}: scrolls sideways"
        for colours in ("dark", "light"):
            page.emulate_media(color_scheme=colours)
            if ALL_LOOKS:
                folder = Path("build", "looks", str(size["width"]), f"{colours}-{way}")
                folder.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=folder / f"{name}.png")
            if ALL_LOOKS or way == "ltr":
                rules = ("color-contrast",) if colours == "dark" and not ALL_LOOKS else ()
                where = f"{size['width']} {way} {colours}"
                yield from (f"{where}: {one}" for one in violations(page, *rules))


@pytest.mark.parametrize("theme", ["sepia", "black"])
def test_the_other_colours_are_readable_too(chrome, server, browser, pages, theme):
    browser.post("/settings", theme=theme)
    try:
        with tab(chrome, server, browser, bypass_csp=True) as page:
            for name in ("library", "reader", "diff"):
                page.goto(server.origin + pages[name])
                assert violations(page, "color-contrast") == [], name
    finally:
        browser.post("/settings", theme="system")


def test_every_page_is_there_without_javascript_and_can_be_acted_on(chrome, server, browser, pages):
    for name, path in pages.items():
        assert browser.get(path).text.count("<h1") == 1, name
    with tab(chrome, server, browser, java_script_enabled=False) as page:
        page.goto(server.origin + pages["duplicates"])
        page.get_by_role("button", name="Merge").first.click()
        page.goto(server.origin + "/?tag=kitchen")
        page.locator("summary", has_text="More filters").click()
        page.get_by_role("button", name="Feed of this list").click()
        assert "/feeds/plm_" in page.locator("dd").first.inner_text()
        assert page.trouble == []


@pytest.mark.timeout(600)
def test_tab_reaches_everything_and_is_caught_nowhere(chrome, server, browser, pages):
    """On some pages; with LOOKS=all on every one."""
    with tab(chrome, server, browser) as page:
        for name in pages if ALL_LOOKS else ("library", "reader", "watch"):
            page.goto(server.origin + pages[name])
            assert _stops(page, name) > 10


def _stops(page: Any, name: str) -> int:
    """How many things Tab leads to; each shows that it has the focus."""
    here = "document.activeElement"
    seen, places = set(), page.locator("a[href], button, input, select, textarea").count()
    for _ in range(places + 40):
        page.keyboard.press("Tab")
        seen.add(page.evaluate(f"[...document.querySelectorAll('*')].indexOf({here})"))
        outline = page.evaluate(
            f"{here} === document.body || getComputedStyle({here}).outlineStyle !== 'none'"
            f" || {here}.closest('.find') !== null"
        )
        assert outline, (name, page.evaluate(f"{here}.outerHTML.slice(0, 200)"))
        if page.evaluate(f"{here} === document.body"):
            return len(seen)
    pytest.fail(f"{name}: the end was never reached")


def test_lists_are_worked_through_by_keys_alone(chrome, server, browser, library, pages):
    with tab(chrome, server, browser) as page:
        page.goto(server.origin + "/?q=kettle")
        page.keyboard.press("j")
        page.keyboard.press("x")
        assert page.locator("[data-chosen]").inner_text() == "1 selected"
        page.keyboard.press("p")
        page.wait_for_url("**done=*")
        assert "1 page pinned." in page.get_by_role("status").inner_text()
        page.keyboard.press("u")
        page.wait_for_url(server.origin + "/?q=kettle")
        page.keyboard.press("j")
        page.keyboard.press("o")
        page.wait_for_url("**/p/*")
        page.keyboard.press("v")
        page.wait_for_url("**/history")
        page.keyboard.press("g")
        page.keyboard.press("c")
        page.wait_for_url("**/changes")
        page.keyboard.press("/")
        page.keyboard.type("jjj")
        assert page.locator("#find").input_value() == "jjj"
        page.goto(server.origin + "/?q=kettle")
        for key in ("j", "t"):
            page.keyboard.press(key)
        page.keyboard.type("Galley")
        assert page.locator("#bulk-tag").input_value() == "Galley"
        assert page.locator("[data-chosen]").inner_text() == "1 selected"
        page.goto(server.origin + "/?q=kettle")
        for key in ("j", "w"):
            page.keyboard.press(key)
        page.wait_for_url("**/watches/new?url=https%3A%2F%2F*")
        assert page.trouble == []
    assert not any(one.pinned for one in library.pages())


def test_pages_are_read_by_keys_unless_they_are_off(chrome, server, browser, pages):
    with tab(chrome, server, browser) as page:
        page.goto(server.origin + pages["reader"])
        page.keyboard.press("[")
        page.wait_for_url("**/v/1")
        page.keyboard.press("]")
        page.wait_for_url("**/v/2")
        with page.expect_navigation():
            page.keyboard.press("+")
        assert page.locator("html").get_attribute("data-size") == "4"
        with page.expect_navigation():
            page.keyboard.press("-")
        page.keyboard.press("e")
        page.wait_for_url("**/why*")
        page.goto(server.origin + pages["diff"])
        for key, place in (("n", "#d1"), ("n", "#d2"), ("p", "#d1")):
            page.keyboard.press(key)
            assert page.evaluate("location.hash") == place
        browser.post("/settings", keys="off", lines="open", edges="justified")
        page.goto(server.origin + pages["reader"])
        page.keyboard.press("e")
        page.keyboard.press("v")
        style = "getComputedStyle(document.querySelector('article.text p:not(.byline)'))"
        assert page.evaluate(f"{style}.textAlign") == "justify"
        assert page.url == server.origin + pages["reader"]
        browser.post("/settings", keys="on", lines="normal", edges="ragged")
        assert page.trouble == []


def test_a_page_whose_end_was_seen_is_read(chrome, server, browser, library):
    saved = library.save("https://short.example/", content=kettle("5.00", "Few words. " * 9))
    with tab(chrome, server, browser) as page:
        page.goto(f"{server.origin}/p/{saved.saved.page_id}")
        with page.expect_response("**/read"):
            page.locator("[data-read-end]").scroll_into_view_if_needed()
    assert library.get(saved).read_at


def test_passages_are_marked_with_the_pointer_and_with_keys_alone(chrome, server, browser, library):
    sample = library.save_sample()
    number = library.get(sample).id
    with tab(chrome, server, browser) as page:
        page.goto(f"{server.origin}/p/{number}")
        page.locator("article p", has_text="For eleven years").select_text()
        page.get_by_label("A note on it").fill("So long.")
        page.get_by_role("button", name="green").click()
        page.wait_for_url("**#h-*")
        marked = page.locator("mark.h-green")
        assert "For eleven years" in marked.first.inner_text()
        assert "removal of crane, deferred" in " ".join(marked.all_inner_texts())
        for key in ("h", "ArrowDown", "ArrowDown", "Shift+ArrowRight", "ArrowLeft", "3"):
            page.keyboard.press(key)
        page.locator("mark.h-blue").first.wait_for()
        page.keyboard.press("n")
        assert "#h-" in page.url
        assert page.trouble == []
    quotes = {each.colour: each.quote for each in library.highlights(number)}
    assert quotes["green"].startswith("For eleven years")
    assert quotes["green"].endswith("deferred.")
    assert quotes["blue"]
    markdown = browser.get("/highlights.md?q=eleven").text
    assert "> For eleven years" in markdown
    assert "So long." in markdown


def test_a_job_is_followed_live(chrome, server, browser, site):
    site.add_html("/live", kettle(words="Live words. " * 30))
    with tab(chrome, server, browser) as page:
        page.goto(server.origin + "/save")
        page.get_by_label("URLs").fill(f"{site.url('/live')}\n{site.url('/live?2')}")
        page.get_by_role("button", name="Save", exact=True).click()
        page.get_by_text("2 of 2 done").wait_for()
        page.get_by_role("link", name="Harbour kettle").first.click()
        assert page.locator("h1").inner_text() == "Harbour kettle"
        assert page.trouble == []


def test_markup_that_attacks_stays_text_on_every_page(chrome, server, browser, library, pages):
    url = "https://evil-shop.example/?" + "%22%3E%3Cscript%3Ealert(15)%3C/script%3E"
    for words in ("One", "Two"):
        saved = library.save(url, content=HOSTILE.replace("Plain", words), tags=[EVIL])
    number = saved.saved.page_id
    library.note(saved, EVIL)
    library.highlight(saved, "long enough to be kept", note=EVIL)
    watch = library.watch("https://evil-shop.example/", name=EVIL, ignore_text=[r"<script>alert"])
    library.pause(watch)
    library.make_token(EVIL)
    library.save_search(EVIL, EVIL)
    library.open_session(EVIL)
    job = library.save_later([f"http://10.0.0.1/{EVIL}"])
    own = [
        *(f"/p/{number}{part}" for part in ("", "/v/1", "/history", "/diff", "/diff?view=side")),
        *(f"/p/{number}{part}" for part in ("/diff?view=patch", "/why", "/original", ".html")),
        f"/jobs/{job.id}",
        f"/?q={EVIL}",
        f"/?tag={EVIL}&site={EVIL}",
        f"/save?url={EVIL}",
        f"/p/{number}/similar",
        f"/prices?page={number}&page={number}",
        f"/watches/{watch.id}",
        f"/watches/new?url={EVIL}&price_below={EVIL}",
        f"/watches/{watch.id}/matters?key=0a1b2c3d&text={EVIL}&back={EVIL}",
        f"/{EVIL}",
    ]
    with tab(chrome, server, browser) as page:
        for path in (*pages.values(), *own):
            page.goto(server.origin + path.replace("#", "%23"))
            page.wait_for_load_state()
            strange = page.evaluate(
                '[...document.querySelectorAll(\'script:not([src^="/static/"]),'
                ' iframe:not(.picker[sandbox="allow-scripts"]), object,'
                " embed, video, [onclick], [onerror], [onfocus], [onload], [style],"
                ' article [id]:not([id^="s-"], [id^="h-"]), article [hx-get],'
                ' form[action^="http"]\')]'
                ".map(one => one.outerHTML.slice(0, 200))"
            )
            inert = path.endswith(("/original", ".html"))  # as they came, where nothing runs
            assert inert or strange == [], path
            if inert:  # what the policy refuses there is how it is inert
                page.trouble = [one for one in page.trouble if "Security Policy" not in one]
            assert page.trouble == [], path

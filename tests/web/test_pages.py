"""The pages as somebody without JavaScript uses them: links, forms, answers."""

from __future__ import annotations

import re
import time
from html import unescape
from pathlib import Path

import pytest
from tests.api.conftest import kettle
from tests.site.pictures import illustrated, img, png
from tests.web.server import Browser, running

from pageloom.library import open_library
from pageloom.settings import load_settings

PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000")


@pytest.fixture(scope="module")
def library(database, server):
    """The library of the server, opened beside it."""
    with open_library(database) as opened:
        yield opened


@pytest.fixture(scope="module")
def page(library, site) -> int:
    """A page with two versions, a picture, a tag and a note; its number."""
    site.add("/crane.png", PNG, Content_Type="text/html")
    care = "Rinse it with rain water once a week, and dry the lid before it goes below deck."
    picture = f'<p><img src="{site.url("/crane.png")}" alt="A crane"></p><p>{care}</p>'
    for price in ("39.90", "29.90"):
        content = kettle(price).replace("</main>", f"<h2>Care</h2>{picture}</main>")
        saved = library.save("https://shop.example/kettle", content=content, tags=["Kitchen"])
    library.note(saved, "Ask for a lid.")
    return saved.saved.page_id


def following(browser: Browser, answer) -> str:
    """The page that a form leads to."""
    assert answer.status == 303, answer.text
    return browser.get(answer.headers["location"]).text


def test_an_empty_library_explains_itself_and_offers_a_sample(tmp_path):
    with running(str(tmp_path / "new.db"), "--no-work") as server:
        browser = server.browser()
        first = browser.get("/").text
        assert "Try it with a sample page" in first
        read = following(browser, browser.post("/sample"))
        assert "How a harbour crane became home to two hundred swifts" in read
        assert "swifts" in browser.get("/").text
        assert browser.get("/watches").status == browser.get("/changes").status == 200


def test_a_page_is_saved_by_its_url(browser, site):
    site.add_html("/saved", kettle(words="Saved by its URL. " * 30))
    answer = browser.post("/save", urls=site.url("/saved"), tags="Tin, Lids", note="By hand.")
    place = answer.headers["location"]
    for _ in range(200):  # its job is shown where it takes longer
        shown = browser.get(place).text
        if found := re.search(r"/p/(\d+)", place + shown):
            break
        time.sleep(0.05)
    number = found[1]
    read = browser.get(f"/p/{number}").text
    assert "Harbour kettle" in read
    assert "By hand." in read
    assert "Tin" in browser.get("/tags").text
    assert "You have this" in browser.get(f"/save?url={site.url('/saved')}").text


def test_a_job_that_failed_says_why_and_is_tried_again(browser, site):
    answer = browser.post("/save", urls=f"{site.url('/missing')}\nhttp://10.0.0.1/")
    job = answer.headers["location"]
    for _ in range(200):
        shown = browser.get(job).text
        if "Try again what failed" in shown:
            break
        time.sleep(0.05)
    assert "404" in shown
    assert "private" in shown
    site.add_html("/missing", kettle("1.00"))
    assert browser.post(job, do="retry").headers["location"] == job


def test_a_pasted_page_is_there_at_once_and_what_cannot_be_read_is_said(browser):
    answer = browser.post("/save", urls="https://paste.example/a", html=kettle("7.00"))
    assert "Saved." in following(browser, answer)
    again = browser.post("/save", urls="https://paste.example/a", html=kettle("7.00"))
    assert "nothing has changed" in following(browser, again)
    for fields in (
        {},
        {"urls": "nonsense", "html": "<p>x</p>"},
        {"urls": "ftp://a/", "watch": "1"},
    ):
        refused = browser.post("/save", **fields)
        assert refused.status == 422
        assert 'role="alert"' in refused.text


def test_the_list_is_searched_filtered_and_sorted(browser, page):
    shown = browser.get("/?q=galley").text
    assert "<mark>galley</mark>" in shown
    assert f"/p/{page}" in browser.get("/?tag=kitchen&site=shop.example&sort=title").text
    assert "No page matches." in browser.get("/?tag=nothing").text
    assert (
        "Search for kettl" in browser.get("/?q=kettl").text
        or "kettle" in browser.get("/?q=kettl").text
    )
    for odd in ('/?q="', "/?q=-", "/?q=%00", "/?view=nonsense"):
        assert browser.get(odd).status == 200, odd
    assert browser.get("/?sort=nonsense").status == 422


def test_what_is_done_to_several_pages_is_undone(browser, library, page):
    answer = browser.post("/act", [("page", str(page)), ("do", "archive")], where="q=galley")
    assert answer.headers["location"].startswith("/?q=galley&done=")
    shown = browser.get(answer.headers["location"]).text
    assert "1 page archived." in shown
    assert library.get(page).archived
    undo = re.search(r'name="id" value="(\w+)"', shown)[1]
    assert browser.post("/undo", id=undo, where="q=galley").headers["location"] == "/?q=galley"
    assert not library.get(page).archived
    everything = browser.post("/act", do="tag", tag="Seen", everything="true", where="tag=kitchen")
    assert "tagged #Seen" in following(browser, everything)
    assert "Seen" in library.tags(page)


def test_a_page_is_read_with_its_outline_and_only_its_own_pictures(browser, server, page, site):
    shown = browser.get(f"/p/{page}").text
    assert '<a class="quiet" href="#s-1" dir="auto">Care</a>' in shown
    assert "Ask for a lid." in shown
    assert site.url("") not in re.sub(r'<a [^>]*href="[^"]*"', "", shown)
    picture = re.search(r'src="(/media/[^"]+)"', shown)[1]
    answer = browser.get(picture)
    assert (answer.status, answer.headers["content-type"], answer.body) == (200, "image/png", PNG)
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    mac, name = picture.split("/")[2:]
    assert browser.get(f"/media/{'0' * 32}/{name}").status == 404
    assert browser.get(f"/media/{mac}/aHR0cDovLzEyNy4wLjAuMS8").status == 404
    assert server.ask("GET", picture).status == 303


@pytest.mark.parametrize("body", [b"<svg onload=alert(1)>", b"<html>", b"", b"%PDF-1.7"])
def test_what_is_no_picture_is_not_shown_as_one(browser, library, site, body):
    path = f"/odd{len(body)}.png"
    site.add(path, body, Content_Type="image/png")
    content = kettle().replace("</main>", f'<img src="{site.url(path)}" alt="Odd"></main>')
    saved = library.save(f"https://shop.example{path}", content=content)
    shown = browser.get(f"/p/{saved.saved.page_id}").text
    assert browser.get(re.search(r'src="(/media/[^"]+)"', shown)[1]).status == 404


def test_a_picture_inside_is_refused(browser, library):
    content = kettle().replace("</main>", '<img src="http://10.1.2.3/x.png" alt="In"></main>')
    saved = library.save("https://shop.example/inside", content=content)
    shown = browser.get(f"/p/{saved.saved.page_id}").text
    assert browser.get(re.search(r'src="(/media/[^"]+)"', shown)[1]).status == 404


def test_tags_and_notes_are_added_and_removed_beside_the_text(browser, library, page):
    browser.post(f"/p/{page}/tags", add="Steel, Blue")
    browser.post(f"/p/{page}/tags", remove="Blue")
    assert {"Steel"} <= set(library.tags(page))
    assert "Blue" not in library.tags(page)
    browser.post(f"/p/{page}/notes", text="A second note.")
    note = library.notes(page)[-1]
    browser.post(f"/p/{page}/notes", remove=str(note.id))
    assert "A second note." not in [one.text for one in library.notes(page)]


def test_a_page_counts_as_read_when_it_says_so_and_not_before(browser, library, page):
    library.mark_unread(page)
    browser.get(f"/p/{page}")
    assert library.get(page).read_at is None
    browser.post(f"/p/{page}/read")
    assert library.get(page).read_at


def test_versions_are_listed_read_and_compared(browser, page):
    history = browser.get(f"/p/{page}/history").text
    assert history.count('name="from"') == 2
    assert "This is version 1" in browser.get(f"/p/{page}/v/1").text
    for view in ("changes", "side", "whole", "patch"):
        shown = unescape(browser.get(f"/p/{page}/diff?from=1&to=2&view={view}").text)
        assert "39.90" in shown, view
        assert "29.90" in shown, view
    assert "<del>39.90</del>" in browser.get(f"/p/{page}/diff?from=1&to=2").text
    assert "There is no version 9" in browser.get(f"/p/{page}/diff?from=9").text


@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        ("md", "text/markdown; charset=utf-8"),
        ("txt", "text/plain; charset=utf-8"),
        ("json", "application/json"),
        ("html", "text/html; charset=utf-8"),
        ("epub", "application/epub+zip"),
    ],
)
def test_a_page_is_taken_along_in_other_formats(browser, page, ending, kind):
    answer = browser.get(f"/p/{page}.{ending}")
    assert (answer.status, answer.headers["content-type"]) == (200, kind)


def test_every_field_says_where_it_came_from(browser, page):
    shown = browser.get(f"/p/{page}/why").text
    assert re.search(r'<th scope="row">title</th><td dir="auto">Harbour kettle</td>', shown)
    assert "No site rule applied" in shown
    assert f"/p/{page}/why?v=2" in browser.get(f"/p/{page}").text


def test_the_original_is_shown_inert(browser, page):
    answer = browser.get(f"/p/{page}/original?v=1")
    assert "application/ld+json" in answer.text
    assert answer.headers["content-security-policy"].endswith("sandbox")
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_watch_is_added_checked_paused_and_removed(browser, library, site):
    site.add_html("/w", kettle("20.00"))
    assert browser.post("/watches", url=site.url("/w"), every="6h", name="Tea").status == 303
    [watch] = [one for one in library.watches() if one.name == "Tea"]
    browser.post(f"/watches/{watch.id}", do="check")
    site.add_html("/w", kettle("10.00"))
    for _ in range(20):
        browser.post(f"/watches/{watch.id}", do="check")
        if library.changes(watch=watch.id):
            break
    assert "10.00" in browser.get(f"/changes?watch={watch.id}").text
    browser.post(f"/watches/{watch.id}", do="pause")
    assert "paused" in browser.get("/watches").text
    browser.post(f"/watches/{watch.id}", do="remove")
    assert "Tea" not in browser.get("/watches").text
    refused = browser.post("/watches", url="nonsense")
    assert refused.status == 422
    assert "Give a full URL" in refused.text


def test_prices_are_drawn_and_listed(browser, library, site, page):
    assert "No prices yet" in browser.get(f"/p/{page}/prices").text
    site.add_html("/priced", kettle("20.00"))
    browser.post("/watches", url=site.url("/priced"), name="Priced")
    [watch] = [one for one in library.watches() if one.name == "Priced"]
    for price in ("20.00", "15.00"):
        site.add_html("/priced", kettle(price))
        for _ in range(20):  # the scheduler may have it just now
            browser.post(f"/watches/{watch.id}", do="check")
            known = library.get_watch(watch).state.page_id
            if known and price in [str(one.amount) for one in library.prices(known)]:
                break
    number = library.get_watch(watch).state.page_id
    shown = browser.get(f"/p/{number}/prices").text
    assert "15.00 EUR, the lowest so far" in shown
    assert "<svg" in shown
    assert shown.count('<td class="num">') == 2


def test_tags_are_renamed_and_removed_everywhere(browser, library, page):
    library.tag(page, "Brass")
    browser.post("/tags", tag="Brass", name="Copper")
    assert "Copper" in library.tags(page)
    browser.post("/tags", tag="Copper", do="remove")
    assert "Copper" not in library.tags(page)


def test_how_things_look_is_kept_for_the_user(browser):
    browser.post("/settings", theme="sepia", size="5", zone="Europe/Vienna", view="compact")
    shown = browser.get("/").text
    assert 'data-theme="sepia" data-size="5"' in shown
    assert 'class="rows compact"' in shown
    assert browser.post("/settings", zone="Atlantis").status == 422
    browser.post("/settings", theme="nonsense", zone="")
    assert 'data-theme="sepia"' in browser.get("/").text
    leads = browser.post("/settings", theme="system", next="//evil.example")
    assert leads.headers["location"] == "/"


def test_a_token_is_shown_once_and_works_until_it_is_revoked(browser, server, library):
    made = browser.post("/settings/tokens", [("scope", "read"), ("scope", "save")], label="Phone")
    secret = re.search(r"plm_[\w-]+", made.text)[0]
    assert made.headers["cache-control"] == "no-store"
    assert secret not in browser.get("/settings").text
    bearer = {"Authorization": f"Bearer {secret}"}
    assert server.ask("GET", "/api/v1/me", **bearer).json["scopes"] == ["read", "save"]
    browser.post("/settings/tokens", revoke=str(library.tokens()[-1].id))
    assert server.ask("GET", "/api/v1/me", **bearer).status == 401


def test_a_password_is_set_and_other_browsers_are_signed_out(database, server):
    with open_library(database, "cleo") as cleo:
        cleo.set_password("harbour swifts fly")
    here, there = Browser(server), Browser(server)
    for each in (here, there):
        each.post("/login", name="cleo", password="harbour swifts fly")
    wrong = here.post("/settings/password", current="no", password="a new one!", again="a new one!")
    assert wrong.status == 422
    said = {"current": "harbour swifts fly", "password": "a new one!", "again": "a new one!"}
    assert here.post("/settings/password", **said).status == 303
    assert here.get("/settings").status == 200
    assert there.get("/settings").status == 303


def test_another_session_is_ended(database, server):
    with open_library(database, "dora") as dora:
        dora.set_password("harbour swifts fly")
        here, there = Browser(server), Browser(server)
        for each in (here, there):
            each.post("/login", name="dora", password="harbour swifts fly")
        mine = here.get("/settings").text
        other = re.search(r'name="end" value="(\d+)"', mine)[1]
        here.post("/settings/sessions", end=other)
        assert there.get("/settings").status == 303
        assert here.get("/settings").status == 200


def test_below_a_path_every_link_has_it(tmp_path):
    public = {"PAGELOOM_WEB_URL": "http://pages.example/loom/"}
    with running(str(tmp_path / "a.db"), "--no-work", **public) as server:
        headers = {"Host": "pages.example", "Origin": "http://pages.example"}
        secret = server.link.rpartition("/")[2]
        form = {"Content_Type": "application/x-www-form-urlencoded"}
        answer = server.ask("POST", "/loom/first", body=f"secret={secret}", **headers, **form)
        assert answer.headers["location"] == "/loom/"
        assert "Path=/loom/" in answer.headers["set-cookie"]
        cookie = {"Cookie": answer.headers["set-cookie"].partition(";")[0]}
        for path in ("/loom/", "/", "/loom/settings"):
            shown = server.ask("GET", path, **headers, **cookie)
            links = re.findall(r'(?:href|src|action)="(/[^"]*)"', shown.text)
            assert shown.status == 200
            assert links
            assert all(link.startswith("/loom/") for link in links), path


def test_pages_are_light(browser, server, page):
    """Everything that a browser loads before a page is whole, packed."""
    for path, most in (("/", 60_000), (f"/p/{page}", 45_000)):
        shown = browser.get(path, Accept_Encoding="gzip")
        assert shown.headers["content-encoding"] == "gzip"
        plain = browser.get(path).text
        parts = re.findall(r'(?:href|src)="(/static/[^"]+)"', plain)
        sizes = [len(server.ask("GET", part, Accept_Encoding="gzip").body) for part in parts]
        assert len(shown.body) + sum(sizes) < most


def test_a_name_in_a_header_stays_in_it(browser, library):
    content = '<title>a"; x=1\r\nX-Evil: 1</title><article><p>' + "Words of it. " * 30
    saved = library.save("https://shop.example/header", content=content)
    answer = browser.get(f"/p/{saved.saved.page_id}.epub")
    assert "x-evil" not in answer.headers
    assert answer.headers["content-disposition"].count('"') == 2


def test_the_secret_of_a_session_is_in_no_file(browser, database):
    secret = browser.cookie.partition("=")[2].encode()
    for path in Path(database).parent.iterdir():
        assert secret not in path.read_bytes()


def test_the_reader_shows_kept_pictures_when_the_site_has_lost_them(database, browser, site):
    site.add("/kept.png", png(60, 40))
    site.add_html("/kept", illustrated([img("/kept.png")], "Kept for good"))
    settings = load_settings(flags={"fetch.allowed_hosts": ["127.0.0.1"]})
    with open_library(database, settings=settings) as library:
        saved = library.save(site.url("/kept"))
    site.add("/kept.png", status=404)
    text = browser.get(f"/p/{saved.saved.page_id}").text
    (path,) = re.findall(r'src="(/media/[^"]+)"', text)
    answer = browser.get(path)
    assert (answer.status, answer.body) == (200, png(60, 40))
    assert answer.headers["content-type"] == "image/png"

"""Imports from services, from files in their formats: counts, tags, dates, filters, history."""

from __future__ import annotations

import json
import zipfile

import brotli
import pytest
from tests.site.server import start_site

from pageloom.flows.transfer.import_formats import guess_format
from pageloom.library import open_library

KARAKEEP = {
    "bookmarks": [
        {
            "createdAt": 1700000000,
            "title": "The quiet tide",
            "tags": ["sea", "Slow reading"],
            "lists": ["l1"],
            "content": {"type": "link", "url": "https://tide.example/quiet"},
            "note": "For the walk on Sunday.",
            "archived": True,
        },
        {
            "createdAt": 1700000100,
            "title": None,
            "tags": [],
            "content": {"type": "text", "text": "Only a thought."},
            "note": None,
        },
        {"createdAt": 1700000200, "title": "A file", "tags": [], "content": None, "note": None},
    ],
    "lists": [{"id": "l1", "name": "Walks", "type": "manual"}],
}
LINKDING_HTML = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
<DT><A HREF="https://tide.example/one" ADD_DATE="1700000000" LAST_MODIFIED="1700000000" PRIVATE="1"
 TOREAD="1" TAGS="sea,linkding:bookmarks.archived">One &amp; only</A>
<DD>What it is.[linkding-notes]Line 1
Line 2[/linkding-notes]
<DT><A HREF="https://tide.example/two" ADD_DATE="1700000100" PRIVATE="0" TOREAD="0">Two</A>
</DL><p>"""
LINKDING_JSON = {
    "count": 1,
    "next": None,
    "previous": None,
    "results": [
        {
            "id": 7,
            "url": "https://tide.example/three",
            "title": "Three",
            "description": "Described",
            "notes": "Noted",
            "is_archived": False,
            "unread": True,
            "shared": False,
            "tag_names": ["sea", "sand"],
            "date_added": "2023-11-14T22:13:20.000000Z",
        }
    ],
}
OPML = """<?xml version="1.0" encoding="UTF-8"?>
<opml version="1.0"><head><title>Feeds</title></head><body>
<outline text="News">
<outline type="rss" text="Tidewatch &amp; Co" xmlUrl="https://tide.example/feed.xml"
 htmlUrl="https://tide.example/"/>
<outline type="rss" text="Inside" xmlUrl="file:///etc/passwd"/>
</outline>
<outline text="Walks" title="Walks" type="rss" xmlUrl="https://walks.example/rss"/>
</body></opml>"""
FIRST, SECOND = "b1ee0000-0000-4000-8000-000000000001", "b1ee0000-0000-4000-8000-000000000002"


def sentences(words: str) -> str:
    return "\n".join(f"The harbour {words} on day {number} of the year." for number in range(20))


def watches(url: str) -> dict:
    window = {"enabled": True, "start_time": "08:00", "duration": {"hours": "10", "minutes": "0"}}
    days = dict.fromkeys(("monday", "tuesday", "wednesday", "thursday", "friday"), window)
    closed = {day: window | {"enabled": False} for day in ("saturday", "sunday")}
    return {
        FIRST: {
            "url": url,
            "title": "Harbour",
            "tags": ["t1"],
            "paused": True,
            "date_created": 1690000000,
            "time_between_check": {"weeks": None, "days": 1, "hours": 2, "minutes": 0},
            "time_between_check_use_default": False,
            "time_schedule_limit": {"enabled": True, "timezone": "Europe/Vienna", **days, **closed},
            "include_filters": [],
            "subtractive_selectors": [],
            "ignore_text": ["Visitors: 12 (today)", "/page \\d+/i"],
            "trigger_text": ["closed"],
            "notification_urls": ["ntfy://harbour", "nonsense"],
            "fetch_backend": "html_webdriver",
            "browser_steps": [{"operation": "Click element", "selector": "#ok"}],
        },
        SECOND: {
            "url": url,
            "title": "",
            "tags": [],
            "time_between_check_use_default": True,
            "include_filters": [".price", "xpath://main", "json:$.a"],
            "subtractive_selectors": [".ad"],
        },
        "empty": {"url": ""},
    }


@pytest.fixture(params=["one file", "a file for each"])
def backup(request, tmp_path):
    """A backup as older and newer versions write it."""
    path, url = tmp_path / "changedetection-backup-1.zip", "https://tide.example/harbour"
    tags = {"t1": {"title": "Coast", "uuid": "t1"}}
    usual = {"time_between_check": {"hours": 3}}
    settings = {"application": {"tags": tags}, "requests": usual}
    with zipfile.ZipFile(path, "w") as archive:
        if request.param == "one file":
            whole = {"watching": watches(url), "settings": settings}
            archive.writestr("url-watches.json", json.dumps(whole))
        else:
            archive.writestr("changedetection.json", json.dumps({"settings": settings}))
            for key, watch in watches(url).items():
                archive.writestr(f"{key}/watch.json", json.dumps(watch))
        archive.writestr("secret.txt", "0123456789abcdef")
        archive.writestr("url-list.txt", f"{url}\r\n")
        archive.writestr("../../evil.txt", "x")
        log = "1695000000,aa.txt\n1696000000,bb.txt.br\n1697000000,../../../etc/passwd\n"
        archive.writestr(f"{FIRST}/history.txt", log)
        archive.writestr(f"{FIRST}/aa.txt", sentences("is open"))
        archive.writestr(f"{FIRST}/bb.txt.br", brotli.compress(sentences("is closed").encode()))
        archive.writestr(f"{SECOND}/history.txt", "1695500000,cc.txt\n")
        archive.writestr(f"{SECOND}/cc.txt", sentences("costs 12.00 EUR"))
    return path


@pytest.fixture
def library(tmp_path):
    with open_library(tmp_path / "library.db") as opened:
        yield opened


def test_karakeep_links_come_with_tags_lists_notes_and_dates(library, tmp_path):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(KARAKEEP))
    result = library.import_(path, fetch=False)
    assert result.form == "karakeep"
    assert [page.outcome for page in result.pages] == ["imported", "skipped", "skipped"]
    page = library.get("https://tide.example/quiet")
    assert (page.title, page.archived) == ("The quiet tide", True)
    assert page.saved_at == "2023-11-14T22:13:20.000Z"
    assert set(library.tags(page)) == {"sea", "Slow reading", "Walks"}
    assert [note.text for note in library.notes(page)] == ["For the walk on Sunday."]


def test_linkding_comes_as_bookmarks_or_as_the_json_of_its_api(library, tmp_path):
    (tmp_path / "bookmarks.html").write_text(LINKDING_HTML)
    (tmp_path / "bookmarks.json").write_text(json.dumps(LINKDING_JSON))
    library.import_(tmp_path / "bookmarks.html", fetch=False)
    assert library.import_(tmp_path / "bookmarks.json", fetch=False).form == "linkding"
    one, two = (library.get(f"https://tide.example/{name}") for name in ("one", "two"))
    assert (one.title, one.archived, one.read_at) == ("One & only", True, None)
    assert library.tags(one) == ("sea",)
    assert [note.text for note in library.notes(one)] == ["What it is.", "Line 1\nLine 2"]
    assert (two.archived, two.read_at) == (False, "2023-11-14T22:15:00.000Z")
    three = library.get("https://tide.example/three")
    assert three.read_at is None
    assert set(library.tags(three)) == {"sea", "sand"}
    assert [note.text for note in library.notes(three)] == ["Described", "Noted"]


def test_opml_goes_in_and_out(library, tmp_path):
    path = tmp_path / "feeds.opml"
    path.write_text(OPML)
    result = library.import_(path)
    assert result.form == "opml"
    assert [page.outcome for page in result.pages] == ["imported", "failed", "imported"]
    known = {source.id: source for source in library.sources()}
    assert known["tidewatch-co"].feeds == ("https://tide.example/feed.xml",)
    assert known["walks"].site == "walks.example"
    again = tmp_path / "again.opml"
    again.write_text(library.sources_opml())
    assert "Tidewatch &amp; Co" in again.read_text()
    merged = library.import_(again)
    assert [page.outcome for page in merged.pages] == ["merged", "merged"]
    assert {source.id: source.feeds for source in library.sources()} == {
        source.id: source.feeds for source in known.values()
    }


def test_a_backup_of_changedetection_brings_watches_filters_hours_and_history(library, backup):
    assert guess_format(backup) == "changedetection"
    result = library.import_(backup, fetch=False)
    assert result.watches == 2
    whole, part = library.watches()
    assert (whole.name, whole.paused) == ("Harbour", True)
    chosen = whole.settings
    assert (chosen.every, chosen.hours, chosen.zone) == (
        93_600,
        "mon-fri 08:00-18:00",
        "Europe/Vienna",
    )
    assert chosen.ignore_text == (r"Visitors:\ 12\ \(today\)", r"page \d+")
    assert (chosen.only_if, chosen.render) == (("closed",), "force")
    assert chosen.targets == ("ntfy://harbour",)
    reasons = " ".join(page.reason for page in result.pages)
    assert "browser steps" in reasons
    assert "nonsense" in reasons
    assert "json:$.a" in reasons
    assert (part.settings.every, part.settings.ignore) == (10_800, (".ad",))
    assert part.settings.scope == (".price", "xpath://main")
    page = library.get("https://tide.example/harbour")
    assert library.tags(page) == ("Coast",)
    history = library.history(page)
    assert [info.fetched_at[:10] for info in history] == ["2023-09-29", "2023-09-18"]
    assert library.diff(page).has_changes
    assert "12.00" in library.version(page, watch=part).document.text
    again = library.import_(backup, fetch=False, restart=True)
    assert again.watches == 0
    assert len(library.history(page)) == 2
    assert len(library.watches()) == 2


@pytest.fixture
def site():
    yield from start_site()


def test_the_first_check_after_an_import_notifies_nobody(tmp_path, site, monkeypatch):
    monkeypatch.setenv("PAGELOOM_FETCH_ALLOWED_HOSTS", "127.0.0.1")
    text = "".join(f"<p>{line}</p>" for line in sentences("is open").splitlines())
    site.add_html("/h", f"<title>Harbour</title><nav>Menu</nav><article>{text}</article>")
    path = tmp_path / "backup.zip"
    with zipfile.ZipFile(path, "w") as archive:
        watch = {FIRST: {"url": f"http://127.0.0.1:{site.port}/h", "title": "H", "tags": []}}
        archive.writestr("url-watches.json", json.dumps({"watching": watch}))
        archive.writestr(f"{FIRST}/history.txt", "1695000000,aa.txt\n")
        archive.writestr(f"{FIRST}/aa.txt", f"Menu\n{sentences('is open')}")
    with open_library(tmp_path / "checked.db") as library:
        library.import_(path, fetch=False)
        [checked] = library.check(everything=True, notify=False)
        assert checked.error is None
        assert not library.changes(notified=True)


def test_what_an_import_names_inside_is_refused_by_the_gate(library, tmp_path):
    feeds = tmp_path / "feeds.opml"
    feeds.write_text('<opml><outline text="In" xmlUrl="http://10.0.0.1/feed"/></opml>')
    library.import_(feeds)
    [polled] = library.poll("in")
    assert "private address" in polled.errors[0]
    path = tmp_path / "backup.zip"
    with zipfile.ZipFile(path, "w") as archive:
        watch = {FIRST: {"url": "http://169.254.169.254/latest", "title": "In", "tags": []}}
        archive.writestr("url-watches.json", json.dumps({"watching": watch}))
    result = library.import_(path, fetch=False)
    for watch in library.watches():
        [checked] = library.check(watch, notify=False)
        assert checked.error.code == "FetchError.blocked_address"
    assert result.watches in (0, 1)


def test_a_packed_text_that_unpacks_to_too_much_is_left_out(library, tmp_path):
    path = tmp_path / "backup.zip"
    with zipfile.ZipFile(path, "w") as archive:
        watch = {FIRST: {"url": "https://tide.example/bomb", "title": "Bomb", "tags": []}}
        archive.writestr("url-watches.json", json.dumps({"watching": watch}))
        archive.writestr(f"{FIRST}/history.txt", "1695000000,aa.txt.br\n1696000000,bb.txt\n")
        archive.writestr(f"{FIRST}/aa.txt.br", brotli.compress(b"a " * 20_000_000, quality=1))
        archive.writestr(f"{FIRST}/bb.txt", sentences("is open"))
    library.import_(path, fetch=False)
    assert len(library.history("https://tide.example/bomb")) == 1

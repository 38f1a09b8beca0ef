"""Snapshots that a browser makes of pages, and WARC files that other tools read."""

from __future__ import annotations

import re

import pytest
from tests.services import chromium
from tests.site.pictures import illustrated, img, png
from tests.site.server import start_site

import pageloom
from pageloom.edges.store.retention import Retention, prune_daily
from pageloom.errors import NotInLibrary, UnsupportedContent

STYLES = b"@import url(more.css); h1 { background: url(/back.png); color: #123456 }"


def looks(site) -> str:
    """A page with styles, pictures, a frame and things that run; its URL."""
    site.add("/lamp.png", png(40, 30))
    site.add("/back.png", png(20, 20, 7))
    site.add("/styles.css", STYLES, Content_Type="text/css")
    site.add("/more.css", b"p { margin: 4px }", Content_Type="text/css")
    page = illustrated([img("/lamp.png"), img("/lamp.png")]).replace(
        "<head>",
        '<head><link rel="stylesheet" href="/styles.css"><script>window.ran = 1</script>'
        '<meta http-equiv="refresh" content="300">',
    )
    page = page.replace("<h1>", '<h1 onclick="alert(1)">').replace(
        "</article>",
        '<iframe srcdoc="<p>Inside the frame</p><script>1</script>"></iframe>'
        '<a href="javascript:alert(1)">run</a></article>',
    )
    site.add_html("/page", page)
    return site.url("/page")


@pytest.fixture
def browsing(sqlite_library, settings):
    chromium()
    settings.library = pageloom.load_settings(
        flags={"library.snapshots": ["screenshot", "pdf", "html"]}
    ).library
    with pageloom.open_library(sqlite_library, settings=settings) as opened:
        yield opened


def test_a_page_is_kept_as_it_looked(browsing, tmp_path):
    for site in start_site():
        saved = browsing.save(looks(site))
    assert set(saved.snapshots) == {"screenshot", "pdf", "html"}
    kinds = {each.kind: each for each in browsing.snapshots(saved)}
    assert kinds["screenshot"].width == 1280
    assert browsing.snapshot(saved, "screenshot").body.startswith(b"\x89PNG")
    printed = pageloom.extract(browsing.snapshot(saved, "pdf").body, "https://a.example/")
    assert "entry 2 of the book says so" in " ".join(printed.text.split())
    page = browsing.snapshot(saved, "html").body.decode()
    assert page.count("data:image/png;base64,") == 3, "two pictures and a background"
    assert "margin: 4px" in page, "the style sheet that another imports"
    assert "Inside the frame" in page
    assert not re.search(r"<script|onclick|javascript:|http-equiv=.refresh", page)
    assert not re.search(r"""(?:src|href)=["']?http://[^"']*\.(?:png|css)""", page)
    assert "default-src 'none'" in page
    assert browsing.export(tmp_path / "book.epub", "epub").not_in_it == {"snapshots": 3}
    later = "2099-01-01T00:00:00.000Z"
    prune_daily(browsing.context.store, Retention(snapshots=1), at=later)
    assert len(browsing.snapshots(saved)) == 3, "the newest of each kind stays"
    browsing.backup(tmp_path / "all.backup")
    browsing.restore_backup(tmp_path / "all.backup", replace=True)
    assert len(browsing.snapshots(saved)) == 3
    browsing.purge(*browsing.delete(saved))
    assert browsing.stats()["files"]["count"] == 0


def test_what_was_not_asked_for_is_not_there(library, site):
    saved = library.save(looks(site))
    assert library.snapshots(saved) == []
    with pytest.raises(NotInLibrary, match="no html snapshot"):
        library.snapshot(saved, "html")


@pytest.fixture
def warc(library, site, tmp_path):
    """A WARC of a page in two versions with its picture, and of a PDF."""
    site.add("/lamp.png", png(300, 200))
    site.add_html("/page", illustrated([img("/lamp.png")], "First"), Set_Cookie="secret=1")
    library.save(site.url("/page"))
    site.add_html("/page", illustrated([img("/lamp.png"), ""], "Second"))
    library.save(site.url("/page"))
    result = library.export(tmp_path / "pages.warc.gz", "warc")
    assert (result.pages, result.pictures) == (1, 1)
    return tmp_path / "pages.warc.gz"


def test_other_tools_read_our_warc(warc, site):
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from warcio.archiveiterator import ArchiveIterator as OtherIterator

    with warc.open("rb") as file:
        records = list(ArchiveIterator(file, verify_digests=True))
    kinds = [record.record_type for record in records]
    assert kinds == [
        WarcRecordType.warcinfo,
        *[WarcRecordType.response, WarcRecordType.request] * 3,
    ]
    with warc.open("rb") as file:
        found = [
            (
                record.rec_headers.get_header("WARC-Target-URI"),
                record.http_headers.get_statuscode(),
                record.http_headers.get_header("content-type"),
                record.http_headers.get_header("set-cookie"),
                record.content_stream().read(),
            )
            for record in OtherIterator(file, check_digests="raise")
            if record.rec_type == "response"
        ]
    urls = [site.url("/page"), site.url("/page"), site.url("/lamp.png")]
    assert [each[0] for each in found] == urls
    assert [each.url for each in pageloom.read_archive(warc)] == urls, "and so does bulk"
    assert {each[1] for each in found} == {"200"}
    assert found[0][2] == "text/html; charset=utf-8"
    assert {each[3] for each in found} == {None}, "cookies are nobody's"
    assert found[2][4] == png(300, 200)


def test_a_warc_comes_back_with_versions_and_pictures(warc, settings, tmp_path, site):
    with pageloom.open_library(tmp_path / "other.db", settings=settings) as other:
        result = other.import_(warc, fetch=False)
        assert (result.form, result.complete) == ("warc", True)
        page = other.get(site.url("/page"))
        assert [each.number for each in other.history(page)] == [2, 1]
        assert [other.document(page, number).title for number in (1, 2)] == ["First", "Second"]
        assert [each.state for each in other.pictures(page)] == ["kept"]
        assert other.original(page, 1)
        again = other.export(tmp_path / "again.warc", "warc")
        assert again.pages == 1
        assert (tmp_path / "again.warc").read_bytes().startswith(b"WARC/1.")


def test_a_file_that_is_not_a_warc_says_so(library, warc, tmp_path):
    broken = tmp_path / "broken.warc.gz"
    broken.write_bytes(b"\x1f\x8bnothing of the kind")
    with pytest.raises(UnsupportedContent, match="not a WARC"):
        library.import_(broken, fetch=False)
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(warc.read_bytes()[:-40])
    with pageloom.open_library(tmp_path / "other.db") as other:
        result = other.import_(cut, fetch=False)
        outcomes = [each.outcome for each in result.pages]
        assert outcomes.count("failed") == 1, "the last record, which is a request"
        assert [each.number for each in other.history(other.list().pages[0])] == [2, 1]

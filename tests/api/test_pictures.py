"""Pictures that are kept with pages: shown when the site is gone, bounded whatever it sends."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import zipfile

import pytest
from tests.integration.cli import environment
from tests.site.pictures import illustrated, img, png, png_of, svg
from tests.site.server import send, start_site

import pageloom
from pageloom.edges.store.retention import Retention, prune_daily
from pageloom.errors import NotInLibrary

LARGE = png(800, 600)
_REMOTE = re.compile(r'<img[^>]*src="http')


@pytest.fixture
def gallery(site):
    """A page with four pictures, one of them in several sizes and one a drawing; its URL."""
    site.add("/small.png", png(200, 150, 10))
    site.add("/large.png", LARGE)
    site.add("/second.png", png(400, 300, 20))
    site.add("/plan.svg", svg(), Content_Type="image/svg+xml")
    site.add("/again.png", LARGE)
    sizes = f'srcset="{site.url("/small.png")} 200w, {site.url("/large.png")} 800w"'
    page = illustrated(
        [
            img(site.url("/small.png"), "First", sizes),
            img("/second.png", "Second"),
            img("/plan.svg", "Plan"),
            img("/again.png", "Again"),
        ]
    )
    site.add_html("/gallery", page)
    return site.url("/gallery")


def test_every_export_shows_the_pictures_of_a_page_whose_site_is_gone(library, gallery, tmp_path):
    saved = library.save(gallery)
    states = {each.url.rpartition("/")[2]: each.state for each in library.pictures(saved)}
    assert states == dict.fromkeys(("large.png", "second.png", "plan.svg", "again.png"), "kept")
    assert (saved.pictures.kept, saved.pictures.missing) == (4, 0)

    library.export(tmp_path / "page.html", "html", pages=[saved])
    html = (tmp_path / "page.html").read_text()
    assert html.count("data:image/png;base64,") == 3
    assert html.count("data:image/svg+xml;base64,") == 1
    assert not _REMOTE.search(html)

    library.export(tmp_path / "folder", "markdown", pages=[saved])
    text = next((tmp_path / "folder").glob("*.md")).read_text()
    shown = set(re.findall(r"\]\((assets/[0-9a-f]{64}\.(?:png|svg))\)", text))
    assert shown == {f"assets/{path.name}" for path in (tmp_path / "folder/assets").iterdir()}
    assert len(shown) == 3, "two of the four are the same picture"
    assert any((tmp_path / "folder" / name).read_bytes() == LARGE for name in shown)

    result = library.export(tmp_path / "book.epub", "epub", pages=[saved])
    with zipfile.ZipFile(tmp_path / "book.epub") as book:
        images = [name for name in book.namelist() if name.startswith("OEBPS/images/")]
        chapter = book.read("OEBPS/chapter00001.xhtml").decode()
        package = book.read("OEBPS/content.opf").decode()
    assert (result.pictures, len(images)) == (3, 3)
    assert chapter.count("<img ") == 4
    assert package.count('properties="cover-image"') == 1


def test_pictures_come_back_from_a_folder_from_json_and_from_a_backup(
    library, gallery, settings, tmp_path
):
    saved = library.save(gallery)
    kept = {each.url: each.hash for each in library.pictures(saved)}
    library.export(tmp_path / "folder", "markdown")
    library.export(tmp_path / "pages.jsonl", "jsonl", originals=True)
    library.backup(tmp_path / "all.backup")
    for number, source in enumerate(("folder", "pages.jsonl", "all.backup")):
        with pageloom.open_library(tmp_path / f"{number}.db", settings=settings) as other:
            if source == "all.backup":
                other.restore_backup(tmp_path / source)
            else:
                other.import_(tmp_path / source, fetch=False)
            (page,) = other.list().pages
            assert {each.url: each.hash for each in other.pictures(page)} == kept, source
            other.export(tmp_path / f"{number}.html", "html", pages=[page])
            assert not _REMOTE.search((tmp_path / f"{number}.html").read_text()), source


def test_a_picture_is_stored_once_and_freed_with_the_last_page_that_shows_it(library, site):
    site.add("/lamp.png", png())
    for name in ("/one", "/two"):
        site.add_html(name, illustrated([img("/lamp.png")], f"Lamp {name}"))
        library.save(site.url(name))
    one, two = library.get(site.url("/one")), library.get(site.url("/two"))
    url = site.url("/lamp.png")
    library.delete(one)
    library.purge(one)
    assert library.picture(url), "the other page shows it"
    library.delete(two)
    assert library.picture(url), "it can be restored"
    library.purge(two)
    assert library.picture(url) is None
    assert library.stats()["files"]["count"] == 0


def test_reparse_and_another_save_keep_what_was_fetched(library, gallery, site):
    saved = library.save(gallery)
    before = library.pictures(saved)
    asked = len(site.paths)
    list(library.reparse())
    library.save(gallery)
    assert library.pictures(saved) == before
    assert site.paths[asked:] == ["/gallery"]


def test_no_user_reads_the_pictures_of_another(library, gallery):
    saved = library.save(gallery)
    other = library.for_user("olga")
    url = library.pictures(saved)[0].url
    assert library.picture(url)
    assert other.picture(url) is None
    with pytest.raises(NotInLibrary):
        other.pictures(saved.saved.page_id)


def test_hostile_pictures_are_refused_and_the_page_is_saved(library, site):
    site.add("/bomb.png", png_of(60_000, 60_000, b""))
    site.add("/page.png", b"<!doctype html><script>alert(1)</script>", Content_Type="image/png")
    site.add("/inside.png", status=302, Location="http://169.254.169.254/latest/meta-data")
    site.add("/gone.png", status=404)
    site.add("/broken.jpg", b"\xff\xd8\xff\xe0broken")
    site.add("/good.png", png())
    drawings = (
        "<script>alert(1)</script>",
        '<a href="javascript:alert(1)"><text>x</text></a>',
        '<image href="http://169.254.169.254/"/>',
        '<rect onclick="alert(1)"/>',
        "<foreignObject><iframe/></foreignObject>",
        "<style>rect{fill:url(http://a.example/x)}</style>",
        '<use href="data:image/svg+xml;base64,AAAA"/>',
        "<x:script xmlns:x='http://www.w3.org/2000/svg'>alert(1)</x:script>",
    )
    for number, inside in enumerate(drawings):
        site.add(f"/{number}.svg", svg(inside), Content_Type="image/svg+xml")
    site.add("/entities.svg", b'<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + svg("&a;"))
    names = "bomb.png page.png inside.png gone.png broken.jpg entities.svg good.png".split()
    names += [f"{number}.svg" for number in range(len(drawings))]
    site.add_html("/page", illustrated([img(f"/{name}") for name in names]))
    saved = library.save(site.url("/page"))
    kept = [each.url for each in library.pictures(saved) if each.state == "kept"]
    assert kept == [site.url("/good.png")]
    reasons = [each.reason for each in library.pictures(saved) if each.state != "kept"]
    assert len(reasons) == len(names) - 1
    assert all(reasons)


def test_ten_thousand_pictures_endless_ones_and_too_many_bytes_are_bounded(
    database, settings, site
):
    def endless(request) -> None:
        request.send_response(200)
        request.end_headers()
        request.wfile.write(png()[:50])
        while not site.leaving.is_set():
            request.wfile.write(b"\0" * 65_536)

    site.pages["/endless.png"] = endless
    noise = b"".join(number.to_bytes(4, "big") for number in range(20_000))
    for number in range(60):
        site.add(f"/{number}.png", png_of(100, 100, noise + bytes([number])))
    many = [img(f"/{number % 60}.png?{number}") for number in range(10_000)]
    page = illustrated([img("/endless.png")]).replace("</article>", "".join(many) + "</article>")
    site.add_html("/page", page)
    settings.library = pageloom.load_settings(
        flags={
            "library.max_pictures": 30,
            "library.max_picture_bytes": 200_000,
            "library.max_pictures_bytes": 1_000_000,
            "library.pictures_timeout": 20.0,
        }
    ).library
    with pageloom.open_library(database, settings=settings) as library:
        saved = library.save(site.url("/page"))
        pictures = library.pictures(saved)
        assert len(pictures) <= 30
        assert sum(each.size for each in pictures) <= 1_000_000
        assert sum(each.state == "kept" for each in pictures) == 12, "80 kB each"


def test_pictures_are_off_for_watches_and_where_the_settings_say_so(database, settings, gallery):
    with pageloom.open_library(database, settings=settings) as library:
        library.check(library.watch(gallery))
        page = library.get(gallery)
        assert library.pictures(page) == []
        assert library.fetch_pictures(page).kept == 4
    settings.library = pageloom.load_settings(flags={"library.keep_pictures": False}).library
    with pageloom.open_library(database, settings=settings) as library:
        library.purge(*library.delete(page))
        assert library.pictures(library.save(gallery)) == []


def test_smaller_copies_are_for_reading_and_the_originals_stay(database, settings, site, tmp_path):
    settings.library = pageloom.load_settings(flags={"library.small_pictures": 320}).library
    site.add("/large.png", LARGE)
    site.add_html("/page", illustrated([img("/large.png")]))
    with pageloom.open_library(database, settings=settings) as library:
        saved = library.save(site.url("/page"))
        copy = library.picture(site.url("/large.png"))
        assert copy
        assert (copy.width, copy.height, copy.media_type) == (320, 240, "image/jpeg")
        library.export(tmp_path / "folder", "markdown", pages=[saved])
        (asset,) = (tmp_path / "folder" / "assets").iterdir()
        assert asset.read_bytes() == LARGE


def test_who_is_killed_while_pictures_are_fetched_has_the_page_and_goes_on(
    sqlite_library, settings
):
    for site in start_site():
        reached, go_on = threading.Event(), threading.Event()

        def held(request, number: int, site=site, reached=reached, go_on=go_on) -> None:
            if number == 12:
                reached.set()
                go_on.wait(30)
            send(request, png(50, 50, number))

        for number in range(20):
            site.pages[f"/{number}.png"] = lambda request, number=number: held(request, number)
        site.add_html("/page", illustrated([img(f"/{number}.png") for number in range(20)]))
        process = subprocess.Popen(
            [sys.executable, "-m", "pageloom", "save", site.url("/page")],
            stdout=subprocess.DEVNULL,
            env=environment(
                PAGELOOM_DATABASE_URL=str(sqlite_library),
                PAGELOOM_FETCH_ALLOWED_HOSTS="127.0.0.1",
            ),
        )
        assert reached.wait(60)
        process.send_signal(signal.SIGKILL)
        process.wait()
        go_on.set()
        with pageloom.open_library(sqlite_library, settings=settings) as library:
            page = library.get(site.url("/page"))
            assert "entry 20 of the book" in library.document(page).text
            before = [each for each in library.pictures(page) if each.state == "kept"]
            assert 0 < len(before) < 20
            library.fetch_pictures()
            assert [each.state for each in library.pictures(page)] == ["kept"] * 20
            assert library.stats()["files"]["count"] == 20
        asked = [path for path in site.paths if path.endswith(".png")]
        again = {path for path in asked if asked.count(path) > 1}
        assert not again & {each.url.removeprefix(site.url("")) for each in before}


def test_files_are_counted_once_and_kept_as_long_as_the_settings_say(library, gallery, tmp_path):
    saved = library.save(gallery)
    storage = library.storage()
    assert storage["pictures"]["count"] == 3
    assert storage["pictures"]["used"] == 4
    assert storage["pictures"]["saved"] == len(LARGE)
    result = library.export(tmp_path / "pages.jsonl", "jsonl")
    assert result.not_in_it == {"pictures": 4}
    keep = Retention(pictures=30, snapshots=30)
    prune_daily(library.context.store, keep, at="2099-01-01T00:00:00.000Z")
    assert {each.state for each in library.pictures(saved)} == {"failed"}
    assert library.storage()["pictures"]["count"] == 0
    assert library.fetch_pictures(saved).kept == 4

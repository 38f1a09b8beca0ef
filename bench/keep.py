# ruff: noqa: S101  it fails where a picture is lost
"""Keeping pages for good, at length: 200 pages with pictures, what they cost, a library of 10,000.

Prints figures; fails where a picture is lost. EPUBCheck is run if ``EPUBCHECK`` names its jar.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.site.pictures import illustrated, img, png, svg
from tests.site.server import start_site

import pageloom
from pageloom.edges.store.files import make_file
from pageloom.edges.store.pictures import keep_picture, want_pictures
from pageloom.edges.store.saving import prepare, save_in
from pageloom.model.capture import Capture
from pageloom.model.pages import PageRef

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from pageloom.library import Library

PAGES = 200
PICTURES = 6
MANY = 10_000
_REMOTE = re.compile(r'<img[^>]*src="http')


def serve(answer: Connection) -> None:
    """A site in a process of its own, so that its work is not counted as ours."""
    for site in start_site():
        for number in range(300):
            site.add(f"/{number}.png", png(320 + number, 240, number % 256))
        site.add("/plan.svg", svg())
        for number in range(PAGES):
            shown = [img(f"/{(number * 3 + each) % 300}.png") for each in range(PICTURES - 1)]
            page = illustrated([*shown, img("/plan.svg")], f"Page {number} of the harbour")
            site.add_html(f"/page/{number}", page)
        site.add_html("/plain", illustrated([""] * 20, "Without pictures"))
        twenty = [img(f"/{number}.png") for number in range(20)]
        site.add_html("/twenty", illustrated(twenty, "With twenty pictures"))
        answer.send(site.url(""))
        answer.recv()


def main() -> None:
    """Run all parts in a folder that is gone afterwards."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=serve, args=(theirs,))
    process.start()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        flags = {"fetch.allowed_hosts": ["127.0.0.1"], "fetch.per_host": 16}
        settings = pageloom.load_settings(flags=flags)
        with pageloom.open_library(folder / "library.db", settings=settings) as library:
            base = ours.recv()
            _cost(library, base)
            _save(library, base)
            ours.send("stop")
            process.join()
            _exports(library, folder)
            _reader(library, folder)
        _many(folder)


def _cost(library: Library, base: str) -> None:
    library.save(f"{base}/plain")
    library.purge(*library.delete(f"{base}/plain"))
    spent: dict[str, float] = {}
    for name in ("plain", "twenty"):
        started = time.process_time()
        library.save(f"{base}/{name}")
        spent[name] = time.process_time() - started
    more = (spent["twenty"] - spent["plain"]) * 1000
    print(f"20 pictures: {more:.0f} ms of CPU more than the page without")
    library.purge(*library.delete(f"{base}/plain", f"{base}/twenty"))


def _save(library: Library, base: str) -> None:
    started = time.process_time()
    found = library.save_all([f"{base}/page/{number}" for number in range(PAGES)])
    kept = sum(each.pictures.kept for each in found)
    print(
        f"saved {len(found)} pages, {kept} pictures: {time.process_time() - started:.1f} s of CPU"
    )
    assert kept == PAGES * PICTURES, kept


def _exports(library: Library, folder: Path) -> None:
    library.export(folder / "markdown", "markdown")
    for path in (folder / "markdown").glob("*.md"):
        shown = re.findall(r"!\[[^\]]*\]\(([^)\s]+)", path.read_text())
        assert len(shown) >= PICTURES, path
        assert all((path.parent / each).is_file() for each in shown), path
    for page in library.pages():
        library.export(folder / "page.html", "html", pages=[page], force=True)
        assert not _REMOTE.search((folder / "page.html").read_text()), page.url
    library.export(folder / "book.epub", "epub")
    with zipfile.ZipFile(folder / "book.epub") as book:
        names = set(book.namelist())
        chapters = [book.read(name).decode() for name in names if "chapter" in name]
    shown = [each for chapter in chapters for each in re.findall(r'<img src="([^"]+)"', chapter)]
    assert len(shown) >= PAGES * PICTURES
    assert all(f"OEBPS/{each}" in names for each in shown)
    print(f"exports: every picture of {PAGES} pages in Markdown, HTML and EPUB")
    if jar := os.environ.get("EPUBCHECK"):
        done = subprocess.run(
            ["java", "-jar", jar, str(folder / "book.epub")],
            capture_output=True,
            text=True,
            check=False,
        )
        print(f"EPUBCheck: exit {done.returncode}; {done.stdout.strip().splitlines()[-2:]}")


def _reader(library: Library, folder: Path) -> None:
    from tests.web.server import running

    with running(str(folder / "library.db")) as server:
        client = server.browser()
        count = 0
        for page in library.pages():
            html = client.get(f"/p/{page.id}").text
            for path in re.findall(r'src="(/media/[^"]+)"', html):
                answer = client.get(path)
                assert answer.status == 200, path
                count += 1
    print(f"reader: {count} pictures shown, the site being gone")
    assert count >= PAGES * (PICTURES - 1)


def _many(folder: Path) -> None:
    """How fast lists and searches are, before and after pages have pictures."""
    with pageloom.open_library(folder / "many.db") as library:
        store = library.context.store
        document = library.save_sample().document
        assert document
        refs: list[PageRef] = []
        for start in range(0, MANY, 1000):
            with store.write() as tx:
                for number in range(start, start + 1000):
                    url = f"https://a.example/{number}"
                    one = pageloom.Document.from_dict(
                        document.to_dict()
                        | {"url": url, "final_url": url, "title": f"Page {number}", "blocks": {}}
                    )
                    saved = save_in(tx, "local", prepare(Capture(document=one)))
                    refs.append(PageRef("local", saved.page_id))
        before = _times(library)
        for start in range(0, MANY, 500):
            with store.write() as tx:
                for page in refs[start : start + 500]:
                    urls = [f"https://a.example/{page.id}/{each}.png" for each in range(20)]
                    want_pictures(tx, page, urls)
                    for number, url in enumerate(urls):
                        body = f"{page.id} {number}".encode() * 200
                        keep_picture(tx, page, url, make_file(body, "image/png"))
        after = _times(library)
    for name, seconds in before.items():
        now = after[name]
        print(f"{name}: {seconds * 1000:.2f} ms before, {now * 1000:.2f} ms with 200,000 pictures")


def _times(library: Library) -> dict[str, float]:
    acts = {
        "list": lambda: library.list(limit=50),
        "search": lambda: library.search("swifts crane"),
        "search of a title": lambda: library.search("Page 4321"),
        "stats": library.stats,
    }
    return {name: min(_time(act) for _ in range(5)) for name, act in acts.items()}


def _time(act: Callable[[], object]) -> float:
    started = time.process_time()
    act()
    return time.process_time() - started


if __name__ == "__main__":
    main()

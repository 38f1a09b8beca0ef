"""Links that rot: every kind of it on a small web, and an archive that still has the pages."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.api.conftest import kettle
from tests.site.apps import article, page
from tests.site.pictures import illustrated
from tests.site.server import send, start_site

import pageloom
from pageloom.errors import FetchError, NotInLibrary

OTHER = page(article(["A quite different page about the price of rope in the north."] * 3, "Ropes"))
PARKED = page("<p>The domain tidewatch.example is for sale. Make an offer today.</p>", title="Sale")
LOST = page(
    "<h1>Page not found</h1><p>Sorry, we could not find that page.</p>", title="404 Not Found"
)


class FakeArchive:
    """Speaks the availability and the CDX API of the Wayback Machine."""

    def __init__(self, site) -> None:
        self.site, self.captures, self.busy = site, {}, False
        site.pages["/wayback/available"] = self.available
        site.pages["/cdx/search/cdx"] = self.listed

    def add(self, url: str, timestamp: str, markup: str, *, quick: bool = True) -> None:
        self.captures[url] = (timestamp, quick)
        self.site.add_html(f"/web/{timestamp}id_/{url}", markup)

    def _asked(self, request: BaseHTTPRequestHandler) -> tuple[str, bool] | None:
        query = parse_qs(urlsplit(request.path).query)
        return self.captures.get(query["url"][0])

    def available(self, request: BaseHTTPRequestHandler) -> None:
        if self.busy:
            send(request, b"slow down", 429, Retry_After="1")
            return
        found = self._asked(request)
        closest = {}
        if found and found[1]:
            closest = {
                "closest": {"status": "200", "available": True, "timestamp": found[0], "url": "x"}
            }
        send(request, json.dumps({"archived_snapshots": closest}).encode())

    def listed(self, request: BaseHTTPRequestHandler) -> None:
        found = self._asked(request)
        rows = [["timestamp"], [found[0]]] if found else []
        send(request, json.dumps(rows).encode())


@pytest.fixture
def archive():
    for site in start_site():
        yield FakeArchive(site)


@pytest.fixture
def library(database, settings, archive):
    base = archive.site.url("")
    settings.archive = pageloom.load_settings(
        flags={"archive.url": base, "archive.api_url": base}
    ).archive
    with pageloom.open_library(database, settings=settings) as opened:
        yield opened


def rot(site) -> dict[str, str]:
    """What becomes of each page, and the state that it is to be found in."""
    site.add_html("/changed", kettle(price="44.90"))
    site.add("/moved", status=301, Location="/new-place")
    site.add_html("/new-place", illustrated(["", ""], "Moved"))
    site.add("/gone", status=410)
    del site.pages["/missing"]
    site.add_html("/soft", LOST)
    site.add("/front", status=302, Location="/")
    site.add_html("/", OTHER)
    site.add("/replaced", status=302, Location="/other")
    site.add_html("/other", OTHER)
    site.add_html("/parked", PARKED)
    site.add("/refused", status=403)
    site.add("/broken", status=503)
    return {
        "alive": "alive",
        "changed": "changed",
        "moved": "moved",
        "gone": "dead",
        "missing": "dead",
        "soft": "soft_404",
        "front": "soft_404",
        "replaced": "soft_404",
        "parked": "parked",
        "refused": "blocked",
        "broken": "unreachable",
    }


def save_all(library, site, names) -> None:
    for name in names:
        site.add_html(f"/{name}", illustrated(["", ""], name.capitalize()))
    site.add_html("/changed", kettle())
    library.save_all([site.url(f"/{name}") for name in names])


def test_every_kind_of_rot_is_told_apart_and_kept(library, site):
    names = "alive changed moved gone missing soft front replaced parked refused broken".split()
    save_all(library, site, names)
    wanted = rot(site)
    seen = []
    library.check_links(
        library.unchecked_pages(), on_result=lambda page, check: seen.append((page, check))
    )
    found = {page.url_full.rpartition("/")[2]: check.state for page, check in seen}
    assert found == wanted
    kept = {check.url.rpartition("/")[2]: check for check in library.link_checks()}
    assert {name: check.state for name, check in kept.items()} == wanted
    assert kept["moved"].new_url == site.url("/new-place")
    assert "44.90" in kept["changed"].reason
    assert kept["changed"].importance > 0.5
    assert kept["gone"].status == 410
    assert [each.state for each in library.link_checks("parked")] == ["parked"]
    assert library.unchecked_pages() == [], "all of them were checked today"
    assert len(library.unchecked_pages(days=0)) == len(names)
    before = library.document(site.url("/gone")).text
    assert "harbour" in before, "what is kept stays"


def test_a_page_that_is_back_is_refreshed_and_its_state_has_a_beginning(library, site):
    save_all(library, site, ["tide", "changed"])
    good = site.pages["/tide"]
    page = library.get(site.url("/tide"))
    site.add("/tide", status=404)
    (first,) = library.check_links([page])
    (second,) = library.check_links([page])
    assert (first.state, second.state) == ("dead", "dead")
    assert library.link_checks()[0].since == first.checked_at
    site.pages["/tide"] = good
    library.check_links([page], refresh=True)
    assert library.link_checks()[0].state == "alive"
    site.add_html("/changed", kettle(price="19.90"))
    library.check_links([site.url("/changed")], refresh=True)
    assert library.get(site.url("/changed")).version == 2


def test_hosts_and_robots_are_respected(library, site):
    save_all(library, site, ["private"])
    site.add("/robots.txt", b"User-agent: *\nDisallow: /private")
    asked = site.paths.count("/private")
    (check,) = library.check_links([site.url("/private")])
    assert check.state == "blocked"
    assert site.paths.count("/private") == asked


def test_the_archive_has_what_the_site_has_lost(library, site, archive):
    save_all(library, site, ["tide", "ebb", "flood"])
    for name in ("tide", "ebb", "flood"):
        site.add(f"/{name}", status=404)
    old = illustrated(["", "", ""], "As it was")
    archive.add(site.url("/tide"), "20240305083000", old)
    archive.add(site.url("/ebb"), "20230101000000", old, quick=False)
    library.check_links(library.unchecked_pages(), archive=True)
    found = {check.url.rpartition("/")[2]: check.archive_url for check in library.link_checks()}
    assert found["tide"].endswith(f"/web/20240305083000/{site.url('/tide')}")
    assert "/web/20230101000000/" in found["ebb"], "by the list of captures"
    assert found["flood"] == ""

    saved = library.save_from_archive(site.url("/tide"), tags=["saved"])
    assert saved.document.title == "As it was"
    assert library.get(site.url("/tide")).version == 2
    assert "2024-03-05" in saved.document.provenance.fetching[0]
    assert site.paths.count("/tide") == 2, "the save and the check; nothing more"
    with pytest.raises(NotInLibrary, match="no capture"):
        library.save_from_archive(site.url("/flood"))


def test_an_archive_that_asks_to_wait_is_obeyed_and_spoils_no_check(library, site, archive):
    save_all(library, site, ["tide"])
    site.add("/tide", status=404)
    archive.busy = True
    with pytest.raises(FetchError, match="limiting requests") as caught:
        library.find_capture(site.url("/tide"))
    assert caught.value.retryable
    (check,) = library.check_links([site.url("/tide")], archive=True)
    assert check.state == "dead"
    assert "limiting requests" in check.reason


def test_pages_are_submitted_when_asked(library, site, archive):
    save_all(library, site, ["tide"])
    url = site.url("/tide")
    place = f"/web/20261118120000/{url}"
    archive.site.add(f"/save/{url}", b"done", Content_Location=place)
    assert library.submit(url).replay_url == archive.site.url(place)
    with pytest.raises(NotInLibrary):
        library.submit(site.url("/unknown"))


def test_an_archive_inside_is_not_asked(database, site, settings):
    """What the settings name is asked through the guard like anything else."""
    settings.archive = pageloom.load_settings(
        flags={"archive.url": "http://10.0.0.1", "archive.api_url": "http://10.0.0.1"}
    ).archive
    with (
        pageloom.open_library(database, settings=settings) as library,
        pytest.raises(FetchError, match=r"10\.0\.0\.1"),
    ):
        library.find_capture("https://a.example/")

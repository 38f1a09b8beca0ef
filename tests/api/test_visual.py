"""Visual change: a price that looks different is found, noise and ignored places are not."""

from __future__ import annotations

import asyncio
import io
import random

import pytest
from PIL import Image, ImageFilter
from tests.services import chromium
from tests.site.server import start_site

import pageloom
from pageloom.edges.decoders.pictures import compare_looks
from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.errors import ParseError, SettingsError
from pageloom.flows.watch.scheduler import check_now

PAGE = """<!doctype html><html lang="en"><head><title>Harbour kettle</title></head><body
style="font:18px DejaVu Sans;margin:40px"><h1>Harbour kettle</h1>
<p style="font-size:40px" id="price">{price}</p><p>A steel kettle of two litres for the galley,
with a lid that stays on in any weather and a spout that pours where it should.</p>
<p>It has been made in the same yard since the ferries ran on coal, by the same family.</p>
<div style="height:900px;background:{ground}"></div></body></html>"""


@pytest.fixture(scope="module")
def shots(tmp_path_factory):
    """Screenshots of a page, and of the same page with another price."""
    chromium()
    found = {}

    async def shoot(site) -> None:
        async with open_fetcher(FetchOptions(allowed_hosts=("127.0.0.1",))) as fetcher:
            for name, price in (("before", "39.90 EUR"), ("after", "34.90 EUR")):
                site.add_html("/kettle", PAGE.format(price=price, ground="#eef"))
                request = FetchRequest(url=site.url("/kettle"))
                found[name] = (await fetcher.render(request, Rendering(screenshot=True))).screenshot

    for site in start_site():
        asyncio.run(shoot(site))
    return found


def test_an_edited_price_is_found_where_it_is(shots):
    share, regions, outlined = compare_looks(shots["before"], shots["after"], [])
    assert 0 < share < 0.01
    assert len(regions) == 1
    left, top, width, height = regions[0]
    assert left < 300
    assert 60 < top < 250
    assert width < 200
    assert height < 80
    assert Image.open(io.BytesIO(outlined)).getpixel((left - 2, top + 5)) == (220, 30, 30)


def test_noise_of_smoothing_is_no_difference(shots):
    picture = Image.open(io.BytesIO(shots["before"])).convert("RGB")
    dice = random.Random(7)  # noqa: S311  no secret
    noisy = picture.filter(ImageFilter.GaussianBlur(0.4))
    pixels = noisy.load()
    for _ in range(60_000):
        place = dice.randrange(noisy.width), dice.randrange(noisy.height)
        pixels[place] = tuple(
            max(0, min(255, each + dice.randint(-25, 25))) for each in pixels[place]
        )
    target = io.BytesIO()
    noisy.save(target, "PNG")
    share, regions, _ = compare_looks(shots["before"], target.getvalue(), [])
    assert (share, regions) == (0.0, [])


def test_ignored_regions_do_not_count_and_a_longer_page_does(shots):
    _, ((left, top, width, height),), _ = compare_looks(shots["before"], shots["after"], [])
    ignored = [(left, top, width, height)]
    assert compare_looks(shots["before"], shots["after"], ignored)[0] == 0
    picture = Image.open(io.BytesIO(shots["before"])).convert("RGB")
    longer = Image.new("RGB", (picture.width, picture.height + 400), "white")
    longer.paste(picture)
    target = io.BytesIO()
    longer.save(target, "PNG")
    share, regions, _ = compare_looks(shots["before"], target.getvalue(), [])
    assert share > 0.2
    assert len(regions) == 1


def test_a_broken_screenshot_is_an_error_of_its_own():
    with pytest.raises(ParseError):
        compare_looks(b"\x89PNG\r\n\x1a\nbroken", b"", [])


def test_a_watch_that_asks_for_it_tells_what_looks_different(sqlite_library, settings):
    chromium()
    with pageloom.open_library(sqlite_library, settings=settings) as library:
        for site in start_site():
            url = site.url("/kettle")
            watch = library.watch(url, visual=True, targets=["feed:looks"])
            first, changed, again = asyncio.run(checks_of(library, site, watch))
        assert (first.visual, changed.outcome) == (None, "unchanged"), "not a word is different"
        assert changed.visual
        assert changed.visual.share > 0.2
        (change,) = library.visual_changes(library.get(url))
        for name in (change.before_hash, change.after_hash, change.outlined_hash):
            assert library.file(name).startswith(b"\x89PNG")
        assert [each.payload["kind"] for each in library.messages()].count("visual") == 1
        assert again.visual is None, "it is compared with what was found last"
        with pytest.raises(SettingsError, match="four numbers"):
            library.edit_watch(watch, visual_ignore=["top"])


async def checks_of(library, site, watch) -> list:
    """Three checks in one browser: the page turns red before the second."""
    results = []
    async with library.context.watch_context() as context:
        for ground in ("#eef", "#c33", "#c33"):
            site.add_html("/kettle", PAGE.format(price="39.90 EUR", ground=ground))
            results += await check_now([watch], context)
    return results

"""Pages that need a browser get one, and give their whole article; others never start one."""

from __future__ import annotations

import pytest
from tests.site.apps import NEED_A_BROWSER, NEED_NONE, PARAGRAPHS, TITLE, page

from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.errors import RenderError
from pageloom.flows.capture.acquire import acquire

pytestmark = pytest.mark.slow_file(seconds=25)


def get(world, url: str, **how):
    request = how.pop("request", None) or FetchRequest(url=url)
    return world.run(acquire(request, fetcher=world.fetcher, **how))


@pytest.mark.parametrize("path", NEED_A_BROWSER)
def test_a_page_drawn_by_scripts_gives_its_whole_article(world, spa, path: str):
    got = get(world, spa.url(path, "site.test"))
    assert got.used_browser
    assert got.document.title == TITLE
    for paragraph in PARAGRAPHS:
        assert paragraph in got.document.text
    assert any(decision.startswith("browser: ") for decision in got.document.provenance.fetching)


@pytest.mark.parametrize("path", NEED_NONE)
def test_a_page_that_is_there_already_needs_no_browser(world, spa, path: str):
    got = get(world, spa.url(path, "site.test"))
    assert not got.used_browser
    for paragraph in PARAGRAPHS:
        assert paragraph in got.document.text


PRODUCT = (
    "<main><h1>Brass ship's bell</h1><p>Polished, with a hemp rope. 24 cm.</p>"
    "<p class=price>€ 89.00</p></main>"
)
DATA = """<script type="application/ld+json">{"@type": "Product", "name": "Brass ship's bell",
"offers": {"price": "89.00", "priceCurrency": "EUR"}}</script>
<script type='text/x-template'><p>{{ name }}</p></script>
<script data-kind=shop type=application/json>{"sku": 7}</script><SCRIPT
  TYPE="speculationrules">{}</SCRIPT>"""


@pytest.mark.parametrize(
    ("script", "used"),
    [
        (DATA, False),
        ("<script>document.body.append(' sold')</script>", True),
        ("<script type=module>document.body.append(' sold')</script>", True),
        ("<script type=' text/javascript '>document.body.append(' sold')</script>", True),
        ("<script data-type=x>document.body.append(' sold')</script>", True),
    ],
)
def test_blocks_of_data_are_no_scripts(world, site, script: str, used: bool):
    site.add_html("/bell", page(f"{PRODUCT}{script}"))
    got = get(world, site.url("/bell", "site.test"))
    assert any(decision.startswith("browser: ") for decision in got.decisions) == used
    assert "Polished" in got.document.text


def test_late_content_is_waited_for(world, spa):
    url = spa.url("/spa/late", "site.test")
    got = get(world, url, render="force", rendering=Rendering(wait_for="#app article"))
    for paragraph in PARAGRAPHS:
        assert paragraph in got.document.text


def test_what_never_appears_ends_with_the_time(world, spa):
    url = spa.url("/static", "site.test")
    with pytest.raises(RenderError) as caught:
        get(world, url, render="force", rendering=Rendering(wait_for="#never", timeout=1.5))
    assert caught.value.figures["timeout_s"] == 1.5
    assert "#never" in caught.value.message

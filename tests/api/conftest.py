"""A small web on this machine, and a library on each database."""

from __future__ import annotations

import pytest
from tests.site.server import start_site

import pageloom

KETTLE = """<!DOCTYPE html><html lang="en"><head><title>Harbour kettle</title>
<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "Product",
"name": "Harbour kettle", "offers": {{"@type": "Offer", "price": "{price}",
"priceCurrency": "EUR", "availability": "https://schema.org/InStock"}}}}</script></head>
<body><main><h1>Harbour kettle</h1><p class="price">{price} EUR</p>
<p>A steel kettle of two litres for the galley, with a lid that stays on in any weather and a spout
that pours where it should. It has been made in the same yard since the ferries ran on coal.</p>
<p>{words}</p></main></body></html>"""
WORDS = (
    "The handle folds flat, the base fits every stove on board, and spare lids are sent for free"
    " to whoever asks the harbour office for one in writing."
)


def kettle(price: str = "39.90", words: str = WORDS) -> str:
    """A page of a shop."""
    return KETTLE.format(price=price, words=words)


@pytest.fixture
def site():
    yield from start_site()


@pytest.fixture
def settings():
    """Settings that let this machine be fetched from."""
    flags = {"fetch.allowed_hosts": ["127.0.0.1"], "fetch.retries": 0, "watch.host_delay": 0}
    return pageloom.load_settings(flags=flags)


@pytest.fixture
def library(database, settings):
    """An empty library of the user ``local``."""
    with pageloom.open_library(database, settings=settings) as opened:
        yield opened


@pytest.fixture
def shop(site):
    """A site with one page that has a price; its URL."""
    site.add_html("/kettle", kettle())
    return site.url("/kettle")

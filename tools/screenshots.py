"""Pictures of the web app for the documentation, from a sample library made for them.

    python -m tools.screenshots [DIRECTORY]        (docs/pictures when left out)

Needs Chromium. The library is made anew each time, so pictures differ only where the app does.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright
from tests.api.conftest import kettle
from tests.services import chromium

from pageloom.edges.store.prices import insert_price
from pageloom.library import Library, open_library
from pageloom.model.library import StoredPrice

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
OTHERS = {
    "recipe--plum-galette": "https://butterandbramble.example/plum-galette",
    "docs--code-and-sidebar": "https://docs.tidepool.example/retries",
    "rtl--arabic-watchmaker": "https://harbour-echo.example/watchmaker",
    "reference--bridge-entry": "https://ellery.example/bridge",
}
PRICES = ("39.90", "41.50", "41.50", "36.00", "44.90", "39.90", "39.90", "34.90", "34.90")
TERMS = """<html lang="en"><title>Terms of service - Skyboat</title><main><h1>Terms of service</h1>
<h2>Your data</h2><p>We {promise} You can ask us for a copy at any time, and we answer within a
month of your request.</p><h2>Changes</h2><p>We tell you of changes to these terms {days} days
before they take effect, by the address that you gave us when you signed up.</p></main>"""
OLD = {"promise": "will never sell your data to anybody.", "days": "thirty (30)"}
NEW = {"promise": "may share your data with partners.", "days": "fourteen (14)"}
SHOTS = {
    "library": "/",
    "diff": "/p/3/diff?from=1&to=2",
    "prices": "/p/2/prices",
}


def fill(library: Library) -> None:
    """Pages to look at: the sample, a kettle with prices, terms that changed, and some others."""
    library.save_sample()
    shop = library.save("https://kettleworks.example/kettle", content=kettle("34.90"))
    for words in (OLD, NEW):
        library.save("https://skyboat.example/terms", content=TERMS.format(**words), tags=["legal"])
    for name, url in OTHERS.items():
        content = next((GOLDEN / name).glob("*.html")).read_bytes()
        library.save(url, content=content, tags=[name.partition("--")[0]])
    library.tag(1, "birds", "harbours")
    library.tag(shop, "kitchen")
    library.pin(1)
    library.note(1, "Ask the harbour board about the crane.")
    with library.context.store.write() as tx:
        for month, amount in enumerate(PRICES, 3):
            at = f"2026-{month:02d}-10T08:00:00.000Z"
            point = StoredPrice(page_id=2, at=at, amount=Decimal(amount), currency="EUR")
            insert_price(tx, point)


@contextmanager
def serving(database: str) -> Iterator[str]:
    """The URL of a server of this library, on which everybody is its user."""
    settings = {"PAGELOOM_DATABASE_URL": database, "PAGELOOM_WEB_AUTH": "none"}
    command = [sys.executable, "-m", "pageloom", "serve", "--no-work", "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | settings
    )
    try:
        said = process.stdout.readline() if process.stdout else ""
        yield re.findall(r"http://[\d.:]+", said)[0]
    finally:
        process.terminate()
        process.communicate()


def main() -> None:
    """Make all pictures."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        database = f"{folder}/library.db"
        with open_library(database) as library:
            fill(library)
        browser = started.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with serving(database) as home:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            for name, path in SHOTS.items():
                page.goto(home + path)
                page.screenshot(path=target / f"{name}.png")
                print(target / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()

"""Adapters inside the programs that they are for."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.integration.cli import environment
from tests.site.server import start_site

from pageloom.library import open_library

SPIDER = """
import sys
import scrapy
from scrapy.crawler import CrawlerProcess

class Harbour(scrapy.Spider):
    name = "harbour"
    start_urls = [sys.argv[1]]

    def parse(self, response):
        yield {"url": response.url, "html": response.text, "tags": ["spider"]}
        yield {"url": "javascript:1", "html": "x"}
        yield {"name": "no page"}

process = CrawlerProcess({
    "ITEM_PIPELINES": {"pageloom.adapters.scrapy.PageloomPipeline": 300},
    "PAGELOOM_DATABASE_URL": sys.argv[2],
    "FEEDS": {sys.argv[3]: {"format": "jsonlines"}},
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
})
process.crawl(Harbour)
process.start()
"""
WORDS = "<p>The boats lie in the mud until the tide comes back in the evening.</p>" * 12


@pytest.fixture
def site():
    yield from start_site()


def test_a_spider_saves_what_it_yields(site, tmp_path):
    site.add_html("/tide", f"<html><title>Tide</title><article>{WORDS}</article></html>")
    url, items = f"http://127.0.0.1:{site.port}/tide", tmp_path / "items.jsonl"
    database = str(tmp_path / "pages.db")
    done = subprocess.run(
        [sys.executable, "-c", SPIDER, url, database, str(items)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    saved, bad, other = map(json.loads, items.read_text().splitlines())
    assert (saved["pageloom"]["outcome"], saved["pageloom"]["title"]) == ("saved", "Tide")
    assert "boats" in saved["pageloom"]["text"]
    assert bad["pageloom"]["error"]["code"] == "InvalidUrl"
    assert "pageloom" not in other
    with open_library(database) as library:
        assert library.tags(url) == ("spider",)


def test_pages_of_a_library_are_documents_of_langchain(tmp_path):
    from pageloom.adapters.langchain import PageloomLoader

    with open_library(tmp_path / "pages.db") as library:
        for name in ("tide", "mole"):
            page = f"<html><title>{name}</title><article><p>Of the {name}.</p>{WORDS}</article>"
            library.save(f"https://a.example/{name}", content=page)
        library.note_url("https://a.example/not-yet")
        every = PageloomLoader(library=library).load()
        assert [one.metadata["title"] for one in every] == ["tide", "mole"]
        [found] = PageloomLoader(library=library, query="mole").load()
    assert found.metadata["source"] == "https://a.example/mole"
    assert (found.metadata["page"], found.metadata["version"]) == (2, 1)
    assert "The boats lie in the mud" in found.page_content

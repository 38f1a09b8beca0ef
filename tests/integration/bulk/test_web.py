"""Archives on the web: read in ranges, taken up again, and through the same gate as pages."""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace

import pytest
from tests.archives import members, page, url_of
from tests.integration.bulk.outputs import rows
from tests.integration.cli import pageloom
from tests.site.files import file_server

import pageloom as public
from pageloom.edges.archive.entries import Reading
from pageloom.edges.archive.warc import read_warc
from pageloom.edges.fetch.options import FetchOptions
from pageloom.errors import StorageError
from pageloom.flows.bulk.options import BulkOptions
from pageloom.flows.bulk.plan import make_plan
from pageloom.flows.bulk.read import use_web

pytestmark = [pytest.mark.slow_file(seconds=4), pytest.mark.timeout(120)]

HERE = FetchOptions(allowed_hosts=("127.0.0.1",), timeout=5)
PAGES = 40
ARCHIVE = b"".join(members(range(PAGES)))


@pytest.fixture
def site():
    with file_server() as found:
        found.files = {"/r/crawl.warc.gz": ARCHIVE, "/w/crawl.warc.gz": ARCHIVE}
        yield found


def read(url: str, fetch: FetchOptions = HERE) -> list[str]:
    return [found.url for found in public.read_archive(url, fetch=fetch)]


def test_a_run_reads_archives_from_the_web_each_part_from_where_it_begins(site, tmp_path):
    listed = tmp_path / "all.paths"
    listed.write_text(site.url("/r/crawl.warc.gz"))
    given = {"rules": None, "part_records": 25, "columns": ["url", "source_offset"]}
    report = public.bulk(listed, tmp_path / "out", fetch=HERE, **given)
    assert (report.kept, report.parts, report.is_complete) == (PAGES, 2, True)
    found = read_warc(io.BytesIO(ARCHIVE), 0, Reading())
    assert [(row["url"], row["source_offset"]) for row in rows(tmp_path / "out")] == [
        (entry.url, entry.offset) for entry in found
    ]
    second = rows(tmp_path / "out")[25]["source_offset"]
    assert f"bytes={second}-" in site.asked


@pytest.mark.parametrize("way", ["r", "w"])
def test_a_connection_that_breaks_is_taken_up_where_it_ended(site, way):
    site.breaks, site.breaks_after = 2, len(ARCHIVE) // 3
    assert read(site.url(f"/{way}/crawl.warc.gz")) == [url_of(n) for n in range(PAGES)]
    assert not site.breaks


def test_one_that_breaks_for_ever_or_a_file_that_is_replaced_is_told(site):
    site.breaks, site.breaks_after = 1000, 10
    with pytest.raises(StorageError, match="closed the connection"):
        read(site.url("/w/crawl.warc.gz"), replace(HERE, retries=1))
    site.files["/r/long.warc.gz"] = ARCHIVE * 40  # more than is read at once
    site.breaks, site.breaks_after = 2, 20 * len(ARCHIVE)
    pages = public.read_archive(site.url("/r/long.warc.gz"), fetch=HERE)
    next(pages)
    site.stamp = '"two"'
    with pytest.raises(StorageError, match="replaced"):
        list(pages)


def test_parquet_on_the_web_is_read_by_its_end(site):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    found = [{"url": url_of(n), "html": page(n).decode()} for n in range(5)]
    file = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(found), file)
    site.files["/r/pages.parquet"] = file.getvalue()
    assert read(site.url("/r/pages.parquet")) == [url_of(n) for n in range(5)]


def test_an_event_loop_that_runs_already_is_no_hindrance(site):
    async def inside() -> list[str]:
        return read(site.url("/r/crawl.warc.gz"))

    assert len(asyncio.run(inside())) == PAGES


def test_what_pages_may_not_connect_to_archives_may_not_either(site, tmp_path):
    for url, said in {
        "http://127.0.0.1:9/x.warc": "loopback",
        "https://one:two@a.example/x.warc": "user name or password",
    }.items():
        result = pageloom("bulk", url, "--out", tmp_path / "out")
        assert (result.code, said in result.err) == (1, True), result.err
    with pytest.raises(StorageError, match="private address"):
        read(site.url("/elsewhere"))
    with pytest.raises(public.InvalidArgument, match="does not exist"):
        make_plan([site.url("/r/none.warc")], BulkOptions(), versions=("", "", ""))


def test_a_list_on_the_web_names_what_is_on_the_web_and_no_other_list(site, monkeypatch):
    site.files |= {
        "/r/here.paths": b"/etc/hosts.html\n",
        "/r/self.paths": f"# all\n{site.url('/r/self.paths')}\n".encode(),
        "/r/good.paths": b"r/crawl.warc.gz\n",
    }
    use_web(HERE)
    given = {"options": BulkOptions(), "versions": ("", "", "")}
    for name, said in {"here": "a file of this machine", "self": "another list"}.items():
        with pytest.raises(public.InvalidArgument, match=said):
            make_plan([site.url(f"/r/{name}.paths")], **given)
    good = make_plan([site.url("/r/good.paths")], base=site.url(""), **given)
    assert [file.size for file in good.inputs] == [len(ARCHIVE)]
    monkeypatch.setattr("pageloom.edges.archive.kinds._LONGEST_LIST", 10)
    with pytest.raises(public.OversizedContent, match="too long for a list"):
        make_plan([site.url("/r/good.paths")], base=site.url(""), **given)

"""What a row says, which pages get one, and which are duplicates."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pyarrow import parquet
from tests.archives import page, record, url_of, words
from tests.integration.bulk.outputs import digests, rows

import pageloom
from pageloom.core.options import Options
from pageloom.flows.bulk import dedup
from pageloom.flows.bulk.columns import COLUMNS, DEFAULT
from pageloom.flows.bulk.options import BulkFilters, BulkOptions
from pageloom.flows.bulk.page_rows import make_reader
from pageloom.flows.bulk.run import Work, carry_out, plan_run
from pageloom.model import RawPage

pytestmark = [pytest.mark.slow_file(seconds=12), pytest.mark.timeout(180)]


def raw(number: int = 1, head: str = "", **headers: str) -> RawPage:
    url = url_of(number)
    body = page(number, head=head)
    return RawPage(url=url, final_url=url, status=200, headers=headers, body=body)


def read(options: BulkOptions, one: RawPage):
    return make_reader(options, None)(one, "in.warc", (0, 10, 3))


GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*/page.html"))[::6]
PAGES = [raw(1), *(replace(raw(n), body=path.read_bytes()) for n, path in enumerate(GOLDEN))]


@pytest.mark.parametrize("name", [*COLUMNS, ",".join(DEFAULT)])
def test_the_value_of_a_column_never_depends_on_the_others(name, together):
    assert len(GOLDEN) > 5
    names = tuple(name.split(","))
    some = make_reader(BulkOptions(columns=names).checked(), None)
    for one, whole in zip(PAGES, together, strict=True):
        found = some(one, "in.warc", (0, 10, 3))
        assert dict(zip(names, found.values, strict=False)) == {
            key: value for key, value in whole.items() if key in names
        }


@pytest.fixture(scope="module")
def together() -> list[dict]:
    """All columns of all pages."""
    options = BulkOptions(columns=(*COLUMNS,)).checked()
    every = make_reader(options, None)
    rows = [every(one, "in.warc", (0, 10, 3)).values for one in PAGES]
    return [dict(zip(options.columns, row, strict=False)) for row in rows]


def test_a_row_says_what_the_document_says():
    options = BulkOptions().checked()
    row = dict(zip(options.columns, read(options, raw()).values, strict=True))
    document = pageloom.extract(page(1), url_of(1), rules=None)
    assert tuple(row) == DEFAULT
    for name in ("id", "title", "text", "markdown", "content_hash", "word_count", "quality_score"):
        assert row[name] == getattr(document, name)


@pytest.mark.parametrize(
    ("head", "headers", "told"),
    [
        ('<meta name="robots" content="NoArchive, noai">', {}, ("noarchive", "noai")),
        ('<meta name="tdm-reservation" content="1">', {}, ("tdm-reservation",)),
        ("", {"x-robots-tag": "noindex, nosnippet"}, ("noindex", "nosnippet")),
        ("", {"x-robots-tag": "otherbot: noindex", "tdm-reservation": "1"}, ("tdm-reservation",)),
        ("", {}, ()),
    ],
)
def test_what_page_and_server_say_about_reuse_is_told_and_respected(head, headers, told):
    one = raw(1, head, **headers)
    assert read(BulkOptions(columns=("robots",)).checked(), one).values == (told,)
    terms = ("noindex", "noarchive", "nosnippet", "noai", "tdm")
    respecting = BulkOptions(filters=BulkFilters(respect=terms)).checked()
    assert (read(respecting, one).reason == "Filtered") == bool(told)


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        ({"language": ("en",)}, True),
        ({"language": ("de", "fr")}, False),
        ({"min_words": 50}, True),
        ({"min_words": 5000}, False),
        ({"min_quality": 101}, False),
        ({"page_type": ("product",)}, False),
        ({"status": (203,)}, False),
        ({"status": ()}, True),
        ({"media_type": ("text/html",)}, True),
        ({"media_type": ("text/plain",)}, False),
        ({"url_match": r"tidewatch\d\.example/page/\d+$"}, True),
        ({"url_match": "elsewhere"}, False),
    ],
)
def test_a_page_is_kept_if_every_filter_lets_it_through(filters, kept):
    outcome = read(BulkOptions(filters=BulkFilters(**filters)).checked(), raw())
    assert (not outcome.reason) == kept
    if not kept:
        assert outcome.filter in filters


def write(path: Path, texts: list[list[str]]) -> str:
    found = [record(url_of(n), page(n, text)) for n, text in enumerate(texts)]
    path.write_bytes(b"".join(found))
    return str(path)


def edited(text: list[str], places: range) -> list[str]:
    return ["other" if number in places else word for number, word in enumerate(text)]


@pytest.fixture(scope="module")
def story() -> list[list[str]]:
    """Pages 0, 3 and 5 are the same story, 5 with a few words changed; the rest are others."""
    first = words(0, 400)
    return [first, words(1, 400), words(2, 400), first, words(4, 400), edited(first, range(9, 12))]


def test_duplicates_are_left_out_and_say_of_which_page_they_are(story, tmp_path):
    # The title is part of a page, so pages differ in content; their text is what is the same.
    source = write(tmp_path / "in.warc", story)
    out = tmp_path / "near"
    report = pageloom.bulk(source, str(out), rules=None, dedup="near", part_records=2)
    assert [row["source_record"] for row in rows(out)] == [0, 1, 2, 4]
    first = rows(out)[0]
    gone = rows(out, "rejects")
    assert [(row["source_record"], row["detail"]) for row in gone] == [
        (3, first["id"]),
        (5, first["id"]),
    ]
    assert report.rejected == {"Duplicate": 2}
    assert report.read == report.kept + 2
    assert sum(report.tally.languages.values()) == report.kept
    before = digests(out)
    assert pageloom.bulk(source, str(out), rules=None, dedup="near", part_records=2).kept == 4
    assert digests(out) == before
    marked = json.loads((out / "_run/parts/00000-001.json").read_text())
    assert (marked["generation"], marked["rows"]) == (2, 1)


def test_the_same_pages_are_left_out_in_any_number_of_pieces_and_after_any_interruption(
    story, tmp_path, monkeypatch
):
    source = write(tmp_path / "in.warc", story)
    options = BulkOptions(dedup="near", part_records=2)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    carry_out(plan_run([source], str(whole), options, None), Work(workers=1))
    real = dedup.write_marker
    monkeypatch.setattr(dedup, "write_marker", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        carry_out(plan_run([source], str(broken), options, None), Work(workers=1, memory=600))
    assert list((broken / "_run/dedup").glob("pairs-*-of-0000[4-9].bin"))
    monkeypatch.setattr(dedup, "write_marker", real)
    report = carry_out(plan_run([source], str(broken), options, None), Work(workers=2, memory=600))
    assert report.kept == 4
    assert digests(broken) == digests(whole)


def test_duplicates_can_be_kept_and_an_earlier_output_counts_as_first(story, tmp_path):
    source = write(tmp_path / "in.warc", story)
    earlier = tmp_path / "earlier"
    pageloom.bulk(source, str(earlier), rules=None, dedup="near", keep_duplicates=True)
    found = rows(earlier)
    assert [row["duplicate_of"] for row in found] == [
        *["", "", ""], found[0]["id"], "", found[0]["id"]
    ]  # fmt: skip
    again = write(tmp_path / "again.warc", [words(77, 400), story[5]])
    report = pageloom.bulk(
        again, str(tmp_path / "later"), rules=None, dedup="near", against=str(earlier)
    )
    assert (report.kept, report.rejected) == (1, {"Duplicate": 1})
    assert rows(tmp_path / "later", "rejects")[0]["detail"] == found[0]["id"]


def test_parts_are_parquet_with_a_fixed_schema_and_say_how_they_were_made(story, tmp_path):
    source = write(tmp_path / "in.warc", [*story, ["\x00", "half"]])
    columns = ("+links", "+images", "+price_candidates", "+metadata", "+document", "+html")
    options = BulkOptions(columns=columns, extraction=Options(parse_timeout_ms=9000))
    carry_out(plan_run([source], str(tmp_path / "out"), options, None), Work(workers=1))
    path = next((tmp_path / "out/documents").iterdir())
    schema = parquet.read_schema(path)
    assert schema.names[: len(DEFAULT)] == list(DEFAULT)
    assert schema.metadata[b"pageloom.parser"]
    assert (
        json.loads(schema.metadata[b"pageloom.options"])["extraction"]["parse_timeout_ms"] == 9000
    )
    row = rows(tmp_path / "out")[0]
    assert row["links"][0]["url"].startswith("https://tidewatch0.example/")
    assert json.loads(row["document"])["title"] == row["title"]
    assert parquet.ParquetFile(path).metadata.row_group(0).column(1).compression == "ZSTD"

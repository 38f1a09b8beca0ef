"""Pages out of archives: every kind, and every kind of damage."""

from __future__ import annotations

import gzip
import io
import json
import sys
import tracemalloc

import pytest
from tests.archives import members, page, record, url_of

from pageloom.edges.archive.entries import Reading
from pageloom.edges.archive.http_message import join_chunks, read_response
from pageloom.edges.archive.kinds import next_readable, read_entries
from pageloom.edges.archive.page_files import declared_url, read_page_file
from pageloom.edges.archive.parts import count_rows, ending_of, read_rows, write_rows
from pageloom.edges.archive.rows import read_lines
from pageloom.edges.archive.warc import read_warc
from pageloom.errors import UnsupportedContent
from pageloom.flows.bulk.read import read_archive

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def read(data: bytes, start: int = 0, **more) -> list:
    return list(read_warc(io.BytesIO(data), start, Reading(**more)))


def told(entries: list) -> list:
    """The pages by number; damage as such."""
    return [
        int(entry.url.rpartition("/")[2]) if entry.kind == "page" else entry.kind
        for entry in entries
    ]


PLAIN = [record(url_of(n), page(n)) for n in range(5)]
PACKED = members(range(5))


@pytest.mark.parametrize(
    "data",
    [
        b"".join(PLAIN),
        b"".join(PACKED),
        gzip.compress(b"".join(PLAIN)),
        b"".join(zstd.compress(one) for one in PLAIN),
    ],
    ids=["plain", "by-record", "as-a-whole", "zstd"],
)
def test_a_warc_file_is_read_however_it_is_packed_and_from_any_record_on(data):
    entries = read(data)
    assert told(entries) == [0, 1, 2, 3, 4]
    assert entries[2].page.body == page(2)
    assert entries[2].page.fetched_at == "2026-03-05T08:30:00Z"
    for entry in entries:
        assert told(read(data, entry.after)) == list(range(1 + told([entry])[0], 5))


def test_a_warc_file_with_a_dictionary_is_read():
    trained = zstd.train_dict([page(n) for n in range(200)], 4096)
    kept = trained.dict_content
    head = b"\x5d\x2a\x4d\x18" + len(kept).to_bytes(4, "little") + kept
    body = b"".join(zstd.compress(one, zstd_dict=trained) for one in PLAIN)
    assert told(read(head + body)) == [0, 1, 2, 3, 4]


def broken(data: bytes) -> bytes:
    return data[:60] + bytes(20) + data[80:]


LYING = PLAIN[2].replace(b"Content-Length: 1", b"Content-Length: 9")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"".join([*PACKED[:2], broken(PACKED[2]), *PACKED[3:]]), [0, 1, "damaged", 3, 4]),
        (b"".join(PACKED)[:-30], [0, 1, 2, 3, "damaged"]),
        (b"".join([*PACKED[:2], b"no gzip at all" * 9, *PACKED[3:]]), [0, 1, "damaged", 3, 4]),
        (b"".join([*PACKED[:2], gzip.compress(LYING), *PACKED[3:]]), [0, 1, "damaged", 3, 4]),
        (b"".join([*PLAIN[:2], LYING, *PLAIN[3:]]), [0, 1, "damaged", 3, 4]),
        (b"".join(PLAIN)[:-30], [0, 1, 2, 3, "damaged"]),
        (gzip.compress(b"".join(PLAIN))[:-300], [0, 1, 2, "damaged"]),
        (b"", []),
        (b"nothing of the kind", ["damaged"]),
    ],
    ids=["middle", "end", "garbage", "lying", "lying-plain", "cut", "cut-whole", "empty", "other"],
)
def test_damage_costs_the_records_that_are_damaged_and_no_others(data, expected):
    found = told(read(data))
    assert found[: len(expected) - 1] == expected[:-1]
    assert found[-1:] == expected[-1:]


def test_a_page_above_the_limit_is_told_and_not_read():
    large = record(url_of(7), b"x" * 600_000)
    for data in (large + PLAIN[1], gzip.compress(large) + PACKED[1]):
        first, second = read(data, largest=200_000)
        assert (first.reason, first.url, told([second])) == ("OversizedContent", url_of(7), [1])


def test_a_record_of_five_gigabytes_is_passed_by(tmp_path):
    path = tmp_path / "large.warc"
    head = PLAIN[0].partition(b"Content-Length")[0]
    with path.open("wb") as file:
        file.write(head + b"Content-Length: 5000000000\r\n\r\n")
        file.seek(5_000_000_000, 1)  # a hole: no disk is needed for it
        file.write(b"\r\n\r\n" + PLAIN[1])
    first, second = read_entries(str(path), "warc", 0, reading=Reading())
    assert (first.reason, told([second])) == ("OversizedContent", [1])


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress], ids=["gzip", "zstd"])
def test_a_packed_record_that_is_too_large_is_passed_by_in_little_memory(tmp_path, pack):
    path = tmp_path / "large.warc"
    path.write_bytes(pack(record(url_of(0), bytes(30_000_000))) + pack(PLAIN[1]))
    tracemalloc.start()
    entries = list(read_entries(str(path), "warc", 0, reading=Reading(largest=1_000_000)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (entries[0].reason, told(entries[1:])) == ("OversizedContent", [1])
    assert peak < 10_000_000


def test_many_records_of_one_byte_are_read():
    data = record("https://tidewatch.example/\x00", b"x", kind="resource") * 5_000
    entries = read(data)
    assert len(entries) == 5_000
    assert {entry.page.body for entry in entries} == {b"x"}


def test_records_that_are_no_pages_are_told_apart():
    other = record("https://tidewatch.example/", b"GET / HTTP/1.1\r\n\r\n", kind="request")
    text = record("https://tidewatch.example/wet", b"Der Kran am Hafen", kind="conversion")
    entries = read(other + text)
    assert [entry.kind for entry in entries] == ["other", "page"]
    assert entries[1].page.content_type.startswith("text/plain")


def test_encodings_of_a_recorded_response_are_undone():
    packed = gzip.compress(b"<p>swifts</p>")
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(packed), packed)
    head = b"HTTP/1.1 203 Fine\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    found = read_response(head + chunked, "https://a.example/", "", 1000)
    assert (found.status, found.body) == (203, b"<p>swifts</p>")
    untouched = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n<p>unpacked before</p>"
    assert read_response(untouched, "", "", 1000).body == b"<p>unpacked before</p>"
    assert join_chunks(b"<p>no chunks</p>") == b"<p>no chunks</p>"


def test_lines_are_read_between_two_offsets_and_bad_ones_cost_themselves():
    rows = [json.dumps({"url": url_of(n), "html": page(n).decode()}) for n in range(4)]
    rows[1] = '{"url": "https://half.example/\\ud800", "html": "<p>half a pair</p>"}'
    rows[2] = "no JSON"
    data = "\n".join([*rows, '{"url": "https://none.example/"}', ""]).encode()
    entries = list(read_lines(io.BytesIO(data), 0, -1, Reading()))
    assert [entry.kind for entry in entries] == ["page", "page", "damaged", "page", "refused"]
    assert entries[1].url == "https://half.example/?"
    again = list(read_lines(io.BytesIO(gzip.compress(data)), entries[2].after, -1, Reading()))
    assert [entry.url for entry in again] == [entry.url for entry in entries[3:]]
    assert list(read_lines(io.BytesIO(data), 0, entries[0].after, Reading())) == entries[:1]


def test_parquet_is_read_from_any_row_on_and_by_other_names(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = [{"link": url_of(n), "raw": page(n).decode()} for n in range(10)]
    path = tmp_path / "pages.parquet"
    parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=4)
    reading = Reading(names=(("url", "link"), ("html", "raw")))
    found = list(read_entries(str(path), "table", 5, reading=reading))
    assert told(found) == [5, 6, 7, 8, 9]
    assert next_readable(str(path), "table", 5) == 8


def test_read_archive_gives_the_pages_of_any_kind(tmp_path):
    warc = tmp_path / "crawl.warc.gz"
    warc.write_bytes(b"".join(PACKED))
    assert [found.url for found in read_archive(str(warc))] == [url_of(n) for n in range(5)]
    unnamed = tmp_path / "crawl"
    unnamed.write_bytes(b"".join(PACKED))
    assert len(list(read_archive(str(unnamed)))) == 5
    strange = tmp_path / "strange"
    strange.write_bytes(b"\x00\x01\x02")
    with pytest.raises(UnsupportedContent, match="not an archive"):
        list(read_archive(str(strange)))


def test_the_address_of_a_page_file_may_be_its_name():
    reading = Reading(url_from="name")
    for name, url in {
        "tidewatch.example/swifts.html": "https://tidewatch.example/swifts.html",
        "https%3A%2F%2Ftidewatch.example%2Fa": "https://tidewatch.example/a",
    }.items():
        found = read_page_file(io.BytesIO(page(1)), name, reading, lambda: None)
        assert (found.url, found.page.body) == (url, page(1))


@pytest.mark.parametrize("compress", ["zstd", "gzip", "none"])
def test_json_lines_are_read_as_they_were_written_however_they_are_packed(tmp_path, compress):
    path = str(tmp_path / f"part{ending_of('jsonl', compress)}")
    rows = [{"url": url_of(n), "tags": ["a", "b"][:n]} for n in range(3)]
    write_rows(path, "jsonl", compress, None, rows)
    assert read_rows(path, "jsonl") == rows
    assert count_rows(path, "jsonl") == 3


def test_the_address_that_a_page_declares_is_found():
    head = b'<meta charset=utf-8><link href="https://a.example/x?a=1&amp;b=2" rel="canonical">'
    assert declared_url(head) == "https://a.example/x?a=1&b=2"
    assert declared_url(b"<p>nothing</p>") == ""

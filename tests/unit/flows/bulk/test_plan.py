"""How inputs are cut into shards: by what they are, never by who does the work."""

from __future__ import annotations

import json

import pytest
from tests.archives import page, url_of

from pageloom.edges.archive.entries import Reading
from pageloom.edges.archive.kinds import read_entries
from pageloom.flows.bulk import plan
from pageloom.flows.bulk.options import BulkOptions

PAGES = 40
ROWS = [{"url": url_of(n), "html": page(n).decode()} for n in range(PAGES)]


def cut(path, monkeypatch) -> plan.Plan:
    monkeypatch.setattr(plan, "_CUT_ABOVE", 10_000)
    monkeypatch.setattr(plan, "_SHARD_BYTES", 9_000)
    return plan.make_plan([str(path)], BulkOptions(), versions=("", "", ""))


def pages_of(found: plan.Plan) -> list[str]:
    return [
        entry.url
        for shard in range(len(found.shards))
        for file, start, end in found.pieces(shard)
        for entry in read_entries(file.path, file.kind, start, end, reading=Reading())
    ]


def test_long_json_lines_are_cut_at_lines_and_every_page_is_in_one_shard(tmp_path, monkeypatch):
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    found = cut(path, monkeypatch)
    assert len(found.shards) > 3
    assert pages_of(found) == [url_of(n) for n in range(PAGES)]


def test_large_parquet_is_cut_at_row_groups_and_every_page_is_in_one_shard(tmp_path, monkeypatch):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "pages.parquet"
    table = pa.Table.from_pylist(ROWS)
    parquet.write_table(table, path, row_group_size=5, compression="none")
    found = cut(path, monkeypatch)
    assert len(found.shards) > 2
    assert pages_of(found) == [url_of(n) for n in range(PAGES)]


def test_small_files_go_together_and_their_order_is_that_of_their_paths(tmp_path):
    for name in ("b", "c", "a"):
        (tmp_path / f"{name}.html").write_bytes(page(1))
    given = [str(tmp_path / f"{name}.html") for name in ("c", "a", "b", "a")]
    found = plan.make_plan(given, BulkOptions(), versions=("", "", ""))
    assert [file.path[-6] for file in found.inputs] == ["a", "b", "c"]
    assert len(found.shards) == 1

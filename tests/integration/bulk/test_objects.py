"""Bulk runs from and to an object store."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.archives import write_warcs
from tests.integration.bulk.outputs import digests
from tests.site.objects import object_store

import pageloom
from pageloom.errors import StorageError

pytestmark = [pytest.mark.slow_file(seconds=5), pytest.mark.timeout(180)]


@pytest.fixture
def store(monkeypatch):
    with object_store() as found:
        for name, value in found.environment.items():
            monkeypatch.setenv(name, value)
        yield found


def test_an_object_store_is_read_and_written_as_a_disk_is(store, tmp_path):
    path = write_warcs(tmp_path / "in", 1, 30)[0]
    store.objects["crawl/a/one.warc.gz"] = Path(path).read_bytes()
    given = {"rules": None, "part_records": 20, "columns": ["url", "title", "text"]}
    store.refuses = True
    with pytest.raises(StorageError, match="ACCESS_DENIED"):
        pageloom.bulk("s3://crawl/a", "s3://mine/docs", **given)
    store.refuses = False
    report = pageloom.bulk("s3://crawl/a", "s3://mine/docs", **given)
    assert (report.kept, report.parts, report.is_complete) == (30, 2, True)
    pageloom.bulk(path, str(tmp_path / "out"), **given)
    for name in digests(tmp_path / "out"):
        if name.startswith("documents"):
            assert store.objects[f"mine/docs/{name}"] == (tmp_path / "out" / name).read_bytes()
    assert not store.uploads
    del store.objects["mine/docs/_run/parts/00000-001.json"]
    assert pageloom.bulk("s3://crawl/a", "s3://mine/docs", **given).kept == 30

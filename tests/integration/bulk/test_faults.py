"""A page that hangs, crashes or eats memory costs itself; its reason is written down."""

from __future__ import annotations

import gzip
from collections import Counter

import pytest
from tests.archives import page, record, url_of
from tests.integration.bulk.hostile import ACTS
from tests.integration.bulk.outputs import rows

from pageloom.core.options import Options
from pageloom.errors import InternalError
from pageloom.flows.bulk.options import BulkOptions
from pageloom.flows.bulk.run import Work, carry_out, plan_run

pytestmark = [pytest.mark.slow_file(seconds=15), pytest.mark.timeout(180)]

ENGINE = "tests.integration.bulk.hostile"
LIMITED = Options(parse_timeout_ms=150)
COLUMNS = ("url", "title", "content_hash", "source_record")


def write(path, acts: list[str]) -> str:
    """A page for each act; an honest one where there is none."""
    urls = [url_of(n) + (f"#{act}" if act else "") for n, act in enumerate(acts)]
    packed = [gzip.compress(record(url, page(n)), 1) for n, url in enumerate(urls)]
    path.write_bytes(b"".join(packed))
    return str(path)


def run(tmp_path, acts: list[str], options: Options = LIMITED):
    asked = BulkOptions(extraction=options, columns=COLUMNS)
    source = write(tmp_path / "in.warc.gz", acts)
    return carry_out(
        plan_run([source], str(tmp_path / "out"), asked, None), Work(workers=1, engine=ENGINE)
    )


def test_each_bad_page_costs_itself_and_is_rejected_with_its_reason(tmp_path):
    acts = [""] * 45
    for place, act in zip(range(3, 45, 5), ACTS, strict=False):
        acts[place] = act
    report = run(tmp_path, acts)
    told = {row["url"].rpartition("#")[2]: row for row in rows(tmp_path / "out", "rejects")}
    assert {act: row["reason"] for act, row in told.items()} == {
        "hangs-in-c": "ParseTimeout",
        "hangs-in-python": "ParseTimeout",
        "sleeps": "ParseTimeout",
        "crashes": "ProcessDied",
        "aborts": "ProcessDied",
        "exits": "ProcessDied",
        "grows": "ParseError",
    }
    assert told["crashes"]["detail"] == "SIGSEGV"
    assert "processor time" in told["hangs-in-c"]["detail"]
    assert "by the clock" in told["sleeps"]["detail"]
    kept = [row["source_record"] for row in rows(tmp_path / "out")]
    # One that only waits, as on a machine that is busy with others, is an honest page.
    assert kept == [number for number, act in enumerate(acts) if act in ("", "naps")]
    assert report.tally.deaths["SIGSEGV"] == 2  # each of them was tried once more


def test_many_bad_pages_in_one_part_cost_themselves(tmp_path):
    acts = ["crashes" if number % 20 == 7 else "" for number in range(120)]
    run(tmp_path, acts)
    reasons = Counter(row["reason"] for row in rows(tmp_path / "out", "rejects"))
    assert reasons == {"ProcessDied": 6}
    assert len(rows(tmp_path / "out")) == 114


def test_a_record_that_kills_whoever_reads_it_is_damaged_input_and_the_next_is_read(tmp_path):
    report = run(tmp_path, ["", "", "unreadable", "", ""])
    (gone,) = rows(tmp_path / "out", "rejects")
    assert (gone["reason"], gone["source_record"]) == ("DamagedInput", 2)
    assert (report.read, report.damaged, report.kept) == (4, 1, 4)


def test_where_every_page_crashes_the_run_stops_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("pageloom.flows.bulk.shard._MANY_DEATHS", 4)
    with pytest.raises(InternalError, match="5 of 5 pages crashed their worker"):
        run(tmp_path, ["crashes"] * 40)

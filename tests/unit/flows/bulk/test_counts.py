"""What is counted of a run takes as much memory for many sites as for few."""

from __future__ import annotations

from pageloom.flows.bulk import report
from pageloom.flows.bulk.options import BulkOptions
from pageloom.flows.bulk.plan import Plan, Stretch
from pageloom.flows.bulk.progress import Progress
from pageloom.flows.bulk.shard import Marker, Output, Position, write_marker
from pageloom.flows.bulk.tally import Tally


def test_a_run_that_meets_ever_new_sites_holds_the_commonest(tmp_path, monkeypatch):
    monkeypatch.setattr(report, "_KEPT_SITES", 50)
    shards = tuple((Stretch(number),) for number in range(20))
    plan = Plan(pageloom="", parser="", rules="", options=BulkOptions(), inputs=(), shards=shards)
    output = Output(str(tmp_path), plan, {})
    progress = Progress()
    for number in range(20):
        sites = {f"s{number}-{each}.example": 1 for each in range(30)} | {"often.example": 70}
        found = Tally(read=100, kept=100, sites=sites)
        progress.add(found)
        place = Position(0, 0, 0)
        write_marker(
            output, Marker(shard=number, part=0, start=place, next=None, tally=found, rows=100)
        )
    told = report.build_report(output)
    assert (told.read, told.shards_done) == (2000, 20)
    assert told.tally.sites["often.example"] == 1400
    assert len(told.tally.sites) <= 2 * 50
    assert progress.tally.read == 2000
    assert not progress.tally.sites

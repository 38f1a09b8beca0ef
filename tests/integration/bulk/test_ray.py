"""Bulk runs on a real Ray cluster of two nodes on this machine."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest
from tests.archives import write_warcs
from tests.integration.bulk.outputs import digests, rows
from tests.integration.cli import pageloom

from pageloom.errors import InvalidArgument, MissingExtra
from pageloom.flows.bulk import on_ray
from pageloom.flows.bulk.options import BulkOptions
from pageloom.flows.bulk.run import Work, carry_out, plan_run, settle
from pageloom.flows.bulk.runner import RunnerSetup

pytestmark = [
    pytest.mark.slow_file(seconds=40),
    pytest.mark.timeout(240),
    pytest.mark.filterwarnings("default"),  # what Ray itself does
]

NODE = {"num_cpus": 1, "object_store_memory": 80_000_000}


@pytest.fixture(scope="module")
def cluster():
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 80_000_000}
    found = Cluster(initialize_head=True, head_node_args=head)
    for _ in range(2):
        found.add_node(**NODE)
    yield found
    found.shutdown()


def run(paths: list[str], out: Path, **work):
    options = BulkOptions(part_records=10, dedup="near")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pageloom.flows.bulk.plan._LEAST_BYTES", 1)
        work["memory"] = 100_000  # several pieces to sort
        return carry_out(plan_run(paths, str(out), options, None), Work(**work))


def test_a_node_that_vanishes_costs_nothing_and_the_bytes_are_those_of_one_machine(
    cluster, tmp_path
):
    paths = write_warcs(tmp_path / "in", 6, 60)
    again = tmp_path / "in/z.warc.gz"
    again.write_bytes(Path(paths[0]).read_bytes()[:9000])
    paths.append(str(again))
    run(paths, tmp_path / "cores", workers=2)
    lost = threading.Thread(target=lose_a_node, args=(cluster, tmp_path / "ray/_run/parts"))
    lost.start()
    report = run(paths, tmp_path / "ray", on="ray", address=cluster.address)
    lost.join()
    assert report.is_complete
    assert not report.failed
    assert report.rejected["Duplicate"] > 5
    assert len(list((tmp_path / "ray/_run/dedup").glob("pairs-*"))) > 2
    assert digests(tmp_path / "ray") == digests(tmp_path / "cores")


def lose_a_node(cluster, parts: Path) -> None:
    """Once some parts are written, kill a node that works on others."""
    while len(list(parts.glob("*.json"))) < 3:
        time.sleep(0.02)
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)


def test_nodes_with_other_versions_are_refused(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr("pageloom.flows.bulk.on_ray.PARSER_VERSION", "another")
    paths = write_warcs(tmp_path / "in", 1, 1)
    with pytest.raises(InvalidArgument, match=r"has the parser .* and here it is another"):
        run(paths, tmp_path / "out", on="ray", address=cluster.address)
    assert not list((tmp_path / "out").glob("documents/*"))


def test_a_worker_that_works_for_a_second_run_does_as_that_one_says(tmp_path):
    paths = write_warcs(tmp_path / "in", 1, 2)
    for columns in (("url",), ("title",)):
        out = tmp_path / columns[0]
        one = plan_run(paths, str(out), BulkOptions(columns=columns), None)
        settle(one)
        on_ray._carry_out_shard((one.output, RunnerSetup(one.plan.options)), 0)
        assert [tuple(row) for row in rows(out)] == [columns] * 2
    on_ray._mothers.popitem()[1].close()


def test_a_cluster_that_is_not_there_is_told(tmp_path):
    paths = write_warcs(tmp_path / "in", 1, 1)
    words = ["bulk", *paths, "--out", tmp_path / "out", "--on", "ray", "--address", "127.0.0.1:9"]
    pytest.importorskip("ray")
    result = pageloom(*words)
    assert result.code == 2
    assert "The Ray cluster cannot be used" in result.err


def test_without_ray_the_message_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra) as found:
        run(write_warcs(tmp_path / "in", 1, 1), tmp_path / "out", on="ray")
    assert found.value.suggestions == ("pip install 'pageloom[ray]'",)

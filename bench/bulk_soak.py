"""Bulk runs under stress: 100,000 pages with a look at memory, and 200 kills at random.

    make soak-bulk
    python bench/bulk_soak.py --pages 2000 --kills 10 --ray-kills 2

Memory of all processes must stay flat and nothing may be left running. A run whose runners, mother,
driver, Ray workers and nodes are killed must end with the bytes of an undisturbed one. Ends with 1
if anything of that does not hold.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.archives import write_warcs  # noqa: E402  the path comes first
from tests.integration.bulk.outputs import children_of, digests, left_over  # noqa: E402

_WARM_UP = 0.2
_FEW = 20_000


def main() -> int:
    """Run and tell; the exit code is the verdict."""
    chosen = read_arguments()
    place = Path(tempfile.mkdtemp(prefix="bulk-soak-"))
    try:
        good = [grow(place, chosen), kill_often(place, chosen)]
        if chosen.ray_kills:
            good.append(kill_on_ray(place, chosen))
    finally:
        shutil.rmtree(place, ignore_errors=True)
    print("holds" if all(good) else "DOES NOT HOLD")
    return 0 if all(good) else 1


def read_arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description="Bulk runs under stress.")
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--ray-kills", type=int, default=10)
    parser.add_argument("--killed-pages", type=int, default=4_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--allowed", type=float, default=0.05, help="share of growth")
    return parser.parse_args()


def start(inputs: list[str], out: Path, *more: str) -> subprocess.Popen[bytes]:
    """A run as a process of its own."""
    words = ["bulk", *inputs, "--out", str(out), "--workers", "2", "--jsonl", *more]
    return subprocess.Popen(
        [sys.executable, "-m", "pageloom", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )


def memory_of(pid: int) -> int:
    """Bytes that a process and its children hold; shared ones are counted once, by shares."""
    total = 0
    for each in [pid, *children_of(pid)]:
        with contextlib.suppress(OSError):
            text = Path(f"/proc/{each}/smaps_rollup").read_text()
            total += 1024 * int(text.partition("Pss:")[2].split()[0])
    return total


def descriptors_of(pid: int) -> int:
    """The open files of a process."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def grow(place: Path, chosen: argparse.Namespace) -> bool:
    """Many pages through one run: is its memory flat, and is nothing left over?"""
    inputs = write_warcs(place / "many", 4, chosen.pages // 4)
    process = start(inputs, place / "flat")
    seen: list[tuple[float, int, int]] = []
    began = time.monotonic()
    family: set[int] = set()
    while process.poll() is None:
        time.sleep(1)
        with contextlib.suppress(OSError, ValueError):
            family |= set(children_of(process.pid))
            seen.append(
                (time.monotonic() - began, memory_of(process.pid), descriptors_of(process.pid))
            )
    report = json.loads((place / "flat/report.json").read_text())
    steady = [one for one in seen if one[0] > _WARM_UP * seen[-1][0]]
    half = len(steady) // 2
    first = sum(one[1] for one in steady[:half]) / max(1, half)
    second = sum(one[1] for one in steady[half:]) / max(1, len(steady) - half)
    growth = second / first - 1
    most = max(one[1] for one in seen)
    left = [pid for pid in family if Path(f"/proc/{pid}").exists()]
    print(
        f"{report['read']:,} pages, {report['kept']:,} kept; all processes {first / 1e6:.0f} MB,"
        f" later {second / 1e6:.0f} MB ({growth:+.1%}), most {most / 1e6:.0f} MB;"
        f" open files {min(o[2] for o in steady)} to {max(o[2] for o in steady)};"
        f" {len(left)} processes and {len(left_over(place / 'flat'))} files left over;"
        f" {report['pages_per_cpu_second']} pages a CPU second",
        flush=True,
    )
    is_flat = growth < chosen.allowed or chosen.pages < _FEW  # too short a time to tell
    return process.returncode == 0 and is_flat and not left and report["adds_up"]


def kill_often(place: Path, chosen: argparse.Namespace) -> bool:
    """Kill runners, mothers and drivers; whoever is killed, the bytes are the same."""
    chance = random.Random(chosen.seed)  # noqa: S311  no secret
    inputs = write_warcs(place / "killed", 4, chosen.killed_pages // 4)
    small = ("--part-records", "100")
    start(inputs, place / "whole", *small).wait()
    wanted = digests(place / "whole")
    counts = {"runner": 0, "mother": 0, "driver": 0}
    out, runs, broken = place / "out0", 0, 0
    process = start(inputs, out, *small)
    while sum(counts.values()) < chosen.kills:
        time.sleep(chance.uniform(0.05, 0.7))
        if process.poll() is not None:
            broken += process.returncode == 0 and digests(out) != wanted
            if process.returncode == 0:
                runs += 1
                out = place / f"out{runs}"
            process = start(inputs, out, *small)
            time.sleep(1.5)
            continue
        kind, pid = _victim(process.pid, chance)
        if pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                counts[kind] += 1
    process.wait()
    while start(inputs, out, *small).wait():
        time.sleep(0.1)
    broken += digests(out) != wanted or bool(left_over(out))
    print(f"killed {counts}; {runs + 1} runs, {broken} with other bytes", flush=True)
    return not broken


def _victim(driver: int, chance: random.Random) -> tuple[str, int]:
    """One of the processes of a run; runners most often, for they are the ones that die."""
    try:
        mother, *runners = children_of(driver)
    except ValueError:
        return "", 0
    kind = chance.choices(("runner", "mother", "driver"), (6, 2, 2))[0]
    if kind == "runner":
        return (kind, chance.choice(runners)) if runners else ("", 0)
    return (kind, mother) if kind == "mother" else (kind, driver)


def kill_on_ray(place: Path, chosen: argparse.Namespace) -> bool:
    """Kill workers of Ray, nodes and drivers of runs on a cluster of two nodes."""
    from ray.cluster_utils import Cluster

    chance = random.Random(chosen.seed)  # noqa: S311  no secret
    inputs = sorted(str(path) for path in (place / "killed").iterdir())
    wanted = digests(place / "whole")
    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 100_000_000}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=100_000_000) for _ in range(2)]
    counts = {"worker": 0, "node": 0, "driver": 0}
    out = place / "ray"
    ray = ("--part-records", "100", "--on", "ray", "--address", cluster.address)
    try:
        process = start(inputs, out, *ray)
        while sum(counts.values()) < chosen.ray_kills and process.poll() is None:
            time.sleep(chance.uniform(8, 12))
            kind = ("worker", "node", "worker", "driver")[sum(counts.values()) % 4]
            if kind == "driver":
                process.kill()
                process.wait()
                process = start(inputs, out, *ray)
            elif kind == "node":
                cluster.remove_node(nodes.pop(0), allow_graceful=False)
                nodes.append(cluster.add_node(num_cpus=1, object_store_memory=100_000_000))
            elif not _kill_worker(chance):
                continue
            counts[kind] += 1
        while process.wait():
            process = start(inputs, out, *ray)
    finally:
        cluster.shutdown()
    same = digests(out) == wanted
    print(f"on Ray: killed {counts}; the bytes are {'the same' if same else 'OTHERS'}", flush=True)
    return same


def _kill_worker(chance: random.Random) -> bool:
    """Kill one of Ray's workers that carries out a shard: the mother's parent."""
    mothers = [pid for pid in children_of(os.getpid()) if b"mother_child" in _command(pid)]
    parents = [_parent(pid) for pid in mothers]
    parents = [pid for pid in parents if pid and b"ray::" in _command(pid)]
    if parents:
        os.kill(chance.choice(parents), signal.SIGKILL)
    return bool(parents)


def _command(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _parent(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Bulk runs under stress: very many pages, very large and very bad ones, and 200 kills at random.

    make soak-bulk
    python bench/bulk_soak.py --pages 2000 --kills 10 --ray-kills 2

Memory of all processes must stay flat and nothing may be left running. A run whose runners, mother,
driver, Ray workers and nodes are killed must end with the bytes of an undisturbed one. Ends with 1
if anything of that does not hold.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from bench.run import make_page  # noqa: E402  the path comes first
from tests.archives import page, record, url_of, write_warcs  # noqa: E402
from tests.integration.bulk.hostile import ACTS  # noqa: E402
from tests.integration.bulk.outputs import children_of, digests, left_over  # noqa: E402

from pageloom.core.options import Options  # noqa: E402
from pageloom.flows.bulk.options import BulkOptions  # noqa: E402
from pageloom.flows.bulk.run import Work, carry_out, plan_run  # noqa: E402

_WARM_UP = 0.2
_FEW = 20_000
_LARGE = 5_000_000_000
_MOST_FOR_LARGE = 500_000_000
_BUSY_LIMIT = 0.1
"""Seconds of processor time: beside 16 others a page takes longer than that by the clock."""


def main() -> int:
    """Run and tell; the exit code is the verdict."""
    chosen = read_arguments()
    place = Path(tempfile.mkdtemp(prefix="bulk-soak-"))
    try:
        good = [
            large(place),
            hostile(place),
            busy(place),
            million(place, chosen),
            grow(place, chosen),
            kill_often(place, chosen),
        ]
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
    parser.add_argument("--records", type=int, default=1_000_000, help="of one byte each")
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


@dataclass
class Watched:
    """What a run took, from its beginning to its end."""

    seen: list[tuple[float, int, int]] = field(default_factory=list)
    """Seconds, bytes and open files, at each look."""
    family: set[int] = field(default_factory=set)
    code: int = 0

    @property
    def steady(self) -> list[tuple[float, int, int]]:
        """Without the time that it takes to start."""
        return [one for one in self.seen if one[0] > _WARM_UP * self.seen[-1][0]]

    @property
    def halves(self) -> tuple[float, float]:
        """Bytes in the first half of the time, and in the second."""
        half = len(self.steady) // 2
        parts = (self.steady[:half], self.steady[half:])
        first, second = (sum(one[1] for one in part) / max(1, len(part)) for part in parts)
        return first, second

    @property
    def most(self) -> int:
        """Bytes at the worst of times."""
        return max(one[1] for one in self.seen)

    @property
    def left(self) -> list[int]:
        """Processes that are still there."""
        return [pid for pid in self.family if Path(f"/proc/{pid}").exists()]


def watch(process: subprocess.Popen[bytes]) -> Watched:
    """Look at a run each second until it ends."""
    found, began = Watched(), time.monotonic()
    while process.poll() is None:
        time.sleep(1)
        with contextlib.suppress(OSError, ValueError):
            found.family |= set(children_of(process.pid))
            spent = time.monotonic() - began
            found.seen.append((spent, memory_of(process.pid), descriptors_of(process.pid)))
    found.code = process.returncode
    return found


def grow(place: Path, chosen: argparse.Namespace) -> bool:
    """Many pages through one run: is its memory flat, and is nothing left over?"""
    inputs = write_warcs(place / "many", 4, chosen.pages // 4)
    run = watch(start(inputs, place / "flat"))
    report = json.loads((place / "flat/report.json").read_text())
    first, second = run.halves
    growth = second / first - 1
    opened = [one[2] for one in run.steady]
    print(
        f"{report['read']:,} pages, {report['kept']:,} kept; all processes {first / 1e6:.0f} MB,"
        f" later {second / 1e6:.0f} MB ({growth:+.1%}), most {run.most / 1e6:.0f} MB;"
        f" open files {min(opened)} to {max(opened)};"
        f" {len(run.left)} processes and {len(left_over(place / 'flat'))} files left over;"
        f" {report['pages_per_cpu_second']} pages a CPU second",
        flush=True,
    )
    is_flat = growth < chosen.allowed or chosen.pages < _FEW  # too short a time to tell
    return run.code == 0 and is_flat and not run.left and report["adds_up"]


def million(place: Path, chosen: argparse.Namespace) -> bool:
    """Records of one byte, as many as can be: what is noted of each must not add up."""
    folder = place / "bytes"
    folder.mkdir()
    one = record("https://tidewatch.example/", b"x", kind="resource")
    for number in range(4):
        with (folder / f"{number}.warc").open("wb") as file:
            for _ in range(chosen.records // 4000):
                file.write(one * 1000)
    run = watch(start([str(folder)], place / "counted", "--url-match", "nowhere"))
    report = json.loads((place / "counted/report.json").read_text())
    first, second = run.halves
    print(
        f"{report['read']:,} records of one byte, {report['parts']} parts: {first / 1e6:.0f} MB,"
        f" later {second / 1e6:.0f} MB, most {run.most / 1e6:.0f} MB",
        flush=True,
    )
    is_flat = second < first * (1 + chosen.allowed) or chosen.records < _FEW
    read = report["read"] == report["rejected"]["Filtered"] == chosen.records // 4000 * 4000
    return run.code == 0 and is_flat and read


def large(place: Path) -> bool:
    """A packed record of five gigabytes: it is passed by in bounded memory."""
    head = record(url_of(1), b"").partition(b"Content-Length")[0]
    head += b"Content-Length: %d\r\n\r\n" % _LARGE
    path = place / "large.warc.gz"
    write_large(path, head, _LARGE)
    with path.open("ab") as file:
        file.write(gzip.compress(record(url_of(2), page(2))))
    run = watch(start([str(path)], place / "passed"))
    report = json.loads((place / "passed/report.json").read_text())
    print(
        f"a packed record of {_LARGE:,} bytes: {report['rejected']}, {report['kept']} kept,"
        f" most {run.most / 1e6:.0f} MB",
        flush=True,
    )
    is_passed = report["rejected"] == {"OversizedContent": 1} and report["kept"] == 1
    return is_passed and run.most < _MOST_FOR_LARGE


def write_large(path: Path, head: bytes, size: int) -> None:
    """A gzip member with a head and zeros, without packing all of them."""
    packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
    start = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    zeros = bytes(10_000_000)
    middle = packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH)
    end = packer.compress(b"\r\n\r\n") + packer.flush()
    check = zlib.crc32(head)
    for _ in range(size // len(zeros)):
        check = zlib.crc32(zeros, check)
    check = zlib.crc32(b"\r\n\r\n", check)
    whole = (len(head) + size + 4) & 0xFFFFFFFF
    with path.open("wb") as file:
        file.write(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" + start)
        file.write(middle * (size // len(zeros)))
        file.write(end + check.to_bytes(4, "little") + whole.to_bytes(4, "little"))


def hostile(place: Path) -> bool:
    """A hundred bad pages in one part: each costs itself, and its neighbours are kept."""
    acts = [name for name in ACTS if name not in ("sleeps", "naps")]
    kinds = [acts[number % len(acts)] if number % 4 == 3 else "" for number in range(400)]
    urls = [url_of(number) + (f"#{act}" if act else "") for number, act in enumerate(kinds)]
    packed = [gzip.compress(record(url, page(number))) for number, url in enumerate(urls)]
    path = place / "hostile.warc.gz"
    path.write_bytes(b"".join(packed))
    options = BulkOptions(extraction=Options(parse_timeout_ms=300), columns=("url",))
    report = carry_out(
        plan_run([str(path)], str(place / "hostile"), options, None),
        Work(workers=2, engine="tests.integration.bulk.hostile"),
    )
    bad = sum(1 for act in kinds if act)
    print(f"{bad} bad pages in one part: {report.rejected}, {report.kept} kept", flush=True)
    return report.kept == len(kinds) - bad and report.parts == 1


def busy(place: Path) -> bool:
    """Sixteen processes that do nothing but work: no honest page is taken for one that hangs."""
    bodies = [make_page(size) for size in (60_000, 250_000)] * 40
    packed = [gzip.compress(record(url_of(n), body.encode())) for n, body in enumerate(bodies)]
    path = place / "busy.warc.gz"
    path.write_bytes(b"".join(packed))
    spin = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(spin) for _ in range(16)]
    try:
        code = start([str(path)], place / "busy", "--timeout", str(_BUSY_LIMIT)).wait()
    finally:
        for other in others:
            other.kill()
            other.wait()
    report = json.loads((place / "busy/report.json").read_text())
    slow = report["slowest"][0]["seconds"]
    print(
        f"beside 16 busy processes: {report['kept']} of {len(bodies)} kept with"
        f" {_BUSY_LIMIT:g} s for each, slowest {slow:.2f} CPU s",
        flush=True,
    )
    return code == 0 and report["kept"] == len(bodies)


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

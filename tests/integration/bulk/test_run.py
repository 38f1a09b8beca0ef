"""Bulk runs: the same output whoever does the work, and whatever happens to them."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.archives import members, page, record, url_of, write_lines, write_warcs
from tests.integration.bulk.outputs import children_of, digests, left_over, rows
from tests.integration.cli import environment, pageloom

import pageloom as public
from pageloom.errors import InternalError, InvalidArgument, StorageError
from pageloom.flows.bulk.options import BulkOptions
from pageloom.flows.bulk.run import Work, carry_out, plan_run, resume_run

pytestmark = [pytest.mark.slow_file(seconds=25), pytest.mark.timeout(180)]

FILES, PAGES = 3, 40
OPTIONS = {"part_records": 20, "rules": None}


@pytest.fixture(scope="module")
def crawl(tmp_path_factory) -> list[str]:
    folder = tmp_path_factory.mktemp("crawl")
    paths = write_warcs(folder, FILES, PAGES)
    damaged = members(range(900, 910))
    damaged[4] = damaged[4][:50] + bytes(30) + damaged[4][80:]
    extra = [record(url_of(n), b"", status="404 Not Found") for n in (990, 991)]
    more = folder / "damaged.warc.gz"
    more.write_bytes(b"".join(damaged))
    plain = folder / "plain.warc"
    plain.write_bytes(b"".join([*extra, record(url_of(992), page(992))]))
    return [*paths, str(more), str(plain)]


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    """So that a small input has several."""
    monkeypatch.setattr("pageloom.flows.bulk.plan._LEAST_BYTES", 1)


@pytest.fixture(scope="module")
def undisturbed(crawl, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("undisturbed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pageloom.flows.bulk.plan._LEAST_BYTES", 1)
        report = public.bulk(crawl, str(out), workers=1, **OPTIONS)
    assert report.is_complete
    return out


def test_every_page_is_kept_once_or_rejected_with_its_reason(undisturbed):
    kept, rejected = rows(undisturbed), rows(undisturbed, "rejects")
    assert len(kept) == FILES * PAGES + 9 + 1
    assert len({row["url"] for row in kept}) == len(kept)
    reasons = [(row["reason"], row["detail"].split(" (")[0]) for row in rejected]
    assert sorted(reasons) == [
        ("DamagedInput", "The compressed data is corrupt or ends too soon"),
        ("Filtered", "status 404"),
        ("Filtered", "status 404"),
    ]
    one = next(row for row in kept if row["url"] == url_of(7))
    assert (one["title"], one["language"], one["status"]) == ("Page 7", "en", 200)
    assert one["fetched_at"] == "2026-03-05T08:30:00Z"
    assert one["source_record"] == 7
    told = json.loads((undisturbed / "report.json").read_text())
    assert told["read"] + told["damaged"] == told["kept"] + sum(told["rejected"].values())
    assert told["adds_up"]
    assert "Bulk run: done" in (undisturbed / "report.html").read_text()
    assert not left_over(undisturbed)


@pytest.mark.parametrize("workers", [3])
def test_the_bytes_of_every_part_are_the_same_for_any_number_of_workers(
    crawl, undisturbed, tmp_path, workers
):
    public.bulk(list(reversed(crawl)), str(tmp_path / "out"), workers=workers, **OPTIONS)
    assert digests(tmp_path / "out") == digests(undisturbed)


def test_a_run_is_resumed_at_its_markers_and_what_lies_about_is_written_again(
    crawl, undisturbed, tmp_path
):
    out = tmp_path / "out"
    shutil.copytree(undisturbed, out)
    for name in ("00000-001", "00002-000", "00002-001"):
        (out / "_run/parts" / f"{name}.json").unlink()
    (out / "documents/00000-001.parquet").write_bytes(b"half a file")
    seen = (out / "documents/00001-000.parquet").stat().st_mtime_ns
    report = carry_out(resume_run(str(out), None), Work(workers=2))
    assert report.is_complete
    assert digests(out) == digests(undisturbed)
    assert (out / "documents/00001-000.parquet").stat().st_mtime_ns == seen


def start(out: Path, crawl: list[str], *more: str) -> subprocess.Popen:
    """A run as a process of its own."""
    script = (
        "import sys; import pageloom.flows.bulk.plan as plan; plan._LEAST_BYTES = 1;"
        "from pageloom.apps.cli.main import run; sys.exit(run(sys.argv[1:]))"
    )
    words = ["bulk", *crawl, "--out", str(out), "--part-records", "20", "--workers", "2", *more]
    return subprocess.Popen(
        [sys.executable, "-c", script, *words],
        env=environment(PAGELOOM_RULES_ENABLED="false"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_for_parts(out: Path, count: int) -> None:
    for _ in range(600):
        if len(list((out / "_run/parts").glob("*.json"))) >= count:
            return
        time.sleep(0.02)
    raise AssertionError("no part was written")


def test_killed_at_any_time_a_run_goes_on_and_its_output_is_the_same(crawl, undisturbed, tmp_path):
    out = tmp_path / "out"
    process = start(out, crawl)
    try:
        wait_for_parts(out, 1)
        mother, *runners = children_of(process.pid)
        for pid in [*runners, mother]:
            with_care(pid)
        wait_for_parts(out, 3)
        family = [process.pid, *children_of(process.pid)]
    finally:
        process.kill()
        process.communicate()
    for _ in range(200):
        if not any(Path(f"/proc/{pid}").exists() for pid in family):
            break
        time.sleep(0.02)
    assert not any(Path(f"/proc/{pid}").exists() for pid in family)
    report = carry_out(resume_run(str(out), None), Work(workers=2))
    assert report.is_complete
    assert digests(out) == digests(undisturbed)


def with_care(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def test_ctrl_c_ends_a_run_with_a_report_and_the_command_that_resumes_it(crawl, tmp_path):
    out = tmp_path / "out"
    process = start(out, crawl)
    wait_for_parts(out, 1)
    family = children_of(process.pid)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode != 0
    assert f"pageloom bulk --resume {out}" in told.decode()
    assert json.loads((out / "report.json").read_text())["complete"] is False
    assert not left_over(out)
    assert not any(Path(f"/proc/{pid}").exists() for pid in family)


def test_another_plan_is_refused_with_what_differs(crawl, undisturbed, tmp_path):
    with pytest.raises(InvalidArgument, match="the option columns"):
        public.bulk(crawl, str(undisturbed), columns=["url"], **OPTIONS)
    with pytest.raises(InvalidArgument, match="1 inputs are missing"):
        public.bulk(crawl[1:], str(undisturbed), **OPTIONS)


def test_two_owners_are_kept_apart_until_one_takes_over(crawl, tmp_path):
    out = tmp_path / "out"
    (out / "_run").mkdir(parents=True)
    owner = {"host": "elsewhere", "pid": 7, "token": "x", "beat": time.time()}
    (out / "_run/owner").write_text(json.dumps(owner))
    run = plan_run(crawl[-1:], str(out), BulkOptions(), None)
    with pytest.raises(InvalidArgument, match="process 7 on host elsewhere"):
        carry_out(run, Work(workers=1))
    for beat in (time.time() - 1000, time.time() + 1000):  # silent for long; a clock jumped
        (out / "_run/owner").write_text(json.dumps(owner | {"beat": beat}))
        assert carry_out(run, Work(workers=1)).is_complete


def test_inputs_are_added_at_the_end_and_what_is_there_stays(crawl, tmp_path):
    out = tmp_path / "out"
    first = plan_run(crawl[-1:], str(out), BulkOptions(), None)
    carry_out(first, Work(workers=1))
    before = digests(out)
    more = plan_run(crawl[-2:], str(out), BulkOptions(), None)
    report = carry_out(more, Work(workers=1), extend=True)
    assert report.kept == 10
    assert before.items() <= digests(out).items()


def test_every_kind_of_input_is_read_and_lists_name_them(tmp_path):
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.html").write_bytes(page(1))
    (pages / "a.json").write_text(json.dumps({"link": url_of(1), "fetched_at": "2026-03-05"}))
    write_lines(pages / "b.jsonl", [{"link": url_of(2), "html": page(2).decode()}])
    warc = write_warcs(tmp_path, 1, 1)[0]
    listed = tmp_path / "all.paths"
    listed.write_text(f"pages\n{Path(warc).name}\n")
    result = pageloom(
        "bulk", listed, "--base", tmp_path, "--out", tmp_path / "out", "--url-from", "sidecar",
        "--map", "url=link", "--format", "jsonl", "--compress", "none",
        "--columns", "url,title,+robots", "--json",
    )  # fmt: skip
    assert result.code == 0
    assert result.json["report"]["kept"] == 3
    lines = [
        json.loads(line)
        for path in sorted((tmp_path / "out/documents").iterdir())
        for line in path.read_text().splitlines()
    ]
    assert [list(line) for line in lines] == [["url", "title", "robots"]] * 3
    assert {line["url"] for line in lines} == {url_of(0), url_of(1), url_of(2)}


def test_a_run_is_begun_anew_in_another_form_and_its_rejects_are_only_counted(crawl, tmp_path):
    out = tmp_path / "out"
    out.joinpath("_run/parts").mkdir(parents=True)
    (out / "_run/parts/00000-007.json").write_text("of an earlier run")
    words = ["--format", "jsonl", "--compress", "gzip", "--rejects", "counts", "--restart"]
    result = pageloom("bulk", crawl[-2], "--out", out, "--columns", "url", *words, "--json")
    assert result.json["report"]["rejected"]["DamagedInput"] == 1
    (path,) = (out / "documents").iterdir()
    lines = gzip.decompress(path.read_bytes()).splitlines()
    assert len(lines) == result.json["report"]["kept"]
    assert not (out / "rejects").exists()
    assert not (out / "_run/parts/00000-007.json").exists()


def test_the_bytes_in_are_those_of_the_pages_whatever_holds_them(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.html").write_bytes(page(1))
    (folder / "b.html").write_bytes(page(2))
    report = public.bulk([str(folder)], str(tmp_path / "out"), workers=1, rules=None)
    assert report.to_dict()["bytes_in"] == len(page(1)) + len(page(2))


def test_a_full_disk_fails_with_its_name_and_the_run_goes_on_later(crawl, tmp_path, monkeypatch):
    from pageloom.edges.archive import places

    real = places.atomic_write

    def full(path, **more):
        if path.parent.name == "rejects":
            raise OSError(28, "No space left on device")
        return real(path, **more)

    monkeypatch.setattr(places, "atomic_write", full)
    with pytest.raises(StorageError, match="the disk is full"):
        public.bulk(crawl[-1:], str(tmp_path / "out"), **OPTIONS)
    monkeypatch.undo()
    assert public.bulk(crawl[-1:], str(tmp_path / "out"), **OPTIONS).kept == 1


def test_an_input_that_cannot_be_read_is_named_and_the_others_finish(crawl, tmp_path):
    lost = tmp_path / "lost.warc.gz"
    lost.write_bytes(b"".join(members(range(3))))
    run = plan_run([str(lost), crawl[-1]], str(tmp_path / "out"), BulkOptions(), None)
    lost.unlink()
    report = carry_out(run, Work(workers=1))
    assert (report.kept, list(report.failed)) == (1, [1] if crawl[-1] < str(lost) else [0])
    assert "lost.warc.gz" in next(iter(report.failed.values()))


def test_without_forking_the_output_is_the_same(crawl, undisturbed, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(undisturbed, out)
    (out / "_run/parts/00001-001.json").unlink()
    (out / "documents/00001-001.parquet").unlink()
    carry_out(resume_run(str(out), None), Work(workers=2, fork=False))
    assert digests(out) == digests(undisturbed)


def test_mistakes_are_told_and_nothing_is_done(crawl, tmp_path):
    for words, said in {
        ("bulk",): "needs inputs and --out",
        ("bulk", "nowhere.warc", "--out", "x"): "does not exist",
        ("bulk", crawl[0], "--out", "x", "--columns", "colour"): "no column 'colour'",
        ("bulk", crawl[0], "--out", "x", "--status", "ok"): "takes HTTP status codes",
        ("bulk", crawl[0], "--out", "x", "--url-match", "(a"): "cannot be used",
        ("bulk", crawl[0], "--out", "x", "--page-type", "poem"): "not a valid value",
        ("bulk", crawl[0], "--out", "x", "--address", "auto"): "--on ray",
        ("bulk", "--resume", "nowhere"): "no bulk run",
    }.items():
        result = pageloom(*words, cwd=tmp_path)
        assert result.code == 2, words
        assert said in result.err
    assert not list(tmp_path.iterdir())


def test_the_plan_is_shown_and_nothing_is_done(crawl, tmp_path):
    result = pageloom("bulk", *crawl, "--out", tmp_path / "out", "--plan")
    assert "Shards:   5" in result.out
    assert not (tmp_path / "out").exists()


def test_a_mother_that_does_not_start_ends_the_run(crawl, tmp_path):
    run = plan_run(crawl[-1:], str(tmp_path / "out"), BulkOptions(), None)
    with pytest.raises(InternalError, match="could not be loaded"):
        carry_out(run, Work(workers=1, engine="pageloom.nowhere"))
    assert threading.active_count() < 10


def test_too_many_rejects_end_with_1_and_filters_do_not_count(crawl, tmp_path):
    words = ["bulk", crawl[-2], "--out", tmp_path / "out", "--max-rejects"]
    assert pageloom(*words, "5").code == 1
    assert pageloom(*words, "50").code == 0
    shown = pageloom("bulk", "--report", tmp_path / "out")
    assert "Done: 1 of 1 shard, 1 part" in shown.out
    assert "DamagedInput" in shown.out


def test_metrics_of_a_run_are_served_while_it_works():
    from urllib.request import urlopen

    from pageloom.apps.cli.bulk.metrics import serve_bulk
    from pageloom.flows.bulk.progress import Progress
    from pageloom.flows.bulk.tally import Tally

    progress = Progress(shards=3, done=1)
    progress.add(Tally(read=5, rejected={"Filtered": 2}, deaths={"SIGSEGV": 1}, times={"0.01": 5}))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    end = serve_bulk(progress, port)
    try:
        text = urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    finally:
        end()
    for line in (
        "pageloom_bulk_pages_total 5.0",
        'pageloom_bulk_rejects_total{reason="Filtered"} 2.0',
        'pageloom_bulk_deaths_total{signal="SIGSEGV"} 1.0',
        'pageloom_bulk_page_seconds_bucket{le="0.01"} 5.0',
        'pageloom_bulk_shards{state="open"} 2.0',
    ):
        assert line in text


def test_without_pyarrow_the_message_says_what_to_install(crawl, tmp_path, monkeypatch):
    monkeypatch.setattr("pageloom.edges.archive.places.find_spec", lambda _: None)
    result = pageloom("bulk", crawl[0], "--out", tmp_path / "out")
    assert result.code == 1
    assert "pip install 'pageloom[bulk]'" in result.err

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from pageloom import extract
from pageloom.edges.sandbox import Sandbox
from pageloom.errors import FetchError, InternalError, LowQuality, ParseError, ParseTimeout

JOBS = """
import os, signal, sys, time
from pageloom.errors import FetchError, LowQuality

def echo(*args, **kwargs): return args, kwargs, os.getpid()
def spin():
    while True: pass
def stuck_in_c(): return sum(range(10**12))
def stubborn():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
def crash(): os.kill(os.getpid(), signal.SIGSEGV)
def leave(): os._exit(3)
def greedy(): return len(bytearray(3_000_000_000))
def low(): raise LowQuality("too low", score=3, threshold=30, url="https://a.example/")
def lost(): raise FetchError("gone", kind="dns")
def surprise(): return {}["/secret/path"]
def unpicklable(): return lambda: None
def big(data): return data * 2
def slow(seconds): time.sleep(seconds); return os.getpid()
"""


@pytest.fixture
def sandbox(tmp_path, monkeypatch):
    (tmp_path / "sandbox_jobs.py").write_text(JOBS)
    monkeypatch.syspath_prepend(tmp_path)
    with Sandbox(2, module="sandbox_jobs", memory=500_000_000) as sandbox:
        yield sandbox


def test_a_function_runs_in_another_process_that_is_kept(sandbox: Sandbox):
    args, kwargs, first = sandbox.run("echo", 1, "två", timeout_ms=5_000, key=b"\0")
    assert (args, kwargs) == ((1, "två"), {"key": b"\0"})
    _, _, second = sandbox.run("echo", timeout_ms=5_000)
    assert first == second != os.getpid()


@pytest.mark.parametrize("job", ["spin", "stuck_in_c", "stubborn"])
def test_an_overrun_kills_the_child_and_the_next_call_works(sandbox: Sandbox, job: str):
    _, _, before = sandbox.run("echo", timeout_ms=5_000)
    with pytest.raises(ParseTimeout) as caught:
        sandbox.run(job, timeout_ms=200)
    assert caught.value.figures == {"timeout_ms": 200}
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)
    _, _, after = sandbox.run("echo", timeout_ms=5_000)
    assert after != before


@pytest.mark.parametrize("job", ["crash", "leave"])
def test_a_child_that_dies_is_an_error_and_is_replaced(sandbox: Sandbox, job: str):
    with pytest.raises(InternalError) as caught:
        sandbox.run(job, timeout_ms=5_000)
    assert caught.value.retryable
    assert sandbox.run("echo", timeout_ms=5_000)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps the limit")
def test_memory_is_bounded(sandbox: Sandbox):
    with pytest.raises(ParseError, match="memory"):
        sandbox.run("greedy", timeout_ms=20_000)
    assert sandbox.run("echo", timeout_ms=5_000)


def test_errors_cross_whole(sandbox: Sandbox):
    with pytest.raises(LowQuality) as caught:
        sandbox.run("low", timeout_ms=5_000)
    assert caught.value.figures == {"score": 3, "threshold": 30}
    assert caught.value.url == "https://a.example/"
    with pytest.raises(FetchError) as fetch:
        sandbox.run("lost", timeout_ms=5_000)
    assert fetch.value.kind == "dns"


@pytest.mark.parametrize("job", ["surprise", "unpicklable", "no_such_function"])
def test_anything_else_becomes_an_internal_error_that_tells_no_secrets(sandbox: Sandbox, job: str):
    with pytest.raises(InternalError) as caught:
        sandbox.run(job, timeout_ms=5_000)
    assert "secret" not in str(caught.value.to_dict())
    assert "0x" not in str(caught.value.to_dict())


def test_large_pages_and_answers_pass(sandbox: Sandbox):
    page = os.urandom(1_000_000) * 12
    assert sandbox.run("big", page, timeout_ms=20_000) == page * 2


def test_a_document_passes_as_it_is_whatever_its_metadata_hold():
    facts = '{"@type": "Product", "sku": 1180591620717411303424, "size": 1e300, "note": "\\u0000é"}'
    page = f'<title>Stool</title><script type="application/ld+json">{facts}</script><p>A stool.'
    here = extract(page, "https://shop.example/stool", rules=None)
    assert "1180591620717411303424" in here.to_json()
    assert extract(page, "https://shop.example/stool", rules=None, timeout_ms=20_000) == here


def test_a_module_that_does_not_load_is_an_error():
    with Sandbox(module="there_is_no_such_module") as sandbox:
        for _ in range(2):
            with pytest.raises(InternalError) as caught:
                sandbox.run("echo", timeout_ms=5_000)
            assert caught.value.figures["cause"] == "ModuleNotFoundError"


def test_two_threads_use_two_children_and_a_third_waits_its_turn(sandbox: Sandbox):
    found: list[int] = []

    def work():
        found.append(sandbox.run("slow", 0.2, timeout_ms=10_000))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 2


def test_a_child_killed_while_idle_is_replaced_unnoticed(sandbox: Sandbox):
    _, _, first = sandbox.run("echo", timeout_ms=5_000)
    os.kill(first, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while sandbox._idle[0].process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    _, _, second = sandbox.run("echo", timeout_ms=5_000)
    assert second != first


def test_closing_ends_the_children(sandbox: Sandbox):
    _, _, child = sandbox.run("echo", timeout_ms=5_000)
    sandbox.close()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


@pytest.mark.parametrize("state", ["idle", "busy"])
def test_no_child_outlives_a_parent_that_was_killed(tmp_path, state: str):
    (tmp_path / "sandbox_jobs.py").write_text(JOBS)
    script = (
        "import sys, threading; sys.path.insert(0, sys.argv[1])\n"
        "from pageloom.edges.sandbox import Sandbox\n"
        "sandbox = Sandbox(module='sandbox_jobs')\n"
        "print(sandbox.run('echo', timeout_ms=9000)[2], flush=True)\n"
        "if sys.argv[2] == 'busy': sandbox.run('spin', timeout_ms=500)\n"
        "import time; time.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path), state],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    time.sleep(0.2)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while _lives(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _lives(child)


def _lives(process: int) -> bool:
    """Whether it runs; a dead process that nobody has collected does not."""
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return bool(state) and not state.startswith("Z")


def test_a_forked_process_does_not_touch_the_children_of_its_parent(sandbox: Sandbox):
    _, _, ours = sandbox.run("echo", timeout_ms=5_000)
    pipe, end = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            _, _, theirs = sandbox.run("echo", timeout_ms=5_000)
            os.write(end, str(theirs).encode())
            sandbox.close()
        finally:
            os._exit(0)
    os.waitpid(process, 0)
    theirs = int(os.read(pipe, 100))
    os.close(pipe)
    os.close(end)
    assert theirs != ours
    assert sandbox.run("echo", timeout_ms=5_000)[2] == ours

"""A mother forks children, alone and without threads, and tells how they ended."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from tests.integration.bulk.outputs import children_of

from pageloom.edges.mother import Mother
from pageloom.errors import InternalError
from pageloom.flows.bulk.options import BulkOptions
from pageloom.flows.bulk.runner import MODULE, RunnerSetup

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture(scope="module")
def mother():
    with Mother(MODULE, RunnerSetup(BulkOptions().checked())) as found:
        yield found


def test_a_process_that_forks_has_one_thread(mother):
    child = mother.child()
    pids = [pid for pid in children_of(os.getpid()) if b"mother_child" in command_of(pid)]
    assert pids
    for pid in pids:
        assert re.search(r"^Threads:\s+1$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    assert child.end().signal == 0


def command_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def test_a_child_that_is_killed_says_by_what_and_another_one_starts(mother):
    mother.child().end()
    before = set(children_of(os.getpid()))
    child = mother.child()
    while not (born := set(children_of(os.getpid())) - before):
        time.sleep(0.01)
    os.kill(born.pop(), signal.SIGKILL)
    ending = child.end()
    assert (ending.signal_name, ending.by_mother) == ("SIGKILL", False)
    assert mother.child().end().signal == 0


def test_a_mother_that_is_closed_starts_nothing():
    closed = Mother(MODULE, RunnerSetup(BulkOptions().checked()))
    closed.close()
    with pytest.raises(InternalError, match="does not answer"):
        closed.child()

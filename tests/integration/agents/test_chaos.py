"""Workers, broker and database are killed while messages flow: `make soak-agents`, in short."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.cli import environment
from tests.services import rabbitmq_server

pytestmark = [pytest.mark.slow_file(seconds=40), pytest.mark.integration]

CHAOS = Path(__file__).parents[3] / "bench" / "agents_chaos.py"


def test_nothing_is_lost_or_done_twice_whoever_is_killed():
    rabbitmq_server()
    few = ("--messages", "80", "--kills", "3", "--together", "--patience", "150")
    done = subprocess.run(
        [sys.executable, str(CHAOS), *few],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "everything holds" in done.stdout
    for victim in ("all", "broker", "database"):
        assert f"killed {victim}" in done.stdout

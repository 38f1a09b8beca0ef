"""The long runs of ``make soak``, in short."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.cli import environment

pytestmark = pytest.mark.slow_file(seconds=25)

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("script", "arguments", "says"),
    [
        ("fuzz.py", ("--pages", "60", "--seed", "11"), "60 pages in"),
        ("soak.py", ("--pages", "60", "--allowed", "0.5"), "60 pages"),
        ("growth.py", ("--only", "dl, short", "--small", "30000"), "dl, short"),
        ("watch_burst.py", ("--watches", "24", "--hosts", "4", "--delay", "0.1"), "left: 0"),
        ("watch_soak.py", ("--minutes", "0.05", "--watches", "6", "--postgres"), "never told: 0"),
    ],
)
def test_a_long_run_in_short(script: str, arguments: tuple[str, ...], says: str):
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=environment(),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert says in done.stdout

"""The ten lines of docs/agents.md work."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.agents.bench import Bench
from tests.integration.agents.pages import ARTICLE
from tests.integration.cli import environment

pytestmark = pytest.mark.integration

DOCS = Path(__file__).parents[3] / "docs" / "agents.md"
_OURS = re.compile(r"^(pageloom |kill )")


def test_the_ten_lines_work(bench: Bench, site, tmp_path):
    site.add("/", ARTICLE.format(extra="Both tick.").encode(), Content_Type="text/html")
    found = re.search(r"^```sh\n(.*?)^```", DOCS.read_text(), re.MULTILINE | re.DOTALL)
    assert found
    lines = found[1].strip().splitlines()
    assert len(lines) <= 10
    ours = [line for line in lines if _OURS.match(line)]
    script = "\n".join(line.replace("https://example.com/", site.url("/")) for line in ours)
    program = tmp_path / "pageloom"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pageloom "$@"\n')
    program.chmod(0o755)
    bench.variables["PAGELOOM_FETCH_ALLOWED_HOSTS"] = "127.0.0.1"
    variables = environment(**bench.environment())
    variables["PATH"] = f"{tmp_path}:{variables['PATH']}"
    done = subprocess.run(
        ["bash", "-mc", f"{script}\nwait"],
        env=variables,
        capture_output=True,
        text=True,
        timeout=55,
        check=False,
    )
    assert "new          version 1" in done.stdout, done.stdout + done.stderr
    assert "unchanged    version 1" in done.stdout
    assert "fetch.jobs" in done.stdout
    assert "No dead letters." in done.stdout
    assert "worker.stopped" in done.stderr

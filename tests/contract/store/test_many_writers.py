"""The short form of bench/library_soak.py: real processes, really killed."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from bench.library_soak import crash_server, files_in, kill_some, postgres_databases, run_writers

pytestmark = [pytest.mark.slow_file(seconds=30), pytest.mark.integration, pytest.mark.timeout(180)]


@pytest.fixture(params=["sqlite", "postgres"])
def databases(request, tmp_path):
    """Gives empty databases of one kind; PostgreSQL's of a server that may be killed."""
    with ExitStack() as stack:
        is_file = request.param == "sqlite"
        yield files_in(tmp_path) if is_file else postgres_databases(stack)


def test_many_processes_lose_nothing_and_repeat_nothing(database):
    verdict = run_writers(database, processes=6, seconds=1)
    assert verdict.problems == []
    assert verdict.acknowledged > 8


def test_whoever_is_killed_loses_nothing_that_was_acknowledged(databases, tmp_path):
    verdict = kill_some(databases, tmp_path / "files", kills=3, pages=8)
    assert verdict.problems == []


def test_a_server_that_crashes_loses_nothing_that_was_acknowledged():
    with ExitStack() as stack:
        verdict = crash_server(postgres_databases(stack)(), crashes=2)
    assert verdict.problems == []
    assert verdict.acknowledged
    assert verdict.crashes == 2

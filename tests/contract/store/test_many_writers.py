"""The short form of bench/library_soak.py: real processes, really killed."""

from __future__ import annotations

import pytest
from bench.library_soak import kill_some, run_writers

pytestmark = pytest.mark.integration


def test_many_processes_lose_nothing_and_repeat_nothing(database):
    verdict = run_writers(database, processes=8, seconds=3)
    assert verdict.problems == []
    assert verdict.acknowledged > 8


def test_whoever_is_killed_loses_nothing_that_was_acknowledged(tmp_path):
    verdict = kill_some(tmp_path, kills=5, pages=25)
    assert verdict.problems == []

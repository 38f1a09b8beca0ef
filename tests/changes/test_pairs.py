"""Pairs of pages as two visits may find them: which changes are reported, and which are not.

Those of ``cases`` are put together by ``make.py``; those in ``whole`` were written as they are, by
somebody who knew nothing of the rules.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from tests.changes.make import Pair, make_pair, read_cases
from tests.changes.test_lines import marked

import pageloom
from pageloom import Document

WHOLE = Path(__file__).parent / "whole"
CASES = read_cases()
MANIFEST = json.loads((WHOLE / "manifest.json").read_text(encoding="utf-8"))


def read_whole(entry: dict) -> Pair:
    before, after = (
        (WHOLE / entry["name"] / f"{which}.html").read_bytes() for which in ("before", "after")
    )
    return Pair(entry["name"], entry["url"], tuple(entry["fields"]), before, after)


@cache  # many pairs begin with the same page
def read(page: bytes, url: str) -> Document:
    return pageloom.extract(page, url)


def check(pair: Pair) -> None:
    before, after = read(pair.before, pair.url), read(pair.after, pair.url)
    report = pageloom.diff(before, after)
    assert report.has_changes == pair.has_changes, report.summary
    assert set(pair.fields) <= set(report.changed_fields), report.summary
    assert pageloom.diff(after, before).changed_fields == report.changed_fields
    for page in (pair.before, pair.after):
        assert 3_000 <= len(page) <= 30_000, "not as large as pages are"


@pytest.mark.parametrize("name", marked(CASES))
def test_a_pair_is_told_when_it_matters_and_in_both_directions(name: str):
    check(make_pair(name, CASES[name]))


@pytest.mark.parametrize("name", marked(one["name"] for one in MANIFEST))
def test_a_whole_pair_is_told_when_it_matters_and_in_both_directions(name: str):
    check(read_whole(next(entry for entry in MANIFEST if entry["name"] == name)))


def test_the_kind_of_a_case_says_whether_it_matters():
    for name, case in CASES.items():
        assert name.startswith("change-" if case.get("fields") else "noise-"), name
    for entry in MANIFEST:
        assert entry["name"].startswith("change-" if entry["fields"] else "noise-")
        assert entry["has_changes"] == bool(entry["fields"])


def all_fields() -> list[list[str]]:
    return [one.get("fields", []) for one in (*CASES.values(), *MANIFEST)]


def test_there_are_as_many_pairs_that_matter_as_pairs_that_do_not():
    meaningful = sum(map(bool, all_fields()))
    assert len(all_fields()) >= 650
    assert abs(2 * meaningful - len(all_fields())) <= 12


def test_every_level_is_among_the_fields_expected_to_change():
    expected = {name for fields in all_fields() for name in fields}
    assert expected == set(
        "title description text images metadata links price rating availability".split()
    )

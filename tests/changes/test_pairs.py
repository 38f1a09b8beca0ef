"""Pairs of pages as two visits may find them: what is told, and what is not.

Those in ``pairs`` are put together by ``make.py``; those in ``whole`` were written as they are, by
somebody who knew nothing of the rules.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pageloom

HERE = Path(__file__).parent
MANIFEST = [
    pair | {"folder": folder}
    for manifest, folder in (("manifest.json", "pairs"), ("whole/manifest.json", "whole"))
    for pair in json.loads((HERE / manifest).read_text(encoding="utf-8"))
]
PAIRS = [pytest.param(pair, id=pair["name"]) for pair in MANIFEST]


@pytest.mark.parametrize("pair", PAIRS)
def test_a_pair_is_told_when_it_matters_and_in_both_directions(pair):
    folder = HERE / pair["folder"] / pair["name"]
    before, after = (
        pageloom.extract((folder / f"{which}.html").read_bytes(), pair["url"])
        for which in ("before", "after")
    )
    report = pageloom.diff(before, after)
    assert report.has_changes == pair["has_changes"], report.summary
    assert set(pair["fields"]) <= set(report.changed_fields), report.summary
    assert pageloom.diff(after, before).changed_fields == report.changed_fields


def test_there_are_as_many_pairs_that_matter_as_pairs_that_do_not():
    meaningful = sum(pair["has_changes"] for pair in MANIFEST)
    assert len(MANIFEST) >= 120
    assert abs(2 * meaningful - len(MANIFEST)) <= 12


def test_every_level_is_among_the_fields_expected_to_change():
    expected = {name for pair in MANIFEST for name in pair["fields"]}
    assert expected == set(
        "title description text images metadata links price rating availability".split()
    )


def test_pages_are_as_large_as_pages():
    for path in (*(HERE / "pairs").rglob("*.html"), *(HERE / "whole").rglob("*.html")):
        assert 3_000 <= path.stat().st_size <= 30_000, path.parent.name

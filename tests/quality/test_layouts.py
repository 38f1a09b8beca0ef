"""Repeated items come out whole, whatever markup they stand in."""

from __future__ import annotations

from itertools import islice

from tests.quality.layouts import missing, pages


def test_no_item_of_a_list_is_lost_in_any_layout():
    """Every fifth page; all of them with ``python -m tests.quality.layouts``."""
    lost = {page.name: missing(page) for page in islice(pages(), 0, None, 5)}
    assert not {name: each for name, each in lost.items() if any(each)}

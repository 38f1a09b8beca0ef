"""When reference cycles are looked for."""

from __future__ import annotations

import gc
import weakref

import pytest

from pageloom import extract
from pageloom.edges.memory import tune_gc_for_workers


class Knot:
    """Refers to itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def late_collector():
    """A collector as the command line sets it."""
    before = gc.get_threshold()
    gc.set_threshold(1_000_000)
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def test_what_is_loaded_is_not_looked_through_again(late_collector):
    kept = Knot()
    tune_gc_for_workers()
    assert gc.get_freeze_count() > 0
    assert all(each is not kept for each in gc.get_objects())


def test_what_lay_about_before_is_not_kept_for_ever(late_collector):
    lost = weakref.ref(Knot())
    tune_gc_for_workers()
    assert lost() is None


def test_a_cycle_goes_soon_while_work_goes_on(late_collector):
    tune_gc_for_workers()
    lost = weakref.ref(Knot())
    work = [[each] for each in range(2_000)]
    assert work
    assert lost() is None


def test_a_page_leaves_nothing_behind_that_only_the_collector_finds():
    page = (
        "<article><h1>The bridge</h1><p>It was <b>closed <i>on</i></b> a <a href='/m'>Monday</a>,"
        " <em>again</em>.</p><ul><li><strong>One</strong> <a href='/1'>way</a></li><li>Two</li>"
        "</ul><table><tr><th>Day</th></tr><tr><td><b>Monday</b></td></tr></table></article>"
    )
    extract(page, "https://example.com/")  # what it loads is not of the page
    gc.collect()
    gc.disable()
    try:
        extract(page, "https://example.com/")
        assert gc.collect() == 0
    finally:
        gc.enable()

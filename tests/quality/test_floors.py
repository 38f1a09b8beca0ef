"""Extraction, metadata, Markdown and change verdicts do not fall below what was reached once."""

from __future__ import annotations

import json

import pytest
from tests.quality import pin
from tests.quality.measure import corpus, corpus_hash, measure, plain, similarity, visits, word_f1


@pytest.fixture(scope="module")
def measured():
    return measure()


def test_no_figure_is_below_its_floor(measured):
    fallen = pin.fallen(measured.figures, pin.read_floors())
    assert not fallen, "\n".join([*fallen.values(), *measured.misses])


def test_every_figure_has_a_floor(measured):
    assert set(measured.figures) == set(pin.read_floors())


def test_floors_were_pinned_on_this_corpus():
    """Whoever adds or mends a page runs python -m tests.quality.pin."""
    assert json.loads(pin.FLOORS.read_text(encoding="utf-8"))["corpus"] == corpus_hash()


def test_the_corpus_is_whole():
    pages = {wanted.name for wanted in corpus()}
    assert len(pages) >= 50
    assert {path.stem for path in (pin.FLOORS.parent / "pages").glob("*.html")} <= pages
    assert {visit["page"] for visit in visits()} <= pages
    assert abs(sum(2 * visit["changed"] - 1 for visit in visits())) <= len(visits()) / 4


def test_a_floor_is_lowered_only_by_name(tmp_path, monkeypatch):
    monkeypatch.setattr(pin, "FLOORS", tmp_path / "floors.json")
    assert pin.pin({"title": 0.9, "authors": 0.8}, []) == []
    assert pin.pin({"title": 0.8, "authors": 0.9}, []) == [
        "title is 0.8000, its floor 0.9000: fix it, or say --lower title"
    ]
    assert pin.read_floors() == {"title": 0.9, "authors": 0.8}
    assert pin.pin({"title": 0.8, "authors": 0.9}, ["title"]) == []
    assert pin.read_floors() == {"title": 0.8, "authors": 0.9}
    assert pin.pin({"authors": 0.9}, [])[0].startswith("title is 0.0000, its floor 0.8000")


def test_words_are_counted_as_often_as_they_stand_there():
    assert word_f1("a b b", "a b b") == 1
    assert word_f1("a b", "a b b") == pytest.approx(0.8)
    assert word_f1("图书馆", "图书") == pytest.approx(0.8)
    assert plain(
        "# One\n\n- [two](https://x.example) *three*\n\n| a |\n| --- |\n| b |"
    ).split() == [*"One two three a b".split()]


def test_markdown_is_compared_line_by_line_and_without_its_headline():
    assert similarity("# T\n\none\n\ntwo\n", "one\n\ntwo\n") == 1
    assert similarity("one\n\nthree\n", "one\n\ntwo\n") == pytest.approx(0.5)

"""Highlights stay with their words from version to version, in both databases."""

from __future__ import annotations

import pytest

from pageloom.errors import InvalidArgument, NotInLibrary
from pageloom.library import open_library

URL = "https://tides.example/swifts"
FIRST = "Swifts are hard to count, for they come home fast and in the last light."
SECOND = "Edda Vik sat on the quay for nineteen evenings and wrote down every bird she saw."
THIRD = "The welders were paid for a week in which they did nothing at all but wait."


def page(*paragraphs: str) -> str:
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    return f"<html lang=en><title>Swifts</title><article><h1>Swifts</h1>{body}</article></html>"


@pytest.fixture
def library(database):
    with open_library(database) as opened:
        opened.save(URL, content=page(FIRST, SECOND, THIRD))
        yield opened


def states(library) -> list[str]:
    return [each.state for each in library.highlights(URL)]


def test_a_passage_is_followed_through_all_versions_and_never_lost(library):
    made = library.highlight(URL, "nineteen evenings", note="Patience", colour="green")
    assert made.before.endswith("sat on the quay for ")
    assert (made.state, made.version) == ("same", 1)
    library.save(
        URL, content=page("Something new stands here before all of it now.", FIRST, SECOND)
    )
    assert states(library) == ["same"]
    edited = SECOND.replace("nineteen evenings", "nineteen long evenings")
    library.save(URL, content=page(FIRST, edited, THIRD))
    known = library.highlights(URL)[0]
    assert (known.state, known.text) == ("edited", "nineteen long evenings")
    library.save(URL, content=page(FIRST, THIRD))
    gone = library.highlights(URL)[0]
    assert (gone.state, gone.quote, gone.found_version) == ("gone", "nineteen evenings", 3)
    library.save(URL, content=page(FIRST, SECOND, THIRD, "And more, of which nobody wrote yet."))
    assert states(library) == ["same"]


def test_a_passage_that_stands_elsewhere_has_moved(library):
    library.highlight(URL, FIRST)
    library.save(URL, content=page(SECOND, THIRD, FIRST))
    assert states(library) == ["moved"]


def test_a_passage_can_be_marked_in_an_older_version(library):
    library.save(URL, content=page(FIRST, THIRD))
    with pytest.raises(NotInLibrary):
        library.highlight(URL, "Edda Vik")
    assert library.highlight(URL, "Edda Vik sat on the quay", version=1).state == "gone"


def test_highlights_are_searched_changed_and_removed(library):
    number = library.highlight(URL, "last light", note="Zugunruhe").id
    assert [hit.page.title for hit in library.search("zugunruhe").hits] == ["Swifts"]
    assert [each.id for each in library.all_highlights("ZUGUNRUHE light")] == [number]
    assert not library.all_highlights("welders")
    changed = library.change_highlight(URL, number, colour="pink")
    assert (changed.colour, changed.note) == ("pink", "Zugunruhe")
    library.remove_highlight(URL, number)
    assert not library.highlights(URL)
    assert not library.search("zugunruhe").hits
    with pytest.raises(InvalidArgument):
        library.highlight(URL, "last light", colour="mauve")


def test_highlights_of_merged_pages_move_with_them(library):
    other = library.save("https://copy.example/", content=page(FIRST, SECOND))
    library.highlight(other, "every bird she saw")
    library.merge(URL, other)
    assert [each.quote for each in library.highlights(URL)] == ["every bird she saw"]

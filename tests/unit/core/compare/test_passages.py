"""Passages of a page are found again in its next version, or said to be gone."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from pageloom.core.compare.passages import (
    PageText,
    Passage,
    around,
    find_passage,
    follow_passage,
    mark_html,
    read_text,
)
from pageloom.model.highlights import MarkSpan

HTML = (
    "<h2>Counting in the dusk</h2><p>Swifts are <em>hard</em> to count. They eat &amp; drink on"
    " the\n wing.</p><table><tr><td>6 May</td><td>188</td></tr></table><pre>a = 1\nb = 2</pre>"
)


def test_the_text_of_a_page_is_a_line_for_each_block():
    assert read_text(HTML).lines == (
        "Counting in the dusk",
        "Swifts are hard to count. They eat & drink on the wing.",
        "6 May",
        "188",
        "a = 1 b = 2",
    )


@pytest.mark.parametrize(
    ("selected", "marked"),
    [
        ("hard to count", "<em><mark>hard</mark></em> <mark>to count</mark>."),
        ("eat & drink", "They <mark>eat &amp; drink</mark> on"),
        ("6 May\t188", "<td><mark>6 May</mark></td><td><mark>188</mark></td>"),
        ("1\nb", "a = <mark>1\nb</mark> = 2"),
    ],
)
def test_what_a_browser_selects_is_marked_in_the_html(selected, marked):
    text = read_text(HTML)
    span = find_passage(text, selected)
    assert span is not None
    shown = mark_html(HTML, text, [(span, "<mark>")])
    assert marked in shown


def test_of_two_marks_that_overlap_both_are_seen():
    text = read_text("<p>One two three</p>")
    marks = [(MarkSpan(start=0, end=13), "<mark id=1>"), (MarkSpan(start=4, end=7), "<mark id=2>")]
    shown = mark_html("<p>One two three</p>", text, marks)
    assert shown.replace("</mark>", "") == "<p><mark id=1>One <mark id=2>two <mark id=1>three</p>"


def test_of_several_places_the_one_with_the_same_words_around_it_is_meant():
    text = PageText(("One bird sang at dawn.", "Another bird sang at dusk."))
    span = find_passage(text, "bird sang", "Another ", " at dusk")
    assert span == MarkSpan(start=31, end=40, line=1)
    assert around(text, span) == ("One bird sang at dawn.\nAnother ", " at dusk.")


# --- two hundred edits ----------------------------------------------------------------------------

NOUNS = "crane harbour swift ladder budget welder notebook county nest evening quay ferry".split()
VERBS = "counted moved painted closed opened watched followed repaired measured found".split()
PLACES = "behind the mill,under the bridge,near the market,on the island,at the school".split(",")


def sentence(chance: random.Random) -> str:
    noun, other = chance.sample(NOUNS, 2)
    number = chance.randint(3, 999)
    place, verb = chance.choice(PLACES), chance.choice(VERBS)
    return (
        f"In {number} cases the {noun} {place} was {verb} before the {other} of May {number + 7}."
    )


class Story:
    """Paragraphs of sentences; one of the sentences is the passage."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311
        self.lines = [[sentence(self.chance) for _ in range(3)] for _ in range(8)]
        self.at, self.of = self.chance.randrange(8), self.chance.randrange(3)

    @property
    def text(self) -> PageText:
        return PageText(tuple(" ".join(line) for line in self.lines if line))

    @property
    def passage(self) -> str:
        return self.lines[self.at][self.of]

    def other(self) -> int:
        return self.chance.choice([n for n in range(len(self.lines)) if n != self.at])


def insert_paragraph(story: Story) -> str:
    place = story.chance.randrange(len(story.lines) + 1)
    story.lines.insert(place, [sentence(story.chance)])
    return "same"


def delete_paragraph(story: Story) -> str:
    story.lines[story.other()] = []
    return "same"


def rewrite_around(story: Story) -> str:
    line = story.lines[story.at]
    story.lines[story.at] = [
        each if number == story.of else sentence(story.chance) for number, each in enumerate(line)
    ]
    return "same"


def split_paragraph(story: Story) -> str:
    line = story.lines[story.at]
    story.lines[story.at : story.at + 1] = [line[: story.of], line[story.of :]]
    story.at, story.of = story.at + 1, 0
    return "same"


def join_paragraphs(story: Story) -> str:
    other = story.at + 1 if story.at + 1 < len(story.lines) else story.at - 1
    first, second = sorted((story.at, other))
    story.of += len(story.lines[first]) if other == first else 0
    story.at = first
    story.lines[first : second + 1] = [story.lines[first] + story.lines[second]]
    return "same"


def move_paragraph(story: Story) -> str:
    line = story.lines.pop(story.at)
    story.at = (story.at + 4) % 8
    story.lines.insert(story.at, line)
    return "moved"


def move_sentence(story: Story) -> str:
    words = story.lines[story.at].pop(story.of)
    story.at = (story.at + 3) % 8
    story.of = len(story.lines[story.at])
    story.lines[story.at].append(words)
    return "moved"


def repeat_elsewhere(story: Story) -> str:
    story.lines.insert(0, [story.passage])
    story.at += 1
    return "same"


def replace_words(story: Story) -> str:
    words = story.passage.split()
    for place in story.chance.sample(range(len(words)), 3):
        words[place] = story.chance.choice(("heron", "tunnel", "seldom", "41"))
    story.lines[story.at][story.of] = " ".join(words)
    return "edited"


def add_words(story: Story) -> str:
    words = story.passage.split()
    words[6:6] = "which nobody had expected at all".split()
    story.lines[story.at][story.of] = " ".join(words)
    return "edited"


def drop_words(story: Story) -> str:
    words = story.passage.split()
    del words[4:8]
    story.lines[story.at][story.of] = " ".join(words)
    return "edited"


def edit_and_move(story: Story) -> str:
    add_words(story)
    move_paragraph(story)
    return "edited"


def change_marks(story: Story) -> str:
    story.lines[story.at] = [each.replace(" ", "  ") for each in story.lines[story.at]]
    return "same"


def delete_passage(story: Story) -> str:
    del story.lines[story.at][story.of]
    return "gone"


def rewrite_passage(story: Story) -> str:
    story.lines[story.at][story.of] = "Nothing of what stood here was true, says the author today."
    return "gone"


EDITS: tuple[Callable[[Story], str], ...] = (
    insert_paragraph,
    delete_paragraph,
    rewrite_around,
    split_paragraph,
    join_paragraphs,
    move_paragraph,
    move_sentence,
    repeat_elsewhere,
    replace_words,
    add_words,
    drop_words,
    edit_and_move,
    change_marks,
    delete_passage,
    rewrite_passage,
)


def follow(seed: int) -> tuple[str, str, str, Passage]:
    """An edit, what became of the passage to a person's eye, its words now, and what was found."""
    story = Story(seed)
    edit, quote, old = EDITS[seed % len(EDITS)], story.passage, story.text
    span = find_passage(old, quote)
    assert span is not None
    known = around(old, span)
    want = edit(story)
    if edit not in (delete_passage, rewrite_passage, insert_paragraph, delete_paragraph):
        words = story.passage
    else:
        words = "" if want == "gone" else quote
    if seed % 3 == 0 and want != "moved":  # and something else has changed too
        story.lines.append([sentence(story.chance)])
        story.lines[0] = [sentence(story.chance), *story.lines[0]] if story.at else story.lines[0]
    return edit.__name__, want, words, follow_passage(old, span, story.text, quote, known)


def is_there(words: str, found: Passage) -> bool:
    """Whether nearly the words that a person would mark were found, and no others."""
    mine, theirs = words.split(), found.text.split()
    shared = sum(1 for word in mine if word in theirs)
    return shared >= 0.8 * len(mine) and len(theirs) <= 1.25 * len(mine)


def test_passages_are_found_after_two_hundred_edits_where_a_person_would():
    wrong: list[str] = []
    for seed in range(200):
        name, want, words, found = follow(seed)
        if want == "gone":
            right = found.state == "gone"
        else:
            assert found.state != "gone", (seed, name, words)  # none is lost
            right = found.state == want and is_there(words, found)
        if not right:
            wrong.append(f"{seed} {name}: {want} {words!r}, not {found}")
    assert len(wrong) <= 10, "\n".join(wrong)


def test_a_passage_of_a_version_that_is_not_kept_is_found_by_its_words():
    new = PageText(("New words first.", "The old crane is here, and the swifts too."))
    found = follow_passage(None, MarkSpan(start=0, end=9), new, "old crane", ("The ", " is"))
    assert (found.state, found.text) == ("same", "old crane")
    quote = "The old crane was there, and all of the swifts"
    edited = follow_passage(None, MarkSpan(start=0, end=9), new, quote, ("", ""))
    assert (edited.state, edited.text) == ("edited", new.lines[1])

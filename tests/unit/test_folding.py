"""A long text with a small edit is shown as the clause around the edit."""

from __future__ import annotations

from pageloom.views.comparison import make_rows, render_text
from pageloom.views.folding import fold_rows

SENTENCE = "The harbour office writes down every ship, its cargo and the hour of the tide. "
POLICY = (
    f"{SENTENCE * 40}If you tell us your address, we will never sell it to anybody, and after two"
    f" years it is deleted. {SENTENCE * 40}"
).strip()
EDITED = POLICY.replace("will never sell it to anybody", "may sell it to partners")


def show(before: str, after: str) -> list[str]:
    return render_text(fold_rows(make_rows(before, after))).splitlines()


def test_of_a_thousand_words_only_the_clause_around_the_edit_is_shown():
    (line,) = show(POLICY, EDITED)
    assert line == (
        "~ … If you tell us your address, we [-will-]{+may+} [-never -]sell it to"
        " [-anybody-]{+partners+}, and after two years it is deleted. …"
    )


def test_two_edits_far_from_each_other_are_both_shown_and_what_is_between_is_folded():
    (line,) = show(POLICY, "Today " + EDITED.replace("is deleted", "goes"))
    assert line.startswith("~ {+Today +}The harbour office writes down every ship, …")
    assert "[-is deleted-]{+goes+}. …" in line
    assert len(line) < 400


def test_lines_around_are_short_and_what_came_is_told_by_its_beginning():
    before = f"{SENTENCE * 20}\nOne.\nTwo."
    after = f"{SENTENCE * 20}\nOne.\n{'A new word. ' * 300}\nTwo."
    shown = show(before, after)
    assert all(len(line) < 700 for line in shown)
    assert shown[0].endswith("…")
    assert "more words)" in next(line for line in shown if line.startswith("+"))


def test_short_texts_are_shown_whole_and_nothing_that_changed_is_folded():
    assert show("It costs 39.90 € today.", "It costs 34.90 € today.") == [
        "~ It costs [-39.90-]{+34.90+} € today."
    ]
    (line,) = show(
        "島の図書館は海の近くにあります。" * 60 + "本が五冊。",
        "島の図書館は海の近くにあります。" * 60 + "本が六冊。",
    )
    assert len(line) < 260

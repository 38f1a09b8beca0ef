from __future__ import annotations

from pageloom.core.compare.summary import make_snippet
from pageloom.views.comparison import make_rows, render_html, render_html_page, render_text

BEFORE = "Harbour news\nThe ferry leaves at nine.\nOne\nTwo\nThree\nFour\nFive\nSix <b>bold</b>"
AFTER = (
    "Harbour news\nThe ferry leaves at ten.\nOne\nTwo\nThree\nFour\nFive\nSix <b>bold</b> \x1b[31m"
)


def test_inline_text_marks_words():
    assert render_text(make_rows(BEFORE, AFTER)).splitlines()[:3] == [
        "  Harbour news",
        "~ The ferry leaves at [-nine-]{+ten+}.",
        "  One",
    ]


def test_two_columns_stand_side_by_side():
    shown = render_text(make_rows(BEFORE, AFTER), side_by_side=True, width=70)
    assert "~ The ferry leaves at [-nine-].    | The ferry leaves at {+ten+}." in shown
    assert "… 1 unchanged …" in shown or "Three" in shown


def test_html_is_escaped():
    rows = make_rows(BEFORE, AFTER)
    inline = render_html(rows)
    assert "<del>nine</del><ins>ten</ins>" in inline
    assert "&lt;b&gt;" in inline
    assert "<b>" not in inline
    assert "\x1b" not in inline
    table = render_html(rows, side_by_side=True)
    assert "<td>The ferry leaves at <del>nine</del>.</td>" in table
    page = render_html_page("<script>x</script>", "a & b", rows, side_by_side=False)
    assert "<script>" not in page
    assert "a &amp; b" in page


def test_equal_texts_have_no_rows():
    assert make_rows(BEFORE, BEFORE) == []


def test_a_snippet_names_what_came_and_what_went():
    assert make_snippet([("leaves at nine", "leaves at ten")]) == "[+ ten - nine]"
    assert make_snippet([("", "a new line")]) == "[+ a new line]"
    assert make_snippet([]) == ""


def test_a_number_that_changed_is_shown_whole():
    (row,) = render_text(make_rows("It costs 39.90 €.", "It costs 34.90 €.")).splitlines()
    assert row == "~ It costs [-39.90-]{+34.90+} €."


def test_columns_keep_their_width_with_wide_characters():
    rows = make_rows("港の灯台は夜になると光ります。", "港の灯台は朝になると光ります。")
    shown = render_text(rows, side_by_side=True, width=40).splitlines()
    assert all(sum(2 if ord(c) > 0x2E80 else 1 for c in line) <= 40 for line in shown)
    places = {sum(2 if ord(c) > 0x2E80 else 1 for c in line.split("|")[0]) for line in shown}
    assert len(places) == 1

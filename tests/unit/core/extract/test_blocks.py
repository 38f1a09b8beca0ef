"""Where one block ends and the next begins."""

from __future__ import annotations

import pytest
from tests.unit.core.extract.pages import blocks_of, texts

from pageloom.core.extract.blocks import MANY, TAGS
from pageloom.core.extract.vocabulary import CLASS_BIT, HIDDEN


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>One</p><p>Two</p>", ["One", "Two"]),
        ("One<p>Two</p>Three", ["One", "Two", "Three"]),
        (
            "<p>A <b>bold</b> <a href=x>link</a> and <code>code</code>.</p>",
            ["A bold link and code."],
        ),
        (
            "<div>Loose <span>words</span><div>Inner</div>after</div>",
            ["Loose words", "Inner", "after"],
        ),
        ("<ul><li>One<li>Two<ul><li>Three</ul></ul>", ["One", "Two", "Three"]),
        ("<table><tr><th>A<td>B</table>", ["A", "B"]),
        ("<p>One<br>two</p>", ["One two"]),
        ("One<br><br>Two", ["One", "Two"]),
        ("One<br> \n <br>Two", ["One", "Two"]),
        ("One<br><br><br><br>Two", ["One", "Two"]),
        ("<br><br>One", ["One"]),
        ("<b>One<br><br>Two</b>", ["One", "Two"]),
        ("<p>  much \n\n space\t here </p>", ["much space here"]),
        ("<p>fish<b>bone</b></p>", ["fishbone"]),
        ("<p>One</p> \n <p> </p><div></div>", ["One"]),
        ("<pre>a  b\n  c</pre>", ["a b c"]),
        ("<noscript><p>Without scripts</p></noscript>", ["Without scripts"]),
        ("<button>Press</button><form><label>Name</label></form>", ["Press", "Name"]),
        ("<header><h1>Title</h1></header>", ["Title"]),
    ],
)
def test_borders(markup: str, expected: list[str]):
    assert texts(markup) == expected


@pytest.mark.parametrize(
    "tag", "script style template nav footer select dialog iframe canvas textarea object".split()
)
def test_some_elements_are_never_read(tag: str):
    assert texts(f"<p>Before</p><{tag}><p>inside</p></{tag}><p>After</p>") == ["Before", "After"]


def test_drawn_words_are_never_read():
    assert texts("<p>Before</p><svg><text>inside</text></svg><p>After</p>") == ["Before", "After"]


def test_a_body_without_text_has_no_blocks():
    page = blocks_of("<div><img src=a.png><script>x()</script></div>")
    assert len(page) == 0
    assert page.blocks.texts == ()
    assert len(page.pictures) == 1


def test_every_holder_owns_a_run_of_blocks():
    page = blocks_of("<div><p>One</p><div><p>Two</p><p>Three</p></div></div><p>Four</p>")
    names, parents, depths = page.holders.names, page.holders.parents, page.holders.depths
    spans = list(zip(page.holders.starts, page.holders.ends, strict=True))
    assert (names[0].strip(), spans[0]) == ("body", (0, 4))
    for index, (start, end) in enumerate(spans):
        assert start < end
        if index:
            above = parents[index]
            assert spans[above][0] <= start
            assert end <= spans[above][1]
            assert depths[index] == depths[above] + 1


def test_links_and_bold_text_are_counted():
    found = blocks_of("<p>Go <a href=/x>there</a> or <a name=y>here</a>, <b>now</b></p>").blocks
    assert (found.links, found.link_chars) == ((2,), (len("there"),))
    assert found.strong_chars == (len("now"),)


def test_what_stands_in_a_linked_box_is_linked():
    found = blocks_of("<a href=/x><div><p>All of it</p></div></a>").blocks
    assert found.link_chars == (len("All of it"),)


def test_names_roles_and_hiding_are_seen():
    page = blocks_of(
        '<div class="comment-list"><p>a</p></div><div id="sidebar"><p>b</p></div>'
        '<div role="navigation"><p>c</p></div><div hidden><p>d</p></div>'
        '<div style="display: none"><p>e</p></div>'
    )
    holders = zip(page.holders.tags, page.holders.flags, strict=True)
    flags = [flag for tag, flag in holders if tag == TAGS["div"]]
    assert flags[0] & CLASS_BIT["comment"]
    assert flags[1] & CLASS_BIT["sidebar"]
    assert flags[2] & CLASS_BIT["nav"]
    assert flags[3] & HIDDEN
    assert flags[4] & HIDDEN
    assert not flags[0] & HIDDEN


def test_pictures_know_how_many_blocks_come_before():
    page = blocks_of("<img src=a><p>One</p><img src=b><p>Two <img src=c></p><img src=d>")
    assert [picture.place for picture in page.pictures][:2] == [0, 1]
    assert page.pictures[-1].place == 2


def test_a_very_long_table_is_read_by_rows_and_no_word_is_lost():
    rows = "".join(f"<tr><td>{number}<td>two<td><b>three</b></tr>" for number in range(MANY))
    found = texts(f"<table>{rows}</table><p>After")
    assert " ".join(found).split() == [
        *(word for number in range(MANY) for word in (str(number), "two", "three")),
        "After",
    ]
    assert found[:3] == ["0", "two", "three"]
    assert found[-2:] == [f"{MANY - 1} two three", "After"]

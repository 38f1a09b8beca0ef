"""What is left of the tree, and its plain text."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.core.extract.pages import LONG, blocks_of

from pageloom import extract
from pageloom.core.extract.blocks import BlockPage
from pageloom.core.extract.prune import prune, render_text


def keeping(page: BlockPage, *wanted: str) -> np.ndarray:
    return np.array([text in wanted for text in page.blocks.texts])


def pruned(markup: str, *wanted: str) -> str:
    page = blocks_of(markup)
    return "".join(prune(page, keeping(page, *wanted)).html.split("\n"))


def test_only_kept_text_is_left():
    left = pruned("<div><p>One</p><p>Two</p></div><div><p>Three</p></div>", "One", "Three")
    assert "One" in left
    assert "Three" in left
    assert "Two" not in left


def test_structure_inside_a_kept_block_stays():
    left = pruned("<div><p>A <b>bold</b> <a href=/x>link</a></p><p>no</p></div>", "A bold link")
    assert '<p>A <b>bold</b> <a href="/x">link</a></p>' in left


def test_text_beside_a_kept_child_goes():
    left = pruned("<div>loose words<p>One</p>more of them<p>Two</p></div>", "One", "Two")
    assert "loose" not in left
    assert "more" not in left


def test_clutter_inside_goes_and_players_stay():
    left = pruned(
        "<div><p>One</p><script>x()</script><nav>menu</nav>"
        '<iframe src="https://video.example/1"></iframe><p>Two</p></div>',
        "One",
        "Two",
    )
    assert "script" not in left
    assert "menu" not in left
    assert "iframe" in left


def test_a_picture_beside_kept_text_stays():
    assert "a.png" in pruned("<div><p>One</p><img src=a.png><p>no</p></div>", "One")
    assert "a.png" in pruned("<div><p>no</p><img src=a.png><p>One</p></div>", "One")


def test_a_picture_among_dropped_text_goes():
    page = "<div><p>One</p><p>no</p><img src=a.png><p>nor this</p><p>Two</p></div>"
    assert "a.png" not in pruned(page, "One", "Two")


def test_the_caption_of_a_kept_picture_stays_with_it():
    page = (
        "<div><p>One</p><figure><img src=a.png><figcaption>What it shows</figcaption></figure>"
        "<p>Two</p></div>"
    )
    left = pruned(page, "One", "Two")
    assert "a.png" in left
    assert "What it shows" in left


def test_a_caption_is_no_distance_between_picture_and_text():
    page = (
        "<div><p>no</p><figure><img src=a.png><figcaption>What it shows</figcaption></figure>"
        "<p>Two</p></div>"
    )
    assert "a.png" in pruned(page, "Two")


@pytest.mark.parametrize(
    "figure",
    [
        "<div class=w><figure><img src=a.png><figcaption>Shows</figcaption></figure></div>",
        "<div class=w><div><img src=a.png></div><p class=caption>Shows</p></div>",
    ],
)
def test_a_picture_in_a_wrapper_with_its_caption_stays(figure: str):
    assert "a.png" in pruned(f"<div><p>One</p>{figure}<p>Two</p></div>", "One", "Two")


def test_figures_among_dropped_text_go_with_their_captions():
    page = (
        "<div><p>One</p><section><p>no</p><figure><img src=a.png><figcaption>Shows</figcaption>"
        "</figure><p>nor this</p></section><p>Two</p></div>"
    )
    left = pruned(page, "One", "Two")
    assert "a.png" not in left
    assert "Shows" not in left


def test_the_root_is_the_smallest_part_that_holds_everything_kept():
    page = blocks_of("<div id=a><p>no</p><div id=b><p>One</p><p>Two</p></div></div>")
    assert prune(page, keeping(page, "One", "Two")).attr("id") == "b"


@pytest.mark.parametrize(
    ("markup", "tag"),
    [("<p>One</p>", "body"), ("<ul><li>One</li></ul>", "ul"), ("<div><pre>One</pre></div>", "div")],
)
def test_the_root_is_never_a_paragraph_or_an_item(markup: str, tag: str):
    page = blocks_of(markup)
    assert prune(page, keeping(page, "One")).tag == tag


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<h1>Title</h1><p>One</p><p>Two</p>", "Title\n\nOne\n\nTwo"),
        ("<p>One</p><ul><li>a<li>b</ul><p>Two</p>", "One\n\na\nb\n\nTwo"),
        ("<pre>if x:\n    y()\n</pre>", "if x:\n    y()"),
        ("<p>One</p><pre>\n  a\n    b</pre>", "One\n\n  a\n    b"),
        pytest.param(
            "<pre><span>a</span> <span>b</span>\n<span>c</span></pre>",
            "a b\nc",
        ),
        pytest.param(
            "<pre>a<br>b</pre>",
            "a\nb",
        ),
    ],
)
def test_plain_text_has_paragraphs_items_and_code(markup: str, text: str):
    page = blocks_of(markup)
    assert render_text(page, np.ones(len(page), np.bool_)) == text


def test_the_ticks_of_a_task_list_reach_the_markdown():
    done = "<li><input type=checkbox checked> read the first book</li>"
    tasks = f"<ul>{done}<li><input type=checkbox> copy the second one</li></ul>"
    page = f"<main><article><h1>Locks</h1><p>{LONG[0]}</p>{tasks}<p>{LONG[1]}</p></article></main>"
    markdown = extract(page, "https://x.example/a").markdown
    assert "- [x] read the first book\n- [ ] copy the second one" in markdown


def test_the_signs_on_buttons_are_not_pictures_of_the_article():
    bar = '<div><button><img src="/i/save.svg" alt="Save"></button></div>'
    story = f'<p>{LONG}</p><img src="/tower.jpg" alt="Tower"><p>{LONG}</p>'
    page = f"<article><h1>Clocks</h1>{bar}{story}</article>"
    document = extract(page, "https://clocks.example/a")
    assert [image.alt for image in document.images] == ["Tower"]
    assert "save.svg" not in document.markdown + document.html

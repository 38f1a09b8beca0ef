"""What a page says must not become markup, a followed scheme or an unseen control."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from pageloom import extract, to_markdown

FORMULAS = [
    '<math alttext="[x](javascript:alert(1))"><mi>x</mi></math>',
    (
        "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>"
        "a$ [x](javascript:alert(1)) $b</annotation></semantics></math>"
    ),
    r"\(a$ [x](javascript:alert(1)) $b\)",
    '<math alttext="![x](https://tracker.example/p.png)"><mi>x</mi></math>',
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_is_never_a_link(formula: str):
    markdown = to_markdown(f"<p>Then {formula} holds.</p>")
    rendered = MarkdownIt("gfm-like", {"linkify": False}).render(markdown)
    assert "<a " not in rendered
    assert "<img" not in rendered


@pytest.mark.parametrize(
    "href",
    [
        "view-source:javascript:1",
        "feed:javascript:1",
        "jar:x",
        "ms-msdt:/id",
        "intent://x",
        "data:,x",
    ],
)
def test_only_known_schemes_are_followed(href: str):
    assert to_markdown(f'<p>Go <a href="{href}">there</a>.</p>') == "Go there.\n"


@pytest.mark.parametrize(
    "href", ["https://a.example/x", "mailto:a@b.example", "tel:+4912", "/x:y", "#a:b"]
)
def test_ordinary_links_stay(href: str):
    assert f"]({href})" in to_markdown(f'<p>Go <a href="{href}">there</a>.</p>')


@pytest.mark.parametrize("hidden", ["\x9b", "\u202e", "\u2066", "\u2069"])
def test_unseen_controls_reach_no_field(hidden: str):
    words = (
        f"The keeper{hidden} of the lock has written down every boat since 1998, and nobody asked."
    )
    head = f"<title>Boats{hidden}</title><meta name=author content='Ann{hidden} Lee'>"
    document = extract(f"{head}<main><p>{words}</p></main>", "https://x.example/a")
    for field in (document.title, document.author, document.text, document.html, document.markdown):
        assert hidden not in field


def test_joiners_of_persian_stay():
    word = "می\u200cروم"
    document = extract(
        f"<title>{word}</title><main><p>من هر روز به مدرسه {word} و برمی\u200cگردم.</p></main>"
    )
    assert word in document.title
    assert word in document.text


def test_what_is_left_of_unseen_characters_inside_marks_is_no_text():
    assert to_markdown("<s># \x1c ") == "~~#~~\n"
    assert extract("<p>The ferry goes at nine.</p><s># \x1c ").markdown

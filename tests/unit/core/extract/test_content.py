"""The strategies in order, and the switches."""

from __future__ import annotations

import json

import pytest
from tests.unit.core.extract.pages import ARTICLE, LONG, URL, source_of

from pageloom import Options, extract
from pageloom.core.extract.content import extract_content, find_content, whole_content
from pageloom.core.extract.vocabulary import HIDDEN

BODY = "".join(f"<p>{text}</p>" for text in LONG)
RICH = (
    "<html lang=en><head><title>The books of the lock</title>"
    '<meta property="article:section" content="Culture"></head><body>'
    '<nav><a href="/n">Nav</a></nav><main><h1>The books of the lock</h1>'
    '<img src="/a.jpg" width=800 height=600 alt="A book">'
    f'<iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe>{BODY}'
    '<p>See <a href="/more">more books of the same kind in the town hall</a> today.</p>'
    "</main></body></html>"
)


def content_of(markup: str, **options: object):
    return extract_content(source_of(markup), Options(**options))


def test_the_blocks_are_the_first_answer():
    content = content_of(ARTICLE)
    assert (content.method, content.fallbacks, content.notes) == ("blocks", (), ())
    assert all(text in content.text for text in LONG)
    assert all(text in content.root.text for text in LONG)


def test_text_and_tree_agree():
    content = content_of(ARTICLE)
    assert "".join(content.text.split()) == "".join(content.root.text.split())


def test_noscript_is_read_where_nothing_else_is():
    content = content_of(f"<div id=app></div><noscript>{BODY}</noscript>")
    assert all(text in content.text for text in LONG)


def test_preloaded_state_replaces_a_nearly_empty_page():
    state = json.dumps({"article": {"body": BODY}})
    content = content_of(f'<p>Loading</p><script type="application/json">{state}</script>')
    assert content.method == "preload"
    assert content.fallbacks
    assert "Loading" not in content.text
    assert content.root.select("p")


def test_preloaded_state_does_not_replace_a_full_page():
    state = json.dumps({"article": {"body": "Hidden words of no use to anybody. " * 80}})
    more = "<p>And once more, in other words, all of what was said about the books before.</p>"
    content = content_of(f'{BODY}{more * 2}<script type="application/json">{state}</script>')
    assert "Hidden words" not in content.text


def test_whatever_can_be_seen_is_the_last_resort():
    content = content_of("<nav><p>Menu of the whole site, with nothing below it to read.</p></nav>")
    assert content.method == "visible-text"
    assert "Menu of the whole site" in content.text
    assert content.fallbacks


def test_a_clean_short_page_does_not_lose_to_its_navigation():
    menu = "".join(f"<a href=/{n}>A long entry of the menu number {n}</a> " for n in range(30))
    content = content_of(f"<nav>{menu}</nav><main><p>{LONG[0]}</p></main>")
    assert content.text == LONG[0]


def test_without_any_text_there_is_an_empty_content_with_a_note():
    content = content_of("<script>x()</script><img src=a.png>")
    assert (content.text, content.method) == ("", "none")
    assert content.notes == ("the page has no visible text",)


def test_switched_off_fallbacks_leave_the_first_answer():
    content = content_of(
        "<nav><p>Menu only, of a site that has nothing else.</p></nav>", enable_fallbacks=False
    )
    assert content.text == ""
    state = json.dumps({"article": {"body": BODY}})
    page = f'<p>Loading</p><script type="application/json">{state}</script>'
    assert content_of(page, enable_fallbacks=False).text == "Loading"


def test_whole_content_keeps_everything():
    source = source_of(ARTICLE)
    content = whole_content(source.tree, "plain")
    assert content.method == "plain"
    assert "Copyright" in content.text
    assert whole_content(source_of("").tree, "plain").text == ""


def test_every_block_can_be_explained():
    blocks = content_of(ARTICLE, explain=True).traces
    assert {"Sport", LONG[0], "Copyright, all rights reserved."} <= {block.text for block in blocks}
    by_text = {block.text: block for block in blocks}
    assert by_text[LONG[0]].kept
    assert not by_text["Sport"].kept
    assert by_text[LONG[0]].score > by_text["Sport"].score
    assert all(0 <= block.score <= 1 and block.reasons and block.path for block in blocks)
    assert by_text[LONG[0]].path.endswith("article > p")


def test_nothing_is_explained_unasked():
    assert content_of(ARTICLE).traces == ()


@pytest.mark.parametrize(
    ("option", "fields"),
    [
        ("enable_markdown", ("markdown",)),
        ("extract_links", ("links",)),
        ("extract_media", ("images", "media", "hero_image")),
        ("extract_categories", ("categories",)),
    ],
)
def test_a_part_that_is_switched_off_is_empty(option: str, fields: tuple[str, ...]):
    on = extract(RICH, URL)
    off = extract(RICH, URL, options=Options(**{option: False}))
    for field in fields:
        assert getattr(on, field)
        assert not getattr(off, field)
    assert off.text == on.text


def test_languages_are_not_guessed_when_switched_off():
    page = f"<title>The books</title>{BODY}"
    assert extract(page, URL).language == "en"
    assert extract(page, URL, options=Options(detect_language=False)).language == ""


def test_an_option_changes_only_its_own_fields():
    on = extract(RICH, URL).to_dict()
    off = extract(RICH, URL, options=Options(extract_links=False)).to_dict()
    changed = {name for name in on if on[name] != off[name]}
    assert changed <= {"links", "change_hash"}


def test_the_words_of_pictures_stand_in_the_text_on_request():
    assert "A book" not in extract(RICH, URL).text
    assert "A book" in extract(RICH, URL, options=Options(image_alt_in_text=True)).text


def test_what_is_hidden_is_found_among_things_with_a_type_but_not_the_body_itself():
    page = (
        "<body style='display:none' itemscope itemtype='https://schema.org/WebPage'>"
        "<div itemtype='https://schema.org/Offer' hidden><p>One</p></div>"
        "<div itemtype='https://schema.org/Article'><p>Two</p></div>"
        "<div aria-hidden=true><p>Three</p></div>"
    )
    found = find_content(source_of(page))
    holders = found.chosen.page.holders
    hidden = [
        element
        for element, flags in zip(holders.elements, holders.flags, strict=True)
        if flags & HIDDEN
    ]
    assert [element.text for element in hidden] == ["One", "Three"]

"""Empty, huge, binary and hostile content: a Document or a named error, always."""

from __future__ import annotations

import pytest

from pageloom import (
    Document,
    EmptyContent,
    LowQuality,
    NoContentFound,
    Options,
    OversizedContent,
    PageloomError,
    UnsupportedContent,
    extract,
)

URL = "https://limits.example/page"
MANY = 30_000
SENTENCE = "The ferry leaves at nine and nobody waits for those who are late. "
LINE = f"<p>{SENTENCE}</p>"


@pytest.mark.parametrize("content", [b"", "", b" \n\t ", "\u00a0 \n", "\ufeff", b"\xef\xbb\xbf \n"])
def test_nothing_is_empty_content(content: bytes | str):
    with pytest.raises(EmptyContent) as caught:
        extract(content, URL)
    assert caught.value.suggestions


@pytest.mark.parametrize(
    "content",
    [
        b"\x00" * 10,
        "\x00" * 10,
        b"\x00\x01\x02\x03" * 100,
        b"\x01\x00\x02\x00\x03\x00" * 100,
    ],
)
def test_only_control_characters_are_a_named_error(content: bytes | str):
    with pytest.raises((EmptyContent, UnsupportedContent)):
        extract(content, URL)


@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00\x00\x00\x01\x00\x08\x06\x00\x00\x00",
        b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00",
        b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04",
        b"PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00",
        b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00>\x00",
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcbH\xcd\xc9\xc9\x07\x00",
    ],
    ids=["png", "jpeg", "gif", "zip", "elf", "gzip"],
)
def test_files_that_are_no_pages_are_unsupported(body: bytes):
    with pytest.raises(UnsupportedContent):
        extract(body, URL, content_type="text/html")


def test_one_byte_too_much_is_refused_with_its_figures():
    with pytest.raises(OversizedContent) as caught:
        extract(b" " * 10_000_001, URL)
    figures = caught.value.figures
    assert (figures["size"], figures["maximum"]) == (10_000_001, 10_000_000)
    assert caught.value.to_dict()["suggestions"]


def test_exactly_the_limit_is_read():
    start = b"<p>" + SENTENCE.encode() + b"</p><!--"
    body = start + b"x" * (10_000_000 - len(start) - 3) + b"-->"
    assert len(body) == 10_000_000
    assert SENTENCE.strip() in extract(body, URL).text


def test_the_limit_counts_bytes_of_text_too():
    with pytest.raises(OversizedContent):
        extract("ü" * 600, URL, options=Options(max_content_length=1_000))
    assert extract("u" * 600, URL, options=Options(max_content_length=1_000)).text


def attempt(content: str, url: str) -> Document | None:
    try:
        return extract(content, url, content_type="text/html")
    except PageloomError as error:
        trouble = error
    assert trouble.code != "InternalError", trouble.figures
    return None


def nested(tag: str, depth: int) -> str:
    return f"<{tag}>" * depth + SENTENCE + f"</{tag}>" * depth


HOSTILE = {
    "nested divs": lambda: "<p>" + SENTENCE + "</p>" + nested("div", MANY),
    "nested divs, unclosed": lambda: "<div>" * MANY + SENTENCE,
    "nested spans": lambda: nested("span", MANY // 2),
    "nested bold": lambda: nested("b", MANY // 2),
    "bold never closed": lambda: f"<p><b>{SENTENCE}" * 2_000,
    "nested links": lambda: '<a href="/x">' * 20_000 + SENTENCE,
    "nested fonts in paragraphs": lambda: (
        "<p><font size=1><font size=2><i><b>x " * 5_000 + SENTENCE
    ),
    "nested tables": lambda: "<table><tr><td>" * 3_000 + SENTENCE,
    "nested lists": lambda: "<ul><li>" * 30_000 + SENTENCE,
    "nested quotes": lambda: "<blockquote>" * 30_000 + SENTENCE,
    "nested noscript": lambda: "<noscript>" * 20_000 + SENTENCE,
    "nested forms and buttons": lambda: "<form><button>" * 20_000 + SENTENCE,
    "siblings": lambda: LINE + "<p>Word and word.</p>" * MANY,
    "empty siblings": lambda: LINE + "<div></div>" * MANY,
    "line breaks": lambda: SENTENCE + "<br>" * MANY + SENTENCE,
    "attributes on one element": lambda: (
        f"<div {' '.join(f'a{i}=1' for i in range(MANY))}>{SENTENCE}</div>"
    ),
    "attributes on many elements": lambda: (
        f'<p class="a" id=b title=c data-d=e>{SENTENCE}</p>' * (MANY // 40)
    ),
    "classes on one element": lambda: (
        f'<div class="{" ".join(f"c{i}" for i in range(MANY))}">{SENTENCE}</div>'
    ),
    "different classes": lambda: "".join(
        f'<p class="k{i}">Some words {i}.</p>' for i in range(10_000)
    ),
    "one long text": lambda: f"<p>{SENTENCE * 25_000}</p>",
    "one long word": lambda: f"<p>{SENTENCE}{'a' * 3_000_000}</p>",
    "one long line of spaces": lambda: f"<p>{SENTENCE}{' ' * 3_000_000}.</p>",
    "one long heading": lambda: f"<h1>{SENTENCE * 20_000}</h1>{LINE}",
    "one long title": lambda: f"<title>{SENTENCE * 20_000}</title>{LINE}",
    "many headings": lambda: f"<h1>{SENTENCE}</h1>" * 20_000,
    "many announcements": lambda: LINE + "<p>Related stories</p>" * 20_000,
    "many images": lambda: LINE + '<img src="/a.png" alt="x">' * 20_000,
    "many figures": lambda: (
        f"<figure><img src=a.png><figcaption>{SENTENCE}</figcaption></figure>" * 5_000
    ),
    "many links": lambda: LINE + '<a href="/a?b=c&utm_source=d">link text</a> ' * 20_000,
    "many cells": lambda: "<table>" + f"<tr>{'<td>cell one</td>' * 50}</tr>" * 400 + "</table>",
    "huge colspan": lambda: f"<table><tr><td colspan=1000000000>{SENTENCE}</td></tr></table>",
    "many metas": lambda: '<meta name="author" content="Ann Lee">' * 50_000 + LINE,
    "many scripts": lambda: "<script>window.a = {};</script>" * 20_000 + LINE,
    "deep json state": lambda: f"<script>window.a = {'[' * MANY}{']' * MANY}</script>{LINE}",
    "deep json-ld": lambda: f'<script type="application/ld+json">{"[" * MANY}</script>{LINE}',
    "open string in a state": lambda: (
        '<script>window.a = {"a": "' + "\\" * 500_000 + "</script>" + LINE
    ),
    "escaped quotes in a state": lambda: (
        "<script>window.a = {" + '"\\' * 200_000 + "</script>" + LINE
    ),
    "many assignments": lambda: f"<script>{'window.a=[' * 50_000}</script><p>short</p>",
    "many assignments of text": lambda: (
        f"<script>{'window.a={' * 20_000}{'}' * 20_000}</script><p>short</p>"
    ),
    "deep preloaded": lambda: f'<p data-preloaded="{"[" * MANY}">{SENTENCE}</p>',
    "unclosed everything": lambda: (
        "<html><body><div><table><tr><td><ul><li><a href=x><b><i><p>" * 2_000 + SENTENCE
    ),
    "stray end tags": lambda: "</div></p></b></table></a>" * 20_000 + LINE,
    "open comment": lambda: f"{LINE}<!--" + "-" * 500_000,
    "open tag": lambda: f"{LINE}<div " + "a " * 500_000,
    "open attribute": lambda: f'{LINE}<a href="' + "x" * 1_000_000,
    "entities": lambda: f"<p>{SENTENCE}{'&amp;' * MANY}{'&' * MANY}</p>",
    "NUL bytes": lambda: f"<p>{SENTENCE}\x00</p>\x00<\x00p\x00>" * 1_000,
    "lone surrogates": lambda: f"<p>{SENTENCE}\ud800 \udfff</p><a href='/\ud800'>\udc00</a>" * 100,
    "right-to-left marks": lambda: f"<p>{SENTENCE}{chr(0x202E) * MANY}</p>",
    "combining marks": lambda: f"<p>{SENTENCE}a{chr(0x301) * MANY}</p>",
    "selects": lambda: "<select><option>one two three" * 20_000 + f"</select>{LINE}",
    "templates": lambda: "<template><p>x" * 10_000 + f"</template>{LINE}",
    "svg and math": lambda: "<svg><foreignObject><math><mi>" * 10_000 + SENTENCE,
    "definition lists": lambda: f"<dl>{'<dt>term<dd>what it means' * 8_000}</dl>{LINE}",
    "pre": lambda: f"<pre>{'<span>a</span> ' * 50_000}</pre>{LINE}",
    "repeats": lambda: f"<div>{LINE * 15_000}</div>",
    "series of series": lambda: (
        "<div class=a>" + "<div class=b><p>One two three.</p></div>" * 12_000 + "</div>"
    ),
    "hidden parts": lambda: f"<div hidden style='display:none'>{SENTENCE}</div>" * 10_000,
    "base and frames": lambda: "<base href='http://['><frameset><frame src=x></frameset>" + LINE,
}


SWALLOWED = {"selects", "templates", "svg and math", "base and frames"}
"""By the rules of HTML what follows is inside something that is never shown."""


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_markup_gives_a_document_or_a_named_error(name: str):
    document = attempt(HOSTILE[name](), URL)
    if document is None:
        return
    assert Document.from_dict(document.to_dict()) == document
    assert document.text or name in SWALLOWED


def test_what_lies_too_deep_is_flattened_and_told():
    document = extract(HOSTILE["nested divs"](), URL)
    assert document.text.count(SENTENCE.strip()) == 1
    assert any("flattened" in warning for warning in document.provenance.warnings)


def test_a_page_over_the_node_budget_is_cut_and_told():
    page = "<p>Some words stand here.</p>" * 2_000
    document = extract(page, URL, options=Options(max_nodes=500))
    assert 0 < document.word_count < 2_000
    assert any("500 nodes" in warning for warning in document.provenance.warnings)


def test_a_page_without_a_html_tag_is_no_error():
    assert extract(f"{SENTENCE}<p>{SENTENCE}", URL).text


def test_bytes_need_no_url():
    document = extract(f"<p>{SENTENCE}</p>".encode())
    assert (document.id, document.url, document.final_url) == ("", "", "")


@pytest.mark.parametrize(
    "url", ["", "not a url", "ftp://x.example/", "http://", "//x", "http://[", "\ud800"]
)
def test_a_bad_address_is_a_named_error_or_no_obstacle(url: str):
    document = attempt(f"<p>{SENTENCE}</p><a href='/x'>x</a>", url)
    assert document is None or SENTENCE.strip() in document.text


def test_strictness_refuses_a_page_with_hardly_any_text():
    with pytest.raises(NoContentFound) as caught:
        extract("<p>Hello.</p>", URL, options=Options(strict=True))
    assert caught.value.figures["minimum"] == 50


def test_strictness_refuses_a_poor_page():
    page = f"<p>{SENTENCE}</p>"
    with pytest.raises(LowQuality) as caught:
        extract(page, URL, options=Options(strict=True, min_quality_score=90))
    assert caught.value.figures["minimum"] == 90
    assert caught.value.figures["score"] < 90
    assert extract(page, URL, options=Options(min_quality_score=90)).text


def test_strictness_lets_a_good_page_pass():
    page = "<title>Ferries</title><h1>Ferries</h1>" + f"<p>{SENTENCE * 4}</p>" * 10
    assert extract(page, URL, options=Options(strict=True)).quality_score >= 30

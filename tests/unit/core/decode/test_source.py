"""Stage 1 as a caller sees it: a Source, or an error that says what is wrong."""

from __future__ import annotations

import pytest

from pageloom.core.decode.source import decode
from pageloom.core.options import Options
from pageloom.errors import EmptyContent, OversizedContent, UnsupportedContent


def body_of(source):
    return " ".join(source.tree.select_one("body").text.split())


def test_a_page_becomes_a_tree():
    source = decode("<title>T</title><p>Grüße".encode(), url="https://a.example/")
    assert (source.media_type, source.charset, source.url) == (
        "text/html",
        "utf-8",
        "https://a.example/",
    )
    assert source.size == len("<title>T</title><p>Grüße".encode())
    assert body_of(source) == "Grüße"
    assert source.text == ""


@pytest.mark.parametrize("content", [b"", "", b" \n\t ", "\u00a0\n", b"\0\0\0", "\0", "\ufeff"])
def test_nothing_is_empty_content(content):
    with pytest.raises(EmptyContent) as caught:
        decode(content, url="https://a.example/")
    assert caught.value.stage == "decode"


@pytest.mark.parametrize(
    ("content", "maximum", "size"), [(b"x" * 11, 10, 11), ("x" * 11, 10, 11), ("ä" * 6, 10, 12)]
)
def test_too_much_is_refused_with_figures(content, maximum, size):
    with pytest.raises(OversizedContent) as caught:
        decode(content, options=Options(max_content_length=maximum))
    assert caught.value.figures == {"size": size, "maximum": maximum}


def test_the_limit_itself_is_allowed():
    assert decode("ä" * 5, options=Options(max_content_length=10)).size == 10


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"%PDF-1.7\n%\xe2\xe3", "a PDF document"),
        ("%PDF-1.7 as text", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a PNG image"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG image"),
        (b"GIF89a\1\0", "a GIF image"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "a WebP image"),
        (b"PK\x03\x04\x14\0", "a ZIP archive"),
        (b"\x1f\x8b\x08\0", "gzip-compressed data"),
        (b"wOF2\0\1\0\0", "a web font"),
        (b"\0\0\0\x20ftypisom\0\0", "an MP4 video"),
        (b"ID3\x03\0\0", "an MP3 recording"),
        (b"\x7fELF\2\1\1", "a program"),
        (bytes(range(32)) * 10, "binary data"),
    ],
)
def test_binary_content_is_refused_by_name(content, kind):
    with pytest.raises(UnsupportedContent) as caught:
        decode(content, content_type="text/html")
    assert kind in caught.value.message


@pytest.mark.parametrize(
    "text", ["BZh is a prefix", "FWS is short for something", "GIF8 is not it"]
)
def test_text_that_begins_like_a_binary_is_text(text):
    assert body_of(decode(text.encode())) == text


def test_what_is_no_character_is_replaced():
    source = decode("<p>one\0two\ud800three</p>")
    assert body_of(source) == "one\ufffdtwo\ufffdthree"


def test_a_few_zero_bytes_do_not_make_a_page_binary():
    assert "words" in body_of(decode(b"<html><body>\0<p>some words</p>\0</body>"))


def test_depth_and_nodes_are_bounded_by_the_options():
    source = decode("<div>" * 50 + "deep", options=Options(max_depth=10))
    assert body_of(source) == "deep"
    assert any("flattened" in note for note in source.notes)
    assert any(
        "truncated" in note for note in decode("<p>x" * 50, options=Options(max_nodes=20)).notes
    )


def test_plain_text_becomes_paragraphs():
    source = decode("First line\nstill first.\n\nSecond <b> & more.\nhttps://a.example/x.")
    assert source.media_type == "text/html"
    source = decode("First line\nstill first.\n\nSecond & more: https://a.example/x.")
    assert source.media_type == "text/plain"
    assert [p.text for p in source.tree.select("p")] == [
        "First line\nstill first.",
        "Second & more: https://a.example/x.",
    ]
    assert source.tree.select_one("a").attr("href") == "https://a.example/x"
    assert source.text.startswith("First line")


def test_markdown_becomes_structure():
    source = decode(
        "---\ntitle: x\n---\n# Head\n\n- one\n- [two](/2)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    assert source.media_type == "text/markdown"
    assert source.tree.select_one("h1").text == "Head"
    assert [item.text for item in source.tree.select("li")] == ["one", "two"]
    assert len(source.tree.select("td")) == 2
    assert "title: x" not in body_of(source)


def test_unknown_xml_keeps_its_structure():
    source = decode(
        '<?xml version="1.0"?><book><title>Trees</title><chapter><title>Oak</title>'
        "<para>An <emphasis>old</emphasis> tree &amp; more.</para>"
        '<para>See <ulink url="https://a.example/">this</ulink>.</para></chapter></book>'
    )
    assert source.media_type == "application/xml"
    assert [h.text for h in source.tree.select("h2")] == ["Trees", "Oak"]
    assert [p.text for p in source.tree.select("p")] == ["An old tree & more.", "See this."]
    assert source.tree.select_one("a").attr("href") == "https://a.example/"


def test_a_site_map_is_readable():
    source = decode(
        '<?xml version="1.0"?><urlset xmlns="x"><url><loc>https://a.example/1</loc>'
        "<lastmod>2026-01-02</lastmod></url></urlset>"
    )
    assert body_of(source) == "https://a.example/1 2026-01-02"


def test_json_is_readable():
    source = decode('{"name": "Oak", "facts": {"height_m": 30, "leaves": ["green", "lobed"]}}')
    assert source.media_type == "application/json"
    assert body_of(source) == "name: Oak facts height m: 30 leaves: green leaves: lobed"


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"a": ' + "9" * 100_000 + "}",
        '{"a": 1e99999999}',
        '{"a": 1, "a": 2}',
        '{"a": "\\ud800"}',
        '{"a": 1,}',
    ],
    ids=["deep", "brackets", "digits", "exponent", "twice", "surrogate", "comma"],
)
def test_hostile_json_is_harmless(text):
    assert decode(text).media_type == "application/json"


def test_entities_of_a_document_are_not_expanded():
    bomb = (
        '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">'
        '<!ENTITY f SYSTEM "file:///etc/hostname">]><r>one &b; two &f; three</r>'
    )
    assert body_of(decode(bomb)) == "one &b; two &f; three"

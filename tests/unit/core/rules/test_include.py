"""What a rule includes comes back where it belongs, once, and clean."""

from __future__ import annotations

from tests.unit.core.rules.helpers import PARAGRAPHS, page, read

URL = "https://site.example/a/story"


def included(body: str, rest: str = "include: [.box]") -> list[str]:
    """The lines of the text of a page whose article is ``.main``, with something included."""
    scope = "selector_overrides: {article: .main}"
    rules = f"- id: r\n  trigger: {{host: {{equals: site.example}}}}\n  {scope}\n  {rest}\n"
    document = read(page(body), rules)
    assert "include" in {edit.what for edit in document.provenance.edits} or "box" not in body
    return [line for line in document.text.split("\n") if line]


def story(*parts: str) -> str:
    return "".join(part if part.startswith("<") else f"<p>{part}</p>" for part in parts)


A, B, C, D = PARAGRAPHS
BOX = "<aside class=box><p>Facts: eleven boxes in use</p></aside>"
FACTS = "Facts: eleven boxes in use"


def at(lines: list[str]) -> list[str]:
    names = {A: "A", B: "B", C: "C", D: "D", FACTS: "box"}
    return [names.get(line, line) for line in lines]


def test_beside_the_text_of_its_neighbours():
    # the neighbours stand twice: beside the box, and in the article
    body = (
        f"<div class=main>{story(A, B, C, D)}</div><div class=copy>{story(B)}{BOX}{story(C)}</div>"
    )
    assert at(included(body)) == ["A", "B", "box", "C", "D"]


def test_before_the_text_that_follows_where_nothing_known_comes_before():
    body = f"<div class=main>{story(A, B, C, D)}</div><div class=copy>{BOX}{story(C)}</div>"
    assert at(included(body)) == ["A", "B", "box", "C", "D"]


def test_among_the_siblings_it_had():
    # what is beside the box loses a part of its text, so that only its place tells
    one, two = (f"<div>{story(text)}<i class=gone>not wanted</i></div>" for text in (B, C))
    nav = f"<nav class=box><p>{FACTS}</p></nav>"
    body = f"<div class=main>{story(A)}{one}{nav}{two}{story(D)}</div>"
    lines = included(body, "include: [.box]\n  remove: [.gone]")
    assert at(lines) == ["A", "B", "box", "C", "D"]


def test_after_the_nearest_heading_before_it_not_the_last_one():
    body = (
        f"<div class=main>{story(A)}<h2>On the wall</h2>{story(B, C)}<h2>In the end</h2>{story(D)}</div>"
        f"<div class=x><h2>On the wall</h2><div>{BOX}</div></div><h2>In the end</h2>"
    )
    lines = at(included(body))
    assert lines[lines.index("On the wall") + 1] == "box"


def test_at_the_end_where_nothing_else_is_known():
    body = f"<div class=main>{story(A, B, C, D)}</div><div>{BOX}</div>"
    assert at(included(body.replace("<div>", "<section>").replace("</div></div>", "")))[-1] == "box"


def test_several_keep_their_order():
    boxes = "".join(f"<div class=box><p>Box number {n} of the page</p></div>" for n in (1, 2, 3))
    body = f"<div class=main>{story(A, B)}</div><div class=copy>{story(A)}{boxes}</div>"
    assert at(included(body)) == [
        "A",
        "Box number 1 of the page",
        "Box number 2 of the page",
        "Box number 3 of the page",
        "B",
    ]


def test_never_twice_if_extraction_kept_it():
    body = f"<div class=main>{story(A, B)}<div class=box>{story(C)}</div>{story(D)}</div>"
    rules = "- id: r\n  trigger: {dom: {any: [.main]}}\n  include: [.box]\n"
    document = read(page(body), rules)
    assert document.text.count(C) == 1
    assert document.provenance.edits == ()


def test_never_twice_if_the_same_text_is_there_already():
    body = f"<div class=main>{story(A, B, C, D)}</div><div class=mobile><div class=box>{story(C)}</div></div>"
    rules = "- id: r\n  trigger: {dom: {any: [.main]}}\n  selector_overrides: {article: .main}\n  include: [.box]\n"
    assert read(page(body), rules).text.count(C) == 1


def test_cleaned_by_the_same_removals():
    box = BOX.replace("</aside>", "<p class=ad>Buy rope by the metre</p></aside>")
    body = f"<div class=main>{story(A, B)}</div><div class=copy>{story(A)}{box}</div>"
    lines = at(included(body, "include: [.box]\n  remove: ['.copy .ad']"))
    assert lines == ["A", "box", "B"]


def test_scripts_do_not_come_back():
    box = BOX.replace("</aside>", "<script>alert(1)</script><img src=x onerror=alert(1)></aside>")
    body = f"<div class=main>{story(A, B)}</div><div class=copy>{story(A)}{box}</div>"
    rules = "- id: r\n  trigger: {dom: {any: [.main]}}\n  selector_overrides: {article: .main}\n  include: [.box]\n"
    document = read(page(body), rules)
    assert FACTS in document.text
    assert "alert" not in document.html + document.text + document.markdown


def test_an_included_picture_comes_back():
    body = f"<div class=main>{story(A, B)}</div><div class=copy>{story(A)}<figure class=box><img src=/w.jpg width=600 height=400 alt=Wall></figure></div>"
    rules = "- id: r\n  trigger: {dom: {any: [.main]}}\n  selector_overrides: {article: .main}\n  include: [.box]\n"
    document = read(page(body), rules)
    assert [image.url for image in document.images] == ["https://site.example/w.jpg"]
    assert document.markdown.index("w.jpg") < document.markdown.index(B[:30])


def test_what_is_around_the_content_may_be_included_whole():
    body = f"<main class=box><h1>Swifts return</h1><p>Teaser</p><div class=main>{story(A, B)}</div></main>"
    rules = "- id: r\n  trigger: {dom: {any: [.main]}}\n  selector_overrides: {article: .main}\n  include: [.box]\n"
    document = read(page(body), rules)
    assert document.text.count(A) == 1
    assert "Teaser" in document.text


def test_post_rules_include_from_the_page_too():
    body = f"<div class=main>{story(A, B, C)}</div><div class=copy>{story(A)}<nav class=box><p>{FACTS}</p></nav></div>"
    rules = "- id: r\n  phase: post\n  trigger: {host: {equals: site.example}}\n  include: [.box]\n"
    assert FACTS in read(page(body), rules).text


def test_post_rules_include_what_is_around_the_content_whole():
    menu = "<nav><ul><li><a href=/fares>Fares and seats</a></li></ul></nav>"
    body = f"<div class=box>{menu}<div class=main>{story(A, B, C)}</div></div>"
    rules = "- id: r\n  phase: post\n  trigger: {host: {equals: site.example}}\n  include: [.box]\n"
    document = read(page(body), rules)
    assert "Fares and seats" in document.text
    assert document.text.count(A) == 1


def test_an_include_that_finds_nothing_is_no_error():
    rules = "- id: r\n  trigger: {host: {equals: site.example}}\n  include: [.nowhere]\n"
    assert A in read(page(f"<div class=main>{story(A, B)}</div>"), rules).text

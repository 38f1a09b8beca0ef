"""The workbench: an element is pointed at, a rule is made of it, proven, kept, and taken back."""

from __future__ import annotations

import re
from html import unescape

import pytest
from tests.web.test_browser import HOSTILE, chrome, tab, violations

from pageloom.errors import RuleError
from pageloom.library import open_library

__all__ = ["chrome"]
HOST = "https://quay.example"
BOX = "The harbour shop has postcards of every bird that was ever seen from the quay."
NO_BOX = """
- id: quay.example
  trigger: {host: {equals: quay.example}}
  remove: ["xpath://div[h3[normalize-space()='Letters from the quay']]"]
"""


def story(number: int, name: str, more: str = "") -> str:
    """A page with a box that does not belong to its text, named anew by every build."""
    return f"""<html><head><title>Story {number}</title></head><body><main><div class="a{name}">
<h1>Story {number}</h1>
<p>The harbour master counted forty swifts over the old granary on evening {number} of May.</p>
<div class="box-{name}"><h3>Letters from the quay</h3><p>{BOX}</p></div>
<p>Nobody had expected the birds to come back so soon after the roof was mended, {number}.{more}</p>
<p>The granary has stood empty since the winter of the great ice, and its doors are open.</p>
</div></main></body></html>"""


@pytest.fixture(scope="module")
def library(database, server):
    with open_library(database) as opened:
        yield opened


@pytest.fixture(scope="module")
def page(library) -> int:
    """A page in two versions, and two others of its host."""
    for number, name in ((1, "x7Tq2"), (2, "x7Tq2"), (3, "b3Kd9")):
        kept = library.save(f"{HOST}/{number}", content=story(number, name)).saved.page_id
    library.save(f"{HOST}/3", content=story(3, "m2Wz8", " And a word more, of the second version."))
    return kept


def text_of(answer) -> str:
    found = re.search(r'<textarea id="rule"[^>]*>(.*?)</textarea>', answer.text, re.DOTALL)
    assert found, answer.text
    return unescape(found[1]).lstrip("\n")


def test_the_reader_leads_to_the_workbench(browser, page):
    assert f'href="/rules/try?page={page}&amp;v=2"' in browser.get(f"/p/{page}").text
    assert "/rules/try" in browser.get(f"/p/{page}/why").text
    assert "Letters from the quay" in browser.get(f"/rules/try?page={page}").text


def test_a_rule_is_made_proven_kept_and_taken_back_without_javascript(browser, library, page):
    assert BOX in library.document(page).text
    first = browser.get(f"/rules/try?page={page}").text
    block = re.search(r"Letters from the quay</p>.*?name=\"n\" value=\"(\d+)\"", first, re.DOTALL)
    picked = browser.post("/rules/try", page=str(page), n=str(int(block[1]) - 1))
    offered = re.findall(r'name="selector" value="([^"]+)" data-places="([\d ]+)"', picked.text)
    assert unescape(offered[0][0]) == 'div[class*="box-"]'
    assert "the one element on 1 of 1 other version; one on 2, none on 0 of 2 pages" in picked.text
    made = browser.post("/rules/try", page=str(page), do="remove", selector=unescape(offered[0][0]))
    assert f'<del dir="auto">{BOX}</del>' in made.text
    proven = browser.post("/rules/try", page=str(page), do="prove", text=text_of(made))
    assert "0 worse, 2 better, 0 the same." in proven.text
    kept = browser.post("/rules/try", page=str(page), do="keep", text=text_of(made))
    assert (kept.status, kept.headers["location"]) == (303, "/rules?kept=quay.example")
    assert BOX not in library.document(page).text
    assert BOX not in library.document(f"{HOST}/1").text
    assert BOX not in library.save(f"{HOST}/4", content=story(4, "k9Lm3")).document.text
    assert [one.passed for one in library.test_user_rules()] == [True]
    assert "quay.example" in browser.get("/rules?kept=quay.example").text
    assert "remove:" in browser.get("/rules/try?rule=quay.example").text
    assert browser.post("/rules/remove", name="quay.example").status == 303
    assert BOX in library.document(page).text
    assert library.user_rules() == []


def test_a_rule_applies_to_the_pages_of_its_owner_alone(database, library, page):
    library.keep_rule(page, NO_BOX)
    try:
        with open_library(database, "ann") as ann:
            saved = ann.save(f"{HOST}/3", content=story(3, "x7Tq2"))
            assert BOX in ann.document(saved).text
            assert ann.user_rules() == []
    finally:
        library.remove_rule("quay.example")


def test_a_watch_is_read_with_the_rules_of_its_owner(database, library, page):
    context = library.context.check_context()
    shared = context.rules_version
    library.keep_rule(page, NO_BOX)
    try:
        assert context.for_owner("local").rules_version != shared
        assert context.for_owner("ann").rules_version == shared
    finally:
        library.remove_rule("quay.example")
    assert context.for_owner("local").rules_version == shared


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- id: x\n  remvoe: [p]\n", "Line 2 <code>remvoe</code>"),
        ("- id: x\n  trigger: {host: {equals: a}}\n  remove: ['p[']", "Line 3"),
        ("- [", "Line 2"),
        ("- id: '../../etc/passwd\x00'\n  trigger: {host: {equals: a}}", "alert"),
        ("- {id: a, trigger: {host: {equals: a}}}\n- {id: b, trigger: {host: {equals: a}}}", "one"),
    ],
)
def test_mistakes_are_shown_by_line_and_nothing_is_kept(browser, library, page, text, said):
    assert said in browser.post("/rules/try", page=str(page), text=text).text or said == "alert"
    kept = browser.post("/rules/try", page=str(page), text=text, do="keep")
    assert kept.status == 422, kept.text
    assert 'role="alert"' in kept.text
    assert library.user_rules() == []


def test_a_rule_that_does_nothing_or_harms_other_pages_is_not_kept(library, page):
    idle = NO_BOX.replace("Letters from the quay", "Nothing of the kind")
    with pytest.raises(RuleError, match="changes nothing"):
        library.keep_rule(page, idle)
    long = "".join(f"<p>Only here, line {n} of the long story of the quay.</p>" for n in range(9))
    other = f"<main><div class='y'>{long}</div><p>The second half of it, which is not long.</p>"
    library.save(f"{HOST}/other", content=f"<title>Other</title>{other}</main>")
    harmful = NO_BOX.replace("]\n", ", 'div.y']\n")
    with pytest.raises(RuleError, match="makes 1 of your other pages worse"):
        library.keep_rule(page, harmful)
    assert library.keep_rule(page, harmful, anyway=True).name == "quay.example"
    library.remove_rule("quay.example")


def test_selectors_that_would_take_for_ever_end_in_time(browser, page):
    slow = "xpath://*[//*[//*[//*[//a]]]]"
    answer = browser.post("/rules/try", page=str(page), own=slow)
    assert "cannot be read" in answer.text
    rule = f"- id: x\n  trigger: {{host: {{equals: quay.example}}}}\n  remove: ['{slow}']"
    assert "whole page" in browser.post("/rules/try", page=str(page), text=rule).text


def test_pointing_at_an_element_in_the_frame_offers_selectors(chrome, server, browser, page):
    with tab(chrome, server, browser) as opened:
        opened.goto(f"{server.origin}/rules/try?page={page}")
        frame = opened.frame_locator("iframe.picker")
        frame.get_by_text("Letters from the quay").click()
        offered = opened.locator("#picked input[name=selector]")
        offered.first.wait_for()
        assert frame.locator(".shown").inner_text() == "Letters from the quay"
        frame.locator("body").press("ArrowUp")
        frame.locator("body").press("Enter")
        opened.locator("#picked legend", has_text="The div element").wait_for()
        assert offered.first.get_attribute("value") == 'div[class*="box-"]'
        opened.get_by_role("button", name="Leave it out").click()
        opened.locator("del", has_text=BOX).wait_for()
        assert "box-" in opened.get_by_role("textbox", name="The rule").input_value()
        opened.get_by_label("Or your own selector").fill("h1")
        opened.get_by_label("Or your own selector").press("Tab")
        opened.get_by_text("The selector finds 1 element here.").wait_for()
        assert frame.locator(".shown").inner_text() == "Story 3"
        assert opened.trouble == []


def test_a_hostile_page_in_the_frame_does_nothing(chrome, server, browser, library):
    number = library.save("https://evil.example/", content=HOSTILE).saved.page_id
    answer = browser.get(f"/rules/frame?page={number}")
    policy = answer.headers["content-security-policy"]
    assert "sandbox allow-scripts;" in policy + ";"
    assert "allow-same-origin" not in policy
    assert "default-src 'none'" in policy
    shown = answer.text.partition("<main>")[2].partition("</main>")[0]
    assert set(re.findall(r"<\w+( [^>]*)?>", re.sub(r' data-n="\d+"', "", shown))) <= {
        "",
        ' class="picture"',
    }
    assert not re.search(r"<(?:img|svg|form|input|iframe|video|link|script|style|a)\b", shown)
    with tab(chrome, server, browser) as opened:
        opened.goto(f"{server.origin}/rules/try?page={number}")
        frame = opened.frame_locator("iframe.picker")
        frame.get_by_text("A paragraph that is long enough").click()
        opened.locator("#picked input[name=selector]").first.wait_for()
        inside = next(each for each in opened.frames if "/rules/frame" in each.url)
        assert inside.evaluate("origin") == "null"
        assert inside.evaluate("try{document.cookie}catch(e){e.name}") == "SecurityError"
        assert opened.trouble == []
        opened.evaluate("postMessage({pageloom: 'picked', n: 1}, '*')")
        assert opened.locator("#picked legend").inner_text().startswith("The p element")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_workbench_in_the_middle_of_work_is_accessible(chrome, server, browser, page, scheme):
    with tab(chrome, server, browser, bypass_csp=True, color_scheme=scheme) as opened:
        opened.goto(f"{server.origin}/rules/try?page={page}")
        opened.get_by_role("button", name="Choose block 3").click()
        opened.get_by_role("button", name="Leave it out").click()
        opened.get_by_role("button", name="Prove it on other pages").click()
        for width in (360, 768, 1280, 1920):
            opened.set_viewport_size({"width": width, "height": 900})
            assert violations(opened) == [], width
            wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            assert not opened.evaluate(wide), width

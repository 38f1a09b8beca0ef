"""Bad rules: a clear message with file, line and field; the others go on; nothing hangs."""

from __future__ import annotations

import pytest

import pageloom
from pageloom.core.dom import SelectorError, parse
from pageloom.core.rules.book import RuleBook
from pageloom.core.rules.load import load_rules
from pageloom.core.rules.patterns import PatternError, compile_pattern, replace_text, substitute
from pageloom.core.rules.schema import DomSpec, RuleSpec, TriggerSpec
from pageloom.core.rules.selectors import Look, read_selector

GOOD = "- id: good\n  trigger: {host: {equals: a.example}}\n  remove: [p]\n"


@pytest.mark.parametrize(
    ("text", "line", "field", "message"),
    [
        ("  trigger: {host: {equal: x.com}}", 5, "trigger.host.equal", "unknown key equal"),
        ("  colour: red", 5, "colour", "unknown key colour"),
        ("  phase: later", 5, "phase", "later is not one of"),
        ("  priority: high", 5, "priority", "expected a whole number, not text"),
        ("  remove: ['p[']", 5, "remove[0]", "is not a valid selector"),
        ("  remove:\n    - p\n    - 'xpath://p[contains(@a)]'", 7, "remove[1]", "takes 2 arguments"),
        ("  remove: ['xpath://p[foo(.)]']", 5, "remove[0]", "is not a valid selector"),
        ("  trigger: {host: {equals: x.com}, path: {matches: '('}}", 5, "trigger.path.matches", "not a valid regular expression"),
        ("  replace: [{find: '(?=a)b', with: x, regex: true}]", 5, "replace[0].find", "look-around is not supported"),
        (r"  replace: [{find: '(a)\1', with: x, regex: true}]", 5, "replace[0].find", "back-references"),
        (r"  replace: [{find: '(a)', with: '\2', regex: true}]", 5, "replace[0].with", "uses group 2"),
        ("  metadata: {colour: {selector: p}}", 5, "metadata.colour", "unknown field colour"),
        ("  metadata: {published: {selector: p, timezone: Mars/Base}}", 5, "metadata.published", "unknown time zone Mars/Base"),
        ("  actions: [{op: move, selector: p}]", 5, "actions[0].target", "move needs target"),
        ("  actions: [{op: retag, selector: p, tag: script}]", 5, "actions[0].tag", "would hide its text"),
        ("  actions: [{op: retag, selector: p, tag: 'x y'}]", 5, "actions[0].tag", "is not an element name"),
        ("  actions: [{op: wrap, selector: p, colour: red}]", 5, "actions[0].colour", "wrap takes no colour"),
        ("  actions: [{op: reorder, selector: p, method: sideways}]", 5, "actions[0].method", "is not one of"),
        ("  request: {headers: {Host: evil.example}}", 5, "request.headers.Host", "is set by the connection"),
        ('  request: {headers: {X: "a\\r\\nb"}}', 5, "request.headers.X", "not a valid header"),
        ("  remove: [p]\n  remove: [i]", 6, "", "duplicate key remove"),
        ("  trigger: {host: {equals: x.com}", 6, "", "not valid YAML"),
        ("  remove: !!python/object/apply:os.system [ls]", 5, "", "tags such as"),
        ("  remove: *nothing", 5, "", "is not defined before it is used"),
        ("  remove: &a [*a]", 5, "", "is not defined before it is used"),
    ],
)  # fmt: skip
def test_a_bad_rule_is_named_and_the_others_are_kept(text, line, field, message):
    loaded = load_rules(f"{GOOD}- id: bad\n{text}\n{GOOD.replace('good', 'last')}", "site.yaml")
    assert [spec.id for spec in loaded.specs] == ["good", "last"]
    problem = loaded.problems[0]
    assert problem.file == "site.yaml"
    assert problem.field == field
    assert message in problem.message
    assert problem.line == line
    assert str(problem).startswith(f"site.yaml:{line}: ")


MANY = """
- id: one
  triger: {host: {equals: a.example}}
  remov: [.ad]
  metadata: {titel: h1, author: {selectr: .by}}
  actions: [{op: unwrp, selector: p}, {op: wrap, selector: p, wraper_tag: div}]
- id: two
  trigger: {host: {equls: b.example}, mode: al}
  tests: [{url: "https://a.example/"}, {ur: "https://a.example/"}]
  priority: high
  remove: ["p[", 5]
"""


def test_lint_names_every_mistake_and_what_was_probably_meant():
    problems = load_rules(MANY, lint=True).problems
    found = {(each.line, each.field): each.message.partition("; ") for each in problems}
    assert {place: tail for place, (_, _, tail) in found.items() if tail} == {
        (3, "triger"): "did you mean trigger?",
        (4, "remov"): "did you mean remove?",
        (5, "metadata.titel"): "did you mean title?",
        (5, "metadata.author.selectr"): "did you mean selector?",
        (6, "actions[0].op"): "did you mean unwrap?",
        (6, "actions[1].wraper_tag"): "did you mean wrapper_tag?",
        (8, "trigger.host.equls"): "did you mean equals?",
        (8, "trigger.mode"): "did you mean all?",
        (9, "tests[1].ur"): "did you mean url?",
    }
    assert found[10, "priority"][0] == "expected a whole number, not text"
    assert found[11, "remove[1]"][0] == "expected text, not a whole number"
    assert {each.level for each in problems} == {"error"}


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("remove: [p]", "the rule never matches: it needs a host or dom trigger"),
        ("phase: post\n  trigger: {dom: {any: p}}\n  selector_overrides: {article: p}", "a post rule cannot have selector_overrides"),
        ("phase: post\n  trigger: {dom: {any: p}}\n  replace: [{find: a}]", "a post rule cannot replace source text"),
        ("trigger: {dom: {any: p}}\n  actions: [{op: explode, selector: p}]", "unknown action explode"),
        ("trigger: {dom: {none: p}}\n  remove: [i]", "the rule never matches: it needs a host or dom trigger"),
    ],
)  # fmt: skip
def test_lint_knows_what_makes_no_sense(rest, message):
    loaded = load_rules(f"- id: r\n  {rest}\n", lint=True)
    errors = [each.message for each in loaded.problems if each.level == "error"]
    assert any(message in error for error in errors)


def test_older_spellings_are_understood_and_lint_says_how_to_write_them_now():
    text = """
- id: old
  trigger: {host: {equals: a.example}}
  rendering: {js_required: true}
  actions:
    remove: [.ad]
    metadata: {author_selector: .by, author_attr: title}
- id: old-attribute
  trigger: {host: {equals: a.example}}
  actions: [{op: remove_attribute, selector: p, attribute: style}]
"""
    loaded = load_rules(text)
    assert loaded.problems == []
    rules = RuleBook(loaded.specs)
    assert rules.request_for("https://a.example/").rendering == "force"
    page = "<p class=by title='Nora Quist'>x</p><p class=ad>Buy</p><p>The text of the page.</p>"
    document = pageloom.extract(page, "https://a.example/", rules=rules)
    assert document.authors == ("Nora Quist",)
    assert "Buy" not in document.text
    advice = [str(each) for each in load_rules(text, lint=True).problems]
    assert all("rules:" in each for each in advice)
    for words in (
        "move remove to the top level",
        "write mode: force",
        "author: {selector",
        "remove_attrs",
    ):
        assert any(words in each for each in advice), words


@pytest.mark.parametrize(
    "bomb",
    [
        "[" * 100_000,
        "- " * 5_000,
        "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n"
        "d: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e]\n",
        "{? [a] : b}",
        "x" * 6_000_000,
        "\0",
        "--- a\n--- b\n",
        "just a word",
    ],
    ids=lambda text: text[:12],
)
def test_yaml_bombs_and_nonsense_are_a_message(bomb):
    loaded = load_rules(bomb, "bomb.yaml")
    assert loaded.specs == []
    assert loaded.problems[0].file == "bomb.yaml"


def test_aliases_work_within_reason():
    loaded = load_rules(
        "- {id: a, trigger: {host: {equals: a.example}}, remove: &ads [.ad, .promo]}\n"
        "- {id: b, trigger: {host: {equals: b.example}}, remove: *ads}\n"
    )
    assert loaded.specs[1].remove == [".ad", ".promo"]


# nothing hangs: these would take longer than the universe in an engine that goes back and tries


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(.*a){20}$", "([a-z]+)+$", "^(a+)*b"])
def test_no_pattern_can_hang(pattern):
    text = "a" * 200_000 + "!"
    assert compile_pattern(pattern).search(text) is None
    assert substitute(pattern, "x", text) == text


def test_patterns_that_need_too_much_are_refused():
    for pattern in ("a{1000}{1000}", "((a{100}){100}){100}", "x" * 3_000):
        with pytest.raises(PatternError):
            compile_pattern(pattern)


def test_replacements_cannot_fill_the_memory():
    text = "a" * 1_000_000
    assert replace_text("a", "b" * 1_000, text) == text
    assert len(substitute("(a+)", r"\1\1\1\1\1\1\1\1\1\1", text)) <= 7_000_000
    assert len(substitute("a", "b" * 1_900, text)) <= 7_000_000


def test_selectors_that_look_everywhere_from_everywhere_are_refused_or_skipped():
    for selector in (
        "xpath://*[//*[//*[//*[//*]]]]",
        "xpath://*[following::*[following::*[following::*[following::a]]]]",
        "p" * 9_000,
    ):
        with pytest.raises(SelectorError):
            read_selector(selector)


WIDE = parse("<body>" + "<p class=a>x</p>" * 30_000 + "<p class=b>y</p></body>")
DEEP = parse("<body>" + "<div class=a>" * 250 + "<p>x</p>" * 20_000 + "</div>" * 250 + "</body>")


@pytest.mark.parametrize(
    "selector",
    [
        "xpath://p[preceding-sibling::p[@class='z']]",
        "xpath://p[count(//p) = 3]",
        "xpath://p[following::zz]",
        "xpath://*[ancestor::*[descendant::zz]]",
        "body:has(.a ~ .a ~ .a ~ .b ~ .b) p",
        "div:has(div:has(div:has(.zz)))",
        ".zz .a .a .a .a .a .a p",
    ],
)
@pytest.mark.parametrize("tree", [WIDE, DEEP], ids=["wide", "deep"])
def test_a_dear_selector_is_skipped_on_a_page_that_is_too_large_for_it(selector, tree):
    look = Look(tree)
    assert not look.find(read_selector(selector))


def test_what_was_skipped_is_told():
    spec = RuleSpec(
        id="dear",
        trigger=TriggerSpec(dom=DomSpec(any="body")),
        remove=["xpath://p[count(//p) = 3]"],
    )
    page = "<body>" + "<p>The water in the bay went out further.</p>" * 6_000
    document = pageloom.extract(page, "https://a.example/", rules=RuleBook([spec]))
    assert any("too slow" in warning for warning in document.provenance.warnings)


def test_a_rule_that_fails_on_a_page_leaves_the_others_alone():
    broken = RuleSpec(id="broken", trigger=TriggerSpec(dom=DomSpec(any="body")), remove=["p["])
    fine = RuleSpec(id="fine", trigger=TriggerSpec(dom=DomSpec(any="body")), remove=[".ad"])
    page = "<p class=ad>Buy</p><p>The water in the bay went out further than ever.</p>"
    document = pageloom.extract(page, "https://a.example/", rules=RuleBook([broken, fine]))
    assert document.provenance.rules == ("fine",)
    assert "Buy" not in document.text

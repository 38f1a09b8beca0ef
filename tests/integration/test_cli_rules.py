"""``pageloom rules`` as its users run it."""

from __future__ import annotations

import pytest
from tests.integration.cli import pageloom

from pageloom.library import open_library

pytestmark = pytest.mark.integration

RULE = """- id: tide
  trigger: {host: {equals: tide.example}}
  remove: [.promo]
  metadata: {author: {selector: .by}}
  tests: [{url: "https://tide.example/a", contains: [forty swifts], excludes: [postcards]}]
"""
PAGE = """<html><head><link rel=canonical href="https://tide.example/a"><title>Swifts</title></head>
<body><article><h1>Swifts return</h1><p class=by>Nora Quist</p>
<p>The harbour master counted forty swifts over the old granary on the first evening of May.</p>
<p class=promo>The harbour shop has postcards of every bird that was ever seen from the quay.</p>
<p>Nobody had expected the birds to come back so soon after the roof was mended.</p></article></body></html>
"""


@pytest.fixture
def place(tmp_path):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "tide.yaml").write_text(RULE)
    (tmp_path / "page.html").write_text(PAGE)
    return tmp_path


def rules(place, *arguments, **extra):
    return pageloom("rules", *arguments, cwd=place, XDG_CACHE_HOME=str(place / "cache"), **extra)


def test_list_and_show(place):
    listed = rules(place, "list", "--rules", "rules", "--json").json["items"]
    assert {"id": "tide", "origin": "yours"}.items() <= listed[
        [e["id"] for e in listed].index("tide")
    ].items()
    assert len(listed) > 60
    assert "remove:\n  - .promo" in rules(place, "show", "tide", "--rules", "rules").out
    missing = rules(place, "show", "tidee", "--rules", "rules")
    assert missing.code == 1
    assert "tide" in missing.err


def test_the_settings_name_the_directory_and_extract_uses_it(place):
    setting = {"PAGELOOM_RULES_DIRECTORY": str(place / "rules")}
    extract = ("extract", "page.html", "--url", "https://tide.example/a", "--json")
    cache = {"XDG_CACHE_HOME": str(place / "cache")}
    with_rules = pageloom(*extract, cwd=place, **setting, **cache).json
    assert with_rules["author"] == "Nora Quist"
    assert "postcards" not in with_rules["text"]
    assert with_rules["provenance"]["rules"] == ["tide"]
    without = pageloom(*extract, cwd=place, PAGELOOM_RULES_ENABLED="false", **setting, **cache).json
    assert without["provenance"]["rules"] == []


def test_a_mistake_in_a_file_is_told_and_all_other_rules_apply(place):
    (place / "rules" / "bad.yaml").write_text("- id: bad\n  remove: ['p[']\n")
    setting = {"PAGELOOM_RULES_DIRECTORY": "~/rules", "HOME": str(place)}
    setting["PAGELOOM_DATABASE_URL"] = str(place / "library.db")
    told = "Warning: Your rule files contain a mistake: bad.yaml:2: rule bad: remove[0]: p["
    extract = ("extract", "page.html", "--url", "https://tide.example/a", "--json")
    save = ("save", "--from", "page.html", "--url", "https://tide.example/a")
    read = pageloom(*extract, cwd=place, **setting)
    assert read.json["provenance"]["rules"] == ["tide"]
    saved = pageloom(*save, cwd=place, **setting)
    for done in (read, saved, pageloom("reparse", cwd=place, **setting)):
        assert done.code == 0
        assert done.err.count(told) == 1
        assert "pageloom rules lint" in done.err
    strict = pageloom(*extract, "--strict", cwd=place, **setting)
    assert strict.code == 1
    assert strict.json["error"]["type"] == "RuleError"
    assert "bad.yaml:2" in strict.json["error"]["message"]


def test_lint_names_file_line_and_field_and_fails(place):
    assert rules(place, "lint", "rules").code == 0
    (place / "rules" / "bad.yaml").write_text("- id: bad\n  remove: ['p[']\n")
    result = rules(place, "lint", "rules")
    assert result.code == 1
    assert "error: bad.yaml:2: rule bad: remove[0]: p[ is not a valid selector" in result.out
    answer = rules(place, "lint", "rules", "--json")
    assert answer.code == 1
    assert answer.json["items"][0]["file"] == "bad.yaml"


def test_what_is_named_and_not_there_is_a_mistake_in_the_command(place):
    for command in (("lint",), ("health",), ("import", "--output", place)):
        refused = pageloom("rules", *command, place / "none")
        assert (refused.code, "does not exist" in refused.err) == (2, True), command


def test_explain_says_why_and_what_changed(place):
    arguments = ("explain", "page.html", "--url", "https://tide.example/a", "--rules", "rules")
    told = rules(place, *arguments).out
    assert "because: host equals tide.example" in told
    assert "pre remove .promo ×1" in told
    (report,) = rules(place, *arguments, "--json").json["rules"]
    assert report["characters_without"] > report["characters_with"]


def test_a_page_is_tested_by_the_tests_of_its_rules(place):
    arguments = ("test", "page.html", "--url", "https://tide.example/a", "--rules", "rules")
    assert rules(place, *arguments).code == 0
    (place / "rules" / "tide.yaml").write_text(RULE.replace("forty", "fifty"))
    failed = rules(place, *arguments, "--json")
    assert failed.code == 1
    assert failed.json["failures"] == ["is missing: fifty swifts"]


def test_new_drafts_a_rule_and_a_case_that_test_runs(place):
    made = rules(
        place, "new", "page.html", "--url", "https://new.example/a", "--rules", "rules", "--json"
    )
    assert made.code == 0
    assert made.json["rule"]["trigger"] == {"host": {"equals": "new.example"}}
    assert (place / "rules" / "cases" / "new.example" / "page.html").exists()
    assert rules(place, "lint", "rules").code == 0
    result = rules(place, "test", "--rule", "new.example", "--rules", "rules", "--json")
    assert [case["rule"] for case in result.json["items"]] == ["new.example"]
    again = rules(place, "new", "page.html", "--url", "https://new.example/a", "--rules", "rules")
    assert again.code == 1


def test_import_reports_and_what_it_writes_works(place):
    configs = place / "configs"
    configs.mkdir()
    (configs / "tide.example.txt").write_text(
        "author: //p[@class='by']\nstrip: //p[@class='promo']\nrequires_login: yes\n"
    )
    (configs / ".sub.example.txt").write_text("body: //article\n")
    report = rules(place, "import", "configs", "--output", "made", "--json").json
    assert (report["files"], report["lossless"], report["rules"]) == (2, 1, 2)
    (lost,) = report["dropped"]
    assert (lost["file"], lost["line"], lost["directive"]) == (
        "tide.example.txt",
        3,
        "requires_login",
    )
    assert sorted(path.name for path in (place / "made").iterdir()) == [
        "_sub.example.yaml",
        "tide.example.yaml",
    ]
    assert rules(place, "lint", "made").code == 0
    told = rules(
        place, "explain", "page.html", "--url", "https://tide.example/a", "--rules", "made"
    ).out
    assert "ftr:tide.example" in told
    assert rules(place, "import", "nowhere", "--output", "made").code == 2


def test_health_lists_selectors_that_find_nothing(place):
    (place / "rules" / "tide.yaml").write_text(RULE.replace("[.promo]", "[.promo, .gone]"))
    (place / "pages").mkdir()
    (place / "pages" / "one.html").write_text(PAGE)
    report = rules(place, "health", "pages", "--rules", "rules", "--json").json
    (tide,) = [each for each in report["items"] if each["id"] == "tide"]
    assert (tide["pages"], tide["dead"]) == (1, ["remove: .gone"])


def test_health_looks_at_the_library(place):
    database = {"PAGELOOM_DATABASE_URL": str(place / "library.db")}
    saved = pageloom(
        "save", "--from", "page.html", "--url", "https://tide.example/a", cwd=place, **database
    )
    assert saved.code == 0, saved.err
    report = rules(place, "health", "--rules", "rules", "--json", **database).json
    assert report["pages"] == 1
    assert "tide" in [each["id"] for each in report["items"]]


def test_rules_of_the_library_are_tested_with_their_pages(place):
    database = {"PAGELOOM_DATABASE_URL": str(place / "library.db")}
    with open_library(place / "library.db") as library:
        saved = library.save("https://tide.example/a", content=PAGE)
        library.keep_rule(saved, RULE)
    passed = rules(place, "test", "--mine", **database)
    assert (passed.code, "ok   tide" in passed.out) == (0, True)
    assert "1 of 1 test cases passed" in passed.out

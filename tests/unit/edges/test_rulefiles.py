"""Rules on disk: the user's after ours, cached as data, read again when they change."""

from __future__ import annotations

from pathlib import Path

import pytest

from pageloom import extract
from pageloom.edges import rulefiles
from pageloom.edges.rule_options import RulesOptions
from pageloom.edges.rulefiles import (
    ChosenRules,
    chosen_rules,
    load_rule_library,
    load_rulebook,
    load_specs,
    seal_rules,
)
from pageloom.errors import RuleError

RULE = "- id: {id}\n  trigger: {{host: {{equals: a.example}}}}\n  remove: [{remove}]\n"
URL = "https://a.example/"
PAGE = "<p class=ad>Buy more rope</p><p>The water in the bay went out further than ever before.</p>"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    place = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(place))
    return place


@pytest.fixture
def mine(tmp_path) -> Path:
    place = tmp_path / "mine"
    place.mkdir()
    (place / "a.yaml").write_text(RULE.format(id="a", remove=".ad"))
    return place


def ids(book) -> set[str]:
    return {spec.id for spec in book.specs}


def test_the_users_rules_come_after_ours_and_may_replace_or_switch_them_off(mine):
    shipped = ids(load_rulebook())
    (mine / "more.yml").write_text(
        RULE.format(id="wordpress", remove=".mine") + "- {id: amp, enabled: false}\n"
    )
    book = load_rulebook([mine])
    assert ids(book) == (shipped | {"a"}) - {"amp"}
    assert next(spec for spec in book.specs if spec.id == "wordpress").remove == [".mine"]


def test_a_bad_file_is_told_and_the_others_are_read(mine):
    (mine / "b.yaml").write_text("- id: b\n  colour: red\n")
    (mine / "c.yaml").write_bytes(b"\xff\xfe\x00")
    library = load_rule_library([mine])
    assert "a" in ids(library.book)
    assert [(each.file, each.line) for each in library.problems] == [("b.yaml", 2), ("c.yaml", 0)]


def test_the_second_time_rules_come_from_the_cache_as_data(mine, cache, monkeypatch):
    first = load_rule_library([mine])
    (kept,) = cache.glob("pageloom/*")
    assert kept.suffix == ".msgpack"
    monkeypatch.setattr(rulefiles, "read_files", None)
    assert ids(load_rule_library([mine]).book) == ids(first.book)


def test_a_changed_file_is_read_again_in_spite_of_the_cache(mine):
    load_rulebook([mine])
    (mine / "a.yaml").write_text(RULE.format(id="changed", remove=".x"))
    assert "changed" in ids(load_rulebook([mine]))


@pytest.mark.parametrize("junk", [b"", b"\x80", b"cos\nsystem\n(S'true'\ntR.", b"\xff" * 100])
def test_a_spoilt_cache_is_only_a_slower_start(mine, cache, junk):
    load_rulebook([mine])
    for kept in cache.glob("pageloom/*"):
        kept.write_bytes(junk)
    assert "a" in ids(load_rulebook([mine]))


def test_without_a_place_for_the_cache_rules_are_read_all_the_same(mine, tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert "a" in ids(load_rulebook([mine]))


def test_a_missing_directory_is_an_error_without_a_path(tmp_path):
    with pytest.raises(RuleError) as caught:
        load_rulebook([tmp_path / "nowhere"])
    assert str(tmp_path) not in caught.value.message


def test_the_settings_choose_the_rules(mine):
    told: list[RuleError] = []
    assert chosen_rules(RulesOptions(enabled=False, directory=str(mine)), warn=told.append) == (
        ChosenRules(None)
    )
    chosen = chosen_rules(RulesOptions(directory=str(mine)), warn=told.append)
    sealed = chosen.sealed
    assert not told
    assert chosen.version != chosen_rules(RulesOptions(), warn=told.append).version
    assert "a" in ids(sealed.open())
    assert "Buy" not in extract(PAGE, "https://a.example/", rules=sealed).text
    boxed = extract(PAGE, "https://a.example/", rules=sealed, timeout_ms=30_000)
    assert boxed.provenance.rules == ("a",)


def test_mistakes_in_rules_are_told_once_and_the_first_by_name(mine):
    (mine / "b.yaml").write_text("".join(f"- id: b{n}\n  colour: red\n" for n in range(8)))
    told: list[RuleError] = []
    chosen = chosen_rules(RulesOptions(directory=str(mine)), warn=told.append)
    assert "a" in ids(chosen.sealed.open())
    (trouble,) = told
    assert "8 mistakes: b.yaml:2: rule b0: colour" in trouble.message
    assert trouble.message.endswith("and 3 more.")
    with pytest.raises(RuleError, match="8 mistakes"):
        chosen_rules(RulesOptions(directory=str(mine)), warn=told.append, strict=True)


def test_who_loads_rules_is_warned_of_mistakes(mine):
    (mine / "b.yaml").write_text("- id: b\n  colour: red\n")
    with pytest.warns(UserWarning, match=r"a mistake: b.yaml:2: rule b: colour"):
        assert "a" in ids(load_rulebook([mine]))
    with pytest.raises(RuleError, match=r"b.yaml:2"):
        load_rulebook([mine], strict=True)


def test_a_sandbox_is_sent_a_book_only_once(mine):
    from pageloom.edges.sandbox import Sandbox, SharedArgument

    sealed = seal_rules(load_specs([mine]).specs)
    with Sandbox(1) as sandbox:
        for _ in range(3):
            kept = SharedArgument(sealed.key, sealed)
            document = sandbox.run(
                "extract", PAGE, "https://a.example/", timeout_ms=30_000, rules=kept
            )
            assert document.provenance.rules == ("a",)
        (child,) = sandbox._idle
        assert child.kept == {sealed.key}
        for number in range(6):  # more than a child keeps
            other = SharedArgument(f"k{number}", sealed)
            sandbox.run("extract", PAGE, "https://a.example/", timeout_ms=30_000, rules=other)
        again = sandbox.run(
            "extract",
            PAGE,
            "https://a.example/",
            timeout_ms=30_000,
            rules=SharedArgument(sealed.key, sealed),
        )
        assert again.provenance.rules == ("a",)

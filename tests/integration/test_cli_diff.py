from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.changes.make import make_pair, read_cases
from tests.integration.cli import pageloom


@pytest.fixture
def files(tmp_path: Path):
    cases = read_cases()

    def write(name: str) -> tuple[str, str]:
        pair = make_pair(name, cases[name])
        (tmp_path / "before.html").write_bytes(pair.before)
        (tmp_path / "after.html").write_bytes(pair.after)
        return str(tmp_path / "before.html"), str(tmp_path / "after.html")

    return write


def test_a_change_is_summed_up_and_shown(files):
    result = pageloom("diff", *files("change-price/product-price-drop"))
    assert result.code == 0
    assert result.out.startswith("Price 48.00 GBP → 39.00 GBP (-18.8%)")
    assert "£[-48.00-]{+39.00+}" in result.out


def test_what_is_trivial_is_named(files):
    result = pageloom("diff", *files("noise-counters/product-viewers"))
    assert result.out.startswith("No change that matters (counter).")


def test_both_shapes_of_json_are_printed(files):
    detailed = json.loads(pageloom("diff", *files("change-rating/product-rating"), "--json").out)
    assert detailed["changes"]["rating"]["changed"] is True
    message = json.loads(
        pageloom("diff", *files("change-rating/product-rating"), "--json", "--message").out
    )
    assert message["hasChanges"] is True
    assert message["diff"]["ratingChanged"] is True


def test_a_page_of_html_is_written(files, tmp_path):
    page = tmp_path / "diff.html"
    result = pageloom(
        "diff", *files("change-words/policy-sell"), "--html", str(page), "--side-by-side", "-q"
    )
    assert result.code == 0
    text = page.read_text(encoding="utf-8")
    assert "<ins>may</ins>" in text
    assert "<table" in text
    assert "<script" not in text


def test_a_page_cannot_reach_the_terminal(tmp_path):
    before, after = tmp_path / "before.html", tmp_path / "after.html"
    words = "<p>The boats lie at the quay and wait for the tide that carries them out again.</p>"
    before.write_text(f"<title>Quay</title>{words}<p>There are 3 of them.</p>")
    after.write_text(f"<title>Quay</title>{words}<p>There are 4 of them \x1b[31m\x9b2J.</p>")
    result = pageloom("diff", str(before), str(after))
    assert "\x1b" not in result.out
    assert "\x9b" not in result.out


def test_wrong_usage_is_told(files):
    assert pageloom("diff", "nowhere.html", "nothing.html").code == 2
    assert pageloom("diff", *files("change-words/policy-sell"), "--message").code == 2
    assert pageloom("diff", *files("change-words/policy-sell"), "--threshold", "high").code == 2

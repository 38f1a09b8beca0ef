"""Addresses that lead elsewhere: nothing is there twice, and nothing that was noted is lost."""

from __future__ import annotations

import json

import pytest
from tests.integration.library.conftest import Shell, page


def lead(site, path: str, target: str) -> None:
    site.add(path, b"", 301, Location=target)


def titles(shell: Shell) -> list[str]:
    return [one["title"] for one in shell("list", "--all", "--json").json["items"]]


def test_a_page_that_moves_keeps_its_pin_its_tags_and_its_history(shell, site):
    url = site.url("/swifts")
    site.add("/swifts", page("swifts"), Content_Type="text/html")
    shell("save", url, "--tag", "birds")
    shell("pin", 1)
    site.add("/swifts/", page("swifts", "They came early."), Content_Type="text/html")
    lead(site, "/swifts", "/swifts/")
    assert shell("save", url, "--json").json["version"] == 2
    assert titles(shell) == ["The swifts of the harbour"]
    listed = shell("list", "--tag", "birds", "--json").json["items"]
    assert [(one["id"], one["pinned"]) for one in listed] == [(1, True)]
    assert "They came early." in shell("read", url, "--format", "text").out
    assert "They came early." in shell("read", site.url("/swifts/"), "--format", "text").out


def test_an_imported_address_that_leads_elsewhere_gets_its_content(shell, site, tmp_path):
    site.add("/new", page("terns"), Content_Type="text/html")
    lead(site, "/old", "/new")
    rows = f"title,url,time_added,tags,status\nTerns,{site.url('/old')},1500000000,sea,archive\n"
    (tmp_path / "pocket.csv").write_text(rows)
    assert shell("import", tmp_path / "pocket.csv").code == 0
    assert titles(shell) == ["The terns of the harbour"]
    listed = shell("list", "--all", "--tag", "sea", "--json").json["items"]
    assert [one["archived"] for one in listed] == [True]
    assert listed[0]["saved_at"].startswith("2017-07-14")
    asked = len(site.asked)
    again = shell("import", tmp_path / "pocket.csv", "--restart")
    assert (again.code, len(site.asked)) == (0, asked)
    assert len(titles(shell)) == 1


def test_jsonl_carries_pages_that_were_led_to(shell, site, tmp_path, monkeypatch):
    site.add("/new", page("terns"), Content_Type="text/html")
    lead(site, "/old", "/new")
    shell("save", site.url("/old"), "--tag", "keep")
    shell("pin", 1)
    shell("export", "jsonl", tmp_path / "out.jsonl")
    other = Shell(monkeypatch, str(tmp_path / "other.db"))
    assert other("import", tmp_path / "out.jsonl", "--no-fetch").code == 0
    assert titles(other) == ["The terns of the harbour"]
    assert [one["pinned"] for one in other("list", "--tag", "keep", "--json").json["items"]] == [
        True
    ]
    for path in ("/old", "/new"):
        assert "retired pilot" in other("read", site.url(path), "--format", "text").out
    assert other("save", site.url("/new")).out.startswith("same")


@pytest.mark.parametrize("command", ["save", "import"])
def test_what_was_purged_comes_again_when_it_is_asked_for(command, shell, site, tmp_path):
    site.add("/one", page("swifts"), Content_Type="text/html")
    (tmp_path / "urls.txt").write_text(f"{site.url('/one')}\n{site.url('/missing')}\n")
    shell(command, tmp_path / "urls.txt")
    assert shell("delete", site.url("/one")).code == 0
    assert shell("purge", "--all", "--yes").code == 0
    assert "The swifts of the harbour" not in titles(shell)
    shell(command, tmp_path / "urls.txt")
    assert "The swifts of the harbour" in titles(shell)


def test_what_a_file_calls_by_the_name_of_a_kept_page_joins_it(shell, tmp_path):
    url = "https://tidewatch.example/swifts"
    shell.keep(url)
    line = {"url": "https://other.example/", "key": url, "pinned": True, "tags": ["theirs"]}
    (tmp_path / "odd.jsonl").write_text(json.dumps(line))
    assert "1 merged" in shell("import", tmp_path / "odd.jsonl", "--no-fetch").out
    listed = shell("list", "--tag", "theirs", "--json").json["items"]
    assert [(one["id"], one["pinned"]) for one in listed] == [(1, False)]
    assert len(titles(shell)) == 1

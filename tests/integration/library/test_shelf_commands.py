from __future__ import annotations

import json
import subprocess
import sys

from tests.integration.cli import environment
from tests.integration.library.conftest import Shell, page

from pageloom.edges.store.base import open_store
from pageloom.edges.store.users import find_token

URL = "https://tidewatch.example/swifts"


def test_a_captured_page_is_saved_listed_found_and_read(shell):
    saved = shell.keep(URL, None, "--tag", "Birds")
    assert (saved["id"], saved["version"], saved["is_new"]) == (1, 1, True)
    listed = shell("list").out
    assert "The swifts of the harbour" in listed
    assert "tidewatch.example" in listed
    found = shell("search", "retired pilot", "--tag", "birds", "--json").json
    assert found["items"][0]["id"] == 1
    assert "retired pilot" in found["items"][0]["snippet"]["text"]
    read = shell("read", "1")
    assert read.out.startswith("---\nsource: https://tidewatch.example/swifts\n")
    assert "- Birds" in read.out
    assert shell("list", "--json").json["items"][0]["read_at"]
    assert shell("read", URL, "--format", "text").out.startswith("The swifts of the harbour")


def test_what_a_user_does_with_a_page_shows_and_stays(shell):
    shell.keep(URL)
    shell.keep("https://tidewatch.example/terns", page("terns"))
    assert shell("pin", 1).out.startswith("Pinned 1: The swifts")
    assert shell("list", "--json").json["items"][0]["id"] == 1
    shell("archive", 2)
    assert [one["id"] for one in shell("list", "--json").json["items"]] == [1]
    assert [one["id"] for one in shell("list", "--archived", "--json").json["items"]] == [2]
    shell("tag", "add", 1, "ledger", "birds")
    assert shell("tag", "list", 1, "--json").json["tags"] == ["birds", "ledger"]
    shell("tag", "remove", 1, "ledger")
    assert shell("tag", "list").out == "     1  birds\n"
    shell("note", 1, "Ask", "the", "pilot")
    assert "Ask the pilot" in shell("note", 1).out
    again = shell.keep(URL, page("swifts", "Three more nests were found."))
    assert (again["version"], again["changed"]) == (2, True)
    listed = shell("list", "--json").json["items"][0]
    assert listed["pinned"]
    read = shell("read", 1, "--json").json
    assert (read["tags"], read["notes"][0]["text"]) == (["birds"], "Ask the pilot")
    versions = shell("history", 1, "--json").json["items"]
    assert [one["number"] for one in versions] == [2, 1]
    assert "Three more nests" not in shell("read", 1, "--version", 1).out


def test_a_page_that_is_saved_again_is_shown_with_the_day_it_was_first_saved(shell, tmp_path):
    line = json.dumps({"url": URL, "saved_at": "2020-01-02T03:04:05Z", "tags": ["ledger"]})
    (tmp_path / "old.jsonl").write_text(line)
    shell("import", tmp_path / "old.jsonl", "--no-fetch")
    shell.keep(URL, None, "--tag", "Birds")
    again = shell("save", "--from", "-", "--url", URL, "--markdown", stdin=page()).out
    assert again == shell("read", 1).out
    for known in ("2020-01-02T03:04:05", "  - Birds\n", "  - ledger\n"):
        assert known in again


def test_a_list_can_be_shown_whatever_letters_a_terminal_has(shell, tmp_path):
    shell.keep(URL, page("swifts in 島 é 😀"))
    for encoding in ("ascii", "latin-1"):
        for command in (("list",), ("search", "swifts"), ("read", "1", "--format", "pretty")):
            command_line = [sys.executable, "-m", "pageloom", *command]
            variables = environment(PYTHONIOENCODING=encoding, XDG_DATA_HOME=str(tmp_path))
            done = subprocess.run(command_line, capture_output=True, check=False, env=variables)
            assert (done.returncode, done.stderr) == (0, b""), (encoding, command)
        as_json = [sys.executable, "-m", "pageloom", "list", "--json"]
        told = subprocess.run(as_json, capture_output=True, check=True, env=variables).stdout
        [one] = json.loads(told.decode(encoding))["items"]
        assert one["title"] == "The swifts in 島 é 😀 of the harbour"
        missing = [sys.executable, "-m", "pageloom", "read", "島"]
        done = subprocess.run(missing, capture_output=True, check=False, env=variables)
        assert (done.returncode, b"no page \\u5cf6" in done.stderr) == (3, True)


def test_words_with_a_minus_are_no_options_wherever_they_stand(shell):
    shell.keep(URL, page("swifts", "An old harbour crane."), "--tag", "birds")
    shell.keep("https://tidewatch.example/terns", page("terns", "Nature has a crane of scrap."))

    def found(*arguments: object) -> list[int]:
        result = shell("search", "--json", *arguments)
        assert result.code == 0, result.out
        return [one["id"] for one in result.json["items"]]

    example = ("swifts", "harbour crane", "-scrap", "spr*", "crane", "OR", "gantry")
    assert found(*example) == [1]
    assert found("-nature", "--tag", "birds", "crane", "-n", 5) == [1]
    assert found("-n5", "crane", "-old", "--limit=1") == [2]
    assert found("crane", "-harbour crane", "--sort", "saved") == [2]
    assert found("crane", "-", "-n") == [2, 1]
    assert found("--tag", "-no", "crane") == []
    assert found("crane", "--", "--tag", "-old") == [2]
    assert shell("search", "crane", "--no-such").code == 2
    assert "requires an argument" in shell("search", "crane", "--limit").err
    assert "has no words" in shell("search", "-crane").err


def test_numbers_that_no_database_can_count_to_are_refused(shell):
    shell.keep(URL)
    for command in (
        ("list", "--offset"),
        ("search", "pilot", "--offset"),
        ("read", 1, "--version"),
        ("note", 1, "--remove"),
        ("token", "revoke"),
        ("reparse", "--dry-run", "--limit"),
        ("compare", "--limit"),
    ):
        refused = shell(*command, 10**20)
        assert refused.code == 2, command
        assert "is not in the range" in refused.err, command
    assert shell("read", 10**20).err.startswith("Error: There is no page")


def test_who_has_no_name_has_no_library(shell):
    for name in ("", "  ", "a\tb", "x" * 201):
        for command in (("list",), ("save", "--from", "-", "--url", URL)):
            refused = shell(*command, "--user", name)
            assert refused.code == 2, name
            assert "is not a valid user name" in refused.err
    assert [one["name"] for one in shell("users", "--json").json["items"]] == ["local"]
    assert shell("list", "--min-reliability", 2).code == 2


def test_what_is_no_tag_is_refused_and_what_was_never_run_is_said(shell):
    shell.keep(URL)
    assert "'' cannot be a tag" in shell("tag", "add", 1, "birds", "").err
    assert shell("tag", "list", 1).out == "1: no tags\n"
    assert shell("history", 1, "--runs").out.startswith("No checks")


def test_words_kept_together_by_the_shell_are_a_phrase_unless_they_hold_signs(shell):
    shell.keep(URL)
    found = {
        "retired pilot": 1,
        "pilot retired": 0,
        "pilo* retired": 1,
        "pilot OR nowhere": 1,
        "pilot -retired": 0,
        'swifts "retired pilot': 1,
        "NEAR(": 0,
        "pilot OR": 1,
    }
    for words, total in found.items():
        assert shell("search", words, "--json").json["total"] == total, words


def test_deleting_restoring_and_purging(shell):
    shell.keep(URL)
    assert "Deleted 1" in shell("delete", 1).out
    assert (
        shell("list").out
        == "No pages. Save one with pageloom save URL; --all lists archived ones too.\n"
    )
    assert "D" in shell("list", "--deleted").out
    assert "Restored 1" in shell("restore", 1).out
    assert "it is not deleted" in shell("purge", 1, "--yes").out
    shell("delete", 1)
    assert shell("purge", "--all", "--yes", "--json").json == {
        "success": True,
        "purged": [1],
        "kept": [],
    }
    assert shell("read", 1).code == 3


def test_what_is_not_there_is_told_with_exit_code_3(shell):
    for command in ("read", "history", "pin", "open", "note"):
        result = shell(command, "77")
        assert result.code == 3, command
        assert "no page 77" in result.err
    error = shell("read", "77", "--json")
    assert error.code == 3
    assert error.json["error"]["code"] == "NotInLibrary"


def test_one_user_does_not_see_the_pages_of_another(shell):
    shell.keep(URL, None, "--user", "ann")
    assert shell("list", "--user", "bob", "--json").json["total"] == 0
    assert shell("read", "1", "--user", "bob").code == 3
    assert shell("delete", "1", "--user", "bob").code == 3
    assert shell("read", "1", "--user", "ann").code == 0


def test_wrong_usage_is_told_with_exit_code_2(shell, tmp_path):
    for arguments in (
        ("save",),
        ("save", "nowhere.txt"),
        ("save", "--from", "page.html"),
        ("list", "--since", "yesterday-ish"),
        ("list", "--sort", "colour"),
        ("search", "--", "-x"),
        ("tag", "add", "1"),
        ("purge",),
    ):
        assert shell(*arguments).code == 2, arguments


def test_a_page_with_hostile_text_cannot_reach_the_terminal(shell):
    hostile = page("\x1b]0;owned\x07\x1b[31mswifts")
    shell.keep(URL, hostile)
    for command in (("list",), ("search", "pilot"), ("read", 1), ("history", 1), ("stats",)):
        assert "\x1b" not in shell(*command).out
        assert "\x07" not in shell(*command).out


def test_pages_are_saved_with_an_address_printed_instead_of_opened(shell):
    shell.keep(URL)
    assert shell("open", 1, "--print").out == f"{URL}\n"


def test_a_library_that_cannot_be_opened_is_told_without_its_path(shell, tmp_path):
    (tmp_path / "library.db").write_text("this is no database, but it is long enough to look at")
    result = shell("list")
    assert result.code == 1
    assert "not a SQLite database" in result.err
    assert str(tmp_path) not in result.err
    nowhere = shell("list", PAGELOOM_DATABASE_URL="postgresql://u:secret@127.0.0.1:1/x")
    assert nowhere.code == 1
    assert "secret" not in nowhere.err + nowhere.out


def test_a_postgresql_that_cannot_be_used_is_told_without_what_is_in_its_address(
    shell, postgres_url
):
    unknown = postgres_url.replace("?", "_unknown?")
    told = {
        "postgresql://ann:secret@127.0.0.1:1/pages": "The PostgreSQL server cannot be reached.",
        unknown: "The PostgreSQL server has no database of that name.",
    }
    for address, words in told.items():
        result = shell("list", "--json", PAGELOOM_DATABASE_URL=address)
        assert (result.code, result.json["error"]["message"]) == (1, words)
        assert "secret" not in result.out + result.err


def test_the_same_commands_work_on_postgresql(monkeypatch, postgres_url):
    shell = Shell(monkeypatch, postgres_url)
    shell.keep(URL, None, "--tag", "birds")
    assert shell.keep(URL, page("swifts", "More."))["version"] == 2
    assert shell("search", '"retired pilot"', "--json").json["total"] == 1
    assert "The swifts" in shell("list", "--tag", "birds").out
    assert shell("read", 1).code == 0
    assert not shell("list", "--unread", "--json").json["total"]
    assert shell("unread", 1).code == 0
    assert shell("list", "--unread", "--json").json["total"] == 1
    assert shell("stats", "--json").json["pages"] == 1
    assert shell("history", 1).code == 0
    assert shell("duplicates").out == "No two pages have nearly the same text.\n"


def test_old_originals_are_let_go_once_a_day_as_the_settings_say(shell, tmp_path):
    shell.keep(URL)
    shell.keep(URL, page("swifts", "More."))
    with open_store(tmp_path / "library.db") as store, store.write() as tx:
        tx.run("UPDATE versions SET last_seen_at = '2020-01-01T00:00:00.000Z'")
    shell("save", "http://127.0.0.1:1/", PAGELOOM_LIBRARY_ORIGINALS_DAYS="30")
    bodies = [one["body_hash"] for one in shell("history", 1, "--json").json["items"]]
    assert [bool(body) for body in bodies] == [True, False]


def test_a_token_is_shown_once_and_kept_as_a_hash(shell, tmp_path):
    token = shell("token", "new", "--user", "ann", "--label", "reader", "--json").json["token"]
    with open_store(tmp_path / "library.db") as store:
        assert find_token(store, token).owner == "ann"
    assert token.encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("library*"))
    listed = shell("token", "list", "--user", "ann")
    assert "reader" in listed.out
    assert token not in listed.out
    assert shell("token", "revoke", 1).code == 3  # another user's
    assert shell("token", "revoke", 1, "--user", "ann").code == 0
    assert "has no tokens" in shell("token", "list", "--user", "ann").out
    with open_store(tmp_path / "library.db") as store:
        assert find_token(store, token) is None
    assert [one["name"] for one in shell("users", "--json").json["items"]] == ["ann", "local"]
    assert shell("token", "revoke").code == shell("token", "new", 1).code == 2


def test_a_page_is_found_by_its_users_tags_and_notes(shell):
    shell.keep("https://tidewatch.example/swifts")
    shell("tag", "add", 1, "wish list")
    shell("note", 1, "Ask", "Ann", "about", "lighthouses")
    assert shell("search", '"wish list" lighthouse*', "--json").json["total"] == 1
    assert "about lighthouses" in shell("search", "lighthouses").out
    shell("note", 1, "--remove", 1)
    assert shell("search", "lighthouses").out == "No pages match.\n"

"""The command line for people: help, completion, names, many pages, confirmation."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.integration.cli import environment, pageloom

PAGE = """<html><head><title>{0}</title></head><body><article><h1>{0}</h1>
<p>The swifts came back to the harbour in May, and they nested under the old crane again.</p>
<p>The keeper counted two hundred of them, more than in any year since the ledger began.</p>
</article></body></html>"""
URL = "https://bay.example/swifts"


@pytest.fixture
def library(tmp_path):
    extra = {"PAGELOOM_DATABASE_URL": str(tmp_path / "library.db"), "PAGER": "cat", "TZ": "UTC"}

    def run(*arguments: object, **more):
        return pageloom(*arguments, cwd=tmp_path, **extra, **more)

    saved = run("save", "--from", "-", "--url", URL, stdin=PAGE.format("Swifts").encode())
    assert saved.code == 0, saved.err
    return run


def test_the_overview_groups_commands_and_loads_none_of_them():
    shown = pageloom("-h")
    assert shown.code == 0
    groups = [line for line in shown.out.splitlines() if line.endswith(":") and line[:1].isalpha()]
    assert groups == ["Read:", "Library:", "Watch:", "Rules:", "Workers:", "Admin:", "Options:"]
    assert pageloom("help", "watch", "add").out == pageloom("watch", "add", "--help").out
    assert pageloom("watch").code == 2
    assert "Did you mean extract" in pageloom("exract").err


def test_errors_are_json_wherever_the_flag_stands():
    for arguments in (
        ("list", "--bogus", "--json"),
        ("list", "--json", "--bogus"),
        ("x", "--json"),
    ):
        refused = pageloom(*arguments)
        assert (refused.code, refused.json["error"]["code"]) == (2, "UsageError")
    assert pageloom("extract", "none.html", "--format=parsed").json["success"] is False


def in_bash(script: Path, line: str) -> set[str]:
    """What bash offers at the end of a line."""
    words = line.split(" ")
    listed = " ".join(f"'{word}'" for word in words)
    code = f"source {script}; COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _pageloom;"
    return offered("bash", code + 'echo "${COMPREPLY[@]}"')


def in_fish(script: Path, line: str) -> set[str]:
    """What fish offers at the end of a line, without the descriptions."""
    return offered("fish", f"source {script}; complete -C '{line}'")


def offered(shell: str, code: str) -> set[str]:
    done = subprocess.run([shell, "-c", code], capture_output=True, check=True)
    assert not done.stderr
    lines = done.stdout.decode().splitlines()
    return {word for line in lines for word in line.partition("\t")[0].split()}


def in_zsh(script: Path, line: str) -> set[str]:
    """The word that zsh completes at the end of a line; it does so only on a terminal."""
    process, terminal = pty.fork()
    if process == 0:  # pragma: no cover  this is the shell
        home = {"HOME": str(script.parent), "TERM": "dumb", "PS1": "ready> "}
        os.execvpe("zsh", ["zsh", "-f", "-i"], os.environ | home)  # noqa: S606
    seen = ""

    def read_until(text: str) -> None:
        nonlocal seen
        deadline = time.monotonic() + 30
        while text not in seen and time.monotonic() < deadline:
            if select.select([terminal], [], [], 0.2)[0]:
                seen += os.read(terminal, 65536).decode(errors="replace")

    read_until("ready> ")
    os.write(terminal, f"source {script}; PS1='load''ed> '\n".encode())
    read_until("loaded> ")
    seen = ""
    os.write(terminal, f"{line}\t#end".encode())
    read_until("#end")
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    os.close(terminal)
    return {seen.rpartition("#end")[0].replace("\b", " ").split()[-1]}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shells_complete_commands_flags_and_values(shell: str, tmp_path: Path):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    complete = {"bash": in_bash, "zsh": in_zsh, "fish": in_fish}[shell]
    script = tmp_path / f"completion.{shell}"
    script.write_text(pageloom("completion", shell).out)
    subprocess.run([shell, "-n", script], check=True)
    assert complete(script, "pageloom wa") == {"watch"}
    assert complete(script, "pageloom watch a") == {"add"}
    assert complete(script, "pageloom watch add --ev") == {"--every"}
    assert complete(script, "pageloom list --sort q") == {"quality"}
    assert complete(script, "pageloom extract -f mar") == {"markdown"}
    assert complete(script, "pageloom export epu") == {"epub"}
    assert complete(script, "pageloom worker pars") == {"parser"}
    assert complete(script, "pageloom help enq") == {"enqueue"}


@pytest.mark.parametrize(("shell", "complete"), [("bash", in_bash), ("fish", in_fish)])
def test_a_command_of_a_family_has_its_own_flags_only(shell: str, complete, tmp_path: Path):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / f"completion.{shell}"
    script.write_text(pageloom("completion", shell).out)
    flags = complete(script, "pageloom watch list --")
    assert flags == {"--help", "--user", "--json", "--utc", "--jsonl"}
    assert "remove" not in complete(script, "pageloom watch add ")


def test_many_pages_are_extracted_and_one_that_fails_does_not_stop_the_rest(tmp_path):
    pages = tmp_path / "pages"
    (pages / "deep").mkdir(parents=True)
    (pages / "a.html").write_text(PAGE.format("One"))
    (pages / "deep" / "b.html").write_text(PAGE.format("Two"))
    (pages / "empty.html").write_text("")
    done = pageloom("extract", pages, "-o", tmp_path / "out")
    assert (done.code, "empty.html" in done.err) == (1, True)
    assert "# One" in (tmp_path / "out" / "a.md").read_text()
    assert "# Two" in (tmp_path / "out" / "deep" / "b.md").read_text()
    lines = pageloom("extract", pages, "--jsonl").out.splitlines()
    assert [json.loads(line)["success"] for line in lines] == [True, True, False]
    assert pageloom("extract", pages).code == 2


def test_the_same_page_gives_the_same_bytes(tmp_path):
    (tmp_path / "a.html").write_text(PAGE.format("One"))
    first = pageloom("extract", tmp_path / "a.html")
    assert 'saved_at: ""' in first.out
    assert first.out == pageloom("extract", tmp_path / "a.html").out
    assert 'saved_at: "2' in pageloom("extract", tmp_path / "a.html", "--saved-at").out


def test_watches_and_pages_have_names_that_cannot_be_mistaken(library):
    added = library("watch", "add", "https://bay.example/else", "--json").json
    assert (added["watch"], "w1" in library("watch", "list").out) == ("w1", True)
    for name in ("w1", "1"):
        assert "Watch w1" in library("watch", "show", name).out
    unsaved = library("read", "w1")
    assert (unsaved.code, "pageloom check w1" in unsaved.err) == (3, True)
    library("watch", "add", "https://bay.example/third")
    hinted = library("read", "2")
    assert (hinted.code, "write w2" in hinted.err) == (3, True)


def test_tags_go_to_pages_or_to_what_filters_choose(library):
    assert library("tag", "add", "birds", "sea", "--to", "1").out == "1: birds, sea\n"
    assert library("tag", "remove", "sea", "--from", URL).out == "1: birds\n"
    assert library("tag", "add", "bay", "--domain", "bay.example").out == "1: bay, birds\n"
    old = library("tag", "add", "1", "old")
    assert (old.code, "old form" in old.err) == (0, True)
    assert library("tag", "add", "birds").code == 2


def test_nothing_is_removed_for_good_without_consent(library):
    library("delete", 1)
    refused = library("purge", "--all")
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert library("list", "--deleted", "--json").json["total"] == 1
    assert library("purge", "--all", "--yes", "--json").json["purged"] == [1]


LISTS = (
    *("list", "search swifts", "history 1", "tag list", "note 1", "sources list", "duplicates"),
    *("watch list", "watch show w1", "changes", "prices 1", "notify list", "rules list", "users"),
    "token list",
)


def keys_in(value: object) -> set[str]:
    if isinstance(value, list):
        return {key for each in value for key in keys_in(each)}
    if isinstance(value, dict):
        return value.keys() | keys_in(list(value.values()))
    return set()


def test_lists_are_one_object_or_one_line_each(library):
    library("watch", "add", URL, "--to", "console")
    library("note", "1", "Ask the keeper.")
    library("tag", "add", "birds", "--to", "1")
    library("sources", "add", "bay", "--site", "bay.example")
    library("token", "new", "--label", "reader")
    for command in LISTS:
        listed = library(*command.split(), "--json").json
        assert listed["success"] is True, command
        assert isinstance(listed["items"], list), command
        assert [key for key in keys_in(listed) if not re.fullmatch("[a-z0-9_]+", key)] == [], (
            command
        )
        lines = library(*command.split(), "--jsonl")
        if "No such option: --jsonl" not in lines.err:
            assert [json.loads(line) for line in lines.out.splitlines()] == listed["items"], command
    listed = library("list", "--json").json
    assert (listed["total"], listed["next"]) == (1, None)


def test_on_a_terminal_reading_goes_through_the_pager_and_times_are_local(library, tmp_path):
    extra = {"PAGELOOM_DATABASE_URL": str(tmp_path / "library.db"), "TZ": "Asia/Tokyo"}
    paged = tmp_path / "paged.txt"

    def show(*arguments: str) -> str:
        there, here = pty.openpty()
        command = [sys.executable, "-m", "pageloom", *arguments]
        env = environment(**extra, PAGER=f"tee {paged}")
        subprocess.run(command, stdout=here, stdin=here, env=env, check=True, timeout=60)
        os.close(here)
        return os.read(there, 100_000).decode()

    assert "JST" in show("history", "1")
    assert "JST" not in show("history", "1", "--utc")
    show("read", "1", "--no-pager")
    assert not paged.exists()
    show("read", "1")
    assert "Swifts" in paged.read_text()


def test_an_old_flag_works_and_warns(library):
    old = library("changes", "--untold")
    assert (old.code, "--silent" in old.err) == (0, True)

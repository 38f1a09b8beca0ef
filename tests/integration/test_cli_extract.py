from __future__ import annotations

import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import time
from importlib.resources import files

import pytest
from tests.integration.cli import environment, pageloom

from pageloom.model import Document

SAMPLE = files("pageloom.samples") / "harbour-swifts.html"
URL = "https://tidewatch.example/nature/harbour-swifts"
ARTICLE = (
    "<!DOCTYPE html><title>The quiet tide</title><h1>The quiet tide</h1><article>"
    + "<p>The water in the bay went out further than anyone could remember, and the boats "
    "lay on their sides in the mud until the evening came and lifted them again.</p>"
    * 4
    + "</article>"
)


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(ARTICLE)
    return path


def test_a_file_becomes_markdown_when_piped(page):
    result = pageloom("extract", page)
    assert (result.code, result.err) == (0, "")
    assert "boats lay on their sides" in result.out
    assert "<p>" not in result.out


def test_json_is_the_whole_document(page):
    result = pageloom("extract", page, "--format", "json", "--url", "https://a.example/tide")
    document = Document.from_dict(result.json)
    assert document.title == "The quiet tide"
    assert document.url == "https://a.example/tide"
    assert pageloom("extract", page, "--json", "--url", "https://a.example/tide").out == result.out


@pytest.mark.parametrize("form", ["text", "html"])
def test_each_format_prints_its_field(page, form: str):
    document = pageloom("extract", page, "--json").json
    assert pageloom("extract", page, "--format", form).out.strip() == document[form].strip()


def test_the_sample_shows_title_sources_and_text():
    result = pageloom("extract", SAMPLE, "--url", URL, "--format", "pretty")
    assert result.code == 0
    assert result.out.count("How a harbour crane became home to two hundred swifts") == 1
    assert re.search(r"\d+ blocks kept, \d+ dropped", result.out)
    for expected in ("Maren Oduya", "json-ld", "2026-05-18", "Counting in the dusk", "quality"):
        assert expected in result.out
    for unwanted in ("214 partners", "Sea-proof jackets", "All rights reserved", "Ferry strike"):
        assert unwanted not in result.out


def test_standard_input_is_a_page_too():
    result = pageloom("extract", "-", "--format", "text", stdin=ARTICLE.encode())
    assert "boats lay on their sides" in result.out


def test_output_goes_to_a_file(page, tmp_path):
    target = tmp_path / "out.json"
    result = pageloom("extract", page, "--format", "json", "--output", target)
    assert (result.code, result.out) == (0, "")
    assert json.loads(target.read_text())["title"] == "The quiet tide"


def test_a_page_of_the_web(site, tmp_path):
    site.add("/old", status=302, Location="/tide")
    site.add("/tide", ARTICLE.encode(), Content_Type="text/html")
    result = pageloom(
        "extract", site.url("/old"), "--json", PAGELOOM_FETCH_ALLOWED_HOSTS="127.0.0.1"
    )
    assert result.code == 0
    assert result.json["url"] == site.url("/old")
    assert result.json["final_url"] == site.url("/tide")


def test_explain_says_what_was_kept_what_was_dropped_and_why():
    result = pageloom("explain", SAMPLE, "--url", URL)
    assert result.code == 0
    assert "blocks kept" in result.out
    assert "json-ld" in result.out
    assert result.out == pageloom("extract", SAMPLE, "--url", URL, "--explain").out
    blocks = pageloom("explain", SAMPLE, "--json").json["provenance"]["blocks"]
    assert {block["kept"] for block in blocks} == {True, False}


@pytest.mark.parametrize(
    ("arguments", "code", "name"),
    [
        (["extract"], 2, "UsageError"),
        (["extract", "missing.html"], 2, "UsageError"),
        (["extract", "."], 2, "UsageError"),
        (["extract", "-", "--format", "docx"], 2, "UsageError"),
        (["extract", "-", "--timeout", "0"], 2, "UsageError"),
        (["extract", "-", "--explain", "--format", "html"], 2, "UsageError"),
        (["nonsense"], 2, "UsageError"),
        (["extract", "file:///etc/passwd"], 2, "InvalidUrl"),
        (["extract", "ftp://example.com/"], 2, "InvalidUrl"),
        (["extract", "http://127.0.0.1:9/"], 4, "FetchError.blocked_address"),
        (["extract", "http://0x7f.1/"], 4, "FetchError.blocked_address"),
        (["extract", "-"], 1, "EmptyContent"),
    ],
)
def test_every_error_has_its_exit_code_and_its_json(arguments, code: int, name: str, tmp_path):
    plain = pageloom(*arguments, cwd=tmp_path)
    assert plain.code == code
    assert plain.err.startswith("Error: ")
    assert plain.out == ""
    machine = pageloom(*arguments, "--json", cwd=tmp_path)
    assert machine.code == code
    assert machine.json["success"] is False
    error = machine.json["error"]
    assert set(error) >= {"type", "code", "message", "suggestions", "retryable"}
    assert error["code"] == name
    assert error["type"] == name.partition(".")[0]


def test_format_json_makes_errors_json_too(tmp_path):
    result = pageloom("extract", "-", "--format", "json")
    assert (result.code, result.json["error"]["code"]) == (1, "EmptyContent")


def test_a_closed_port_fails_with_its_kind():
    result = pageloom(
        "extract", "http://127.0.0.1:1/", "--json", PAGELOOM_FETCH_ALLOWED_HOSTS="127.0.0.1"
    )
    assert (result.code, result.json["error"]["code"]) == (1, "FetchError.refused")
    assert result.json["error"]["retryable"] is True


def test_strict_turns_a_poor_page_into_exit_5(tmp_path):
    poor = tmp_path / "poor.html"
    poor.write_text("<p>Hi there</p>")
    assert pageloom("extract", poor).code == 0
    result = pageloom("extract", poor, "--strict", "--json")
    assert result.code == 5
    assert result.json["error"]["code"] in ("LowQuality", "NoContentFound")


def test_settings_reach_the_extraction(page):
    result = pageloom("extract", page, "--json", PAGELOOM_EXTRACTION_MAX_CONTENT_LENGTH="100")
    assert (result.code, result.json["error"]["code"]) == (1, "OversizedContent")
    assert result.json["error"]["figures"]["maximum"] == 100
    wrong = pageloom("extract", page, PAGELOOM_EXTRACTION_MAX_CONTENT="100")
    assert wrong.code == 2
    assert "PAGELOOM_EXTRACTION_MAX_CONTENT_LENGTH" in wrong.err


def test_no_error_shows_a_trace(tmp_path):
    (tmp_path / "random.bin").write_bytes(os.urandom(5_000))
    result = pageloom("extract", tmp_path / "random.bin", "--json")
    assert "Traceback" not in result.out + result.err


HOSTILE = (
    "<title>\x1b]0;owned\x07[bold red]Title[/] \x9b31m</title><article>"
    + "<p>\x1b[2J\x1b[31mThe [link=http://evil.example]harbour[/link] page writes to the terminal, "
    "or so it hopes, again and again.\x07</p>" * 5 + "</article>"
)


@pytest.mark.parametrize(
    "form", ["pretty", "markdown", "text", "html", "json", "article", "parsed", "extracted"]
)
def test_a_page_cannot_speak_to_the_terminal(tmp_path, form: str):
    path = tmp_path / "hostile.html"
    path.write_text(HOSTILE, encoding="utf-8")
    for arguments in (["extract", path, "--format", form], ["explain", path]):
        result = pageloom(*arguments)
        assert result.code == 0
        assert not {"\x1b", "\x07", "\x9b"} & set(result.out)


def test_markup_of_ours_in_a_page_is_only_text(tmp_path):
    path = tmp_path / "hostile.html"
    path.write_text(HOSTILE, encoding="utf-8")
    assert "[bold red]Title[/]" in pageloom("extract", path, "--format", "pretty").out


def test_on_a_terminal_the_view_is_for_people(page):
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "pageloom", "extract", str(page)],
        stdout=slave,
        env=environment(TERM="xterm", COLUMNS="100"),
    )
    os.close(slave)
    seen = b""
    while True:
        try:
            piece = os.read(master, 65_536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.close(master)
    assert process.wait() == 0
    assert b"The quiet tide" in seen
    assert b"quality" in seen


def test_a_reader_that_leaves_early_is_no_error(page):
    process = subprocess.Popen(
        [sys.executable, "-m", "pageloom", "extract", str(page)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 0
    assert errors == b""


def test_ctrl_c_ends_with_130_and_leaves_nobody_behind():
    process = subprocess.Popen(
        [sys.executable, "-m", "pageloom", "extract", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    children = wait_for_children(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    assert all(not is_running(child) for child in children)


def test_ctrl_c_while_fetching_ends_with_130():
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        process = subprocess.Popen(
            [sys.executable, "-m", "pageloom", "extract", f"http://127.0.0.1:{port_of(deaf)}/"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(PAGELOOM_FETCH_ALLOWED_HOSTS="127.0.0.1"),
            start_new_session=True,
        )
        connection, _ = deaf.accept()
        children = wait_for_children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate()
        connection.close()
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    assert all(not is_running(child) for child in children)


def port_of(server: socket.socket) -> int:
    return server.getsockname()[1]


def test_a_page_that_never_ends_is_given_up_in_time(tmp_path):
    deep = tmp_path / "deep.html"
    deep.write_text(ARTICLE + "<div>" * 1_000_000)
    result = pageloom("extract", deep, "--timeout", "0.001", "--json")
    assert (result.code, result.json["error"]["code"]) == (1, "ParseTimeout")
    assert result.json["error"]["figures"] == {"timeout_ms": 1}


def test_broken_unicode_in_structured_data_is_no_crash(tmp_path):
    path = tmp_path / "page.html"
    broken = '<script type="application/ld+json">{"@type": "Thing", "name": "\\ud83d"}</script>'
    path.write_text(ARTICLE + broken)
    assert pageloom("extract", path, "--json").json["title"] == "The quiet tide"


def wait_for_children(parent: int) -> list[int]:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        listing = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
        ).stdout
        pairs = [tuple(map(int, line.split())) for line in listing.splitlines()]
        found = [pid for pid, ppid in pairs if ppid == parent]
        if found:
            time.sleep(0.5)
            return found
        time.sleep(0.02)
    raise AssertionError("the command started no child")


def is_running(process: int) -> bool:
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return bool(state) and not state.startswith("Z")

"""``pageloom fetch`` and ``pageloom extract URL`` as their users run them."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from tests.integration.cli import environment, pageloom
from tests.services import chromium
from tests.site.apps import PARAGRAPHS, TITLE, page, static_page

OPEN = {"PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.0/8"}


@pytest.fixture
def browser() -> dict[str, str]:
    return OPEN | {"PAGELOOM_FETCH_BROWSER": chromium()}


def test_fetch_tells_how_a_page_was_had(site):
    site.add("/old", status=301, Location="/new")
    site.add_html("/new", static_page(), ETag='"7"')
    result = pageloom(
        "fetch", site.url("/old"), "--json", "-H", "X-A: b", "--cookie", "c=d", **OPEN
    )
    told = result.json
    assert result.code == 0
    assert told["hops"] == [{"url": site.url("/old"), "status": 301}]
    assert (told["status"], told["used_browser"]) == (200, False)
    assert told["protocol"].startswith("HTTP/1.")
    assert told["headers"]["etag"] == '"7"'
    assert {"connect", "first_byte", "total"} <= set(told["timings_ms"])
    assert told["document"]["title"] == TITLE
    assert site.asked[0][1]["x-a"] == "b"
    assert site.asked[0][1]["cookie"] == "c=d"


def test_fetch_shows_it_to_people_and_writes_the_page(site, tmp_path):
    site.add_html("/", static_page())
    result = pageloom("fetch", site.url(), "-o", tmp_path / "page.html", **OPEN)
    assert "200 over HTTP/1." in result.out
    assert "content-type" in result.out
    assert (tmp_path / "page.html").read_text() == static_page()
    assert pageloom("fetch", site.url(), "-o", "-", **OPEN).out == static_page()


def test_fetch_knows_what_has_not_changed(site):
    site.add("/", status=304)
    told = pageloom("fetch", site.url(), "--etag", '"7"', "--json", **OPEN).json
    assert told["not_modified"]
    assert told["document"] is None


@pytest.mark.parametrize(
    ("url", "code", "kind"),
    [
        ("http://127.0.0.1/", 4, "FetchError.blocked_address"),
        ("http://[::ffff:169.254.169.254]/", 4, "FetchError.blocked_address"),
        ("file:///etc/passwd", 2, "InvalidUrl"),
        ("javascript:alert(1)", 2, "InvalidUrl"),
        ("http://user:hunter2@example.com/", 2, "InvalidUrl"),
    ],
)
def test_what_is_refused_before_any_byte_is_sent(url: str, code: int, kind: str):
    result = pageloom("fetch", url, "--json")
    assert (result.code, result.json["error"]["code"]) == (code, kind)
    assert "hunter2" not in result.out + result.err


def test_robots_and_challenges_exit_with_4(site):
    site.add("/robots.txt", b"User-agent: *\nDisallow: /")
    site.add_html("/", static_page())
    assert pageloom("extract", site.url(), "--robots", **OPEN).code == 4
    wall = '<script src="/cdn-cgi/challenge-platform/h/b"></script><p>Checking.</p>'
    site.add_html("/wall", page(wall, title="Just a moment..."), 403)
    result = pageloom("fetch", site.url("/wall"), "--render", "never", "--json", **OPEN)
    assert (result.code, result.json["error"]["code"]) == (4, "FetchError.challenge")


def test_extract_renders_and_takes_pictures(spa, tmp_path, browser):
    picture, paper = tmp_path / "page.png", tmp_path / "page.pdf"
    result = pageloom(
        "extract", spa.url("/spa/timer"), "--format", "text",
        "--screenshot", picture, "--pdf", paper, **browser,
    )  # fmt: skip
    assert result.code == 0
    assert PARAGRAPHS[4] in result.out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert paper.read_bytes().startswith(b"%PDF")


def test_never_means_never(spa):
    result = pageloom("extract", spa.url("/spa/timer"), "-f", "text", "--render", "never", **OPEN)
    assert PARAGRAPHS[0] not in result.out


def test_pictures_without_a_browser_are_wrong_usage(site):
    result = pageloom("extract", site.url(), "--render", "never", "--screenshot", "x.png", **OPEN)
    assert result.code == 2


def test_a_browser_that_is_not_there_is_said_to_be_missing(site, tmp_path):
    site.add_html("/", static_page())
    gone = OPEN | {"PAGELOOM_FETCH_BROWSER": str(tmp_path / "gone")}
    result = pageloom("extract", site.url(), "--render", "force", "--json", **gone)
    assert (result.code, result.json["error"]["code"]) == (1, "MissingExtra")
    assert result.json["error"]["suggestions"]


WITHOUT_PLAYWRIGHT = """
import sys
sys.modules["playwright"] = None
from pageloom.edges.fetch.options import FetchOptions
from pageloom.errors import MissingExtra
from pageloom.flows.capture.acquire import capture
options = FetchOptions(allowed_hosts=("127.0.0.0/8",))
got = capture(sys.argv[1], settings=options)
print(got.used_browser, got.decisions[-1])
try:
    capture(sys.argv[1], settings=options, render="force")
except MissingExtra as error:
    print(*error.suggestions)
"""


def test_without_playwright_pages_are_still_fetched(spa):
    """What HTTP gives is kept; who insists is told what to install."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_PLAYWRIGHT, spa.url("/spa/timer")],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    kept, advice = done.stdout.splitlines()
    assert kept.startswith("False used: HTTP, the browser failed (MissingExtra")
    assert advice == "pip install 'pageloom[browser]'"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope.html"], "File nope.html does not exist."),
        (["."], "Add -o DIR"),
        (["page.html", "--url", "notaurl"], "This is not a valid URL"),
        (["page.html", "--render", "force"], "--render needs a URL"),
    ],
)
def test_messages_say_what_is_wrong_in_words(tmp_path: Path, arguments: list[str], message: str):
    (tmp_path / "page.html").write_text(static_page())
    result = pageloom("extract", *arguments, cwd=tmp_path)
    assert result.code == 2
    assert message in result.err
    assert "https://nope.html" not in result.err
    assert "Error)" not in result.err


def test_a_host_that_looks_like_one_gets_its_scheme_suggested():
    assert "https://example.com/story" in pageloom("extract", "example.com/story").err


def offspring(process: subprocess.Popen) -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


def wait_for_browser(process: subprocess.Popen) -> list[psutil.Process]:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        children = offspring(process)
        if any("--type=renderer" in " ".join(_words(child)) for child in children):
            return children
        time.sleep(0.1)
    raise AssertionError("no browser was started")


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_however_we_end_no_browser_is_left(site, browser, how: signal.Signals):
    """A page that never finishes loading; the whole group gets Ctrl-C, as from a terminal."""

    def hang(request) -> None:
        site.leaving.wait(20)

    site.pages["/slow"] = hang
    site.add_html("/", page('<p>Soon.</p><script src="/slow"></script>'))
    command = [sys.executable, "-m", "pageloom", "extract", site.url(), "--render", "force"]
    process = subprocess.Popen(
        command,
        env=environment(**browser),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    children = wait_for_browser(process)
    if how == signal.SIGINT:
        os.killpg(process.pid, how)
    else:
        process.send_signal(how)
    process.wait(20)
    _, alive = psutil.wait_procs(children, timeout=15)
    assert [_words(child)[:1] for child in alive if child.is_running()] == []
    if how == signal.SIGINT:
        assert process.returncode == 130


def test_who_waits_at_a_terminal_sees_what_is_done(site):
    def slow(request) -> None:
        time.sleep(0.5)
        site.add_html("/", static_page())
        site.pages["/"](request)

    site.pages["/"] = slow
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "pageloom", "extract", site.url(), "-f", "text"],
        env=environment(**OPEN, TERM="xterm"),
        stdout=subprocess.PIPE,
        stderr=child,
    )
    os.close(child)
    out, _ = process.communicate(timeout=30)
    seen = os.read(parent, 100_000).decode()
    os.close(parent)
    assert PARAGRAPHS[0] in out.decode()
    assert "Fetching" in seen

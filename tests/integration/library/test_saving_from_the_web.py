from __future__ import annotations

import signal
import subprocess
import sys

from tests.integration.cli import environment
from tests.integration.library.conftest import page


def test_many_addresses_are_saved_with_a_result_each(shell, site, tmp_path):
    site.add("/one", page("swifts"), Content_Type="text/html")
    site.add("/two", page("terns"), Content_Type="text/html")
    one, two, three = (site.url(path) for path in ("/one", "/two", "/missing"))
    listing = f"# my list\n{one}\n{two}  a remark\n\n{three}\n"
    (tmp_path / "urls.txt").write_text(listing)
    result = shell("save", tmp_path / "urls.txt", "--tag", "birds", "--json")
    assert result.code == 1
    assert (result.json["saved"], result.json["failed"]) == (2, 1)
    failed = next(one for one in result.json["items"] if not one["success"])
    assert failed["error"]["code"] == "FetchError.status"
    asked = len(site.asked)
    site.add("/missing", page("gulls"), Content_Type="text/html")
    again = shell("save", "-", "--tag", "birds", "--json", stdin=listing.encode())
    assert (again.code, again.json["saved"], again.json["skipped"]) == (0, 1, 2)
    assert len(site.asked) == asked + 1
    assert shell("list", "--tag", "birds", "--json").json["total"] == 3
    fresh = shell("save", tmp_path / "urls.txt")  # without the tag it is another job
    assert fresh.out.endswith("3 pages: 3 same\n")


def test_a_failed_blocked_or_worse_refetch_leaves_the_old_content(shell, site):
    url = site.url("/swifts")
    site.add("/swifts", page("swifts"), Content_Type="text/html")
    assert shell("save", url).code == 0
    before = shell("read", url, "--format", "text").out
    challenge = b"<html><title>Just a moment...</title><body>Checking your browser</body></html>"
    bad = {
        "down": (503, b"down"),
        "gone": (404, b"<h1>Not found</h1>"),
        "challenge": (403, challenge),
        "empty": (200, b""),
        "poor": (200, b"<html><body><p>Soon.</p></body></html>"),
    }
    for name, (status, body) in bad.items():
        site.add("/swifts", body, status, Content_Type="text/html")
        result = shell("save", url, "--render", "never")
        assert "saved" not in result.out, name
        assert shell("read", url, "--format", "text").out == before, name
        assert len(shell("history", url, "--json").json["items"]) == 1, name
    assert shell("save", "http://169.254.169.254/latest").code == 4


def test_a_captured_page_is_not_taken_for_a_list_of_addresses(shell, tmp_path):
    (tmp_path / "page.html").write_bytes(page("swifts"))
    out = shell("save", tmp_path / "page.html")
    assert (out.code, "--from FILE --url URL" in out.err) == (2, True)


def test_a_run_that_is_interrupted_says_so_and_goes_on_later(shell, site, tmp_path):
    site.add("/one", page("swifts"), Content_Type="text/html")
    site.pages["/two"] = lambda request: site.leaving.wait(30)
    urls = f"{site.url('/one')}\n{site.url('/two')}\n".encode()
    extra = {
        "PAGELOOM_DATABASE_URL": str(tmp_path / "library.db"),
        "PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.1",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "pageloom", "save", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**extra, PYTHONUNBUFFERED="1"),
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(urls)
    process.stdin.close()
    assert process.stdout.readline().startswith(b"saved")
    process.send_signal(signal.SIGINT)
    out, err = process.stdout.read(), process.stderr.read() if process.stderr else b""
    assert process.wait(20) == 130, out + err
    assert err == b"Interrupted. Run the same command again to continue where it stopped.\n"
    process.stdout.close()
    if process.stderr:
        process.stderr.close()
    site.add("/two", page("terns"), Content_Type="text/html")
    again = shell("save", "-", "--json", stdin=urls)
    assert (again.json["saved"], again.json["skipped"]) == (1, 1)

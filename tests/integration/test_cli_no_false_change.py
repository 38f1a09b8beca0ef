"""Whatever happens to a page but a change of it: ``check`` on a real site tells nobody."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from tests.contract.watch.pages import article
from tests.integration.test_cli_watch import Shell
from tests.site.server import send

pytestmark = pytest.mark.integration

CLOSED = "The path is closed until 14 May because of a landslide."
CHALLENGE = (
    "<html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>"
    "<script src='/cdn-cgi/challenge-platform/h/b/orchestrate.js'></script></body></html>"
)
LOGIN = (
    "<html><head><title>Sign in</title></head><body><h1>Sign in</h1><form><input name=n>"
    "<input type=password name=p><button>Go</button></form></body></html>"
)
DRAWN = (
    "<html><head><title>The coast path</title></head><body><div id=app></div><script>"
    "document.getElementById('app').innerHTML = {}</script></body></html>"
)


@pytest.fixture
def shell(site, sqlite_library, monkeypatch) -> Shell:
    return Shell(site, sqlite_library, monkeypatch)


def check(shell: Shell, url: str, *, code: int = 0) -> str:
    """Check one page now, and say what came of it."""
    done = shell.run("check", url, "--json", code=code).json
    assert sum(done["notified"].values()) == (done["items"][0]["outcome"] == "changed")
    return done["items"][0]["outcome"]


def watch(shell: Shell, html: str, *options: str) -> str:
    url = shell.serve(html)
    shell.run("watch", "add", url, "--to", "feed:walks", "--no-robots", *options)
    assert check(shell, url) == "new"
    return url


def test_there_and_back(shell: Shell):
    url = watch(shell, article(), "--render", "never")
    shell.serve(article(closing=CLOSED))
    assert check(shell, url) == "changed"
    shell.serve(article())
    assert check(shell, url) == "returned"
    assert len(shell.run("changes", "--json").json["items"]) == 1


@pytest.mark.parametrize(
    ("body", "status", "headers", "code"),
    [
        ("<h1>Internal Server Error</h1>", 500, {}, 1),
        (CHALLENGE, 403, {}, 4),
        (CHALLENGE, 200, {}, 4),
        ("", 302, {"Location": "/login?next=/page"}, 4),
    ],
    ids=["error", "challenge", "challenge with 200", "login"],
)
def test_something_else_in_place_of_the_page(shell: Shell, body, status, headers, code):
    shell.serve(LOGIN, "/login")
    url = watch(shell, article(), "--render", "never")
    shell.site.add_html("/page", body, status, **headers)
    assert check(shell, url, code=code) == "failed"
    shell.serve(article())
    assert check(shell, url) == "unchanged"
    assert shell.run("changes", "--json").json["items"] == []


def test_a_server_that_says_nothing_changed(shell: Shell):
    def answer(request) -> None:
        same = request.headers.get("If-None-Match") == '"v1"'
        body = b"" if same else article().encode()
        send(request, body, 304 if same else 200, ETag='"v1"', Content_Type="text/html")

    url = watch(shell, article(), "--render", "never")
    shell.site.pages["/page"] = answer
    assert check(shell, url) == "unchanged"
    again = shell.run("check", url, "--json").json["items"][0]
    assert (again["outcome"], again["path"]) == ("unchanged", "304")


def test_another_parser(shell: Shell):
    """What is kept was read by an older parser, which made other text of the same page."""
    url = watch(shell, article(), "--render", "never")
    with sqlite3.connect(shell.settings["PAGELOOM_DATABASE_URL"]) as database:
        database.execute(
            "UPDATE versions SET parser_version = '0', change_hash = 'old', snapshot_hash = 'old'"
        )
    assert check(shell, url) == "unchanged"
    shell.serve(article(closing=CLOSED))
    assert check(shell, url) == "changed"


def test_other_rules(shell: Shell, tmp_path: Path, monkeypatch):
    url = watch(shell, article(), "--render", "never")
    assert "The walk takes" in shell.run("read", url).out
    rules = tmp_path / "rules"
    rules.mkdir()
    rule = "{id: mine, trigger: {host: {equals: 127.0.0.1}}, remove: [article > p:last-of-type]}"
    (rules / "mine.yaml").write_text(f"- {rule}", encoding="utf-8")
    monkeypatch.setenv("PAGELOOM_RULES_DIRECTORY", str(rules))
    assert check(shell, url) == "unchanged"
    assert "The walk takes" not in shell.run("read", url).out
    shell.serve(article(closing=CLOSED))
    assert check(shell, url) == "unchanged"


def test_a_scope_that_only_a_browser_sees(shell: Shell):
    """The way of getting the page that worked is kept, and is itself no change."""

    def drawn(price: str) -> str:
        words = " ".join(["The lamp stands on a desk that is full already."] * 12)
        return DRAWN.format(json.dumps(f"<p>{words}</p><p class=price>{price} €</p>"))

    url = watch(shell, drawn("39.90"), "--scope", ".price")
    for _ in range(2):
        assert check(shell, url) == "unchanged"
    shell.serve(drawn("34.90"))
    assert check(shell, url) == "changed"
    report = shell.run("changes", "--json").json["items"][0]
    assert "34.90" in report["report"]["changes"]["text"]["after"]

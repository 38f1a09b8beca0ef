"""Watches from the command line, on a real site that changes, with a scheduler that is killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.contract.receiver import Receiver
from tests.contract.watch.pages import article, product
from tests.integration.cli import Result, environment, pageloom
from tests.site.server import Site

pytestmark = pytest.mark.integration


class Shell:
    """A user with a library of his own."""

    def __init__(self, site: Site, library: Path, monkeypatch) -> None:
        self.site = site
        self.settings = {
            "PAGELOOM_DATABASE_URL": str(library),
            "PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.1",
            "PAGELOOM_FETCH_RETRIES": "0",
            "PAGELOOM_NOTIFY_WEBHOOK_SECRET": "secret",
            "PAGELOOM_NOTIFY_FEED_DIRECTORY": str(library.parent / "feeds"),
            "PAGELOOM_WATCH_HOST_DELAY": "0",
            "PAGELOOM_WATCH_LEASE_SECONDS": "2",
            "PAGELOOM_WATCH_CONCURRENCY": "4",
        }
        for name, value in self.settings.items():
            monkeypatch.setenv(name, value)

    def serve(self, html: str, path: str = "/page") -> str:
        self.site.add(path, html.encode(), Content_Type="text/html; charset=utf-8")
        return self.site.url(path)

    def run(self, *arguments: object, code: int = 0) -> Result:
        done = pageloom(*arguments)
        assert done.code == code, done
        return done

    def start_loop(self) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "pageloom", "check", "--loop"],
            env=environment(**self.settings),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )


@pytest.fixture
def shell(site, sqlite_library, monkeypatch) -> Shell:
    return Shell(site, sqlite_library, monkeypatch)


def test_json_has_one_shape_for_a_watch_its_checks_and_its_changes(shell: Shell):
    url = shell.serve(product(price="39.90")) + "?b=1&a=2"
    added = shell.run("watch", "add", url, "--json").json
    (listed,) = shell.run("watch", "list", "--json").json["items"]
    (shown,) = shell.run("watch", "show", "w1", "--json").json["items"]
    shell.run("check")
    shell.serve(product(price="34.90"))
    (checked,) = shell.run("check", "w1", "--json").json["items"]
    for each in (added, listed, shown, checked):
        assert (each["id"], each["watch"], each["url"]) == (1, "w1", url)
        assert not {"watch_id", "name_id", "url_full"} & set(each)
    (change,) = shell.run("changes", "--json").json["items"]
    assert checked["report"] == change["report"]
    assert (change["url"], shell.run("list", "--json").json["items"][0]["url"]) == (url, url)


def test_changes_are_listed_part_by_part(shell: Shell):
    url = shell.serve(product(price="39.90"))
    shell.run("watch", "add", url)
    for price in ("39.90", "34.90", "29.90"):
        shell.serve(product(price=price))
        shell.run("check", "--all")
    everything = shell.run("changes", "--json").json
    first = shell.run("changes", "--limit", 1, "--json").json
    rest = shell.run("changes", "--cursor", first["next"], "--json").json
    assert (everything["next"], rest["next"]) == (None, None)
    assert first["items"] + rest["items"] == everything["items"]
    assert len(everything["items"]) == 2


def test_adding_a_known_watch_with_other_settings_is_no_silent_success(shell: Shell):
    url = shell.serve(product(price="39.90"))
    shell.run("watch", "add", url, "--every", "1d")
    assert "exists already" in shell.run("watch", "add", url, "--every", "1d").out
    assert "exists already" in shell.run("watch", "add", url).out
    refused = shell.run("watch", "add", url, "--every", "6h", "--price-below", "30", code=2)
    assert "every is 1d, not 6h; price-below is none, not 30.0" in refused.err
    assert "pageloom watch edit w1" in refused.err
    assert shell.run("watch", "list", "--json").json["items"][0]["settings"]["every"] == 86_400


def test_an_edit_says_what_it_changed(shell: Shell):
    shell.run("watch", "add", shell.serve(product(price="39.90")), "--to", "console")
    edited = shell.run("watch", "edit", "w1", "--every", "6h", "--to", "", "--name", "Kettle").out
    assert edited.splitlines()[1:] == [
        "  name: none → Kettle",
        "  every: 1d → 6h",
        "  to: console → none",
    ]
    assert "nothing changed" in shell.run("watch", "edit", "w1", "--every", "6h").out
    as_json = shell.run("watch", "edit", "w1", "--stock-back", "--json").json
    assert as_json["changed"] == [{"setting": "stock-back", "before": "no", "after": "yes"}]


def test_silent_changes_are_only_those_that_a_condition_left_out(shell: Shell):
    shell.run("watch", "add", shell.serve(product(price="39.90")), "--price-below", "35")
    for price in ("39.90", "37.90", "34.90"):
        shell.serve(product(price=price))
        shell.run("check", "--all")
    assert len(shell.run("changes", "--json").json["items"]) == 2
    (quiet,) = shell.run("changes", "--silent", "--json").json["items"]
    assert (quiet["notified_at"], "37.90" in quiet["summary"]) == (None, True)
    assert "(not notified)" in shell.run("changes").out


def test_the_scheduler_prints_lines_for_programs(shell: Shell):
    refused = shell.run("check", "--loop", "--json", code=2).json
    assert "--jsonl" in refused["error"]["suggestions"][0]
    shell.run("watch", "add", shell.serve(product(price="39.90")))
    with subprocess.Popen(
        [sys.executable, "-m", "pageloom", "check", "--loop", "--jsonl"],
        env=environment(**shell.settings),
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout
        checked = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
    assert (checked["watch"], checked["outcome"], process.returncode) == ("w1", "new", 0)


def test_the_life_of_a_watch(shell: Shell, tmp_path):
    url = shell.serve(product(price="39.90"))
    added = shell.run("watch", "add", url, "--every", "1h", "--to", "feed:shop", "--json").json
    number = added["id"]
    assert shell.run("watch", "add", url, "--to", "feed:shop", "--json").json["added"] is False
    assert shell.run("check", "--json").json["items"][0]["outcome"] == "new"
    assert "No watch is due" in shell.run("check").out
    shell.serve(product(price="34.90"))
    changed = shell.run("check", url, "--json").json
    assert changed["items"][0]["outcome"] == "changed"
    assert changed["notified"]["sent"] == 1
    assert "34.90" in (tmp_path / "feeds" / "shop.atom.xml").read_text(encoding="utf-8")
    found = shell.run("changes", "--json").json["items"]
    assert found[0]["report"]["changes"]["price"]["changed"]
    assert found[0]["report"]["changes"]["price"]["after"]["amount"] == "34.90"
    assert "34.90" in shell.run("changes", "--full").out
    compared = shell.run("diff", url, "--json").json
    assert compared["version"] == {"previous": 1, "current": 2, "baseline": 1}
    assert compared["changes"]["price"]["changed"]
    assert "34.90" in shell.run("diff", url, "--from", 1, "--to", 2).out
    shell.run("diff", url, "--from", 9, code=3)
    prices = shell.run("prices", url, "--json").json
    assert [price["amount"] for price in prices["items"]] == ["39.90", "34.90"]
    assert "█" in shell.run("prices", url).out
    shown = shell.run("watch", "show", number).out
    assert "changed by diff v2" in shown
    shell.run("watch", "pause", number)
    assert "paused" in shell.run("watch", "list").out
    shell.run("watch", "resume", number)
    shell.run("watch", "remove", "--yes", number)
    shell.run("watch", "show", number, code=3)
    assert shell.run("history", url, "--json").code == 0


def test_a_check_uses_your_rules_and_tells_of_mistakes_in_them(shell: Shell, tmp_path, monkeypatch):
    mine = tmp_path / "rules"
    mine.mkdir()
    (mine / "good.yaml").write_text(
        "- id: price-only\n  trigger: {host: {equals: 127.0.0.1}}\n  remove: [.seen]\n"
    )
    (mine / "bad.yaml").write_text("- id: bad\n  colour: red\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PAGELOOM_RULES_DIRECTORY", "~/rules")
    url = shell.serve(product(blurb="<p class=seen>Seen by the keeper of the lighthouse.</p>"))
    shell.run("watch", "add", url)
    checked = shell.run("check", url)
    assert checked.err.count("Your rule files contain a mistake: bad.yaml:2: rule bad: colour") == 1
    assert "lighthouse" not in shell.run("read", url).out
    monkeypatch.setenv("PAGELOOM_RULES_ENABLED", "false")
    assert "Your rules" not in shell.run("check", url).err


def test_a_preview_shows_what_is_looked_at_and_what_passed_over(shell: Shell):
    url = shell.serve(product(blurb="<span class=seen>Seen by 17 people</span>"))
    shown = shell.run(
        "watch", "preview", url, "--scope", "main", "--ignore", ".seen", "--ignore-text", "two day."
    ).out  # fmt: skip
    looked_at, _, passed_over = shown.partition("Ignored:")
    assert "39.90 €" in looked_at
    assert "Seen by 17 people" in passed_over
    assert "two days" in passed_over
    assert "Seen by" not in looked_at
    assert shell.run("watch", "list", "--json").json["items"] == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("watch", "add", "ftp://example.com/x"), 2),
        (("watch", "add", "http://169.254.169.254/"), 4),
        (("watch", "add", "https://example.com/", "--every", "soon"), 2),
        (("watch", "add", "https://example.com/", "--every", "1h", "--cron", "* * * * *"), 2),
        (("watch", "add", "https://example.com/", "--cron", "often"), 2),
        (("watch", "add", "https://example.com/", "--scope", "div["), 2),
        (("watch", "add", "https://example.com/", "--only-if", "(?=x)"), 2),
        (("watch", "add", "https://example.com/", "--to", "nowhere"), 2),
        (("watch", "add", "https://example.com/", "--to", "mailto:me@example.org"), 2),
        (("watch", "add", "https://example.com/", "--to", "https://10.0.0.1/"), 4),
        (("watch", "add", "https://example.com/", "--template", "{{ secret }}"), 2),
        (("check", "99"), 3),
        (("prices", "https://example.com/"), 3),
        (("notify", "test", "feed:../x"), 2),
    ],
)
def test_what_cannot_work_is_said_at_once(shell: Shell, arguments, code):
    done = shell.run(*arguments, "--json", code=code)
    assert done.json["success"] is False
    assert done.json["error"]["message"]


def test_a_scope_that_is_taken_back_leaves_the_history_of_the_page(shell: Shell):
    url = shell.serve(article())
    shell.run("watch", "add", url, "--to", "console", "--no-robots", "--render", "never")
    shell.run("check", url)
    shell.run("watch", "edit", "1", "--scope", ".nothing-like-it")
    assert shell.run("check", url, "--json", code=1).json["items"][0]["outcome"] == "failed"
    shell.run("watch", "edit", "1", "--scope", "")
    shell.serve(article(closing="The path is closed until 14 May because of a landslide."))
    done = shell.run("check", url, "--json")
    assert (done.json["items"][0]["outcome"], done.json["items"][0]["version"]) == (
        "changed",
        2,
    )
    assert "landslide" in done.err


def test_a_test_message_on_the_console_leaves_json_alone(shell: Shell):
    done = shell.run("notify", "test", "console", "--json")
    assert done.json["success"]
    assert "test" in done.err


def test_a_failing_page_is_an_exit_code(shell: Shell):
    url = shell.site.url("/missing")
    shell.run("watch", "add", url)
    failed = shell.run("check", url, "--json", code=1).json["items"][0]
    assert (failed["outcome"], failed["error"]["code"]) == ("failed", "FetchError.status")


def wait_until(true, seconds: float = 40.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


def told(receiver: Receiver) -> set[str]:
    return {json.loads(taken.body)["id"] for taken in list(receiver.taken)}


def kill_after(shell: Shell, done, pause: float) -> None:
    """Start the scheduler and kill it some time after it has done something."""
    loop = shell.start_loop()
    try:
        wait_until(lambda: done() or loop.poll() is not None)
        time.sleep(pause)
    finally:
        loop.send_signal(signal.SIGKILL)
        loop.communicate()


def test_a_scheduler_killed_at_any_moment_loses_and_repeats_nothing(shell: Shell, receiver):
    pages = [f"/page{number}" for number in range(10)]
    for path in pages:
        url = shell.serve(article(), path)
        shell.run("watch", "add", url, "--every", "1h", "--to", receiver.url(), "--no-robots")
    shell.run("check", "--all", "--no-notify", "--json")
    for number, path in enumerate(pages):
        shell.serve(article(closing=f"Closed since {number + 1} May 2031."), path)
    shell.run("watch", "resume", *range(1, len(pages) + 1))
    chance = random.Random(7)  # noqa: S311  no secret
    for _ in range(4):
        before = len(shell.site.asked) + len(receiver.taken)
        if len(told(receiver)) == len(pages):
            break
        kill_after(
            shell,
            lambda seen=before: len(shell.site.asked) + len(receiver.taken) > seen,
            chance.uniform(0.0, 0.3),
        )
    time.sleep(2.1)  # what the killed ones had taken is free again
    shell.run("check", "--json")
    assert len(told(receiver)) == len(pages)
    by_change: dict[str, set[str]] = {}
    for taken in receiver.taken:
        message = json.loads(taken.body)
        by_change.setdefault(message["data"]["id"], set()).add(message["id"])
    assert len(by_change) == len(pages)
    assert all(len(ids) == 1 for ids in by_change.values())
    assert len(shell.run("changes", "--json", "-n", 100).json["items"]) == len(pages)


def test_ctrl_c_ends_the_scheduler_in_order(shell: Shell):
    url = shell.serve(article())
    shell.run("watch", "add", url, "--every", "1h", "--no-robots")
    loop = shell.start_loop()
    try:
        wait_until(lambda: any(path == "/page" for path, _ in shell.site.asked))
        time.sleep(0.5)
        loop.send_signal(signal.SIGINT)
        _, errors = loop.communicate(timeout=30)
    finally:
        if loop.poll() is None:
            os.kill(loop.pid, signal.SIGKILL)
            loop.wait()
    assert (loop.returncode, errors) == (130, b"")
    watch = shell.run("watch", "show", 1, "--json").json["items"][0]
    assert watch["state"]["outcome"] == "new"


def test_a_test_message_reaches_a_webhook(shell: Shell, receiver):
    done = shell.run("notify", "test", receiver.url("/secret-token"), "--json").json
    assert "secret-token" not in done["target"]
    assert json.loads(receiver.taken[0].body)["type"] == "test"

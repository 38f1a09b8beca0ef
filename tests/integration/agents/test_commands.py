"""The commands around the workers, as people use them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import aio_pika
import pytest
from tests.integration.agents.bench import Bench, until
from tests.integration.agents.pages import ARTICLE, article
from tests.integration.cli import environment, pageloom

from pageloom.edges.broker.connection import BrokerConnection
from pageloom.edges.broker.envelope import Envelope

pytestmark = pytest.mark.integration


def run(bench: Bench, *arguments: object):
    return pageloom(*arguments, **bench.environment())


def test_a_page_that_is_enqueued_comes_to_its_end(bench: Bench, site):
    site.add("/clocks", ARTICLE.format(extra="Both tick.").encode(), Content_Type="text/html")
    bench.variables["PAGELOOM_FETCH_ALLOWED_HOSTS"] = "127.0.0.1"
    workers = bench.start("all")
    done = run(bench, "enqueue", site.url("/clocks"), "--wait", "--json")
    assert done.code == 0, done.out + done.err
    (result,) = done.json["items"]
    assert (result["outcome"], result["version"]) == ("new", 1)
    again = run(bench, "enqueue", site.url("/clocks"), "--wait")
    assert again.code == 0
    assert again.out.startswith("unchanged    version 1")
    gone = run(bench, "enqueue", site.url("/gone"), "--wait", "--json")
    assert gone.code == 1
    assert "FetchError.status" in gone.json["items"][0]["reason"]
    assert "Traceback" not in bench.stop(workers)


def test_enqueue_without_waiting_tells_the_names_of_the_jobs(bench: Bench):
    done = run(bench, "enqueue", "https://mill.example/", "https://mill.example/two", "--json")
    assert done.code == 0
    jobs = bench.receive_json("fetch.jobs", 2)
    assert sorted(job["jobId"] for job in jobs) == sorted(j["job_id"] for j in done.json["items"])


def test_what_is_no_address_is_refused_before_anything_is_written(bench: Bench):
    done = run(bench, "enqueue", "https://mill.example/", "file:///etc/passwd")
    assert done.code == 2
    assert bench.waiting("fetch.jobs") == 0


def test_what_makes_no_sense_is_refused_before_the_broker_is_asked():
    elsewhere = {"RABBIT_URL": "amqp://127.0.0.1:9/"}
    for wrong in (("--depth", "-1"), ("--max-pages", "0"), ("--wait", "--timeout", "-1")):
        done = pageloom("enqueue", "https://mill.example/", *wrong, **elsewhere)
        assert (done.code, wrong[-2] in done.err) == (2, True)
    done = pageloom("enqueue", "-", stdin=b" \n", **elsewhere)
    assert done.code == 2
    assert "contains no URL" in done.err


def test_dead_letters_are_listed_shown_replayed_and_purged(bench: Bench):
    bad = article("bad") | {"html": "", "note": "\x1b[2J"}
    with bench.working("parser"):
        bench.send("html.raw", bad, article("bad2") | {"html": ""}, b"nonsense")
        until(lambda: bench.waiting("dead_letter") == 3)
    listed = run(bench, "dlq", "list", "--json").json["items"]
    assert sorted(each["reason"] for each in listed) == [
        *("EmptyContent", "EmptyContent", "InvalidMessage")
    ]
    shown = run(bench, "dlq", "list").out
    assert shown.count("EmptyContent") == 2
    assert shown.count("The content is empty. Check that the server returns a page") == 2
    one = next(each for each in listed if each["job_id"] == "bad")
    shown = run(bench, "dlq", "show", one["id"][:8])
    assert "EmptyContent" in shown.out
    assert "\x1b" not in shown.out
    body = json.loads(run(bench, "dlq", "show", one["id"], "--json").json["body"])
    assert body == bad
    until(lambda: bench.waiting("dead_letter") == 3)
    assert run(bench, "dlq", "replay", one["id"]).out == "1 dead letter queued again.\n"
    (letter,) = bench.receive("html.raw")
    assert json.loads(letter.body) == bad
    assert letter.attempt == 0
    assert "reason" not in letter.headers
    until(lambda: bench.waiting("dead_letter") == 2)
    assert run(bench, "dlq", "replay", "--all", "--reason", "EmptyContent").out[0] == "1"
    assert run(bench, "dlq", "purge").code == 2
    assert run(bench, "dlq", "purge", "--yes", "--all", "--yes").out == "1 dead letter deleted.\n"
    assert run(bench, "dlq", "list").out == "No dead letters.\n"
    for command in ("show", "replay", "purge"):
        sure = ("--yes",) if command == "purge" else ()
        lost = run(bench, "dlq", command, "nothing", *sure)
        assert lost.code == 3
        assert "no dead letter nothing" in lost.err


def bury(bench: Bench, *letters: Envelope) -> None:
    """Put letters among the dead, as other programs may."""

    async def bury(line: BrokerConnection) -> None:
        for letter in letters:
            await line.publish("dead_letter", letter)

    bench.run(bench._on_line(bury, "dead_letter"))


def test_secrets_in_a_letter_are_shown_only_if_asked_for_and_replayed_as_they_were(bench: Bench):
    job = {
        "jobId": "j",
        "url": "https://me:hun/t@er2hunter2@mill.example/?token=hunter2&q=1",
        "headers": {"Authorization": "Bearer hunter2", "Cookie": "a=hunter2", "Accept": "*/*"},
    }
    bench.send("fetch.jobs")
    bury(
        bench,
        Envelope(body=json.dumps(job).encode(), id="good", headers={"queue": "fetch.jobs"}),
        Envelope(body=json.dumps(job).encode()[:-1], id="torn"),
        Envelope(body=json.dumps(job).encode()[:-1] + b"\xff", id="binary"),
        Envelope(body=b'{"a":' * 600 + json.dumps(job).encode() + b"}" * 600, id="deep"),
    )
    shows = [("show", name) for name in ("good", "torn", "binary", "deep")]
    for command in (("list",), *shows):
        for form in ((), ("--json",)):
            shown = run(bench, "dlq", *command, *form)
            assert shown.code == 0
            assert "mill.example" in shown.out or command == ("list",)
            assert "hunter2" not in shown.out
    whole = run(bench, "dlq", "show", "good", "--secrets", "--json").json
    assert json.loads(whole["body"]) == job
    assert "hunter2" not in run(bench, "dlq", "replay", "good", "--json").out
    assert json.loads(bench.receive("fetch.jobs")[0].body) == job


def test_an_empty_or_unclear_id_touches_no_letter(bench: Bench):
    bury(bench, *(Envelope(body=b"{}", id=name) for name in ("abc-1", "abc-2", "x")))
    for command in ("show", "replay", "purge"):
        for name in ("", " "):
            empty = run(bench, "dlq", command, name)
            assert (empty.code, "The id of a dead letter cannot be empty." in empty.err) == (
                2,
                True,
            )
        sure = ("--yes",) if command == "purge" else ()
        unclear = run(bench, "dlq", command, "ab", *sure)
        assert unclear.code == 2
        assert "The ids of 2 dead letters begin with ab: abc-1, abc-2." in unclear.err
    both = run(bench, "dlq", "purge", "--yes", "abc-1", "--all")
    assert (both.code, "ids" in both.err and "--all" in both.err) == (2, True)
    assert run(bench, "dlq", "purge", "--yes", "x", "abc", "--json").code == 2
    assert len(run(bench, "dlq", "list", "--json").json["items"]) == 3


def test_an_id_that_begins_another_is_still_one_letter(bench: Bench):
    bury(bench, *(Envelope(body=b"{}", id=name) for name in ("abc-1", "abc-10")))
    assert run(bench, "dlq", "show", "abc-1", "--json").json["id"] == "abc-1"
    assert run(bench, "dlq", "purge", "--yes", "abc-1").out == "1 dead letter deleted.\n"
    assert [each["id"] for each in run(bench, "dlq", "list", "--json").json["items"]] == ["abc-10"]


def test_a_letter_that_cannot_go_back_does_not_keep_the_others(bench: Bench):
    bench.send("html.raw")  # the queue is made
    gone = Envelope(body=b"{}", id="gone", headers={"queue": "no.such"})
    good = Envelope(body=b"{}", id="good", headers={"queue": "html.raw"})
    nowhere = Envelope(body=b'{"jobId": "n"}', id="nowhere")
    bury(bench, gone, nowhere, good)
    done = run(bench, "dlq", "replay", "--all")
    assert (done.code, done.out) == (1, "1 dead letter queued again.\n")
    assert "There is no queue no.such. Dead letter gone was kept." in done.err
    assert "the queue in which it failed. Dead letter nowhere was kept." in done.err
    assert "--to QUEUE" in done.err
    assert len(bench.receive("html.raw")) == 1
    told = run(bench, "dlq", "replay", "--all", "--json")
    assert (told.code, told.json["success"], told.json["items"]) == (1, False, [])
    assert {each["id"] for each in told.json["failed"]} == {"gone", "nowhere"}
    assert run(bench, "dlq", "replay", "nowhere", "--to", "html.raw").code == 0
    (letter,) = bench.receive("html.raw")
    assert letter.body == nowhere.body
    lost = run(bench, "dlq", "replay", "gone", "--to", "elsewhere")
    assert (lost.code, "There is no queue elsewhere." in lost.err) == (1, True)
    assert bench.waiting("dead_letter") == 1


def test_an_id_that_no_letter_has_is_named_and_the_others_go(bench: Bench):
    bench.send("html.raw")
    for name in ("one", "two"):
        bury(bench, Envelope(body=b"{}", id=name, headers={"queue": "html.raw"}))
    done = run(bench, "dlq", "replay", "one", "zzzz")
    assert (done.code, done.out) == (3, "1 dead letter queued again.\n")
    assert "There is no dead letter zzzz." in done.err
    told = run(bench, "dlq", "purge", "--yes", "two", "zzzz", "--json")
    assert (told.code, told.json["success"], told.json["missing"]) == (3, False, ["zzzz"])
    assert [each["id"] for each in told.json["items"]] == ["two"]


def test_letters_with_strange_headers_and_bodies_hide_no_other(bench: Bench):
    letter = {"jobId": "f", "url": "https://mill.example/"}
    bench.send("dead_letter", letter, reason="Mine", attempts="many", queue=7, detail=[None])
    bench.send("dead_letter", letter, **{"x-death": "foo"})
    bench.send("dead_letter", letter, **{"x-death": ["foo"], "attempts": None})
    bench.send("dead_letter", b'{"jobId":"\xff"}', reason="Mine", queue="html.raw", attempts="4")
    bench.send(
        "dead_letter", b"[" * 100_000, b"\xff", {"jobId": 10**30, "url": None}, reason="Mine"
    )
    listed = run(bench, "dlq", "list", "--json").json["items"]
    assert [each["attempts"] for each in listed] == [0, 0, 0, 4, 0, 0, 0]
    assert [each["job_id"] for each in listed][:4] == ["f", "f", "f", "\ufffd"]
    assert {each["reason"] for each in listed} == {"Mine", "unknown"}
    assert run(bench, "dlq", "list").code == 0
    assert run(bench, "dlq", "purge", "--yes", "--all", "--yes").out == "7 dead letters deleted.\n"


def test_a_letter_that_is_replayed_succeeds_and_its_failure_is_forgotten(bench: Bench):
    with bench.working("parser", parser__max_html_size=10):
        bench.send("html.raw", article("late"))
        until(lambda: bench.query("SELECT * FROM runs"))
    with bench.working("parser", "classifier", "change-detector", "storage"):
        assert run(bench, "dlq", "replay", "--all").code == 0
        until(lambda: bench.query("SELECT * FROM runs WHERE outcome = 'new'"))
    assert [row["key"][:5] for row in bench.query("SELECT key FROM runs")] == ["late:"]


def test_top_shows_queues_and_workers(bench: Bench):
    bench.send("html.raw", article("one"), article("two"))
    seen = run(bench, "top", "--json").json
    assert seen["queues"]["html.raw"]["messages"] == 2
    assert "html.raw" in run(bench, "top", "--once").out


def test_without_a_broker_every_command_says_what_to_do(bench: Bench):
    nowhere = bench.environment() | {"RABBIT_URL": "amqp://me:secret@127.0.0.1:9/"}
    for command in (("enqueue", "https://mill.example/"), ("dlq", "list")):
        done = pageloom(*command, "--json", **nowhere)
        assert done.code == 1
        assert done.json["error"]["code"] == "BrokerError"
        assert "RabbitMQ" in done.json["error"]["suggestions"][0]
        assert "secret" not in done.out


def test_a_worker_alone_in_its_process_is_set_by_plain_names(bench: Bench):
    names = {"INPUT_QUEUE": "pages.in", "OUTPUT_QUEUE": "pages.out", "MAX_HTML_SIZE": "2000"}
    process = bench.start("parser", **names)
    assert process.stdout
    next(line for line in process.stdout if b"worker.ready" in line)
    bench.send("pages.in", article("small"), article("large", extra="x" * 2000))
    (message,) = bench.receive_json("pages.out")
    assert message["jobId"] == "small"
    (dead,) = bench.receive("dead_letter")
    assert (dead.reason, dead.origin) == ("OversizedContent", "pages.in")


def test_an_unknown_worker_is_refused_with_those_that_there_are():
    done = pageloom("worker", "parsr")
    assert done.code == 2
    assert "change-detector" in done.err


def test_all_workers_are_not_named_together_with_one():
    for alone in ("all", "schema"):
        done = pageloom("worker", alone, "parser")
        assert (done.code, f"{alone} cannot be combined" in done.err) == (2, True)


def test_a_producer_written_as_documented_is_let_in_where_a_plain_one_is_not(bench: Bench):
    bench.send("html.raw")  # the queue is made as workers make it

    async def declare_plainly() -> None:
        async with await aio_pika.connect(bench.rabbit_url) as connection:
            await (await connection.channel()).declare_queue("html.raw", durable=True)

    with pytest.raises(aio_pika.exceptions.ChannelPreconditionFailed):
        bench.run(declare_plainly())
    docs = (Path(__file__).parents[3] / "docs" / "agents.md").read_text()
    (example,) = re.findall(r"^```py\n(.*?)^```$", docs, re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", example], env=environment(**bench.environment()), check=False
    )
    assert done.returncode == 0
    (letter,) = bench.receive("html.raw")
    assert (json.loads(letter.body)["jobId"], letter.kind) == ("1", "html.raw/1")

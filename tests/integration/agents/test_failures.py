"""Every row of the table of failures, through real queues."""

from __future__ import annotations

import asyncio
import base64
import json

import pytest
from pamqp import encode
from tests.integration.agents.bench import Bench, until
from tests.integration.agents.pages import article
from tests.integration.cli import pageloom

from pageloom.apps.agents import run, worker
from pageloom.apps.agents.agent import Agent
from pageloom.apps.agents.topology import make_agent
from pageloom.context import worker_context
from pageloom.edges.broker.connection import BrokerConnection
from pageloom.edges.broker.envelope import Envelope
from pageloom.errors import ParseError, RuleError, StorageError
from pageloom.flows.events import Event, subscribe, unsubscribe
from pageloom.flows.queue import runs

pytestmark = pytest.mark.integration


@pytest.fixture
def told():
    """Everything that is told."""
    events: list[Event] = []
    subscribe(events.append)
    yield events
    unsubscribe(events.append)


def dead(bench: Bench, count: int = 1) -> list:
    return sorted(bench.receive("dead_letter", count), key=lambda letter: letter.reason)


def test_what_can_never_succeed_is_a_dead_letter_at_once_with_its_reason(bench: Bench):
    empty = article("empty") | {"html": "  \n "}
    huge = article("huge") | {"html": "<p>x</p>" * 200_000}
    no_html = {"jobId": "none", "url": "https://mill.example/"}
    bad = article("bad") | {"bodyBase64": "?"}
    wrong = article("wrong") | {"url": 7}
    deep = b'{"jobId":' + b"[" * 200_000
    with bench.working("parser"):
        bench.send("html.raw", empty, huge, no_html, bad, wrong, deep, b"\xff\x00", b"", b"[]")
        letters = dead(bench, 9)
        bench.send("html.raw", article("good"))
        assert bench.receive_json("html.parsed")[0]["jobId"] == "good"
    assert [letter.reason for letter in letters] == [
        "EmptyContent",
        *["InvalidMessage"] * 7,
        "OversizedContent",
    ]
    for letter in letters:
        assert letter.headers["attempts"] == 1
        assert letter.headers["agent"] == "parser"
        assert letter.headers["queue"] == "html.raw"
        assert letter.headers["detail"]
        assert letter.headers["failedAt"].endswith("Z")
    oversized = letters[-1]
    assert json.loads(oversized.body) == huge
    assert "1,600,000" in oversized.headers["detail"]
    assert "Raise parser.max_html_size" in oversized.headers["detail"]


def test_bytes_that_are_no_utf8_are_dead_letters_at_once_and_hold_up_nobody(bench: Bench):
    """Wherever in the message they are; once, more of them than are prefetched ended a worker."""
    body = b'{"jobId":"%s","url":"https://mill.example/%s","html":"<p>%s</p>","watchId":%s}'
    bad = [
        *[body % (b"b\xff", b"a", b"x", b"null")] * 8,
        *[body % (b"u", b"\xff", b"x", b"null")] * 8,
        *[body % (b"h", b"a", b"\xc3(", b"null")] * 8,
        *[body % (b"w\xff", b"a", b"x", b"1")] * 8,
    ]
    with bench.working("parser"):
        bench.send("html.raw", *bad, article("good"))
        assert bench.receive_json("html.parsed")[0]["jobId"] == "good"
        until(lambda: bench.waiting("dead_letter") == len(bad))
    assert bench.waiting("html.raw") == 0
    listed = pageloom("dlq", "list", "--json", **bench.environment())
    assert listed.code == 0
    assert {each["job_id"] for each in listed.json["items"]} == {"b�", "u", "h", "w�"}
    letters = dead(bench, len(bad))
    assert {letter.reason for letter in letters} == {"InvalidMessage"}
    assert {letter.headers["attempts"] for letter in letters} == {1}
    runs = bench.query("SELECT key FROM runs WHERE outcome='dead_letter'")
    assert {run["key"].rpartition(":")[0] for run in runs} == {"b�", "u", "h", "w�"}


def test_properties_that_are_no_utf8_cut_no_line(bench: Bench, monkeypatch):
    """The broker takes any bytes for the id and the type of a message."""
    strange = b"\xff" * 255
    monkeypatch.setitem(encode.METHODS, "shortstr", lambda text: _spoilt(text, strange))
    body = json.dumps(article("bad") | {"html": ""}).encode()
    monkeypatch.setattr(encode, "short_string", encode.METHODS["shortstr"])
    bad = Envelope(body=body, id="spoil", kind="spoil", headers={"spoil": 1})

    async def send(line):
        await line.publish("html.raw", bad)
        await line.publish("html.raw", bad)

    bench.run(bench._on_line(send, "html.raw"))
    monkeypatch.undo()
    with bench.working("parser"):
        bench.send("html.raw", article("good"))
        assert bench.receive_json("html.parsed")[0]["jobId"] == "good"
        letters = dead(bench, 2)
    assert [letter.reason for letter in letters] == ["EmptyContent"] * 2
    assert {letter.headers["attempts"] for letter in letters} == {1}


def _spoilt(text: str, instead: bytes) -> bytes:
    body = instead if text == "spoil" else text.encode()
    return bytes([len(body)]) + body


def test_nothing_that_goes_wrong_in_answering_leaves_a_message_unanswered(
    bench: Bench, monkeypatch
):
    def fail_for_bad(body: bytes):
        if b'"bad"' in body:
            raise ValueError("ours")
        return runs.job_of(body)

    monkeypatch.setattr(worker, "job_of", fail_for_bad)
    with bench.working("parser"):
        bench.send("html.raw", *[article("bad")] * 10, article("good"), colour="red")
        assert bench.receive_json("html.parsed")[0]["jobId"] == "good"
        letters = dead(bench, 10)
    assert {letter.reason for letter in letters} == {"InternalError"}
    assert bench.waiting("html.raw") == 0
    assert all(letter.headers["queue"] == "html.raw" for letter in letters)


def test_a_message_that_nobody_could_answer_for_is_brought_again(bench: Bench, monkeypatch):
    """The line is begun anew, so that nothing waits for ever in a worker that says it is ready."""
    tries: list[bytes] = []

    async def fail(self, delivery, line):
        tries.append(delivery.envelope.body)
        if len(tries) < 3:
            raise ValueError("ours")
        await answer(self, delivery, line)

    answer = worker.QueueWorker._answer
    monkeypatch.setattr(worker.QueueWorker, "_answer", fail)
    with bench.working("parser"):
        bench.send("html.raw", article("good"))
        assert bench.receive_json("html.parsed")[0]["jobId"] == "good"
    assert len(tries) == 3


def test_a_page_without_text_goes_on_with_a_warning(bench: Bench):
    with bench.working("parser"):
        bench.send("html.raw", article("bare") | {"html": "<title>Soon</title><body></body>"})
        (message,) = bench.receive_json("html.parsed")
    assert message["parsed"]["title"] == "Soon"
    assert message["document"]["provenance"]["warnings"] == ["the page has no visible text"]


def test_text_too_short_is_looked_for_by_other_means(bench: Bench):
    page = "<nav><a href=/>Home</a></nav><div>Closed on Monday.</div><footer>Mill</footer>"
    with bench.working("parser"):
        bench.send("html.raw", article("short") | {"html": page})
        (message,) = bench.receive_json("html.parsed")
    assert "Closed on Monday." in message["parsed"]["text"]


def test_half_of_a_surrogate_pair_is_recovered_with_a_warning(bench: Bench, told):
    """Programs that cut a text in the middle of a sign write such a half as an escape."""
    body = json.dumps(article("half", extra="Cut \ud83d here, whole \U0001f600 there, C:\\ud83d."))
    assert r"\ud83d here" in body
    with bench.working("parser"):
        bench.send("html.raw", b"\xef\xbb\xbf" + body.encode())
        (parsed,) = bench.receive_json("html.parsed")
    assert "Cut � here, whole 😀 there, C:\\ud83d." in parsed["parsed"]["text"]
    assert [event.level for event in told if event.name == "message.repaired"] == ["warning"]


def test_broken_encodings_are_recovered_with_a_warning(bench: Bench):
    text = article("latin")["html"].replace("Sundays", "Märzsonntagen, für ältere Mühlen")
    body = text.encode("cp1252")
    message = article("latin") | {
        "html": "",
        "bodyBase64": base64.b64encode(body).decode(),
        "contentType": "text/html; charset=utf-8",
    }
    with bench.working("parser"):
        bench.send("html.raw", message)
        (parsed,) = bench.receive_json("html.parsed")
    assert "Märzsonntagen, für ältere Mühlen" in parsed["parsed"]["text"]
    assert parsed["document"]["provenance"]["warnings"]


@pytest.mark.parametrize("error", [RuntimeError("ours"), ParseError("no tree")])
def test_what_may_pass_is_tried_three_more_times_and_then_given_up(bench: Bench, error):
    tries: list[str] = []

    async def fail(letter, world):
        tries.append(letter.headers.get("attempt", 0))
        raise error

    failing = Agent(name="classifier", handle=fail, uses_store=False)
    with bench.working(failing):
        bench.send("html.parsed", {"jobId": "j", "url": "https://mill.example/"})
        (letter,) = dead(bench)
    assert tries == [0, 1, 2, 3]
    assert letter.headers["attempts"] == 4
    assert letter.reason == ("InternalError" if isinstance(error, RuntimeError) else "ParseError")
    assert "ours" not in str(letter.headers)


@pytest.mark.parametrize(("delays", "attempts"), [("0.1,0.2,0.3", 4), ("", 1)])
def test_a_price_whose_page_never_comes_is_given_up(bench: Bench, delays: str, attempts: int):
    bench.variables["PAGELOOM_BROKER_RETRY_DELAYS"] = delays
    update = {
        "jobId": "lonely",
        "url": "https://mill.example/stool",
        "hasChanges": True,
        "currentVersion": 2,
        "snapshotHash": "1be6fa09",
        "priceCandidates": ["49 EUR"],
    }
    with bench.working("price-tracker"):
        bench.send("price.update", update)
        (letter,) = dead(bench)
    assert (letter.reason, letter.headers["attempts"]) == ("NotYet", attempts)


def test_a_page_that_takes_too_long_is_tried_again_and_then_given_up(bench: Bench):
    with bench.working("parser", extraction__parse_timeout_ms=1):
        bench.send("html.raw", article("slow") | {"html": article("x")["html"] * 100})
        (letter,) = dead(bench)
    assert letter.reason == "ParseTimeout"
    assert letter.headers["attempts"] == 4


def test_the_history_knows_what_was_given_up(bench: Bench):
    with bench.working("parser"):
        bench.send("html.raw", article("lost") | {"html": ""})
        (run,) = until(lambda: bench.query("SELECT * FROM runs"))
    assert (run["outcome"], run["key"].rpartition(":")[0]) == ("dead_letter", "lost")
    assert run["reason"] == "parser: EmptyContent: The content is empty."
    assert run["url"] == "https://mill.example/clocks"


def test_a_message_of_a_newer_contract_is_a_dead_letter_at_once(bench: Bench):
    kinds = ("html.raw/99", "html.raw/2.1", f"html.raw/{'9' * 5000}"[:250])
    fine = ("html.raw/1", "html.raw/1.7", "", "page/2", "html.raw/new", "html.raw/²")

    async def send(line: BrokerConnection) -> None:
        for number, kind in enumerate(kinds + fine):
            body = json.dumps(article(f"job{number}")).encode()
            await line.publish("html.raw", Envelope(body=body, kind=kind))

    bench.run(bench._on_line(send, "html.raw"))
    with bench.working("parser"):
        letters = bench.receive("dead_letter", len(kinds))
        parsed = bench.receive_json("html.parsed", len(fine))
    assert {letter.kind for letter in letters} == set(kinds)
    for letter in letters:
        assert (letter.reason, letter.headers["attempts"]) == ("UnsupportedVersion", 1)
        assert "html.raw up to version 1" in letter.headers["detail"]
    assert len(parsed) == len(fine)


def test_a_job_with_headers_that_cannot_be_sent_is_a_dead_letter_at_once(bench: Bench):
    wrong = (
        {"X-Note": "a\r\nX-Forged: 1"},
        {"X-Note": "a\nb"},
        {"X-Note\r\nX-Forged": "1"},
        {"": "1"},
        {":method": "POST"},
        {"X-Note": "hunter2\x00"},
    )
    url = "https://mill.example/"
    with bench.working("fetcher"):
        jobs = [{"jobId": str(n), "url": url, "headers": each} for n, each in enumerate(wrong)]
        bench.send("fetch.jobs", *jobs)
        letters = bench.receive("dead_letter", len(wrong))
    for letter in letters:
        assert (letter.reason, letter.headers["attempts"]) == ("InvalidMessage", 1)
        assert "hunter2" not in letter.headers["detail"]


def test_the_library_is_closed_when_the_rules_cannot_be_loaded(bench: Bench, monkeypatch):
    context = worker_context(bench.settings(rules__directory="/nowhere", extraction__strict=True))
    monkeypatch.setattr(run, "worker_context", lambda _: context)
    starting = run.run_workers([make_agent("parser")], context.settings, asyncio.Event())
    with pytest.raises(RuleError):
        asyncio.run(starting)
    with pytest.raises(StorageError, match="closed"):
        context.store.ping()


def test_headers_of_the_connection_are_left_out_of_a_job(bench: Bench, site):
    site.add("/clocks", b"<title>Two clocks</title>", Content_Type="text/html")
    bench.variables["PAGELOOM_FETCH_ALLOWED_HOSTS"] = "127.0.0.1"
    headers = {
        "Host": "other.example",
        "content-length": "99",
        "Transfer-Encoding": "chunked",
        "Connection": "Upgrade",
        "Proxy-Connection": "x",
        "X-Note": "kept",
    }
    with bench.working("fetcher"):
        job = {"jobId": "j", "url": site.url("/clocks"), "render": False, "headers": headers}
        bench.send("fetch.jobs", job)
        (message,) = bench.receive_json("html.raw")
    assert message["status"] == 200
    sent = {name.lower(): value for name, value in site.asked[-1][1].items()}
    assert sent["x-note"] == "kept"
    assert sent["host"] == f"127.0.0.1:{site.port}"
    assert not sent.keys() & {"content-length", "transfer-encoding", "proxy-connection"}
    assert sent.get("connection", "").lower() != "upgrade"

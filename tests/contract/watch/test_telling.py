"""From the outbox to the targets: nothing is lost, nothing blocks, nothing is told twice."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest
from tests.contract.watch.rig import Rig

from pageloom.edges.notify.notice import Notice
from pageloom.edges.store.times import read_time
from pageloom.flows.notify.notices import queue_notice
from pageloom.model.watch import Watch


@pytest.fixture
def watch(rig: Rig) -> Watch:
    return rig.watch()


def put(rig: Rig, watch: Watch, number: int, *targets: str, digest: float = 0.0) -> None:
    notice = Notice(
        id=f"change-{number}",
        kind="change",
        title=f"Change {number}",
        text="It changed.",
        url="https://a.example/",
        at=rig.world(None).at(),
    )
    rig.store.transact(
        lambda tx: queue_notice(
            tx, "local", notice, targets, watch_id=watch.id, digest_minutes=digest
        )
    )


def test_every_target_is_told_once_however_often_it_is_put(rig, watch, receiver):
    for _ in range(3):
        put(rig, watch, 1, receiver.url("/a"), receiver.url("/b"), receiver.url("/a"))
    assert rig.tell().sent == 2
    assert rig.tell().sent == 0
    assert sorted(taken.path for taken in receiver.taken) == ["/a", "/b"]
    assert len({taken.headers["webhook-id"] for taken in receiver.taken}) == 2


def test_a_target_that_fails_is_tried_again_later_and_later_under_one_id(rig, watch, receiver):
    receiver.answers = [503, 503, 503]
    put(rig, watch, 1, receiver.url())
    waits = []
    for _ in range(3):
        assert rig.tell().failed == 1
        (message,) = rig.messages()
        waits.append(read_time(message.next_try).timestamp() - rig.clock)
        assert rig.tell().failed == 0  # not before its time
        rig.clock += waits[-1]
    assert waits == [60, 120, 240]
    assert rig.tell().sent == 1
    assert len({taken.headers["webhook-id"] for taken in receiver.taken}) == 1


def test_a_failing_target_holds_up_no_other(rig, watch, receiver):
    for number in range(3):
        put(rig, watch, number, "http://127.0.0.1:9/", receiver.url(), "nosuch://x", "console")
    told = rig.tell()
    assert (told.sent, told.failed) == (6, 2)
    assert len(receiver.taken) == 3


def test_what_can_never_succeed_waits_for_a_person(rig, watch, receiver):
    from pageloom.edges.store import outbox

    receiver.answers = [404]
    put(rig, watch, 1, receiver.url())
    rig.tell()
    (message,) = rig.messages()
    assert (message.state, message.error) == (
        "failed",
        "NotifyError: The webhook answered with status 404.",
    )
    assert outbox.retry_failed(rig.store, "local", rig.world(None).at()) == 1
    assert rig.tell().sent == 1


def test_after_the_last_attempt_a_message_is_kept(rig, watch, receiver):
    receiver.answers = [500] * 3
    put(rig, watch, 1, receiver.url())
    for _ in range(3):
        rig.tell(after=10_000, max_attempts=3)
    assert rig.messages()[0].state == "failed"
    assert len(receiver.taken) == 3


def test_what_is_to_be_collected_comes_as_one(rig, watch, receiver):
    for number in range(4):
        put(rig, watch, number, receiver.url(), digest=30)
        rig.clock += 60
    assert rig.tell().sent == 0
    assert rig.tell(after=1800).sent == 1
    (taken,) = receiver.taken
    body = json.loads(taken.body)
    assert body["type"] == "digest"
    assert [notice["title"] for notice in body["data"]["notices"]] == [
        f"Change {number}" for number in range(4)
    ]
    assert rig.tell(after=7200).sent == 0


def test_a_digest_that_fails_is_sent_again_as_the_same(rig, watch, receiver):
    receiver.answers = [503]
    for number in range(3):
        put(rig, watch, number, receiver.url(), digest=30)
    rig.tell(after=1800)
    put(rig, watch, 9, receiver.url(), digest=30)
    rig.tell(after=1900)
    digests = [each for each in receiver.taken if b'"type": "digest"' in each.body]
    assert len(digests) == 2
    assert len({each.headers["webhook-id"] for each in digests}) == 1
    assert digests[0].body == digests[1].body


def test_more_than_a_target_may_have_in_an_hour_comes_as_one(rig, watch, receiver):
    for number in range(3):
        put(rig, watch, number, receiver.url())
        rig.tell(after=1, rate_limit=3)
    for number in range(10, 20):
        put(rig, watch, number, receiver.url())
    assert rig.tell(after=1, rate_limit=3).postponed == 10
    assert len(receiver.taken) == 3
    rig.tell(after=3700, rate_limit=3)
    assert len(receiver.taken) == 4
    assert len(json.loads(receiver.taken[3].body)["data"]["notices"]) == 10


def test_a_feed_grows_and_says_each_change_once(rig, watch):
    for number in range(3):
        put(rig, watch, number, "feed:walks", "rss:walks")
        rig.tell(after=60)
    atom = ET.parse(rig.directory / "feeds" / "walks.atom.xml").getroot()  # noqa: S314  our own
    titles = [each.text for each in atom.iter("{http://www.w3.org/2005/Atom}title")][1:]
    assert titles == ["Change 2", "Change 1", "Change 0"]
    rss = ET.parse(rig.directory / "feeds" / "walks.rss.xml").getroot()  # noqa: S314  our own
    assert len(rss.findall("channel/item")) == 3


def test_a_process_killed_between_sending_and_noting_repeats_under_the_same_id(
    rig, watch, receiver
):
    import asyncio

    from pageloom.edges.store import outbox
    from pageloom.flows.notify.deliver import deliver
    from pageloom.flows.notify.outbox_sender import read_notice

    put(rig, watch, 1, receiver.url())
    (taken,) = outbox.take_messages(
        rig.store, "local", receiver.url(), "dead", seconds=60, at=rig.world(None).at()
    )
    asyncio.run(deliver(read_notice(taken), taken.target, rig.means()))
    assert rig.tell(after=30).sent == 0
    assert rig.tell(after=61).sent == 1
    assert len({each.headers["webhook-id"] for each in receiver.taken}) == 1
    assert len(receiver.taken) == 2


def test_a_damaged_message_holds_up_no_other(rig, watch, receiver):
    put(rig, watch, 1, receiver.url("/a"))
    with rig.store.write() as tx:
        tx.run("UPDATE outbox SET payload = ?", '{"nothing": 1}')
    put(rig, watch, 2, receiver.url("/b"))
    told = rig.tell()
    assert (told.sent, told.failed) == (1, 1)
    assert [taken.path for taken in receiver.taken] == ["/b"]

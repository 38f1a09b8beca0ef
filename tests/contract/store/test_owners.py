"""Two users of one library: neither reads, nor changes, what is the other's."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.notify.notice import Notice
from pageloom.edges.notify.options import NotifyOptions
from pageloom.edges.store import outbox
from pageloom.edges.store.users import ensure_user
from pageloom.flows.notify.deliver import NotifyContext
from pageloom.flows.notify.outbox_sender import send_due
from pageloom.model.library import OutboxMessage


def queue(store, owner: str, number: int, target: str = "feed:walks") -> None:
    notice = Notice(
        id=f"{owner}-{number}",
        kind="change",
        title=f"Number {number} for {owner}",
        url="https://a.example/",
        at="2026-01-01T00:00:00Z",
    )

    def add(tx) -> None:
        ensure_user(tx, owner)
        message = OutboxMessage(
            id=notice.id,
            owner=owner,
            target=target,
            payload=notice.to_dict(),
            created_at="2026-01-01T00:00:00.000000Z",
        )
        outbox.queue_message(tx, message)

    store.transact(add)


def send(store, directory: Path, **options) -> None:
    context = NotifyContext(
        options=NotifyOptions(**options),
        fetch=FetchOptions(),
        feed_directory=directory,
        now=lambda: 1_800_000_000.0,
    )
    asyncio.run(send_due(store, context, "test"))


@pytest.mark.parametrize("other", ["ann", "../local", "Ann", "a/b", "ann." * 50])
def test_a_feed_of_the_same_name_is_another_feed_for_each_user(store, tmp_path, other):
    queue(store, "local", 1)
    queue(store, other, 2)
    send(store, tmp_path / "feeds")
    queue(store, "local", 3)
    queue(store, other, 4)
    send(store, tmp_path / "feeds")
    local = (tmp_path / "feeds" / "walks.atom.xml").read_text()
    assert "Number 1 for local" in local
    assert "Number 3 for local" in local
    assert "Number 2" not in local
    (theirs,) = (tmp_path / "feeds").glob("*/walks.atom.xml")
    assert "Number 2 for" in theirs.read_text()
    assert "Number 4 for" in theirs.read_text()
    assert "for local" not in theirs.read_text()
    assert [each.id for each in outbox.recent_messages(store, other, "feed:walks", 9)] == [
        f"{other}-2",
        f"{other}-4",
    ]


def test_the_rate_limit_of_a_target_counts_the_messages_of_one_user(store, tmp_path, capsys):
    for number in range(2):
        queue(store, "ann", number, "console")
        send(store, tmp_path, rate_limit=2)
    queue(store, "ben", 1, "console")
    send(store, tmp_path, rate_limit=2)
    assert outbox.list_messages(store, "ben")[0].state == "sent"
    queue(store, "ann", 2, "console")
    send(store, tmp_path, rate_limit=2)
    assert [each.state for each in outbox.list_messages(store, "ann")].count("waiting") == 1

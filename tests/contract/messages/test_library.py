"""What messages lead to in the libraries of those whom they are for."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from tests.contract.messages.test_bytes import handle

from pageloom.apps.agents import change_detector, classifier, notifier, parser, storage
from pageloom.apps.agents.agent import WorkerContext
from pageloom.context import worker_context
from pageloom.edges.store.runs import runs_of_job
from pageloom.errors import EmptyContent, OversizedContent
from pageloom.flows.queue.runs import record_failed_job
from pageloom.library import Library
from pageloom.settings import load_settings


@pytest.fixture
def world(sqlite_library):
    environment = {"PAGELOOM_DATABASE_URL": str(sqlite_library)}
    settings = load_settings(environment=environment, directories=())
    made = WorkerContext(worker_context(settings))
    yield made
    asyncio.run(made.close())


def page(title: str, more: str = "") -> str:
    words = " ".join(f"{title} word{number}" for number in range(200))
    return (
        f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>"
        f"<p>{words}</p>{more}</article></body></html>"
    )


def send(world: WorkerContext, **message) -> dict[str, dict]:
    """Take what a server answered with through all the workers; their messages by queue."""
    (parsed,) = handle(parser, message, world).values()
    (check,) = handle(classifier, parsed, world).values()
    outs = handle(change_detector, check, world)
    handle(storage, outs["storage-agent"], world)
    if "notify" in outs:
        handle(notifier, outs["notify"], world)
    return {queue: json.loads(body) for queue, body in outs.items()}


def library(world: WorkerContext, user: str) -> Library:
    return Library(world.context.for_user(user))


def rows(world: WorkerContext, sql: str) -> list[dict]:
    with world.context.store.read() as tx:
        return tx.all(sql)


def test_one_job_of_two_owners_is_two_pages_and_two_runs(world):
    for owner in ("ann", "bob"):
        job = {"jobId": "nightly", "url": "https://n.example/a", "html": page("News")}
        outs = send(world, **job, owner=owner)
        assert outs["storage-agent"]["outcome"] == "new"
    for owner in ("ann", "bob"):
        assert library(world, owner).count() == 1
        assert len(runs_of_job(world.context.store, owner, "nightly")) == 1


def test_one_job_that_fails_for_two_owners_is_two_runs(world):
    for owner in ("ann", "bob"):
        body = json.dumps({"jobId": "j", "url": "https://n.example/", "owner": owner}).encode()
        record_failed_job(
            world.context.store,
            "parser",
            body,
            EmptyContent("The content is empty."),
            owner="local",
            context=world.check_context,
        )
        assert len(runs_of_job(world.context.store, owner, "j")) == 1


@pytest.mark.parametrize(
    ("owner", "url"),
    [("bob", "https://n.example/private"), ("ann", "https://other.example/planted")],
)
def test_a_watch_of_another_owner_or_url_is_not_that_of_a_message(world, owner, url):
    ann = library(world, "ann")
    watch = ann.watch("https://n.example/private", targets=["feed:x"])
    leased = "UPDATE watches SET lease_owner = 'l', lease_until = '2999'"
    world.context.store.transact(lambda tx: tx.run(leased))
    send(world, jobId="j", url=url, html=page("Planted"), owner=owner, watchId=watch.id, lease="l")
    assert [(row["owner"], row["url_full"]) for row in rows(world, "SELECT * FROM pages")] == [
        (owner, url)
    ]
    assert [row["lease_owner"] for row in rows(world, "SELECT lease_owner FROM watches")] == ["l"]


def test_a_page_of_a_plain_job_is_saved_and_that_of_a_watch_watched(world):
    watch = library(world, "ann").watch("https://n.example/watched")
    send(world, jobId="a", url="https://n.example/plain", html=page("Plain"), owner="ann")
    watched = {"url": "https://n.example/watched", "owner": "ann", "watchId": watch.id}
    send(world, jobId="b", html=page("Watched"), **watched)
    found = rows(world, "SELECT origin FROM versions ORDER BY id")
    assert [row["origin"] for row in found] == ["save", "watch"]
    details = [event.detail for event in library(world, "ann").events()]
    assert [each["origin"] for each in details if "origin" in each] == ["save", "watch"]


def test_a_change_is_the_same_notice_whether_or_not_the_lease_is_still_held(world):
    made = []
    for path, lease in (("held", "l"), ("gone", "other")):
        url = f"https://n.example/{path}"
        watch = library(world, "ann").watch(url, targets=["feed:x"], template="NOW {price}")
        for number, price in enumerate(("19.00", "25.00")):
            taken = "UPDATE watches SET lease_owner = 'l', lease_until = '2999'"
            world.context.store.transact(lambda tx, sql=taken: tx.run(sql))
            shop = page("Shop", f"<p>Price: {price} EUR today in our shop.</p>")
            job = {"jobId": f"{path}{number}", "url": url, "html": shop, "owner": "ann"}
            send(world, **job, watchId=watch.id, lease=lease if number else "l")
        (message,) = rows(world, f"SELECT payload FROM outbox WHERE watch_id = {watch.id}")  # noqa: S608
        made.append(json.loads(message["payload"]))
    held, gone = made
    for name in ("kind", "title", "text", "importance"):
        assert held[name] == gone[name], name
    assert held["data"].keys() == gone["data"].keys()


def test_what_workers_need_among_themselves_reaches_no_target(world):
    named = {"jobId": "j", "url": "https://n.example/", "snapshotHash": "1", "hasChanges": True}
    inner = {"lease": "l", "bodyHash": "b", "owner": "ann", "validators": {"etag": "x"}}
    world.context.settings.notify = replace(world.settings.notify, targets=("feed:x",))
    handle(notifier, named | inner | {"currentVersion": 2, "extra": 1}, world)
    ((message),) = rows(world, "SELECT payload FROM outbox")
    data = json.loads(message["payload"])["data"]
    assert not (data.keys() | data["report"].keys()) & {*inner, "jobId"}
    assert data["report"]["extra"] == 1


def test_a_watch_is_parsed_within_the_limits_of_extraction_unless_the_parser_has_its_own(world):
    url, html = "https://n.example/", page("Long", "x" * 1_000_000)
    watch = library(world, "local").watch(url)
    plain = {"jobId": "j", "url": url, "html": html}
    watched, settings = plain | {"watchId": watch.id}, world.context.settings
    handle(parser, watched, world)  # as large as the scheduler takes it
    with pytest.raises(OversizedContent):
        handle(parser, plain, world)
    settings.extraction = replace(settings.extraction, max_content_length=1000)
    with pytest.raises(OversizedContent):
        handle(parser, watched, world)
    settings.parser = replace(settings.parser, max_html_size=2_000_000)
    handle(parser, watched, world)
    handle(parser, plain, world)


def test_validators_are_read_in_both_spellings(world):
    for number, name in enumerate(("lastModified", "last-modified")):
        url = f"https://n.example/{number}"
        watch = library(world, "ann").watch(url)
        taken = "UPDATE watches SET lease_owner = 'l', lease_until = '2999'"
        world.context.store.transact(lambda tx, sql=taken: tx.run(sql))
        job = {"jobId": f"v{number}", "url": url, "html": page("Dated"), "owner": "ann"}
        send(world, **job, watchId=watch.id, lease="l", validators={name: "Mon"})
        assert library(world, "ann").get_watch(watch).state.last_modified == "Mon"

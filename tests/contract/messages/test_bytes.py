"""The messages that other makes of workers send and expect, byte for byte."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import msgspec
import pytest

from pageloom.apps.agents import (
    change_detector,
    classifier,
    notifier,
    parser,
    price_tracker,
    storage,
)
from pageloom.apps.agents.agent import WorkerContext
from pageloom.context import worker_context
from pageloom.edges.broker.envelope import Envelope
from pageloom.flows.queue.foreign import NothingToKeep, NotYet
from pageloom.flows.queue.messages import CONTRACTS, InvalidMessage, read_message, schemas
from pageloom.settings import load_settings

HERE = Path(__file__).parent
NOW = 1712345678.910


@pytest.fixture
def world(sqlite_library):
    environment = {"PAGELOOM_DATABASE_URL": str(sqlite_library)}
    settings = load_settings(environment=environment, directories=())
    made = WorkerContext(worker_context(settings), now=lambda: NOW)
    yield made
    asyncio.run(made.close())


def handle(agent, message, world) -> dict[str, bytes]:
    """What a worker writes, by queue."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    waves = asyncio.run(agent.AGENT.handle(Envelope(body=body), world))
    return {out.queue: out.body for wave in waves for out in wave}


def without(body: bytes, *names: str) -> bytes:
    """The same bytes without some fields."""
    message = msgspec.json.decode(body)
    assert msgspec.json.encode(message) == body  # the order of fields and the spelling stay
    return msgspec.json.encode({k: v for k, v in message.items() if k not in names})


PRODUCT = (
    "<html><head><title>Sample Product</title>"
    '<meta name="description" content="A short summary of the sample.">'
    '<meta property="og:title" content="Sample Product"></head><body><main>'
    '<h1>Sample Product</h1><img src="/img.png" width=400 height=300>'
    "<p>The sample is a product that anybody can look at: made of nothing, sold to nobody, and "
    "described in one sentence of a sensible length.</p><p>Price: ₹499</p><p>Rated 4.5/5 by all"
    ' who saw it.</p><p>See <a href="/page">the page</a>.</p></main></body></html>'
)
RAW = {"jobId": "abc123", "url": "https://example.com/item/5", "html": PRODUCT}


def test_the_parser_writes_what_is_expected_of_it_byte_for_byte(world):
    (body,) = handle(parser, RAW, world).values()
    assert without(body, "document", "bodyHash") == (HERE / "html.parsed.json").read_bytes().strip()
    message = json.loads(body)
    assert list(message) == [
        *("jobId", "url", "parsed", "snapshotHash", "version", "ts", "document", "bodyHash")
    ]
    assert message["document"]["title"] == "Sample Product"
    assert len(message["bodyHash"]) == 64


def test_the_smallest_message_of_the_parser_is_read(world):
    smallest = b'{"jobId":"abc123","url":"https://example.com/item/5","html":"<html>...</html>"}'
    (body,) = handle(parser, smallest, world).values()
    assert json.loads(body)["parsed"]["text"] == "..."


CHECK = {
    "jobId": "abc123",
    "url": "https://example.com/p/12",
    "parsed": {
        "title": "Phone 13",
        "text": "The latest model of the phone, in three colours, with a case made of glass.",
        "images": ["https://example.com/p/12.png"],
        "metadata": {"og:title": "Phone 13"},
        "priceCandidates": ["₹79999"],
    },
    "classification": {"type": "product", "confidence": 0.92},
    "snapshotHash": "1be6fa09",
    "version": 3,
}


def with_(message: dict, **parts) -> dict:
    parsed = message["parsed"] | parts.pop("parsed", {})
    return message | {"parsed": parsed} | parts


def test_the_change_detector_writes_what_is_expected_of_it_byte_for_byte(world):
    first = with_(
        CHECK, jobId="abc121", snapshotHash="0aaa", parsed={"priceCandidates": ["₹69999"]}
    )
    second = with_(
        CHECK,
        jobId="abc122",
        snapshotHash="0bbb",
        parsed={"text": "The latest model of the phone, in two colours, with a case of steel."},
    )
    new = handle(change_detector, first, world)
    assert set(new) == {"price.update", "storage-agent"}
    handle(change_detector, second, world)
    changed = handle(change_detector, CHECK | {"extra": {"kept": [1]}}, world)
    assert set(changed) == {"notify", "storage-agent"}
    unchanged = handle(change_detector, CHECK | {"jobId": "abc124"}, world)
    assert set(unchanged) == {"storage-agent"}
    for name, body in (
        ("new.storage-agent", new["storage-agent"]),
        ("new.price.update", new["price.update"]),
        ("changed.storage-agent", changed["storage-agent"]),
        ("changed.notify", changed["notify"]),
        ("unchanged.storage-agent", unchanged["storage-agent"]),
    ):
        assert body == (HERE / f"{name}.json").read_bytes().strip(), name


def test_a_new_page_is_new_and_tells_nobody(world):
    message = json.loads(handle(change_detector, CHECK, world)["storage-agent"])
    assert (message["isNew"], message["hasChanges"]) == (True, False)
    assert message["previousVersion"] is None
    assert message["currentVersion"] == 1
    assert "diff" not in message


def test_a_price_goes_on_only_from_products_that_have_one(world):
    article = CHECK | {"classification": {"type": "article", "confidence": 0.9}}
    assert "price.update" not in handle(change_detector, article, world)
    none = with_(CHECK, url="https://example.com/p/13", parsed={"priceCandidates": []})
    assert "price.update" not in handle(change_detector, none, world)


RELATED = "".join(
    f"<li><a href=/{name}>{name}</a> <b>$9.00</b> <button>Add to cart</button></li>"
    for name in ("Pot", "Pan", "Lid")
)
KETTLE = (
    "<html lang=en><head><title>Copper kettle</title></head><body><main><h1>Copper kettle</h1>"
    "<p>{price}</p><button>Add to cart</button><p>A kettle of two litres, hammered by hand and "
    "tinned inside, for every kind of stove.</p>{more}</main></body></html>"
)


@pytest.mark.parametrize("more", ["", f"<h2>You may also like</h2><ul>{RELATED}</ul>"])
def test_the_price_of_a_plain_shop_page_goes_all_the_way(world, more):
    amounts = []
    for job, price in (("k1", "$49.00"), ("k2", "$39.00")):
        page = KETTLE.format(price=price, more=more)
        raw = {"jobId": job, "url": "https://kettlerow.example/kettle", "html": page}
        (parsed,) = handle(parser, raw, world).values()
        (check,) = handle(classifier, parsed, world).values()
        outs = handle(change_detector, check, world)
        handle(storage, outs["storage-agent"], world)
        handle(price_tracker, outs["price.update"], world)
        amounts.append(json.loads(outs["price.update"])["priceCandidates"][0])
    assert amounts == ["$49.00", "$39.00"]
    assert [row["amount"] for row in rows(world, "SELECT amount FROM prices ORDER BY id")] == [
        "49.00",
        "39.00",
    ]


def test_the_same_message_again_leads_to_the_same_bytes(world):
    first = handle(change_detector, CHECK, world)
    assert handle(change_detector, CHECK, world) == first
    moved = with_(CHECK, jobId="next", snapshotHash="0ccc", parsed={"title": "Phone 14"})
    told = handle(change_detector, moved, world)
    assert handle(change_detector, moved, world) == told
    with world.context.store.read() as tx:
        assert tx.value("SELECT count(*) FROM versions") == 2
        assert tx.value("SELECT count(*) FROM changes") == 1


def test_what_nobody_knows_passes_through_every_worker(world):
    strange = {"tenant": "north", "nested": {"a": [None, True, 1.5]}, "url2": "ü"}
    (parsed,) = handle(parser, RAW | strange, world).values()
    (check,) = handle(classifier, parsed, world).values()
    outs = handle(change_detector, check, world)
    for body in (parsed, check, *outs.values()):
        message = json.loads(body)
        assert {name: message[name] for name in strange} == strange


def test_the_classifier_only_adds_to_what_it_was_given(world):
    parsed = {name: value for name, value in CHECK.items() if name != "classification"}
    body = msgspec.json.encode(parsed | {"more": 1})
    (answer,) = handle(classifier, body, world).values()
    assert answer.startswith(body[:-1] + b',"classification":{"type":"product","confidence":')


def test_storage_keeps_what_a_detector_of_another_make_sends(world):
    document = json.loads(next(iter(handle(parser, RAW, world).values())))["document"]
    message = {
        "jobId": "elsewhere",
        "url": RAW["url"],
        "hasChanges": False,
        "previousVersion": None,
        "currentVersion": 7,
        "snapshotHash": document["snapshot_hash"],
        "document": document,
    }
    for _ in range(2):
        assert handle(storage, message, world) == {}
    with world.context.store.read() as tx:
        (run,) = tx.all("SELECT * FROM runs")
        assert (run["outcome"], run["version"]) == ("unchanged", 1)
        assert tx.value("SELECT count(*) FROM versions") == 1


def test_the_price_tracker_keeps_what_a_detector_of_another_make_sends(world):
    handle(storage, elsewhere("one"), world)
    update = elsewhere("one") | {"priceCandidates": ["₹499"], "fetchedAt": "2026-03-01T10:00:00Z"}
    for _ in range(2):
        handle(price_tracker, update, world)
    with world.context.store.read() as tx:
        (price,) = tx.all("SELECT * FROM prices")
    assert (price["amount"], price["currency"]) == ("499", "INR")


def elsewhere(job: str) -> dict:
    return {
        "jobId": job,
        "url": "https://example.com/p/12",
        "hasChanges": False,
        "currentVersion": 1,
        "snapshotHash": "1be6fa09",
        "document": {"url": "https://example.com/p/12", "title": "Phone 13", "text": "New."},
    }


SAMPLE = {
    "jobId": "abc123",
    "url": "https://example.com/p/12",
    "hasChanges": True,
    "diff": {
        "titleChanged": False,
        "textDiff": "...",
        "metadataChanges": {},
        "imageChanges": {},
        "priceChanged": False,
    },
    "previousVersion": 2,
    "currentVersion": 3,
    "snapshotHash": "1be6fa09",
}
"""The report of a change as others send it: nothing of the page itself."""


def rows(world, sql: str) -> list[dict]:
    with world.context.store.read() as tx:
        return tx.all(sql)


def test_a_report_of_a_change_alone_keeps_a_page_without_words_and_its_versions(world):
    for message in (SAMPLE, SAMPLE, SAMPLE | {"jobId": "next", "snapshotHash": "2cf7"}):
        assert handle(storage, message, world) == {}
    assert [row["url"] for row in rows(world, "SELECT url FROM pages")] == [SAMPLE["url"]]
    found = rows(world, "SELECT number, snapshot_hash, word_count FROM versions ORDER BY number")
    assert [tuple(row.values()) for row in found] == [(1, "1be6fa09", 0), (2, "2cf7", 0)]
    runs = rows(world, "SELECT outcome, version, reason FROM runs ORDER BY id")
    assert [tuple(run.values()) for run in runs] == [("changed", 1, "..."), ("changed", 2, "...")]
    # What the page is like when it comes is no change of it.
    outs = handle(change_detector, CHECK | {"jobId": "whole", "snapshotHash": "3d"}, world)
    assert "notify" not in outs
    assert json.loads(outs["storage-agent"])["outcome"] == "rebased"


def test_a_report_of_a_change_alone_never_hides_a_page_with_words(world):
    handle(change_detector, CHECK, world)
    with pytest.raises(NothingToKeep):
        handle(storage, SAMPLE | {"jobId": "two", "snapshotHash": "2cf7"}, world)
    assert len(rows(world, "SELECT * FROM versions")) == 1
    handle(storage, SAMPLE | {"jobId": "three"}, world)  # the version that is kept
    calm = SAMPLE | {"jobId": "four", "snapshotHash": "2cf7", "hasChanges": False}
    handle(storage, calm, world)
    runs = rows(world, "SELECT outcome, version FROM runs ORDER BY id")
    assert [tuple(run.values()) for run in runs] == [("changed", 1), ("unchanged", 1)]


@pytest.mark.parametrize(
    "more",
    [
        {"parsed": CHECK["parsed"]},
        {"changes": {"title": {"after": "Phone 13"}, "text": {"after": CHECK["parsed"]["text"]}}},
    ],
)
def test_a_page_is_made_of_what_a_report_says_of_it(world, more):
    handle(storage, SAMPLE | more, world)
    ((title, words),) = [
        tuple(row.values()) for row in rows(world, "SELECT title, word_count FROM pages")
    ]
    assert (title, words) == ("Phone 13", 15)


def test_a_report_without_a_price_takes_that_of_the_page_or_is_refused(world):
    with pytest.raises(NotYet):
        handle(price_tracker, SAMPLE, world)
    parsed = {"parsed": CHECK["parsed"]}
    handle(storage, SAMPLE | parsed, world)
    handle(storage, SAMPLE | {"url": "https://example.com/bare"}, world)
    with pytest.raises(NothingToKeep):
        handle(price_tracker, SAMPLE | {"url": "https://example.com/bare"}, world)
    world.context.store.transact(lambda tx: tx.run("DELETE FROM prices"))
    world.context.store.transact(lambda tx: tx.run("DELETE FROM idempotency_keys"))
    handle(price_tracker, SAMPLE, world)
    assert [row["amount"] for row in rows(world, "SELECT amount FROM prices")] == ["79999"]


def test_a_report_without_details_is_told(world):
    world.context.settings = load_settings(
        environment={
            "PAGELOOM_DATABASE_URL": world.settings.database.url,
            "PAGELOOM_NOTIFY_TARGETS": "console:",
        },
        directories=(),
    )
    assert handle(notifier, SAMPLE, world) == {}
    (put,) = rows(world, "SELECT payload FROM outbox")
    data = json.loads(put["payload"])["data"]
    assert (data["from_version"], data["to_version"]) == (2, 3)
    assert data["report"]["changes"] == {}


def test_the_same_content_at_two_addresses_is_two_pages(world):
    for path in ("one", "two"):
        message = CHECK | {"url": f"https://example.com/{path}"}
        for _ in range(2):
            outs = handle(change_detector, message, world)
            assert json.loads(outs["storage-agent"])["isNew"] is True
            handle(storage, outs["storage-agent"], world)
            handle(price_tracker, outs["price.update"], world)
    for table in ("pages", "versions", "runs", "prices"):
        assert len(rows(world, f"SELECT * FROM {table}")) == 2  # noqa: S608


def test_a_page_from_the_future_freezes_nothing(world):
    future = CHECK | {"jobId": "fu1", "fetchedAt": "2999-01-01T00:00:00Z"}
    handle(change_detector, future, world)
    other = {"url": "https://example.com/p/13", "document": {"url": "https://example.com/p/13"}}
    handle(storage, elsewhere("fu2") | other | {"fetchedAt": "2999-01-01T00:00:00Z"}, world)
    handle(price_tracker, SAMPLE | {"jobId": "p"} | future, world)
    assert not rows(world, "SELECT * FROM versions WHERE fetched_at > '2900'")
    assert not rows(world, "SELECT * FROM prices WHERE at > '2900'")
    later = with_(CHECK, jobId="fu3", snapshotHash="f3", parsed={"title": "Phone 14"})
    assert json.loads(handle(change_detector, later, world)["storage-agent"])["hasChanges"]
    # One that was kept before, with such a time, is not believed either.
    world.context.store.transact(lambda tx: tx.run("UPDATE versions SET fetched_at = '2999-01-01'"))
    again = with_(CHECK, jobId="fu4", snapshotHash="f4", parsed={"title": "Phone 15"})
    assert json.loads(handle(change_detector, again, world)["storage-agent"])["hasChanges"]


@pytest.mark.parametrize(
    "metadata",
    [
        {"og:title": None},
        {"og:image": ["a", "b", None]},
        {"og:title": {"a": 1}},
        {"og:price:amount": 5},
        {"twitter:card": [1]},
        {"keywords": ["a", "b"]},
        {"x": {"y": True}},
        {"canonical": None},
        {"canonical": ["https://example.com/p/12"]},
        {"jsonld": None},
        {"jsonld": "{}"},
        {"jsonld": ["x", {"@type": "Product", "name": None}]},
        {"jsonld": {"@type": "Product", "name": "x"}},
    ],
)
def test_metadata_may_be_of_any_kind(world, metadata):
    """Before and after: a check is also a comparison with the one before."""
    for number, found in enumerate(({}, metadata, {"og:title": "other"}, metadata)):
        text = f"The model number {number} of the phone, which comes in {number} new colours."
        parsed = {"metadata": found, "text": text}
        message = with_(CHECK, jobId=f"m{number}", snapshotHash=f"h{number}", parsed=parsed)
        (check,) = handle(classifier, message, world).values()
        assert "storage-agent" in handle(change_detector, check, world)


@pytest.mark.parametrize("name", CONTRACTS)
@pytest.mark.parametrize("field", ["jobId", "url"])
def test_a_name_that_is_empty_is_none(name, field):
    with pytest.raises(InvalidMessage):
        read_message(json.dumps(example(name) | {field: ""}).encode(), CONTRACTS[name])


@pytest.mark.parametrize("status", [10**30, -1, "200", None, True])
def test_a_status_that_is_none_is_left_out(world, status):
    handle(change_detector, CHECK | {"status": status}, world)
    (version,) = rows(world, "SELECT status FROM versions")
    assert version["status"] in (None, 1)


def test_what_strangers_send_along_is_not_taken_for_ours(world):
    strange = {"diff": "mine", "changes": [], "outcome": "x", "path": 7, "changeId": "c", "z": 1}
    strange |= {"prices": 5, "availability": {}, "priceCandidates": 3, "lease": "x"}
    for number in (1, 2):
        message = CHECK | strange | {"jobId": f"s{number}"}
        outs = handle(change_detector, message, world)
        assert json.loads(outs["storage-agent"])["z"] == 1
        assert "diff" not in json.loads(outs["storage-agent"])
        handle(storage, outs["storage-agent"], world)
    handle(price_tracker, outs.get("price.update", SAMPLE | {"priceCandidates": ["5 EUR"]}), world)
    runs = rows(world, "SELECT outcome FROM runs ORDER BY id")
    assert [run["outcome"] for run in runs] == ["new", "unchanged"]


@pytest.mark.parametrize(
    "wrong", [{"owner": 5}, {"lease": 5}, {"rendered": "no"}, {"validators": "x"}]
)
def test_what_our_workers_send_along_is_in_the_contract(world, wrong):
    ((name, _),) = wrong.items()
    assert name in schemas()["html.raw"]["properties"]
    with pytest.raises(InvalidMessage):
        handle(parser, RAW | wrong, world)


def test_what_our_workers_send_along_goes_the_whole_way(world):
    ours = {"owner": "ada", "lease": "l1", "rendered": True, "validators": {"etag": "x"}}
    (parsed,) = handle(parser, RAW | ours, world).values()
    (check,) = handle(classifier, parsed, world).values()
    result = json.loads(handle(change_detector, check, world)["storage-agent"])
    for message in (json.loads(parsed), json.loads(check), result):
        assert {name: message[name] for name in ours} == ours
    assert [row["owner"] for row in rows(world, "SELECT owner FROM pages")] == ["ada"]


@pytest.mark.parametrize("name", CONTRACTS)
def test_every_contract_has_a_schema_with_its_version(name):
    schema = schemas()[name]
    assert schema["$id"] == f"pageloom:{name}/1"
    assert {"jobId", "url"} <= set(schema["required"])
    assert schema.get("additionalProperties", True) is True


@pytest.mark.parametrize(
    ("name", "field"),
    [(name, field) for name, kind in schemas().items() for field in kind["required"]],
)
def test_every_field_that_is_required_is_asked_for(name, field):
    whole = example(name)
    read_message(json.dumps(whole).encode(), CONTRACTS[name])
    del whole[field]
    with pytest.raises(InvalidMessage) as caught:
        read_message(json.dumps(whole).encode(), CONTRACTS[name])
    assert field in caught.value.message


def example(name: str) -> dict:
    result = elsewhere("j") | {"changes": {}, "version": {}, "priceCandidates": []}
    examples = {"fetch.jobs": RAW, "html.raw": RAW, "html.parsed": CHECK, "change.check": CHECK}
    return dict(examples.get(name, result))

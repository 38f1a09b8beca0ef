"""The messages that other makes of workers send and expect, byte for byte."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import msgspec
import pytest

from pageloom.apps.agents import change_detector, classifier, parser, price_tracker, storage
from pageloom.apps.agents.messages import CONTRACTS, InvalidMessage, read_message, schemas
from pageloom.apps.agents.work import World
from pageloom.edges.broker.letters import Letter
from pageloom.settings import load_settings

HERE = Path(__file__).parent
NOW = 1712345678.910


@pytest.fixture
def world(tmp_path):
    settings = load_settings(
        environment={"PAGELOOM_DATABASE_URL": str(tmp_path / "library.db")}, directories=()
    )
    made = World(settings=settings, now=lambda: NOW)
    yield made
    asyncio.run(made.close())


def handle(agent, message, world) -> dict[str, bytes]:
    """What a worker writes, by queue."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    waves = asyncio.run(agent.AGENT.handle(Letter(body=body), world))
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


def test_the_same_message_again_leads_to_the_same_bytes(world):
    first = handle(change_detector, CHECK, world)
    assert handle(change_detector, CHECK, world) == first
    moved = with_(CHECK, jobId="next", snapshotHash="0ccc", parsed={"title": "Phone 14"})
    told = handle(change_detector, moved, world)
    assert handle(change_detector, moved, world) == told
    with world.store().read() as tx:
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
    with world.store().read() as tx:
        (run,) = tx.all("SELECT * FROM runs")
        assert (run["outcome"], run["version"]) == ("unchanged", 1)
        assert tx.value("SELECT count(*) FROM versions") == 1


def test_the_price_tracker_keeps_what_a_detector_of_another_make_sends(world):
    handle(storage, elsewhere("one"), world)
    update = elsewhere("one") | {"priceCandidates": ["₹499"], "fetchedAt": "2026-03-01T10:00:00Z"}
    for _ in range(2):
        handle(price_tracker, update, world)
    with world.store().read() as tx:
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

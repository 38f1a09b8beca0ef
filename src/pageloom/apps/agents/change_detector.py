"""The change detector: compares a page with its version before, and says what came of it.

The store gives the number in the same transaction in which the two are compared, so that no two
checks of one address compare with the same predecessor. A message that comes again is answered as
the first time, and what it leads to carries the same names, so that nothing is done twice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.apps.agents.messages import (
    ChangeCheck,
    contract_of,
    given_or,
    read_message,
    unknown_fields,
)
from pageloom.apps.agents.pages import document_from_parsed, document_of
from pageloom.apps.agents.work import Agent, Out, Waves, World
from pageloom.core.compare.options import DiffOptions
from pageloom.flows.checking import Check, check_document
from pageloom.flows.observing import tell

if TYPE_CHECKING:
    from pageloom.edges.broker.letters import Letter
    from pageloom.edges.store.base import Store
    from pageloom.model import Document

_CARRIED = (
    "classification bodyHash fetchedAt sourceId watchId ts status contentType document".split()
)


async def detect(letter: Letter, world: World) -> Waves:
    """``change.check`` leads to ``storage-agent``, and to ``notify`` and ``price.update``."""
    message, given = read_message(letter.body, ChangeCheck)
    document = document_of(message) or document_from_parsed(message, message.classification.type)
    check = await world.with_store(lambda store: _check(store, world, message, document))
    _tell(check, message)
    result = _result(message, given, check)
    options = world.settings.change_detector
    first: list[Out] = []
    if _has_price_news(message, check):
        prices = result | {"priceCandidates": message.parsed.price_candidates}
        prices["prices"] = msgspec.to_builtins(document.price_candidates)
        prices["availability"] = document.availability
        first.append(_out(options.price_update_queue, "price.update", _light(prices)))
    if check.report.has_changes:
        detailed = check.report.to_detailed()
        notice = result | {"changes": detailed["changes"], "version": detailed["version"]}
        first.append(_out(options.notify_queue, "notify", _light(notice)))
    # Storage comes last: once the history has the run, nothing that followed from it is missing.
    last = [_out(options.storage_queue, "storage-agent", result)]
    return [first, last]


AGENT = Agent(name="change-detector", handle=detect)


def _check(store: Store, world: World, message: ChangeCheck, document: Document) -> Check:
    from pageloom.edges.store.saving import prepare

    ready = prepare(document, fetched_at=given_or(message.fetched_at, ""))
    ready = replace(ready, body_hash=given_or(message.body_hash, None))
    return check_document(
        store,
        world.owner,
        ready,
        key=f"{message.job_id}:{message.snapshot_hash}",
        options=DiffOptions(text_threshold=world.settings.change_detector.text_diff_threshold),
    )


def _tell(check: Check, message: ChangeCheck) -> None:
    if check.repeated:
        return
    tell(
        "page.checked",
        url=message.url,
        outcome=check.outcome,
        path=check.path,
        version=check.version,
        new_version=check.new_version,
        has_changes=check.report.has_changes,
        summary=check.report.summary,
    )
    for note in check.notes:
        tell("check.note", level="warning", url=message.url, note=note)


def _result(message: ChangeCheck, given: dict[str, Any], check: Check) -> dict[str, Any]:
    """The message of the report, with what later workers need, and what others put in."""
    told = check.report.to_message(message.job_id) | {
        "url": message.url,
        "snapshotHash": message.snapshot_hash,
    }
    told.pop("classification", None)
    carried = {name: given[name] for name in _CARRIED if given.get(name) is not None}
    run = {"outcome": check.outcome, "path": check.path}
    own = told | run | carried
    extra = unknown_fields(given, ChangeCheck)
    return own | {name: value for name, value in extra.items() if name not in own}


def _has_price_news(message: ChangeCheck, check: Check) -> bool:
    """A product's price: of a new page as the baseline, later when it changed."""
    if message.classification.type != "product" or not message.parsed.price_candidates:
        return False
    moved = check.report.price.changed or check.report.availability.changed
    return check.outcome == "new" or (check.outcome == "changed" and moved)


def _light(message: dict[str, Any]) -> dict[str, Any]:
    """Without the Document, which only storage needs."""
    return {name: value for name, value in message.items() if name != "document"}


def _out(queue: str, contract: str, message: dict[str, Any]) -> Out:
    return Out(queue=queue, body=msgspec.json.encode(message), contract=contract_of(contract))

"""The change detector: compares a page with its version before, and says what came of it.

The library gives the number in the same transaction in which the two are compared, so that no two
checks of one URL compare with the same predecessor. A message that comes again is answered as
the first time, and what it leads to carries the same names, so that nothing is done twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.apps.agents.agent import Agent, Batches, Outgoing, WorkerContext
from pageloom.flows.queue.detect import check_parsed_page
from pageloom.flows.queue.documents import document_from_parsed, document_of
from pageloom.flows.queue.messages import (
    ChangeCheck,
    Notification,
    PriceUpdate,
    contract_of,
    names_of,
    read_message,
    unknown_fields,
)

if TYPE_CHECKING:
    from pageloom.edges.broker.envelope import Envelope
    from pageloom.flows.watch.idempotent_check import QueuedCheck
    from pageloom.model import Document

_CARRIED = (
    "classification bodyHash fetchedAt sourceId watchId owner lease rendered validators ts status"
    " contentType document".split()
)
_OURS = (
    names_of(Notification)
    | names_of(PriceUpdate)
    | {"outcome", "path", "changeId", "prices", "availability"}
)
"""What our messages say themselves, or do not say: it is not taken from whoever sent the page."""


async def handle(envelope: Envelope, world: WorkerContext) -> Batches:
    """``change.check`` leads to ``storage-agent``, and to ``notify`` and ``price.update``."""
    message, given = read_message(envelope.body, ChangeCheck)
    document = document_of(message) or document_from_parsed(message, message.classification.type)
    owner = world.owner_of(given)
    check = await world.in_thread(
        lambda: check_parsed_page(world.check_context(), message, given, document, owner)
    )
    result = _result(message, given, check)
    options = world.settings.change_detector
    first: list[Outgoing] = []
    if _has_price_news(message, check):
        first.append(
            _out(
                options.price_update_queue, "price.update", _price_update(result, document, message)
            )
        )
    if check.outcome == "changed":
        detailed = check.report.to_detailed()
        notice = result | {"changes": detailed["changes"], "version": detailed["version"]}
        first.append(_out(options.notify_queue, "notify", _light(notice)))
    # Storage comes last: once the history has the run, nothing that followed from it is missing.
    last = [_out(options.storage_queue, "storage-agent", result)]
    return [first, last]


AGENT = Agent(name="change-detector", handle=handle, uses_rules=True)


def _result(message: ChangeCheck, given: dict[str, Any], check: QueuedCheck) -> dict[str, Any]:
    """The message of the report, with what later workers need, and what others put in."""
    said = check.report.to_message(message.job_id)
    said |= {"url": message.url, "snapshotHash": message.snapshot_hash}
    said.pop("classification", None)
    carried = {name: given[name] for name in _CARRIED if given.get(name) is not None}
    run = {"outcome": check.outcome, "path": check.path, "changeId": check.change_id}
    own = said | {name: value for name, value in run.items() if value} | carried
    extra = unknown_fields(given, ChangeCheck)
    return own | {name: value for name, value in extra.items() if name not in _OURS | own.keys()}


def _has_price_news(message: ChangeCheck, check: QueuedCheck) -> bool:
    """A product's price: of a new page as the baseline, later when it changed."""
    if message.classification.type != "product" or not message.parsed.price_candidates:
        return False
    moved = check.report.price.changed or check.report.availability.changed
    return check.outcome == "new" or (check.outcome in ("changed", "filtered") and moved)


def _price_update(
    result: dict[str, Any], document: Document, message: ChangeCheck
) -> dict[str, Any]:
    return _light(result) | {
        "priceCandidates": message.parsed.price_candidates,
        "prices": msgspec.to_builtins(document.price_candidates),
        "availability": document.availability,
    }


def _light(message: dict[str, Any]) -> dict[str, Any]:
    """Without the Document, which only storage needs."""
    return {name: value for name, value in message.items() if name != "document"}


def _out(queue: str, contract: str, message: dict[str, Any]) -> Outgoing:
    return Outgoing(queue=queue, body=msgspec.json.encode(message), contract=contract_of(contract))

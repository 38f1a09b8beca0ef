"""Build notices: the title, the text and the JSON data of a change, a health event or a mute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.edges.notify.notice import Notice, delivery_id, one_line
from pageloom.edges.notify.template import fill
from pageloom.edges.store.outbox import queue_message
from pageloom.edges.store.times import later
from pageloom.model.library import OutboxMessage
from pageloom.views import records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.core.compare.report import ChangeReport
    from pageloom.core.prices import PriceEvent
    from pageloom.edges.store.base import Tx
    from pageloom.flows.watch.judge import ChangeVerdict
    from pageloom.model import Price
    from pageloom.model.library import Change
    from pageloom.model.watch import Watch

_HEALTH = {
    "failing": "cannot be checked",
    "gone": "is gone",
    "back": "can be checked again",
}


def change_notice(watch: Watch, change: Change, verdict: ChangeVerdict) -> Notice:
    """The notice of a change."""
    report, title = verdict.report, change.title
    kind = "price" if report.verb in ("price", "stock") else "change"
    name = watch.name or title or watch.url_full
    values = _template_values(watch, title, verdict)
    chosen = watch.settings
    text = fill(chosen.template, values) if chosen.template else values["details"]
    subject = one_line(fill(chosen.subject, values), 300) if chosen.subject else ""
    return Notice(
        id=verdict.change_id,
        kind=kind,
        title=subject or f"{one_line(name, 90)}: {report.summary or 'changed'}",
        text=text,
        url=watch.url_full,
        at=verdict.at,
        importance=report.importance,
        data=change_data(watch, change, verdict),
    )


def change_data(watch: Watch, change: Change, verdict: ChangeVerdict) -> dict[str, Any]:
    """The change as JSON data, for webhooks: as ``pageloom changes`` and the API show it."""
    return records.change(change) | {
        "price_events": [msgspec.to_builtins(event) for event in verdict.prices.events],
        "watch": {"id": watch.id, "name": watch.name, "scope": list(watch.settings.scope)},
    }


def health_notice(watch: Watch, title: str, health: str, why: str, at: str) -> Notice:
    """The notice that a watch fails, is gone or works again; one for each such change."""
    name = watch.name or title or watch.url_full
    return Notice(
        id=delivery_id(f"health {health} {watch.id} {at}", ""),
        kind="health",
        title=f"{one_line(name, 90)} {_HEALTH[health]}",
        text=why,
        url=watch.url_full,
        at=at,
        importance=0.5,
        data={"watch": {"id": watch.id, "name": watch.name}, "health": health, "reason": why},
    )


def queue_notice(
    tx: Tx,
    owner: str,
    notice: Notice,
    targets: Sequence[str],
    *,
    watch_id: int | None = None,
    digest_minutes: float = 0.0,
) -> int:
    """Queue a notice in the outbox for each target, in the transaction of the change itself.

    Returns:
        How many messages were queued.
    """
    put = 0
    for target in dict.fromkeys(targets):
        payload: dict[str, Any] = notice.to_dict() | {"id": delivery_id(notice.id, target)}
        if digest_minutes:
            payload["data"] = notice.data | {"digest": True}
        put += queue_message(
            tx,
            OutboxMessage(
                id=payload["id"],
                owner=owner,
                watch_id=watch_id,
                change_id=notice.id if notice.kind in ("change", "price") else None,
                target=target,
                payload=payload,
                next_try=later(notice.at, digest_minutes * 60),
                created_at=notice.at,
            ),
        )
    return put


def describe_change(change: Change) -> str:
    """A stored change as a few lines of text."""
    from pageloom.core.compare.report import ChangeReport  # heavy, and most notices need it not

    return describe(ChangeReport.from_dict(change.report))


def describe(report: ChangeReport, events: Sequence[PriceEvent] = ()) -> str:
    """A change as a few lines of text, each part of it once."""
    from pageloom.core.compare.summary import tell

    lines = tell(report)
    if any(event.kind == "all_time_low" for event in events):
        lines.append("The lowest price so far.")
    return "\n".join(lines)


def spell_price(price: Price | None) -> str:
    """A price as text, such as 19.99 EUR."""
    if price is None:
        return "none"
    return f"{price.amount} {price.currency}".strip() if price.amount is not None else price.raw


def _template_values(watch: Watch, title: str, verdict: ChangeVerdict) -> dict[str, str]:
    report = verdict.report
    return {
        "title": title,
        "url": watch.url_full,
        "summary": report.summary,
        "details": describe(report, verdict.prices.events),
        "changed": ", ".join(report.changed_fields),
        "importance": f"{report.importance:.2f}",
        "price": spell_price(report.price.after) if report.price.after else "",
        "old_price": spell_price(report.price.before) if report.price.before else "",
        "version": str(verdict.version),
        "previous": str(verdict.baseline or ""),
        "when": verdict.at,
        "watch": watch.name,
    }

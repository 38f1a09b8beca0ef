"""What is said about a finding: one line, some more, and the report for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.edges.notify.notice import Notice, delivery_id, one_line, plain
from pageloom.edges.notify.template import fill
from pageloom.edges.store.outbox import queue_message
from pageloom.edges.store.times import later
from pageloom.model.library import OutboxMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pageloom.core.compare.price_series import PriceEvent
    from pageloom.core.compare.report import ChangeReport
    from pageloom.edges.store.base import Tx
    from pageloom.flows.watch.judge import ChangeVerdict
    from pageloom.model import Price
    from pageloom.model.watch import Watch

_BLOCKS = 6
_EVENT_WORDS = {
    "drop": "The price fell",
    "rise": "The price rose",
    "all_time_low": "Lower than ever before",
    "back_in_stock": "It can be had again",
    "out_of_stock": "It is sold out",
    "currency": "The price is in another currency",
}
_HEALTH = {
    "failing": "cannot be checked",
    "gone": "is gone",
    "back": "can be checked again",
}


def change_notice(watch: Watch, title: str, finding: ChangeVerdict) -> Notice:
    """What is told of a change."""
    report = finding.report
    kind = "price" if report.verb in ("price", "stock") else "change"
    name = watch.name or title or watch.url_full
    values = _template_values(watch, title, finding)
    text = fill(watch.settings.template, values) if watch.settings.template else values["details"]
    return Notice(
        id=finding.change_id,
        kind=kind,
        title=f"{one_line(name, 90)}: {report.summary or 'changed'}",
        text=text,
        url=watch.url_full,
        at=finding.at,
        importance=report.importance,
        data=change_data(watch, title, finding),
    )


def change_data(watch: Watch, title: str, finding: ChangeVerdict) -> dict[str, Any]:
    """Both shapes of the report, joined, for programs."""
    detailed = finding.report.to_detailed()
    return finding.report.to_message() | {
        "changeId": finding.change_id,
        "title": title,
        "changes": detailed["changes"],
        "version": detailed["version"],
        "priceEvents": [msgspec.to_builtins(event) for event in finding.prices.events],
        "watch": {"id": watch.id, "name": watch.name, "scope": list(watch.settings.scope)},
    }


def health_notice(watch: Watch, title: str, health: str, why: str, at: str) -> Notice:
    """What is told of a watch's own health, once for each turn it takes."""
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


def muted_notice(watch: Watch, title: str, muted: dict[str, str], at: str) -> Notice:
    """What is told when parts of a page are passed over from now on."""
    name = watch.name or title or watch.url_full
    lines = [
        "These differed five times in a row and are no longer told:",
        *(f"- {one_line(text, 120)}" for text in muted.values()),
        f"pageloom watch unmute {watch.id} makes them count again.",
    ]
    return Notice(
        id=delivery_id(f"muted {watch.id} {' '.join(sorted(muted))}", ""),
        kind="muted",
        title=f"{one_line(name, 90)}: a part that differs on every check is passed over",
        text="\n".join(lines),
        url=watch.url_full,
        at=at,
        importance=0.2,
        data={"watch": {"id": watch.id, "name": watch.name}, "muted": muted},
    )


def queue_notice(
    tx: Tx, watch: Watch, notice: Notice, targets: Sequence[str], *, digest_minutes: float = 0.0
) -> int:
    """Put a notice out for each target, in the transaction of what it tells of.

    Returns:
        How many messages there are to be sent.
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
                owner=watch.owner,
                watch_id=watch.id,
                change_id=notice.id if notice.kind in ("change", "price") else None,
                target=target,
                payload=payload,
                next_try=later(notice.at, digest_minutes * 60),
                created_at=notice.at,
            ),
        )
    return put


def describe(report: ChangeReport, events: Sequence[PriceEvent] = ()) -> str:
    """A change in some lines, for people."""
    lines = [report.summary]
    if report.changed_fields:
        lines.append(f"Changed: {', '.join(report.changed_fields)}.")
    old, new = spell_price(report.price.before), spell_price(report.price.after)
    if report.price.changed and old != new:
        lines.append(f"Price: {old} → {new}")
    lines += [_EVENT_WORDS[event.kind] + _percent(event) + "." for event in events]
    for block in report.text.blocks[:_BLOCKS]:
        if block.trivial:
            continue
        lines += [f"- {one_line(block.before, 300)}"] if block.before else []
        lines += [f"+ {one_line(block.after, 300)}"] if block.after else []
    if not report.text.blocks and report.text.snippet:
        lines.append(plain(report.text.snippet)[:2_000])
    return "\n".join(line for line in lines if line)


def spell_price(price: Price | None) -> str:
    """A price as a person writes it."""
    if price is None:
        return "none"
    return f"{price.amount} {price.currency}".strip() if price.amount is not None else price.raw


def _percent(event: PriceEvent) -> str:
    return "" if event.percent is None else f" by {abs(event.percent):g} %"


def _template_values(watch: Watch, title: str, finding: ChangeVerdict) -> dict[str, str]:
    report = finding.report
    return {
        "title": title,
        "url": watch.url_full,
        "summary": report.summary,
        "details": describe(report, finding.prices.events),
        "changed": ", ".join(report.changed_fields),
        "importance": f"{report.importance:.2f}",
        "price": spell_price(report.price.after) if report.price.after else "",
        "old_price": spell_price(report.price.before) if report.price.before else "",
        "version": str(finding.version),
        "previous": str(finding.baseline or ""),
        "when": finding.at,
        "watch": watch.name,
    }

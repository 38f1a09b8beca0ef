"""The form of a watch: what was typed, as the choices that a watch takes."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from pageloom.errors import SettingsError
from pageloom.flows.watch.edit import WatchChoices
from pageloom.model.watch import Watch, WatchSettings
from pageloom.redaction import redact_target
from pageloom.views.records import duration

Line = Annotated[str, Field(max_length=4000)]
Lines = Annotated[str, Field(max_length=20_000)]


class WatchForm(BaseModel):
    """Every field of the form, as text."""

    url: Line = ""
    name: Annotated[str, Field(max_length=200)] = ""
    every: Line = ""
    cron: Line = ""
    zone: Line = ""
    hours: Line = ""
    scope: Lines = ""
    ignore: Lines = ""
    ignore_text: Lines = ""
    only_if: Lines = ""
    price_below: Line = ""
    stock_back: bool = False
    min_importance: Line = ""
    render: Literal["auto", "force", "never"] = "auto"
    wait_for: Line = ""
    keep_target: Annotated[list[int], Field(max_length=50)] = []
    targets: Lines = ""
    digest_minutes: Line = ""
    template: Lines = ""
    respect_robots: bool = False
    watch: int = 0
    """The watch that is edited; 0 for a new one."""

    def choices(self, known: Watch | None) -> WatchChoices:
        """What was chosen; targets of the watch that were not taken off stay, secrets included.

        Raises:
            SettingsError: a number that is none.
        """
        kept = known.settings.targets if known else ()
        targets = [kept[place] for place in self.keep_target if 0 <= place < len(kept)]
        chosen: dict[str, Any] = {
            "zone": self.zone.strip() or None,
            "hours": self.hours.strip(),
            "scope": _lines(self.scope),
            "ignore": _lines(self.ignore),
            "ignore_text": _lines(self.ignore_text),
            "only_if": _lines(self.only_if),
            "price_below": _number(self.price_below, "The price to fall below") or 0,
            "stock_back": self.stock_back,
            "min_importance": float(_number(self.min_importance, "The least importance") or 0),
            "render": self.render,
            "wait_for": self.wait_for.strip(),
            "targets": [*targets, *_lines(self.targets)],
            "template": self.template.strip(),
            "respect_robots": self.respect_robots,
        }
        if self.digest_minutes.strip():
            minutes = _number(self.digest_minutes, "The minutes to collect notices for")
            chosen["digest_minutes"] = float(minutes or 0)
        chosen |= {"every": self.every.strip() or None, "cron": self.cron.strip() or None}
        return chosen  # pyright: ignore[reportReturnType]  the names are those of its keys

    @classmethod
    def of(cls, watch: Watch | None, settings: WatchSettings) -> WatchForm:
        """The form of a watch that is there, or of a new one."""
        chosen = replace(settings, targets=())
        return cls(
            url=watch.url_full if watch else "",
            name=watch.name if watch else "",
            every=duration(chosen.every) if chosen.every else "",
            cron=chosen.cron,
            zone=chosen.zone,
            hours=chosen.hours,
            scope="\n".join(chosen.scope),
            ignore="\n".join(chosen.ignore),
            ignore_text="\n".join(chosen.ignore_text),
            only_if="\n".join(chosen.only_if),
            price_below=str(chosen.price_below or ""),
            stock_back=chosen.stock_back,
            min_importance=f"{chosen.min_importance:g}" if chosen.min_importance else "",
            render=chosen.render,
            wait_for=chosen.wait_for,
            keep_target=list(range(len(settings.targets))),
            digest_minutes="" if chosen.digest_minutes is None else f"{chosen.digest_minutes:g}",
            template=chosen.template,
            respect_robots=chosen.respect_robots,
            watch=watch.id if watch else 0,
        )


def shown_targets(watch: Watch | None) -> list[str]:
    """The targets of a watch without their secrets."""
    return [redact_target(target) for target in watch.settings.targets] if watch else []


def in_words(settings: WatchSettings) -> list[str]:
    """When a watch notifies, in words."""
    words: list[str] = []
    if settings.price_below is not None:
        words.append(f"the price falls below {settings.price_below}")
    if settings.stock_back:
        words.append("the product is back in stock")
    if settings.only_if:
        words.append(f"new text matches {' or '.join(settings.only_if)}")
    if not words:
        words.append("anything that matters changes")
    least = settings.min_importance
    return [*words, f"and only if it is at least {least:g} important"] if least else words


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _number(text: str, what: str) -> Decimal | None:
    if not text.strip():
        return None
    try:
        number = Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise SettingsError(f"{what} is not a number: {text.strip()[:40]}.")
    return number

"""Parse the time of day next to a date."""

from __future__ import annotations

import re

from pageloom.core.normalize.zones import ZONE, read_zone

_TIME = re.compile(
    r"(?<![\d.])([01]?\d|2[0-4])\s?(?:[:.\u2236](?=\d\d)|h\s?|時|시|点|點|Uhr\b)\s?([0-5]\d)?(?:[:.]([0-5]\d)(?:\.\d+)?)?"
    r"(?:\s?(a\.?\s?m\b\.?|p\.?\s?m\b\.?))?",
    re.IGNORECASE,
)
_HOUR_ONLY = re.compile(r"(?<![\d.:])(1[0-2]|0?[1-9])\s?(a\.?m\b\.?|p\.?m\b\.?)", re.IGNORECASE)


def find_clock(text: str) -> tuple[str, int]:
    """The first time of day in a text as 09:30 or 09:30:15, and where it ends; empty for none."""
    for found in _TIME.finditer(text):
        if found[2] is None and not re.search(r"[h時시点點]|uhr", found[0], re.IGNORECASE):
            continue
        half = found[4] or _half_before(text[: found.start()])
        return clock_text(found[1], found[2] or "00", found[3], half), found.end()
    if found := _HOUR_ONLY.search(text):
        return clock_text(found[1], "00", None, found[2]), found.end()
    return "", 0


def _half_before(text: str) -> str | None:
    """Morning or afternoon where it stands before the hour, as in Korean, Japanese and Chinese."""
    tail = text.rstrip()[-2:]
    return {"오전": "a", "午前": "a", "上午": "a", "오후": "p", "午後": "p", "下午": "p"}.get(tail)


def clock_text(
    hour: str | None, minute: str | None, second: str | None, half: str | None = None
) -> str:
    """Hour, minute and second as one ISO text; ``half`` begins with a or p."""
    if hour is None or minute is None:
        return ""
    number = int(hour)
    if half:
        number = number % 12 + (12 if half[0] in "pP" else 0)
    if number > 23:
        return ""
    return f"{number:02d}:{minute}" + (f":{second}" if second else "")


def zone_after(text: str) -> str:
    """The zone a text begins with."""
    found = ZONE.match(text.lstrip(" ,("))
    return read_zone(found[0]) if found else ""

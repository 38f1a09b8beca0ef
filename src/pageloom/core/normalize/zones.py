"""Parse times of day and time zones, and convert local times to UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

ABBREVIATIONS: dict[str, str] = {
    "utc": "Z",
    "gmt": "Z",
    "z": "Z",
    "wet": "+00:00",
    "west": "+01:00",
    "bst": "+01:00",
    "cet": "+01:00",
    "mez": "+01:00",
    "cest": "+02:00",
    "mesz": "+02:00",
    "eet": "+02:00",
    "eest": "+03:00",
    "msk": "+03:00",
    "sast": "+02:00",
    "eat": "+03:00",
    "wat": "+01:00",
    "cat": "+02:00",
    "gst": "+04:00",
    "pkt": "+05:00",
    "ist": "+05:30",
    "npt": "+05:45",
    "ict": "+07:00",
    "wib": "+07:00",
    "wita": "+08:00",
    "wit": "+09:00",
    "sgt": "+08:00",
    "hkt": "+08:00",
    "pht": "+08:00",
    "awst": "+08:00",
    "jst": "+09:00",
    "kst": "+09:00",
    "acst": "+09:30",
    "aest": "+10:00",
    "aedt": "+11:00",
    "nzst": "+12:00",
    "nzdt": "+13:00",
    "est": "-05:00",
    "edt": "-04:00",
    "cst": "-06:00",
    "cdt": "-05:00",
    "mst": "-07:00",
    "mdt": "-06:00",
    "pst": "-08:00",
    "pdt": "-07:00",
    "akst": "-09:00",
    "akdt": "-08:00",
    "hst": "-10:00",
    "ast": "-04:00",
    "adt": "-03:00",
    "nst": "-03:30",
    "ndt": "-02:30",
    "brt": "-03:00",
    "art": "-03:00",
    "clt": "-04:00",
    "clst": "-03:00",
    "cot": "-05:00",
    "pet": "-05:00",
}
"""Offsets by abbreviation; an ambiguous one has its commonest meaning on the web."""
_GENERIC = {
    "et": "America/New_York",
    "ct": "America/Chicago",
    "mt": "America/Denver",
    "pt": "America/Los_Angeles",
}
ZONE = re.compile(
    r"(?:(?:UTC|GMT)\s?)?[+\u2212-](?:1[0-4]|0?\d)(?::?[0-5]\d)?(?!\d)|\b(?:[A-Z]{3,5}|Z|[ECMP]T)\b",
    re.IGNORECASE,
)
_OFFSET = re.compile(r"([+\u2212-])(\d{1,2}):?(\d{2})?$")
_TIME = re.compile(
    r"(?<![\d.])([01]?\d|2[0-4])\s?(?:[:.\u2236](?=\d\d)|h\s?|時|시|点|點|Uhr\b)\s?([0-5]\d)?(?:[:.]([0-5]\d)(?:\.\d+)?)?"
    r"(?:\s?(a\.?\s?m\b\.?|p\.?\s?m\b\.?))?",
    re.IGNORECASE,
)
_HOUR_ONLY = re.compile(r"(?<![\d.:])(1[0-2]|0?[1-9])\s?(a\.?m\b\.?|p\.?m\b\.?)", re.IGNORECASE)


def read_zone(text: str) -> str:
    """``+01:00``, ``Z`` or an IANA name for any spelling of a zone; empty for what is none.

    Example:
        >>> read_zone("GMT+2"), read_zone("EST"), read_zone("Europe/Paris"), read_zone("noon")
        ('+02:00', '-05:00', 'Europe/Paris', '')
    """
    folded = text.strip().lower()
    if folded in ABBREVIATIONS:
        return ABBREVIATIONS[folded]
    if folded in _GENERIC:
        return _GENERIC[folded]
    if found := _OFFSET.search(folded):
        return _offset_text(found[1], int(found[2]), int(found[3] or 0))
    return text.strip() if "/" in text and _load(text.strip()) else ""


def _offset_text(sign: str, hours: int, minutes: int) -> str:
    if hours > 14 or minutes > 59:
        return ""
    return f"{'+' if sign == '+' else '-'}{hours:02d}:{minutes:02d}"


def _load(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return None


def instant_of(date: str, time: str, zone: str) -> str:
    """The UTC instant of a local time, as 2026-03-05T08:30:00Z; empty when it cannot be told."""
    try:
        local = datetime.fromisoformat(f"{date}T{time}")
        offset = _as_tzinfo(zone)
        if offset is None:
            return ""
        instant = local.replace(tzinfo=offset).astimezone(UTC)
        return f"{instant.replace(tzinfo=None).isoformat(timespec='seconds')}Z"
    except (ValueError, OverflowError):
        return ""


def _as_tzinfo(zone: str) -> timezone | ZoneInfo | None:
    if zone == "Z":
        return UTC
    if found := _OFFSET.match(zone):
        size = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
        return timezone(size if found[1] == "+" else -size)
    return _load(zone)


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

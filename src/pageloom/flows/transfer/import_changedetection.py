"""Import a backup of changedetection.io: its watches, and the texts that it kept as versions.

Filters, schedules, tags and targets come with a watch. What has no counterpart here is named, so
that nobody believes it came along.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, cast

import msgspec

from pageloom.errors import UnsupportedContent
from pageloom.flows.transfer.import_archives import open_files
from pageloom.flows.transfer.import_values import flag_of, names_of, text_of
from pageloom.flows.transfer.portable_page import (
    Portable,
    PortableText,
    PortableWatch,
    Unread,
    no_import,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pageloom.flows.transfer.import_archives import Files
    from pageloom.flows.transfer.portable_page import Found

SETTINGS = ("url-watches.json", "changedetection.json")
_UNITS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LINE = re.compile(r"(\d{9,11})(?:\.\d+)?,\s*(.+)")
_NOT_OURS = re.compile(r"(?:json|jq|jqraw):")
_PATTERN = re.compile(r"/(.+)/[a-z]*", re.DOTALL)
_ABSENT = {
    "browser_steps": "browser steps",
    "headers": "headers",
    "proxy": "the proxy",
    "body": "the body of its requests",
    "extract_text": "text that is extracted by patterns",
    "text_should_not_be_present": "text that must not be there",
    "conditions": "conditions",
}
"""Settings that have no counterpart here, in words."""
_MOST_VERSIONS = 1_000


def holds_changedetection(names: list[str]) -> bool:
    """Whether these are the files of a backup."""
    return any(PurePosixPath(name).name in SETTINGS for name in names)


def read_changedetection(path: Path) -> Iterator[Found]:
    """The watches of a backup, each with its page and the texts that were kept of it."""
    with open_files(path) as files:
        known = {_short(name): read for name, read in files.items()}
        whole = _settings(known)
        application = _dict(_dict(whole.get("settings")).get("application"))
        watches = _dict(whole.get("watching")) or _each(known, "watch.json")
        tags = _dict(application.get("tags")) | _each(known, "tag.json")
        for key, found in watches.items():
            watch = _dict(found)
            if not text_of(watch.get("url")).strip():
                yield Unread(where=key, why="it has no URL", is_other=True)
                continue
            yield _page(key, watch, whole, tags, known)


def _short(name: str) -> str:
    """The name of a file and of its folder, wherever in the archive they are."""
    return "/".join(PurePosixPath(name).parts[-2:])


def _settings(files: Files) -> dict[str, Any]:
    for name, read in files.items():
        if PurePosixPath(name).name in SETTINGS:
            return _decoded(read())
    raise no_import("The archive is not a backup of changedetection.io.")


def _each(files: Files, wanted: str) -> dict[str, Any]:
    """The settings that newer backups keep in a file for each watch and each tag."""
    return {
        PurePosixPath(name).parent.name: _decoded(read())
        for name, read in files.items()
        if PurePosixPath(name).name == wanted
    }


def _decoded(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text.encode("utf-8", "replace"), type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError):
        raise no_import("The backup is damaged: its settings are not JSON.") from None


def _dict(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _page(
    key: str, watch: dict[str, Any], whole: dict[str, Any], tags: dict[str, Any], files: Files
) -> Portable:
    url, title = text_of(watch.get("url")).strip(), text_of(watch.get("title")).strip()
    named = [text_of(_dict(tags.get(each)).get("title")) for each in names_of(watch.get("tags"))]
    wanted = _watch(url, title, watch, whole)
    return Portable(
        url=url,
        title=title or text_of(watch.get("page_title")),
        saved_at=text_of(watch.get("date_created")),
        tags=(*filter(None, named), *names_of(watch.get("tag"))),
        texts=tuple(_texts(key, files)),
        watch=wanted,
    )


def _watch(url: str, title: str, watch: dict[str, Any], whole: dict[str, Any]) -> PortableWatch:
    filters = names_of(watch.get("include_filters"))
    scope = tuple(_selector(each) for each in filters if not _NOT_OURS.match(each))
    left = [words for name, words in _ABSENT.items() if watch.get(name)]
    left += [each[:60] for each in filters if _NOT_OURS.match(each)]
    hours, zone = _hours(_dict(watch.get("time_schedule_limit")))
    if hours is None:
        left.append("hours that differ from day to day")
    return PortableWatch(
        url=url,
        name=title,
        every=_every(watch, whole),
        hours=hours or "",
        zone=zone,
        scope=scope,
        ignore=tuple(_selector(each) for each in names_of(watch.get("subtractive_selectors"))),
        ignore_text=tuple(_pattern(each) for each in _lines(watch.get("ignore_text"))),
        only_if=tuple(_pattern(each) for each in _lines(watch.get("trigger_text"))),
        targets=names_of(watch.get("notification_urls")),
        render="force" if "webdriver" in text_of(watch.get("fetch_backend")) else "auto",
        paused=flag_of(watch.get("paused")),
        left_out=tuple(left),
    )


def _lines(values: object) -> list[str]:
    found = cast("list[Any]", values) if isinstance(values, list) else []
    return [text for each in found if (text := text_of(each).strip())]


def _selector(text: str) -> str:
    """CSS as it is; XPath with the mark that it has here."""
    bare = re.sub(r"^xpath1?:", "", text)
    return f"xpath:{bare}" if bare != text or bare.startswith("/") else text


def _pattern(text: str) -> str:
    """A pattern between slashes as it is; words as themselves."""
    found = _PATTERN.fullmatch(text)
    return found[1] if found else re.escape(text)


def _every(watch: dict[str, Any], whole: dict[str, Any]) -> int:
    usual = _dict(_dict(_dict(whole.get("settings")).get("requests")).get("time_between_check"))
    own = _dict(watch.get("time_between_check"))
    chosen = usual if flag_of(watch.get("time_between_check_use_default")) or not own else own
    return sum(_number(chosen.get(unit)) * seconds for unit, seconds in _UNITS.items())


def _number(value: object) -> int:
    text = text_of(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0


def _hours(limit: dict[str, Any]) -> tuple[str | None, str]:
    """Days in a row with the same hours, and their zone; None for what cannot be said so."""
    zone = text_of(limit.get("timezone"))
    if not flag_of(limit.get("enabled")):
        return "", zone
    windows = [_window(_dict(limit.get(day))) for day in _DAYS]
    days = [number for number, window in enumerate(windows) if window]
    if not days or len({windows[day] for day in days}) > 1 or days[-1] - days[0] >= len(days):
        return None, zone
    span = f"{_DAYS[days[0]][:3]}-{_DAYS[days[-1]][:3]} " if len(days) < 7 else ""
    same = _DAYS[days[0]][:3] + " " if len(days) == 1 else span
    return f"{same}{windows[days[0]]}", zone


def _window(day: dict[str, Any]) -> str:
    start = re.fullmatch(r"(\d{1,2}):(\d\d)", text_of(day.get("start_time")))
    if not flag_of(day.get("enabled")) or not start:
        return ""
    length = _dict(day.get("duration"))
    begins = int(start[1]) * 60 + int(start[2])
    ends = min(begins + _number(length.get("hours")) * 60 + _number(length.get("minutes")), 1439)
    return f"{begins // 60:02}:{begins % 60:02}-{ends // 60:02}:{ends % 60:02}"


def _texts(key: str, files: Files) -> Iterator[PortableText]:
    """The texts that were kept, oldest first; a file that is missing or damaged is left out."""
    log = files.get(f"{key}/history.txt")
    lines = (_LINE.fullmatch(line.strip()) for line in log().splitlines()) if log else ()
    for found in [line for line in lines if line][-_MOST_VERSIONS:]:
        read = files.get(f"{key}/{PurePosixPath(found[2]).name}")
        try:
            text = read() if read else ""
        except UnsupportedContent:
            continue
        paragraphs = (line.strip() for line in text.splitlines())
        html = "".join(f"<p>{escape(line)}</p>" for line in paragraphs if line)
        if html:
            yield PortableText(html=html, fetched_at=found[1])

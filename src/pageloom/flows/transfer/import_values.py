"""Read values of any type in import files, without ever failing."""

from __future__ import annotations

import codecs
import re
from typing import Any, cast

_SIGNS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEAD = 4096
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_HALF_PAIRS = re.compile("[\ud800-\udfff]")
_YES = frozenset({"1", "true", "yes"})


def decode_text(content: bytes) -> str:
    """Decode a file: by its byte order mark, else as UTF-8, else as Windows-1252."""
    named = next((name for sign, name in _SIGNS if content.startswith(sign)), "")
    if named:
        return content.decode(named, "replace")
    head = content[:_HEAD]
    if b"h\0t\0t\0p" in head.lower():
        is_little = head[1::2].count(0) > head[::2].count(0)
        return content.decode("utf-16-le" if is_little else "utf-16-be", "replace")
    text = content.decode("utf-8", "replace")
    if "\ufffd" not in text or "\x00" in text[:_HEAD]:
        return text
    strange = len(_NOT_ASCII.findall(text))
    return content.decode("cp1252", "replace") if text.count("\ufffd") * 2 > strange else text


def text_of(value: object) -> str:
    """A value as text; empty for anything that is not text or a number."""
    if isinstance(value, str):
        return _HALF_PAIRS.sub("\ufffd", value)
    if value is None or isinstance(value, bool | list | dict | tuple | set):
        return ""
    if isinstance(value, bytes | bytearray):
        return value.decode("utf-8", "replace")
    moment = getattr(value, "isoformat", None)
    return str(moment()) if moment else str(value)


def flag_of(value: object) -> bool:
    """Whether a value means true: also 1, "1" and "true"."""
    return value is True or text_of(value).strip().lower() in _YES


def names_of(values: object, name: str = "name") -> tuple[str, ...]:
    """Names from a list of strings, a list of objects with a name, or comma-separated text."""
    if isinstance(values, str):
        return split_tags(values)
    found = cast("list[Any]", values) if isinstance(values, list) else list[Any]()
    texts = (
        cast("dict[str, Any]", one).get(name) if isinstance(one, dict) else one for one in found
    )
    return tuple(text for each in texts if (text := text_of(each).strip()))


def split_tags(text: str, marks: str = ",") -> tuple[str, ...]:
    """Split a text into tags at these separators."""
    return tuple(tag.strip() for tag in re.split(f"[{re.escape(marks)}]", text) if tag.strip())

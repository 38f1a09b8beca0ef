"""Tell by their URLs whether two pictures are one."""

from __future__ import annotations

import re
from urllib.parse import unquote

_PICTURE_END = re.compile(r"\.(?:jpe?g|png|webp|gif|avif)$", re.IGNORECASE)
_INNER = re.compile(r"(?:^|&)(?:url|src|image)=([^&]+)")
"""The picture that an image server is asked for."""
_SIZED_NAME = re.compile(r"(?:[-_]\d{2,4}x\d{2,4}|-scaled|[-_]\d{3,4}w?)+$")
_TELLING = 5
"""Characters of a file name under which it is any picture's."""


def same_picture(one: str, other: str) -> bool:
    """Whether two URLs show the same picture, perhaps in two sizes or from two servers."""
    if one == other:
        return True
    first, second = _picture_name(one), _picture_name(other)
    return len(first) >= _TELLING and first == second


def _picture_name(url: str) -> str:
    """The name of the file, also of one that an image server is asked for, without its size."""
    path, _, query = unquote(url).partition("?")
    if _PICTURE_END.search(path) is None and (inner := _INNER.search(query)):
        path = inner[1]
    name = path.rstrip("/").rpartition("/")[2].lower()
    return _SIZED_NAME.sub("", _PICTURE_END.sub("", name))

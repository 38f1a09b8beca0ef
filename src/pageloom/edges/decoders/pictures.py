"""Smaller copies of pictures, and where two of them differ; by Pillow inside the sandbox."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image, ImageDraw, ImageOps

from pageloom.errors import ParseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Region = tuple[int, int, int, int]

_QUALITY = 82
_PIXELS = 60_000_000
_SHRINK = 4
"""Pixels that are averaged: what differs only in how edges are smoothed is the same then."""
_CELL = 4
"""Averaged pixels to a cell; cells are what is compared."""
_VISIBLE = 26
"""A difference of brightness or colour, of 255, that a reader sees."""
_ENOUGH = 2
"""Averaged pixels of a cell that have to differ."""
_NEAR = 2
"""Cells between parts that are one region."""
_OUTLINE = (220, 30, 30)
_MODES = {"RGB", "RGBA", "L", "LA"}


def shrink(body: bytes, width: int) -> tuple[bytes, str, tuple[int, int]]:
    """A copy that is so many pixels wide: bytes, media type and size.

    Raises:
        ParseError: the picture is broken, or larger than a picture is.
    """
    Image.MAX_IMAGE_PIXELS = _PIXELS
    try:
        with Image.open(io.BytesIO(body)) as opened:
            picture = ImageOps.exif_transpose(opened)
            picture = picture if picture.mode in _MODES else picture.convert("RGBA")
            height = max(1, round(picture.height * width / picture.width))
            copy = picture.resize((width, height), Image.Resampling.LANCZOS)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ParseError("The picture cannot be read.", cause=type(error).__name__) from None
    target = io.BytesIO()
    if copy.mode in {"RGBA", "LA"} and min(copy.getchannel("A").tobytes()) < 255:
        copy.save(target, "PNG", optimize=True)
        return target.getvalue(), "image/png", (width, height)
    copy.convert("RGB").save(target, "JPEG", quality=_QUALITY, progressive=True)
    return target.getvalue(), "image/jpeg", (width, height)


def compare_looks(
    before: bytes, after: bytes, ignored: Sequence[Region]
) -> tuple[float, list[Region], bytes]:
    """Where two screenshots differ.

    Args:
        before: the older one, a PNG.
        after: the newer one.
        ignored: regions that do not count: left, top, width and height in pixels.

    Returns:
        The part of the area that differs, the regions, and the newer one with these outlined.

    Raises:
        ParseError: one of them is broken, or larger than a screenshot is.
    """
    Image.MAX_IMAGE_PIXELS = _PIXELS
    try:
        old, new = (Image.open(io.BytesIO(each)).convert("RGB") for each in (before, after))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ParseError("The screenshot cannot be read.", cause=type(error).__name__) from None
    size = (max(old.width, new.width), max(old.height, new.height))
    changed = _changed_cells(_averaged(old, size), _averaged(new, size))
    step = _SHRINK * _CELL
    for left, top, width, height in ignored:
        rows = slice(top // step, -(-(top + height) // step))
        changed[rows, left // step : -(-(left + width) // step)] = False
    regions = [_pixels(box, step) for box in _regions(changed)]
    return float(changed.mean()), regions, _outlined(new, regions)


def _averaged(picture: Image.Image, size: tuple[int, int]) -> Any:
    """The picture on a page of that size, its pixels averaged by blocks."""
    page = Image.new("RGB", size, (128, 128, 128))
    page.paste(picture)
    return np.asarray(page.reduce(_SHRINK), dtype=np.int16)


def _changed_cells(old: Any, new: Any) -> Any:
    differs = np.abs(old - new).max(axis=2) > _VISIBLE
    rows, columns = (-(-length // _CELL) for length in differs.shape)
    padded = np.zeros((rows * _CELL, columns * _CELL), dtype=bool)
    padded[: differs.shape[0], : differs.shape[1]] = differs
    cells = padded.reshape(rows, _CELL, columns, _CELL).sum(axis=(1, 3))
    return cells >= _ENOUGH


def _regions(changed: Any) -> Iterator[Region]:
    """Boxes around cells that are near each other: left, top, right, bottom in cells."""
    left = {(int(row), int(column)) for row, column in zip(*np.nonzero(changed), strict=True)}
    while left:
        todo = [left.pop()]
        box = [todo[0][1], todo[0][0], todo[0][1], todo[0][0]]
        while todo:
            row, column = todo.pop()
            box = [
                *(min(box[0], column), min(box[1], row)),
                *(max(box[2], column), max(box[3], row)),
            ]
            near = {
                (row + down, column + across)
                for down in range(-_NEAR, _NEAR + 1)
                for across in range(-_NEAR, _NEAR + 1)
            } & left
            left -= near
            todo += near
        yield box[0], box[1], box[2], box[3]


def _pixels(box: Region, step: int) -> Region:
    left, top, right, bottom = box
    return left * step, top * step, (right - left + 1) * step, (bottom - top + 1) * step


def _outlined(picture: Image.Image, regions: Sequence[Region]) -> bytes:
    draw = ImageDraw.Draw(picture)
    for left, top, width, height in regions:
        draw.rectangle(
            (left - 3, top - 3, left + width + 3, top + height + 3), outline=_OUTLINE, width=3
        )
    target = io.BytesIO()
    picture.save(target, "PNG")
    return target.getvalue()

"""Smaller copies of pictures, made by Pillow inside the sandbox."""

from __future__ import annotations

import io

from PIL import Image, ImageOps

from pageloom.errors import ParseError

_QUALITY = 82
_PIXELS = 60_000_000
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

"""Kept pictures in exports: inside an HTML file, or as files beside Markdown and in an e-book."""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape, unescape
from typing import TYPE_CHECKING

from pageloom.core.picture_bytes import ENDINGS
from pageloom.core.render.escape import link_target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pageloom.model.files import KeptFile

ASSETS = "assets"
"""The folder of pictures beside Markdown files."""
_IMAGE = re.compile(r'(<img\b[^>]*?\ssrc=")([^"]*)(")', re.IGNORECASE)
_ASSET = re.compile(rf"({ASSETS}/[0-9a-f]{{64}}\.[a-z]{{3,4}}) (https?://\S+)")


def file_of(hash_: str, media_type: str) -> str:
    """The name of a picture's file; the same picture has the same name everywhere."""
    return f"{hash_}.{ENDINGS.get(media_type, 'bin')}"


def inline_pictures(html: str, files: Mapping[str, KeptFile]) -> str:
    """HTML with the kept pictures inside; the others stay where they are."""

    def show(found: re.Match[str]) -> str:
        file = files.get(unescape(found[2]))
        return found[0] if file is None else f"{found[1]}{data_url(file)}{found[3]}"

    return _IMAGE.sub(show, html) if files else html


def data_url(file: KeptFile) -> str:
    """A file as a URL that contains it."""
    return f"data:{file.media_type};base64,{b64encode(file.body).decode()}"


def asset_path(file: KeptFile) -> str:
    """Where a picture is, seen from a Markdown file beside the folder of pictures."""
    return f"{ASSETS}/{file_of(file.hash, file.media_type)}"


def link_assets(markdown: str, files: Mapping[str, KeptFile]) -> str:
    """Markdown that shows the pictures of the folder in the place of those of the site."""
    for url, file in files.items():
        path, target = asset_path(file), link_target(url)
        for end in (")", " "):
            markdown = markdown.replace(f"]({target}{end}", f"]({path}{end}")
        markdown = markdown.replace(f'src="{escape(url)}"', f'src="{path}"')
    return markdown


def asset_list(files: Mapping[str, KeptFile]) -> list[str]:
    """For the frontmatter: which file is which picture, so that an import can tell."""
    return [f"{asset_path(file)} {url}" for url, file in files.items()]


def read_asset_list(entries: tuple[str, ...]) -> list[tuple[str, str]]:
    """File and URL of each picture, as ``asset_list`` wrote them; anything else is left out."""
    return [(found[1], found[2]) for entry in entries if (found := _ASSET.fullmatch(entry))]


def unlink_assets(markdown: str, assets: list[tuple[str, str]]) -> str:
    """Markdown that shows the pictures of the site again."""
    for path, url in assets:
        for end in (")", " "):
            markdown = markdown.replace(f"]({path}{end}", f"]({link_target(url)}{end}")
        markdown = markdown.replace(f'src="{path}"', f'src="{escape(url)}"')
    return markdown

"""Images, videos, audio and embedded posts of the content."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from pageloom.core.dom import Element
from pageloom.core.embeds import EMBED_TAGS, embed_of
from pageloom.core.extract.blocks import SKIPPED
from pageloom.core.extract.survey import flat_text
from pageloom.core.pictures import Pictures
from pageloom.model import FieldSource, Image, Media

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pageloom.core.pictures import Picture

MAX_IMAGES = 500
_LEAD_LEVELS = 3
_PLAYERS = frozenset("iframe object embed audio video source track param input".split())
_NO_CONTENT = ",".join(sorted(SKIPPED - _PLAYERS))


def with_lead_picture(root: Element) -> Element:
    """The root of the content, or an element around it that adds a picture of the content.

    Of the page only the content is left, but a picture above the text may stand outside of what
    holds all of the text.
    """
    best, known = root, _count_pictures(root)
    for around in islice(root.ancestors, _LEAD_LEVELS):
        if not isinstance(around, Element) or around.tag in {"body", "html"}:
            break
        if _count_pictures(around) > known:
            around.remove(_NO_CONTENT)
            if (pictures := _count_pictures(around)) > known:
                best, known = around, pictures
    return best


def _count_pictures(element: Element) -> int:
    return len(element.find_all("img", limit=MAX_IMAGES))


def read_images(
    root: Element, base: str, declared: Iterable[str] = (), pictures: Pictures | None = None
) -> tuple[Image, ...]:
    """The pictures of the content, then those the page declares for itself, each URL once.

    Args:
        root: the content.
        base: what relative URLs are relative to.
        declared: absolute URLs such as og:image.
        pictures: those of the tree, where other stages ask for them too.
    """
    pictures = pictures or Pictures(base)
    found: dict[str, Image] = {}
    for element in root.iter_elements("img"):
        if len(found) >= MAX_IMAGES:
            break
        picture = pictures.of(element)
        if picture is not None and picture.url not in found:
            found[picture.url] = _image(element, picture)
    for url in declared:
        found.setdefault(url, Image(url=url))
    return tuple(found.values())


def _image(element: Element, picture: Picture) -> Image:
    url, facts = picture
    return Image(
        url=url,
        alt=" ".join(facts.alt.split()),
        caption=_caption(element),
        width=facts.width,
        height=facts.height,
    )


def _caption(element: Element) -> str:
    figure = element.closest("figure")
    if figure is None or len(figure.select("img")) > 1:
        return ""
    caption = figure.find("figcaption")
    return flat_text(caption, 500) if caption is not None else ""


def picture_sources(
    images: tuple[Image, ...], hero: str, declared: FieldSource | None
) -> dict[str, FieldSource]:
    """Where the pictures and the hero come from: the content, or what the page declares."""
    stated = declared.raw.split("\n") if declared else []
    own = [one for one in images if one.url not in stated or one.alt or one.width is not None]
    sources: dict[str, FieldSource] = {}
    if own:
        sources["images"] = FieldSource(source="content")
    elif declared:
        sources["images"] = declared
    if hero and any(one.url == hero for one in own):
        sources["hero_image"] = FieldSource(source="content", raw=hero)
    elif hero and declared:
        sources["hero_image"] = replace(declared, raw=hero)
    return sources


def read_media(root: Element, base: str) -> tuple[Media, ...]:
    """Videos, sounds and embedded posts of the content, by the URL of the thing itself."""
    found: dict[str, Media] = {}
    for element in root.iter_elements((*EMBED_TAGS, "blockquote")):
        embed = embed_of(element, base)
        if embed is not None and embed.url not in found:
            found[embed.url] = Media(
                kind=embed.kind, url=embed.url, provider=embed.provider, title=embed.title
            )
    return tuple(found.values())

"""Small pages for the tests of the engine's parts."""

from __future__ import annotations

from pageloom.core import dom
from pageloom.core.extract.blocks import BlockPage, segment
from pageloom.core.parts import DecodedPage

URL = "https://engine.example/stories/one"
LONG = (
    "The keeper of the lock has written down every boat since 1998, and nobody asked until now.",
    "There are eleven books, bound in green cloth, and they hold forty thousand names of boats.",
    "A student of the town copies them by hand, because the ink has faded too far for machines.",
)
MENU = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("News", "Sport", "Weather"))
ARTICLE = (
    "<html lang=en><head><title>The books of the lock</title></head><body>"
    f'<div class="menu"><ul>{MENU}</ul></div><main><article><h1>The books of the lock</h1>'
    f"<p>{LONG[0]}</p><p>{LONG[1]}</p><h2>By hand</h2><p>{LONG[2]}</p></article></main>"
    '<div class="footer"><p>Copyright, all rights reserved.</p></div></body></html>'
)


def blocks_of(markup: str) -> BlockPage:
    body = dom.parse(f"<body>{markup}").select_one("body")
    assert body is not None
    return segment(body)


def texts(markup: str) -> list[str]:
    return list(blocks_of(markup).blocks.texts)


def source_of(markup: str, url: str = URL) -> DecodedPage:
    return DecodedPage(tree=dom.parse(markup), url=url)

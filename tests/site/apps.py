"""Pages that need more than a plain GET, written the way such pages are written.

Each keeps the same article; a test passes when all of its paragraphs come out.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from tests.site.server import send

if TYPE_CHECKING:
    from collections.abc import Callable
    from http.server import BaseHTTPRequestHandler

    from tests.site.server import Site

TITLE = "The ferry that learned to wait"
PARAGRAPHS = tuple(
    """\
For thirty years the small ferry between Hollin and the outer islands left on the minute, whether \
or not anybody was still running down the pier with a suitcase in each hand.
Last spring the skipper, Maren Osgood, began to wait. Two minutes at first, then four, always \
logged in pencil in the margin of the timetable that hangs behind the wheelhouse door.
The harbour office noticed only because the complaints stopped. In a normal May it receives some \
forty letters about missed crossings; this year the tray on the counter stayed empty.
A student from the mainland counted passengers for six weeks and found that the later departures \
carried nine percent more people and cost eleven litres of fuel in all.
What convinced the board in the end was not the fuel. It was the log itself: two hundred pencilled \
entries, each with a name, and not a single one of them written in anger.""".splitlines()
)
NAVIGATION = (
    '<header><nav><ul><li><a href="/">Home</a></li><li><a href="/islands">Islands</a></li>'
    '<li><a href="/boats">Boats</a></li><li><a href="/about">About</a></li></ul></nav></header>'
)
FOOTER = (
    '<footer><p>Outer Islands Gazette</p><ul><li><a href="/imprint">Imprint</a></li>'
    '<li><a href="/privacy">Privacy</a></li></ul></footer>'
)


def page(body: str, *, head: str = "", title: str = TITLE) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}'
        f"</head><body>{body}</body></html>"
    )


def article(paragraphs=PARAGRAPHS, title: str = TITLE) -> str:
    inner = "".join(f"<p>{text}</p>" for text in paragraphs)
    return f"<article><h1>{title}</h1>{inner}</article>"


def static_page() -> str:
    return page(NAVIGATION + f"<main>{article()}</main>" + FOOTER)


def shell(script: str, body: str = '<div id="app"></div>', **kwargs) -> str:
    return page(f"{NAVIGATION}{body}{FOOTER}<script>{script}</script>", **kwargs)


def _draw(where: str = "document.getElementById('app')") -> str:
    return f"{where}.innerHTML = {json.dumps(article())};"


def _from_api(site: Site) -> None:
    data = json.dumps({"title": TITLE, "paragraphs": PARAGRAPHS}).encode()

    def slowly(request: BaseHTTPRequestHandler) -> None:
        time.sleep(0.2)
        send(request, data, Content_Type="application/json")

    site.pages["/api/ferry"] = slowly
    script = (
        "fetch('/api/ferry').then((r) => r.json()).then((d) => {"
        "const a = document.createElement('article'); const h = document.createElement('h1');"
        "h.textContent = d.title; a.append(h);"
        "for (const t of d.paragraphs) { const p = document.createElement('p');"
        "p.textContent = t; a.append(p); }"
        "document.getElementById('app').append(a); });"
    )
    site.add_html("/spa/api", shell(script))


def _client_rendered(site: Site) -> None:
    site.add_html("/spa/inline", shell(_draw()))
    site.add_html("/spa/timer", shell(f"setTimeout(() => {{ {_draw()} }}, 300);"))
    site.add_html(
        "/spa/load-event",
        shell(f"addEventListener('load', () => setTimeout(() => {{{_draw()}}}));"),
    )
    site.add("/bundle.js", _draw().encode(), Content_Type="text/javascript")
    site.add_html(
        "/spa/module",
        page('<div id="app"></div><script type="module" src="/bundle.js"></script>'),
    )
    site.add_html(
        "/spa/history",
        shell(f"history.pushState({{}}, '', '/spa/history/read'); {_draw()}"),
    )


def _preloaded(site: Site) -> None:
    state = {
        "props": {
            "pageProps": {
                "post": {
                    "title": TITLE,
                    "content": "".join(f"<p>{text}</p>" for text in PARAGRAPHS),
                }
            }
        },
        "page": "/ferry",
    }
    text = json.dumps(state)
    site.add_html(
        "/spa/next-data",
        page(
            f'<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{text}'
            "</script>"
        ),
    )


def _noscript(site: Site) -> None:
    site.add_html(
        "/spa/noscript",
        page(
            f'<div id="app"></div><noscript>{article()}</noscript><script src="/gone.js"></script>'
        ),
    )


def _infinite(site: Site) -> None:
    script = (
        f"const all = {json.dumps(PARAGRAPHS)}; let next = 1;"
        "const list = document.querySelector('article');"
        "const mark = document.getElementById('mark');"
        "new IntersectionObserver((seen) => {"
        "  if (!seen[0].isIntersecting || next >= all.length) return;"
        "  setTimeout(() => { const p = document.createElement('p'); p.textContent = all[next];"
        "  next += 1; list.append(p);"
        "  const gap = document.createElement('div'); gap.style.height = '1200px';"
        "  list.append(gap); }, 60);"
        "}).observe(mark);"
    )
    body = (
        f"<main><article><h1>{TITLE}</h1><p>{PARAGRAPHS[0]}</p>"
        '<div style="height:1200px"></div></article></main><div id="mark">more</div>'
    )
    site.add_html("/spa/infinite", page(body + f"<script>{script}</script>"))


def _late(site: Site) -> None:
    """Long after the page looks finished; only wait_for knows."""
    site.add_html("/spa/late", shell(f"setTimeout(() => {{ {_draw()} }}, 2500);"))


def _components(site: Site) -> None:
    for mode in ("open", "closed"):
        script = (
            "customElements.define('ferry-story', class extends HTMLElement {"
            "  connectedCallback() {"
            f"    const root = this.attachShadow({{ mode: '{mode}' }});"
            f"    root.innerHTML = '<style>p{{color:red}}</style><article><h1>{TITLE}</h1>"
            '<slot name="lead"></slot><div id=rest></div></article>\';'
            f"    for (const t of {json.dumps(PARAGRAPHS[1:])}) {{"
            "      const p = document.createElement('p'); p.textContent = t;"
            "      root.getElementById('rest').append(p); } } });"
        )
        body = f'<ferry-story><p slot="lead">{PARAGRAPHS[0]}</p></ferry-story>'
        site.add_html(f"/spa/components-{mode}", page(f"{body}<script>{script}</script>"))


def _frames(site: Site) -> None:
    site.add_html(
        "/spa/refresh",
        page("<p>One moment.</p>", head='<meta http-equiv="refresh" content="0; url=/static">'),
    )
    site.add_html("/spa/moves-on", shell("location.replace('/static');"))


_ALL: tuple[Callable[[Site], None], ...] = (
    _from_api,
    _client_rendered,
    _preloaded,
    _noscript,
    _infinite,
    _late,
    _components,
    _frames,
)

NEED_A_BROWSER = (
    "/spa/api",
    "/spa/inline",
    "/spa/timer",
    "/spa/load-event",
    "/spa/module",
    "/spa/history",
    "/spa/infinite",
    "/spa/components-open",
    "/spa/components-closed",
    "/spa/moves-on",
    "/spa/refresh",
)
NEED_NONE = ("/static", "/spa/next-data", "/spa/noscript")


def furnish(site: Site) -> None:
    """Put all of these pages on a site."""
    site.add_html("/static", static_page())
    for add in _ALL:
        add(site)

"""The tables of what each HTML element becomes in Markdown, in block and in inline context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pageloom.core.embeds import EMBED_TAGS
from pageloom.core.render import blocks, lists, phrases, tables
from pageloom.core.render.walk import contain, contain_flat, drop

if TYPE_CHECKING:
    from pageloom.core.render.walk import Action

_DROPPED = (
    "script style template svg canvas head title meta link base select datalist textarea optgroup "
    "option map area param track source frame frameset noframes rtc colgroup col progress meter"
).split()
_CONTAINERS = (
    "p body html main header footer nav address center hgroup search form fieldset "
    "legend dialog dt dd li tr caption thead tbody tfoot td th optgroup noframes dir menu"
).split()
_DIVISIONS = "div section article aside".split()

_PHRASES: dict[str, Action] = {
    "em": phrases.emphasis("em"),
    "i": phrases.emphasis("em"),
    "cite": phrases.emphasis("em"),
    "var": phrases.emphasis("em"),
    "dfn": phrases.emphasis("em"),
    "strong": phrases.emphasis("strong"),
    "b": phrases.emphasis("strong"),
    "del": phrases.emphasis("del"),
    "s": phrases.emphasis("del"),
    "strike": phrases.emphasis("del"),
    "ins": phrases.mark("ins"),
    "mark": phrases.mark("mark"),
    "sub": phrases.mark("sub"),
    "sup": phrases.superscript,
    "a": phrases.link,
    "img": phrases.image,
    "amp-img": phrases.image,
    "code": phrases.code,
    "kbd": phrases.code,
    "samp": phrases.code,
    "tt": phrases.code,
    "q": phrases.quotation,
    "rt": phrases.ruby_text,
    "noscript": phrases.without_scripts,
    "input": phrases.checkbox,
} | dict.fromkeys(_DROPPED, drop)

FLOW: dict[str, Action] = (
    _PHRASES
    | dict.fromkeys(_CONTAINERS, contain)
    | dict.fromkeys(_DIVISIONS, blocks.division)
    | dict.fromkeys(EMBED_TAGS, phrases.embed)
    | {f"h{level}": blocks.heading(level) for level in range(1, 7)}
    | dict.fromkeys(("pre", "listing", "xmp", "plaintext"), blocks.preformatted)
    | dict.fromkeys(("ul", "menu", "dir"), lists.bullets)
    | {
        "br": phrases.line_break,
        "math": phrases.math,
        "ol": lists.numbers,
        "blockquote": blocks.quote,
        "hr": blocks.rule,
        "figure": blocks.figure,
        "figcaption": blocks.caption,
        "details": blocks.details,
        "summary": blocks.summary_outside,
        "dl": blocks.definitions,
        "table": tables.table,
    }
)

FLOW_WITHOUT_CALLOUTS: dict[str, Action] = FLOW | dict.fromkeys(_DIVISIONS, contain)

FLAT: dict[str, Action] = (
    _PHRASES
    | dict.fromkeys(_CONTAINERS, contain_flat)
    | dict.fromkeys(_DIVISIONS, contain_flat)
    | dict.fromkeys(EMBED_TAGS, phrases.embed_flat)
    | {f"h{level}": contain_flat for level in range(1, 7)}
    | dict.fromkeys(("pre", "listing", "xmp", "plaintext"), blocks.preformatted_flat)
    | dict.fromkeys(
        "ul ol blockquote figure figcaption details summary dl table hr".split(), contain_flat
    )
    | {"br": phrases.line_break_flat, "math": phrases.math_flat}
)

"""Broken pages, made from whole ones, and pages of pieces: does any of them break us?

    python bench/fuzz.py                        100,000 pages
    python bench/fuzz.py --pages 2000 --seed 3

Each must become a Document or a PageloomError that blames the page. Whatever else happens is kept
under build/fuzz/, page and trace, and the run ends with 1.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pageloom

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[bytes, random.Random], bytes]

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "build" / "fuzz"
URL = "https://fuzz.example/section/page?id=1"
SLOWEST = 30
MARKUP = (
    b"<div>", b"</div>", b"<p>", b"</p>", b"<table>", b"<tr><td>", b"</table>", b"<b>", b"</i>",
    b"<a href='", b"<a href=//[>", b"<svg>", b"<math>", b"<template>", b"<select><option>",
    b"<script>", b"</script>", b"<!--", b"-->", b"<![CDATA[", b"<pre>\n", b"<noscript>",
    b"<base href='javascript:x'>", b"<meta charset=utf-16>", b"<title>", b"<img srcset='a 1x,,b'>",
    b'<script type=application/ld+json>{"@graph":[{"@id":1},', b"<li value=99999999999>",
    b"<time datetime=9999-99-99>", b"<rss><channel><item>", b"<frameset>", b"<plaintext>",
    b"&#0;", b"&#x110000;", b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xe2\x80\xae", b"\r\n\r",
    b"&amp;amp;", b"style='display:none'", b"<h1 hidden>", b"<sup id=fn1>", b"<ol start=-5>",
)  # fmt: skip
"""What real and hostile pages have in the wrong place."""
TAGS = (
    "a abbr article aside b blockquote br button caption code dd del details div dl dt em figure "
    "figcaption footer form h1 h2 h3 header hr i iframe img input ins kbd label li main mark math "
    "mi mo mrow nav noscript ol option p picture pre q rt ruby s samp script section select small "
    "source span strong style sub summary sup svg table tbody td textarea th time title tr u ul "
    "var video amp-img own-tag annotation"
).split()
ATTRIBUTES = (
    "class id href src srcset alt title style datetime content name property itemprop itemtype rel "
    "type role hidden lang dir width height colspan rowspan start value data-src checked cite"
).split()
VALUES = (
    "x|comments|byline author|price|post-date|2024-02-30|2024-02-03T10:00:00Z|-1|99999999999999999|"
    "javascript:alert(1)|/a?x=1&y=2#z|//h.example/p|http://[::1|mailto:a@b|data:image/png;base64,AA|"
    "#|#fn1|og:title|article:published_time|keywords|author|display:none|display: block|tags tag-x|"
    "related|sidebar|\x1c|\u202e|é|日本|100%|en|ar|rtl|https://schema.org/Product|EUR|4.5|swatch|"
    "a.jpg 1x, b.jpg 2x|a 100w,,, b 0w|btn cta|share-count|highlight language-python|footnotes|"
).split("|")
WORDS = (
    "word The ferry goes 10 1,234.56 $12.99 €5 12:30 2024-01-02 By Jane Doe Related Share \x1c "
    "\x00 \x85 \xa0 \u200b \u2028 \xad * ** _ __ ` ``` ~~ # ## $ $$ \\ \\( \\) [ ] ( ) ! | < & "
    "&amp; &#x0; &nbsp; 日本語。 这是中文。 العربية שלום ไทย 한국어 İ ß ſ \U0001f600 ٣ ½ ² … 。 ? ."
).split(" ")
"""Unseen characters, marks of Markdown, numbers and scripts, side by side as no page has them."""


def grow(chance: random.Random, depth: int) -> str:
    """A piece of a page: some words, or an element with pieces in it, closed or not."""
    if depth == 0 or chance.random() < 0.45:
        count = chance.choice((1, 2, 4, 9, 25))
        return "".join(chance.choice(WORDS) + chance.choice(("", " ", " ")) for _ in range(count))
    tag = chance.choice(TAGS)
    attributes = "".join(
        f' {chance.choice(ATTRIBUTES)}="{chance.choice(VALUES)}"'
        for _ in range(chance.randrange(3))
    )
    inside = "".join(grow(chance, depth - 1) for _ in range(chance.randrange(4)))
    end = f"</{tag}>" if chance.random() < 0.85 else ""
    return f"<{tag}{attributes}>{inside}{end}"


def grow_page(chance: random.Random) -> bytes:
    """A page of nothing but such pieces."""
    pieces = [grow(chance, chance.choice((1, 3, 5))) for _ in range(chance.choice((1, 3, 8, 20)))]
    return "".join(pieces).encode()


def cut(page: bytes, chance: random.Random) -> bytes:
    """Lose a stretch."""
    start = chance.randrange(len(page) + 1)
    return page[:start] + page[start + chance.randrange(1, 2_000) :]


def repeat(page: bytes, chance: random.Random) -> bytes:
    """Say a stretch again, some times over."""
    start = chance.randrange(len(page) + 1)
    piece = page[start : start + chance.randrange(1, 400)]
    return page[:start] + piece * chance.randrange(2, 40) + page[start:]


def insert(page: bytes, chance: random.Random) -> bytes:
    """Put markup where none belongs."""
    start = chance.randrange(len(page) + 1)
    return page[:start] + chance.choice(MARKUP) * chance.choice((1, 1, 1, 3, 50)) + page[start:]


def spoil(page: bytes, chance: random.Random) -> bytes:
    """Change single bytes."""
    changed = bytearray(page)
    for _ in range(chance.randrange(1, 30) if changed else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def end_early(page: bytes, chance: random.Random) -> bytes:
    """Break the connection."""
    return page[: chance.randrange(len(page) + 1)]


def mix_up(page: bytes, chance: random.Random) -> bytes:
    """Put the parts between tags in another order."""
    parts = page.split(b"<", 400)
    start = chance.randrange(len(parts))
    middle = parts[start : start + 20]
    chance.shuffle(middle)
    return b"<".join([*parts[:start], *middle, *parts[start + 20 :]])


CHANGES: tuple[Change, ...] = (cut, repeat, insert, insert, spoil, end_early, mix_up)


def break_page(pages: list[bytes], chance: random.Random) -> bytes:
    """One page with a few things wrong, now and then with another page's end."""
    page = chance.choice(pages)
    if chance.random() < 0.1:
        page = end_early(page, chance) + cut(chance.choice(pages), chance)
    for _ in range(chance.randrange(1, 6)):
        page = chance.choice(CHANGES)(page, chance)
    return page


def try_page(page: bytes) -> str:
    """What became of it, in a word."""
    signal.alarm(SLOWEST)
    try:
        document = pageloom.extract(page, URL)
        document.to_json()
    except pageloom.InternalError as error:
        keep(page, error)
        return "FAILED"
    except pageloom.PageloomError as error:
        return type(error).__name__
    except Exception as error:  # noqa: BLE001  this is what is looked for
        keep(page, error)
        return "FAILED"
    else:
        return "Document"
    finally:
        signal.alarm(0)


def keep(page: bytes, error: BaseException) -> None:
    """The page and the trace, for whoever mends it."""
    KEPT.mkdir(parents=True, exist_ok=True)
    name = f"{len(list(KEPT.iterdir())) // 2:04}"
    (KEPT / f"{name}.html").write_bytes(page)
    (KEPT / f"{name}.txt").write_text("".join(traceback.format_exception(error)))


def main() -> int:
    """Run and tell; the exit code is the verdict."""
    parser = argparse.ArgumentParser(description="Read broken pages.")
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages-from", type=Path, default=ROOT / "tests" / "golden")
    chosen = parser.parse_args()
    whole = [path.read_bytes() for path in sorted(chosen.pages_from.rglob("*.html"))]
    chance = random.Random(chosen.seed)  # noqa: S311  no secret
    signal.signal(signal.SIGALRM, _too_slow)
    came_of_it: Counter[str] = Counter()
    started = time.perf_counter()
    for number in range(chosen.pages):
        page = grow_page(chance) if number % 2 else break_page(whole, chance)
        came_of_it[try_page(page)] += 1
        if number % max(1, chosen.pages // 20) == 0:
            print(f"{number:8,} pages  {dict(came_of_it)}", flush=True)
    print(f"{chosen.pages:,} pages in {time.perf_counter() - started:.0f} s: {dict(came_of_it)}")
    return int(bool(came_of_it["FAILED"]))


def _too_slow(*_: object) -> None:
    raise TimeoutError(f"a page took more than {SLOWEST} s")


if __name__ == "__main__":
    sys.exit(main())

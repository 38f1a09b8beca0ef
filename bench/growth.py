"""How the time of a page grows with its length, for every kind of element that holds many others.

    python bench/growth.py                  each shape at 75 KB, and at sixteen times that
    python bench/growth.py --small 20000    shorter ones

A shape whose CPU time grows by far more than its length is named, and the run ends with 1.
"""

from __future__ import annotations

import argparse
import sys
import time

import pageloom

URL = "https://growth.example/page"
TIMES = 16
"""How much longer the long page is."""
ALLOWED = 32
"""How much more time it may take: a square would be 256."""
SAYS = "Pilot {n} brings ships in by night, and rests when the tide does."
TEXT = f"<p>{SAYS}</p>"
SHAPES: dict[str, tuple[str, str, str]] = {
    "dl, short": ("<dl>", "<dt>a{n}<dd>b", "</dl>"),
    "dl, sentences": ("<dl>", f"<dt>Term {{n}}</dt><dd>{SAYS}</dd>", "</dl>"),
    "dl of div": ("<dl>", f"<div><dt>Term {{n}}</dt><dd>{SAYS}</dd></div>", "</dl>"),
    "dl, one term": ("<dl><dt>Pilots</dt>", "<dd>b{n}", "</dl>"),
    "dl, only terms": ("<dl>", "<dt>a{n}", "</dl>"),
    "dl in dd": ("<dl>", "<dt>a<dd><dl><dt>x{n}<dd>y</dl>", "</dl>"),
    "many dl": ("", "<dl><dt>a{n}<dd>b</dl>", ""),
    "ul, short": ("<ul>", "<li>a{n}", "</ul>"),
    "ol, sentences": ("<ol>", f"<li>{SAYS}</li>", "</ol>"),
    "ul of links": ("<ul>", "<li><a href=/{n}>Pilot {n}</a></li>", "</ul>"),
    "ul in li": ("<ul>", "<li>a{n}<ul><li>b<li>c</ul>", "</ul>"),
    "menu": ("<menu>", "<li><button>a{n}</button></li>", "</menu>"),
    "table rows": ("<table>", "<tr><td>a{n}<td>b<td>c", "</table>"),
    "table, one row": ("<table><tr>", "<td>a{n}", "</table>"),
    "table heads": ("<table>", "<tr><th>a{n}<td>b", "</table>"),
    "table bodies": ("<table>", "<tbody><tr><td>a{n}", "</table>"),
    "table columns": ("<table>", "<col class=c{n}>", "<tr><td>a</table>"),
    "table spans": ("<table>", "<tr><td rowspan=9>a{n}<td colspan=9>b", "</table>"),
    "many tables": ("", "<table><tr><td>a{n}</table>", ""),
    "paragraphs": ("", TEXT, ""),
    "short paragraphs": ("", "<p>a{n}", ""),
    "article": ("<article>", TEXT, "</article>"),
    "articles": ("", f"<article><h2>Pilot {{n}}</h2>{TEXT}</article>", ""),
    "sections": ("<main>", f"<section><h2>Pilot {{n}}</h2>{TEXT}</section>", "</main>"),
    "headings": ("", "<h2>Pilot {n}</h2>", ""),
    "buttons in a heading": ("<h2>Pilots", "<button>a{n}</button>", "</h2>"),
    "headings that fold": ("", f"<h2><button>Why {{n}}?</button></h2>{TEXT}", ""),
    "code in a link": ("<a href=/x>", "<pre>x = {n}</pre>", "</a>"),
    "numbered formulas": ("<div class=math>", "<i class=eqno>({n})</i> a=b ", "</div>"),
    "same headings": ("", f"<h2>Pilots</h2>{TEXT}", ""),
    "related headings": ("", f"<h3>Related articles</h3>{TEXT}", ""),
    "div": ("<div>", f"<div>{SAYS}</div>", "</div>"),
    "classes": ("<div>", f"<div class='card c{{n}}' id=i{{n}}>{SAYS}</div>", "</div>"),
    "spans": ("<p>", "<span>word {n}</span> ", "</p>"),
    "bold": ("<p>", "<b>word</b> <i>{n}</i> ", "</p>"),
    "one link": ("<p><a href=/x>", "word {n} ", "</a></p>"),
    "links": ("<p>", "<a href=/{n}>word {n}</a> ", "</p>"),
    "breaks": ("<p>", "word {n}<br>", "</p>"),
    "pre": ("<pre>", "x = {n}\n", "</pre>"),
    "pre of spans": ("<pre><code>", "<span class=k>x</span> = {n}\n", "</code></pre>"),
    "many code": ("<p>", "<code>x{n}</code> ", "</p>"),
    "blockquote": ("<blockquote>", TEXT, "</blockquote>"),
    "figures": ("", "<figure><img src=/{n}.jpg><figcaption>a{n}</figcaption></figure>", ""),
    "images": ("<p>", "<img src=/{n}.jpg alt=a>", "</p>"),
    "picture": ("<picture>", "<source srcset=/{n}.jpg>", "<img src=/a.jpg></picture>"),
    "select": ("<select>", "<option value={n}>a{n}", "</select>"),
    "options": ("<select>", "<optgroup label=g{n}><option>a{n}", "</select>"),
    "form": ("<form>", "<label>a{n} <input name=i{n}></label>", "</form>"),
    "fieldset": ("<fieldset>", "<legend>a{n}</legend><input>", "</fieldset>"),
    "details": ("", f"<details><summary>Why {{n}}?</summary>{TEXT}</details>", ""),
    "nav": ("<nav>", "<a href=/{n}>Section {n}</a>", "</nav>"),
    "aside": ("<aside>", TEXT, "</aside>"),
    "footer": ("<footer>", "<p>a{n} <a href=/{n}>b</a>", "</footer>"),
    "ruby": ("<p><ruby>", "a<rt>{n}</rt>", "</ruby></p>"),
    "svg": ("<svg>", "<text>a{n}</text><path d=M0/>", "</svg>"),
    "math": ("<p><math>", "<mi>x</mi><mn>{n}</mn>", "</math></p>"),
    "video": ("<video>", "<track src=/{n}.vtt label=a>", "</video>"),
    "map": ("<map>", "<area href=/{n} alt=a>", "</map>"),
    "noscript": ("<noscript>", TEXT, "</noscript>"),
    "template": ("<template>", TEXT, "</template>"),
    "custom": ("<own-list>", "<own-item>word {n}</own-item>", "</own-list>"),
    "footnotes": ("<p>", "a<sup id=r{n}><a href=#f{n}>{n}</a></sup> ", "</p>"),
    "notes": ("<ol class=footnotes>", "<li id=f{n}>a <a href=#r{n}>↩</a>", "</ol>"),
    "comments": ("<div id=comments>", f"<div class=comment>{SAYS}</div>", "</div>"),
    "prices": ("<ul>", "<li>Bell {n} <b>€ {n}.99</b></li>", "</ul>"),
    "times": ("<ul>", "<li><time datetime=2024-01-02>2 January 2024</time> a{n}", "</ul>"),
    "bylines": ("", "<p class=byline>By Jane Doe {n}</p>", ""),
    "hidden": ("", "<div hidden>word {n}</div>", ""),
    "loose text": ("<div>", "word {n}<hr>", "</div>"),
    "meta": ("", "<meta name=author content=a{n}>", "<p>words</p>"),
    "json-ld": (
        "",
        '<script type=application/ld+json>{{"@type":"Product","name":"a{n}"}}</script>',
        "<p>words</p>",
    ),
}
"""What stands before, the part that is repeated, and what stands after."""


def make_page(shape: tuple[str, str, str], size: int) -> str:
    """A page of about that many characters, most of them one part many times over."""
    before, part, after = shape
    count = size // len(part.format(n=12_345))
    parts = "".join(part.format(n=number) for number in range(count))
    head = "<title>Pilots of the harbour</title><h1>Pilots of the harbour</h1>"
    return f"<!doctype html>{head}{before}{parts}{after}"


def cpu(page: str) -> float:
    """Seconds for one page, whatever becomes of it."""
    began = time.process_time()
    try:
        _ = pageloom.extract(page, URL).content_hash  # all fields
    except pageloom.PageloomError as error:
        sys.stderr.write(f"  {error.code}\n")
    return time.process_time() - began


def main() -> int:
    """Measure every shape; 1 when one grows too fast."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--small", type=int, default=75_000, help="characters of the shorter page")
    parser.add_argument("--only", default="", help="shapes with this text in their name")
    chosen = parser.parse_args()
    steep: list[str] = []
    cpu(make_page(SHAPES["paragraphs"], 50_000))  # what is loaded once
    for name, shape in SHAPES.items():
        if chosen.only not in name:
            continue
        short = min(cpu(make_page(shape, chosen.small)) for _ in range(2))
        long = min(cpu(make_page(shape, chosen.small * TIMES)) for _ in range(2))
        # The first milliseconds are the same for all.
        ratio = long / max(short, 0.01)
        sys.stdout.write(f"{name:<18} {short:7.3f} s {long:7.3f} s   times {ratio:5.1f}\n")
        sys.stdout.flush()
        if ratio > ALLOWED:
            steep.append(name)
    if steep:
        sys.stdout.write(f"Steeper than {ALLOWED} times for {TIMES}: {', '.join(steep)}\n")
    return int(bool(steep))


if __name__ == "__main__":
    sys.exit(main())

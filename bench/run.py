"""Speed and memory, beside other extractors in one interleaved run.

    python bench/run.py [--pages DIR] [--rounds N] [--at-once N]

Without --pages the pages are made here, from 10 KB up. Every extractor is given a page as it comes
from an address, in bytes. Every figure of time is CPU time of this process; peers are measured in
turns with us, so that a slow moment of the machine hits all alike: some pages for one, the same for
the next, as a worker reads one page after another. With ``--at-once 1`` they change at every page,
and each finds the caches of the processor full of the others' work.
"""

from __future__ import annotations

import argparse
import csv
import platform
import resource
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pageloom import Document

HISTORY = Path("bench/history/speed.csv")
STEPS = (20_000, 150_000, 500_000)
SIZES = (10_000, 50_000, 250_000, 1_000_000, 4_000_000, 9_900_000)
DEPTHS = (10, 100, 1_000, 10_000, 100_000)
URL = "https://example.com/news/the-bridge"

MENU = "".join(
    f'<li class="menu-item"><a class="menu-link" href="/section/{n}">Section {n}</a></li>'
    for n in range(24)
)
SENTENCE = (
    "The bridge was closed on Monday after a routine inspection, and the engineers who had asked "
    "for it said that nobody was surprised; traffic goes round by the old road. "
)
HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The bridge that waits | The '
    'Ferry Post</title><meta name="description" content="Why the old bridge stays closed.">'
    '<meta property="og:title" content="The bridge that waits"><meta property="og:type" '
    'content="article"><meta property="article:published_time" content="2026-03-02T08:30:00+01:00">'
    '<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle",'
    '"headline":"The bridge that waits","author":{"@type":"Person","name":"Ida Lund"},'
    '"datePublished":"2026-03-02T08:30:00+01:00"}</script><style>'
    + "".join(f".c{n}{{margin:0 {n}px;display:flex;color:#{n:03d}}}" for n in range(40))
    + f'</style></head><body><nav class="site-nav"><ul class="menu">{MENU}</ul></nav>'
)
FOOT = (
    f'<footer class="site-footer"><ul>{MENU}</ul><p>© The Ferry Post. All rights reserved.</p>'
    "</footer></body></html>"
)


def make_part(number: int) -> str:
    """A stretch of a page as the web has them: a tenth of it is text that somebody came to read."""
    text = (
        f"<p>{SENTENCE * (1 + number % 3)}<a href='/story/{number}'>More on part {number}</a>.</p>"
    )
    if number % 4 == 0:
        text += f"<h2>Part {number}</h2><ul><li>first of {number}</li><li>second</li></ul>"
    state = ",".join(f'"k{n}":[{n},{number},"v{n}"]' for n in range(60))
    cards = "".join(
        f'<div class="card card--small" data-id="{n}"><a class="card__link" href="/s/{number}/{n}">'
        f'<img class="card__image lazy" src="/i/{n}.jpg" width="160" height="90" alt="">'
        f'<span class="card__title">Another story, number {n}</span></a>'
        f'<span class="card__meta">{n} h</span></div>'
        for n in range(4)
    )
    return (
        f'{text}<div class="ad-slot" id="ad-{number}"></div>'
        f"<script>window.q=window.q||[];q.push({{{state}}})</script>"
        f'<aside class="related"><h3>Related</h3>{cards}</aside>'
    )


def make_page(size: int) -> str:
    """A page of about this many characters: head, menus, an article with boxes in it, footer."""
    parts = [HEAD, '<main class="layout"><article class="story"><h1>The bridge that waits</h1>']
    length = len(HEAD) + len(FOOT)
    number = 0
    while length < size:
        number += 1
        parts.append(make_part(number))
        length += len(parts[-1])
    return "".join((*parts, "</article></main>", FOOT))


def make_deep(depth: int) -> str:
    """A page of nested elements with a paragraph at the bottom."""
    return f"<body>{'<div>' * depth}<p>{SENTENCE * 5}</p>{'</div>' * depth}"


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def built() -> str:
    """Whether what is measured is a compiled wheel or Python alone."""
    from pageloom.core import words

    return "not compiled" if words.__file__.endswith(".py") else "compiled"


def _text_and_title(document: Document) -> tuple[str, str]:
    return document.text, document.title


def extractors() -> dict[str, Callable[[bytes], object]]:
    """What is measured; peers that are not installed are left out, and said so.

    Fields are made when they are read: the hash of the content comes last, with all others.
    """
    import pageloom
    from pageloom.core.decode.source import decode
    from pageloom.core.extract.content import find_content
    from pageloom.edges.memory import gc_paused

    def content(page: bytes) -> str:
        with gc_paused():
            return find_content(decode(page, url=URL)).text

    found: dict[str, Callable[[bytes], object]] = {
        "pageloom content": content,
        "pageloom text, title": lambda page: _text_and_title(pageloom.extract(page, URL)),
        "pageloom document": lambda page: pageloom.extract(page, URL).content_hash,
    }
    try:
        import trafilatura

        found["trafilatura"] = lambda page: trafilatura.extract(page, include_comments=False)
        found["trafilatura + metadata"] = lambda page: trafilatura.bare_extraction(
            page, url=URL, with_metadata=True
        )
    except ImportError:
        print("trafilatura is not installed; install the bench extra to compare", file=sys.stderr)
    try:
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding

        found["resiliparse"] = lambda page: extract_plain_text(
            bytes_to_str(page, detect_encoding(page)), main_content=True
        )
    except ImportError:
        print("resiliparse is not installed; install the bench extra to compare", file=sys.stderr)
    return found


def load_pages(directory: Path | None, most: int) -> list[bytes]:
    """Pages from a directory, evenly spread, or made ones."""
    if directory is None:
        sizes = (10_000, 30_000, 50_000, 120_000)
        return [make_page(size).encode() for size in sizes for _ in range(5)]
    paths = sorted(directory.rglob("*.html"))
    step = max(len(paths) // most, 1)
    return [path.read_bytes() for path in paths[::step]]


def race(pages: list[bytes], rounds: int, at_once: int) -> dict[str, list[float]]:
    """CPU seconds of every page, the best of some rounds for each page and extractor."""
    runners = extractors()
    for run in runners.values():
        run(pages[0])
    spent_on: dict[str, list[float]] = {name: [] for name in runners}
    for start in range(0, len(pages), at_once):
        some = pages[start : start + at_once]
        best = {name: [float("inf")] * len(some) for name in runners}
        for _ in range(rounds):
            for name, run in runners.items():
                spent = [cpu(lambda run=run, page=page: run(page)) for page in some]
                best[name] = list(map(min, best[name], spent))
        for name, seconds in best.items():
            spent_on[name] += seconds
        if sys.stderr.isatty():
            print(f"\r{start + len(some)}/{len(pages)} pages ", end="", file=sys.stderr)
    return spent_on


def report_sizes(pages: list[bytes], spent_on: dict[str, list[float]]) -> None:
    """The same by the size of pages: the sum over all of them is that of the large ones."""
    if "trafilatura" not in spent_on:
        return
    print("\nBy size of the page, of trafilatura")
    for low, high in zip((0, *STEPS), (*STEPS, 1 << 62), strict=True):
        at = [index for index, page in enumerate(pages) if low <= len(page) < high]
        if not at:
            continue
        sums = {name: sum(map(seconds.__getitem__, at)) for name, seconds in spent_on.items()}
        shares = "  ".join(
            f"{name} {sums[name] / sums['trafilatura']:.3f}"
            for name in sums
            if name.startswith("pageloom")
        )
        upto = f"{high // 1000:>5} KB" if high in STEPS else "  any size"
        print(f"  up to {upto:<10}{len(at):>5} pages  {shares}")


def stages(pages: list[bytes]) -> dict[str, float]:
    """CPU seconds a page by stage; segment, context and judge are parts of the content stage."""
    from pageloom.core.decode.source import decode
    from pageloom.core.enrich.insights import enrich
    from pageloom.core.extract.blocks import segment
    from pageloom.core.extract.by_blocks import choose_blocks
    from pageloom.core.extract.content import cut_content, describe_content, find_content
    from pageloom.core.extract.links import gather_links
    from pageloom.core.extract.metadata import read_metadata
    from pageloom.core.extract.page_features import read_context
    from pageloom.core.extract.weights import shipped
    from pageloom.core.normalize.choose import choose_fields
    from pageloom.core.normalize.html import clean_html
    from pageloom.core.normalize.links import finish_links
    from pageloom.core.render.markdown import to_markdown

    spent: dict[str, float] = {}

    def timed(name: str, work: Callable[[], object]) -> object:
        start = time.process_time()
        result = work()
        spent[name] = spent.get(name, 0.0) + time.process_time() - start
        return result

    for page in pages:
        source = timed("decode", lambda page=page: decode(page, url=URL))
        facts = timed("metadata", lambda s=source: read_metadata(s))
        links = timed("links", lambda s=source: gather_links(s.tree))
        body = source.tree.select_one("body")
        blocks = timed("segment", lambda b=body: segment(b))
        context = timed("context", lambda s=source: read_context(s.tree, URL))
        if blocks:
            timed("judge", lambda b=blocks, c=context: choose_blocks(b, c, shipped()))
        found = timed("content", lambda s=source: find_content(s))
        content = describe_content(found)
        content = timed("blocks, cut", lambda c=content, f=found: cut_content(c, f, URL))
        chosen = timed("choose", lambda f=facts, c=content: choose_fields(f, c, url=URL))
        markdown = timed("markdown", lambda c=content: to_markdown(c.root))
        timed("clean html", lambda c=content: clean_html(c.root, URL))
        timed("finish links", lambda f=links, c=content: finish_links(f, c.root, URL, URL))
        timed(
            "enrich",
            lambda c=content, h=chosen, m=markdown: enrich(
                title=h.title, text=c.text, markdown=m, language=h.language
            ),
        )
    return {name: seconds / len(pages) for name, seconds in spent.items()}


def report_metadata(spent: dict[str, float]) -> None:
    """What the metadata costs beside the content: promised is less."""
    about = spent["metadata"] + spent["choose"]
    print(
        f"  the metadata stage (metadata, choose) takes {about * 1e3:.2f} ms, the content stage"
        f" (content) {spent['content'] * 1e3:.2f} ms: {about / spent['content']:.2f} of it"
    )


def growth() -> None:
    """How CPU time grows with size and with depth."""
    import pageloom

    print("\nGrowth with size (CPU of the whole Document)")
    for size in SIZES:
        page = make_page(size)
        seconds = min(
            cpu(lambda page=page: pageloom.extract(page, URL).content_hash) for _ in range(2)
        )
        rate = seconds / size * 1e9
        print(f"  {size / 1000:>8.0f} KB {seconds * 1e3:>9.1f} ms {rate:>8.1f} ns a byte")
    print("\nGrowth with depth")
    for depth in DEPTHS:
        page = make_deep(depth)
        seconds = cpu(lambda page=page: pageloom.extract(page, URL).content_hash)
        print(f"  {depth:>8} levels {seconds * 1e3:>9.1f} ms")


def fresh(code: str) -> str:
    """What a fresh process prints."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


# Peak memory of the process itself: getrusage would count that of the process that started it.
_RSS = (
    "def rss():\n"
    "    try:\n"
    "        lines = open('/proc/self/status').read().splitlines()\n"
    "        return int(next(l for l in lines if l.startswith('VmHWM')).split()[1]) / 1e3\n"
    "    except OSError:\n"
    "        import resource\n"
    "        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6\n"
)


def start_up() -> dict[str, str]:
    """Import time, first page, memory, each in a fresh process."""
    page = f"page = {make_page(50_000)!r}\n"
    long_text = "'<p>' + 'A word and another, said twice. ' * 31_000 + '</p></article>'"
    big = f"big = page.replace('</article>', {long_text})\n"
    clock = "import time; start = time.perf_counter(); import pageloom\n"
    extract = "pageloom.extract(page, 'https://example.com/a').content_hash\n"
    passed = "print(f'{time.perf_counter() - start:.3f}')"
    added = "before = rss(); pageloom.extract(big, 'https://example.com/a').content_hash\n"
    imported = "import pageloom\n"
    cells = "'<td>cell and value</td>' * 4"
    table = f"big = '<h1>Rows</h1><table>' + ('<tr>' + {cells} + '</tr>') * 9_000 + '</table>'\n"
    return {
        "import pageloom, s": fresh(clock + passed),
        "first extract, s": fresh(page + clock + extract + passed),
        "peak after one page, MB": fresh(
            _RSS + page + imported + extract + "print(f'{rss():.1f}')"
        ),
        "a 1 MB page adds, MB": fresh(
            _RSS + page + big + imported + extract + added + "print(f'{rss() - before:.1f}')"
        ),
        "a 1 MB table adds, MB": fresh(
            _RSS + page + table + imported + extract + added + "print(f'{rss() - before:.1f}')"
        ),
    }


def keep(means: dict[str, float]) -> None:
    """Append the ratios to the history, with the machine named."""
    HISTORY.parent.mkdir(parents=True, exist_ok=True)
    is_new = not HISTORY.exists()
    with HISTORY.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(
                ["run_at", "machine", "python", "extractor", "ms_a_page", "ratio_to_trafilatura"]
            )
        peer = means.get("trafilatura")
        for name, seconds in means.items():
            ratio = f"{seconds / peer:.4f}" if peer else ""
            run_at = datetime.now(UTC).isoformat(timespec="seconds")
            machine = f"{platform.system()} {platform.machine()}"
            row = [run_at, machine, platform.python_version(), name, f"{seconds * 1e3:.2f}", ratio]
            writer.writerow(row)


TARGETS = {
    "pageloom text, title": ("trafilatura", 0.07),
    "pageloom document": ("trafilatura", 0.18),
}


def main() -> None:
    """Race, stages, growth, start-up."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--pages", type=Path, help="a directory of HTML files; made pages otherwise"
    )
    parser.add_argument("--most", type=int, default=60, help="at most this many of them")
    parser.add_argument("--rounds", type=int, default=5, help="the best of so many counts")
    parser.add_argument(
        "--at-once", type=int, default=10, help="pages for one extractor before the next one's turn"
    )
    arguments = parser.parse_args()
    pages = load_pages(arguments.pages, arguments.most)
    spent_on = race(pages, arguments.rounds, max(arguments.at_once, 1))
    means = {name: sum(seconds) / len(pages) for name, seconds in spent_on.items()}
    average = sum(map(len, pages)) / len(pages) / 1000
    print(
        f"\nCPU time a page ({len(pages)} pages, {average:.0f} KB on average; Pageloom {built()})"
    )
    for name, seconds in means.items():
        ratios = "  ".join(
            f"{seconds / means[peer]:.3f} of {peer}" for peer in means if "page" not in peer
        )
        target = TARGETS.get(name)
        goal = f"  (target {target[1]} of {target[0]})" if target else ""
        print(f"  {name:<24}{seconds * 1e3:>8.2f} ms  {ratios}{goal}")
    report_sizes(pages, spent_on)
    print("\nCPU time by stage")
    spent = stages(pages)
    for name, seconds in spent.items():
        print(f"  {name:<18}{seconds * 1e3:>8.2f} ms")
    report_metadata(spent)
    growth()
    print("\nIn a fresh process")
    for name, value in start_up().items():
        print(f"  {name:<26}{value:>8}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1e6 if sys.platform == "darwin" else 1e3
    )
    print(f"  {'peak of this run, MB':<26}{peak:>8.0f}")
    keep(means)


if __name__ == "__main__":
    main()

"""Markdown and clean HTML: time per page beside html-to-markdown (Rust), and how it grows.

    python bench/markdown.py DIRECTORY [--rounds N]

DIRECTORY holds one folder per page with ``expected.html``. Each round runs every converter on every
page in turn; the best of all rounds counts, so that other work on the machine disturbs all alike.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from html_to_markdown import convert

from pageloom.core.dom import Element, parse
from pageloom.core.normalize.html import clean_html
from pageloom.core.render.markdown import html_to_markdown, to_markdown

if TYPE_CHECKING:
    from collections.abc import Callable

ALLOWED = 4.0
"""How many times the peer's time a page may take."""
PARAGRAPH = (
    "<p>Some <b>bold</b> text with <a href='/x'>links</a> and words, more and more words.</p>"
)
GROWING: dict[str, Callable[[int], str]] = {
    "paragraphs (5 MB)": lambda share: PARAGRAPH * (55_000 * share // 4),
    "nested lists (10,000)": lambda share: "<ul><li>x" * (10_000 * share // 4),
    "table rows (5,000)": lambda share: (
        "<table>" + "<tr><td>a<td>b | c<td>d</tr>" * (5_000 * share // 4) + "</table>"
    ),
}


def seconds(run: Callable[[], object]) -> float:
    """The time one run takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def body_of(html: str) -> Element:
    """The content of a page."""
    body = parse(html).find("body")
    if body is None:
        raise ValueError("a page without a body")
    return body


def measure_pages(pages: list[str], rounds: int) -> dict[str, list[float]]:
    """The best time of every converter on every page."""
    trees = [body_of(page) for page in pages]
    runs: dict[str, Callable[[int], object]] = {
        "html-to-markdown": lambda at: convert(pages[at]),
        "pageloom, from text": lambda at: html_to_markdown(pages[at]),
        "pageloom, from tree": lambda at: to_markdown(trees[at]),
        "pageloom, clean HTML": lambda at: clean_html(trees[at], "https://example.com/"),
    }
    best = {name: [float("inf")] * len(pages) for name in runs}
    for _ in range(rounds):
        for at in range(len(pages)):
            for name, run in runs.items():
                best[name][at] = min(best[name][at], seconds(lambda run=run, at=at: run(at)))
    return best


def report_pages(best: dict[str, list[float]]) -> bool:
    """Print the times; tells whether the target is met."""
    peer = best["html-to-markdown"]
    for name, times in best.items():
        ratios = [ours / theirs for ours, theirs in zip(times, peer, strict=True)]
        print(
            f"{name:<22} median {statistics.median(times) * 1e3:6.2f} ms"
            f"   all {sum(times) * 1e3:7.1f} ms   times the peer: {sum(times) / sum(peer):.2f}"
            f" (median page {statistics.median(ratios):.2f}, worst {max(ratios):.2f})"
        )
    ours = best["pageloom, from text"]
    return all(one <= ALLOWED * other for one, other in zip(ours, peer, strict=True))


def report_growth() -> bool:
    """Print what four times the input costs; tells whether it is about four times the time."""
    linear = True
    for name, make in GROWING.items():
        small, large = make(1), make(4)
        quick = min(seconds(lambda page=small: html_to_markdown(page)) for _ in range(2))
        slow = min(seconds(lambda page=large: html_to_markdown(page)) for _ in range(2))
        print(
            f"{name:<22} {slow:6.2f} s   a quarter of it {quick:5.2f} s   ratio {slow / quick:.1f}"
        )
        linear = linear and slow / quick < 8
    return linear


def main() -> int:
    """Run both parts; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    files = sorted(arguments.directory.glob("*/expected.html"))
    pages = [file.read_text(encoding="utf-8") for file in files]
    fast = report_pages(measure_pages(pages, arguments.rounds))
    return int(not (report_growth() and fast))


if __name__ == "__main__":
    sys.exit(main())

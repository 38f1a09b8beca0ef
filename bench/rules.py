"""What rules cost: on a page that matches none, and when they are loaded.

    python bench/rules.py SITE_CONFIGS [--pages N]

SITE_CONFIGS is a directory of Full-Text RSS site configurations: all of them are imported first.
The same pages are read in turn without rules, with the shipped ones, and with all; the figures are
ratios within this run.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pageloom import extract
from pageloom.core.dom import parse
from pageloom.edges.rulefiles import load_rule_library, load_rulebook
from pageloom.flows.rules.import_rules import import_rules

ROOT = Path(__file__).parents[1]
_START = """
import time
import pageloom
pageloom.extract({page!r}, {url!r}, rules={rules}).content_hash
print(time.process_time())
"""


def pages(count: int) -> list[str]:
    """Pages of ours that match no rule of anybody."""
    found = sorted((ROOT / "tests" / "golden").glob("*/page.html"))
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in found]
    # as long as pages of the web are: the words of ours are few
    return [text.replace("</body>", f"<div>{text}</div></body>") for text in texts][:count]


def seconds(page: str, book: object) -> float:
    """The CPU time of one reading: others may use the machine too."""
    start = time.process_time()
    _ = extract(page, "https://nobody.example/page", rules=book).content_hash  # pyright: ignore[reportArgumentType]
    return time.process_time() - start


def compare(texts: list[str], books: dict[str, object], rounds: int) -> dict[str, float]:
    """The best time of each page under each book, summed; books take turns on every page."""
    best: dict[str, list[float]] = {name: [9e9] * len(texts) for name in books}
    for _ in range(rounds):
        for place, text in enumerate(texts):
            for name, book in books.items():
                best[name][place] = min(best[name][place], seconds(text, book))
    return {name: sum(values) for name, values in best.items()}


def first_call(rules: str) -> float:
    """CPU seconds of a new process up to its first Document."""
    page = pages(1)[0][:4_000]
    script = _START.format(page=page, url="https://nobody.example/", rules=rules)
    runs = [
        float(
            subprocess.run(
                [sys.executable, "-c", script], capture_output=True, text=True, check=True
            ).stdout
        )
        for _ in range(7)
    ]
    return statistics.median(runs)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("configs", type=Path)
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        start = time.perf_counter()
        report = import_rules(given.configs, Path(place) / "rules")
        print(
            f"import: {report.files} files, {report.lossless / report.files:.2%} without loss, "
            f"{report.rules} rules, {time.perf_counter() - start:.1f} s (target < 60)"
        )
        start = time.perf_counter()
        load_rule_library([Path(place) / "rules"])
        print(f"first load, from YAML: {time.perf_counter() - start:.2f} s")
        start = time.perf_counter()
        book = load_rulebook([Path(place) / "rules"])
        print(f"load, cached: {time.perf_counter() - start:.2f} s for {len(book)} (target < 1)")
        imported = load_rulebook([Path(place) / "rules"], shipped=False)
    shipped = load_rulebook()
    url = "https://nobody.example/page"
    texts = [text for text in pages(given.pages) if not book.match(parse(text), url)]
    books: dict[str, object] = {
        "none": None,
        "shipped": shipped,
        "imported": imported,
        "both": book,
    }
    totals = compare(texts, books, given.rounds)
    for name in ("shipped", "imported", "both"):
        more = totals[name] / totals["none"] - 1
        print(f"{len(texts)} pages that match none, {name} rules: {more:+.2%} (target < +5%)")
    without, with_rules = first_call("None"), first_call("...")
    print(f"first page in a new process: {with_rules - without:+.3f} s with the shipped rules")


if __name__ == "__main__":
    main()

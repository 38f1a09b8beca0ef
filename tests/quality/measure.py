"""How good extraction is on a small corpus of our own pages: ``python -m tests.quality.measure``.

``wanted/NAME.md`` holds what a reader wants of a page: its facts, then the Markdown. The page is in
``pages`` or among the golden ones. A fact that is not named is not counted; ``-`` means that there
is none, and that finding one is wrong. ``visits.toml`` holds second visits to the pages.
"""

from __future__ import annotations

import difflib
import hashlib
import re
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

from markdown_it import MarkdownIt

import pageloom
from pageloom import Document

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden"
_WORD = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]|[^\W_]+")
_TITLE = re.compile(r"\A# .*\n+")


@dataclass(frozen=True)
class Wanted:
    """What a reader wants of one page."""

    name: str
    facts: dict[str, str]
    markdown: str

    @property
    def path(self) -> Path:
        own = HERE / "pages" / f"{self.name}.html"
        return own if own.exists() else GOLDEN / self.name / "page.html"


@dataclass
class Measured:
    """The figures, each from 0 to 1, and what kept them from being 1."""

    figures: dict[str, float]
    misses: list[str] = field(default_factory=list)


def read_wanted(path: Path) -> Wanted:
    head, _, markdown = path.read_text(encoding="utf-8").partition("\n---\n")
    return Wanted(path.stem, dict(line.split(": ", 1) for line in head.splitlines()), markdown)


@cache
def corpus() -> tuple[Wanted, ...]:
    return tuple(read_wanted(path) for path in sorted((HERE / "wanted").glob("*.md")))


@cache
def visits() -> tuple[dict[str, Any], ...]:
    return tuple(tomllib.loads((HERE / "visits.toml").read_text(encoding="utf-8"))["visit"])


def corpus_hash() -> str:
    """One number for all pages and all that is wanted of them."""
    files = [HERE / "visits.toml", *sorted((HERE / "wanted").glob("*.md"))]
    files += [wanted.path for wanted in corpus()]
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.parent.name}/{path.name}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def words_of(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))


def plain(markdown: str) -> str:
    """The words that a reader of the Markdown sees, one block a line."""
    blocks = MarkdownIt("commonmark").enable("table").parse(markdown)
    return "\n".join(
        "".join(_shown(child) for child in block.children) if block.children else block.content
        for block in blocks
    )


def _shown(token: Any) -> str:
    if token.type in ("text", "code_inline"):
        return token.content
    return " " if token.type in ("softbreak", "hardbreak") else ""


def word_f1(text: str, wanted: str) -> float:
    """Words in common, counted as often as they stand there."""
    have, want = words_of(text), words_of(wanted)
    common = (have & want).total()
    return 2 * common / max(1, have.total() + want.total())


def similarity(markdown: str, wanted: str) -> float:
    """How much of two Markdown texts is the same, line by line and order kept."""
    return difflib.SequenceMatcher(None, lines(markdown), lines(wanted), autojunk=False).ratio()


def lines(markdown: str) -> list[str]:
    return [line for line in without_title(markdown).splitlines() if line.strip()]


def without_title(markdown: str) -> str:
    """Whether the headline is repeated above the text is a matter of taste."""
    return _TITLE.sub("", markdown, count=1)


def body_of(document: Document) -> str:
    first, _, rest = document.text.partition("\n")
    return rest if first == document.title else document.text


def facts_of(document: Document) -> dict[str, str]:
    return {
        "title": document.title or "-",
        "authors": "; ".join(document.authors) or "-",
        "published": (document.published and document.published.date) or "-",
    }


def measure() -> Measured:
    scores: dict[str, list[float]] = {}
    misses: list[str] = []

    def note(figure: str, name: str, score: float, found: str = "") -> None:
        scores.setdefault(figure, []).append(score)
        if score < 1:
            misses.append(f"{figure}: {name} {score:.3f} {found}".rstrip())

    for wanted in corpus():
        document = pageloom.extract(wanted.path.read_bytes(), wanted.facts["url"])
        note(
            "word_f1",
            wanted.name,
            word_f1(body_of(document), plain(without_title(wanted.markdown))),
        )
        note("markdown_similarity", wanted.name, similarity(document.markdown, wanted.markdown))
        note("markdown_equal", wanted.name, lines(document.markdown) == lines(wanted.markdown))
        for fact, value in facts_of(document).items():
            if fact in wanted.facts:
                note(fact, wanted.name, value == wanted.facts[fact], repr(value))
    for visit in visits():
        note("change_verdict", f"{visit['page']}, {visit['what']}", is_judged_right(visit))
    return Measured({name: round(mean(values), 4) for name, values in scores.items()}, misses)


def is_judged_right(visit: dict[str, Any]) -> bool:
    page = (HERE / "pages" / f"{visit['page']}.html").read_text(encoding="utf-8")
    later = page
    for old, new in visit["edits"]:
        if old not in later:
            raise ValueError(f"{visit['page']} has no {old!r}")
        later = later.replace(old, new)
    url = f"https://quality.example/{visit['page']}"
    before, after = (pageloom.extract(one, url) for one in (page, later))
    return pageloom.diff(before, after).has_changes == visit["changed"]


def main() -> None:
    measured = measure()
    sys.stdout.write("\n".join(measured.misses) + "\n\n")
    for name, figure in measured.figures.items():
        sys.stdout.write(f"{name:20} {figure:.4f}\n")


if __name__ == "__main__":
    main()

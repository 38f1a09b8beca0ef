"""How often titles, authors, dates, tags and declared fields are right, on known pages.

    python tools/metadata_quality.py CORPUS [--peers] [--alone] [--worst FIELD] [--limit N]

CORPUS holds ``wcxb/{html,truth}`` and ``metadata/{trafilatura,htmldate}.jsonl``. Pages are split by
host into two halves; failures may be looked at in the first (dev), both are reported.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
import unicodedata
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pageloom.model import PageType

_QUOTES = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "–": "-",
        "—": "-",
        "‑": "-",
        "`": "'",
        "´": "'",
        "«": '"',
        "»": '"',
    }
)


PROMISES = {
    "all title": ("at least", 78),
    "all author": ("at least", 72),
    "all author invented": ("at most", 6),
    "all date": ("at least", 84),
    "all date invented": ("at most", 15),
    "declared description": ("at least", 97),
    "declared image": ("at least", 97),
    "declared image is the hero": ("at least", 90),
    "declared canonical": ("at least", 97),
    "declared site_name": ("at least", 97),
    "declared language": ("at least", 97),
    "trafilatura tags F1": ("at least", 55),
}
"""What must be reached, in percent."""


@dataclass(slots=True)
class Case:
    """One page and its answers: None where the set does not know, empty where there is none."""

    name: str
    group: str
    url: str
    html: str
    page_type: str
    title: str | None = None
    author: str | None = None
    date: str | None = None
    description: str | None = None
    tags: list[str] | None = None
    fetched_at: str = ""

    @property
    def half(self) -> str:
        """``dev`` or ``test``, by the host."""
        host = (urlsplit(self.url).hostname or self.name).removeprefix("www.")
        return "dev" if zlib.crc32(host.encode()) % 2 else "test"


@dataclass(slots=True)
class Answer:
    """What an extractor says about a page."""

    title: str = ""
    authors: list[str] = field(default_factory=list)
    date: str = ""
    tags: list[str] = field(default_factory=list)
    description: str = ""
    images: list[str] = field(default_factory=list)
    hero: str = ""
    canonical: str = ""
    site_name: str = ""
    language: str = ""
    sources: dict[str, str] = field(default_factory=dict)


def load_cases(corpus: Path) -> Iterator[Case]:
    """Every page of the three sets."""
    for truth in sorted((corpus / "wcxb" / "truth").glob("*.json")):
        data = json.loads(truth.read_text())
        page = corpus / "wcxb" / "html" / f"{truth.stem}.html"
        gold = data["ground_truth"]
        yield Case(
            name=truth.stem,
            group="wcxb",
            url=data.get("url") or "",
            html=page.read_text(encoding="utf-8", errors="replace"),
            page_type=data["_internal"]["page_type"]["primary"],
            title=gold.get("title") or None,
            author=_joined(gold.get("author")),
            date=(gold.get("publish_date") or "")[:10],
            fetched_at=(data.get("downloaded_at") or "")[:19],
        )
    for group in ("trafilatura", "htmldate"):
        with (corpus / "metadata" / f"{group}.jsonl").open() as lines:
            for line in lines:
                row = json.loads(line)
                gold = row["gold"]
                yield Case(
                    name=row["id"],
                    group=group,
                    url=row["url"],
                    html=row["html"],
                    page_type="article",
                    title=gold.get("title") or None,
                    author=_joined(gold.get("author")) or None,
                    date=(gold.get("published") or "")[:10] or None,
                    description=gold.get("description") or None,
                    tags=gold.get("tags") or None,
                )


def _joined(value: object) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value or "")


def ask_pageloom(case: Case) -> Answer:
    """Our own answer: the whole way of a page, with the page type we find ourselves."""
    from pageloom.core.pipeline import extract

    document = extract(case.html, case.url or None, fetched_at=case.fetched_at or None)
    return Answer(
        title=document.title,
        authors=list(document.authors),
        date=document.published.date if document.published else "",
        tags=list(document.tags),
        description=document.description,
        images=[image.url for image in document.images],
        hero=document.hero_image,
        canonical=document.canonical_url,
        site_name=document.site_name,
        language=document.language,
        sources={name: source.source for name, source in document.provenance.fields.items()}
        | {"page_type": document.page_type},
    )


def ask_stage(case: Case) -> Answer:
    """The metadata stage alone: the type the truth gives, and the whole body as content."""
    from pageloom.core import dom
    from pageloom.core.extract.metadata import read_metadata
    from pageloom.core.normalize.choose import choose_fields
    from pageloom.core.parts import Content, DecodedPage

    tree = dom.parse(case.html)
    facts = read_metadata(DecodedPage(tree=tree, url=case.url))
    body = tree.find("body") or tree.root or dom.parse_fragment("")
    kind = cast("PageType", case.page_type)
    content = Content(root=body, text=body.to_text(), method="body", page_type=kind)
    chosen = choose_fields(facts, content, url=case.url, fetched_at=case.fetched_at)
    return Answer(
        title=chosen.title,
        authors=list(chosen.authors),
        date=chosen.published.date if chosen.published else "",
        tags=list(chosen.tags),
        description=chosen.description,
        images=list(chosen.images),
        canonical=chosen.canonical_url,
        site_name=chosen.site_name,
        language=chosen.language,
        sources={name: source.source for name, source in chosen.fields.items()},
    )


def ask_trafilatura(case: Case) -> Answer:
    """The same from trafilatura's metadata."""
    from trafilatura.metadata import extract_metadata

    meta = extract_metadata(case.html, default_url=case.url or None)
    if meta is None:
        return Answer()
    return Answer(
        title=meta.title or "",
        authors=[part.strip() for part in (meta.author or "").split(";") if part.strip()],
        date=(meta.date or "")[:10],
        tags=list(meta.tags or []),
        description=meta.description or "",
        site_name=meta.sitename or "",
    )


def ask_htmldate(case: Case) -> Answer:
    """The date alone, from htmldate's fast mode."""
    from htmldate import find_date

    return Answer(
        date=find_date(case.html, url=case.url or None, original_date=True, extensive_search=False)
        or ""
    )


def fold(text: str) -> str:
    """Case, quotes and spaces folded."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold().split())


_DEGREE = re.compile(
    r"(?:m\.?d|ph\.?d|cfp|cepf|cpa|cfa|rdn?|rn|mba|ms|m\.?sc|esq|jr|mph|dds|faclm|m\.d\. faclm)\.?"
)


def names_of(text: str) -> set[str]:
    """The set of names in a truth: between commas, semicolons and ``and``."""
    parts = re.split(r"\s*[;,]\s*(?:and\s+)?|\s+and\s+|\s+&\s+|\s+und\s+", text)
    names = {fold(part).strip(". ®") for part in parts if part.strip()}
    return {name for name in names if not _DEGREE.fullmatch(name)} or names


def is_author(case: Case, answer: Answer) -> bool:
    """The same set of names."""
    ours = {name for author in answer.authors for name in names_of(author)}
    return ours == names_of(case.author or "")


def tags_f1(case: Case, answer: Answer) -> float:
    """F1 of two sets of tags."""
    truth, ours = {fold(tag) for tag in case.tags or ()}, {fold(tag) for tag in answer.tags}
    hits = len(truth & ours)
    return 2 * hits / (len(truth) + len(ours)) if truth or ours else 1.0


@dataclass(slots=True)
class Tally:
    """Scores by measure and half."""

    scores: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, measure: str, half: str, score: float) -> None:
        """Count one page."""
        self.scores[measure, half].append(score)

    def share(self, measure: str) -> float | None:
        """One measure over both halves, in percent."""
        scores = self.scores[measure, "dev"] + self.scores[measure, "test"]
        return 100 * sum(scores) / len(scores) if scores else None

    def line(self, measure: str) -> str:
        """One measure: both halves and all, with the number of pages."""
        dev, test = self.scores[measure, "dev"], self.scores[measure, "test"]
        parts = [
            f"{100 * sum(part) / len(part):5.1f}" if part else "    -"
            for part in (dev, test, dev + test)
        ]
        total = len(dev) + len(test)
        return f"{measure:34} dev {parts[0]}  test {parts[1]}  all {parts[2]}  n={total}"


def score(case: Case, answer: Answer, tally: Tally) -> dict[str, bool]:
    """Add one page to the tally; gives back what was right."""
    right: dict[str, bool] = {}
    if case.title:
        right["title"] = fold(answer.title) == fold(case.title)
    if case.author:
        right["author"] = is_author(case, answer)
    elif case.author == "":
        right["author invented"] = bool(answer.authors)
    if case.date:
        right["date"] = answer.date == case.date
    elif case.date == "":
        right["date invented"] = bool(answer.date)
    if case.description:
        ours, gold = fold(answer.description), fold(case.description)
        right["description"] = ours == gold or ours[:60] == gold[:60]
    for name, value in right.items():
        tally.add(f"{case.group} {name}", case.half, value)
        tally.add(f"all {name}", case.half, value)
    if case.tags:
        tally.add("trafilatura tags F1", case.half, tags_f1(case, answer))
    return right


def declared(case: Case) -> dict[str, str]:
    """What the page declares for itself, read by other means than ours."""
    import lxml.html

    try:
        tree = lxml.html.document_fromstring(
            case.html.encode(errors="replace"), parser=lxml.html.HTMLParser(encoding="utf-8")
        )
    except (ValueError, SyntaxError):
        return {}
    paths = {
        "description": "//meta[@name='description']/@content",
        "image": "//meta[@property='og:image']/@content",
        "canonical": "//link[@rel='canonical']/@href",
        "site_name": "//meta[@property='og:site_name']/@content",
        "language": "//html/@lang",
    }
    found: dict[str, str] = {}
    for name, path in paths.items():
        values = [str(value).strip() for value in tree.xpath(path) if str(value).strip()]
        if values:
            found[name] = values[0]
    return found


def _same_address(ours: str, stated: str) -> bool:
    """Whether an absolute address is the one a page states, which may be relative."""
    bare = re.sub(r"^(?:https?:)?[./]*", "", fold(stated)).rstrip("/")
    return fold(ours).rstrip("/").endswith(bare)


def score_declared(case: Case, answer: Answer, tally: Tally) -> list[str]:
    """Whether the declared values came through; language by its main part."""
    wrong: list[str] = []
    for name, value in declared(case).items():
        ours = getattr(answer, name, "")
        if name == "language":
            good = value.replace("_", "-").split("-")[0].lower() == ours
        elif name == "canonical":
            good = _same_address(ours, value)
        elif name == "image":
            good = any(_same_address(url, value) for url in answer.images)
            tally.add("declared image is the hero", case.half, _same_address(answer.hero, value))
        else:
            good = fold(ours) == fold(value) or fold(ours)[:100] == fold(value)[:100]
        tally.add(f"declared {name}", case.half, good)
        if not good:
            wrong.append(name)
    return wrong


def main() -> int:
    """Run the measurement and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument(
        "--peers", action="store_true", help="trafilatura and htmldate in the same run"
    )
    parser.add_argument("--alone", action="store_true", help="without the content engine")
    parser.add_argument("--worst", default="", help="list failures of one field (dev half only)")
    parser.add_argument("--limit", type=int, default=0, help="pages per set")
    parser.add_argument("--set", default="", help="only one set")
    arguments = parser.parse_args()
    ours = ask_stage if arguments.alone else ask_pageloom
    askers: dict[str, Callable[[Case], Answer]] = {"pageloom": ours}
    if arguments.peers:
        askers |= {"trafilatura": ask_trafilatura, "htmldate": ask_htmldate}
    tallies = {name: Tally() for name in askers}
    spent: dict[str, float] = defaultdict(float)
    seen: dict[str, int] = defaultdict(int)
    for case in load_cases(arguments.corpus):
        seen[case.group] += 1
        if (arguments.limit and seen[case.group] > arguments.limit) or arguments.set not in (
            "",
            case.group,
        ):
            continue
        for name, ask in askers.items():
            start = time.process_time()
            answer = ask(case)
            spent[name] += time.process_time() - start
            right = score(case, answer, tallies[name])
            if name == "pageloom":
                _show(
                    case,
                    answer,
                    right,
                    score_declared(case, answer, tallies[name]),
                    arguments.worst,
                )
    pages = sum(seen.values())
    for name, tally in tallies.items():
        print(f"== {name}: {pages} pages, {1000 * spent[name] / max(pages, 1):.1f} ms CPU a page")
        for measure in sorted({measure for measure, _ in tally.scores}):
            print(tally.line(measure))
    return report_promises(tallies["pageloom"])


def report_promises(tally: Tally) -> int:
    """Print what is promised beside what was measured; 1 when a promise is broken."""
    broken = 0
    for measure, (word, promised) in PROMISES.items():
        found = tally.share(measure)
        if found is None:
            continue
        kept = found >= promised if word == "at least" else found <= promised
        broken += not kept
        print(f"{measure:24} {found:5.1f}  promised: {word} {promised}{'' if kept else '  BROKEN'}")
    return int(broken > 0)


_FIELDS = {"author": "authors", "date": "published"}


def _show(case: Case, answer: Answer, right: dict[str, bool], wrong: list[str], worst: str) -> None:
    """Print a failure of the asked-for field; only those of the first half."""
    if not worst or case.half != "dev":
        return
    bad = right.get(worst) is worst.endswith("invented")
    if not bad and worst not in wrong:
        return
    name = worst.split(maxsplit=1)[0]
    value: Any = answer.authors if name == "author" else getattr(answer, name, "")
    truth = getattr(case, name, "") or declared(case).get(name, "")
    source = answer.sources.get(_FIELDS.get(name, name), "")
    print(f"{case.group} {case.name} {case.page_type} [{source}] {case.url}")
    print(f"  truth {truth!r}\n  ours  {value!r}")


if __name__ == "__main__":
    sys.exit(main())

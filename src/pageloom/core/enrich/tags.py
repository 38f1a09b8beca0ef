"""Generated tags: what a text is about, by a small deterministic scorer."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from pageloom.core.stopwords import STOP_WORDS

MAX_TAGS = 5
_READ = 5_000
"""Characters looked at; what a text is about stands in its beginning."""
_LEAST = 2

DOMAIN_TAGS: dict[str, tuple[str, ...]] = {
    "arxiv.org": ("research",),
    "bandcamp.com": ("music",),
    "bitbucket.org": ("programming",),
    "codepen.io": ("programming",),
    "dev.to": ("programming",),
    "github.com": ("programming",),
    "gitlab.com": ("programming",),
    "goodreads.com": ("books",),
    "imdb.com": ("movies",),
    "kaggle.com": ("data science",),
    "news.ycombinator.com": ("technology",),
    "soundcloud.com": ("music",),
    "stackoverflow.com": ("programming",),
    "wikipedia.org": ("encyclopedia",),
    "youtube.com": ("video",),
}
"""What a whole site is about."""

VOCABULARY: frozenset[str] = frozenset(
    (
        "accessibility",
        "algorithms",
        "android",
        "api",
        "architecture",
        "artificial intelligence",
        "astronomy",
        "biology",
        "blockchain",
        "chemistry",
        "climate change",
        "cloud computing",
        "computer vision",
        "cooking",
        "cryptography",
        "css",
        "cybersecurity",
        "data science",
        "database",
        "deep learning",
        "design",
        "devops",
        "docker",
        "economics",
        "education",
        "electric cars",
        "energy",
        "finance",
        "fitness",
        "gardening",
        "health",
        "history",
        "html",
        "investing",
        "java",
        "javascript",
        "kubernetes",
        "linux",
        "machine learning",
        "marketing",
        "mathematics",
        "medicine",
        "mental health",
        "music",
        "neural networks",
        "nutrition",
        "open source",
        "philosophy",
        "photography",
        "physics",
        "politics",
        "postgresql",
        "privacy",
        "productivity",
        "programming",
        "psychology",
        "python",
        "react",
        "renewable energy",
        "robotics",
        "rust",
        "security",
        "seo",
        "social media",
        "software engineering",
        "space",
        "sports",
        "startups",
        "statistics",
        "sustainability",
        "travel",
        "typescript",
        "video games",
        "web development",
    )
)
"""Topics people file things under; worth more than another word as often used."""

_TOKEN = re.compile(r"[^\W\d_][\w\u0300-\u036f\u0900-\u0dff'-]*|[.!?;:,\n()|।،؟\d]")
"""A word, or a mark that no phrase spans."""
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_OF_ADDRESSES = frozenset(("com", "http", "https", "www"))
_CANDIDATES = 80
_HAN = re.compile("[\u4e00-\u9fff]{2,}")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]{3,}")


class GeneratedTag(NamedTuple):
    """A tag and why it was given."""

    name: str
    reason: str

    @property
    def tag(self) -> str:
        """The same as ``name``."""
        return self.name


def generate_tags(
    *, title: str, text: str, language: str = "", domain: str = "", known: tuple[str, ...] = ()
) -> tuple[GeneratedTag, ...]:
    """At most five tags: the site's, then the most salient words and phrases of title and text.

    Args:
        title: the page's title; what it names counts more.
        text: the main text.
        language: ISO 639-1, for the words that do not count.
        domain: the site, for the tags of whole sites.
        known: the page's own tags, which are not given again.
    """
    taken = {tag.casefold() for tag in known}
    site = ".".join(domain.split(".")[-2:])
    chosen = [
        GeneratedTag(tag, f"site {domain}")
        for tag in DOMAIN_TAGS.get(domain, DOMAIN_TAGS.get(site, ()))
        if tag not in taken
    ]
    for tag, reason in _ranked(title, text[:_READ], language):
        if len(chosen) >= MAX_TAGS:
            break
        if tag not in taken and not _repeats(tag, chosen):
            chosen.append(GeneratedTag(tag, reason))
    return tuple(chosen[:MAX_TAGS])


def _repeats(tag: str, chosen: list[GeneratedTag]) -> bool:
    """Whether a tag says nothing that a chosen one does not say: a part of it, or its plural."""
    words = {word.rstrip("s") for word in tag.split()}
    return any(words & {word.rstrip("s") for word in other.tag.split()} for other in chosen)


def _ranked(title: str, text: str, language: str) -> list[tuple[str, str]]:
    named = _counts(title, language, least=1)
    counts = _counts(text, language, least=_LEAST)
    for phrase in named:
        counts.setdefault(phrase, 0)
    scored = [
        (_score(phrase, count, named), order, phrase)
        for order, (phrase, count) in enumerate(counts.items())
    ]
    scored.sort(key=lambda entry: (-entry[0], entry[1]))
    return [
        (phrase, _reason(phrase, counts[phrase], named)) for _, _, phrase in scored[:_CANDIDATES]
    ]


def _score(phrase: str, count: int, named: dict[str, int]) -> float:
    size = phrase.count(" ") + 1
    score = count * (1.0, 2.2, 3.0)[size - 1]
    score *= 3.0 if phrase in named else 1.0
    score *= 2.0 if phrase in VOCABULARY else 1.0
    return score if count else 0.5 * size


def _reason(phrase: str, count: int, named: dict[str, int]) -> str:
    where = f"{count} times in the text"
    return f"in the title, {where}" if phrase in named else where


def _counts(text: str, language: str, least: int) -> dict[str, int]:
    """How often each word, pair and triple without a stop word occurs, in order."""
    if language in ("zh", "ja"):
        return {
            phrase: count
            for phrase, count in Counter(_unspaced(text, language)).items()
            if count >= least
        }
    stop = STOP_WORDS.get(language, STOP_WORDS["en"])
    if "://" in text or "www." in text:
        text = _ADDRESS.sub("\n", text)
    tokens = _TOKEN.findall(text.lower().replace("\u2019", "'").replace("'s ", " "))
    often = Counter(tokens).items()
    words = {
        word: count
        for word, count in often
        if count >= least
        and len(word) > 2
        and word not in stop
        and word not in _OF_ADDRESSES
        and word[-1] not in "-'"
    }
    places = [place for place, token in enumerate(tokens) if token in words]
    pairs = Counter((tokens[one], tokens[two]) for one, two in pairwise(places) if two - one == 1)
    triples = Counter(
        (tokens[one], tokens[one + 1], tokens[three])
        for one, three in zip(places, places[2:], strict=False)
        if three - one == 2
    )
    phrases = {
        " ".join(run): count
        for runs in (pairs, triples)
        for run, count in runs.items()
        if count >= least
    }
    return words | phrases


def _unspaced(text: str, language: str) -> list[str]:
    """Chinese and Japanese: short runs of characters as they stand, longer ones in pairs."""
    stop = STOP_WORDS[language]
    found: list[str] = _KATAKANA.findall(text) if language == "ja" else []
    for run in _HAN.findall(text):
        if len(run) <= (4 if language == "ja" else 2):
            found.append(run)
        else:
            found.extend(run[place : place + 2] for place in range(len(run) - 1))
    return [phrase for phrase in found if phrase not in stop]

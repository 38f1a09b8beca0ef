"""Generated tags: what a text is about, by a small deterministic scorer."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from pageloom.core.lazy_regex import lazy_regex
from pageloom.core.non_ascii import (
    MOST_KINDS,
    beyond_ascii,
    beyond_ascii_in,
    blank_marks,
    lower_beyond,
)
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
_BREAKS = b".!?;:,\n()|"
_KEPT = bytes(
    code if code > 127 or chr(code).isalnum() or code in b"_'-." else ord(" ")
    for code in range(256)
)
_PLAIN = bytes.maketrans(_BREAKS, b"." * len(_BREAKS)).translate(_KEPT)
"""The marks of _TOKEN as full stops, the letters of its words, and spaces for all the rest."""
_NOT_PLAIN = re.compile(r"[\d\u0300-\u036f\u0900-\u0dff।،؟]")
"""What else _TOKEN has an opinion about, beyond ASCII."""
_SIZES = (1.0, 2.2, 3.0)
_SHORTEST = 3
_TWO = re.compile(b"\x01(?=\x01)")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_OF_ADDRESSES = frozenset(("com", "http", "https", "www"))
_CANDIDATES = 80
_HAN = lazy_regex("[\u4e00-\u9fff]{2,}")
_KATAKANA = lazy_regex("[\u30a1-\u30fa\u30fc]{3,}")


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
    read = text[:_READ]
    named = _counts(title, beyond_ascii(title), language, least=1)
    counts = _counts(read, beyond_ascii_in(read, text), language, least=_LEAST)
    said = {stem for tag in chosen for stem in _stems(tag.name)}
    for tag in _ranked(counts, named):
        if len(chosen) >= MAX_TAGS:
            break
        stems = _stems(tag)
        if tag not in taken and said.isdisjoint(stems):
            chosen.append(GeneratedTag(tag, _reason(counts[tag], in_title=tag in named)))
            said.update(stems)
    return tuple(chosen[:MAX_TAGS])


def _stems(tag: str) -> list[str]:
    """The words of a tag without the s of a plural: one that a chosen tag has says nothing new."""
    return [word.rstrip("s") for word in tag.split()]


def _ranked(counts: dict[str, int], named: dict[str, int]) -> list[str]:
    """The likeliest tags of title and text, the best first; equals stay in their order."""
    for phrase in named:
        counts.setdefault(phrase, 0)
    scores = {phrase: count * _SIZES[phrase.count(" ")] for phrase, count in counts.items()}
    for phrase in named:
        scores[phrase] = scores[phrase] * 3.0 or 0.5 * (phrase.count(" ") + 1)
    for phrase in VOCABULARY.intersection(scores):
        if counts[phrase]:
            scores[phrase] *= 2.0
    return sorted(scores, key=scores.__getitem__, reverse=True)[:_CANDIDATES]


def _reason(count: int, *, in_title: bool) -> str:
    where = f"{count} times in the text"
    return f"in the title, {where}" if in_title else where


def _counts(text: str, beyond: str, language: str, least: int) -> dict[str, int]:
    """How often each word, pair and triple without a stop word occurs, in order.

    Of a text, and ``beyond`` are its characters beyond ASCII.
    """
    if language in ("zh", "ja"):
        return {
            phrase: count
            for phrase, count in Counter(_unspaced(text, language)).items()
            if count >= least
        }
    stop = STOP_WORDS.get(language, STOP_WORDS["en"])
    if "://" in text or "www." in text:
        text = _ADDRESS.sub("\n", text)
    tokens, occurrences = _counted_tokens(text, beyond)
    words = {
        word: count
        for word, count in occurrences.items()
        if count >= least
        and word not in stop
        and len(word) >= _SHORTEST
        and word >= "a"  # no number
        and word not in _OF_ADDRESSES
        and word[-1] not in "-'"
    }
    counted = bytes(map(words.__contains__, tokens))
    pairs = [found.start() for found in _TWO.finditer(counted)]
    triples = [one for one, two in pairwise(pairs) if two - one == 1]
    phrases = {
        phrase: count
        for size, starts in ((2, pairs), (3, triples))
        for phrase, count in Counter(
            [" ".join(tokens[start : start + size]) for start in starts]
        ).items()
        if count >= least
    }
    return words | phrases


def _counted_tokens(text: str, beyond: str) -> tuple[list[str], Counter[str]]:
    """The words of a text in lower case, something between those that a mark divides, and counts.

    Spaces leave some pieces in which a word stands behind digits or signs: these are parted.
    """
    tokens = _tokens(text, beyond)
    counts = Counter(tokens)
    parts = {piece: _TOKEN.findall(piece) for piece in counts if piece < "a"}
    mixed = {piece: found for piece, found in parts.items() if not _only_divides(found)}
    if not mixed:
        return tokens, counts
    places = [place for place, token in enumerate(tokens) if token in mixed]
    for place in reversed(places):
        tokens[place : place + 1] = mixed[tokens[place]]
    return tokens, Counter(tokens)


def _tokens(text: str, beyond: str) -> list[str]:
    """The tokens of a text in lower case, though in some pieces a word stands behind digits.

    What the pattern finds is found many times faster by a table of bytes and by spaces.
    """
    straight, rest = lower_beyond(text.replace("\u2019", "'"), beyond)
    kinds = set(rest)
    if len(kinds) > MOST_KINDS or _NOT_PLAIN.search(rest):
        return _TOKEN.findall(straight.lower().replace("'s ", " "))
    lowered = blank_marks(straight, kinds).encode("utf-8", "surrogatepass").lower()
    plain = lowered.replace(b"'s ", b" ").translate(_PLAIN).replace(b".", b" . ")
    return plain.replace(b" -", b" ").replace(b" '", b" ").decode().split()


def _only_divides(tokens: list[str]) -> bool:
    """Whether tokens do no more than part what stands around them: digits, and too short a word."""
    return len(tokens) > 0 and len(tokens[0]) == 1 and len(tokens[-1]) < _SHORTEST


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

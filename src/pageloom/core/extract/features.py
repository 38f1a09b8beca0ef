"""Compute the features of blocks: the block, its neighbours, its ancestors, the page.

``features_native.pyx`` does the same in C: what is changed here is changed there too.

Only whole numbers, ratios and comparisons, no logarithm or exponential: the same figures on every
machine. One row per feature and one column per block, written in place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import repeat
from struct import pack
from typing import TYPE_CHECKING, Any

import numpy as np

from pageloom.core.extract.ancestry import (
    FAR,
    FIRST_TAG,
    NAME_GROUPS,
    NEAR,
    TAG_NAMES,
    WARNINGS,
    Above,
    heavy_path,
    inherit,
)
from pageloom.core.extract.blocks import TAGS
from pageloom.core.extract.feature_matrix import FeatureMatrix
from pageloom.core.extract.label_features import add_hints
from pageloom.core.extract.vocabulary import CLASS_GROUPS, TEXT_GROUPS, text_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from pageloom.core.extract.blocks import BlockPage

    Floats = NDArray[np.float32]
    Sums = NDArray[np.float64]
    Ints = NDArray[np.intp]
    Bits = NDArray[np.uint8]
    Masks = NDArray[np.uint64]
    Column = NDArray[np.generic] | float

LONG = 10
"""From this many words on a block counts as running text."""
SHORT = 16
"""Up to this many words a block's own vocabulary is read."""
MOST_TITLE_WORDS = 40
LEVELS = 6
"""How many ancestors a block looks up to."""
NEVER = 9999
"""A distance to something that is not there."""

_DIGIT, _UPPER, _LETTER, _COMMA, _STOP, _MARK, _SPACE, _CJK, _MONEY = range(1, 10)
_GOOD, _WORDS, _LINKED, _BLOCKS, _CHARS, _STOPS = range(6)
"""The rows of running sums."""
_PARTS = slice(_GOOD, _LINKED + 1)
_WHOLES = np.array([_WORDS, _BLOCKS, _CHARS])
"""What there is running text and links of, and how long blocks are."""
_OWN = (
    "words",
    "chars",
    "word_length",
    "link_ratio",
    "links",
    "digits",
    "uppers",
    "commas",
    "stops",
    "marks",
    "cjk",
    "money",
    "ends_sentence",
    "strong",
    "breaks",
    "depth",
    "tag",
)
HEADINGS = (TAGS["h1"], TAGS["h2"], TAGS["h3"], TAGS["h4"])
_SPOKEN = {name: row for row, name in enumerate(TEXT_GROUPS)}
_ANNOUNCED = ("comment", "related", "subscribe", "legal", "share", "byline", "ad", "tags")
ANNOUNCED_ROWS = np.array([_SPOKEN[name] for name in _ANNOUNCED])
_SINCE = tuple(f"{what}.{name}" for name in _ANNOUNCED for what in ("since", "since_words"))
_HEADED = ("comment", "related", "more", "share", "subscribe", "tags", "review", "ask")
HEADED_ROWS = np.array([_SPOKEN[name] for name in _HEADED])
_INLINE = ("hide", "meta", "price", "caption", "tags", "title", "button")
INLINE_ROWS = np.array([CLASS_GROUPS.index(name) for name in _INLINE])
_TAGS_SHOWN = ("p", "li", "td", "h1", "h2", "h3", "h4", "div", "pre", "dd", "button", "figcaption")
TAGS_SHOWN_KINDS = np.array([[TAGS[name]] for name in _TAGS_SHOWN])
_BRANCH = ("share", "links", "good", "stops", "blocks", "left", "left_share", "side")
_ON_PATH = np.array([[1], [-1], [1], [-1], [0], [0], [1], [0]])
_NO_PATH = np.array([[1], [-1], [1], [-1], [0], [0], [0], [0]])
"""The figures of a branch for blocks that are on none; the latter where no path leads anywhere."""
_NO_HEADING = np.array([[NEVER], [NEVER], [0], [0]])
_STEPS = np.array([[-2], [-1], [1], [2]])
_NEAR = tuple(
    f"near{step:+}.{name}" for step in (-2, -1, 1, 2) for name in ("words", "links", "tag")
)
_REACHES = (3, 8)
_BORDERS = np.array([[reach + 1] for reach in _REACHES] + [[-reach] for reach in _REACHES])
_WINDOWS = tuple(
    f"window{reach}.{name}" for reach in _REACHES for name in ("good", "words", "links")
)
_UP = tuple(
    f"up{level}.{name}"
    for level in range(LEVELS)
    for name in ("share", "links", "blocks", "good", "length", "tag")
)
EDGES = "\"'.,:;!?()[]{}|-–—“”„«»›‹…·•*#"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContext:
    """What the page's head and URL say, as far as it helps to judge blocks."""

    title_words: frozenset[str] = frozenset()
    """At most ``MOST_TITLE_WORDS``, for each has a bit of its own."""
    description_words: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    """The schema.org types that JSON-LD names anywhere on the page."""
    is_article: bool = False
    """Whether its Open Graph type says so."""
    is_video: bool = False
    """Whether the page declares itself to be a video."""
    signals: tuple[float, ...] = ()
    """Figures from head and URL; see ``context.py``."""


@cache
def _signal_names(count: int) -> tuple[str, ...]:
    return tuple(f"signal{number}" for number in range(count))


@dataclass(slots=True)
class _Figures:
    """The arrays that several groups of features need."""

    count: int
    places: Ints
    words: Sums
    link_ratio: Floats
    money: Sums
    long: NDArray[np.bool_]
    owner: Ints
    tag: Ints
    """Of holders."""
    own_tag: Ints
    """Of the blocks' owners."""
    heading: NDArray[np.bool_]
    parent: Ints
    start: Ints
    end: Ints
    depth: Ints
    flags: Masks
    named: Ints
    """A number for each name of a holder."""
    before: Sums
    """Running sums, a row for each kind; one column more than there are blocks."""
    total_words: float
    total_good: float

    @property
    def words_before(self) -> Sums:
        return self.before[_WORDS]

    @property
    def good_before(self) -> Sums:
        return self.before[_GOOD]


def measure(page: BlockPage, context: PageContext) -> FeatureMatrix:
    """All features of all blocks of a page, which must have at least one block."""
    sheet = FeatureMatrix(len(page))
    f = _own_figures(sheet, page)
    said = _vocabulary(sheet, page, f, context)
    _announcements(sheet, f, said)
    _lookalikes(sheet, f)
    _place(sheet, f)
    _neighbours(sheet, f)
    path = _ancestors(sheet, page, f)
    add_hints(sheet, page)
    add_page(sheet, _count(f, said) | path, len(page.pictures), context)
    return sheet


@cache
def character_kinds() -> NDArray[np.uint8]:
    """The kind of each character; the last one's is that of all beyond it."""
    table = np.zeros(65536, np.uint8)
    table[0x530:0x3000] = _LETTER
    for code in (*range(0x250), *range(0x370, 0x530)):
        char = chr(code)
        if char.isdigit():
            table[code] = _DIGIT
        elif char.isupper():
            table[code] = _UPPER
        elif char.isalpha():
            table[code] = _LETTER
    for marks, kind in (
        ("|»«›‹•·→←–—/\\#*+=<>[](){}\"'&@%_~^`“”’‘", _MARK),
        (",;:،、，；：", _COMMA),
        (".!?…。！？।؟", _STOP),
        ("$€£¥₹₽₩¢", _MONEY),
        (" ", _SPACE),
    ):
        for char in marks:
            table[ord(char)] = kind
    for first, after in ((0x3040, 0x3100), (0x3400, 0xA000), (0xAC00, 0xD7B0), (0xF900, 0xFB00)):
        table[first:after] = _CJK
    return table


def _running(*rows: Sums) -> Sums:
    """What all blocks before each one have, row by row, and what all have at the end."""
    sums = np.zeros((len(rows), len(rows[0]) + 1))
    np.array(rows).cumsum(axis=1, out=sums[:, 1:])
    return sums


def _averages(sums: Sums) -> Sums:
    """The share of running text, the words of a block, the share of linked text."""
    return sums[_PARTS] / np.maximum(sums.take(_WHOLES, 0), 1.0)


def _ratio(part: NDArray[np.generic], whole: NDArray[np.generic] | float) -> NDArray[np.generic]:
    return part / np.maximum(whole, 1.0)


def _bits(masks: Masks, count: int) -> Bits:
    """One row per bit."""
    numbers = np.ascontiguousarray(masks, "<u8")
    packed = numbers.view(np.uint8).reshape(*numbers.shape, 8)
    bits = np.unpackbits(packed, axis=-1, count=count, bitorder="little")
    return bits.transpose(-1, *range(numbers.ndim))


def _number(names: tuple[str, ...]) -> tuple[Ints, dict[str, int]]:
    """Numbers that are the same for the same names, and which of them each name has."""
    known: dict[str, int] = {}
    (numbers,) = _columns([known.setdefault(name, len(known)) for name in names])
    return numbers, known


def _columns(*columns: Sequence[int]) -> Ints:
    """A row for each; numpy alone takes twice as long for numbers that come one by one."""
    size = len(columns[0])
    packed = b"".join([pack(f"={size}q", *column) for column in columns])
    return np.frombuffer(packed, np.int64).astype(np.intp, copy=False).reshape(len(columns), size)


def _own_figures(sheet: FeatureMatrix, page: BlockPage) -> _Figures:
    blocks, holders = page.blocks, page.holders
    texts = blocks.texts
    count = len(texts)
    codes = np.frombuffer("\n".join(texts).encode("utf-32-le", "replace"), np.uint32)
    kinds = character_kinds().take(codes, mode="clip")
    sizes, link_count, strong_chars, break_count, link_length, owner, inline = _columns(
        list(map(len, texts)),
        blocks.links,
        blocks.strong_chars,
        blocks.breaks,
        blocks.link_chars,
        blocks.owners,
        blocks.flags,
    )
    lengths = sizes.astype(np.float64)
    # one histogram of (block, kind of character) instead of a pass for each kind
    cells = np.arange(0, count * 10, 10).repeat(sizes + 1)[:-1]
    cells += kinds
    counts = np.bincount(cells, minlength=count * 10).reshape(count, 10).T
    digits, uppers, _, commas, stops, marks, spaces, cjk, money = counts[1:].astype(np.float64)
    words = spaces + 1 + cjk / 2
    linked = np.minimum(link_length, lengths)
    link_ratio = (linked / lengths).astype(np.float32)
    long = (words >= LONG) & (link_ratio < 0.5)
    good = words * long
    parents, depths, tags, flags, starts, ends = _columns(
        holders.parents,
        holders.depths,
        holders.tags,
        holders.flags,
        holders.starts,
        holders.ends,
    )
    before = _running(good, words, linked, np.ones(count), lengths, stops)
    own_tag = tags[owner]
    f = _Figures(
        count=count,
        places=np.arange(count),
        words=words,
        link_ratio=link_ratio,
        money=money,
        long=long,
        owner=owner,
        tag=tags,
        own_tag=own_tag,
        heading=(own_tag >= HEADINGS[0]) & (own_tag <= HEADINGS[-1]),
        parent=parents,
        start=starts,
        end=ends,
        depth=depths,
        flags=flags.astype(np.uint64),
        named=_number(holders.names)[0],
        before=before,
        total_words=max(float(before[_WORDS, -1]), 1.0),
        total_good=max(float(before[_GOOD, -1]), 1.0),
    )
    ends_sentence = kinds[(sizes + 1).cumsum() - 2] == _STOP
    own = (
        words,
        lengths,
        lengths / words,
        link_ratio,
        link_count,
        digits / lengths,
        uppers / lengths,
        commas / words,
        stops,
        marks / lengths,
        cjk / lengths,
        money,
        ends_sentence,
        strong_chars / lengths,
        break_count,
        depths[owner],
        own_tag,
    )
    for row, figures in zip(sheet.room("own", _OWN), own, strict=True):
        row[:] = figures
    sheet.rows("is", _TAGS_SHOWN, own_tag == TAGS_SHOWN_KINDS)
    bits = _bits(inline.astype(np.uint64), len(CLASS_GROUPS))
    sheet.rows("inline", _INLINE, bits[INLINE_ROWS])
    return f


def _vocabulary(sheet: FeatureMatrix, page: BlockPage, f: _Figures, context: PageContext) -> Bits:
    """What short blocks say, what they hold of title and description, and the heading above."""
    number, texts = _number(page.blocks.texts)
    masks, shares = _read_words(texts, context.title_words, context.description_words)
    said = np.ascontiguousarray(_bits(masks[number], len(TEXT_GROUPS)))
    _, title_cover, description_cover = covers = shares.take(number, 1)
    sheet.rows("says", TEXT_GROUPS, said)
    sheet.row("repeated", np.bincount(number)[number])
    sheet.rows("", ("title.share", "title.cover", "description.cover"), covers)
    _heading_above(sheet, f, said)
    matched = title_cover * np.where(f.heading, 1.0, 0.5)
    _distance_from(sheet, "after.title", f, matched, 0.3)
    _distance_from(sheet, "after.h1", f, f.own_tag == TAGS["h1"], 0.5)
    _distance_from(sheet, "after.description", f, description_cover, 0.5)
    return said


def _read_words(
    texts: Iterable[str], title: frozenset[str], description: frozenset[str]
) -> tuple[Masks, Floats]:
    """The groups of each text's words, their share in the title, its share of both others.

    The words of all texts are looked up together, for a few calls for each text take longer than
    all that they find.
    """
    words: list[str] = []
    starts: list[int] = []
    sizes: list[int] = []
    held: list[int] = []
    most = 60 if description else SHORT
    for text in texts:
        own = text[:300].lower().split(None, most)
        starts.append(len(words))
        if len(own) > SHORT:
            words += own[:4]
            sizes.append(0)
            held.append(len(description.intersection(own)))
        else:
            words += own
            sizes.append(len(own))
            held.append(0)
    words = [word if word.isalnum() else word.strip(EDGES) for word in words]
    flags = np.fromiter(map(text_table(title).get, words, repeat(0)), np.uint64, len(words))
    start, size, hold = _columns(starts, sizes, held)
    masks = np.bitwise_or.reduceat(flags, start)
    further = (masks >> len(TEXT_GROUPS)).tolist()
    hits = np.array(list(map(int.bit_count, further))) * (size > 0)
    shares = (_ratio(hits, size), hits / max(len(title), 1), hold / max(len(description), 1))
    return masks, np.array(shares, np.float32)


def _distance_from(
    sheet: FeatureMatrix, name: str, f: _Figures, match: Floats | NDArray[np.bool_], least: float
) -> None:
    """Blocks since the best match, if there is one."""
    at = int(match.argmax())
    sheet.row(name, f.places - at if float(match[at]) > least else -NEVER)


def _heading_above(sheet: FeatureMatrix, f: _Figures, said: Bits) -> None:
    """The nearest heading before each block, or that it is one, and how far the next one is."""
    headings = f.heading.nonzero()[0]
    first = int(headings[0]) if len(headings) else f.count
    passed = f.heading.cumsum()
    places = np.zeros(len(headings) + 2, np.intp)
    places[1:-1] = headings
    places[-1] = 2 * NEVER
    above = places[:-1].take(passed)
    scope = np.maximum(f.parent[f.owner[above]], 0)
    inside = f.places < f.end[scope]
    figures = sheet.room("heading", ("distance", "words", "level", "inside"))
    figures[0] = f.places - above
    figures[1] = f.words_before[:-1] - f.words_before[above]
    figures[2] = f.own_tag[above]
    figures[3] = inside
    figures[:, :first] = _NO_HEADING
    spoken = sheet.room("heading", _HEADED)
    spoken[:] = said.take(HEADED_ROWS, 0).take(above, 1)
    spoken *= figures[3]
    ahead = np.minimum(places, 2 * NEVER).take(passed + 1) - f.places
    sheet.row("heading.next", np.minimum(ahead, NEVER))


def _announcements(sheet: FeatureMatrix, f: _Figures, said: Bits) -> None:
    """How far back comments, related stories, small print and the like were announced."""
    spoken = said.take(ANNOUNCED_ROWS, 0) * (f.words <= SHORT)
    after = np.zeros(spoken.shape, np.intp)
    """The place after the last announcement before each block; 0 where there is none."""
    np.multiply(spoken[:, :-1], f.places[1:], out=after[:, 1:])
    np.maximum.accumulate(after, axis=1, out=after)
    since = sheet.room("", _SINCE).reshape(len(_ANNOUNCED), 2, f.count)
    since[:, 0] = f.places + 1 - after
    since[:, 1] = f.words_before[:-1] - f.words_before.take(after)
    np.copyto(since, NEVER, where=(after == 0)[:, None])


def _lookalikes(sheet: FeatureMatrix, f: _Figures) -> None:
    """Blocks whose owners have the same tag, class and id: how many, how long, how large."""
    group = f.named[f.owner]
    sizes = np.maximum(np.bincount(group), 1)  # some names have no block of their own
    words = np.bincount(group, f.words)
    sheet.row("alike.count", sizes[group])
    sheet.row("alike.words", (words / sizes)[group])
    sheet.row("alike.good", (np.bincount(group, f.long) / sizes)[group])
    sheet.row("alike.share", words[group] / f.total_words)


def _place(sheet: FeatureMatrix, f: _Figures) -> None:
    sheet.row("place.index", f.places / f.count)
    sheet.row("place.words_before", f.words_before[:-1] / f.total_words)
    sheet.row("place.good_before", f.good_before[:-1] / f.total_good)
    sheet.row("place.good_after", (f.good_before[-1] - f.good_before[1:]) / f.total_good)
    sheet.row("place.share", f.words / f.total_words)
    long_places = f.long.nonzero()[0]
    first, last = (long_places[0], long_places[-1]) if len(long_places) else (0, f.count - 1)
    sheet.row("place.after_first_long", f.places - first)
    sheet.row("place.before_last_long", last - f.places)


def _neighbours(sheet: FeatureMatrix, f: _Figures) -> None:
    """The two blocks on either side, the outermost standing for those beyond, and two windows."""
    own = np.array((f.words, f.link_ratio, f.own_tag), np.float32)
    near = own.take(f.places + _STEPS, 1, mode="clip")
    sheet.room("", _NEAR).reshape(len(_STEPS), len(own), f.count)[:] = near.transpose(1, 0, 2)
    before = f.before.take(f.places + _BORDERS, 1, mode="clip")
    windows = _averages(before[:, : len(_REACHES)] - before[:, len(_REACHES) :])
    room = sheet.room("", _WINDOWS).reshape(len(_REACHES), len(windows), f.count)
    room[:] = windows.transpose(1, 0, 2)


def _ancestors(sheet: FeatureMatrix, page: BlockPage, f: _Figures) -> dict[str, float]:
    """The elements above a block, one by one and all together, and its way off the main path.

    What they tell of the whole page is handed back.
    """
    sums = f.before.take(f.end, 1) - f.before.take(f.start, 1)
    good, words, _, blocks, _, stops = sums
    running, length, links = _averages(sums)
    share = words / f.total_words
    per_holder = np.array((share, links, blocks, running, length, f.tag), np.float32)
    up = Above(f.parent, f.depth, f.tag)
    here = [f.owner]
    while len(here) < LEVELS:
        here.append(up.parents[here[-1]])
    room = sheet.room("", _UP).reshape(LEVELS, len(per_holder), f.count)
    room[:] = per_holder.take(np.array(here), 1).transpose(1, 0, 2)

    inherited = inherit(f.flags, up, f.named, share)
    bits = _bits(inherited.told.take(f.owner, 1), 64)
    sheet.unmistakable, sheet.side = bits[WARNINGS, FAR].astype(np.bool_)
    sheet.rows("name", NAME_GROUPS, bits[: len(NAME_GROUPS), NEAR])
    sheet.rows("names", NAME_GROUPS, bits[: len(NAME_GROUPS), FAR])
    sheet.rows("in", TAG_NAMES, bits[FIRST_TAG:, FAR])
    linked_holders = np.frombuffer(bytes(page.holders.linked), np.bool_)  # a fifth of the time
    sheet.row("in.link", linked_holders[f.owner])
    in_item = inherited.item[f.owner]
    repeats = inherited.alike[inherited.item]
    room = sheet.room("repeat", ("count", "words", "up"))
    room[0] = repeats[f.owner]
    room[1] = words[in_item] * (in_item > 0)
    room[2] = f.depth[f.owner] - f.depth[in_item]

    path = heavy_path(up, good + words * 0.0625)
    branch = path.branch[f.owner]
    on_path = branch == 0
    left_from = up.parents[branch]
    left_at = f.depth[left_from]
    sheet.row("branch.on_path", on_path)
    room = sheet.room("branch", _BRANCH)
    figures = np.array((share, links, good / f.total_good, _ratio(stops, blocks), blocks))
    room[:5] = figures.take(branch, 1)
    room[5] = path.length - left_at
    room[6] = left_at / max(path.length, 1)
    room[7] = np.where(branch > path.beyond[left_from], 1, -1)
    np.copyto(room, _ON_PATH if path.length else _NO_PATH, where=on_path)
    return {
        "path_depth": path.length,
        "path_good": float(good[path.last]) / f.total_good,
        "max_repeat": int(repeats.max()),
    }


def _count(f: _Figures, said: Bits) -> dict[str, Any]:
    """What is counted of the whole page."""
    return {
        "own": np.bincount(f.own_tag, minlength=64).tolist(),
        "held": np.bincount(f.tag, minlength=64).tolist(),
        "spoken": said.sum(1).tolist(),
        "announced": (said & f.heading).sum(1).tolist(),
        "headings": np.count_nonzero(f.heading),
        "priced": np.count_nonzero(f.money > 0),
        "longest": float(f.words.max()),
        "words": f.total_words,
        "good": f.total_good,
        "linked": float(f.before[_LINKED, -1]),
        "chars": float(f.before[_CHARS, -1]),
    }


def add_page(
    sheet: FeatureMatrix, counts: dict[str, Any], pictures: int, context: PageContext
) -> None:
    """Add the figures of the whole page, the same for each of its blocks.

    Args:
        sheet: to be written; all other rows are there.
        counts: what is counted of the page.
        pictures: how many it has.
        context: what head and URL say.
    """
    own, held, spoken = counts["own"], counts["held"], counts["spoken"]
    figures: dict[str, float] = {
        "blocks": sheet.count,
        "words": counts["words"],
        "good": counts["good"] / counts["words"],
        "links": counts["linked"] / max(counts["chars"], 1.0),
        "paragraphs": own[TAGS["p"]],
        "items": own[TAGS["li"]],
        "cells": own[TAGS["td"]],
        "headings": counts["headings"],
        "code": own[TAGS["pre"]],
        "money": counts["priced"],
        "articles": held[TAGS["article"]],
        "mains": held[TAGS["main"]],
        "forms": held[TAGS["form"]],
        "tables": held[TAGS["table"]],
        "noscript": held[TAGS["noscript"]],
        "pictures": pictures,
        "longest": counts["longest"],
        "comments": spoken[_SPOKEN["comment"]],
        "related": spoken[_SPOKEN["related"]],
        "shop": spoken[_SPOKEN["shop"]],
        "dates": spoken[_SPOKEN["date"]],
        "bylines": spoken[_SPOKEN["byline"]],
        "asks": counts["announced"][_SPOKEN["ask"]],
        "path_depth": counts["path_depth"],
        "path_good": counts["path_good"],
        "max_repeat": counts["max_repeat"],
    }
    values = np.array([*figures.values(), *context.signals], np.float32)
    names = (*figures, *_signal_names(len(context.signals)))
    sheet.page_start = len(sheet.names)
    sheet.rows("page", names, values[:, None])

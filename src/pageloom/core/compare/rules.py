"""The rules by which parts of a line are known to move by themselves.

A fact (a short part of a line) is a row of cells, one for each token or date. A rule is a pattern
over such a row, and what the fact has to have beside it. In a pattern

- ``whole``, ``date``, ``COUNTED|LABELLED`` is a cell that is one of these: small names are those of
  ``CELLS``, large ones groups of words (see ``lexicon``), signs stand for themselves; ``a&b`` is a
  cell that is both, ``.`` any cell, ``~a`` a place that no such cell follows;
- ``LENGTH`` is a length of time such as ``2 hours and 5 minutes``;
- ``^`` and ``$`` are the ends of the fact; ``*``, ``+``, ``?`` and ``{0,3}`` say how often;
- ``<`` and ``>`` stand around what moves.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from pageloom.core.compare.lexicon import Group

CELLS = {
    "whole": "ν", "decimal": "δ", "amount": "μ", "number": "νδμ", "ten": "β", "twenty": "ξ",
    "year": "υ", "signed": "ς", "date": "τ", "partial": "π", "instant": "ι", "clock": "κ",
    "second": "ϰ", "opaque": "ο", "figure": "χ", "glued": "γ", "word": "ω", "short": "σ",
    "capital": "Κ", "tick": "ϻ", "copyright": "©", "limit": "Λ", "loose": "ζ", "money": "€",
    "mark": "¦", "dot": ".", "colon": ":：", "open": "(（[［", "close": ")）]］", "dash": "-‑–—",
    "degree": "°℃℉", "star": "★☆⭐", "bar": "|·•»›",
}  # fmt: skip
"""What a cell, or the place of a fact, can be beside the groups of words, and the letter for it."""
_LETTERS = {name: letter.value for name, letter in Group.__members__.items()} | CELLS


class Move(NamedTuple):
    """What moves by itself in facts of some shape."""

    kind: str
    pattern: str
    example: str
    needs: str = ""
    """What the fact, its label or its place has to have somewhere: each of these."""
    bars: str = ""
    """What it must have none of."""


def letters_of(names: str) -> str:
    """The letters of names divided by bars."""
    return "".join(_LETTERS.get(name, name) for name in names.split("|"))


@cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern over cells as a regular expression over their letters."""
    before, _, after = pattern.partition(">")
    moving, behind = ("".join(map(_part, each.split())) for each in (before, after))
    return re.compile(f"(?<=;){moving})(?={behind})")


_ELEMENT = re.compile(r"(~?)(.+?)([*+?]|\{\d,\d*\}\??)?")
_FIXED = {
    "<": "(",
    "^": r"\^;",
    "$": r"\$;",
    "[": "(?:",
    "]": ")",
    "]*": ")*",
    "end": r"(?:\$;|[^;]*[(（][^;]*;)",
}


def _part(element: str) -> str:
    found = _ELEMENT.fullmatch(element)
    if element in _FIXED or found is None:
        return _FIXED[element]
    negated, names, times = found.groups("")
    if names in _LENGTHS:
        return _LENGTHS[names]
    if names == ".":
        return rf"(?:(?![$^];)[^;]*;){times}"
    first, *others = names.split("&")
    ahead = "".join(f"(?=[^;]*[{re.escape(letters_of(each))}])" for each in others)
    cell = f"{ahead}[^;]*[{re.escape(letters_of(first))}][^;]*;"
    return f"(?!{cell})" if negated else f"(?:{cell}){times}"


_LENGTHS: dict[str, str] = {}
for _name, _times in (
    ("LENGTH", "{0,3}"),
    ("LENGTHS", "{1,3}"),
):  # at most days, hours, minutes, seconds
    _one = "".join(map(_part, "number|clock|SINGLE UNIT".split()))
    _more = "".join(map(_part, "AND|dot|,? number UNIT".split()))
    _second = _part("second?")
    _LENGTHS[_name] = f"{_one}(?:{_more}){_times}{_second}"

LINE_RULES = (
    Move("relative-time", "< APPROXIMATE* LENGTH dot? PAST|COUNTDOWN >", "about 5 hrs. ago"),
    Move("relative-time", "< APPROXIMATE* number short dot? PAST >", "3 дн. назад"),
    Move("relative-time", "< PAST|COUNTDOWN colon? APPROXIMATE* LENGTH >", "ends in 2 days"),
    Move("relative-time", "STAMP < APPROXIMATE* LENGTH > ~word|dash", "last reply 2h"),
    Move("relative-time", "COUNTDOWN < clock >", "ends in 02:14:09"),
    Move("relative-time", "< CURRENT ~number .{0,2} clock >", "seen today at 8:12", "STAMP"),
    Move("account", "^ < GREETING >", "Good evening"),
    Move("ticker", "^ < PLAYING colon|dash|bar .+ > $", "Now playing: Slow Boat"),
    Move("relative-time", "^ < .{0,9} OPEN NOW .{0,9} > $", "Open now", "", "SEASON|money"),
    Move("machine", "^ © .{0,20} < decimal|opaque|year >", "© 2018–2026 Crumb 1.9"),
    Move("machine", "^ POWERED .{0,6} < figure glued* > $", "Powered by Quill 4.2"),
)
"""Rules that are read over a whole line, however long."""

FACT_RULES = (
    Move("counter", "^ < .+ > $", "Our newest member is marla77", "ARRIVAL"),
    Move("relative-time", "< LENGTH >", "current wait: 12 minutes", "LIVE|REPLYING"),
    Move("relative-time", "< LENGTH >", "order within 3 h for today", "CURRENT WITHIN"),
    Move("relative-time", "< LENGTHS >", "within 5 h 41 min", "CURRENT|WITHIN"),
    Move("relative-time", "< WEEKDAY|CURRENT >", "Tuesday, if within 5 h", "WITHIN UNIT"),
    Move("relative-time", "NEXT [ ~MODAL . ]* < LENGTH > end", "next bus in 5 min"),
    Move("relative-time", "ATTENDING|STAMP|LABELLED|COUNTED_ONE SINCE < LENGTH >", "online for 2 h"),
    Move("gauge", "^ < number > tick $", "48 ms"),
    Move("gauge", "CURRENT|LIVE colon < .* number MEASURE|degree .* > $", "level now: 1.42 m", "", "DECIDED|money"),
    Move("ticker", "^ < .* number degree .* > $", "16 °C, sunny", "SKY", "MODAL"),
    Move("ticker", "< number [ mark|amount ]* signed > %", "DAX 18.234,50 +0,42 %"),
    Move("copyright-year", "© .{0,4} < year >", "© 2018–2026"),
    Move("reading-time", "< whole dash? UNIT|READING > .{0,2} READING", "11-minute read"),
    Move("reading-time", "< whole dash? READING >", "5 min read"),
    Move("reading-time", "READING .{0,2} < whole UNIT >", "Lesezeit: 4 Minuten"),
    Move("session", "HANDLE .{0,2}? < opaque|figure glued* >", "Session ID: 8f3a-99"),
    Move("machine", "< opaque|figure|clock|date glued* >", "rendered in 134 ms", "MACHINE"),
    Move("account", "YOURS .? NEARBY colon* < capital .* > $", "Your shop: Leeds", "", "NEGATION|STATE|BINDING"),
    Move("timestamp", "< date|clock >", "Updated 3 May, 14:05", "STAMP", "BINDING"),
    Move("timestamp", "< instant >", "2026-11-03T14:05:11Z"),
    Move("timestamp", "^ < clock CLOCK_WORD? > $", "14:05", "loose"),
    Move("timestamp", "STAMP < BY word >", "updated by admin"),
    Move("timestamp", "date|clock|PAST < BY .{0,2} > $", "edited 5 min ago by anna", "STAMP"),
    Move("relative-time", "STAMP < .? WEEKDAY > $", "posted on Monday"),
    Move("relative-time", "< date|clock|WEEKDAY|CURRENT >", "Next free slot: Wed", "NEXT DELIVERY|UNTAKEN"),
    Move("relative-time", "< partial&WEEKDAY|CURRENT >", "arrives Thu, 14 Nov", "DELIVERY|ESTIMATED"),
    Move("relative-time", "< partial >", "Estimated dispatch: 3 May", "DELIVERY ESTIMATED"),
    Move("relative-time", "^ < STAMP|ATTENDING|CURRENT|APPROXIMATE|CLOCK_WORD|UNIT|PAST|number|SINGLE|date|clock|mark+ > $", "Last seen 3 hours ago", "CURRENT|PAST"),
    Move("counter", "^ < COUNTED|COUNTED_ONE|FILLER|mark|number+ > $", "No comments yet", "COUNTED"),
    Move("counter", "^ < whole COUNTED_ONE|ITEMS > $", "29 products"),
    Move("counter", "^ < whole UNREAD LABELLED > $", "12 new messages"),
    Move("counter", "^ word|mark{1,3} open < whole > close $", "Q&A (45)"),
    Move("counter", "^ < [ word open whole close ]* > $", "Yes (12) No (3)"),
    Move("counter", "^ < CURRENT|TOTAL+ colon whole > $", "Today: 34"),
    Move("counter", "^ < whole dash whole OF whole > $", "1-20 of 345"),
    Move("counter", "^ mark* < whole > mark* $", "1,204", "loose"),
    Move("counter", "^ < .* AND whole CROWD .* > $", "Liked by Anna and 241 others", "ATTENDING"),
    Move("counter", "^ .{0,2} ONLINE colon < .+ > $", "Users online: anna, rob", "CROWD|COUNTED"),
    Move("counter", "< whole > ~UNIT|MEASURE|MONTH .{0,3} COUNTED|ATTENDING", "12 people like this", "", "limit"),
    Move("counter", "COUNTED|ATTENDING mark* < whole > ~UNIT|MEASURE|MONTH", "Views 1,204", "", "limit"),
    Move("counter", "COUNTED|ATTENDING .{0,3} colon < whole > ~UNIT|MEASURE|MONTH", "Visitors today: 17", "", "limit"),
    Move("counter", "COUNTED|ATTENDING .{0,2} < whole > $", "Wishlisted by 120", "", "limit"),
    Move("counter", "COUNTED|ATTENDING whole OF < whole >", "Ranked 14 of 320", "", "limit"),
    Move("counter", "ONLINE colon < whole > ~word", "Online: 34", "", "limit"),
    Move("counter", "< whole > ~UNIT|MEASURE|MONTH", "12 people bought this", "CROWD THIS|BOUGHT|SIGNED", "limit"),
    Move("counter", "BY < whole > .? CROWD", "rated by 340 people", "", "limit"),
    Move("counter", "^ < whole > .{0,2} FOUND|SIGNED $", "312 jobs found", "", "limit"),
    Move("counter", "< whole > .{0,3} $", "Showing 24 of 312", "SHOWING OF", "limit"),
    Move("counter", "LABELLED colon|open|dash|=|#|+? < whole >", "Posts: 140", "", "limit"),
    Move("counter", "ALREADY .? < ten > word ~UNIT", "already 3,120 members", "", "limit"),
    Move("counter", "< whole > TIMES", "checked 4 times today", "CURRENT|STAMP", "limit"),
    Move("counter", "< twenty > TIMES", "installed 10,200 times", "", "limit"),
    Move("counter", "# < whole > IN word", "#12 in Books", "", "limit"),
    Move("counter", "number|star open < whole > close", "4.5 (2,341)", "", "limit"),
    Move("counter", "star < ten >", "★ 128", "", "limit"),
)  # fmt: skip
"""Rules that are read over the facts of a line, one by one."""

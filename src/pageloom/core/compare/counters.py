"""Numbers that count what visitors do, and lines that speak to the visitor of the moment."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from pageloom.core.compare import lexicon as group
from pageloom.core.compare import vocabulary
from pageloom.core.compare.tokens import (
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    SUFFIXES,
    Span,
    TextToken,
    has_group,
    read_tokens,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.core.compare.masks import Masked
    from pageloom.core.compare.tokens import TextToken

_LIMITS = frozenset(vocabulary.LIMITS.split("|"))
_LIMITS_OF_UNITS = frozenset(("al", "je"))
"""Words that limit before a length of time, and are other words in other languages."""
_NUMBERED = frozenset("number no nr nummer numéro número numero № номер".split())
BY = frozenset("by from von par por da door av af przez".split())
_AND = frozenset("and und et y e en och og i и & sowie".split())
OF = frozenset("of von sur de di van av af z из 中 / fra".split())
_TOTAL = frozenset(vocabulary.TOTALS.split("|"))
_NAME_WORDS = 3
_TITLE_WORDS = 6
_ONLINE = frozenset(
    "online conectados connectés connectées angemeldet eingeloggt collegati connessi ingelogd "
    "inloggade zalogowani онлайн".split()
)
_WHERE = group.FILLER + group.THIS + group.CURRENT + group.SHOWING + group.ARTICLES
_WHERE_WORDS = _TOTAL | frozenset(
    "in on of at site website web webseite auf seit sito sitio en na w на сайт сайта сайте".split()
)
_FEW = 10
_MANY = 1_000
_OFTEN = 20
"""Done so many times, it was done by visitors."""
_COUNTED = group.COUNTED + group.COUNTED_ONE
_MEASURED = group.MEASURE + group.UNIT + group.MONTH
_IN = frozenset("in en dans em w в i".split())
_ITEMS = frozenset(
    "products items listings properties vacancies recipes stores hotels produkte artikel produits "
    "articles annonces productos artículos anuncios produtos itens prodotti articoli producten "
    "produkter produktów produktů товаров товара 商品 件商品".split()
)
"""What a list has so many of."""
_STARS = "★☆⭐"
_CLOSING = ([")"], ["）"])
COUNTERS_CJK = frozenset("件条條則则개건")
_PLAIN = re.compile(r"-?\d+(?:\.\d+)?")
_LINKING = frozenset(": ： ( （ # = - – — [ ［ +".split())


def find_counters(
    segment: list[TextToken], label: str, *, is_value: bool, is_aside: bool = False
) -> Iterator[Span]:
    """Numbers of a short line of facts that count what visitors do.

    Args:
        segment: the tokens of the line, or of a part of it between bars.
        label: the name before a value, if it has one.
        is_value: whether it is the value of a pair of name and value.
        is_aside: whether the line is no certain part of the page.
    """
    if (
        _only_says_counter(segment)
        or _is_progress(segment)
        or (is_aside and _is_exact_tally(segment))
    ):
        yield Span(0, len(segment), "counter")
        return
    present = _who_is_there(segment)
    if present:
        yield Span(present, len(segment), "counter")
        return
    if any(_limits(segment, number) for number in range(len(segment))):
        return
    if _is_rate(segment) and not _is_badge(segment):
        return
    yield from _gathered(segment)
    yield from _ranks(segment)
    if _names_admirers(segment):
        yield Span(0, len(segment), "counter")
        return
    counted = bool(label) and has_group(read_tokens(label), group.COUNTED)
    attended = counted or _is_attended(segment) or _is_found(segment)
    for number, token in enumerate(segment):
        if (
            is_whole(token)
            and not _is_amount(segment, number)
            and (attended or _is_counter(segment, number))
        ):
            yield Span(number, number + 1, "counter")
    words = [token for token in segment if token.kind != "mark"]
    if len(words) == 1 and is_whole(words[0]) and (counted or not (is_value or label)):
        place = segment.index(words[0])
        if not _is_amount(segment, place):
            yield Span(place, place + 1, "counter")


def _gathered(segment: Sequence[TextToken]) -> Iterator[Span]:
    """``Already 3,120 members``, ``1,204 sold so far``: how many it has come to by now."""
    for place, token in enumerate(segment):
        if not is_whole(token) or _size(token) < _FEW or _is_amount(segment, place):
            continue
        after = segment[place + 1 : place + 2]
        named = bool(after) and after[0].kind == "word"
        measured = any(letter in _MEASURED for each in after for letter in each.groups)
        near = has_group(segment[max(0, place - 2) : place], group.ALREADY) or has_group(
            segment[-1:], group.ALREADY
        )
        if near and named and not measured:
            yield Span(place, place + 1, "counter")


def _ranks(segment: Sequence[TextToken]) -> Iterator[Span]:
    """``#12 in Books``: a place among the best sold."""
    for place in range(len(segment) - 3):
        sign, number, within, name = segment[place : place + 4]
        if sign.text == "#" and is_whole(number) and within.fold in _IN and name.kind == "word":
            yield Span(place + 1, place + 2, "counter")


def _is_found(segment: Sequence[TextToken]) -> bool:
    """``312 results found``: how many of something a list has."""
    words = [token for token in segment if token.kind == "word"]
    return len(words) <= _NAME_WORDS and has_group(words, group.FOUND)


def _is_rate(segment: Sequence[TextToken]) -> bool:
    return any(a.text == "/" and group.UNIT in b.groups for a, b in pairwise(segment))


def _is_badge(segment: Sequence[TextToken]) -> bool:
    """``downloads 21k/month``: what is counted comes first, and nothing is offered."""
    return group.COUNTED in segment[0].groups and segment[1].kind == "number" and len(segment) <= 4


def _is_progress(segment: Sequence[TextToken]) -> bool:
    """``12% read``: how far a visitor has come."""
    number, *rest = segment
    return (
        number.kind == "number"
        and len(rest) == 2
        and rest[0].text == "%"
        and any(letter in group.READING + group.ATTENDING for letter in rest[1].groups)
    )


def _limits(segment: Sequence[TextToken], number: int) -> bool:
    """Whether a word makes an offer or a limit of a line; ``May 2019`` is a month."""
    token = segment[number]
    if token.fold in _LIMITS_OF_UNITS and not has_group(
        segment[number + 1 : number + 2], group.UNIT
    ):
        return False
    if number and group.UNIT in token.groups and segment[number - 1].kind == "number":
        return False  # 2 min
    if number and group.ATTENDING in segment[number - 1].groups:
        return False  # 6 viewed per hour
    is_month = group.MONTH in token.groups and number + 1 < len(segment)
    if is_month and segment[number + 1].kind == "number":
        return False
    return token.fold in _LIMITS or group.MODAL in token.groups


def _only_says_counter(segment: Sequence[TextToken]) -> bool:
    """``12 comments``, ``No comments yet``, ``Be the first to comment``: a counter in any words."""
    words = [token for token in segment if token.kind not in ("mark", "number")]
    if _is_tally(segment, words) or _counts_items(segment):
        return True
    counted = has_group(words, group.COUNTED) or (
        has_group(words, group.COUNTED_ONE) and segment[0].kind == "number"
    )
    return counted and all(
        any(letter in _COUNTED + group.FILLER for letter in token.groups) for token in words
    )


def _counts_items(segment: Sequence[TextToken]) -> bool:
    """``29 products``, ``12 new messages``, and nothing else."""
    if not 2 <= len(segment) <= _NAME_WORDS or not is_whole(segment[0]):
        return False
    last = segment[-1]
    if len(segment) == 2:
        return last.fold in _ITEMS
    return group.UNREAD in segment[1].groups and group.LABELLED in last.groups


def _is_tally(segment: Sequence[TextToken], words: Sequence[TextToken]) -> bool:
    """``Today: 34``, ``Q&A (45)``, ``1 - 20 of 345``: a name, if any, and how many there are."""
    numbers = [token for token in segment if token.kind == "number"]
    if _are_answers(segment) or (
        len(numbers) > 1 and _are_tallies([token.text for token in segment], numbers)
    ):
        return True
    if len(numbers) == 1 and is_whole(numbers[0]) and 1 <= len(words) <= _NAME_WORDS:
        texts = [token.text for token in segment]
        bracketed = texts[-3::2] == ["(", ")"] and segment[-2] is numbers[0]
        today = all(group.CURRENT in token.groups or token.fold in _TOTAL for token in words)
        return bracketed or (today and ":" in texts)
    return len(numbers) == 3 and len(words) == 1 and words[0].fold in OF


def _are_answers(segment: Sequence[TextToken]) -> bool:
    """``Yes 12 No 3``: how many said which."""
    names, numbers = segment[::2], segment[1::2]
    return 0 < len(names) == len(numbers) and all(
        group.NEGATION in name.groups and is_whole(number)
        for name, number in zip(names, numbers, strict=True)
    )


def _are_tallies(texts: Sequence[str], numbers: Sequence[TextToken]) -> bool:
    """``Yes (1,204) No (88)``: nothing but names of one word, each with its number in brackets."""
    whole = len(texts) == 4 * len(numbers) and all(map(is_whole, numbers))
    brackets = [*texts[1::4], *texts[3::4]] == ["("] * len(numbers) + [")"] * len(numbers)
    return whole and brackets and [*texts[2::4]] == [number.text for number in numbers]


def _is_exact_tally(segment: Sequence[TextToken]) -> bool:
    """``12,418 live jobs``: many, to the last one, as programs count and nobody offers."""
    number, *words = segment
    if not is_whole(number) or _size(number) < _MANY or _size(number) % 50 == 0:
        return False
    barred = group.MEASURE + group.UNIT + group.MONTH + group.MODAL + group.BINDING + group.NEGATION
    return 1 <= len(words) <= _NAME_WORDS and all(
        word.kind == "word"
        and word.text.islower()
        and word.fold not in CURRENCY_CODES
        and not any(letter in barred for letter in word.groups)
        for word in words
    )


def _names_admirers(segment: Sequence[TextToken]) -> bool:
    """``Liked by Anna and 241 others``: whoever was the last, and how many more."""
    return has_group(segment, group.ATTENDING) and any(
        a.fold in _AND and b.kind == "number" and group.CROWD in c.groups
        for a, b, c in zip(segment, segment[1:], segment[2:], strict=False)
    )


def _who_is_there(segment: Sequence[TextToken]) -> int:
    """Where the names begin in ``Users online: anna, rob and 9 guests``; 0 where there are none."""
    colon = next((n for n, token in enumerate(segment) if token.text in ":："), 0)
    said = segment[:colon]
    spoken = " ".join(token.fold for token in said).split()
    people = has_group(said, group.CROWD) or (len(said) == 1 and has_group(said, group.COUNTED))
    online = not _ONLINE.isdisjoint(spoken) and len(spoken) <= _NAME_WORDS
    return colon + 1 if people and online else 0


def _is_attended(segment: Sequence[TextToken]) -> bool:
    """Whether a line tells what visitors do, or how much of a list is shown."""
    named = has_group(segment, group.CROWD) or has_group(segment, group.COUNTED)
    if any(
        group.ATTENDING in token.groups and (named or token.fold != "online" or after.text != ":")
        for token, after in zip(segment, (*segment[1:], segment[-1]), strict=True)
    ):
        return True  # but not «Order online: 3 maps»
    if has_group(segment, group.CROWD) and has_group(segment, group.BOUGHT):
        return True
    if has_group(segment, group.CROWD) and (
        has_group(segment, group.THIS) or has_group(segment, group.SIGNED)
    ):
        return True
    if group.SIGNED in segment[-1].groups and 1 < len(segment) <= _NAME_WORDS:
        return True  # 3,418 have signed
    shown = has_group(segment, group.SHOWING) and any(token.fold in OF for token in segment)
    return shown and sum(token.kind == "number" for token in segment) > 1


def spread_counters(
    tokens: Sequence[TextToken], segments: Sequence[tuple[int, int]], found: Sequence[Span]
) -> Iterator[Span]:
    """Numbers of things in a line that has other counters and times: a line of figures."""
    figures = len(segments) > 1 and all(
        sum(token.kind == "word" for token in tokens[start:end]) <= _NAME_WORDS
        for start, end in segments
    )
    for start, end in segments:
        others = sum(not start <= span.start < end or span.kind != "counter" for span in found)
        if not others or not _may_count(tokens[start:end]):
            continue
        others += figures
        for number in range(start, end):
            after = tokens[number + 1 : min(number + 2, end)]
            if not is_whole(tokens[number]) or _is_amount(tokens, number):
                continue
            if has_group(after, group.LABELLED) or (others > 1 and _counts_things(tokens, number)):
                yield Span(number, number + 1, "counter")


def _may_count(segment: Sequence[TextToken]) -> bool:
    """Whether nothing in a part of a line says that its number is an offer, a limit or a term."""
    barred = group.MODAL + group.BINDING
    return not any(
        token.fold in _LIMITS or any(letter in barred for letter in token.groups)
        for token in segment
    )


def _counts_things(tokens: Sequence[TextToken], number: int) -> bool:
    """Whether a number of some size stands before a word that is no unit."""
    after = tokens[number + 1] if number + 1 < len(tokens) else None
    if after is None or after.kind != "word" or _size(tokens[number]) < _FEW:
        return False
    return not any(letter in group.MEASURE + group.UNIT + group.MONTH for letter in after.groups)


def is_whole(token: TextToken) -> bool:
    """Whether a token is a number of things: 12,345 or 1.2K, but not 4.6."""
    return token.kind == "number" and ("." not in token.fold or token.fold[-1] in SUFFIXES)


def _is_counter(segment: list[TextToken], number: int) -> bool:
    after = segment[number + 1 : number + 4]
    before = segment[max(0, number - 3) : number]
    if after and after[0].text in "+-":  # 12.034-mal
        after = after[1:]
    if after and (
        any(letter in _COUNTED for letter in after[0].groups) or _is_bracketed(before, after)
    ):
        return True
    if _is_abbreviated(segment, number):
        return True
    if before and before[-1].text in _STARS and len(segment[number].fold) > 1:
        return True
    today = has_group(segment, group.CURRENT)
    if after and _is_done_by_many(before, segment[number], after, today=today):
        return True
    plain = [token for token in after if token.kind == "word"][:2]
    near = (
        len(plain) == 2
        and any(letter in _COUNTED for letter in plain[1].groups)
        and plain[1] in after[:3]
    )
    if near and (plain[0].text.islower() or not plain[0].text.isalpha()):
        return True
    return _follows_name(before) or _follows_title(segment, number)


def _follows_title(segment: Sequence[TextToken], number: int) -> bool:
    """``Visits to this page: 18,204``, ``Visitors in total: 88,120``: what is counted, where."""
    if number == 0 or segment[number - 1].text not in ":：":
        return False
    start = number - 1
    while start and segment[start - 1].kind != "number":
        start -= 1
    said = [token for token in segment[start : number - 1] if token.kind == "word"]
    if not 1 < len(said) <= _TITLE_WORDS:
        return False
    first, *rest = said
    is_counted = any(letter in _COUNTED + group.CROWD for letter in first.groups)
    return is_counted and all(
        token.fold in _WHERE_WORDS or any(letter in _WHERE for letter in token.groups)
        for token in rest
    )


def _is_abbreviated(segment: Sequence[TextToken], number: int) -> bool:
    """``Followers 18.3k``, ``2.1k stars``: a name and how many, as nobody writes an offer."""
    fold = segment[number].fold
    if fold[-1] not in SUFFIXES or len(segment) < 2:
        return False
    return number == len(segment) - 1 or ("." in fold and number == 0 and len(segment) == 2)


def _is_bracketed(before: Sequence[TextToken], after: Sequence[TextToken]) -> bool:
    """``（231件）``: how many there are, behind what there is."""
    opened = bool(before) and before[-1].text in "(（"
    return opened and after[0].text in COUNTERS_CJK and [t.text for t in after[1:2]] in _CLOSING


def _is_done_by_many(
    before: Sequence[TextToken], number: TextToken, after: Sequence[TextToken], *, today: bool
) -> bool:
    """``installed 10,200 times``, ``signed by 340 people``."""
    if group.TIMES in after[0].groups:
        named = (
            len(before) > 1 and before[-1].text in ":：" and group.ATTENDING in before[-2].groups
        )
        edited = bool(before) and group.STAMP in before[-1].groups
        return _size(number) >= _OFTEN or today or named or edited
    return bool(before) and before[-1].fold in BY and has_group(after[:2], group.CROWD)


def _size(number: TextToken) -> float:
    bare = number.fold.rstrip(SUFFIXES)
    if not _PLAIN.fullmatch(bare):  # 12,34,567
        bare = "".join(filter(str.isdecimal, bare)) or "0"
    return float(bare) * (1_000 if number.fold[-1] in SUFFIXES else 1)


def _follows_name(before: list[TextToken]) -> bool:
    """Whether ``Comments:``, ``Posts (`` or a star stands before the number."""
    if not before:
        return False
    if len(before) > 1 and before[-1].text in "[［" and before[-2].text in ":：":
        before = before[:-1]  # 点击：[812]次
    if len(before) > 2 and before[-1].text == "." and before[-2].fold in _NUMBERED:
        before = before[:-1]  # visitor no. 12
    last = before[-1]
    if group.COUNTED in last.groups or group.LABELLED in last.groups:
        return True
    if len(before) < 2 or (last.text not in _LINKING and last.fold not in _NUMBERED):
        return False
    name = before[-2]
    is_rating = last.text in "(（" and (name.kind == "number" or name.text in _STARS)
    far = len(before) > 2 and last.text == ":" and group.COUNTED in before[-3].groups
    return group.COUNTED in name.groups or group.LABELLED in name.groups or is_rating or far


def _is_amount(segment: Sequence[TextToken], number: int) -> bool:
    """Whether a number is money, a share or a measure."""
    before, after = segment[max(0, number - 1) : number], segment[number + 1 : number + 2]
    near = [*before, *after]
    if any(token.text in "$€£¥₹₽₺₴₩₪₫" for token in near if token.kind == "mark"):
        return True
    if any(token.text in "%‰°" for token in after if token.kind == "mark"):
        return True
    return any(token.fold in CURRENCY_CODES for token in near)


def find_tickers(segment: list[TextToken]) -> Iterator[Span]:
    """``DAX 18.234,50 +0,42 %``: a figure with its signed change, exact to parts of a percent."""
    numbers = [n for n, token in enumerate(segment) if token.kind == "number"]
    words = [token for token in segment if token.kind == "word"]
    if len(numbers) < 2 or len(words) > 4 or "%" not in {token.text for token in segment}:
        return
    last = numbers[-1]
    signed = segment[last].text[0] in "-−" or (
        last > 0 and segment[last - 1].text in ("+", "▲", "▼", "↑", "↓", "±")
    )
    if signed and "." in segment[last].fold:
        yield from (Span(number, number + 1, "ticker") for number in numbers[:-1])
        sign = last - 1 if segment[last - 1].kind == "mark" else last
        yield Span(sign, last + 1, "ticker")


_LONGEST = 14
_LONGEST_PLACE = 8
_LONGEST_POLL = 30
_STATED = group.NEGATION + group.STATE + group.BINDING


def find_personal(segment: Sequence[TextToken]) -> Iterator[Span]:
    """``Your shop: Leeds``, ``You have 2 new messages``, ``Tom from Hull just bought this``."""
    if len(segment) > _LONGEST or _names_money(segment):
        return
    yours = has_group(segment[:2], group.YOURS)
    if yours and len(segment) <= _LONGEST_PLACE:
        yield from _place_of_visitor(segment)
    left = has_group(segment, group.COUNTDOWN) and has_group(segment, group.CURRENT)
    for number, token in enumerate(segment):
        if token.kind != "number":
            continue
        after = segment[number + 1 : number + 4]
        things = has_group(after, group.COUNTED) or has_group(after, group.LABELLED)
        balance = yours and 1 < number == len(segment) - 1 and segment[number - 1].text in ":："
        if balance or (yours and things) or (has_group(after, group.ARTICLES) and (yours or left)):
            yield Span(number, number + 1, "account")
    if has_group(segment, group.JUST) and has_group(segment, group.BOUGHT):
        yield Span(0, len(segment), "counter")


def _place_of_visitor(segment: Sequence[TextToken]) -> Iterator[Span]:
    """What stands behind ``Your branch:`` up to the end."""
    named = [place for place, token in enumerate(segment) if group.NEARBY in token.groups]
    if not named or any(letter in _STATED for token in segment for letter in token.groups):
        return
    start = named[-1] + 1
    while start < len(segment) and segment[start].text in ":：":
        start += 1
    rest = segment[start:]
    if rest and rest[0].text[:1] != rest[0].text[:1].lower():
        yield Span(start, len(segment), "account")


def _names_money(segment: Sequence[TextToken]) -> bool:
    return any(t.text in CURRENCY_SIGNS or t.fold in CURRENCY_CODES for t in segment)


def find_playing(tokens: Sequence[TextToken]) -> Iterator[Span]:
    """``Now playing: Slow Boat – Ada Quill``: all of it."""
    named = 2 < len(tokens) <= _LONGEST and group.PLAYING in tokens[0].groups
    if named and tokens[1].text in ":：–—-|":
        yield Span(0, len(tokens), "ticker")


def find_shares(tokens: Sequence[TextToken], found: Sequence[Span]) -> Iterator[Span]:
    """Shares of a poll, which a number of votes stands beside: ``Yes 54% No 46% (1,203 votes)``."""
    counted = any(span.kind == "counter" for span in found)
    if len(tokens) > _LONGEST_POLL or not counted:
        return
    shares = [
        place
        for place, (token, sign) in enumerate(pairwise(tokens))
        if token.kind == "number" and sign.text == "%"
    ]
    if len(shares) > 1:
        yield from (Span(place, place + 1, "counter") for place in shares)


_NAMING = (
    group.STAMP + group.COUNTED + group.COUNTED_ONE + group.LABELLED + group.ATTENDING
    + group.READING + group.CURRENT + group.CLOCK_WORD + group.PAST + group.UNIT + group.CROWD
    + group.MACHINE + group.HANDLE + group.COUNTDOWN
)  # fmt: skip
"""Groups of words that say what a counter or a moment is of."""
_DECIDING = group.NEGATION + group.STATE + group.NUMBER_WORD + group.WEEKDAY
_MOST_WORDS = 4


def only_names_counters(key: str) -> bool:
    """Whether a line says nothing beside its counters and stamps but what they count."""
    tokens = [token for token in read_tokens(key) if token.kind != "mark"]
    return len(tokens) <= _MOST_WORDS and all(_names_counter(token) for token in tokens)


def binds(line: str) -> bool:
    """Whether a line has a word that tells of a state, or makes a date matter."""
    return any(
        letter in group.STATE + group.BINDING
        for token in read_tokens(line)
        for letter in token.groups
    )


def is_byline(masked: Masked) -> bool:
    """Whether a line only says who wrote something how long ago: ``ada_k 3 days ago #5``."""
    rest = [token for token in read_tokens(masked.key) if token.kind != "mark"]
    return (
        "relative-time" in masked.kinds
        and len(rest) < _MOST_WORDS
        and not any(letter in _DECIDING for token in rest for letter in token.groups)
    )


def _names_counter(token: TextToken) -> bool:
    return any(letter in _NAMING for letter in token.groups) and not any(
        letter in _DECIDING for letter in token.groups
    )

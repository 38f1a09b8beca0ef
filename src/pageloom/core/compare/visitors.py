"""Lines addressed to the visitor or about the current moment, which do not matter."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pageloom.core.compare import lexicon as group
from pageloom.core.compare.spans import Span, has_group
from pageloom.core.compare.tokens import CURRENCY_CODES, CURRENCY_SIGNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pageloom.core.compare.tokens import TextToken

_LONGEST = 14
_LONGEST_PLACE = 8
_LONGEST_POLL = 30
_DECIDING = group.NEGATION + group.STATE + group.BINDING


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
    if not named or any(letter in _DECIDING for token in segment for letter in token.groups):
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


def find_shares(
    tokens: Sequence[TextToken], found: Sequence[Span], *, polled: bool
) -> Iterator[Span]:
    """Shares of a poll, which a number of votes stands beside: ``Yes 54% No 46% (1,203 votes)``."""
    counted = polled or any(span.kind == "counter" for span in found)
    if len(tokens) > _LONGEST_POLL or not counted:
        return
    shares = [
        place
        for place, (token, sign) in enumerate(pairwise(tokens))
        if token.kind == "number" and sign.text == "%"
    ]
    if len(shares) > 1:
        yield from (Span(place, place + 1, "counter") for place in shares)

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pageloom
from pageloom import Document
from pageloom.core.compare.judgement import Volatility, learn_volatile
from pageloom.core.compare.price_series import PricePoint, judge_price

BODY = "\n\n".join(
    f"The {word} boat lies at the quay and waits for the tide to carry it out."
    for word in "red blue green white black yellow brown grey".split()
)


def page(line: str) -> Document:
    return Document(title="Quay", text=f"{BODY}\n\n{line}\n\nThat is all there is to say today.")


def test_a_block_that_differs_five_times_in_a_row_is_muted_and_told_once():
    lines = [f"The watchman dreamt of number {number} again." for number in range(8)]
    known, told = Volatility(), []
    for before, after in pairwise(lines):
        report = pageloom.diff(page(before), page(after))
        assert report.has_changes
        known, new = learn_volatile(known, report)
        told += new
    assert len(told) == 1
    assert known.muted == tuple(told)
    muted = {"muted_blocks": known.muted}
    assert not pageloom.diff(page(lines[0]), page(lines[5]), muted).has_changes
    assert pageloom.diff(page(lines[0]), page(lines[5]), muted | {"scoped": True}).has_changes


def test_prices_and_stock_are_never_muted():
    known = Volatility()
    for number in range(8):
        one, two = page(f"Yours for € {number + 10}."), page(f"Yours for € {number + 11}.")
        known, new = learn_volatile(known, pageloom.diff(one, two))
        assert new == ()


def test_a_block_that_rests_once_starts_again():
    known = Volatility()
    for number in range(4):
        report = pageloom.diff(page(f"It is number {number}."), page(f"It is number {number + 1}."))
        known, _ = learn_volatile(known, report)
    known, _ = learn_volatile(known, pageloom.diff(page("x"), page("x")))
    assert known.streaks == {}


def test_slow_drift_is_told_against_what_was_last_told():
    syllables = "ba de fi go lu ma ne ri so tu".split()
    words = [a + b + c for a in syllables for b in syllables[:7] for c in syllables[:6]]
    told = previous = Document(title="Quay", text=" ".join(words))
    steps, totals = [], []
    for step in range(30):
        words[step * 13 + 5] = "other"
        now = replace(told, text=" ".join(words))
        steps.append(pageloom.diff(previous, now).has_changes)
        totals.append(pageloom.diff(told, now).has_changes)
        previous = now
    assert not any(steps)
    assert totals[0] is False
    assert totals[-1] is True


def point(amount: str | None, stock: str = "in_stock", currency: str = "EUR") -> PricePoint:
    return PricePoint(
        amount=None if amount is None else Decimal(amount), currency=currency, availability=stock
    )


def test_the_first_price_is_a_baseline():
    verdict = judge_price([], point("48"), similarity=1.0)
    assert verdict.accepted == (point("48"),)
    assert verdict.events == ()


def test_prices_that_fall_rise_and_reach_their_lowest_are_events():
    series = [point("48"), point("52")]
    kinds = [event.kind for event in judge_price(series, point("40"), similarity=1.0).events]
    assert kinds == ["drop", "all_time_low"]
    kinds = [event.kind for event in judge_price(series, point("60"), similarity=1.0).events]
    assert kinds == ["rise"]


def test_stock_that_comes_back_is_an_event():
    series = [point("48", "out_of_stock")]
    kinds = [event.kind for event in judge_price(series, point("48"), similarity=1.0).events]
    assert kinds == ["back_in_stock"]


def test_a_price_ten_times_higher_on_the_same_page_waits_for_confirmation():
    series = [point("48.00")]
    first = judge_price(series, point("4800"), similarity=0.99)
    assert first.held == point("4800")
    assert first.accepted == ()
    again = judge_price(series, point("4800"), similarity=0.99, held=first.held)
    assert again.accepted == (point("4800"),)
    back = judge_price(series, point("48.00"), similarity=0.99, held=first.held)
    assert back.accepted == (point("48.00"),)
    assert back.events == ()
    assert judge_price(series, point("4800"), similarity=0.3).held is None


def test_another_currency_is_no_drop():
    events = judge_price([point("48")], point("45", currency="CHF"), similarity=1.0).events
    assert [event.kind for event in events] == ["currency"]

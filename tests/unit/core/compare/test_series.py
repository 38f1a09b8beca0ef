from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pageloom
from pageloom import Document
from pageloom.core.prices import PricePoint, judge_price

BODY = "\n\n".join(
    f"The {word} boat lies at the quay and waits for the tide to carry it out."
    for word in "red blue green white black yellow brown grey".split()
)


def page(line: str) -> Document:
    return Document(title="Quay", text=f"{BODY}\n\n{line}\n\nThat is all there is to say today.")


def test_a_place_that_moves_on_every_visit_counts_less_and_less():
    lines = [f"The watchman dreamt of number {number} again." for number in range(8)]
    visits = [page(line) for line in lines]
    chances = [
        pageloom.diff(visits[at], visits[at + 1], earlier=visits[:at]).text.blocks[0].chance
        for at in range(7)
    ]
    assert chances == sorted(chances, reverse=True)
    assert chances[-1] < chances[0]


def test_a_place_that_was_still_and_moves_is_strong_evidence():
    still = [page("The pier is open to the public.")] * 5
    moved = page("The pier is open to everybody.")
    bare = pageloom.diff(still[-1], moved).text.blocks[0]
    known = pageloom.diff(still[-1], moved, earlier=still[:-1]).text.blocks[0]
    assert known.chance >= bare.chance


def test_a_muted_place_is_not_told_unless_it_was_chosen():
    one, two = page("The toll is 4 euros."), page("The toll is 5 euros.")
    report = pageloom.diff(one, two)
    muted = {"muted_blocks": [report.text.blocks[0].key]}
    assert pageloom.diff(one, two, muted).text.blocks[0].trivial == "muted"
    assert pageloom.diff(one, two, muted | {"scoped": True}).text.changed


def test_slow_drift_is_told_against_what_was_last_told():
    syllables = "ba de fi go lu ma ne ri so tu".split()
    words = [a + b + c for a in syllables for b in syllables[:7] for c in syllables[:6]]
    told = previous = Document(title="Quay", text=" ".join(words))
    steps, totals = [], []
    for step in range(30):
        near = slice(step * 13 + 5, step * 13 + 7)  # the same words in another order
        words[near] = reversed(words[near])
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

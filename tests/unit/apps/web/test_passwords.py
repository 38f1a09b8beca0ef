"""Waits grow with every wrong password, and end."""

from __future__ import annotations

from pageloom.flows.access.passwords import Waits


def test_waits_begin_after_five_wrong_tries_and_double():
    now = [100.0]
    waits = Waits(lambda: now[0])
    for _ in range(4):
        waits.note("ann", right=False)
    assert waits.seconds("ann") == 0
    seen = []
    for _ in range(4):
        waits.note("ann", right=False)
        seen.append(waits.seconds("ann", "elsewhere"))
    assert seen == [1, 2, 4, 8]
    now[0] += 8
    assert waits.seconds("ann") == 0


def test_a_right_password_forgets_the_wrong_ones():
    waits = Waits(lambda: 0.0)
    for _ in range(9):
        waits.note("ann", "1.2.3.4", right=False)
    assert waits.seconds("1.2.3.4") == 16
    waits.note("ann", "1.2.3.4", right=True)
    assert waits.seconds("ann", "1.2.3.4") == 0


def test_strangers_cannot_fill_the_memory():
    waits = Waits(lambda: 0.0)
    for number in range(10_100):
        waits.note(str(number), right=False)
    assert len(waits._wrong) == 10_000

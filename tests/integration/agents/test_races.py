"""Checks of one address at once, versions that are damaged, answers that come late."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.integration.agents.bench import Bench, until
from tests.integration.agents.pages import article, product

pytestmark = pytest.mark.integration

CHAIN = ("parser", "classifier", "change-detector", "storage", "price-tracker")


def runs(bench: Bench) -> list[dict]:
    return bench.query("SELECT * FROM runs ORDER BY id")


def versions(bench: Bench) -> list[int]:
    return [row["number"] for row in bench.query("SELECT number FROM versions ORDER BY number")]


@pytest.mark.parametrize("database", ["sqlite", "postgres"], indirect=True)
def test_checks_that_race_make_no_false_change_and_no_gap(bench: Bench):
    """Forty checks of one page, new to the library, through two sets of workers at once."""
    same = [article(f"s{n}", "It is sold for 40 pounds.") for n in range(20)]
    other = [article(f"o{n}", "It is sold for 50 pounds.") for n in range(20)]
    with bench.working(*CHAIN), bench.working(*CHAIN):
        bench.send("html.raw", *same)
        until(lambda: len(runs(bench)) == 20)
        bench.send("html.raw", *other)
        until(lambda: len(runs(bench)) == 40)
    outcomes = [run["outcome"] for run in runs(bench)]
    assert sorted(outcomes[:20]) == ["new"] + ["unchanged"] * 19
    assert sorted(outcomes[20:]) == ["changed"] + ["unchanged"] * 19
    assert versions(bench) == [1, 2]
    assert bench.waiting("notify") == 1


def test_an_answer_that_was_overtaken_is_no_change_back(bench: Bench):
    new = article("new", "Since May it has 3 sails.", fetchedAt="2026-03-01T10:05:00Z")
    late = article("late", "Since April it has 2 sails.", fetchedAt="2026-03-01T10:00:00Z")
    with bench.working(*CHAIN):
        bench.send("html.raw", new)
        until(lambda: len(runs(bench)) == 1)
        bench.send("html.raw", late)
        until(lambda: len(runs(bench)) == 2)
    assert [run["outcome"] for run in runs(bench)] == ["new", "stale"]
    assert versions(bench) == [1]
    assert bench.waiting("notify") == 0


def test_prices_are_a_series_without_repetition(bench: Bench):
    with bench.working(*CHAIN):
        for number, price in enumerate(["40.00", "40.00", "35.00", "35.00", "45.00"]):
            at = f"2026-03-0{number + 1}T10:00:00Z"
            bench.send("html.raw", product(f"p{number}", price, fetchedAt=at))
            until(lambda: len(runs(bench)) == number + 1)  # noqa: B023  called at once
        updates = until(
            lambda: bench.query("SELECT * FROM idempotency_keys WHERE consumer = 'price-tracker'")
        )
    prices = bench.query("SELECT amount, version FROM prices ORDER BY at")
    changes = [row["amount"] for row in prices]
    assert [a for n, a in enumerate(changes) if n == 0 or a != changes[n - 1]] == [
        *("40.00", "35.00", "45.00")
    ]
    assert len(updates) == 3


def damage(bench: Bench, *numbers: int) -> None:
    for number in numbers:
        bench.store.transact(
            lambda tx, n=number: tx.run(
                "UPDATE versions SET document = ? WHERE number = ?", b"\x00broken", n
            )
        )


def send_and_wait(bench: Bench, message: dict) -> None:
    known = len(runs(bench))
    bench.send("html.raw", message)
    until(lambda: len(runs(bench)) == known + 1)


def test_a_damaged_version_is_passed_over_for_the_newest_that_can_be_read(bench: Bench):
    with bench.working(*CHAIN):
        send_and_wait(bench, article("one", "It is sold for 40 pounds."))
        send_and_wait(bench, article("two", "It is sold for 50 pounds."))
        bench.receive("notify")
        damage(bench, 2)
        send_and_wait(bench, article("three", "It is sold for 60 pounds."))
    (notice,) = bench.receive_json("notify")
    assert "40" in notice["changes"]["text"]["before"]
    assert versions(bench) == [1, 2, 3]


def test_where_no_version_can_be_read_the_page_is_new_and_nobody_is_told(bench: Bench):
    with bench.working(*CHAIN):
        send_and_wait(bench, article("one", "It is sold for 40 pounds."))
        damage(bench, 1)
        send_and_wait(bench, article("two", "It is sold for 60 pounds."))
    assert versions(bench) == [1, 2]
    assert bench.waiting("notify") == 0
    assert bench.waiting("dead_letter") == 0
    (run,) = [run for run in runs(bench) if run["key"].startswith("two")]
    assert run["outcome"] == "rebased"
    assert "damaged" in run["reason"]


def test_where_the_version_before_is_gone_the_page_is_new_and_that_is_told(bench: Bench):
    with bench.working(*CHAIN):
        send_and_wait(bench, article("one", "It is sold for 40 pounds."))
        send_and_wait(bench, article("two", "It is sold for 50 pounds."))
        bench.receive("notify")
    bench.store.transact(lambda tx: tx.run("DELETE FROM versions"))
    workers = bench.start(*CHAIN)
    send_and_wait(bench, article("three", "It is sold for 60 pounds."))
    log = [json.loads(line) for line in bench.stop(workers).splitlines()]
    assert versions(bench) == [3]
    assert bench.waiting("notify") == 0
    assert bench.waiting("dead_letter") == 0
    (run,) = [run for run in runs(bench) if run["key"].startswith("three")]
    assert run["outcome"] == "new"
    assert run["reason"] == "no version is left to compare with"
    (told,) = [entry for entry in log if entry["event"] == "page.checked"]
    assert (told["level"], told["reason"]) == ("warning", run["reason"])


def test_the_same_message_many_times_at_once_has_one_effect(bench: Bench):
    message = json.dumps(product("twice", "40.00")).encode()
    with bench.working(*CHAIN), bench.working(*CHAIN):
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: bench.send("html.raw", *[message] * 5), range(4)))
        until(lambda: bench.waiting("html.raw") == 0 and runs(bench))
        until(lambda: bench.waiting("storage-agent") == 0)
    assert len(runs(bench)) == 1
    assert versions(bench) == [1]
    assert len(bench.query("SELECT * FROM prices")) == 1

"""The same words in other places: sometimes that says nothing, sometimes everything."""

from __future__ import annotations

import pytest

import pageloom

URL = "https://island-line.example/fares"
ROWS = (
    ("Adult", "10.00", "18.00"),
    ("Child", "5.00", "9.00"),
    ("Bicycle", "3.00", "5.50"),
    ("Dog", "2.00", "3.50"),
)
HEADS = ("Who", "Single", "Return")

TERMS = "".join(
    f"<p>{who} tickets are sold on the quay and on board, hold for the day they are bought on, "
    "and are taken back by any of our offices as long as the boat has not left.</p>"
    for who in ("Single", "Return", "Season")
)


def page(part: str) -> str:
    return (
        "<html lang=en><head><title>Ferry fares | Island line</title></head><body><nav><a href=/>"
        "Home</a> <a href=/times>Times</a></nav><main><h1>Ferry fares</h1><p>The fares below hold "
        "for all crossings between the old harbour and the island, seven days a week, and include "
        f"one piece of luggage.</p>{part}{TERMS}<p>Children under four travel free, as "
        "do folded bicycles and small dogs.</p></main><footer>© Island line</footer></body></html>"
    )


def table(*rows: tuple[str, ...], heads: tuple[str, ...] = HEADS) -> str:
    top = "".join(f"<th>{head}</th>" for head in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def numbered(*items: str) -> str:
    return "<ol>" + "".join(f"<li>{item}</li>" for item in items) + "</ol>"


def hours(opens: str, closes: str) -> str:
    return f"<dl><dt>First boat</dt><dd>{opens}</dd><dt>Last boat</dt><dd>{closes}</dd></dl>"


def tells(before: str, after: str) -> bool:
    one, two = pageloom.extract(page(before), URL), pageloom.extract(page(after), URL)
    there, back = pageloom.diff(one, two), pageloom.diff(two, one)
    assert there.has_changes == back.has_changes
    return there.has_changes


ADULT, CHILD, BICYCLE, DOG = ROWS


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (table(*ROWS), table(("Adult", "18.00", "10.00"), *ROWS[1:])),
        (table(*ROWS), table(("Adult", *CHILD[1:]), ("Child", *ADULT[1:]), *ROWS[2:])),
        (table(*ROWS), table(ADULT, CHILD, ("Bicycle", "2.00", "5.50"), ("Dog", "3.00", "3.50"))),
        (hours("6:40", "22:10"), hours("22:10", "6:40")),
        (
            numbered("Island Runner", "Grey Gull", "Old Anna", "Swan"),
            numbered("Grey Gull", "Island Runner", "Old Anna", "Swan"),
        ),
        (
            "<p>Adults pay 10 euros, children 5 euros.</p>",
            "<p>Adults pay 5 euros, children 10 euros.</p>",
        ),
        (
            "<p>Boats leave from pier A and come back to pier B.</p>",
            "<p>Boats leave from pier B and come back to pier A.</p>",
        ),
        (
            "<p>On Monday the café is open, on Tuesday it is closed.</p>",
            "<p>On Monday the café is closed, on Tuesday it is open.</p>",
        ),
        ("<p>Harbour 2 – 1 Island</p>", "<p>Harbour 1 – 2 Island</p>"),
    ],
)
def test_values_that_change_places_are_told(before, after):
    assert tells(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (table(*ROWS), table(CHILD, ADULT, DOG, BICYCLE)),
        (
            table(*ROWS),
            table(
                *((who, back, single) for who, single, back in ROWS),
                heads=("Who", "Return", "Single"),
            ),
        ),
        (
            "<ul><li>Island Runner</li><li>Grey Gull</li><li>Old Anna</li></ul>",
            "<ul><li>Old Anna</li><li>Island Runner</li><li>Grey Gull</li></ul>",
        ),
        (
            "<p>Cabins for 2, 4, 6 and 8 people can be had on board.</p>",
            "<p>Cabins for 8, 6, 4 and 2 people can be had on board.</p>",
        ),
    ],
)
def test_whole_rows_columns_and_plain_lists_in_another_order_are_the_same(before, after):
    assert not tells(before, after)

from __future__ import annotations

import pytest

from pageloom.apps.cli.table_layout import display_width, set_table

LIST = (">id", "saved", "", "title", "site")
PAGES = [
    ("1", "2026-03-05", "·", "How a harbour crane became home to two hundred swifts", "a" * 40),
    (
        "20",
        "2026-03-06",
        "P·",
        "島の図書館は海の近くにあります。本がたくさんあります。",
        "b.example",
    ),
]
HISTORY = (">version", "fetched", "last seen", ">words", ">quality", "by")
VERSIONS = [("12", "2026-03-05 08:30", "2026-03-06 08:30", "12,345", "87", "import trivial")]
TABLES = [(LIST, PAGES, 3, (4, 1)), (HISTORY, VERSIONS, 5, (2, 4)), (HISTORY, VERSIONS, 5, ())]


@pytest.mark.parametrize("width", [40, 50, 60, 80, 100, 120])
@pytest.mark.parametrize(("headers", "rows", "flexible", "drop"), TABLES)
def test_a_table_fits_every_terminal(headers, rows, flexible, drop, width):
    lines = list(set_table(headers, rows, flexible=flexible, drop=drop, width=width))
    assert max(map(display_width, lines)) <= width
    assert len(lines) == len(rows) + 1
    assert headers[0].lstrip(">") in lines[0]
    assert headers[flexible] in lines[0]


def test_wide_columns_give_way_to_each_other_before_any_is_left_out():
    [head, first, _] = set_table(LIST, PAGES, flexible=3, drop=(4, 1), width=70)
    assert head.split() == ["id", "saved", "title", "site"]
    assert "2026-03-05" in first
    assert first.count("…") == 2
    title, site = first[18:].split("…")[:2]
    assert abs(display_width(title.strip()) - display_width(site.strip())) <= 1
    [head, *_] = set_table(LIST, PAGES, flexible=3, drop=(4, 1), width=40)
    assert head.split() == ["id", "saved", "title"]
    [head, first] = set_table(HISTORY, VERSIONS, flexible=5, drop=(2, 4), width=56)
    assert head.split() == ["version", "fetched", "words", "quality", "by"]
    assert "2026-03-05 08:30" in first

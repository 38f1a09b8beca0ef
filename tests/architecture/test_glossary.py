"""docs/architecture.md names modules that exist, and defines each word once, in order."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PATHS = sorted(set(re.findall(r"`((?:[a-z_]+/)+[a-z_]*(?:\.\w+)?)`", TEXT)))
ROWS = re.findall(r"(?m)^\| ([^|]+) \| [^|]+ \| [^|]+ \|$", TEXT.partition("## Glossary")[2])
WORDS = [row for row in ROWS if row != "word" and not row.startswith("-")]


def test_every_place_that_is_named_exists():
    homes = (ROOT / "src" / "pageloom", ROOT)
    assert [path for path in PATHS if not any((home / path).exists() for home in homes)] == []


def test_the_glossary_has_each_word_once_in_alphabetical_order():
    assert len(WORDS) > 50
    assert sorted(set(WORDS), key=str.lower) == WORDS


def test_a_class_name_means_one_thing():
    """A name that two modules share is found twice by whoever looks for one of them.

    Front doors name what they take after what it becomes.
    """
    homes: dict[str, list[str]] = {}
    source = ROOT / "src" / "pageloom"
    for path in set(source.rglob("*.py")) - set((source / "apps").rglob("*.py")):
        for name in re.findall(r"(?m)^class ([A-Z]\w*)", path.read_text(encoding="utf-8")):
            homes.setdefault(name, []).append(path.name)
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}

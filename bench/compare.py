"""How long comparing takes: ``python bench/compare.py [--size CHARACTERS]``.

Prints the least processor time of several runs, which other work on the machine does not lengthen
much. Texts are made of
words drawn with a fixed seed, so that figures of two days can be compared.
"""

from __future__ import annotations

import argparse
import platform
import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pageloom
from pageloom import Document

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 5


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1_000_000)
    size = parser.parse_args().size
    print(f"{platform.machine()} {platform.python_version()}, texts of {size:,} characters")
    print(f"{'a million additions, to compare machines':<44}{best(add_up) * 1e3:9.1f} ms")
    for name, before, after in cases(size):
        one, two = document(before), document(after)
        milliseconds = best(lambda a=one, b=two: pageloom.diff(a, b)) * 1e3
        report = pageloom.diff(one, two)
        told = ", ".join(report.changed_fields) or "nothing"
        print(f"{name:<44}{milliseconds:9.1f} ms   {report.text.similarity:.3f}  {told}")
    text = next(iter(cases(size)))[1]
    same = replace(document(text), change_hash="a")
    print(
        f"{'equal hashes (fast path)':<44}{best(lambda: pageloom.diff(same, same)) * 1e6:9.1f} µs"
    )


def add_up() -> None:
    """Something that takes as long as the machine is slow or busy."""
    total = 0
    for number in range(1_000_000):
        total += number


def best(work: Callable[[], object]) -> float:
    """The shortest of a few runs, in seconds."""
    times: list[float] = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def document(text: str) -> Document:
    """A page of nothing but text."""
    return Document(text=text, title="Bench", page_type="article")


def cases(size: int) -> list[tuple[str, str, str]]:
    """Name, text before and text after."""
    chance = random.Random(7)  # noqa: S311  the same words every time
    words = [
        "".join(chance.choices("abcdefghijklmnop", k=chance.randint(2, 10))) for _ in range(6_000)
    ]

    def paragraph(length: int = 90) -> str:
        return " ".join(chance.choices(words, k=length)).capitalize() + "."

    lines: list[str] = []
    while sum(map(len, lines)) < size:
        lines.append(paragraph())
    whole = "\n\n".join(lines)
    signs = "".join(chance.choices(SIGNS, k=size // 3))
    short = [paragraph(4) for _ in range(len(whole) // 30)]
    return [
        ("one digit", whole + "\n\nAbout 340 boats.", whole + "\n\nAbout 341 boats."),
        (
            "a paragraph put in, one taken out",
            whole,
            join([*lines[:9], paragraph(), *lines[10:700], *lines[701:]]),
        ),
        ("one word in every tenth paragraph", whole, join(edit(lines, chance, 10))),
        ("one word in every paragraph", whole, join(edit(lines, chance, 1))),
        (
            "half of the paragraphs new",
            whole,
            join(line if n % 2 else paragraph() for n, line in enumerate(lines)),
        ),
        ("everything new", whole, join(paragraph() for _ in lines)),
        ("paragraphs shuffled", whole, join(chance.sample(lines, len(lines)))),
        (
            "short lines, a third new",
            join(short),
            join(n if i % 3 else paragraph(4) for i, n in enumerate(short)),
        ),
        (
            "one line without an end",
            whole.replace("\n", " "),
            whole.replace("\n", " ").replace("a", "b", 50),
        ),
        ("counters in 5,000 lines", counters(1), counters(2)),
        (
            "50,000 items, all in another order",
            join(items(1)),
            join(chance.sample(items(1), 50_000)),
        ),
        ("50,000 items, each with another number", join(items(1)), join(items(2))),
        ("40,000 items in Cyrillic letters, likewise", join(entries(1)), join(entries(2))),
        ("40,000 topics, each with more views", join(topics(1)), join(topics(2))),
        (
            "40,000 items, one of them other",
            join(entries(1)),
            join([*entries(1)[:20_000], paragraph(4), *entries(1)[20_001:]]),
        ),
        ("repeated lines, some new", join(repeated(1)), join(repeated(2))),
        ("no spaces, 1,000 characters other", signs, rewritten_signs(signs, chance)),
        ("no spaces, all new", signs, "".join(chance.choices(SIGNS, k=size // 3))),
        ("edits just below the limit for reading closely", whole, join(edit(lines, chance, 70))),
    ]


SIGNS = [chr(code) for code in range(0x4E00, 0x5200)] + ["。"] * 30 + ["\n"] * 8


def items(step: int) -> list[str]:
    """The items of a long list."""
    return [f"Item {n * step} of many" for n in range(50_000)]


def entries(step: int) -> list[str]:
    """The items of a long list in letters beyond plain English."""
    return [f"Пункт {n * step} из многих" for n in range(40_000)]


def topics(step: int) -> list[str]:
    """A long list whose counters move on."""
    return [f"Topic {n}, {n * step} views" for n in range(40_000)]


def repeated(step: int) -> list[str]:
    """The same few lines again and again, some of them in other places."""
    return [f"Line of kind {n * step % 7 if n % 5 else n % 11}" for n in range(40_000)]


def rewritten_signs(signs: str, chance: random.Random) -> str:
    """Other characters in a thousand places."""
    changed = list(signs)
    for place in chance.sample(range(len(changed)), 1_000):
        changed[place] = chance.choice(SIGNS)
    return "".join(changed)


def join(lines: object) -> str:
    """Paragraphs as one text."""
    return "\n\n".join(lines)  # type: ignore[arg-type]


def edit(lines: list[str], chance: random.Random, every: int) -> list[str]:
    """Another word in every so many paragraphs."""
    changed = list(lines)
    for number in range(0, len(lines), every):
        words = changed[number].split()
        words[chance.randrange(len(words))] = "otherwise"
        changed[number] = " ".join(words)
    return changed


def counters(step: int) -> str:
    """Lines whose counters and times move on."""
    return join(f"Post {n} · {n * step} views · {step} hours ago" for n in range(5_000))


if __name__ == "__main__":
    main()

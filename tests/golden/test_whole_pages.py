"""Things that hold for whole pages together: size, sameness across processes, flat memory."""

from __future__ import annotations

import gc
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.cli import environment

from pageloom import extract

HERE = Path(__file__).parent
SEVERAL = (
    "news--coast-road",
    "product--rucksack-variants",
    "forum--bicycle-thread",
    "collection--lamps-grid",
    "docs--code-and-sidebar",
    "rtl--arabic-watchmaker",
    "cjk--japanese-island-library",
    "forum--preloaded-topic",
    "malformed--unclosed-everything",
)
NOUNS = (
    "river bridge baker ferry orchard lantern market winter ladder kettle harbour meadow".split()
)
VERBS = "carries mends forgets counts follows paints borrows shelters measures remembers".split()


def sentence(chance: random.Random) -> str:
    one, other, last = chance.sample(NOUNS, 3)
    number = chance.randrange(2, 900)
    return (
        f"The {one} {chance.choice(VERBS)} {number} things that the {other} left near the {last}."
    )


def large_page(seed: int, size: int) -> tuple[str, list[str]]:
    """A long read with chapters among menus, boxes and a thousand comments."""
    chance = random.Random(seed)  # noqa: S311  no secret
    paragraphs: list[str] = []
    parts: list[str] = []
    length = 0
    while length < size * 0.7:
        text = " ".join(sentence(chance) for _ in range(chance.randrange(4, 9)))
        paragraphs.append(text)
        if len(paragraphs) % 12 == 1:
            parts.append(f"<h2>Chapter {len(paragraphs) // 12 + 1}</h2>")
        parts.append(f"<p>{text}</p>")
        length += len(text)
    menu = "".join(f'<li><a href="/s/{n}">{n} pages</a></li>' for n in NOUNS * 10)
    talk: list[str] = []
    while length < size:
        talk.append(f'<div class="comment"><b>guest</b><p>I disagree. {sentence(chance)}</p></div>')
        length += len(talk[-1])
    page = (
        "<!doctype html><html lang=en><title>The long read of the harbour</title><body>"
        f"<nav><ul>{menu}</ul></nav><main><article><h1>The long read of the harbour</h1>"
        f"{''.join(parts)}</article></main><section id=comments class=comments><h2>Comments</h2>"
        f"{''.join(talk)}</section><footer><p>Copyright of the long read, all rights reserved.</p>"
        "</footer></body></html>"
    )
    return page, paragraphs


def test_a_page_of_more_than_a_megabyte_keeps_its_text():
    page, paragraphs = large_page(5, 1_300_000)
    assert len(page) > 1_000_000
    document = extract(page, "https://long.example/read")
    kept = sum(text in document.text for text in paragraphs)
    assert kept >= len(paragraphs) * 0.99
    assert document.text.count("I disagree.") < len(paragraphs) * 0.05
    assert "all rights reserved" not in document.text
    assert document.title == "The long read of the harbour"
    assert document.markdown.count("\n## Chapter ") >= 50


SCRIPT = """
import json, sys
from pathlib import Path
from pageloom import extract
for case in sys.argv[2:]:
    place = Path(sys.argv[1]) / case
    meta = json.loads((place / "meta.json").read_text(encoding="utf-8"))
    print(extract((place / "page.html").read_bytes(), meta["url"]).to_json())
"""


def documents_with_seed(seed: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(HERE), *SEVERAL],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env=environment(PYTHONHASHSEED=seed, PYTHONIOENCODING="utf-8"),
    ).stdout


@pytest.mark.integration
def test_two_processes_with_other_hash_seeds_give_the_same_documents():
    first = documents_with_seed("1")
    assert len(first.splitlines()) == len(SEVERAL)
    assert documents_with_seed("4242") == first


def all_pages() -> list[tuple[bytes, str]]:
    return [
        (path.read_bytes(), json.loads(path.with_name("meta.json").read_text("utf-8"))["url"])
        for path in sorted(HERE.glob("*/page.html"))
    ]


def test_many_pages_leave_nothing_behind():
    pages = all_pages()
    chance = random.Random(3)  # noqa: S311  no secret
    run_pages(pages, 80, chance)
    blocks, resident = held()
    run_pages(pages, 120, chance)
    blocks_after, resident_after = held()
    assert blocks_after - blocks < 20_000
    assert resident_after - resident < 30_000_000


def run_pages(pages: list[tuple[bytes, str]], count: int, chance: random.Random) -> None:
    """Each page with a line of its own, so that no memory of the last one helps."""
    for number in range(count):
        body, url = pages[number % len(pages)]
        line = f'<p class="c{chance.randrange(10**9)}">{sentence(chance)}</p></body>'.encode()
        extract(body.replace(b"</body>", line), f"{url}/{chance.randrange(10**9)}")


def held() -> tuple[int, int]:
    """Blocks that Python holds, and bytes of the whole process where the system tells."""
    gc.collect()
    status = Path("/proc/self/statm")
    pages = int(status.read_text().split()[1]) if status.exists() else 0
    return sys.getallocatedblocks(), pages * 4096

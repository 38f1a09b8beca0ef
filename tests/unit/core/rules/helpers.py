"""What the tests of rules share."""

from __future__ import annotations

from typing import Any

import pageloom
from pageloom.core.rules.book import RuleBook
from pageloom.core.rules.load import load_rules


def book(text: str) -> RuleBook:
    """A book of rules that have no mistakes."""
    loaded = load_rules(text)
    assert not loaded.problems, [str(each) for each in loaded.problems]
    return RuleBook(loaded.specs)


def read(page: str, rules: str, url: str = "https://site.example/a/story", **more: Any):
    """The Document of a page under some rules."""
    return pageloom.extract(page, url, rules=book(rules), **more)


PARAGRAPHS = [
    "The harbour master counted forty swifts over the old granary on the first evening of May, "
    "which is nine more than in the year before.",
    "Nobody in the town had expected the birds to come back so soon after the roof was mended, "
    "because the builders had closed most of the gaps under the eaves.",
    "A group of pupils then built thirty boxes of untreated larch and hung them on the northern "
    "wall, where the sun does not reach them before noon.",
    "By the end of June at least eleven of the boxes were in use, and the council has promised to "
    "leave the wall alone until the last chick has flown.",
]
STORY = "\n".join(f"<p>{text}</p>" for text in PARAGRAPHS)


def page(body: str, head: str = "") -> str:
    """A page with some navigation around a body."""
    return f"""<!doctype html><html lang=en><head><title>Swifts return | Tidewatch</title>{head}
</head><body><header><nav><a href=/>Home</a> <a href=/news>News</a></nav></header>
{body}
<footer><p>© Tidewatch, all rights reserved</p></footer></body></html>"""

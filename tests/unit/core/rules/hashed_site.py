"""Pages whose build tools name classes anew at every release, with the elements to be found marked.

Every version has other hashes, other words, and now and then a banner, an advert or a comment more.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable

TRUTH = "data-truth"
TARGETS = ("title", "byline", "body", "newsletter", "related", "comments")
Namer = Callable[[str], str]
_WORDS = "harbour swift tide lantern quay barrel rope gull winter market walk boat".split()


def _hash(rng: random.Random, size: int = 6) -> str:
    return rng.choice(string.ascii_letters) + "".join(
        rng.choices(string.ascii_letters + string.digits, k=size - 1)
    )


def namers(rng: random.Random) -> dict[str, Namer]:
    """How each kind of build names the class of an element; each is one release."""

    def once(make: Callable[[str], str]) -> Namer:
        known: dict[str, str] = {}
        return lambda part: known.setdefault(part, make(part))

    low = string.ascii_lowercase + string.digits
    return {
        "modules": once(lambda part: f'class="Story_{part}__{_hash(rng, 5)}"'),
        "dashes": once(lambda part: f'class="story-{part}-{_hash(rng, 6)}"'),
        "styled": once(lambda _: f'class="sc-{_hash(rng)}-{rng.randint(0, 9)} {_hash(rng)}"'),
        "emotion": once(lambda _: f'class="css-{"".join(rng.choices(low, k=7))}"'),
        "scoped": once(lambda part: f'data-v-{rng.randrange(16**8):08x} class="{part}"'),
        "utilities": once(lambda _: f'class="p-{rng.randint(1, 8)} flex mt-{rng.randint(1, 8)}"'),
        "ids": once(lambda part: f'id="{part}-{rng.randint(1000, 99999)}" class="box"'),
        "tested": once(lambda part: f'data-testid="story-{part}" class="{_hash(rng, 7)}"'),
        "items": once(lambda part: f'itemprop="{part}" class="{_hash(rng, 5)}"'),
        "letters": once(lambda _: f'class="{"".join(rng.choices(string.ascii_lowercase, k=2))}"'),
    }


def page(kind: str, version: int) -> str:
    """One version of the page of one kind of build."""
    rng = random.Random(f"{kind} {version}")  # noqa: S311  no secret
    name = namers(rng)[kind]

    def words(count: int) -> str:
        return " ".join(rng.choices(_WORDS, k=count)).capitalize() + "."

    def mark(part: str) -> str:
        return f'{name(part)} {TRUTH}="{part}"'

    banner = f"<div {name('banner')}>{words(6)}</div>" if rng.random() < 0.4 else ""
    advert = f"<div {name('advert')}><p>{words(5)}</p></div>" if rng.random() < 0.4 else ""
    text = [f"<p>{words(30)}</p>" for _ in range(rng.randint(4, 9))]
    text.insert(2, advert)
    related = "".join(f"<li><a href='/{n}'>{words(4)}</a></li>" for n in range(rng.randint(3, 6)))
    said = "".join(f"<div {name('said')}>{words(12)}</div>" for _ in range(rng.randint(1, 4)))
    return f"""<html><head><title>x</title></head><body><div {name("shell")}>{banner}
<div {name("bar")}><a href="/">{words(2)}</a><div>{words(3)}</div></div>
<div {name("grid")}><div {name("column")}>
<h1 {mark("title")}>{words(5)}</h1><div {mark("byline")}>By {words(2)}</div>
<div {mark("body")}>{"".join(text)}</div>
<div {mark("newsletter")}><h3>Letters from the quay</h3><p>{words(9)}</p></div>
<div {mark("comments")}><h2>What readers say</h2>{said}</div></div>
<div {name("side")}><div {mark("related")}><h2>Read next</h2><ul>{related}</ul></div>
{advert}</div></div><div {name("end")}>{words(8)}</div></div></body></html>"""


def unmarked(markup: str) -> str:
    """The page as a site would send it."""
    return re.sub(rf' {TRUTH}="\w+"', "", markup)

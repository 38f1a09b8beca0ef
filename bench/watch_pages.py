"""Pages that live: each has things to say that change now and then, and noise that never rests."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

_NAMES = "Ellery Marsh Quill Harrow Tamsin Brook Larkin Voss Penrose Okafor Ibarra Sato".split()
_PLACES = "Port Ellery,the old mill,Gull Island,the upper valley,Saltmarsh Road,the quay".split(",")
_THINGS = "kettle rucksack lamp bicycle tent keyboard armchair telescope".split()
_VERBS = "opens closes moves returns repairs extends replaces inspects".split()
_NOUNS = (
    "bridge ferry library harbour market orchard museum workshop timetable ticket garden council"
    " station footpath reservoir school clinic theatre lighthouse archive"
).split()
_ADS = (
    "Save on car insurance today",
    "Five gadgets your kitchen needs",
    "Learn a language in three weeks",
    "The mattress everyone talks about",
    "Refinance now and relax later",
    "Free delivery on your first box",
)
SHAPES = ("article", "product", "job", "policy", "listing", "forum")


@dataclass
class LivingPage:
    """One page of the simulation."""

    number: int
    chance: random.Random
    shape: str = ""
    title: str = ""
    paragraphs: list[str] = field(default_factory=list[str])
    price: float = 0.0
    in_stock: bool = True
    noise: tuple[str, ...] = ()
    edits: int = 0
    told_edits: int = 0
    kinds: list[str] = field(default_factory=list[str])
    checks: int = 0
    states: list[tuple[object, ...]] = field(default_factory=list[tuple[object, ...]])
    """All that it ever said."""

    def __post_init__(self) -> None:
        self.shape = SHAPES[self.number % len(SHAPES)]
        self.title = f"{self._noun().title()} news from {self.chance.choice(_PLACES)} {self.number}"
        if self.shape == "product":
            self.title = f"{self.chance.choice(_THINGS).title()} model {self.number}"
            self.price = round(self.chance.uniform(8, 900), 2)
        self.paragraphs = [self._paragraph() for _ in range(self.chance.randint(6, 16))]
        self.noise = self._choose_noise()
        self.states = [self.state()]

    def state(self) -> tuple[object, ...]:
        """What it says now."""
        return self.title, *self.paragraphs, self.price, self.in_stock

    def _noun(self) -> str:
        return self.chance.choice(_NOUNS)

    def _choose_noise(self) -> tuple[str, ...]:
        every = ("counter", "ago", "session", "ads", "related", "cache", "nonce", "updated")
        roll = self.chance.random()
        if roll < 0.35:
            return ()
        if roll < 0.55:
            return ("nonce", "cache", "session")
        restless = ("quote",) if self.chance.random() < 0.06 else ()
        return (*self.chance.sample(every, self.chance.randint(2, len(every))), *restless)

    def _sentence(self) -> str:
        c = self.chance
        return (
            f"The {self._noun()} near {c.choice(_PLACES)} {c.choice(_VERBS)} the {self._noun()}"
            f" that {c.choice(_NAMES)} and {c.choice(_NAMES)} {c.choice(_VERBS)} beside the"
            f" {self._noun()}."
        )

    def _paragraph(self) -> str:
        return " ".join(self._sentence() for _ in range(self.chance.randint(2, 5)))

    def edit(self) -> None:
        """Change something that a reader would want to hear of."""
        kinds = [self._edit_number, self._edit_added, self._edit_removed, self._edit_negation]
        kinds += [self._edit_rewritten, self._edit_title]
        if self.shape == "product":
            kinds += [self._edit_price, self._edit_price, self._edit_stock]
        act = self.chance.choice(kinds)
        act()
        self.edits += 1
        self.kinds.append(act.__name__.removeprefix("_edit_"))
        self.states.append(self.state())

    def _edit_number(self) -> None:
        place = self.chance.randrange(len(self.paragraphs))
        amount, day = self.chance.randint(2, 900), self.chance.randint(1, 28)
        self.paragraphs[place] += f" From {day} May it costs {amount} euros."

    def _edit_added(self) -> None:
        self.paragraphs.insert(self.chance.randrange(len(self.paragraphs)), self._paragraph())

    def _edit_removed(self) -> None:
        if len(self.paragraphs) > 4:
            self.paragraphs.pop(self.chance.randrange(len(self.paragraphs)))
        else:
            self._edit_added()

    def _edit_negation(self) -> None:
        place = self.chance.randrange(len(self.paragraphs))
        name = self.chance.choice(_NAMES)
        old, new = f" {name} will not take part.", f" {name} will take part."
        text = self.paragraphs[place]
        self.paragraphs[place] = text.replace(old, new) if old in text else text + old

    def _edit_rewritten(self) -> None:
        self.paragraphs[self.chance.randrange(len(self.paragraphs))] = self._paragraph()

    def _edit_title(self) -> None:
        before = self.title
        while self.title == before:
            subject, act = self._noun().title(), self.chance.choice(_VERBS)
            self.title = f"{subject} {act} at last {self.number}"

    def _edit_price(self) -> None:
        before = self.price
        while self.price == before:
            self.price = round(max(1.0, before * self.chance.uniform(0.7, 1.3)), 2)

    def _edit_stock(self) -> None:
        self.in_stock = not self.in_stock

    def html(self) -> str:
        """The page as it is served now."""
        self.checks += 1
        c = self.chance if self.noise else random.Random(self.number)  # noqa: S311  no secret
        nonce = c.getrandbits(64) if "nonce" in self.noise else 7
        session = c.getrandbits(32) if "session" in self.noise else 7
        buster = c.getrandbits(20) if "cache" in self.noise else 7
        head = f'<meta name="csrf-token" content="{nonce:x}"><title>{self.title} | Daily</title>'
        nav = "".join(
            f'<li><a href="/{noun}?sid={session:x}">{noun.title()}</a></li>' for noun in _NOUNS[:7]
        )
        return (
            f'<!doctype html><html lang="en"><head>{head}{self._json()}</head><body>'
            f'<header><a href="/">Daily</a><nav><ul>{nav}</ul></nav></header>'
            f"<main><article><h1>{self.title}</h1>{self._byline(c)}"
            f'<img src="/photo-{self.number}.jpg?v={buster}" alt="A view" width="600" height="400">'
            f"{self._offer()}{self._body(c)}</article></main>{self._asides(c)}"
            f"<footer><p>© 2026 Daily. All rights reserved.</p></footer>"
            f'<script nonce="{nonce:x}">window.s="{session:x}"</script></body></html>'
        )

    def _json(self) -> str:
        if self.shape != "product":
            return ""
        stock = "InStock" if self.in_stock else "OutOfStock"
        return (
            '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product",'
            f'"name":"{self.title}","offers":{{"@type":"Offer","price":"{self.price:.2f}",'
            f'"priceCurrency":"EUR","availability":"https://schema.org/{stock}"}}}}</script>'
        )

    def _offer(self) -> str:
        if self.shape != "product":
            return ""
        stock = "In stock" if self.in_stock else "Sold out"
        return f'<p class="price">{self.price:.2f} €</p><p class="stock">{stock}</p>'

    def _byline(self, c: random.Random) -> str:
        parts = [f"<span>By {_NAMES[self.number % len(_NAMES)]} Hale</span>"]
        if "ago" in self.noise:
            parts.append(f"<span>{c.randint(2, 23)} hours ago</span>")
        if "updated" in self.noise:
            parts.append(f"<span>Last updated: {c.randint(10, 23)}:{c.randint(10, 59)}</span>")
        if "counter" in self.noise:
            parts.append(f"<span>{c.randint(1_000, 99_999):,} views</span>")
        return f'<div class="meta">{" · ".join(parts)}</div>'

    def _body(self, c: random.Random) -> str:
        texts = [f"<p>{text}</p>" for text in self.paragraphs]
        if self.shape in ("listing", "forum"):
            texts = [
                f'<div class="item"><h2>Part {n}</h2>{t}</div>' for n, t in enumerate(texts, 1)
            ]
        if "quote" in self.noise:
            texts.append(f'<p class="quote">{self._quote(c)}</p>')
        return "".join(texts)

    def _quote(self, c: random.Random) -> str:
        return f"Quote of the moment: {c.choice(_NAMES)} {c.choice(_VERBS)} the {c.choice(_NOUNS)}."

    def _asides(self, c: random.Random) -> str:
        ad = c.choice(_ADS) if "ads" in self.noise else _ADS[0]
        nouns = _NOUNS[self.number % 9 :][:6]
        if "related" in self.noise:
            c.shuffle(nouns)
        items = "".join(f'<li><a href="/more/{n}">More on the {n}</a></li>' for n in nouns)
        return (
            f'<aside class="ad">Advertisement <a href="/ad">{ad}</a></aside>'
            f'<aside class="related"><h3>Related</h3><ul>{items}</ul></aside>'
        )

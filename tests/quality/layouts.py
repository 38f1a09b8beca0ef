"""Repeated items in many layouts, and how many come out whole: ``python -m tests.quality.layouts``.

Eight subjects in thirteen kinds of markup, three frames, few or many items, with and without an
introduction: 1,248 pages, whose words are drawn by ``--seed``.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import pageloom

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WORDS = (
    "harbour pilot rope chart tide lantern quay ferry signal anchor crew storm buoy compass mast "
    "sail winch hull keel rudder deck cabin galley captain sailor voyage island coast beacon fog "
    "current depth sounding wreck diver salvage tow tug barge dock crane cargo customs warehouse "
    "market fishing net herring cod eel oyster mussel"
).split()


@dataclass(frozen=True)
class Item:
    """One of the things that a page lists."""

    title: str
    about: str
    fact: str = ""
    price: str = ""
    action: str = ""


@dataclass(frozen=True)
class Page:
    """A page and what must be in its text."""

    name: str
    url: str
    html: str
    titles: tuple[str, ...]
    texts: tuple[str, ...]


def _sentence(draw: random.Random, count: int) -> str:
    return " ".join(draw.choice(WORDS) for _ in range(count)).capitalize() + "."


def _course(draw: random.Random, number: int) -> Item:
    title = f"Course {number}x{draw.choice(WORDS)}{number} for beginners"
    weeks, price = f"{draw.randint(2, 9)} weeks", f"€{draw.randint(20, 400)}"
    return Item(title, _sentence(draw, 14), weeks, price, "Enrol")


def _question(draw: random.Random, number: int) -> Item:
    title = f"How do I {draw.choice(WORDS)} my {draw.choice(WORDS)}q{number}?"
    return Item(title, _sentence(draw, 22))


def _job(draw: random.Random, number: int) -> Item:
    title = f"{draw.choice(WORDS).capitalize()}j{number} officer"
    return Item(title, _sentence(draw, 8), "Trieste, full time", "", "Apply")


def _colleague(draw: random.Random, number: int) -> Item:
    title = f"Ada{number} {draw.choice(WORDS).capitalize()}"
    return Item(title, _sentence(draw, 10), f"Head of {draw.choice(WORDS)}", "", "Mail")


def _event(draw: random.Random, number: int) -> Item:
    title = f"Evening of {draw.choice(WORDS)}e{number}"
    return Item(title, _sentence(draw, 9), f"{draw.randint(1, 28)} May 2026", "Free", "Tickets")


def _plan(draw: random.Random, number: int) -> Item:
    title = f"Plan{number} {draw.choice(WORDS)}"
    return Item(title, _sentence(draw, 12), "per month", f"${draw.randint(5, 90)}", "Choose")


def _shop(draw: random.Random, number: int) -> Item:
    title = f"Shop{number} {draw.choice(WORDS)}"
    street = f"{draw.randint(1, 99)} {draw.choice(WORDS).capitalize()} Street, 3412{number}"
    return Item(title, street, "Mon to Fri 9 to 18", "", "Route")


def _review(draw: random.Random, number: int) -> Item:
    title = f"Lovely {draw.choice(WORDS)}r{number}"
    return Item(title, _sentence(draw, 25), "by Tom", "", "Helpful")


SUBJECTS: dict[str, Callable[[random.Random, int], Item]] = {
    "Our courses": _course,
    "Questions and answers": _question,
    "Open positions": _job,
    "Our team": _colleague,
    "What is on": _event,
    "Plans and prices": _plan,
    "Find a shop": _shop,
    "What people say": _review,
}
MARKUP = {
    "cards": '<div class="card"><img src="/i.jpg" alt=""><div class="card-body">'
    '<h3 class="card-title">{title}</h3><p class="card-text">{about}</p>'
    '<span class="meta">{fact}</span> <b>{price}</b> '
    '<a class="btn btn-primary" href="/x">{action}</a></div></div>',
    "tiles": '<a class="tile" href="/x"><div class="tile__head">{title}</div>'
    '<div class="tile__body">{about}</div><div class="tile__foot">{fact} {price}</div></a>',
    "list": '<li><a href="/x">{title}</a> <span>{fact}</span> <span>{price}</span>'
    "<p>{about}</p></li>",
    "short list": '<li class="item"><a href="/x">{title}</a> <small>{fact} {price}</small></li>',
    "details": "<details><summary>{title}</summary><p>{about} {fact} {price}</p></details>",
    "accordion": '<div class="accordion-item"><h2 class="accordion-header">'
    '<button class="accordion-button collapsed" data-bs-toggle="collapse">{title}</button></h2>'
    '<div class="accordion-collapse collapse"><div class="accordion-body">{about} {fact} {price}'
    "</div></div></div>",
    "regions": '<div class="q"><button aria-expanded="false" aria-controls="a1">{title}</button>'
    '<div role="region" hidden><p>{about} {fact} {price}</p></div></div>',
    "definitions": "<dt>{title}</dt><dd>{about} {fact} {price}</dd>",
    "table": '<tr><td><a href="/x">{title}</a></td><td>{fact}</td><td>{price}</td>'
    "<td>{about}</td></tr>",
    "rows": '<div class="row"><div class="col-3">{title}</div><div class="col-6">{about}</div>'
    '<div class="col-3">{fact} {price}</div></div>',
    "articles": '<article><header><h2><a href="/x">{title}</a></h2></header><p>{about}</p>'
    '<footer>{fact} {price} <a href="/x">{action}</a></footer></article>',
    "hashed": '<div class="css-1ad3f9"><div class="sc-9f2ab1">{title}</div>'
    '<div class="sc-77ad0e">{about}</div><div class="sc-0b2c">{fact} {price}</div></div>',
    "spans": '<span class="entry"><strong>{title}</strong><br>{about}<br>{fact} {price}</span>'
    "<br><br>",
}
AROUND = {
    "list": ("<ul>", "</ul>"),
    "short list": ("<ul class=listing>", "</ul>"),
    "definitions": ("<dl>", "</dl>"),
    "table": ("<table><tr><th>Name<th>When<th>Cost<th>About</tr>", "</table>"),
}


def _links(names: str, letter: str) -> str:
    links = (
        f'<li><a href="/{letter}{number}">{name}</a></li>'
        for number, name in enumerate(names.split(", "))
    )
    return f"<ul>{''.join(links)}</ul>"


TOP = (
    '<header class="site-header"><a href="/">Harbour School</a><nav>'
    f"{_links('Home, About, Courses, Contact, News, Log in', 'n')}</nav></header>"
)
BOTTOM = (
    f'<footer class="site-footer">{_links("Imprint, Privacy, Terms, Cookies, Careers", "f")}'
    "<p>© 2026 Harbour School. All rights reserved.</p></footer>"
)
_NEWS = _links(", ".join(f"Old story {number} of the town" for number in range(8)), "s")
FRAMES = {
    "main": f"{TOP}<main><h1>{{heading}}</h1>{{intro}}{{items}}</main>{BOTTOM}",
    "boxes": f'{TOP}<div class="wrapper"><div class="hero"><h1>{{heading}}</h1>{{intro}}</div>'
    f'<div class="section"><div class="container">{{items}}</div></div></div>{BOTTOM}',
    "sidebar": f'{TOP}<div id="page"><aside class="sidebar"><h3>Latest news</h3>{_NEWS}</aside>'
    f'<div id="content"><h1>{{heading}}</h1>{{intro}}{{items}}</div></div>{BOTTOM}',
}


def pages(seed: int = 0) -> Iterator[Page]:
    """All of them, one after another."""
    for subject, markup, frame, count, introduced in product(
        SUBJECTS, MARKUP, FRAMES, (6, 24), (False, True)
    ):
        name = f"{subject}, {markup}, {frame}, {count}{', introduced' * introduced}"
        draw = random.Random(f"{name} {seed}")  # noqa: S311  the same words on every machine
        yield _page(name, subject, markup, frame, (draw, count, introduced))


def _page(
    name: str, subject: str, markup: str, frame: str, parts: tuple[random.Random, int, bool]
) -> Page:
    draw, count, introduced = parts
    items = [SUBJECTS[subject](draw, number) for number in range(count)]
    before, after = AROUND.get(markup, ('<div class="grid">', "</div>"))
    written = "".join(MARKUP[markup].format(**vars(item)) for item in items)
    body = FRAMES[frame].format(
        heading=subject,
        intro=f"<p>{_sentence(draw, 30)}</p>" if introduced else "",
        items=f"{before}{written}{after}",
    )
    head = f"<head><title>{subject} - Harbour School</title></head>"
    titles = tuple(item.title for item in items)
    texts = tuple(item.about for item in items if "{about}" in MARKUP[markup])
    url = f"https://school.example/{subject.lower().replace(' ', '-')}"
    html = f"<!doctype html><html lang=en>{head}<body>{body}</body></html>"
    return Page(name, url, html, titles, texts)


def missing(page: Page) -> tuple[list[str], list[str]]:
    """The titles of items that extraction lost, and the texts."""
    text = " ".join(pageloom.extract(page.html, page.url).text.split())
    titles = [title for title in page.titles if title not in text]
    return titles, [about for about in page.texts if about not in text]


def main() -> int:
    """Print which pages lose titles or texts, and how many lose more than half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    found: Counter[str] = Counter()
    for page in pages(parser.parse_args().seed):
        titles, texts = map(len, missing(page))
        worst, all_of_them = max(titles, texts), len(page.titles)
        found["lost" if 2 * worst > all_of_them else "in part" if worst else "whole"] += 1
        if worst:
            sys.stdout.write(f"{page.name}: lost {titles} titles, {texts} texts of {all_of_them}\n")
    sys.stdout.write(f"{found.total()} layouts: {found['lost']} lost, {found['in part']} in part\n")
    return int(found["lost"] > 0)


if __name__ == "__main__":
    sys.exit(main())

"""What happens to watched pages: each scenario is checked by the scheduler and by the workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.contract.watch.pages import article, product
from tests.contract.watch.rig import answer_with_etag
from tests.contract.watch.test_watching import CHALLENGE, CLOSED, LOGIN, LONG_LOGIN, SOFT_404

from pageloom.edges.store.sources import put_source
from pageloom.model.library import Source

if TYPE_CHECKING:
    from tests.contract.watch_both_ways.ways import Play

Act = Callable[["Play"], None]


def show(html: str, at: str = "page", status: int = 200, **headers: str) -> Act:
    """Serve a page from now on."""

    def act(play: Play) -> None:
        kind = {"Content_Type": "text/html; charset=utf-8"} | headers
        play.site.add(play.path(at), html.encode(), status, **kind)

    return act


def redirect(to: str) -> Act:
    """Send whoever asks for the page elsewhere."""

    def act(play: Play) -> None:
        play.site.add(play.path("page"), b"", 302, Location=to if to == "/" else play.path(to))

    return act


def with_etag(html: str, etag: str) -> Act:
    """Serve a page to those who do not know it yet."""
    return lambda play: play.keep(answer_with_etag(play.site, play.path("page"), html, etag))


def both(*acts: Act) -> Act:
    """Several things at once."""

    def act(play: Play) -> None:
        for each in acts:
            each(play)

    return act


def older_parser(play: Play) -> None:
    """As if all that is stored had been read by the parser of an earlier release."""
    play.write("UPDATE versions SET parser_version = '0.0.1', rules_version = 'before'")


def dead_proxy(play: Play) -> None:
    """The pages of the site are fetched through a proxy from now on, and nothing listens there."""
    source = Source(id="site", site="127.0.0.1", proxy="http://127.0.0.1:9")
    put_source(play.context.store, "local", source)


def nothing(_: Play) -> None:
    """The page stays as it is."""


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A watch, what happens to its page, and the outcome of each check."""

    name: str
    steps: list[tuple[Act, str]]
    notices: list[str] = field(default_factory=list)
    """Kinds of the messages that there are in the end."""
    watch: dict[str, Any] = field(default_factory=dict)
    track: str = ""


RICH = article(paragraphs=30)


def _scripted(high_water: str, after_ms: int = 50) -> str:
    """A page that a script draws, some time after it is loaded."""
    return f"""<!doctype html><html lang="en"><head><title>Tides</title></head><body>
<div id="root"></div><script>setTimeout(() => {{ document.getElementById("root").innerHTML =
"<article><h1>Tides</h1><p>" + "High water is at {high_water} in Port Ellery today. ".repeat(12) +
"</p><p class='late'>Drawn by a script.</p></article>" }}, {after_ms})</script></body></html>"""


FRONT = article(closing="Welcome to our front page, with news of the day.")
POOR = "<html><head><title>The coast path</title></head><body><p>Oops</p></body></html>"


def _rotating(session: str) -> str:
    picture = f'<img src="/pier.jpg?v={session}" width="600" height="400" alt="The pier">'
    return article().replace("</h1>", f"</h1>{picture}<p>See the pier before you go.</p>")


SCENARIOS = [
    Scenario(
        name="new, then unchanged by its hash",
        steps=[(show(article()), "new"), (nothing, "unchanged")],
    ),
    Scenario(
        name="not modified",
        steps=[
            (with_etag(article(), '"v1"'), "new"),
            (nothing, "unchanged"),
            (with_etag(article(closing=CLOSED), '"v2"'), "changed"),
            (nothing, "unchanged"),
        ],
        notices=["change"],
    ),
    Scenario(
        name="changed text",
        steps=[(show(article()), "new"), (show(article(closing=CLOSED)), "changed")],
        notices=["change"],
    ),
    Scenario(
        name="trivial change",
        steps=[(show(_rotating("8f3a")), "new"), (show(_rotating("77be")), "trivial")],
    ),
    Scenario(
        name="there and back",
        steps=[
            (show(article()), "new"),
            (show(article(closing=CLOSED)), "changed"),
            (show(article()), "returned"),
        ],
        notices=["change"],
    ),
    Scenario(
        name="price drop",
        steps=[(show(product()), "new"), (show(product(price="29.90")), "changed")],
        notices=["price"],
    ),
    Scenario(
        name="price held, then believed",
        steps=[
            (show(product()), "new"),
            (show(product(price="3990.00")), "held"),
            (nothing, "changed"),
        ],
        notices=["price"],
    ),
    Scenario(
        name="back in stock",
        watch={"stock_back": True},
        steps=[
            (show(product(stock=False)), "new"),
            (show(product(stock=False, price="35.90")), "filtered"),
            (show(product(price="35.90")), "changed"),
        ],
        notices=["price"],
    ),
    Scenario(
        name="scoped",
        track="w-price",
        watch={"scope": (".price",)},
        steps=[
            (show(product()), "new"),
            (show(product(stock=False, blurb="Model 2027, now with 3 colours.")), "unchanged"),
            (show(product(price="34.90", stock=False)), "changed"),
            (show(product().replace('class="price"', 'class="cost"')), "failed"),
        ],
        notices=["price"],
    ),
    Scenario(
        name="ignored parts",
        track="w-rest",
        watch={"ignore": (".n",)},
        steps=[
            (show(article(closing="Go. <span class=n>Offer 5 of 9 for 12 euros</span>")), "new"),
            (
                show(article(closing="Go. <span class=n>Offer 6 of 9 for 15 euros</span>")),
                "unchanged",
            ),
            (show(article(closing="Closed since 3 May. <span class=n>Offer</span>")), "changed"),
        ],
        notices=["change"],
    ),
    Scenario(
        name="ignored text",
        watch={"ignore_text": ("Ticket [0-9]+ of the day costs [0-9]+ euros",)},
        steps=[
            (show(article(closing="Ticket 17 of the day costs 12 euros.")), "new"),
            (show(article(closing="Ticket 18 of the day costs 19 euros.")), "trivial"),
        ],
    ),
    Scenario(
        name="only if",
        watch={"only_if": ("landslide",)},
        steps=[
            (show(article()), "new"),
            (show(article(closing="The ferry costs 13 euros for adults.")), "filtered"),
            (show(article(closing=CLOSED)), "changed"),
        ],
        notices=["change"],
    ),
    Scenario(
        name="price below",
        watch={"price_below": 35},
        steps=[
            (show(product()), "new"),
            (show(product(price="37.90")), "filtered"),
            (show(product(price="34.90")), "changed"),
        ],
        notices=["price"],
    ),
    Scenario(
        name="not important enough",
        watch={"min_importance": 1.0},
        steps=[(show(article()), "new"), (show(article(closing=CLOSED)), "filtered")],
    ),
    Scenario(
        name="login in place",
        steps=[(show(RICH), "new"), (show(LOGIN), "failed"), (show(RICH), "unchanged")],
    ),
    Scenario(
        name="redirect to login",
        steps=[
            (show(RICH), "new"),
            (both(show(LONG_LOGIN, "login"), redirect("login")), "failed"),
        ],
    ),
    Scenario(
        name="front page in place",
        steps=[(show(RICH), "new"), (redirect("/"), "failed"), (show(RICH), "unchanged")],
    ),
    Scenario(
        name="far poorer page",
        watch={"render": "never"},
        steps=[(show(RICH), "new"), (show(POOR), "failed")],
    ),
    Scenario(
        name="challenge in place",
        watch={"render": "never"},
        steps=[(show(RICH), "new"), (show(CHALLENGE, status=403), "failed")],
    ),
    Scenario(
        name="soft 404",
        watch={"render": "never"},
        steps=[(show(RICH), "new"), (show(SOFT_404), "failed")],
    ),
    Scenario(
        name="empty answer",
        watch={"render": "never"},
        steps=[(show(RICH), "new"), (show(""), "failed")],
    ),
    Scenario(
        name="404 twice",
        steps=[
            (show(article()), "new"),
            (show("gone", status=404), "failed"),
            (nothing, "failed"),
            (nothing, "failed"),
        ],
        notices=["health"],
    ),
    Scenario(
        name="410, then back",
        steps=[
            (show(article()), "new"),
            (show("gone", status=410), "failed"),
            (show(article()), "unchanged"),
        ],
        notices=["health", "health"],
    ),
    Scenario(
        name="failing three times",
        watch={"render": "never"},
        steps=[
            (show(article()), "new"),
            (show("no", status=403), "failed"),
            (nothing, "failed"),
            (nothing, "failed"),
            (show(article(closing=CLOSED)), "changed"),
        ],
        notices=["health", "change", "health"],
    ),
    Scenario(
        name="another parser",
        steps=[
            (show(article()), "new"),
            (older_parser, "unchanged"),
            (both(older_parser, show(article(closing=CLOSED))), "changed"),
        ],
        notices=["change"],
    ),
    Scenario(
        name="moved page",
        steps=[
            (show(article()), "new"),
            (both(show(article(), "coast-path-guide"), redirect("coast-path-guide")), "trivial"),
            (show(article(closing=CLOSED), "coast-path-guide"), "changed"),
        ],
        notices=["change"],
    ),
    Scenario(
        name="robots kept",
        watch={"respect_robots": True},
        steps=[(show(article()), "failed")],
    ),
    Scenario(
        name="robots ignored",
        watch={"respect_robots": False},
        steps=[(show(article()), "new")],
    ),
    Scenario(
        name="wait for a script",
        watch={"render": "force", "wait_for": ".late"},
        steps=[(show(_scripted("9:15", 1500)), "new"), (show(_scripted("10:05", 1500)), "changed")],
        notices=["change"],
    ),
    Scenario(
        name="remembered browser",
        steps=[(show(_scripted("9:15")), "new"), (nothing, "unchanged")],
    ),
    Scenario(
        name="two targets and a digest",
        watch={"targets": ("console", "feed:walks"), "digest_minutes": 30},
        steps=[(show(article()), "new"), (show(article(closing=CLOSED)), "changed")],
        notices=["change", "change"],
    ),
    Scenario(
        name="another charset",
        steps=[
            (
                lambda play: play.site.add(
                    play.path("page"),
                    article(closing="Der Weg über die Klippen ist gesperrt.").encode(
                        "latin-1", "replace"
                    ),
                    Content_Type="text/html; charset=iso-8859-1",
                ),
                "new",
            ),
            (nothing, "unchanged"),
        ],
    ),
]
OTHER_SETTINGS = [
    Scenario(
        name="originals are not kept",
        steps=[
            (show(article()), "new"),
            (show(article(closing=CLOSED)), "changed"),
            (older_parser, "rebased"),
        ],
        notices=["change"],
    ),
    Scenario(
        name="wording matters",
        steps=[
            (show(article(closing="The walk is rather pleasant in the evening.")), "new"),
            (show(article(closing="The walk is quite lovely in the evening.")), "changed"),
        ],
        notices=["change"],
    ),
    Scenario(
        name="ignored fields",
        steps=[
            (show(article()), "new"),
            (
                show(
                    article()
                    .replace("<title>The coast path", "<title>Closed: the coast path")
                    .replace('content="The coast path"', 'content="Closed: the coast path"')
                ),
                "trivial",
            ),
        ],
    ),
    Scenario(
        name="dead proxy of its source",
        # Last of all, when the other pages of the site have been checked.
        steps=[(show(article()), "new"), *[(nothing, "unchanged")] * 3, (dead_proxy, "failed")],
    ),
]
"""With ``library.keep_originals = false`` and settings of ``[changes]``."""

"""Templates: Jinja2 with everything escaped, and the words for times, numbers and sizes."""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo
from functools import cache, partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse

from pageloom.apps.web.assets import assets
from pageloom.views.advice import advice_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starlette.responses import Response

    from pageloom.apps.web.auth import Ask
    from pageloom.apps.web.server_state import Site
    from pageloom.model import Moment

THEMES = ("system", "light", "dark", "sepia", "black")
PREFERENCES: dict[str, tuple[str, ...]] = {
    "theme": THEMES,
    "size": ("1", "2", "3", "4", "5"),
    "face": ("serif", "sans"),
    "width": ("narrow", "normal", "wide"),
    "lines": ("close", "normal", "open"),
    "edges": ("ragged", "justified"),
    "view": ("list", "compact", "cards"),
    "keys": ("on", "off"),
}
"""What a user may choose, and from what; the first is the default, unless it is said here."""
DEFAULTS = {name: values[0] for name, values in PREFERENCES.items()} | {
    "size": "3",
    "width": "normal",
    "lines": "normal",
}


@cache
def templates() -> Environment:
    """The templates, compiled when they are first used."""
    made: Any = Environment(
        loader=PackageLoader("pageloom.apps.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "count": count,
        "number": number,
        "marked": marked,
        "printed": printed,
    }
    made.globals |= {"static": _static, "query": query, "advice": advice_of}
    return made


def _static(name: str) -> str:
    return assets()[name].name


def render(
    ask: Ask,
    template: str,
    status: int = 200,
    *,
    headers: dict[str, str] | None = None,
    **values: Any,
) -> Response:
    """A page for somebody who is signed in."""
    html = (
        templates()
        .get_template(template)
        .render(
            **_common(ask.site, ask.user.preferences), ask=ask, here=ask.request.url.path, **values
        )
    )
    return HTMLResponse(html, status, headers)


def render_stranger(site: Site, template: str, status: int = 200, **values: Any) -> Response:
    """A page for somebody who is not signed in; it is kept by nobody."""
    html = templates().get_template(template).render(**_common(site, {}), ask=None, **values)
    return HTMLResponse(html, status, {"Cache-Control": "no-store"})


def render_error(site: Site, ask: Ask | None, **values: Any) -> str:
    """The page of an error, with the way on for whoever is signed in."""
    common = _common(site, ask.user.preferences if ask else {})
    return templates().get_template("error.html").render(**common, ask=ask, here="", **values)


def _common(site: Site, preferences: dict[str, Any]) -> dict[str, Any]:
    chosen = DEFAULTS | {
        name: value for name, value in preferences.items() if value in PREFERENCES.get(name, ())
    }
    zone = zone_of(str(preferences.get("zone", "")))
    return {
        "site": site,
        "link": site.link,
        "chosen": chosen,
        "when": partial(when, zone),
    }


def zone_of(name: str) -> tzinfo | None:
    """The zone of a name; None, which is that of this machine, where there is none."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def when(zone: tzinfo | None, text: str | None, what: str = "time") -> Markup:
    """An instant as a ``<time>``: the day, or the day and the time with its zone."""
    if not text:
        return Markup("")
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return escape(text)
    local = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(zone)
    day = f"{local.day} {local:%B %Y}"
    whole = f"{day}, {local:%H:%M} {local:%Z}"
    shown = day if what == "day" else whole
    return Markup('<time datetime="{}" title="{}">{}</time>').format(text, whole, shown)


def number(value: int | None, *, exact: bool = True) -> str:
    """``1,204``, or ``1,000+`` where there are at least so many."""
    return "" if value is None else f"{value:,}{'' if exact else '+'}"


def count(value: int, one: str, many: str = "", *, exact: bool = True) -> str:
    """``1 page``, ``3 pages``."""
    word = one if value == 1 and exact else many or f"{one}s"
    return f"{number(value, exact=exact)} {word}"


def printed(moment: Moment) -> str:
    """A date as the page states it: in its words, or, where those are for machines, in ours."""
    if moment.raw and not moment.raw[:4].isdigit():
        return moment.raw
    try:
        day = date.fromisoformat(moment.date)
    except ValueError:  # a year, or a month
        return moment.date
    time = f", {moment.time[:5]} {moment.zone}".rstrip() if moment.time else ""
    return f"{day.day} {day:%B %Y}{time}"


def marked(text: str, marks: Sequence[tuple[int, int]]) -> Markup:
    """A snippet with the words that were searched for marked."""
    parts, end = [Markup("")], 0
    for start, stop in marks:
        parts += [escape(text[end:start]), Markup("<mark>{}</mark>").format(text[start:stop])]
        end = stop
    return Markup("").join([*parts, escape(text[end:])])


def query(values: Iterable[tuple[str, Any]]) -> str:
    """A query string of what is not empty."""
    return urlencode([(name, value) for name, value in values if value not in ("", None, False)])

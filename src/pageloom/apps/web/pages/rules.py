"""Rules of a user: their list, and the workbench where one is made on a page."""

from __future__ import annotations

import secrets
from importlib.resources import files
from typing import Annotated, Any, Literal

from fastapi import Depends, Form, Query, Response
from starlette.responses import HTMLResponse, RedirectResponse

from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.render import render, templates
from pageloom.apps.web.scoped_routes import Routes
from pageloom.errors import NotInLibrary, PageloomError
from pageloom.flows.library.reading import readable
from pageloom.flows.rules.workbench import LONGEST_RULE, change_rule
from pageloom.model.pages import Page

routes = Routes()
Reads = Annotated[Ask, Depends(needs("read"))]
Writes = Annotated[Ask, Depends(needs("write"))]
Number = Annotated[int, Query(ge=1)]
Version = Annotated[int | None, Query(ge=1)]
Do = Literal[
    "try",
    "prove",
    "keep",
    "remove",
    "include",
    "article",
    "title",
    "author",
    "published",
    "only_page",
]
_FRAME_POLICY = (
    "default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
)
"""Of the page that is pointed at: of no origin, with no script but ours, and no way out."""
_SHOWN_LINES = 60


@routes.add("GET", "/rules", "read")
def rules_page(ask: Reads, kept: Annotated[str, Query(max_length=100)] = "") -> Response:
    """The rules that the user keeps."""
    rules = ask.library.user_rules()
    found = kept if any(rule.name == kept for rule in rules) else ""
    return render(ask, "rules.html", place="rules", rules=rules, kept=found)


@routes.add("POST", "/rules/remove", "write")
def remove_rule(ask: Writes, name: Annotated[str, Form(max_length=100)]) -> Response:
    """Remove a rule, and read the pages of its host again without it."""
    rule = ask.library.user_rule(name)
    ask.library.remove_rule(name)
    ask.site.library.for_user(ask.who.owner).reread_host(rule.url)
    return RedirectResponse(ask.site.link("/rules"), 303)


@routes.add("GET", "/rules/try", "write")
def workbench_page(
    ask: Writes,
    page: Annotated[int | None, Query(ge=1)] = None,
    v: Version = None,
    rule: Annotated[str, Query(max_length=100)] = "",
) -> Response:
    """The workbench: a page, and a new rule for it or one that is kept."""
    kept = ask.library.user_rule(rule) if rule else None
    if page is None and kept is None:
        return RedirectResponse(ask.site.link("/rules"), 303)
    found = ask.library.get(page if page is not None else kept.url if kept else "")
    return _workbench(ask, found, v, text=kept.text if kept else "")


@routes.add("POST", "/rules/try", "write")
def work(
    ask: Writes,
    page: Annotated[int, Form(ge=1)],
    do: Annotated[Do, Form()] = "try",
    v: Annotated[int | None, Form(ge=1)] = None,
    text: Annotated[str, Form(max_length=2 * LONGEST_RULE)] = "",
    selector: Annotated[str, Form(max_length=8000)] = "",
    own: Annotated[str, Form(max_length=8000)] = "",
    n: Annotated[int | None, Form(ge=0, le=10**7)] = None,
    *,
    anyway: Annotated[bool, Form()] = False,
) -> Response:
    """Try, change, prove or keep the rule that is being made; what is being made is in the form."""
    found = ask.library.get(page)
    chosen = own.strip() or selector.strip()
    try:
        if do == "keep":
            return _keep(ask, found, v, text, anyway=anyway)
        if do in ("try", "prove"):
            proofs = ask.library.prove_rule(found, text, v) if do == "prove" else None
            return _workbench(ask, found, v, text=text, n=n, proofs=proofs, own=own)
        if do != "only_page" and not chosen:
            said = "Choose an element first, or write a selector."
            return _workbench(ask, found, v, 422, text=text, said=said)
        changed = change_rule(text, found.final_url or found.url_full, do, chosen)  # pyright: ignore[reportArgumentType]
    except NotInLibrary:
        raise
    except PageloomError as error:
        return _workbench(ask, found, v, 422, text=text, own=own, trouble=error)
    return _workbench(ask, found, v, text=changed)


def _keep(ask: Ask, page: Page, version: int | None, text: str, *, anyway: bool) -> Response:
    rule = ask.library.keep_rule(page, text, version, anyway=anyway)
    ask.site.library.for_user(ask.who.owner).reread_host(rule.url)
    return RedirectResponse(ask.site.link(f"/rules?kept={rule.name}"), 303)


def _workbench(
    ask: Ask, page: Page, version: int | None, status: int = 200, **values: Any
) -> Response:
    """The page of the workbench."""
    known: dict[str, Any] = {"n": None, "proofs": None, "own": "", "said": "", "trouble": None}
    known |= values
    trial = ask.library.try_rule(page, known["text"], version)
    picked = ask.library.pick(page, known["n"], version) if known["n"] is not None else None
    after = trial.after
    return render(
        ask,
        "workbench.html",
        status,
        place="rules",
        page=page,
        v=version,
        trial=trial,
        picked=picked,
        mine=_places(ask, page, version, known["own"]),
        blocks=ask.library.numbered_blocks(page, version),
        after=readable(after, ask.picture).html if after else "",
        markdown=after.markdown if after else "",
        most=_SHOWN_LINES,
        **known,
    )


def _places(ask: Ask, page: Page, version: int | None, own: str) -> tuple[int, ...] | None:
    """Where a selector of the user's finds something; None without one that can be read."""
    selector = own.strip()
    if not selector:
        return None
    return ask.library.find_places(page, [selector], version).get(selector)


@routes.add("GET", "/rules/pick", "write")
def pick(
    ask: Writes,
    page: Number,
    v: Version = None,
    n: Annotated[int | None, Query(ge=0, le=10**7)] = None,
    own: Annotated[str, Query(max_length=8000)] = "",
) -> Response:
    """What can be said of an element that was pointed at, or of a selector, as a part of a page."""
    found = ask.library.get(page)
    picked = ask.library.pick(found, n, v) if n is not None else None
    html = templates().get_template("picked.html")
    mine = _places(ask, found, v, own)
    return HTMLResponse(html.render(picked=picked, own=own, mine=mine, n=n))


@routes.add("GET", "/rules/frame", "write")
def frame(ask: Writes, page: Number, v: Version = None) -> Response:
    """The page to point at: its text and structure, inert, in an origin of its own."""
    shown = ask.library.numbered_page(ask.library.get(page), v)
    nonce = secrets.token_urlsafe(16)
    static = files("pageloom.apps.web") / "static"
    html = (
        templates()
        .get_template("picker_frame.html")
        .render(
            nonce=nonce,
            origin=str(ask.site.origin),
            body=shown,
            script=(static / "picker_frame.js").read_text(encoding="utf-8"),
            style=(static / "picker_frame.css").read_text(encoding="utf-8"),
        )
    )
    headers = {
        "Content-Security-Policy": _FRAME_POLICY.format(nonce=nonce),
        "X-Frame-Options": "SAMEORIGIN",
        "Cache-Control": "no-store",
    }
    return HTMLResponse(html, 200, headers)

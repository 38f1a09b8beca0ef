"""The rules of a user."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Response

from pageloom.apps.web.api.answers import api_routes, json_answer, list_answer
from pageloom.apps.web.api.bodies import KeepRuleBody, RuleBody
from pageloom.apps.web.auth import Ask, needs
from pageloom.views import rules as views

routes = api_routes("rules")
Reads = Annotated[Ask, Depends(needs("read"))]
Writes = Annotated[Ask, Depends(needs("write"))]


@routes.add("GET", "/rules", "read", summary="Your rules")
def list_rules(ask: Reads) -> Response:
    """The rules that you keep in the library; they apply to your pages alone."""
    found = ask.library.user_rules()
    return list_answer(ask, map(views.user_rule, found), None, len(found), exact=True)


@routes.add("POST", "/rules/try", "write", summary="Try a rule on a page")
def try_rule(ask: Writes, body: RuleBody) -> Response:
    """What a rule does to a page and to the others of its host; nothing is kept."""
    trial = ask.library.try_rule(body.page, body.text, body.version)
    is_usable = bool(trial.after) and body.prove
    proofs = ask.library.prove_rule(body.page, body.text, body.version) if is_usable else []
    return json_answer(views.trial(trial) | {"proof": [views.proof(each) for each in proofs]})


@routes.add("POST", "/rules", "write", summary="Keep a rule", status_code=201)
def keep_rule(ask: Writes, body: KeepRuleBody) -> Response:
    """Keep a rule and the page that proves it; an older one with the same id is replaced.

    Pages that are saved or checked from now on are read with it.
    """
    rule = ask.library.keep_rule(body.page, body.text, body.version, anyway=body.anyway)
    return json_answer(views.user_rule(rule), 201)


@routes.add("GET", "/rules/{rule}", "read", summary="One of your rules")
def get_rule(ask: Reads, rule: str) -> Response:
    """One of your rules."""
    return json_answer(views.user_rule(ask.library.user_rule(rule)), ask=ask)


@routes.add("DELETE", "/rules/{rule}", "write", summary="Remove a rule", status_code=204)
def remove_rule(ask: Writes, rule: str) -> Response:
    """Remove a rule; pages are read without it from now on."""
    ask.library.remove_rule(rule)
    return Response(None, 204)

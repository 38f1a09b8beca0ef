"""Tags, jobs, tokens, sessions and oneself; users for admins."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Response

from pageloom.apps.web.api.answers import api_routes, json_answer, list_answer
from pageloom.apps.web.api.bodies import TagBody, TokenBody
from pageloom.apps.web.auth import Ask, needs
from pageloom.apps.web.errors import Forbidden
from pageloom.apps.web.query_params import Cursor, Limit
from pageloom.views import records

routes = api_routes("tags, jobs and you")
Reads = Annotated[Ask, Depends(needs("read"))]
Writes = Annotated[Ask, Depends(needs("write"))]
Admins = Annotated[Ask, Depends(needs("admin"))]


@routes.add("GET", "/tags", "read", summary="List tags")
def list_tags(ask: Reads) -> Response:
    """Every tag in use with the number of its pages, the most used first."""
    found = ask.library.all_tags()
    items = [{"tag": tag, "pages": pages} for tag, pages in found]
    return list_answer(ask, items, None, len(found), exact=True)


@routes.add("PATCH", "/tags/{tag}", "write", summary="Rename a tag, or merge it into another")
def rename_tag(ask: Writes, tag: str, body: TagBody) -> Response:
    """Rename a tag on all pages."""
    return json_answer({"tag": body.name, "pages": ask.library.rename_tag(tag, body.name)})


@routes.add("DELETE", "/tags/{tag}", "write", summary="Remove a tag", status_code=204)
def remove_tag(ask: Writes, tag: str) -> Response:
    """Remove a tag from all pages."""
    ask.library.remove_tag(tag)
    return Response(None, 204)


@routes.add("GET", "/jobs", "read", summary="List jobs")
def list_jobs(ask: Reads, limit: Limit = 50, cursor: Cursor = "") -> Response:
    """Jobs, newest first, with their state and progress."""
    found = ask.library.jobs(limit=limit, cursor=cursor)
    return list_answer(ask, map(records.job, found), found.next_cursor, found.total, exact=True)


@routes.add("GET", "/jobs/{job}", "read", summary="One job")
def get_job(ask: Reads, job: str) -> Response:
    """A job with its state, progress and result."""
    return json_answer(records.job(ask.library.get_job(job)), ask=ask)


@routes.add("GET", "/jobs/{job}/items", "read", summary="The items of a job")
def get_items(ask: Reads, job: str, limit: Limit = 50, cursor: Cursor = "") -> Response:
    """What came of each item."""
    found = ask.library.job_items(job, limit=limit, cursor=cursor)
    info = ask.library.get_job(job)
    total = info.done + info.failed
    return list_answer(ask, map(records.job_item, found), found.next_cursor, total, exact=True)


@routes.add("DELETE", "/jobs/{job}", "save", summary="Cancel a job", status_code=202)
def cancel_job(ask: Annotated[Ask, Depends(needs("save"))], job: str) -> Response:
    """Ask for the end of a job; it ends within seconds."""
    ask.library.cancel_job(job)
    return json_answer(records.job(ask.library.get_job(job)), 202)


@routes.add("GET", "/me", "read", summary="Who you are")
def get_me(ask: Reads) -> Response:
    """Your name, role, and what this request may do."""
    data = records.user(ask.user) | {"scopes": sorted(ask.who.scopes), "via": ask.who.via}
    return json_answer(data, ask=ask)


@routes.add("GET", "/tokens", "read", summary="Your tokens")
def list_tokens(ask: Reads) -> Response:
    """Your tokens; never the secrets."""
    found = ask.library.tokens()
    return list_answer(ask, map(records.token, found), None, len(found), exact=True)


@routes.add("POST", "/tokens", "write", summary="Make a token", status_code=201)
def make_token(ask: Writes, body: TokenBody) -> Response:
    """Make a token, which may do nothing that you may not; the secret is shown once."""
    if not set(body.scopes) <= ask.who.scopes:
        raise Forbidden("A token cannot have scopes that you do not have.")
    secret = ask.library.make_token(body.label, days=body.days, scopes=body.scopes, feed=body.feed)
    data = records.token(ask.library.tokens()[-1]) | {"token": secret}
    return json_answer(data, 201, headers={"Cache-Control": "no-store"})


@routes.add("DELETE", "/tokens/{token}", "write", summary="Revoke a token", status_code=204)
def revoke_token(ask: Writes, token: int) -> Response:
    """Make a token useless."""
    ask.library.revoke_token(token)
    return Response(None, 204)


@routes.add("GET", "/sessions", "read", summary="Where you are signed in")
def list_sessions(ask: Reads) -> Response:
    """Browsers, the last used first."""
    found = ask.library.sessions()
    return list_answer(ask, map(records.session, found), None, len(found), exact=True)


@routes.add("DELETE", "/sessions/{session}", "write", summary="End a session", status_code=204)
def end_session(ask: Writes, session: int) -> Response:
    """Sign out of one browser."""
    ask.library.end_session(session)
    return Response(None, 204)


@routes.add("GET", "/users", "admin", summary="All users")
def list_users(ask: Admins) -> Response:
    """All users with how many pages and tokens each has."""
    found = ask.library.users()
    return list_answer(ask, found, None, len(found), exact=True)

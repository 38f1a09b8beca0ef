"""Every error has its row, and nobody on the web is told of commands."""

from __future__ import annotations

import pytest

from pageloom import errors
from pageloom.apps.web import errors as web_errors
from pageloom.apps.web.errors import (
    FETCH_STATUS,
    STATUS,
    error_from,
    problem_of,
    status_of,
)
from pageloom.errors import FETCH_KINDS, FetchError, NotInLibrary, PageloomError
from pageloom.views.advice import advice_of


def family() -> set[type[PageloomError]]:
    found = [*vars(errors).values(), *vars(web_errors).values()]
    known = {each for each in found if isinstance(each, type) and issubclass(each, PageloomError)}
    return known - {PageloomError, FetchError}


def test_every_error_has_a_row():
    assert family() == set(STATUS)
    assert set(FETCH_STATUS) == set(FETCH_KINDS)


@pytest.mark.parametrize("kind", sorted(family(), key=lambda each: each.__name__))
def test_an_error_survives_being_kept_by_a_job(kind):
    if kind.__module__ != "pageloom.errors":
        return
    error = kind(
        "Why.", suggestions=("Do this.",), retryable=True, url="https://a.example/", size=3
    )
    again = error_from(error.to_dict())
    assert (type(again), again.to_dict()) == (kind, error.to_dict())


def test_a_failed_fetch_survives_too():
    error = FetchError("Why.", kind="timeout")
    assert error_from(error.to_dict()).to_dict() == error.to_dict()
    assert status_of(error) == 504


def test_advice_speaks_of_no_commands():
    assert advice_of(NotInLibrary("Why.")) == ["Look it up in the list of pages."]
    assert advice_of(errors.NoContentFound("Why.")) == [
        "If the page needs JavaScript, have it rendered: render=force."
    ]


def test_a_problem_hides_secrets():
    shown = str(problem_of(errors.StorageError("postgresql://ann:hunter2@db/x is away."), "r1"))
    assert "hunter2" not in shown

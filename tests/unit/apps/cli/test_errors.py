from __future__ import annotations

import pytest

from pageloom import errors
from pageloom.apps.cli.errors import UsageTrouble, exit_code

NO_CONTENT = errors.NoContentFound("nothing")
LOW = errors.LowQuality("poor", score=1, threshold=30)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageTrouble("no"), 2),
        (errors.InvalidUrl("no"), 2),
        (errors.SettingsError("no"), 2),
        (errors.FetchError("no", kind="blocked_address"), 4),
        (errors.FetchError("no", kind="blocked_by_robots"), 4),
        (errors.FetchError("no", kind="challenge"), 4),
        (errors.FetchError("no", kind="status", status=404), 1),
        (errors.ParseTimeout("no"), 1),
        (errors.EmptyContent("no"), 1),
        (errors.InternalError("no"), 1),
        (NO_CONTENT, 1),
    ],
)
def test_exit_codes(error: errors.PageloomError, code: int):
    assert exit_code(error) == code


@pytest.mark.parametrize("error", [NO_CONTENT, LOW])
def test_under_strictness_poor_pages_have_a_code_of_their_own(error: errors.PageloomError):
    assert exit_code(error, strict=True) == 5

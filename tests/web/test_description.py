"""The description of the API and the API itself: whatever the one allows, the other answers.

Schemathesis makes the requests. A short run is part of all tests; ``make soak`` has a long one
(``EXAMPLES=200``).
"""

from __future__ import annotations

import os

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.api.conftest import kettle
from tests.web.server import running

from pageloom.library import open_library

PARTS = 5
EXAMPLES = int(os.environ.get("EXAMPLES", "2"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
_QUIET = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    """A server with something in its library, its description, and a token for everything."""
    database = str(tmp_path_factory.mktemp("described") / "library.db")
    with open_library(database) as library:
        for price in ("3.00", "4.00"):
            library.save("https://a.example/", content=kettle(price), tags=["tin"])
        library.pause(library.watch("https://a.example/"))
        token = library.make_token(scopes=["read", "save", "write", "watch", "admin"])
    with running(database, PAGELOOM_WEB_RATE_LIMIT="0", PAGELOOM_FETCH_TIMEOUT="1") as server:
        whole = server.ask("GET", "/api/v1/openapi.json").json
        yield server, schemathesis.openapi.from_dict(whole), token


@pytest.mark.timeout(0)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_operation_answers_as_it_is_described(described, part):
    server, schema, token = described
    bearer = {"Authorization": f"Bearer {token}"}
    wrong: list[str] = []
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 50
    for operation in operations[part::PARTS]:

        @_QUIET
        @given(case=operation.as_strategy())
        def try_it(case) -> None:
            answer = case.call(base_url=server.origin, headers=bearer, timeout=30)
            case.validate_response(answer, checks=CHECKS)

        try:
            try_it()
        except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001  all are wanted
            wrong.append(f"{operation.label}: {str(error)[:600]}")
    assert wrong == []


@pytest.mark.parametrize("path", ["/pages", "/pages/1", "/watches/1", "/changes", "/jobs"])
@_QUIET
@given(text=st.text(max_size=30))
def test_what_is_typed_into_a_query_is_never_a_fault(described, path, text):
    server, _, token = described
    from urllib.parse import urlencode

    names = ("q", "cursor", "since", "tag", "fields", "updated_since", "limit", "watch", "page")
    query = urlencode(dict.fromkeys(names[:: 1 + len(text) % 3], text))
    answer = server.ask("GET", f"/api/v1{path}?{query}", Authorization=f"Bearer {token}")
    assert answer.status < 500, (path, text)

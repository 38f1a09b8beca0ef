"""The list of public names is the truth, and each of them says what it is for."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import pageloom
from pageloom import errors

DOCS = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
MODULES = {"errors", "settings", "views"}
NAMES = [name for name in pageloom.__all__ if name != "__version__"]
METHODS = [
    name for name, _ in inspect.getmembers(pageloom.Library, callable) if not name.startswith("_")
]


def test_every_listed_name_is_there_and_the_list_is_sorted():
    assert all(getattr(pageloom, name) is not None for name in pageloom.__all__)
    assert sorted(set(pageloom.__all__)) == list(pageloom.__all__)
    assert dir(pageloom) == sorted(pageloom.__all__)


def test_a_name_that_is_not_listed_is_an_error():
    with pytest.raises(AttributeError, match="has no attribute 'open_store'"):
        _ = pageloom.open_store


def test_every_error_is_public():
    family = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, errors.PageloomError)
    }
    assert family <= set(pageloom.__all__)


def test_what_is_returned_by_a_library_can_be_named():
    returned = " ".join(
        str(inspect.signature(getattr(pageloom.Library, name)).return_annotation)
        for name in METHODS
    )
    for word in "Change CheckResult Document Hits Listing Page SaveResult Source Version".split():
        assert word in returned
        assert word in pageloom.__all__


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_has_a_docstring_and_is_documented(name):
    found = getattr(pageloom, name)
    assert (found.__doc__ or "").strip()
    assert f"`{name}" in DOCS or f"pageloom.{name}" in DOCS


@pytest.mark.parametrize("name", METHODS)
def test_every_method_of_a_library_has_a_docstring_and_is_documented(name):
    assert (getattr(pageloom.Library, name).__doc__ or "").strip()
    assert f"`{name}" in DOCS or f"library.{name}(" in DOCS


def test_importing_is_light():
    loaded = subprocess.run(
        [sys.executable, "-c", "import pageloom, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    ours = {name for name in loaded if name.startswith("pageloom")}
    assert ours == {"pageloom"}
    assert not {"asyncio", "sqlite3", "aiohttp", "msgspec", "turbohtml"} & set(loaded)

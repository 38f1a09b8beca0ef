"""The examples for people who have a pipeline already; each runs where its packages are."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from tests.archives import page, url_of

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_batch_of_ray_data_becomes_a_batch_of_documents():
    batch = {"url": [url_of(1), url_of(2)], "html": [page(1).decode(), ""]}
    found = load("ray_data").extract(batch)
    assert found["title"] == ["Page 1", ""]
    assert found["error"] == ["", "EmptyContent"]
    assert {len(column) for column in found.values()} == {2}


def test_the_step_of_datatrove_gives_text_and_metadata():
    make = pytest.importorskip("datatrove.data").Document
    step = load("datatrove_step").Pageloom()
    pages = [make(text=page(n).decode(), id=str(n), metadata={"url": url_of(n)}) for n in (1, 2)]
    found = list(step.run([*pages, make(text="", id="3", metadata={})], 0, 1))
    assert [one.metadata["title"] for one in found] == ["Page 1", "Page 2"]
    assert "<p>" not in found[0].text

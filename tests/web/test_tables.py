"""Tables that must not be forgotten: what errors answer, what others wrote, what templates hold."""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files

import pytest

import pageloom.apps.web.app  # noqa: F401  so that all errors of its parts are known
from pageloom import errors
from pageloom.apps.web.errors import FETCH_STATUS, STATUS, status_of
from pageloom.errors import PageloomError
from pageloom.flows.watch.record_check import LostLease

WEB = files("pageloom.apps.web")
TEMPLATES = sorted(each.name for each in (WEB / "templates").iterdir())
VENDORED = {  # name, version, licence, and a sum over the bytes that were reviewed
    "htmx.min.js": (
        "htmx.org 4.0.1, 0BSD",
        "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    ),
}
FORBIDDEN = re.compile(
    r"<script(?![^>]*\bsrc=)|<style|\son[a-z]+\s*=|\sstyle\s*=|javascript:|hx-on|['\"]js:|hx-vars"
    r"|https?://(?!example\.com)[a-z]",
)
"""Whatever would need a weaker policy than ours, run words as code, or ask another host."""


def family(kind: type[PageloomError]) -> set[type[PageloomError]]:
    return {kind}.union(*(family(each) for each in kind.__subclasses__()))


def test_every_error_has_its_status():
    public = {each for each in family(PageloomError) if each.__module__ == errors.__name__}
    assert public - set(STATUS) == {PageloomError, errors.FetchError}
    assert set(FETCH_STATUS) == set(errors.FETCH_KINDS)
    assert status_of(LostLease("Another has it.")) == 503


def test_what_others_wrote_is_what_was_reviewed():
    vendor = WEB / "static" / "vendor"
    scripts = [each.name for each in vendor.iterdir() if each.name.endswith((".js", ".css"))]
    assert sorted(scripts) == sorted(VENDORED)
    for name, (_, digest) in VENDORED.items():
        assert hashlib.sha256((vendor / name).read_bytes()).hexdigest() == digest, name
        assert (vendor / f"{name.partition('.')[0]}.LICENSE").is_file()


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_hold_nothing_that_runs(name):
    text = (WEB / "templates" / name).read_text(encoding="utf-8")
    text = re.sub(
        r"<(?:script|style) nonce=\"\{\{ nonce \}\}\"", "", text
    )  # of the sandboxed frame
    assert FORBIDDEN.findall(re.sub(r"\{#.*?#\}", "", text, flags=re.DOTALL)) == []

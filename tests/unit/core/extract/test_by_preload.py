"""What a page ships for its scripts."""

from __future__ import annotations

import json
from html import escape

import pytest

from pageloom.core import dom
from pageloom.core.extract.by_preload import read_preloaded

TEXT = "The night train stops here twice a week, and the stationmaster waits on the platform."
OTHER = "Nobody has ever missed it, because nobody has ever known exactly when it will come."


def preloaded(markup: str) -> str:
    found = read_preloaded(dom.parse(markup))
    return " ".join(found.text.split()) if found is not None else ""


def script(state: object, kind: str = "application/json") -> str:
    return f'<script type="{kind}">{json.dumps(state)}</script>'


def test_text_under_telling_names_is_found_in_order():
    state = {"props": {"article": {"title": TEXT, "body": [OTHER]}}}
    assert preloaded(script(state)) == f"{TEXT} {OTHER}"


def test_markup_in_strings_becomes_elements():
    found = read_preloaded(dom.parse(script({"x": f"<p>{TEXT}</p><h2>More</h2>"})))
    assert found is not None
    assert [element.tag for element in found.select("p, h2")] == ["p", "h2"]


def test_plain_strings_are_not_read_as_markup():
    assert "1 < 2 & 3" in preloaded(script({"text": f"1 < 2 & 3. {TEXT}"}))


def test_state_inside_a_string_is_read_too():
    topic = json.dumps({"posts": [{"cooked": f"<p>{TEXT}</p>"}]})
    attribute = escape(json.dumps({"topic_1": topic}), quote=True)
    assert preloaded(f'<div data-preloaded="{attribute}"></div>') == TEXT


@pytest.mark.parametrize(
    "start",
    ["window.__STATE__ = ", "window['__APOLLO_STATE__']=", "self.__data=", "globalThis.s = "],
)
def test_state_assigned_by_a_script_is_found(start: str):
    code = f"(function(){{}})();{start}{json.dumps({'content': TEXT})}; boot();"
    assert preloaded(f"<script>{code}</script>") == TEXT


def test_brackets_and_quotes_inside_strings_do_not_end_the_state():
    text = f'A brace }} and a bracket ] and a quote " and a backslash \\ are only text. {TEXT}'
    code = f"window.s = {json.dumps({'body': text})};next()"
    assert preloaded(f"<script>{code}</script>") == " ".join(text.split())


def test_the_same_text_is_taken_once():
    assert preloaded(script({"body": TEXT, "summary": TEXT})) == TEXT


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Nothing here</p>",
        "<script>var a = 1</script>",
        "<script>window.a = {not json}</script>",
        '<script>window.a = {"body": "never closed',
        '<script type="application/json">{"body": </script>',
        '<div data-preloaded="nonsense"></div>',
        script({"body": "too short"}),
        script({"image": f"https://x.example/{'a' * 80}"}),
        script({"style": TEXT, "tracking": {"copy": TEXT}, "config": {"text": TEXT}}),
        script({"body": TEXT}, "application/ld+json"),
        script({"blob": "QUJD" * 200}),
        script({"a": [1, 2.5, None, True]}),
    ],
)
def test_what_is_no_text_for_readers_is_left(markup: str):
    assert preloaded(markup) == ""


def test_state_that_is_nested_too_deep_is_left():
    assert preloaded(f"<script>window.a = {'[' * 50_000}{']' * 50_000}</script>") == ""

"""How targets are written, what of them is shown, and what a template may say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageloom.edges.notify.notice import Notice, delivery_id
from pageloom.edges.notify.target import read_target
from pageloom.edges.notify.template import MAX_MESSAGE, check_template, fill
from pageloom.errors import SettingsError
from pageloom.redaction import redact_target


@pytest.mark.parametrize(
    ("text", "kind", "address"),
    [
        ("https://example.com/hook?x=1", "webhook", "https://example.com/hook?x=1"),
        ("mailto:me@example.com", "mail", "me@example.com"),
        ("me+news@example.com", "mail", "me+news@example.com"),
        ("feed:changes", "feed", "changes"),
        ("rss:prices_2", "feed", "prices_2"),
        ("console", "console", ""),
        ("slack://token/other", "apprise", "slack://token/other"),
        ("ntfys://topic", "apprise", "ntfys://topic"),
    ],
)
def test_targets_are_read(text, kind, address):
    target = read_target(text)
    assert (target.kind, target.address) == (kind, address)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nowhere",
        "feed:../../etc/cron.d/x",
        "feed:/etc/passwd",
        "feed:a/b",
        "rss:.hidden",
        "mailto:a@b.c\nBcc: victim@example.com",
        "mailto:a@b.c,victim@example.com",
        "a b@example.com",
        "https://",
        "x" * 5_000,
    ],
)
def test_what_is_no_target_is_refused(text):
    with pytest.raises(SettingsError):
        read_target(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://user:pw@hooks.example/T0/secret", "https://hooks.example/…"),
        ("slack://TokenA/TokenB", "slack://…"),
        ("mailto:me@example.com", "mailto:me@example.com"),
        ("console", "console"),
    ],
)
def test_tokens_are_not_shown(text, shown):
    assert redact_target(text) == shown


def test_a_template_has_holes_and_nothing_else():
    template = check_template("{{ title }}: {{summary}} {{ 7*7 }} {% if x %} {{ title.__class__ }}")
    filled = fill(template, {"title": "{{ url }}{{ title }}", "summary": "dearer", "url": "no"})
    assert filled == "{{ url }}{{ title }}: dearer {{ 7*7 }} {% if x %} {{ title.__class__ }}"


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(SettingsError) as caught:
        check_template("{{ sumary }}")
    assert "summary" in caught.value.suggestions[0]


def test_templates_and_what_comes_of_them_are_bounded():
    with pytest.raises(SettingsError):
        check_template("x" * 5_000)
    assert len(fill("{{ title }}" * 300, {"title": "x" * 100_000})) == MAX_MESSAGE


@given(st.text(), st.text())
def test_a_notice_has_one_line_of_title_and_no_controls(title, text):
    notice = Notice(id="1", kind="test", title=title, text=text, url=title)
    assert "\n" not in notice.title
    assert "\r" not in notice.title + notice.text + notice.url
    assert "\x1b" not in notice.title + notice.text + notice.url


def test_deliveries_differ_by_event_and_target_and_by_nothing_else():
    ids = {delivery_id(event, target) for event in "abc" for target in ("console", "feed:x")}
    assert len(ids) == 6
    assert delivery_id("a", "console") == delivery_id("a", "console")

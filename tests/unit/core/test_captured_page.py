"""Nothing that runs, and nothing that was typed, survives in a captured page."""

from __future__ import annotations

import pytest

from pageloom.core.captured_page import strip_scripts


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("<p onclick=x()>A &amp; b</p>", "<p>A &amp; b</p>"),
        ("<script>alert(1)</script><p>x", "<p>x"),
        ("<SCRIPT SRC=//evil.example>a<b</SCRIPT>y", "y"),
        ("<script>a</script><!-- c --><br/>", "<br>"),
        (
            '<script type="application/ld+json">{"a": "<b>"}</script>',
            '<script type="application/ld+json">{"a": "<b>"}</script>',
        ),
        ('<a href=" java\nscript:x">b</a>', "<a>b</a>"),
        ("<input type=text value=secret name=q>", '<input type="text" name="q">'),
        ("<input type=submit value=Go>", '<input type="submit" value="Go">'),
        ("<textarea>se<b>cret</textarea>z", "<textarea></textarea>z"),
        (
            "<!DOCTYPE html><p title='\"'>é&nbsp;&#8364;",
            '<!DOCTYPE html><p title="&quot;">é&nbsp;&#8364;',
        ),
        ("<script>never ends", ""),
    ],
)
def test_a_page_is_kept_without_what_runs(given, kept):
    assert strip_scripts(given) == kept

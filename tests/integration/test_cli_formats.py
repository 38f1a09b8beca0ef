"""What ``pageloom extract`` prints: shapes for other systems, and Markdown in every style."""

from __future__ import annotations

import re

import pytest
import yaml
from tests.integration.cli import pageloom

import pageloom as library

URL = "https://bay.example/tide"
PAGE = """<!DOCTYPE html><html lang="en"><title>The quiet: tide</title>
<meta name="author" content="Maren Oduya"><meta property="og:type" content="article">
<body><article><h1>The quiet: tide</h1>
<p>The water in the bay went out further than anyone could remember, and the
<a href="/boats?utm_source=letter&id=7">boats</a> lay on their sides in the mud.</p>
<p>By noon half the town stood on the quay. Children walked where the ferry had turned an hour
before, and somebody found an anchor with a date on it.</p>
<p><img src="/mud.jpg" alt="Mud" width="800" height="600"></p>
<p>Nobody had an explanation, but everybody had a photograph, and the harbour master wrote down
the minute in which the water came back.</p></article>"""
SHOP = (
    "<title>All our lamps</title><h1>All our lamps</h1><ul>"
    + "".join(
        f'<li><a href="/lamp/{n}">Lamp number {n}</a> <b>{n},00 €</b></li>' for n in range(40)
    )
    + "</ul>"
)


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    return path


def markdown(page, *flags: object) -> str:
    result = pageloom("extract", page, "--url", URL, "--format", "markdown", *flags)
    assert (result.code, result.err) == (0, "")
    return result.out


def split(text: str) -> tuple[dict, str]:
    _, head, body = text.split("---\n", 2)
    return yaml.safe_load(head), body


@pytest.mark.parametrize("view", ["article", "parsed", "extracted"])
def test_a_view_is_printed_as_the_library_gives_it(page, view: str):
    result = pageloom("extract", page, "--url", URL, "--format", view)
    document = library.extract(PAGE.encode(), URL)
    assert (result.code, result.err) == (0, "")
    assert result.json == getattr(library.views, view)(document)


def test_an_article_without_a_date_has_the_time_of_its_fetch(site):
    site.add("/tide", PAGE.encode(), Content_Type="text/html")
    result = pageloom(
        "extract", site.url("/tide"), "-f", "article", PAGELOOM_FETCH_ALLOWED_HOSTS="127.0.0.1"
    )
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", result.json["timestamp"])


@pytest.mark.parametrize(
    ("content", "url"), [(PAGE, "https://bay.example/"), (SHOP, "https://shop.example/lamps")]
)
@pytest.mark.parametrize("flag", [["--format", "article"], ["--format=article"], ["-farticle"]])
def test_what_is_no_article_is_an_error_with_exit_1(tmp_path, content: str, url: str, flag):
    path = tmp_path / "page.html"
    path.write_text(content)
    result = pageloom("extract", path, "--url", url, *flag)
    assert (result.code, result.err) == (1, "")
    assert result.json["success"] is False
    assert result.json["error"]["code"] == "NotAnArticle"


def test_markdown_is_a_file_to_keep(page):
    fields, body = split(markdown(page, "--saved-at"))
    assert fields["source"] == URL
    assert fields["title"] == "The quiet: tide"
    assert fields["author"] == "Maren Oduya"
    assert fields["domain"] == "bay.example"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", fields["saved_at"])
    assert "# The quiet: tide\n" in body


def test_frontmatter_is_the_only_difference_of_no_frontmatter(page):
    _, body = split(markdown(page, "--frontmatter"))
    assert markdown(page, "--no-frontmatter") == body.lstrip("\n")


@pytest.mark.parametrize(
    ("flags", "wanted", "unwanted"),
    [
        ([], "[![Mud](https://bay.example/mud.jpg)](https://bay.example/mud.jpg)", "[1]"),
        (["--images", "plain"], "![Mud](https://bay.example/mud.jpg)", "[!["),
        (["--images", "none"], "The quiet", "mud.jpg"),
        (["--links", "inline"], "[boats](https://bay.example/boats?id=7)", "[1]"),
        (["--links", "reference"], "[1]: https://bay.example/boats?id=7", "(https://bay.example/b"),
        (["--links", "none"], "the boats lay", "bay.example/boats"),
    ],
)
def test_each_style_writes_what_it_says(page, flags: list[str], wanted: str, unwanted: str):
    printed = markdown(page, "--no-frontmatter", *flags)
    assert wanted in printed
    assert unwanted not in printed


def test_wrapping_breaks_lines_and_changes_no_word(page):
    wide = markdown(page, "--no-frontmatter", "--links", "none", "--images", "none")
    narrow = markdown(page, "--no-frontmatter", "--links", "none", "--images", "none", "--wrap", 40)
    assert max(map(len, narrow.splitlines())) <= 40 < max(map(len, wide.splitlines()))
    assert narrow.split() == wide.split()


def test_a_style_may_be_set_for_good(page, tmp_path):
    (tmp_path / "pageloom.toml").write_text('[extraction]\nmarkdown_images = "none"\n')
    result = pageloom("extract", page, "--url", URL, "--no-frontmatter", cwd=tmp_path)
    assert "mud.jpg" not in result.out
    (tmp_path / "pageloom.toml").write_text('[extraction]\nmarkdown_images = "some"\n')
    result = pageloom("extract", page, cwd=tmp_path)
    assert (result.code, result.out) == (2, "")
    assert "extraction.markdown_images" in result.err


@pytest.mark.parametrize(
    "flags",
    [
        ["--wrap", "5"],
        ["--wrap", "wide"],
        ["--images", "large"],
        ["--links", "all"],
        ["--format", "text", "--wrap", "60"],
        ["--format", "pretty", "--no-frontmatter"],
        ["--explain", "--images", "none"],
    ],
)
def test_a_style_that_does_not_fit_is_wrong_usage(page, flags: list[str]):
    result = pageloom("extract", page, *flags)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("Error: ")


@pytest.mark.parametrize("form", ["text", "markdown", "html", "pretty"])
def test_json_and_a_format_that_is_none_is_wrong_usage(page, form: str):
    result = pageloom("extract", page, "--format", form, "--json")
    assert (result.code, result.err) == (2, "")
    assert result.json["error"]["code"] == "UsageError"
    assert form in result.json["error"]["message"]


def test_json_goes_with_a_view_that_is_json(page):
    plain = pageloom("extract", page, "--format", "parsed")
    assert pageloom("extract", page, "--format", "parsed", "--json").json == plain.json

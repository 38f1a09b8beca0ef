"""Commands that tell what they do: nothing is overwritten, ignored or guessed without a word."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import yaml
from tests.integration.cli import environment
from tests.integration.library.conftest import page

URL = "https://tidewatch.example/swifts"


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (["extract", "{page}", "-o", "{file}"], b"Port Ellery"),
        (["diff", "{page}", "{page}", "--html", "{file}"], b"<html"),
        (["compare", "{pages}", "--report", "{file}"], b"<html"),
        (["compare", "{pages}", "--summary", "{file}"], b"url"),
    ],
)
def test_no_command_overwrites_a_file_without_force(shell, tmp_path, command, written):
    source, file = tmp_path / "page.html", tmp_path / "mine.txt"
    source.write_bytes(page())
    pages = tmp_path / "pages.jsonl"
    line = {"url": URL, "html": page().decode(), "reference": "The swifts of Port Ellery"}
    pages.write_text(json.dumps(line) + "\n")
    file.write_text("my own")
    words = [word.format(page=source, file=file, pages=pages) for word in command]
    refused = shell(*words)
    assert (refused.code, file.read_text()) == (2, "my own")
    assert "already exists" in refused.err
    assert "--force" in refused.err
    assert shell(*words, "--force").code == 0
    assert written in file.read_bytes()


def test_many_pages_overwrite_no_file_of_a_directory_without_force(shell, tmp_path):
    pages, out = tmp_path / "pages", tmp_path / "out"
    pages.mkdir()
    for name in ("one", "two", "three"):
        (pages / f"{name}.html").write_bytes(page(name))
    assert shell("extract", pages, "-o", out).code == 0
    (out / "two.md").write_text("edited")
    refused = shell("extract", pages, "-o", out)
    assert (refused.code, (out / "two.md").read_text()) == (2, "edited")
    assert "3 files already exist" in refused.err
    assert shell("extract", pages, "-o", out, "--force").code == 0
    assert "Port Ellery" in (out / "two.md").read_text()


def test_a_backup_takes_the_place_of_an_older_one_only_with_force(shell, tmp_path):
    shell.keep(URL)
    file = tmp_path / "library.zip"
    assert shell("backup", file).code == 0
    first = file.read_bytes()
    refused = shell("backup", file)
    assert (refused.code, "--force" in refused.err, file.read_bytes()) == (2, True, first)
    assert shell("backup", file, "--force").code == 0


def test_converted_rules_overwrite_no_file_without_force(shell, tmp_path):
    source, out = tmp_path / "tidewatch.example.txt", tmp_path / "rules"
    source.write_text("strip: //aside\nbody: //article\n")
    assert shell("rules", "import", source, "--output", out).code == 0
    (out / "tidewatch.example.yaml").write_text("# edited\n")
    refused = shell("rules", "import", source, "--output", out)
    assert (refused.code, "--force" in refused.err) == (2, True)
    assert shell("rules", "import", source, "--output", out, "--force").code == 0
    assert "aside" in (out / "tidewatch.example.yaml").read_text()


def test_reading_a_deleted_page_says_so(shell):
    shell.keep(URL)
    assert "Deleted" not in shell("read", 1).err
    shell("delete", 1)
    told = shell("read", 1)
    assert (told.code, "pageloom restore 1" in told.err, "Deleted" in told.err) == (0, True, True)
    assert shell("read", 1, "--json").json["deleted_at"]


def test_a_page_that_is_taken_as_a_tag_is_told(shell):
    for number in (1, 2):
        shell.keep(f"{URL}/{number}", page(f"swifts {number}"))
    told = shell("tag", "add", "law", "--to", "1", "2")
    assert "To name several pages, write: --to 1 --to 2" in told.err
    assert not shell("tag", "add", "2026", "--to", "1").err


def test_what_would_help_pages_that_failed_is_said_once(shell, tmp_path):
    (tmp_path / "urls.txt").write_text("http://10.0.0.1/a\nhttp://10.0.0.2/b\n")
    told = shell("save", tmp_path / "urls.txt")
    assert (told.code, told.out.count("fetch.allowed_hosts")) == (1, 1)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("localhost:8000/page", "http://localhost:8000/page"),
        ("nas:8080", "http://nas:8080"),
        ("tidewatch.example:443/x", "https://tidewatch.example:443/x"),
        ("tidewatch.example/x", "https://tidewatch.example/x"),
    ],
)
@pytest.mark.parametrize("command", ["extract", "save", "fetch", "watch add", "watch preview"])
def test_a_host_without_a_scheme_gets_the_url_that_was_meant(shell, command, given, meant):
    told = shell(*command.split(), given)
    assert told.code == 2
    assert f"For a web page, write {meant}" in told.err


def test_a_pdf_that_is_broken_says_so(shell, tmp_path):
    file = tmp_path / "paper.pdf"
    file.write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj")
    assert "The PDF is broken" in shell("extract", file).err
    assert "The PDF is broken" in shell("save", "--from", file, "--url", URL).err


def test_extract_takes_a_directory_of_rules(shell, tmp_path):
    source, rules = tmp_path / "page.html", tmp_path / "rules"
    source.write_bytes(page())
    rules.mkdir()
    rule = {"id": "t", "trigger": {"host": {"equals": "tidewatch.example"}}}
    rule |= {"metadata": {"author": {"value": "Nora Quist"}}}
    (rules / "t.yaml").write_text(yaml.safe_dump([rule]))
    plain = shell("extract", source, "--url", URL, "--json").json
    ruled = shell("extract", source, "--url", URL, "--json", "--rules", rules).json
    assert (plain["author"], ruled["author"]) == ("", "Nora Quist")
    assert shell("explain", source, "--url", URL, "--rules", tmp_path / "none").code == 1


DRAFTED = """<!doctype html><html lang=en><head><title>Swifts | Tidewatch</title></head><body>
<div class="row top"><a href=/>Home</a></div>
<div class="row wide css-1x2y3z"><div class="story-text row"><h1>Swifts of the harbour</h1>
<p>The harbour master counted forty swifts over the old granary on the first evening of May.</p>
<p>Nobody had expected the birds to come back so soon after the roof of it was mended.</p>
<div class="share-bar">Share this</div></div></div></body></html>"""


def test_a_drafted_rule_has_only_selectors_that_match_the_page(shell, tmp_path):
    from pageloom.core.dom import parse

    for name, markup in (("plain", page().decode()), ("rows", DRAFTED)):
        source, rules = tmp_path / f"{name}.html", tmp_path / name
        source.write_text(markup)
        drafted = shell("rules", "new", source, "--url", URL, "--rules", rules, "--json")
        rule, tree = drafted.json["rule"], parse(markup)
        article = rule["selector_overrides"]["article"]
        assert len(tree.select(article)) == 1, article
        fields = [field["selector"] for field in rule.get("metadata", {}).values()]
        for css in (*rule.get("remove", ()), *fields):
            assert tree.select(css), css
        assert shell("rules", "lint", rules).code == 0
    assert article == "div.story-text"


BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p>
  <DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Lesezeichenleiste</H3>
  <DL><p>
    <DT><A HREF="https://a.example/1" TAGS="birds">One</A>
    <DT><H3 ADD_DATE="1">Harbour &amp; coast</H3>
    <DD>All about it
    <DL><p>
      <DT><A HREF="https://a.example/2">Two</A>
      <DT><H3>Cranes</H3>
      <DL><p><DT><A HREF="https://a.example/3">Three</A></DL><p>
    </DL><p>
    <DT><A HREF="https://a.example/4">Four</A>
  </DL><p>
  <DT><H3>Other bookmarks</H3>
  <DL><p><DT><A HREF="https://a.example/5">Five</A></DL><p>
</DL><p>"""


def test_folders_of_bookmarks_become_tags(shell, tmp_path):
    file = tmp_path / "bookmarks.html"
    file.write_text(BOOKMARKS)
    assert shell("import", file, "--no-fetch").code == 0
    tags = {
        one["url"][-1]: sorted(shell("tag", "list", one["id"], "--json").json["tags"])
        for one in shell("list", "--json").json["items"]
    }
    assert tags == {
        "1": ["birds"],
        "2": ["Harbour & coast"],
        "3": ["Cranes", "Harbour & coast"],
        "4": [],
        "5": [],
    }


def test_the_tags_of_a_vault_are_the_user_s_and_the_page_s_and_guesses_are_keywords(
    shell, tmp_path
):
    head = b"<meta property='article:tag' content='Sea birds'><meta name='robots' content='all'>"
    markup = page().replace(b"<meta", head + b"<meta", 1)
    shell.keep(URL, markup, "--tag", "to read/soon", "--tag", "2026")
    assert shell("export", "markdown", tmp_path / "vault").code == 0
    (file,) = (tmp_path / "vault").glob("*.md")
    fields = yaml.safe_load(file.read_text().split("---")[1])
    assert sorted(fields["tags"]) == ["Sea-birds", "tag-2026", "to-read/soon"]
    assert sorted(fields["own_tags"]) == ["2026", "to read/soon"]
    assert fields["keywords"]
    assert not set(fields["keywords"]) & set(fields["tags"])
    # An import has all of them again as they were.
    shell("delete", 1)
    shell("purge", 1, "--yes")
    assert shell("import", tmp_path / "vault").code == 0
    (item,) = shell("list", "--json").json["items"]
    told = shell("read", item["id"], "--json").json
    assert (sorted(told["tags"]), told["document"]["tags"]) == (
        ["2026", "to read/soon"],
        ["Sea birds"],
    )


def test_an_html_export_shows_the_page_s_picture(shell, tmp_path):
    picture = "https://tidewatch.example/swift.jpg"
    head = f"<meta property='og:image' content='{picture}'><meta".encode()
    shell.keep(URL, page().replace(b"<meta", head, 1))
    assert shell("export", "html", tmp_path / "page.html", 1).code == 0
    assert f'<img src="{picture}"' in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("command", [["list"], ["watch", "list"], ["prices", "1"]])
def test_looking_at_lists_does_not_load_what_fetches_and_extracts(shell, command, tmp_path):
    database = f"sqlite:///{tmp_path}/lists.db"
    shell("save", "--from", "-", "--url", URL, stdin=page(), PAGELOOM_DATABASE_URL=database)
    shell("watch", "add", URL, PAGELOOM_DATABASE_URL=database)
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "pageloom", *command],
        env=environment(PAGELOOM_DATABASE_URL=database),
        capture_output=True,
        text=True,
        check=False,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert done.returncode == 0, done.stderr[-500:]
    assert "pageloom.edges.store.sqlite" in loaded
    heavy = {"aiohttp", "numpy", "turbohtml", "re2", "pageloom.edges.fetch.fetcher"}
    assert not heavy & loaded

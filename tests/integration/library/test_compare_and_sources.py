from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys

import pytest
from tests.integration.cli import environment
from tests.integration.library.conftest import page

FIFTH_SEED = (
    "run_at,git_sha,ok_count,error_count,avg_similarity,std_similarity,coverage_words,"
    "std_coverage_words,coverage_links,std_coverage_links,coverage_images,std_coverage_images,"
    "coverage_videos,std_coverage_videos,missing_words,extra_words,missing_links,extra_links,"
    "missing_images,extra_images,missing_videos,extra_videos"
)
URL = "https://tidewatch.example/swifts"


def corpus(folder):
    for name in ("swifts", "terns"):
        (folder / f"{name}.html").write_bytes(page(name))
        text = "\n\n".join([f"The {name} of the harbour", "The ledger of the harbour."])
        (folder / f"{name}.md").write_text(text)


def test_a_folder_is_compared_with_its_references_and_the_history_grows(shell, tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    corpus(folder)
    files = (
        "--history",
        tmp_path / "h.csv",
        "--summary",
        tmp_path / "s.csv",
        "--report",
        tmp_path / "r.html",
    )
    first = shell("compare", folder, *files, "--git-sha", "abc", "--json")
    assert first.code == 0
    assert first.json["run"]["ok_count"] == "2"
    assert 0 < float(first.json["run"]["avg_similarity"]) < 1
    assert float(first.json["run"]["coverage_words"]) <= 1.0
    header = (tmp_path / "h.csv").read_text().splitlines()[0]
    assert header.startswith(FIFTH_SEED + ",diff_paragraphs,")
    again = shell("compare", folder, *files, "--git-sha", "def", "--canonical", "--force")
    assert again.code == 0
    assert len(list(csv.DictReader((tmp_path / "h.csv").read_text().splitlines()))) == 2
    report = (tmp_path / "r.html").read_text()
    assert "<polyline" in report
    assert "<script" not in report
    assert len((tmp_path / "s.csv").read_text().splitlines()) == 3


def test_a_figure_that_falls_is_an_exit_code(shell, tmp_path):
    lines = [{"url": URL, "html": page().decode(), "reference": "The swifts of Port Ellery " * 30}]
    source = tmp_path / "pages.jsonl"
    source.write_text("\n".join(map(json.dumps, lines)))
    assert shell("compare", source, "--history", tmp_path / "h.csv").code == 0
    (tmp_path / "worse.py").write_text("print('nothing of the kind')")
    worse = f"command:{sys.executable} {tmp_path / 'worse.py'}"
    result = shell("compare", source, "--with", worse, "--history", tmp_path / "h.csv")
    assert result.code == 1
    assert "WORSE: avg_similarity" in result.out
    failing = f"command:{sys.executable} -c 1/0"
    assert shell("compare", source, "--with", failing, "--json").json["run"]["error_count"] == "1"


@pytest.mark.parametrize(
    "content",
    [b"date,amount\n2026-01-02,5\n", b"\xff\xfe\x00", b"run_at\n1,2,3\n", b'"', b"notes\n"],
)
def test_a_file_that_is_no_history_is_never_written_to(shell, tmp_path, content):
    lines = [{"url": URL, "html": page().decode(), "reference": "The swifts"}]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (tmp_path / "mine.csv").write_bytes(content)
    out = shell("compare", tmp_path / "pages.jsonl", "--history", tmp_path / "mine.csv")
    assert (out.code, "not a comparison history" in out.err) == (1, True)
    assert (tmp_path / "mine.csv").read_bytes() == content
    assert shell("compare", tmp_path / "pages.jsonl", "--history", tmp_path).code == 2


def test_a_comparison_in_which_nothing_could_be_measured_fails(shell, tmp_path):
    (tmp_path / "a.html").write_bytes(page())
    (tmp_path / "a.txt").write_text("The swifts of Port Ellery.")
    result = shell("compare", tmp_path, "--with", "command:false")
    assert (result.code, "0 ok, 1 errors" in result.out) == (1, True)


def test_stored_pages_are_compared_with_todays_parser(shell, tmp_path):
    shell.keep(URL)
    shell.keep("https://tidewatch.example/=cmd", page("terns"))
    result = shell("compare", "--summary", tmp_path / "s.csv", "--json")
    assert result.code == 0
    assert float(result.json["run"]["avg_similarity"]) == 1.0
    assert shell("compare", "--with", "ours:enable_fallbacks=false").code == 0
    assert shell("compare", "--with", "ours:no_such=1").code == 2
    assert shell("compare", "--with", "theirs").code == 2


def test_cells_of_a_summary_are_never_formulas(shell, tmp_path):
    source = tmp_path / "p.jsonl"
    row = {"name": "=HYPERLINK(1)", "url": "@evil", "html": page().decode(), "text": "Swifts " * 50}
    source.write_text(json.dumps(row))
    shell("compare", source, "--summary", tmp_path / "s.csv", "--report", tmp_path / "r.html")
    [cells] = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
    assert cells["name"] == "'=HYPERLINK(1)"
    assert cells["url"] == "'@evil"


ANSWER = (
    "Title: The swifts, as another reads them\n\nURL Source: {url}\n\n"
    "Published Time: 2025-03-19T10:00:00Z\n\nMarkdown Content:\n"
    + "The swifts of Port Ellery are counted by a machine elsewhere. "
    * 20
)


def serve_reader(site, reader, path="/swifts"):
    """A page, and a reader service that speaks the protocol: the address is put behind its own."""
    url = site.url(path)
    site.add(path, page("swifts"), Content_Type="text/html")
    reader.add(f"/{url}", ANSWER.format(url=url).encode(), Content_Type="text/plain")
    return url


def test_the_external_engine_compare_fallback_and_share(shell, site, other_site):
    url = serve_reader(site, other_site)
    reader = {
        "PAGELOOM_LIBRARY_READER_URL": other_site.url(""),
        "PAGELOOM_LIBRARY_READER_TOKEN": "t0k",
    }
    compared = shell("save", url, "--json", **reader, WEB_SAVE_MODE="compare").json
    assert compared["engine"] == "local"
    assert 0 < compared["comparison"]["similarity"] < 1
    assert other_site.asked[-1][1]["authorization"] == "Bearer t0k"
    assert "retired pilot" in shell("read", url).out
    external = shell("save", url, "--json", **reader, WEB_SAVE_MODE="jina").json
    assert (external["engine"], external["title"]) == (
        "external",
        "The swifts, as another reads them",
    )
    read = shell("read", url).out
    assert "counted by a machine elsewhere" in read
    assert "URL Source" not in read
    assert "2025-03-19" in read
    site.add("/swifts", b"", 500)
    failed = shell("save", url, "--mode", "local", **reader)
    assert failed.code == 1
    rescued = shell(
        "save", url, "--json", "--mode", "local", **reader, PAGELOOM_LIBRARY_FALLBACK="external"
    )
    assert rescued.json["engine"] == "external"
    share = shell("save", url, "--json", **reader, PAGELOOM_LIBRARY_LOCAL_PERCENT="0")
    assert share.json["engine"] == "external"
    assert shell("save", url, "--mode", "external").code == 2


def test_a_reader_service_is_never_told_of_inner_addresses(shell, other_site):
    reader = {"PAGELOOM_LIBRARY_READER_URL": other_site.url("")}
    result = shell("save", "http://10.0.0.8/admin", "--mode", "external", **reader)
    assert result.code == 4
    assert other_site.asked == []


def test_the_share_grows_without_moving_anybody_back():
    from pageloom.edges.store.options import LibraryOptions
    from pageloom.flows.library.save import engine_for

    urls = [f"https://tidewatch.example/{number}" for number in range(500)]
    before: set[str] = set()
    for share in (0, 25, 50, 100):
        options = LibraryOptions(local_percent=share)
        ours = {url for url in urls if engine_for(url, options) == "local"}
        assert before <= ours
        assert abs(len(ours) - 5 * share) < 60
        before = ours


FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>Tidewatch</title>
<link>https://tidewatch.example/</link><description>d</description>{items}</channel></rss>"""
ITEM = (
    "<item><title>{name}</title><link>https://tidewatch.example/{name}</link>"
    "<description>The {name} of Port Ellery have been counted, and the ledger says how many of them"
    " there were in each of the years since the harbour was widened.</description></item>"
)


def feed(*names: str) -> bytes:
    return FEED.format(items="".join(ITEM.format(name=name) for name in names)).encode()


def test_what_is_new_in_the_feeds_of_a_source_becomes_pages(shell, site):
    site.add("/feed", feed("swifts", "terns"), Content_Type="application/rss+xml", ETag='"1"')
    added = shell(
        "sources", "add", "tide", "--site", "tidewatch.example", "--feed", site.url("/feed")
    )
    assert added.out == "Added tide\n"
    polled = shell("sources", "poll", "--json").json["items"][0]
    assert len(polled["new"]) == 2
    assert shell("sources", "poll", "--json").json["items"] == []
    site.add("/feed", feed("gulls", "swifts"), Content_Type="application/rss+xml")
    again = shell("sources", "poll", "tide", "--json").json["items"][0]
    assert (len(again["new"]), again["known"]) == (1, 1)
    assert site.asked[-1][1].get("if-none-match") == '"1"'
    assert shell("list", "--source", "tide", "--json").json["total"] == 3
    [source] = shell("sources", "list", "--json").json["items"]
    assert source["reliability"] > 0.6
    assert shell("list", "--min-reliability", "0.6", "--json").json["total"] == 3
    assert shell("list", "--min-reliability", "0.9", "--json").json["total"] == 0
    assert shell("sources", "show", "none").code == 3
    assert shell("sources", "remove", "--yes", "tide").code == 0


def test_what_is_said_of_a_source_later_changes_only_that(shell, site):
    site.add("/feed", feed("swifts"), Content_Type="application/rss+xml")
    first = ("--site", "tidewatch.example", "--timezone", "Europe/Berlin", "--hint", "author=.by")
    shell("sources", "add", "tide", *first)
    assert shell("sources", "poll", "--json").json["items"] == []
    changed = shell("sources", "add", "tide", "--feed", site.url("/feed"), "--every", "5")
    assert changed.out == "Changed tide\n"
    source = shell("sources", "show", "tide", "--json").json
    assert (source["timezone"], source["hints"]) == ("Europe/Berlin", {"author": ".by"})
    assert (source["poll_every"], source["site"]) == (300, "tidewatch.example")
    assert len(shell("sources", "poll", "--json").json["items"][0]["new"]) == 1


@pytest.mark.parametrize(
    ("flag", "value", "said"),
    [
        ("--timezone", "Mars/Base", "Europe/Berlin"),
        ("--hint", "author=[[[", "selector"),
        ("--hint", "author", "field=selector"),
        ("--proxy", "nowhere", "socks5://"),
        ("--site", "not a host", "example.com"),
        ("--site", "a.example/page", "example.com"),
        ("--feed", "ftp://a.example/", "URL"),
    ],
)
def test_what_cannot_be_used_of_a_source_is_told_and_nothing_is_kept(shell, flag, value, said):
    out = shell("sources", "add", "tide", flag, value)
    assert (out.code, said in out.err) == (2, True)
    assert shell("sources", "list", "--json").json["items"] == []


def test_feeds_are_polled_on_and_on_until_somebody_stops_it(shell, site, tmp_path):
    site.add("/feed", feed("swifts"), Content_Type="application/rss+xml")
    shell("sources", "add", "tide", "--site", "tidewatch.example", "--feed", site.url("/feed"))
    extra = {
        "PAGELOOM_DATABASE_URL": str(tmp_path / "library.db"),
        "PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.1",
    }
    with subprocess.Popen(
        [sys.executable, "-m", "pageloom", "sources", "poll", "--loop", "--jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**extra),
    ) as process:
        assert process.stdout
        polled = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, b"")
    assert (polled["source"], len(polled["new"])) == ("tide", 1)
    assert shell("list", "--json").json["total"] == 1
    assert shell("sources", "poll", "tide", "--loop").code == 2
    assert shell("sources", "poll", "--loop", "--json").code == 2


def test_the_same_story_is_found_under_several_addresses(shell):
    shell.keep(URL, page("swifts"))
    once = page("swifts").replace(b"was as good", b"was better", 1)
    shell.keep("https://mirror.example/swifts", once)
    shell.keep("https://tidewatch.example/bread", page("loaves").replace(b"harbour", b"bakery"))
    clusters = [one["pages"] for one in shell("duplicates", "--json").json["items"]]
    assert [[one["id"] for one in group] for group in clusters] == [[1, 2]]
    assert "The swifts of the harbour  (2)" in shell("duplicates").out

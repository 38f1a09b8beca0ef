"""Pages that are no content: recognised, tried once in the browser, and never kept as content."""

from __future__ import annotations

import json

import psutil
import pytest
from tests.site.apps import FOOTER, NAVIGATION, PARAGRAPHS, TITLE, article, page, static_page
from tests.site.server import send

from pageloom.edges.fetch.request import FetchRequest, Rendering
from pageloom.errors import FetchError
from pageloom.flows.capture.acquire import acquire

WALL = (
    '<h1>Checking your browser</h1><p>This takes a moment.</p><div id="challenge-stage"></div>'
    '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>'
)


def get(world, url: str, **how):
    how = {"rules": None} | how
    return world.run(acquire(FetchRequest(url=url), fetcher=world.fetcher, **how))


def refused(world, url: str, **how) -> FetchError:
    with pytest.raises(FetchError) as caught:
        get(world, url, **how)
    return caught.value


@pytest.mark.parametrize("status", [200, 403, 503])
def test_a_challenge_is_a_failed_fetch(world, site, status: int):
    site.add_html("/", page(WALL, title="Just a moment..."), status)
    error = refused(world, site.url("/", "site.test"), render="never")
    assert (error.kind, error.retryable) == ("challenge", True)
    assert error.suggestions


@pytest.mark.parametrize(
    ("body", "title", "headers"),
    [
        ("<p>Please wait.</p>", "Site", {"cf_mitigated": "challenge"}),
        ("<p>Please wait.</p>", "Site", {"x_amzn_waf_action": "captcha"}),
        ("<p>Prove it.</p>", "Are you a robot?", {}),
        ('<div id="px-captcha"></div><p>Press and hold.</p>', "Site", {}),
        ('<script src="https://ct.captcha-delivery.com/c.js"></script>', "Site", {}),
        ('<iframe src="/_Incapsula_Resource?x=1"></iframe><p>Incident.</p>', "Site", {}),
        ('<p>One moment</p><script src="/.within.website/x/cmd/anubis/m.mjs"></script>', "S", {}),
    ],
)
def test_walls_of_many_makers_are_known(world, site, body: str, title: str, headers):
    site.add_html("/", page(body, title=title), **headers)
    assert refused(world, site.url("/", "site.test"), render="never").kind == "challenge"


def test_a_challenge_that_lets_browsers_through_gives_the_page(world, site):
    """The script proves itself by a cookie and loads the page again."""

    def answer(request) -> None:
        if "passed=1" in request.headers.get("Cookie", ""):
            send(request, static_page().encode(), Content_Type="text/html")
        else:
            script = "setTimeout(() => {document.cookie='passed=1';location.reload()}, 600)"
            wall = page(WALL + f"<script>{script}</script>", title="Just a moment...")
            send(request, wall.encode(), 403, Content_Type="text/html")

    site.pages["/"] = answer
    got = get(world, site.url("/", "site.test"))
    assert got.used_browser
    assert got.status == 200
    assert got.document.title == TITLE
    assert PARAGRAPHS[4] in got.document.text
    assert got.decisions[0] == "browser: HTTP was blocked (status 403)"


@pytest.mark.parametrize("status", [401, 403, 429, 503])
def test_who_is_turned_away_as_a_program_is_let_in_as_a_browser(world, site, status: int):
    def answer(request) -> None:
        is_browser = "Chrome/" in request.headers["User-Agent"]
        body = static_page() if is_browser else "<p>No programs.</p>"
        send(request, body.encode(), 200 if is_browser else status, Content_Type="text/html")

    site.pages["/"] = answer
    got = get(world, site.url("/", "site.test"))
    assert got.used_browser
    assert PARAGRAPHS[4] in got.document.text


def test_who_is_turned_away_twice_fails_with_the_first_reason(world, site):
    site.add_html("/", page("<h1>Members only</h1>"), 403)
    error = refused(world, site.url("/", "site.test"))
    assert (error.kind, error.figures["status"]) == ("status", 403)
    assert len([path for path in site.paths if path == "/"]) == 2


@pytest.mark.parametrize("status", [404, 410, 500])
def test_other_failures_start_no_browser(world, site, status: int):
    site.add_html("/", page("<h1>Sorry</h1><script>1</script>"), status)
    error = refused(world, site.url("/", "site.test"))
    assert (error.kind, error.figures["status"]) == ("status", status)
    assert site.paths == ["/"]


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Before you continue", "<p>We use cookies and ask for your consent.</p>"),
        ("Gazette | We value your privacy", "<p>Cookie choices. Give consent or subscribe.</p>"),
    ],
)
def test_a_consent_wall_is_a_failed_fetch(world, site, title: str, body: str):
    site.add_html("/", page(f'<form action="/consent">{body}</form>', title=title))
    error = refused(world, site.url("/", "site.test"), render="never")
    assert error.kind == "challenge"
    assert "consent" in error.message


@pytest.mark.parametrize(
    "title",
    ["Page not found", "404 | Gazette", "Gazette – Seite nicht gefunden", "Page introuvable",
     "页面不存在", "Oops! That page can’t be found."],
)  # fmt: skip
def test_a_soft_404_is_a_failed_fetch(world, site, title: str):
    links = "".join(f'<li><a href="/{n}">Popular story number {n}</a></li>' for n in range(20))
    body = (
        f"{NAVIGATION}<main><h1>{title}</h1><p>Try the search.</p><ul>{links}</ul></main>{FOOTER}"
    )
    site.add_html("/gone", page(body, title=title))
    error = refused(world, site.url("/gone", "site.test"))
    assert (error.kind, error.figures["status"], error.figures["answered"]) == ("status", 404, 200)
    assert not error.retryable


def test_an_error_page_with_status_200_is_a_failed_fetch(world, site):
    site.add_html("/", page("<h1>502 Bad Gateway</h1><hr>nginx", title="502 Bad Gateway"))
    error = refused(world, site.url("/", "site.test"))
    assert (error.kind, error.retryable) == ("status", True)


@pytest.mark.parametrize(
    ("title", "extra"),
    [
        ("Page not found: a short history of the error 404", ""),
        ("Access denied", ""),
        ("Are you a robot?", '<script src="https://www.google.com/recaptcha/api.js"></script>'),
        ("How we got rid of our cookie consent banner", "<p>cookie consent</p>"),
    ],
)
def test_articles_about_such_pages_are_articles(world, site, title: str, extra: str):
    site.add_html("/", page(NAVIGATION + article(title=title) + extra, title=title))
    got = get(world, site.url("/", "site.test"))
    assert got.document.title == title
    assert not got.used_browser


def test_a_short_static_page_starts_no_browser(world, site):
    site.add_html("/", page("<h1>Opening hours</h1><p>Daily from nine to five.</p>"))
    got = get(world, site.url("/", "site.test"))
    assert not got.used_browser
    assert got.decisions == ()


def test_the_worse_result_of_the_browser_is_not_kept(world, site):
    """In a browser the page puts a wall before its few words."""
    wall = "document.title = 'Are you a robot?'; document.body.innerHTML = '<p>Prove it.</p>'"
    site.add("/wall.js", wall.encode(), Content_Type="text/javascript")
    words = "Daily from nine to five, on Sundays from ten. Closed on the first Monday of May."
    site.add_html("/", page(f"<h1>Opening hours</h1><p>{words}</p><script src=/wall.js></script>"))
    got = get(world, site.url("/", "site.test"))
    assert not got.used_browser
    assert words in got.document.text
    assert got.decisions[-1].startswith("used: HTTP")


def test_a_markdown_variant_helps_a_page_without_text(world, site):
    markdown = f"# {TITLE}\n\n" + "\n\n".join(PARAGRAPHS) + "\n"
    site.add("/story.md", markdown.encode(), Content_Type="text/markdown; charset=utf-8")
    link = '<link rel="alternate" type="text/markdown" href="/story.md">'
    site.add_html("/story", page('<div id="app"></div><script src="/app.js"></script>', head=link))
    got = get(world, site.url("/story", "site.test"))
    assert not got.used_browser
    assert PARAGRAPHS[4] in got.document.text
    assert got.document.url.endswith("/story")
    site.add_html("/full", page(article(), head=link))
    site.asked.clear()
    get(world, site.url("/full", "site.test"))
    assert site.paths == ["/full"]


def test_lazy_pictures_come_with_their_addresses(world, site):
    script = (
        "new IntersectionObserver((all, eye) => all.forEach((one) => { if (one.isIntersecting) {"
        "one.target.src = one.target.dataset.later; eye.unobserve(one.target); } }))"
    )
    pictures = "".join(
        f'<p>{text}</p><img alt="picture {n}" width="600" height="400" data-later="/p{n}.jpg">'
        '<div style="height:900px"></div>'
        for n, text in enumerate(PARAGRAPHS)
    )
    watch = f"const eye = {script}; document.querySelectorAll('img').forEach((i) => eye.observe(i))"
    site.add_html(
        "/", page(f"<article><h1>{TITLE}</h1>{pictures}</article><script>{watch}</script>")
    )
    got = get(world, site.url("/", "site.test"), render="force")
    assert [image.url.rpartition("/")[2] for image in got.document.images] == [
        f"p{n}.jpg" for n in range(5)
    ]


def test_unwanted_kinds_of_resources_are_not_loaded(world, site):
    body = '<img src="/a.png"><video src="/b.mp4"></video><link rel="stylesheet" href="/c.css">'
    site.add_html("/", page(article() + body))
    get(world, site.url("/", "site.test"), render="force")
    assert {"/a.png", "/b.mp4"}.isdisjoint(site.paths)
    assert "/c.css" in site.paths
    site.asked.clear()
    rendering = Rendering(block_resources=("stylesheet",))
    get(world, site.url("/", "site.test"), render="force", rendering=rendering)
    assert "/a.png" in site.paths
    assert "/c.css" not in site.paths


@pytest.mark.parametrize("what", ["chrom", "node"])
def test_a_killed_browser_is_replaced_and_the_page_shown(world, site, what: str):
    """The browser itself, or the program that leads it."""
    asked = []

    def kill_once(request) -> None:
        asked.append(request.path)
        if len(asked) == 1:
            for child in psutil.Process().children(recursive=True):
                if "--type=" not in " ".join(child.cmdline()) and what in child.name():
                    child.kill()
        send(request, static_page().encode(), Content_Type="text/html")

    site.pages["/"] = kill_once
    got = get(world, site.url("/", "site.test"), render="force")
    assert PARAGRAPHS[4] in got.document.text
    assert len(asked) == 2


def test_a_file_is_fetched_even_where_the_browser_was_asked_for(world, site):
    site.add("/feed.json", json.dumps({"title": TITLE, "content": PARAGRAPHS[0]}).encode(),
             Content_Type="application/octet-stream", Content_Disposition="attachment")  # fmt: skip
    got = get(world, site.url("/feed.json", "site.test"), render="force")
    assert not got.used_browser
    assert PARAGRAPHS[0] in got.document.text

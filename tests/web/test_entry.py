"""Coming in: the link of the terminal, passwords, sessions, proxies; and what is refused."""

from __future__ import annotations

import re

import pytest
from tests.integration.cli import pageloom
from tests.web.server import Browser, Server, running

from pageloom.library import open_library


@pytest.fixture(scope="module")
def ann(database, server):
    """A user with a password."""
    with open_library(database, "ann") as library:
        library.set_password("harbour swifts fly")
    return "ann"


def test_a_stranger_is_sent_to_the_form_and_back(server):
    answer = server.ask("GET", "/api?x=1")
    assert answer.status == 303
    assert answer.headers["location"] == "/login?next=/api%3Fx%3D1"
    assert "Sign in" in server.ask("GET", "/login").text


def test_the_link_of_the_terminal_works_once(browser, server):
    secret = server.link.rpartition("/")[2]
    assert browser.get("/login").status == 303
    assert server.ask("GET", f"/first/{secret}").status == 200
    again = Browser(server).post("/first", secret=secret)
    assert again.status == 403
    assert "used already" in again.text


def test_a_session_is_a_cookie_that_scripts_and_other_sites_do_not_get(server, ann):
    answer = Browser(server).post("/login", name=ann, password="harbour swifts fly")
    assert answer.status == 303
    assert re.fullmatch(
        r"pageloom=[\w-]{40,}; HttpOnly; Max-Age=2592000; Path=/; SameSite=lax",
        answer.headers["set-cookie"],
    )


def test_signing_in_again_ends_the_session_before(server, ann):
    first = Browser(server)
    first.post("/login", name=ann, password="harbour swifts fly")
    old = Browser(server, first.cookie)
    first.post("/login", name=ann, password="harbour swifts fly")
    assert first.cookie != old.cookie
    assert old.get("/login").status == 200
    assert first.get("/login").status == 303


def test_signing_out_makes_the_cookie_useless(server, ann):
    someone = Browser(server)
    someone.post("/login", name=ann, password="harbour swifts fly")
    stolen = Browser(server, someone.cookie)
    assert someone.post("/logout").status == 303
    assert stolen.get("/login").status == 200


def test_after_five_wrong_passwords_even_the_right_one_has_to_wait(database, server):
    with open_library(database, "ben") as library:
        library.set_password("harbour swifts fly")
    wrong = [Browser(server).post("/login", name="ben", password="no").status for _ in range(5)]
    assert wrong == [401] * 5
    answer = Browser(server).post("/login", name="ben", password="harbour swifts fly")
    assert answer.status == 429
    assert int(answer.headers["retry-after"]) >= 1


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "javascript:alert(1)",
        "/\t/evil.example",
        "",
    ],
)
def test_signing_in_leads_nowhere_else(browser, path):
    answer = browser.get("/login?next=" + path.replace("\t", "%09").replace("\\", "%5C"))
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", ""])
def test_another_host_is_refused(server, host):
    answer = server.ask("GET", "/login", Host=host)
    assert answer.status == 421


def test_the_names_of_this_machine_are_answered_for(server):
    assert server.ask("GET", "/login", Host=f"localhost:{server.port}").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Origin": "https://evil.example", "Sec_Fetch_Site": "same-origin"},
    ],
)
def test_another_site_signs_nobody_in_or_out(server, browser, headers):
    for path in ("/login", "/logout", "/first"):
        answer = server.ask("POST", path, Cookie=browser.cookie, **headers)
        assert answer.status == 403, path


def test_a_cookie_without_a_word_of_where_it_comes_from_changes_nothing(server, browser):
    assert server.ask("POST", "/logout", Cookie=browser.cookie).status == 403


def test_every_answer_forbids_what_no_page_of_ours_needs(server, browser):
    for answer in (
        server.ask("GET", "/login"),
        browser.get("/nothing"),
        server.ask("GET", "/healthz"),
    ):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert "server" not in answer.headers


def test_a_request_keeps_its_id_or_gets_one(server):
    assert server.ask("GET", "/healthz", X_Request_Id="abc-1").headers["x-request-id"] == "abc-1"
    odd = server.ask("GET", "/healthz", X_Request_Id="<script>").headers["x-request-id"]
    assert re.fullmatch(r"[0-9a-f]{16}", odd)


def test_a_page_of_an_error_says_what_and_which_request(browser):
    answer = browser.get("/nothing")
    assert answer.status == 404
    assert "There is nothing at this URL." in answer.text
    assert answer.headers["x-request-id"] in answer.text
    assert 'aria-label="Main"' in answer.text  # who is signed in finds the way on


def test_a_stranger_sees_no_navigation_on_an_error_and_reads_how_to_send_a_token(server):
    assert 'aria-label="Main"' not in server.ask("GET", "/nothing").text
    advice = server.ask("GET", "/api/v1/me").json["suggestions"]
    assert advice == [
        "Sign in, or send a token: the header Authorization with Bearer and the token."
    ]


def test_head_is_get_without_the_body(server, browser):
    for path in ("/healthz", "/", "/nothing", "/api/v1/me"):
        whole = browser.get(path)
        head = server.ask("HEAD", path, Cookie=browser.cookie)
        assert (head.status, head.body) == (whole.status, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/%00", "/%00"],
)
def test_no_path_leads_out_of_the_static_files(server, path):
    assert server.ask("GET", path).status == 404


def test_static_files_are_kept_for_good_under_a_name_with_their_hash(server):
    page = server.ask("GET", "/login").text
    style = re.search(r'href="(/static/loom\.[0-9a-f]{10}\.css)"', page)[1]
    answer = server.ask("GET", style, Accept_Encoding="gzip")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert len(answer.body) < 7_000


def test_a_body_that_is_too_large_is_refused_whatever_its_head_says(server):
    assert server.ask("POST", "/login", body=b"", Content_Length="3000000").status == 413


def test_health(server):
    assert (server.ask("GET", "/healthz").text, server.ask("GET", "/readyz").text) == ("ok\n",) * 2


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"PAGELOOM_WEB_LISTEN": "0.0.0.0:0"}, "needs web.url"),
        (
            {"PAGELOOM_WEB_LISTEN": "0.0.0.0:0", "PAGELOOM_WEB_URL": "https://a.example/"},
            "needs a way to sign in",
        ),
        (
            {
                "PAGELOOM_WEB_LISTEN": "0.0.0.0:0",
                "PAGELOOM_WEB_URL": "https://a.example/",
                "PAGELOOM_WEB_AUTH": "proxy",
            },
            "needs a way to sign in",
        ),
        ({"PAGELOOM_WEB_AUTH": "none", "PAGELOOM_WEB_URL": "https://a.example/"}, "only for"),
        ({"PAGELOOM_WEB_LISTEN": "nonsense"}, "needs a host and a port"),
        ({"PAGELOOM_WEB_URL": "ftp://a.example"}, "is not the URL of a server"),
    ],
)
def test_a_server_that_would_be_open_to_strangers_does_not_start(tmp_path, settings, why):
    listen = {"PAGELOOM_WEB_LISTEN": "127.0.0.1:0"} | settings
    result = pageloom("serve", PAGELOOM_DATABASE_URL=str(tmp_path / "x.db"), **listen)
    assert result.code == 2
    assert why in result.err


def test_a_proxy_is_believed_only_if_it_is_trusted(tmp_path):
    chosen = {"PAGELOOM_WEB_AUTH": "proxy", "PAGELOOM_WEB_TRUSTED_PROXIES": "127.0.0.0/8"}
    with running(str(tmp_path / "a.db"), "--no-work", **chosen) as server:
        assert server.ask("GET", "/login", Remote_User="ann").status == 303
        assert server.ask("GET", "/login").status == 200
    chosen["PAGELOOM_WEB_TRUSTED_PROXIES"] = "10.0.0.0/8"
    with running(str(tmp_path / "a.db"), "--no-work", **chosen) as server:
        assert server.ask("GET", "/login", Remote_User="ann").status == 200


def test_a_public_server_has_cookies_that_only_its_host_can_set(tmp_path):
    database = str(tmp_path / "a.db")
    with open_library(database, "ann") as library:
        library.set_password("harbour swifts fly")
    public = {"PAGELOOM_WEB_URL": "https://pages.example/"}
    with running(database, "--no-work", **public) as server:
        headers = {"Host": "pages.example", "Origin": "https://pages.example"}
        form = {"Content_Type": "application/x-www-form-urlencoded"}
        body = "name=ann&password=harbour+swifts+fly"
        answer = server.ask("POST", "/login", body=body, **headers, **form)
        assert answer.headers["set-cookie"].startswith("__Host-pageloom=")
        assert "Secure" in answer.headers["set-cookie"]


def test_the_server_ends_when_it_is_asked_to(tmp_path):
    with running(str(tmp_path / "a.db")) as server:
        assert isinstance(server, Server)
        assert server.stop() in (0, -15)

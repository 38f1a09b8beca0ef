"""Every kind of target takes every notice, told by a real server, a real file, a real stream."""

from __future__ import annotations

import asyncio
import base64
import email
import hashlib
import hmac
import io
import json
import socket
from dataclasses import dataclass, field, replace
from email import policy
from pathlib import Path
from typing import Self
from xml.etree import ElementTree as ET

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from tests.site.certificates import Certificate, make_certificate

from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.notify.feed import make_feed
from pageloom.edges.notify.notice import Notice
from pageloom.edges.notify.options import NotifyOptions
from pageloom.errors import FetchError, NotifyError, PageloomError, SettingsError
from pageloom.flows.notify.deliver import NotifyContext, check_target, deliver

SECRET = "whsec_" + base64.b64encode(b"a shared secret of ours").decode()
NOTICE = Notice(
    id="0123456789abcdef",
    kind="change",
    title="Kettle: 39.90 € → 34.90 €",
    text="The price fell.\n- 39.90 €\n+ 34.90 €",
    url="https://shop.example/kettle",
    at="2026-03-05T08:30:00.000Z",
    importance=0.9,
    data={"from_version": 1, "to_version": 2},
)
HOSTILE = replace(
    NOTICE,
    id="feedfacefeedface",
    title="Sale\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>\x1b[2J",
    text="]]></content><script>alert(1)</script>\x00\x1b[31m & {{ secret }}\ufffe\n.\nQUIT",
    url='https://shop.example/"><script>',
)


@dataclass
class Postbox:
    letters: list = field(default_factory=list)
    answer: str = "250 taken"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802  the name it is called by
        self.letters.append(envelope)
        return self.answer


@pytest.fixture
def postbox():
    box = Postbox()
    with socket.create_server(("127.0.0.1", 0)) as found:
        box.port = found.getsockname()[1]
    controller = Controller(box, hostname="127.0.0.1", port=box.port)
    controller.start()
    yield box
    controller.stop()


def means(tmp_path: Path, **options) -> NotifyContext:
    given = {"webhook_secret": SECRET, "mail_from": "Pageloom <loom@example.org>"} | options
    return NotifyContext(
        options=NotifyOptions(**given),
        fetch=FetchOptions(allowed_hosts=("127.0.0.1",), timeout=10),
        feed_directory=tmp_path / "feeds",
        now=lambda: 1_772_700_000.0,
        stream=io.StringIO(),
    )


def tell(notice: Notice, target: str, by: NotifyContext, **rest) -> None:
    asyncio.run(deliver(notice, target, by, **rest))


def test_a_webhook_is_signed_and_the_receiver_can_prove_it(receiver, tmp_path):
    tell(NOTICE, receiver.url(), means(tmp_path))
    (taken,) = receiver.taken
    message = json.loads(taken.body)
    assert message["id"] == taken.headers["webhook-id"] == NOTICE.id
    assert message["title"] == NOTICE.title
    assert message["data"] == {"from_version": 1, "to_version": 2}
    assert taken.headers["content-type"] == "application/json"
    signed = b".".join(
        (NOTICE.id.encode(), taken.headers["webhook-timestamp"].encode(), taken.body)
    )
    proof = hmac.new(b"a shared secret of ours", signed, hashlib.sha256).digest()
    assert taken.headers["webhook-signature"] == "v1," + base64.b64encode(proof).decode()
    assert b"a shared secret" not in taken.body


def test_each_receiver_may_have_its_own_secret(receiver, tmp_path):
    by = means(tmp_path, webhook_secret="", webhook_secrets=("127.0.0.1=only for you",))
    tell(NOTICE, receiver.url(), by)
    taken = receiver.taken[0]
    signed = b".".join(
        (NOTICE.id.encode(), taken.headers["webhook-timestamp"].encode(), taken.body)
    )
    proof = hmac.new(b"only for you", signed, hashlib.sha256).digest()
    assert taken.headers["webhook-signature"].endswith(base64.b64encode(proof).decode())


def test_no_secret_no_webhook(receiver, tmp_path):
    with pytest.raises(SettingsError):
        tell(NOTICE, receiver.url(), means(tmp_path, webhook_secret=""))
    assert receiver.taken == []


@pytest.mark.parametrize(("status", "again"), [(500, True), (503, True), (429, True), (404, False)])
def test_a_webhook_that_is_refused_says_whether_to_try_again(receiver, tmp_path, status, again):
    receiver.answers = [status]
    with pytest.raises(NotifyError) as caught:
        tell(NOTICE, receiver.url(), means(tmp_path))
    assert (caught.value.figures["status"], caught.value.retryable) == (status, again)


def test_a_webhook_is_not_redirected(receiver, tmp_path):
    receiver.answers, receiver.location = [307], receiver.url("/elsewhere")
    with pytest.raises(NotifyError):
        tell(NOTICE, receiver.url(), means(tmp_path))
    assert [taken.path for taken in receiver.taken] == ["/hook"]


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{port}/",
        "http://2130706433:{port}/",
        "http://0x7f.1:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://localhost:{port}/",
        "http://169.254.169.254/latest/",
    ],
)
def test_a_webhook_passes_the_gate_or_is_not_sent(receiver, tmp_path, url):
    closed = replace(means(tmp_path), fetch=FetchOptions())
    target = url.format(port=receiver.server_address[1])
    with pytest.raises(FetchError) as caught:
        tell(NOTICE, target, closed)
    assert caught.value.kind == "blocked_address"
    with pytest.raises(FetchError):
        check_target(target, closed)
    assert receiver.taken == []


def mailing(tmp_path: Path, postbox: Postbox, **rest) -> NotifyContext:
    port = postbox.port
    return means(tmp_path, smtp_host="127.0.0.1", smtp_port=port, smtp_security="none", **rest)


def test_an_e_mail_arrives_whole(postbox, tmp_path):
    tell(NOTICE, "mailto:me@example.com", mailing(tmp_path, postbox))
    (letter,) = postbox.letters
    message = email.message_from_bytes(letter.content, policy=policy.default)
    assert letter.rcpt_tos == ["me@example.com"]
    assert message["Subject"] == NOTICE.title
    assert message["Message-ID"] == f"<{NOTICE.id}@example.org>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert "+ 34.90 €" in message.get_content()
    assert NOTICE.url in message.get_content()


def test_no_title_adds_a_header_or_a_recipient(postbox, tmp_path):
    tell(HOSTILE, "mailto:me@example.com", mailing(tmp_path, postbox))
    (letter,) = postbox.letters
    message = email.message_from_bytes(letter.content, policy=policy.default)
    assert letter.rcpt_tos == ["me@example.com"]
    assert message["Bcc"] is None
    assert set(message.keys()) == {
        "Subject", "From", "To", "Message-ID", "Auto-Submitted", "X-Pageloom-Id",
        "Content-Type", "Content-Transfer-Encoding", "MIME-Version",
    }  # fmt: skip
    assert "QUIT" in message.get_content()


@pytest.mark.parametrize(("answer", "again"), [("451 later", True), ("550 never", False)])
def test_a_mail_server_that_refuses_says_whether_to_try_again(postbox, tmp_path, answer, again):
    postbox.answer = answer
    with pytest.raises(NotifyError) as caught:
        tell(NOTICE, "mailto:me@example.com", mailing(tmp_path, postbox))
    assert caught.value.retryable is again


class Guarded:
    """A mail server that wants TLS, a name and a password."""

    def __init__(self, certificate: Certificate, security: str) -> None:
        self.box = Postbox()
        with socket.create_server(("127.0.0.1", 0)) as found:
            self.port = found.getsockname()[1]
        context = certificate.server()
        tls = (
            {"ssl_context": context}
            if security == "tls"
            else {"tls_context": context, "require_starttls": True}
        )
        self.controller = Controller(
            self.box,
            hostname="127.0.0.1",
            port=self.port,
            authenticator=self.authenticate,
            auth_required=True,
            auth_require_tls=security == "starttls",
            **tls,
        )

    def authenticate(self, server, session, envelope, mechanism, given) -> AuthResult:
        right = isinstance(given, LoginPassword) and given.password == b"right"
        return AuthResult(success=right and given.login == b"loom", handled=False)

    def __enter__(self) -> Self:
        self.controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.controller.stop()


# Of a connection that is TLS from the start, the server's part for logging in knows nothing.
@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_mail_server_is_told_apart_by_its_certificate_and_told_our_password(
    tmp_path, monkeypatch, security
):
    certificate = make_certificate(tmp_path, "127.0.0.1")
    with Guarded(certificate, security) as server:

        def send(password: str) -> None:
            by = means(
                tmp_path,
                smtp_host="127.0.0.1",
                smtp_port=server.port,
                smtp_security=security,
                smtp_user="loom",
                smtp_password=password,
            )
            tell(NOTICE, "mailto:me@example.com", by)

        with pytest.raises(NotifyError, match="No encrypted connection") as caught:
            send("right")
        assert caught.value.retryable
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.certificate))
        with pytest.raises(NotifyError, match="name or password"):
            send("wrong")
        assert server.box.letters == []
        send("right")
        assert [letter.rcpt_tos for letter in server.box.letters] == [["me@example.com"]]


def test_no_mail_server_is_said_before_anything_is_sent(tmp_path):
    with pytest.raises(SettingsError):
        check_target("mailto:me@example.com", means(tmp_path))
    by = means(tmp_path, smtp_host="127.0.0.1", smtp_port=1, smtp_security="none")
    with pytest.raises(NotifyError) as caught:
        tell(NOTICE, "mailto:me@example.com", by)
    assert caught.value.retryable


ATOM = "{http://www.w3.org/2005/Atom}"


def test_an_atom_feed_is_read_by_a_parser_and_says_what_was_told(tmp_path):
    older = replace(NOTICE, id="older", at="2026-03-01T08:30:00.000Z", title="Older")
    tell(NOTICE, "feed:changes", means(tmp_path), earlier=[older, NOTICE])
    root = ET.parse(tmp_path / "feeds" / "changes.atom.xml").getroot()  # noqa: S314  our own
    entries = root.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == [NOTICE.title, "Older"]
    assert entries[0].findtext(f"{ATOM}id") == f"urn:pageloom:{NOTICE.id}"
    assert entries[0].find(f"{ATOM}link").get("href") == NOTICE.url
    assert entries[0].findtext(f"{ATOM}content") == NOTICE.text


def test_an_rss_feed_is_read_by_a_parser(tmp_path):
    tell(NOTICE, "rss:changes", means(tmp_path))
    root = ET.parse(tmp_path / "feeds" / "changes.rss.xml").getroot()  # noqa: S314  our own
    item = root.find("channel/item")
    assert item.findtext("title") == NOTICE.title
    assert item.findtext("pubDate") == "Thu, 05 Mar 2026 08:30:00 +0000"


def test_our_own_reader_reads_our_feeds():
    import pageloom

    for form in ("atom", "rss"):
        feed = make_feed([NOTICE, HOSTILE], name="changes", form=form)
        documents = pageloom.extract_all(feed.encode(), "https://example.org/feed")
        assert len(documents) == 2, form
        assert NOTICE.title in [document.title for document in documents], form


@pytest.mark.parametrize("form", ["atom", "rss"])
def test_no_page_breaks_out_of_a_feed(form):
    root = ET.fromstring(make_feed([HOSTILE], name="x", form=form))  # noqa: S314  our own
    assert "script" not in {element.tag.rpartition("}")[2] for element in root.iter()}
    if form == "rss":  # readers show it as HTML
        assert "<script" not in root.findtext("channel/item/description")


def test_a_feed_keeps_only_so_many(tmp_path):
    many = [replace(NOTICE, id=f"{n:04}", at=f"2026-03-05T08:{n:02}:00.000Z") for n in range(50)]
    tell(
        replace(NOTICE, at="2026-04-01T00:00:00.000Z"),
        "feed:few",
        means(tmp_path, feed_entries=5),
        earlier=many,
    )
    root = ET.parse(tmp_path / "feeds" / "few.atom.xml").getroot()  # noqa: S314  our own
    ids = [entry.findtext(f"{ATOM}id").rpartition(":")[2] for entry in root.findall(f"{ATOM}entry")]
    assert ids == [NOTICE.id, "0049", "0048", "0047", "0046"]


def test_the_console_shows_no_control_of_a_page(tmp_path):
    by = means(tmp_path)
    tell(NOTICE, "console", by)
    tell(HOSTILE, "console", by)
    shown = by.stream.getvalue()
    assert NOTICE.title in shown
    assert not any(ord(char) < 32 and char != "\n" for char in shown)


def test_an_apprise_url_reaches_its_service(receiver, tmp_path):
    tell(NOTICE, receiver.url("/x").replace("http:", "json:"), means(tmp_path))
    (taken,) = receiver.taken
    message = json.loads(taken.body)
    assert message["title"] == NOTICE.title
    assert "+ 34.90 €" in message["message"]


def test_apprise_passes_the_same_gate(receiver, tmp_path):
    closed = replace(means(tmp_path), fetch=FetchOptions())
    for host in ("127.0.0.1", "localhost"):
        with pytest.raises(PageloomError) as caught:
            tell(NOTICE, receiver.url("/x", host).replace("http:", "json:"), closed)
        assert caught.value.code == "FetchError.blocked_address"
    assert receiver.taken == []


@pytest.mark.parametrize("url", ["nosuch://service", "slack://", "syslog://", "dbus://"])
def test_an_apprise_url_that_means_nothing_here_is_said_so(tmp_path, url):
    with pytest.raises(SettingsError):
        tell(NOTICE, url, means(tmp_path))

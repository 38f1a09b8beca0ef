"""Send notices by e-mail (SMTP)."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import SMTP as POLICY
from email.utils import parseaddr
from typing import TYPE_CHECKING

from pageloom.errors import NotifyError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Generator

    from pageloom.edges.notify.notice import Notice
    from pageloom.edges.notify.options import NotifyOptions

_PERMANENT = (smtplib.SMTPAuthenticationError, smtplib.SMTPNotSupportedError)


async def send_mail(notice: Notice, address: str, options: NotifyOptions) -> None:
    """Send one notice to one mailbox.

    Raises:
        NotifyError: the server rejected it.
        SettingsError: no server is configured.
    """
    message = make_message(notice, address, options)
    await asyncio.to_thread(_send, message, options)


def make_message(notice: Notice, address: str, options: NotifyOptions) -> EmailMessage:
    """Build the e-mail; every header is one line, whatever a page's title contains."""
    if not options.smtp_host or not options.mail_from:
        raise SettingsError(
            "No mail server is configured.",
            suggestions=("Set notify.smtp_host and notify.mail_from.",),
        )
    message = EmailMessage(policy=POLICY)
    message["Subject"] = notice.title
    message["From"] = options.mail_from
    message["To"] = address
    message["Message-ID"] = f"<{notice.id}@{_domain(options.mail_from)}>"
    message["Auto-Submitted"] = "auto-generated"
    message["X-Pageloom-Id"] = notice.id
    text = "\n\n".join(part for part in (notice.text or notice.title, notice.url) if part)
    message.set_content(text + "\n", cte="quoted-printable")
    return message


def _domain(mail_from: str) -> str:
    domain = parseaddr(mail_from)[1].rpartition("@")[2]
    if not domain.isascii() or not domain.replace("-", "").replace(".", "").isalnum():
        raise SettingsError("notify.mail_from is not an e-mail address.")
    return domain


def _send(message: EmailMessage, options: NotifyOptions) -> None:
    try:
        with _connection(options) as server:
            server.send_message(message)
    except _PERMANENT as error:
        raise NotifyError(
            "The mail server rejected the user name or password.",
            retryable=True,
            suggestions=("Check notify.smtp_user, notify.smtp_password and notify.smtp_security.",),
        ) from error
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        raise NotifyError(
            "The mail server rejected the recipient.",
            retryable=any(code < 500 for code in codes),
        ) from error
    except smtplib.SMTPResponseException as error:
        raise NotifyError(
            f"The mail server answered with error {error.smtp_code}.",
            retryable=error.smtp_code < 500,
            status=error.smtp_code,
        ) from error
    except ssl.SSLError as error:
        raise NotifyError(
            "No encrypted connection to the mail server could be made.",
            retryable=True,
            suggestions=(
                "Check notify.smtp_security and notify.smtp_port.",
                "For a self-signed certificate, set SSL_CERT_FILE to its file.",
            ),
        ) from error
    except (smtplib.SMTPException, OSError) as error:
        raise NotifyError("The mail server could not be reached.", retryable=True) from error


@contextmanager
def _connection(options: NotifyOptions) -> Generator[smtplib.SMTP]:
    context = ssl.create_default_context()
    if options.smtp_security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            options.smtp_host, options.smtp_port, timeout=options.timeout, context=context
        )
    else:
        server = smtplib.SMTP(options.smtp_host, options.smtp_port, timeout=options.timeout)
    with server:
        if options.smtp_security == "starttls":
            server.starttls(context=context)
        if options.smtp_user:
            server.login(options.smtp_user, options.smtp_password)
        yield server

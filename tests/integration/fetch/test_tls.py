"""Servers that are odd about TLS: an answer or an error of ours, in time, and nothing is left."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest
from tests.site.certificates import make_certificate

from pageloom.edges.fetch.fetcher import open_fetcher
from pageloom.edges.fetch.options import FetchOptions
from pageloom.edges.fetch.request import FetchRequest
from pageloom.errors import FetchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
ALERT = b"\x15\x03\x03\x00\x02\x01\x5a"  # a warning that the user canceled


@contextmanager
def server(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    listener = socket.create_server(("127.0.0.1", 0))

    def serve(line: socket.socket) -> None:
        with line, suppress(OSError):
            line.settimeout(20)
            talk(line)

    def listen() -> None:
        while True:
            try:
                line = listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=serve, args=(line,), daemon=True).start()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def fetch(port: int, certificate, **options):
    async def run():
        given = {"retries": 0, "timeout": 5, "connect_timeout": 2} | options
        chosen = FetchOptions(
            allowed_hosts=("127.0.0.1",), ca_file=str(certificate.certificate), **given
        )
        async with open_fetcher(chosen) as fetcher:
            try:
                return await fetcher.get(FetchRequest(url=f"https://127.0.0.1:{port}/"))
            finally:
                left = asyncio.all_tasks() - {asyncio.current_task()}
                assert not left

    return asyncio.run(run())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return make_certificate(tmp_path_factory.mktemp("tls"), "127.0.0.1")


def say_nothing(line: socket.socket) -> None:
    time.sleep(10)


def drip(line: socket.socket) -> None:
    line.recv(4096)
    for byte in b"\x16\x03\x03\x40\x00\x02" + b"\x00" * 60:
        line.sendall(bytes([byte]))
        time.sleep(0.1)


def warn_for_ever(line: socket.socket) -> None:
    line.recv(4096)
    while True:
        line.sendall(ALERT * 5_000)


def empty_records(line: socket.socket) -> None:
    line.recv(4096)
    while True:
        line.sendall(b"\x16\x03\x03\x00\x00" * 5_000)


def largest_record(line: socket.socket) -> None:
    line.recv(4096)
    line.sendall(b"\x16\x03\x03\xff\xff" + b"\x02" * 65_535)


def echo(line: socket.socket) -> None:
    """Sends our own hello back."""
    line.sendall(line.recv(4096))


def old_tls(line: socket.socket) -> None:
    """Says that it speaks TLS 1.0 only."""
    line.recv(4096)
    line.sendall(b"\x15\x03\x01\x00\x02\x02\x46")


ODD = {
    say_nothing: {"timeout"},
    drip: {"timeout"},
    warn_for_ever: {"tls", "refused", "protocol"},
    empty_records: {"tls", "refused", "protocol"},
    largest_record: {"tls"},
    echo: {"tls"},
    old_tls: {"tls"},
}


@pytest.mark.parametrize("talk", ODD, ids=lambda talk: talk.__name__)
def test_a_handshake_that_goes_wrong_is_an_error_in_time(certificate, talk):
    with server(talk) as port, pytest.raises(FetchError) as caught:
        fetch(port, certificate)
    assert caught.value.kind in ODD[talk]


@contextmanager
def shake_hands(certificate, line: socket.socket) -> Iterator[ssl.SSLSocket]:
    with certificate.server().wrap_socket(line, server_side=True) as secure:
        secure.recv(65_536)
        yield secure


def test_a_server_that_wants_a_certificate_of_ours_gets_none(certificate):
    def talk(line: socket.socket) -> None:
        context = certificate.server()
        context.load_verify_locations(certificate.certificate)
        context.verify_mode = ssl.CERT_REQUIRED
        with context.wrap_socket(line, server_side=True) as secure:
            secure.recv(65_536)

    with server(talk) as port, pytest.raises(FetchError) as caught:
        fetch(port, certificate)
    assert caught.value.kind in {"tls", "protocol", "refused"}


def test_a_body_in_records_of_one_byte_arrives(certificate):
    def talk(line: socket.socket) -> None:
        body = b"<p>here</p>" * 300
        with shake_hands(certificate, line) as secure:
            secure.sendall(HEAD + f"Content-Length: {len(body)}\r\n\r\n".encode())
            for byte in body:
                secure.send(bytes([byte]))

    with server(talk) as port:
        assert fetch(port, certificate).body == b"<p>here</p>" * 300


def test_a_body_that_is_cut_where_its_length_is_known_is_an_error(certificate):
    """Somebody on the way can cut a connection, but not make the rest look like the whole."""

    def talk(line: socket.socket) -> None:
        with shake_hands(certificate, line) as secure:
            secure.sendall(HEAD + b"Content-Length: 500\r\n\r\n<p>half")

    with server(talk) as port, pytest.raises(FetchError) as caught:
        fetch(port, certificate)
    assert caught.value.kind == "protocol"


@pytest.mark.parametrize("names", [("*.0.0.1",), ("127.0.0.10",), ("x127.0.0.1",), ("*",)])
def test_names_that_nearly_fit_do_not_fit(tmp_path, names):
    other = make_certificate(tmp_path, *names)

    def talk(line: socket.socket) -> None:
        with shake_hands(other, line) as secure:
            secure.sendall(HEAD + b"Content-Length: 4\r\n\r\nhere")

    with server(talk) as port, pytest.raises(FetchError) as caught:
        fetch(port, other)
    assert caught.value.kind == "tls"

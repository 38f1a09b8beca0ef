"""Connections through an HTTP (CONNECT) or SOCKS5 proxy."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from dataclasses import dataclass
from ipaddress import IPv4Address, ip_address
from typing import TYPE_CHECKING
from urllib.parse import unquote

import can_ada

from pageloom.errors import FetchError, SettingsError

if TYPE_CHECKING:
    import socket

_DEFAULT_PORTS = {"http": 80, "socks5": 1080, "socks5h": 1080}
_LONGEST_HEAD = 16_384
_SOCKS_REFUSALS = {
    2: "its rules do not allow it",
    3: "the network is unreachable",
    4: "the host is unreachable",
    5: "the server refused the connection",
    6: "the connection timed out",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """A proxy URL in its parts."""

    scheme: str
    host: str
    port: int
    username: str = ""
    password: str = ""

    @property
    def origin(self) -> str:
        """Its URL without user name and password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


def read_proxy(text: str) -> Proxy:
    """Parse the proxy URL of a setting, a rule or a source.

    Raises:
        SettingsError: it does not start with ``http://`` or ``socks5://``, or has no host.
    """
    scheme, mark, rest = text.strip().partition("://")
    scheme = scheme.lower()
    if not mark or scheme not in _DEFAULT_PORTS:
        raise _invalid_proxy()
    try:
        parsed = can_ada.parse(f"http://{rest}")
    except ValueError:
        raise _invalid_proxy() from None
    if not parsed.hostname or parsed.pathname != "/":
        raise _invalid_proxy()
    return Proxy(
        scheme=scheme.rstrip("h") if scheme == "socks5h" else scheme,
        host=parsed.hostname.strip("[]"),
        port=int(parsed.port) if parsed.port else _port_of(scheme, rest),
        username=unquote(parsed.username),
        password=unquote(parsed.password),
    )


def _port_of(scheme: str, rest: str) -> int:
    """The URL parser drops port 80, the default of http, even where it was written."""
    return 80 if rest.rstrip("/").endswith(":80") else _DEFAULT_PORTS[scheme]


def _invalid_proxy() -> SettingsError:
    return SettingsError(
        "The proxy URL is not valid.",
        suggestions=("Use the form http://host:port or socks5://host:port.",),
    )


async def ask_proxy(sock: socket.socket, proxy: Proxy, host: str, port: int) -> None:
    """Have the proxy at the other end of the socket connect to a host."""
    if proxy.scheme == "http":
        await _ask_http(sock, proxy, host, port)
    else:
        await _ask_socks(sock, proxy, host, port)


async def _ask_http(sock: socket.socket, proxy: Proxy, host: str, port: int) -> None:
    loop = asyncio.get_running_loop()
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
    if proxy.username:
        secret = b64encode(f"{proxy.username}:{proxy.password}".encode()).decode()
        lines.append(f"Proxy-Authorization: Basic {secret}")
    await loop.sock_sendall(sock, ("\r\n".join(lines) + "\r\n\r\n").encode())
    status = _status_of(await _read_head(sock))
    if not 200 <= status < 300:
        raise _refused(proxy, f"it responded with status {status}", retryable=status >= 500)


async def _read_head(sock: socket.socket) -> bytes:
    """Read to the end of the head and no byte further: what follows belongs to the tunnel."""
    loop = asyncio.get_running_loop()
    head = bytearray()
    while not head.endswith(b"\r\n\r\n"):
        byte = await loop.sock_recv(sock, 1)
        if not byte or len(head) > _LONGEST_HEAD:
            raise ConnectionResetError("the proxy closed the connection")
        head += byte
    return bytes(head)


def _status_of(head: bytes) -> int:
    words = head.split(b"\r\n", 1)[0].split()
    if len(words) < 2 or not words[0].startswith(b"HTTP/") or not words[1].isdigit():
        raise ConnectionResetError("the proxy did not send valid HTTP")
    return int(words[1])


async def _ask_socks(sock: socket.socket, proxy: Proxy, host: str, port: int) -> None:
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(sock, b"\x05\x02\x00\x02" if proxy.username else b"\x05\x01\x00")
    version, method = await _read_exactly(sock, 2)
    if version != 5 or method not in (0, 2):
        raise _refused(proxy, "it requires an unsupported kind of authentication")
    if method == 2:
        await _log_in(sock, proxy)
    await loop.sock_sendall(sock, b"\x05\x01\x00" + _socks_place(host) + port.to_bytes(2))
    _, answer, _, kind = await _read_exactly(sock, 4)
    if answer:
        raise _refused(proxy, _SOCKS_REFUSALS.get(answer, "unknown error"), retryable=answer != 2)
    size = {1: 4, 4: 16}.get(kind) or (await _read_exactly(sock, 1))[0]
    await _read_exactly(sock, size + 2)


async def _log_in(sock: socket.socket, proxy: Proxy) -> None:
    name, password = proxy.username.encode()[:255], proxy.password.encode()[:255]
    message = bytes((1, len(name))) + name + bytes((len(password),)) + password
    await asyncio.get_running_loop().sock_sendall(sock, message)
    if (await _read_exactly(sock, 2))[1] != 0:
        raise _refused(proxy, "it rejected the user name or password")


def _socks_place(host: str) -> bytes:
    try:
        address = ip_address(host)
    except ValueError:
        name = host.encode()[:255]
        return bytes((3, len(name))) + name
    return bytes((1 if isinstance(address, IPv4Address) else 4,)) + address.packed


async def _read_exactly(sock: socket.socket, size: int) -> bytes:
    loop = asyncio.get_running_loop()
    found = b""
    while len(found) < size:
        piece = await loop.sock_recv(sock, size - len(found))
        if not piece:
            raise ConnectionResetError("the proxy closed the connection")
        found += piece
    return found


def _refused(proxy: Proxy, why: str, *, retryable: bool = False) -> FetchError:
    return FetchError(
        f"The proxy {proxy.origin} could not connect: {why}.",
        kind="refused",
        suggestions=("Check the proxy of this source, or remove it.",),
        retryable=retryable,
    )

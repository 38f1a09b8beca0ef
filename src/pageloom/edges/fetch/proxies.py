"""Ways round: a connection that is asked of an HTTP or SOCKS5 proxy."""

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
    2: "its rules forbid it",
    3: "the network is unreachable",
    4: "the host is unreachable",
    5: "the server refused",
    6: "it took too long",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """A proxy in the parts that are dialled."""

    scheme: str
    host: str
    port: int
    username: str = ""
    password: str = ""

    @property
    def place(self) -> str:
        """Its spelling without user name and password."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


def read_proxy(text: str) -> Proxy:
    """The proxy that a setting, a rule or a source names.

    Raises:
        SettingsError: it is none of ``http://`` and ``socks5://``.
    """
    scheme, mark, rest = text.strip().partition("://")
    scheme = scheme.lower()
    if not mark or scheme not in _DEFAULT_PORTS:
        raise _no_proxy()
    try:
        parsed = can_ada.parse(f"http://{rest}")
    except ValueError:
        raise _no_proxy() from None
    if not parsed.hostname or parsed.pathname != "/":
        raise _no_proxy()
    return Proxy(
        scheme=scheme.rstrip("h") if scheme == "socks5h" else scheme,
        host=parsed.hostname.strip("[]"),
        port=int(parsed.port) if parsed.port else _port_of(scheme, rest),
        username=unquote(parsed.username),
        password=unquote(parsed.password),
    )


def _port_of(scheme: str, rest: str) -> int:
    """A port that is http's default is not kept by the parser, but may have been meant."""
    return 80 if rest.rstrip("/").endswith(":80") else _DEFAULT_PORTS[scheme]


def _no_proxy() -> SettingsError:
    return SettingsError(
        "The proxy cannot be understood.",
        suggestions=("Write http://host:port or socks5://host:port.",),
    )


async def ask_proxy(line: socket.socket, proxy: Proxy, host: str, port: int) -> None:
    """Have the proxy at the other end of a connection dial a host; the line then leads there."""
    if proxy.scheme == "http":
        await _ask_http(line, proxy, host, port)
    else:
        await _ask_socks(line, proxy, host, port)


async def _ask_http(line: socket.socket, proxy: Proxy, host: str, port: int) -> None:
    loop = asyncio.get_running_loop()
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
    if proxy.username:
        secret = b64encode(f"{proxy.username}:{proxy.password}".encode()).decode()
        lines.append(f"Proxy-Authorization: Basic {secret}")
    await loop.sock_sendall(line, ("\r\n".join(lines) + "\r\n\r\n").encode())
    status = _status_of(await _read_head(line))
    if not 200 <= status < 300:
        raise _refused(proxy, f"it answered with status {status}", retryable=status >= 500)


async def _read_head(line: socket.socket) -> bytes:
    """To the end of the head and no byte further: what follows is not ours."""
    loop = asyncio.get_running_loop()
    head = bytearray()
    while not head.endswith(b"\r\n\r\n"):
        byte = await loop.sock_recv(line, 1)
        if not byte or len(head) > _LONGEST_HEAD:
            raise ConnectionResetError("the proxy broke off")
        head += byte
    return bytes(head)


def _status_of(head: bytes) -> int:
    words = head.split(b"\r\n", 1)[0].split()
    if len(words) < 2 or not words[0].startswith(b"HTTP/") or not words[1].isdigit():
        raise ConnectionResetError("the proxy does not speak HTTP")
    return int(words[1])


async def _ask_socks(line: socket.socket, proxy: Proxy, host: str, port: int) -> None:
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(line, b"\x05\x02\x00\x02" if proxy.username else b"\x05\x01\x00")
    version, method = await _read_exactly(line, 2)
    if version != 5 or method not in (0, 2):
        raise _refused(proxy, "it wants another kind of login")
    if method == 2:
        await _log_in(line, proxy)
    await loop.sock_sendall(line, b"\x05\x01\x00" + _socks_place(host) + port.to_bytes(2))
    _, answer, _, kind = await _read_exactly(line, 4)
    if answer:
        raise _refused(proxy, _SOCKS_REFUSALS.get(answer, "it could not"), retryable=answer != 2)
    size = {1: 4, 4: 16}.get(kind) or (await _read_exactly(line, 1))[0]
    await _read_exactly(line, size + 2)


async def _log_in(line: socket.socket, proxy: Proxy) -> None:
    name, word = proxy.username.encode()[:255], proxy.password.encode()[:255]
    message = bytes((1, len(name))) + name + bytes((len(word),)) + word
    await asyncio.get_running_loop().sock_sendall(line, message)
    if (await _read_exactly(line, 2))[1] != 0:
        raise _refused(proxy, "it does not accept the user name and password")


def _socks_place(host: str) -> bytes:
    try:
        address = ip_address(host)
    except ValueError:
        name = host.encode()[:255]
        return bytes((3, len(name))) + name
    return bytes((1 if isinstance(address, IPv4Address) else 4,)) + address.packed


async def _read_exactly(line: socket.socket, size: int) -> bytes:
    loop = asyncio.get_running_loop()
    found = b""
    while len(found) < size:
        piece = await loop.sock_recv(line, size - len(found))
        if not piece:
            raise ConnectionResetError("the proxy broke off")
        found += piece
    return found


def _refused(proxy: Proxy, why: str, *, retryable: bool = False) -> FetchError:
    return FetchError(
        f"The proxy {proxy.place} made no connection: {why}.",
        kind="refused",
        suggestions=("Check the proxy of this source, or leave it out.",),
        retryable=retryable,
    )

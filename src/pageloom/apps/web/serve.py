"""Run the server: one socket, uvicorn, and the link that signs the first user in."""

from __future__ import annotations

import asyncio
import socket
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from pageloom.apps.web.app import make_app
from pageloom.apps.web.server_state import is_loopback, make_site, read_listen
from pageloom.errors import SettingsError, why_not

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from pageloom.apps.web.server_state import Site
    from pageloom.library import Library

_BACKLOG = 512
_HEAD_SECONDS = 10.0
_SWITCH_SECONDS = 0.001


def serve(library: Library, say: Callable[[str], None]) -> None:
    """Serve the library until the process is asked to end.

    Args:
        library: of all users; its own user is the one who gets the link of the first run.
        say: called with the lines that the terminal shows.

    Raises:
        SettingsError: the address cannot be listened at, or would be open to strangers.
    """
    # Readers share the interpreter with saves: who has waited for a database gets it back sooner.
    sys.setswitchinterval(_SWITCH_SECONDS)
    host, port = read_listen(library.settings.web.listen)
    with closing(_listen(host, port)) as listening:
        site = make_site(library, listening.getsockname()[1])
        app = make_app(site, work=library.settings.web.work)
        home = f"{site.origin}{site.link('/')}"
        say(f"Pageloom is at {home} (listening at {_shown(listening)}).")
        if is_loopback(host) and "password" in site.options.auth:
            link = f"{site.origin}{site.link(f'/first/{library.make_link()}')}"
            say(f"Sign in on this machine, once, within ten minutes: {link}")
        config = uvicorn.Config(
            app,
            http=_Punctual,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            timeout_keep_alive=20,
            timeout_graceful_shutdown=10,
            h11_max_incomplete_event_size=65_536,
            backlog=_BACKLOG,
        )
        _Server(config, site).run(sockets=[listening])


class _Punctual(H11Protocol):
    """A connection that is closed when the head of a request does not come in time."""

    _due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        """Take what came; what is still not a whole head has to be one soon."""
        super().data_received(data)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """There is nothing to wait for any more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        if self._is_answering():
            self._stop_waiting()
        elif self._due is None:
            self._due = self.loop.call_later(_HEAD_SECONDS, self._give_up)

    def _give_up(self) -> None:
        self._due = None
        if not self._is_answering():
            self.transport.close()

    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return bool(cycle) and not cycle.response_complete

    def _stop_waiting(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None


class _Server(uvicorn.Server):
    """Tells open streams of the end; it would wait for theirs."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self._site = site

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end."""
        self._site.end_streams()
        super().handle_exit(sig, frame)


def _shown(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"{host}:{port}"


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server(
            (host, port),
            family=socket.AF_INET6 if ":" in host else socket.AF_INET,
            backlog=_BACKLOG,
        )
    except OSError as error:
        raise SettingsError(
            f"Cannot listen on {host}:{port}: {error.strerror or why_not(error)}.",
            suggestions=("Is it running already? Choose another port: --listen 127.0.0.1:8461",),
        ) from None

"""The child process that runs Apprise, whose libraries open connections by themselves.

One message comes on standard input as JSON; the result goes to standard output. An audit hook
checks the IP address of every connection with the guard at the moment it is opened.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from importlib import import_module
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from pageloom.edges.fetch.guard import Guard
from pageloom.edges.notify.apprise_urls import send_by_apprise
from pageloom.edges.notify.notice import Notice
from pageloom.errors import FetchError, PageloomError

if TYPE_CHECKING:
    from collections.abc import Sequence

_DIALLING = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_PROCESSES = frozenset({"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork"})


def guard_this_process(allowed: Sequence[str]) -> None:
    """Refuse, from now on, every connection of this process that the guard does not allow."""
    guard = Guard(allowed)

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _PROCESSES:
            raise FetchError(
                "This notification service would start a program, which is not allowed.",
                kind="blocked_address",
            )
        if event in _DIALLING and arguments[1] is not None:
            _vet(guard, arguments[1])

    sys.addaudithook(look)


def _vet(guard: Guard, address: object) -> None:
    host = address[0] if isinstance(address, tuple) else ""  # pyright: ignore[reportUnknownVariableType]
    try:
        found = ip_address(str(host).partition("%")[0])  # pyright: ignore[reportUnknownArgumentType]
    except ValueError:
        # A host name or a Unix socket: names must have been resolved before this point.
        raise FetchError(
            "Refused to connect: the destination is not an IP address.", kind="blocked_address"
        ) from None
    guard.vet(str(found), [found])


def main() -> None:
    """Send the message from standard input."""
    request = json.load(sys.stdin)
    # Importing Apprise starts programs to learn about the system; connections come later.
    with suppress(ImportError):
        import_module("apprise")
    guard_this_process(request["allowed_hosts"])
    try:
        send_by_apprise(Notice(**request["notice"]), request["url"])
    except PageloomError as error:
        answer: dict[str, object] = {"ok": False, "error": error.to_dict()}
    else:
        answer = {"ok": True}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()

"""One run in one output at a time: who owns it, and since when nothing was heard of them."""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import contextmanager
from secrets import token_hex
from typing import TYPE_CHECKING

import msgspec

from pageloom.edges.archive.places import read_small, remove, write_small
from pageloom.errors import InvalidArgument, PageloomError

if TYPE_CHECKING:
    from collections.abc import Generator

BEAT = 30.0
_SILENCE = 180.0


class Owner(msgspec.Struct, frozen=True):
    """Who works on an output."""

    host: str
    pid: int
    token: str
    beat: float


@contextmanager
def owned(out: str, *, take_over: bool) -> Generator[None]:
    """Own an output, and say so every half a minute.

    Raises:
        InvalidArgument: somebody else owns it.
    """
    path = f"{out}/_run/owner"
    _refuse_if_owned(path, out, take_over=take_over)
    own = Owner(socket.gethostname(), os.getpid(), token_hex(8), time.time())
    write_small(path, msgspec.json.encode(own))
    ended = threading.Event()
    beating = threading.Thread(target=_beat, args=(path, own, ended), daemon=True)
    beating.start()
    try:
        yield
    finally:
        ended.set()
        beating.join()
        _leave(path, own)


def _beat(path: str, own: Owner, ended: threading.Event) -> None:
    while not ended.wait(BEAT):
        try:
            write_small(path, msgspec.json.encode(msgspec.structs.replace(own, beat=time.time())))
        except PageloomError:  # the parts will say the same, and that is what counts
            continue


def _leave(path: str, own: Owner) -> None:
    found = _read(path)
    if found is not None and found.token == own.token:
        remove(path)


def _read(path: str) -> Owner | None:
    data = read_small(path)
    try:
        return msgspec.json.decode(data, type=Owner) if data else None
    except msgspec.MsgspecError:
        return None


def _refuse_if_owned(path: str, out: str, *, take_over: bool) -> None:
    owner = _read(path)
    if owner is None or take_over or abs(time.time() - owner.beat) > _SILENCE:
        return
    if owner.host == socket.gethostname() and not _is_alive(owner.pid):
        return
    raise InvalidArgument(
        f"Another run is writing to {out}: process {owner.pid} on host {owner.host}.",
        suggestions=("Wait until it ends, or add --take-over if that process no longer runs.",),
    )


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True

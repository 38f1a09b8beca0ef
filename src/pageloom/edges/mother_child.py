"""The mother process, and what each of her children does first."""

from __future__ import annotations

import ctypes
import gc
import importlib
import mmap
import os
import pickle
import select
import signal
import socket
import sys
from typing import TYPE_CHECKING, NoReturn

from pageloom.edges.memory import limit_memory
from pageloom.edges.mother import MARK, STATUS, receive, send
from pageloom.errors import InternalError, PageloomError

if TYPE_CHECKING:
    from types import ModuleType

MEMORY = 2_000_000_000
"""Bytes a child may use beyond what it has at its start."""
_PR_SET_PDEATHSIG = 1


def serve(descriptor: str, module: str) -> None:
    """Load the code, then fork a child for each request until the caller is gone."""
    control = socket.socket(fileno=int(descriptor))
    functions = _prepare(control, module)
    if functions is None:
        return
    gc.collect()
    gc.freeze()
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _wake)
    send(control, b"")
    children: dict[int, socket.socket] = {}
    while _serve_one_turn(control, woken, children, functions):
        pass
    for pid in children:
        os.kill(pid, signal.SIGKILL)  # not reaped yet, so the number is still theirs


def _wake(number: int, frame: object) -> None:
    """A child ended; the pipe says so to whoever waits."""


def _prepare(control: socket.socket, module: str) -> ModuleType | None:
    """The module, prepared; or None after the caller was told why not."""
    setup = receive(control)
    if setup is None:
        return None
    try:
        functions = importlib.import_module(module)
        functions.prepare(pickle.loads(setup))  # noqa: S301  our own parent wrote it
    except PageloomError as error:
        send(control, pickle.dumps(error))
    except Exception as error:  # noqa: BLE001  a broken installation, reported to the parent
        cause = f"{type(error).__name__}: {error}"[:200]
        send(control, pickle.dumps(InternalError("The engine could not be loaded.", cause=cause)))
    else:
        return functions
    return None


def _serve_one_turn(
    control: socket.socket, woken: int, children: dict[int, socket.socket], functions: ModuleType
) -> bool:
    """Wait for a request or the end of a child; False when the caller is gone."""
    ready, _, _ = select.select([control, woken], [], [])
    if woken in ready:
        os.read(woken, 4096)
        _reap(children)
    if control not in ready:
        return True
    try:
        request, descriptors, _, _ = socket.recv_fds(control, 1, 3)
    except ConnectionResetError:
        return False
    if not request:
        return False
    data, told, mark = descriptors
    status = socket.socket(fileno=told)
    pid = os.fork()
    if pid == 0:
        control.close()
        for other in children.values():
            other.close()
        status.close()
        signal.set_wakeup_fd(-1)
        os.close(woken)
        _be_child(functions, data, mark)
    os.close(data)
    os.close(mark)
    children[pid] = status
    _tell(status, pid)
    return True


def _reap(children: dict[int, socket.socket]) -> None:
    while children:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        with children.pop(pid) as told:
            _tell(told, os.waitstatus_to_exitcode(status))


def _tell(status: socket.socket, number: int) -> None:
    try:
        status.sendall(STATUS.pack(number))
    except OSError:  # the caller is gone
        return


def _be_child(functions: ModuleType, data: int, mark: int) -> NoReturn:
    """Do the work of a child, and never return into the mother's code."""
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _die_with_the_mother()
        _go_first()
        limit_memory(MEMORY)
        with socket.socket(fileno=data) as sock:
            functions.run(sock, _mapped(mark))
        code = 0
    finally:
        os._exit(code)


def _mapped(descriptor: int) -> mmap.mmap:
    found = mmap.mmap(descriptor, MARK.size)
    os.close(descriptor)
    return found


def _die_with_the_mother() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _go_first() -> None:
    """When the machine runs out of memory, the child is the one to be killed."""
    try:
        with open("/proc/self/oom_score_adj", "w") as score:  # noqa: PTH123
            score.write("1000")
    except OSError:
        return


def serve_one(data: str, mark: str, module: str) -> None:
    """Be the one child of a caller that does not fork."""
    sock = socket.socket(fileno=int(data))
    setup = receive(sock)
    if setup is None:
        return
    functions = importlib.import_module(module)
    functions.prepare(pickle.loads(setup))  # noqa: S301  our own parent wrote it
    _go_first()
    limit_memory(MEMORY)
    functions.run(sock, _mapped(int(mark)))

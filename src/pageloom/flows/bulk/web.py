"""Archives on the web: read like files on a disk, through the same gate as pages."""

from __future__ import annotations

import io
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pageloom.edges.archive.places import FileState
from pageloom.edges.fetch.http import HttpClient
from pageloom.edges.fetch.web_file import UNKNOWN, WebFile
from pageloom.errors import FetchError, InvalidUrl, StorageError
from pageloom.flows.blocking import blocking_runner

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any, TypeVar

    from pageloom.edges.fetch.options import FetchOptions

    T = TypeVar("T")


class FileOnTheWeb(io.RawIOBase):
    """A file behind a URL, open for reading from any place on."""

    def __init__(self, url: str, options: FetchOptions) -> None:
        super().__init__()
        self._url = url
        self._stack = ExitStack()
        self._run = self._stack.enter_context(blocking_runner())
        self._client = HttpClient(options)
        self._file = WebFile(self._client, url)

    def _wait_for(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        try:
            return self._run(work)
        except (FetchError, InvalidUrl) as error:
            raise StorageError(
                f"{self._url} cannot be read: {error.message}",
                suggestions=error.suggestions,
                retryable=error.retryable,
                act="read",
            ) from error

    def state(self) -> FileState | None:
        """Size and stamp of the file; None if there is none."""
        found = self._wait_for(self._file.look)
        return None if found is None else FileState(self._url, max(0, found.size), found.stamp)

    def readable(self) -> bool:
        """It is: Arrow asks."""
        return True

    def seekable(self) -> bool:
        """So it is."""
        return True

    def read(self, size: int = -1, /) -> bytes:
        """So many bytes, fewer only at the end; all that are left without a number."""
        wanted = size if size >= 0 else self._size() - self._file.place
        return self._wait_for(lambda: self._file.read(wanted))

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a place, counted from the beginning, from here or from the end."""
        base = (0, self._file.place)[whence] if whence < 2 else self._size()
        self._file.place = base + offset
        return self._file.place

    def tell(self) -> int:
        """Where it is."""
        return self._file.place

    def _size(self) -> int:
        state = self._file.state or self._wait_for(self._file.look)
        if state is None or state.size == UNKNOWN:
            raise StorageError(
                f"{self._url} cannot be read: the server does not say how long it is.",
                suggestions=("Download it first.",),
                act="read",
            )
        return state.size

    def close(self) -> None:
        """Leave the server."""
        if not self.closed:
            self._run(self._leave)
            self._stack.close()
        super().close()

    async def _leave(self) -> None:
        await self._file.close()
        await self._client.__aexit__()

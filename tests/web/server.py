"""A real server process, and a client that sends exactly what a test says."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from tests.integration.cli import environment


@dataclass
class Answer:
    """What the server answered."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Server:
    """A running ``pageloom serve``."""

    process: subprocess.Popen[str]
    port: int
    link: str
    said: list[str] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, method: str, path: str, *, body: bytes | str | None = None, **headers: str
    ) -> Answer:
        """One request on a connection of its own; names of headers are written with underscores."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=50)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body=body, headers=named)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def browser(self) -> Browser:
        """Somebody who has just signed in with the link of the terminal."""
        secret = self.link.rpartition("/")[2]
        browser = Browser(self)
        answer = browser.post("/first", secret=secret)
        assert answer.status == 303, answer.text
        return browser

    def kill(self) -> None:
        """As when the machine loses power: the process that works for it is gone too."""
        asked = ["pgrep", "-P", str(self.process.pid)]
        found = subprocess.run(asked, capture_output=True, text=True, check=False)
        for number in (*map(int, found.stdout.split()), self.process.pid):
            os.kill(number, signal.SIGKILL)
        self.process.wait(10)

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(20)


@dataclass
class Browser:
    """Sends cookies and says where its requests come from, as browsers do."""

    server: Server
    cookie: str = ""

    def get(self, path: str, **headers: str) -> Answer:
        return self._send("GET", path, None, headers)

    def post(self, path: str, fields: list[tuple[str, str]] | None = None, **named: str) -> Answer:
        pairs = [*(fields or []), *named.items()]
        kind = {"Content_Type": "application/x-www-form-urlencoded"}
        return self._send("POST", path, urlencode(pairs).encode(), kind)

    def send(self, method: str, path: str, data: Any = None, **headers: str) -> Answer:
        """JSON, as a script of the app's own would send it."""
        body = None if data is None else json.dumps(data).encode()
        kind = {"Content_Type": "application/json"} if body else {}
        return self._send(method, path, body, kind | headers)

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        own = {"Sec_Fetch_Site": "same-origin", "Origin": self.server.origin}
        cookie = {"Cookie": self.cookie} if self.cookie else {}
        answer = self.server.ask(method, path, body=body, **(own | cookie | headers))
        given = answer.headers.get("set-cookie")
        if given:
            self.cookie = given.partition(";")[0]
        return answer


@contextmanager
def running(database: str, *flags: str, **extra: str) -> Iterator[Server]:
    """A server until the end of the block."""
    chosen = {
        "PAGELOOM_DATABASE_URL": database,
        "PAGELOOM_FETCH_ALLOWED_HOSTS": "127.0.0.1",
        "PAGELOOM_FETCH_RETRIES": "0",
        "PAGELOOM_WATCH_HOST_DELAY": "0",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "pageloom", "serve", "--listen", "127.0.0.1:0", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(**(chosen | extra)),
    )
    try:
        yield _when_ready(process, needs_link="PAGELOOM_WEB_AUTH" not in extra)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(20)
        assert process.stdout is not None
        process.stdout.close()


def _when_ready(process: subprocess.Popen[str], *, needs_link: bool) -> Server:
    assert process.stdout is not None
    said: list[str] = []
    for line in process.stdout:
        said.append(line)
        if "/first/" in line or (not needs_link and "listening at" in line):
            break
    everything = "".join(said)
    found = re.search(r"listening at [\w.]+:(\d+)", everything)
    assert found, everything
    link = re.search(r"http://\S+/first/\S+", everything)
    server = Server(process, int(found[1]), link[0] if link else "", said)
    threading.Thread(target=lambda: said.extend(process.stdout or ()), daemon=True).start()
    return server

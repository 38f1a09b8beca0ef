"""A real RabbitMQ for tests: under their own user, in its own directories, on free ports."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.services import need, rabbitmq_server

if TYPE_CHECKING:
    from pathlib import Path

VHOSTS = 110
_READY_SECONDS = 55.0
_SALT = b"loom"


@dataclass
class Broker:
    """One node of RabbitMQ. It can be killed and started again, and then has what it had."""

    place: Path
    port: int
    epmd_port: int
    dist_port: int
    vhosts: int = VHOSTS
    running: subprocess.Popen[bytes] | None = None
    names: subprocess.Popen[bytes] | None = None
    free: list[str] = field(default_factory=list)

    def url(self, vhost: str) -> str:
        return f"amqp://guest:guest@127.0.0.1:{self.port}/{vhost}"

    def take_vhost(self) -> str:
        """A virtual host that no other test has used."""
        return self.free.pop()

    def start(self) -> None:
        """Start the node and wait until it talks AMQP."""
        self._start_names()
        with (self.place / "out.txt").open("ab") as out:
            self.running = subprocess.Popen(
                [rabbitmq_server()],
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        self._await_ready()

    def kill(self) -> None:
        """End the node at once, as a power cut would."""
        if self.running is not None:
            os.killpg(self.running.pid, signal.SIGKILL)
            self.running.wait()
            self.running = None

    def stop(self) -> None:
        self.kill()
        if self.names is not None:
            self.names.kill()
            self.names.wait()
            self.names = None

    def _start_names(self) -> None:
        if self.names is not None and self.names.poll() is None:
            return
        program = need("epmd of Erlang", shutil.which("epmd"))
        port = str(self.epmd_port)
        command = [program, "-address", "127.0.0.1", "-port", port]
        self.names = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        _await_port(self.epmd_port, time.monotonic() + 10, b"")

    def _await_ready(self) -> None:
        # The first half of a protocol header we do not speak: a broker that is up answers it.
        _await_port(self.port, time.monotonic() + _READY_SECONDS, b"AMQP\x00\x00\x09\x01")

    def _environment(self) -> dict[str, str]:
        here = self.place
        return os.environ | {
            "HOME": str(here),
            "RABBITMQ_NODENAME": f"loom{self.port}@localhost",
            "RABBITMQ_CONFIG_FILE": str(here / "rabbitmq.conf"),
            "RABBITMQ_CONF_ENV_FILE": str(here / "none"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(here / "plugins"),
            "RABBITMQ_MNESIA_BASE": str(here / "data"),
            "RABBITMQ_LOG_BASE": str(here / "log"),
            "RABBITMQ_DIST_PORT": str(self.dist_port),
            "ERL_EPMD_PORT": str(self.epmd_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
        }


def make_broker(place: Path, vhosts: int = VHOSTS) -> Broker:
    """Write what the node needs; it is not started yet."""
    place.mkdir(parents=True, exist_ok=True)
    port, epmd, dist = free_ports(3)
    broker = Broker(place=place, port=port, epmd_port=epmd, dist_port=dist, vhosts=vhosts)
    names = [f"v{number}" for number in range(vhosts)]
    broker.free = list(reversed(names))
    (place / "definitions.json").write_text(json.dumps(_definitions(names)))
    (place / "plugins").write_text("[].")
    (place / "rabbitmq.conf").write_text(
        f"listeners.tcp.1 = 127.0.0.1:{port}\n"
        "log.file.level = warning\n"
        "disk_free_limit.absolute = 50MB\n"
        f"load_definitions = {place / 'definitions.json'}\n"
    )
    return broker


def _definitions(vhosts: list[str]) -> dict[str, object]:
    digest = hashlib.sha256(_SALT + b"guest").digest()
    every = {"configure": ".*", "write": ".*", "read": ".*", "user": "guest"}
    return {
        "users": [
            {
                "name": "guest",
                "password_hash": base64.b64encode(_SALT + digest).decode(),
                "hashing_algorithm": "rabbit_password_hashing_sha256",
                "tags": ["administrator"],
            }
        ],
        "vhosts": [{"name": name} for name in vhosts],
        "permissions": [every | {"vhost": name} for name in vhosts],
    }


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _await_port(port: int, deadline: float, greeting: bytes) -> None:
    while time.monotonic() < deadline:
        try:
            with socket.create_connection(("127.0.0.1", port), 1) as line:
                line.settimeout(2)
                line.sendall(greeting)
                if not greeting or line.recv(1):
                    return
        except OSError:
            pass
        time.sleep(0.05)
    raise TimeoutError(f"nobody answers on port {port}")

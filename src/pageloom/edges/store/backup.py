"""The whole library in one file, made while it is in use; it goes back into either database.

A zip archive: ``manifest.json``, and for each table its rows as JSON lines. It is one state of the
library, for it is read in one transaction; and it goes back in one, so that a restore is done as a
whole or not at all. A backup of an older schema is restored as such and then migrated.
"""

from __future__ import annotations

import zipfile
import zlib
from base64 import b64decode, b64encode
from typing import IO, TYPE_CHECKING, Any

import msgspec

from pageloom.edges.atomic_write import atomic_write
from pageloom.edges.store.migrate import apply_steps, schema_version
from pageloom.edges.store.schema import LATEST
from pageloom.edges.store.times import now
from pageloom.edges.store.words import list_words
from pageloom.errors import StorageError, why_not

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pageloom.edges.store.base import Store, Tx
    from pageloom.edges.store.connection import Row

FORMAT = "pageloom-backup"
TABLES = tuple(
    "users tokens sessions server_keys bodies files pages pictures snapshots link_checks"
    " visual_changes aliases contents lines tracks versions tags notes search changes prices"
    " price_events watches turns host_leases outbox runs seen idempotency_keys sources jobs"
    " job_items events progress highlights searches user_rules".split()
)
"""In the order in which they can be filled: what is named comes before what names it. ``lines``,
``turns`` and ``seen`` are the names that ``tracks``, ``host_leases`` and ``idempotency_keys`` have
in older backups."""
_BLOB = "base64:"
_TEXT = "text:"


def is_backup(path: Path) -> bool:
    """Whether a file is a backup."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _manifest(archive)["format"] == FORMAT
    except (OSError, zipfile.BadZipFile, StorageError):
        return False


def back_up(store: Store, path: Path) -> dict[str, int]:
    """Write the library to a file; the number of rows by table.

    An older file of that name stays until the new one is whole and on the disk.
    """
    try:
        with atomic_write(path, durable=True, private=True) as file:
            counts = _write(store, file)
    except OSError as error:
        raise StorageError(
            f"The backup cannot be written: {why_not(error)}.",
            suggestions=("Check the directory, its permissions and the free disk space.",),
            retryable=False,
        ) from None
    return counts


def _write(store: Store, file: IO[bytes]) -> dict[str, int]:
    counts: dict[str, int] = {}
    archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3)
    with store.read() as tx, archive:
        version = schema_version(tx)
        for table in filter(tx.has_relation, TABLES):
            with archive.open(f"{table}.jsonl", "w", force_zip64=True) as member:
                counts[table] = _write_table(tx, table, member)
        manifest = {"format": FORMAT, "schema": version, "made_at": now(), "rows": counts}
        archive.writestr("manifest.json", msgspec.json.encode(manifest))
    return counts


def _write_table(tx: Tx, table: str, member: IO[bytes]) -> int:
    count = 0
    columns = sorted(tx.columns(table) - {"words"})  # which are made of the others again
    for row in tx.stream(f"SELECT {', '.join(columns)} FROM {table}"):
        member.write(msgspec.json.encode({name: _out(value) for name, value in row.items()}))
        member.write(b"\n")
        count += 1
    return count


def _out(value: Any) -> Any:
    """Bytes as text that cannot be mistaken for text."""
    if isinstance(value, bytes):
        return _BLOB + b64encode(value).decode()
    if isinstance(value, str) and value.startswith((_BLOB, _TEXT)):
        return _TEXT + value
    return value


def _in(value: Any) -> Any:
    if isinstance(value, str):
        if value.startswith(_BLOB):
            return b64decode(value[len(_BLOB) :])
        return value.removeprefix(_TEXT)
    return value


def restore_backup(store: Store, path: Path, *, replace: bool = False) -> dict[str, int]:
    """Replace what the library holds by a backup; the number of rows by table.

    Raises:
        StorageError: the file is not a backup, is damaged or of a newer Pageloom; or the library is
            not empty and ``replace`` was not asked for.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _manifest(archive)
            _require_usable(manifest)
            return store.transact(lambda tx: _restore(tx, archive, manifest, replace=replace))
    except OSError as error:
        raise _no_backup(why_not(error)) from None
    except (zipfile.BadZipFile, zlib.error):
        raise _no_backup("the archive is broken") from None
    except (KeyError, ValueError, msgspec.MsgspecError):
        raise _no_backup("a part is missing or broken") from None


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        return msgspec.json.decode(archive.read("manifest.json"), type=dict[str, Any])
    except (KeyError, msgspec.MsgspecError):
        raise _no_backup("its manifest is missing or invalid") from None


def _require_usable(manifest: dict[str, Any]) -> None:
    if manifest.get("format") != FORMAT or not isinstance(manifest.get("schema"), int):
        raise _no_backup("its manifest is missing or invalid")
    if manifest["schema"] > LATEST:
        raise StorageError(
            "A newer Pageloom wrote this backup"
            f" (schema {manifest['schema']}; this one reads {LATEST}).",
            suggestions=("Update Pageloom.",),
            retryable=False,
        )


def _no_backup(why: str) -> StorageError:
    return StorageError(
        f"The file is not a Pageloom backup, or is damaged ({why}); nothing was changed.",
        suggestions=("Make backups with pageloom backup FILE.",),
        retryable=False,
    )


def _restore(
    tx: Tx, archive: zipfile.ZipFile, manifest: dict[str, Any], *, replace: bool
) -> dict[str, int]:
    tx.lock_migrations()
    if not replace and tx.value("SELECT count(*) FROM pages"):
        raise StorageError(
            "The library is not empty.",
            suggestions=("Add --replace to replace everything in it with the backup.",),
            retryable=False,
        )
    _drop_all(tx)
    apply_steps(tx, manifest["schema"])
    tx.run("DELETE FROM users")
    counts = {table: _fill(tx, archive, table) for table in TABLES if tx.has_relation(table)}
    if counts != {name: manifest["rows"].get(name, 0) for name in counts}:
        raise _no_backup("rows are missing")
    _restart_numbers(tx)
    apply_steps(tx, LATEST)
    return counts


_IS_VIEW_IN_SQLITE = "SELECT 1 FROM sqlite_master WHERE name = 'websites' AND type = 'view'"
_IS_VIEW_IN_POSTGRES = (
    "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE c.relname = 'websites' AND c.relkind = 'v' AND n.nspname = ANY (current_schemas(false))"
)


def _drop_all(tx: Tx) -> None:
    sqlite = tx.dialect == "sqlite"
    if tx.value(_IS_VIEW_IN_SQLITE if sqlite else _IS_VIEW_IN_POSTGRES):
        tx.run("DROP VIEW websites")
    if sqlite:
        tx.run("DROP TABLE IF EXISTS search_index")
        tx.run("DROP TABLE IF EXISTS search_heads")
    for table in reversed(("schema_version", *TABLES)):
        tx.run(f"DROP TABLE IF EXISTS {table}")


def _fill(tx: Tx, archive: zipfile.ZipFile, table: str) -> int:
    known = tx.columns(table)
    count = 0
    for row in _rows(archive, table):
        if not known.issuperset(row):
            raise _no_backup("unknown column")
        _insert(tx, table, row)
        count += 1
    return count


def _rows(archive: zipfile.ZipFile, table: str) -> Iterator[Row]:
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    with archive.open(f"{table}.jsonl") as member:
        for line in member:
            yield {name: _in(value) for name, value in decode(line).items()}


def _insert(tx: Tx, table: str, row: Row) -> None:
    marks = ["?"] * len(row)
    if table == "search" and tx.dialect == "postgres":
        texts = (row["title"], row["about"], row.get("own", ""), row["body"])
        row = row | {"words": list_words(*texts)}
        marks.append("CAST(? AS tsvector)")
    tx.run(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(marks)})", *row.values())


def _restart_numbers(tx: Tx) -> None:
    """Let PostgreSQL number new rows behind those that were restored."""
    if tx.dialect != "postgres":
        return
    for table in TABLES:
        if tx.has_relation(table) and tx.value(
            "SELECT 1 AS found FROM information_schema.columns WHERE table_name = ?"
            " AND column_name = 'id' AND is_identity = 'YES'",
            table,
        ):
            tx.run(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'),"
                f" (SELECT coalesce(max(id), 0) + 1 FROM {table}), false)"
            )

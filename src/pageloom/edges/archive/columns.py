"""Columns of a bulk run: their types, and rows as Arrow batches or JSON lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pageloom.edges.archive.rows import writable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

REJECT_COLUMNS: dict[str, str] = {
    "url": "string",
    "source_file": "string",
    "source_offset": "int64",
    "source_record": "int64",
    "reason": "string",
    "detail": "string",
    "seconds": "float64",
}
"""Of the pages that were not kept. ``seconds`` is the limit that a page reached, else null."""

_STRUCTS: dict[str, dict[str, str]] = {
    "links": {
        "url": "string",
        "text": "string",
        "rel": "strings",
        "internal": "bool",
        "region": "string",
    },
    "images": {
        "url": "string",
        "alt": "string",
        "caption": "string",
        "width": "int32",
        "height": "int32",
    },
    "prices": {
        "raw": "string",
        "amount": "string",
        "currency": "string",
        "high": "string",
        "kind": "string",
        "source": "string",
    },
}


def _type(name: str) -> Any:
    import pyarrow as pa

    if name in _STRUCTS:
        return pa.list_(pa.struct([(key, _type(kind)) for key, kind in _STRUCTS[name].items()]))
    if name == "strings":
        return pa.list_(pa.string())
    names = {"float": "float32", "bool": "bool_"}
    return getattr(pa, names.get(name, name))()


def schema_of(columns: Mapping[str, str], metadata: Mapping[str, str]) -> Any:
    """The Arrow schema of columns by name and type, with key-value metadata."""
    import pyarrow as pa

    fields = [pa.field(name, _type(kind)) for name, kind in columns.items()]
    return pa.schema(fields, metadata=dict(metadata))


def to_batch(schema: Any, rows: Sequence[Sequence[Any]]) -> bytes:
    """Rows as one Arrow batch in its own serialisation."""
    batch = _batch(schema, rows)
    return batch.serialize().to_pybytes()


def _batch(schema: Any, rows: Sequence[Sequence[Any]]) -> Any:
    import pyarrow as pa

    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    arrays: list[Any] = []
    for field, values in zip(schema, columns, strict=True):
        try:
            arrays.append(pa.array(values, field.type))
        except UnicodeEncodeError:  # half surrogates, which a page may hold in its scripts
            arrays.append(pa.array([_clean(value) for value in values], field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, list | tuple):
        return [_clean(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {key: _clean(each) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value


def to_lines(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """Rows as JSON lines; keys in the order of the columns."""
    encode = msgspec.json.Encoder().encode
    lines: list[bytes] = []
    for row in rows:
        try:
            lines.append(encode(dict(zip(names, row, strict=True))))
        except UnicodeEncodeError:
            lines.append(encode(dict(zip(names, map(_clean, row), strict=True))))
    return b"".join(line + b"\n" for line in lines)


def size_of(row: Sequence[Any]) -> int:
    """About how many bytes a row takes: what row groups are cut by."""
    return sum(len(value) for value in row if isinstance(value, str)) + 64

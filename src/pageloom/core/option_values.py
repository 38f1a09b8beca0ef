"""Read option classes from names and values, with every name and value checked."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from pageloom.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from dataclasses import Field

T = TypeVar("T")


def read_values(kind: type[T], given: Mapping[str, Any], *, strict: bool, section: str = "") -> T:
    """Make a frozen dataclass from names and values, each checked.

    Args:
        kind: the dataclass; fields left out have their defaults.
        given: names and values.
        strict: refuse "5" where 5 is expected; environment variables are always text.
        section: put before the name in messages.
    """
    known = [field.name for field in fields(kind)]  # pyright: ignore[reportArgumentType]
    for name in given:
        require_known(name, known, section)
    try:
        values = msgspec.convert(dict(given), kind, strict=strict)
    except msgspec.ValidationError as error:
        where = _place(str(error), section)
        raise _wrong(where) from None
    for field in fields(kind):  # pyright: ignore[reportArgumentType]
        _require_sensible(field, getattr(values, field.name), section)
    return values


def require_known(name: str, known: Iterable[str], section: str = "") -> None:
    """Raise SettingsError for an unknown name, and suggest the nearest known one."""
    names = list(known)
    if name in names:
        return
    import difflib  # loaded only after a typing error

    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    advice = f"Did you mean {section}{near[0]}?" if near else f"Known: {', '.join(names)}."
    raise SettingsError(f"There is no setting {section}{name}.", suggestions=(advice,))


def _place(message: str, section: str) -> str:
    """The message of msgspec, with the setting's name first."""
    what, _, path = message.partition(" - at `$.")
    return f"{section}{path.rstrip('`')}: {what}" if path else what


def _require_sensible(field: Field[Any], value: object, section: str) -> None:
    if isinstance(value, tuple):
        for each in cast("tuple[object, ...]", value):
            _require_sensible(field, each, section)
    most = field.metadata.get("most", 10**15)
    if isinstance(value, int | float) and not 0 <= value <= most:
        why = f"; the maximum is {most}" if "most" in field.metadata and value > most else ""
        raise _wrong(f"{section}{field.name} cannot be {value}{why}")


def _wrong(what: str) -> SettingsError:
    advice = "Correct the value, or remove the setting to use the default."
    return SettingsError(f"Invalid setting: {what}.", suggestions=(advice,))

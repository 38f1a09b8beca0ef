"""What a caller may choose about comparing."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from pageloom.core.option_values import read_values

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffOptions:
    """Options of ``diff``: the ``[changes]`` section of the settings."""

    text_threshold: float = 0.90
    """A text less similar than this has changed, whatever else may be said of it."""
    title_case_matters: bool = False
    wording_matters: bool = False
    """Whether a few other words without a number, name, date or negation among them count."""
    ignored_metadata: tuple[str, ...] = ()
    """Names of metadata to leave out, beside those that never mean anything."""
    ignored_fields: tuple[str, ...] = ()
    """Fields of the report that never count, such as ``links``."""
    muted_blocks: tuple[str, ...] = ()
    """Keys of blocks (``BlockChange.key``) that were learnt to differ on every check."""
    scoped: bool = False
    """Whether the Documents are a scope that somebody chose: then no block of them is muted."""
    excerpt_length: int = 2_000
    """Characters of the texts that a report quotes, at most."""


DEFAULTS = DiffOptions()


def read_diff_options(given: DiffOptions | Mapping[str, Any] | None) -> DiffOptions:
    """The options meant by a DiffOptions, by a mapping of some of its fields, or by nothing.

    Raises:
        SettingsError: a name that is no option, or a value that does not fit.
    """
    if isinstance(given, DiffOptions):
        return given
    if not given:
        return DEFAULTS
    lists = {each.name for each in fields(DiffOptions) if isinstance(each.default, tuple)}
    plain = {name: list(value) if name in lists else value for name, value in given.items()}
    return read_values(DiffOptions, plain, strict=True)

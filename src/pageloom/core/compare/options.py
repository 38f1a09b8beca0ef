"""Options of comparing two Documents."""

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
    """A text less similar than this always counts as changed."""
    title_case_matters: bool = False
    wording_matters: bool = False
    """Whether rewording outside the content and spelling put right count, too."""
    ignored_metadata: tuple[str, ...] = ()
    """Metadata names to ignore, besides those that are always ignored."""
    ignored_fields: tuple[str, ...] = ()
    """Fields of the report to ignore, such as ``links``."""
    muted_blocks: tuple[str, ...] = ()
    """Keys of blocks (``BlockChange.key``) to ignore, because they change on every check."""
    always_blocks: tuple[str, ...] = ()
    """Keys of blocks of which every difference counts, whatever it looks like."""
    scoped: bool = False
    """Whether the Documents are a scope that the user selected: then no block is muted."""
    excerpt_length: int = 2_000
    """The most characters of a text that a report quotes."""


DEFAULTS = DiffOptions()


def read_diff_options(given: DiffOptions | Mapping[str, Any] | None) -> DiffOptions:
    """DiffOptions from an instance, from a mapping of some of its fields, or the defaults.

    Raises:
        SettingsError: an unknown name, or an invalid value.
    """
    if isinstance(given, DiffOptions):
        return given
    if not given:
        return DEFAULTS
    lists = {each.name for each in fields(DiffOptions) if isinstance(each.default, tuple)}
    plain = {name: list(value) if name in lists else value for name, value in given.items()}
    return read_values(DiffOptions, plain, strict=True)

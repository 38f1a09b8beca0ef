"""What a caller may choose about extraction."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec

from pageloom.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of ``extract``. A part that is switched off costs no time and its field is empty."""

    enable_markdown: bool = True
    extract_links: bool = True
    extract_media: bool = True
    detect_language: bool = True
    extract_categories: bool = True
    enable_fallbacks: bool = True
    max_content_length: int = 10_000_000
    """Bytes; larger content is refused with OversizedContent."""
    parse_timeout_ms: int = 5_000
    """The time for one page where extraction runs in a sandbox."""
    min_quality_score: int = 30
    strict: bool = False
    """Raise LowQuality under the minimum score, NoContentFound under ``text_min_length``."""
    text_min_length: int = 50
    """Shorter text means: try the next strategy."""
    image_alt_in_text: bool = False
    max_depth: int = 256
    max_nodes: int = 400_000
    markdown_images: Literal["clickable", "plain", "none"] = "clickable"
    markdown_links: Literal["inline", "reference", "none"] = "inline"
    markdown_wrap: int | None = None
    """The style of the Markdown. Score and hashes are those of the default style."""
    explain: bool = False
    """Keep a trace of every block in the provenance."""
    scope: tuple[str, ...] = ()
    """Selectors (CSS, or XPath behind ``xpath:``): only these parts of a page are read."""
    ignore: tuple[str, ...] = ()
    """Selectors of parts that are passed over."""


DEFAULTS = Options()


def read_options(given: Options | Mapping[str, Any] | None) -> Options:
    """The options meant by an Options, by a mapping of some of its fields, or by nothing.

    Raises:
        SettingsError: a name that is no option, or a value that does not fit.
    """
    if isinstance(given, Options):
        return given
    return read_values(Options, given or {}, strict=True)


def read_values(kind: type[T], given: Mapping[str, Any], *, strict: bool, section: str = "") -> T:
    """A frozen dataclass from names and values, each checked.

    Args:
        kind: the dataclass; what is not given has its default.
        given: names and values.
        strict: whether "5" is refused where 5 is meant; text is fine from an environment.
        section: stands before the name in messages.
    """
    known = [field.name for field in fields(kind)]  # pyright: ignore[reportArgumentType]
    for name in given:
        require_known(name, known, section)
    try:
        values = msgspec.convert(dict(given), kind, strict=strict)
    except msgspec.ValidationError as error:
        where = _place(str(error), section)
        raise SettingsError(f"A setting has a wrong value: {where}.") from None
    for name in known:
        _require_sensible(name, getattr(values, name), section)
    return values


def require_known(name: str, known: Iterable[str], section: str = "") -> None:
    """Refuse a name that is not known, naming the nearest that is."""
    names = list(known)
    if name in names:
        return
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    advice = f"Did you mean {section}{near[0]}?" if near else f"Known: {', '.join(names)}."
    raise SettingsError(f"There is no setting {section}{name}.", suggestions=(advice,))


def _place(message: str, section: str) -> str:
    """The sentence of msgspec, with our name of the place in it."""
    what, _, path = message.partition(" - at `$.")
    return f"{section}{path.rstrip('`')}: {what}" if path else what


def _require_sensible(name: str, value: object, section: str) -> None:
    if isinstance(value, int | float) and not 0 <= value <= 10**15:
        raise SettingsError(f"A setting has a wrong value: {section}{name} cannot be {value}.")

"""Import a compiled module, or None where it was not built."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def find_compiled(name: str) -> Any:
    """The module ``NAME_native``, or None in a checkout and in a wheel built without a compiler."""
    native = f"{name}_native"
    try:
        return import_module(native)
    except ModuleNotFoundError as error:
        if error.name != native:  # it is there, and what it needs is not
            raise
        return None

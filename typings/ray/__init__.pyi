"""Not typed by its makers."""

from typing import Any

def __getattr__(name: str) -> Any: ...

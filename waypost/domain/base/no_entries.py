"""The mapping that a field has where nothing was given."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any


def no_entries() -> MappingProxyType[Any, Any]:
    """Empty, and read-only: for ``field(default_factory=…)``."""
    return MappingProxyType({})

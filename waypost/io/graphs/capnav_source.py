"""What is remembered of a CapNav file so that it can be written back as it was.

Everything is kept under the key ``capnav`` of the ``extra`` of a value, as plain JSON: on a node,
an edge, a label or a task the object of the file; on the graph what belongs to whole files.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from waypost.domain.scene.graph import Extra

KEY = "capnav"
"""The key of ``extra`` under which CapNav's own objects are kept."""


def remembered(extra: Extra) -> Mapping[str, Any]:
    """Return what is kept of the CapNav file; empty for what was made in Waypost."""
    kept = extra.get(KEY, {})
    return kept if isinstance(kept, Mapping) else {}


def remember(extra: Extra, **values: Any) -> Extra:
    """Return ``extra`` with more things kept; a value of ``None`` is forgotten."""
    kept = {**remembered(extra), **values}
    kept = {key: value for key, value in kept.items() if value is not None}
    return MappingProxyType({**extra, KEY: kept})


def overlay(raw: Mapping[str, Any], now: Mapping[str, Any], then: Mapping[str, Any]) -> Any:
    """Return the object of the file with the values that were changed since it was read.

    Args:
        raw: The object as it stood in the file; keys and their order are kept.
        now: The values of today, by key.
        then: The same values as they were understood when the file was read.
    """
    changed = {key: value for key, value in now.items() if key not in then or then[key] != value}
    return {**raw, **changed}

"""The record that a run came from, kept in the open run form so that it can be put back exactly."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

SOURCE: Final = "source"
"""Member of a line that holds the record and a digest of the rest of the line."""


def with_source(line: dict[str, Any], record: Any) -> dict[str, Any]:
    """The line with the record it was made of, if that record is JSON."""
    try:
        json.dumps(record, allow_nan=False)
    except (TypeError, ValueError):
        return line
    return {**line, SOURCE: {"record": record, "digest": _digest(line)}}


def unchanged_source(line: Any) -> Any:
    """The record that a line was made of; ``None`` if it has none or was changed since."""
    source = line.get(SOURCE) if isinstance(line, dict) else None
    if not isinstance(source, dict) or "digest" not in source:
        return None
    rest = {key: value for key, value in line.items() if key != SOURCE}
    return source.get("record") if source["digest"] == _digest(rest) else None


def _digest(line: dict[str, Any]) -> str:
    text = json.dumps(line, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]

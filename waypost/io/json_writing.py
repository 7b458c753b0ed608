"""The one way Waypost writes JSON: whole, at full precision, and never with NaN."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from waypost.io.atomic import write_text_atomic


def json_text(value: Any) -> str:
    """Return JSON text: two spaces of indent, keys in their order, floats unrounded.

    NaN and infinities, which JSON does not have, become ``null``. There is no line end at the
    end, as CapNav's annotator writes none.
    """
    text = json.dumps(_finite(value), indent=2, ensure_ascii=False, allow_nan=False)
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            text = json.dumps(_finite(value), indent=2, allow_nan=False)
    return text


def json_line(value: Any) -> str:
    """Return JSON text on one line, without line end; as exact and as finite as ``json_text``."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(_finite(value), allow_nan=False)
    return text


def write_json_file(path: Path, value: Any) -> None:
    """Replace a file by the JSON text of a value.

    Raises:
        WriteError: If the file cannot be written.
    """
    write_text_atomic(path, json_text(value))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value

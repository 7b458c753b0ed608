"""The one way Waypost writes JSON: whole, at full precision, and never with NaN."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

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


@dataclass(frozen=True, slots=True)
class JsonLayout:
    """How a program lays out JSON text around its values."""

    indent: int | str | None = 2
    """Per level; ``None`` for one line."""

    separators: tuple[str, str] | None = None
    """Between members, and after a key; ``None`` for what Python takes."""

    is_ascii: bool = False
    """Whether other letters are escaped."""

    end: str = ""
    """White space behind the value."""

    def text(self, value: Any) -> str:
        """The JSON text of a value; NaN and infinities become ``null``."""
        told = json.dumps(
            _finite(value),
            indent=self.indent,
            separators=self.separators,
            ensure_ascii=self.is_ascii,
            allow_nan=False,
        )
        return told + self.end


def json_layout(text: str, value: Any) -> JsonLayout | None:
    """The layout that gives this text for this value; ``None`` for one laid out by hand."""
    end = text[len(text.rstrip()) :]
    layouts = (
        JsonLayout(indent, separators, is_ascii, end)
        for indent, separators in _LAYOUTS
        for is_ascii in (False, True)
    )
    return next((layout for layout in layouts if layout.text(value) == text), None)


_LAYOUTS: Final[tuple[tuple[int | str | None, tuple[str, str] | None], ...]] = (
    (2, None),
    (None, None),
    (None, (",", ":")),
    (4, None),
    (1, None),
    ("\t", None),
    (3, None),
    (0, None),
)
"""What JavaScript's, Python's and other writers do, the likeliest first."""


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

"""What to say of a file that no format knows: what is in it, and which formats it resembles."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from waypost.domain.base.visible_text import one_line
from waypost.io.file_head import FileHead
from waypost.io.item_format import ItemFormat

MOST_NAMED: Final = 3
"""So many formats are named as alike, so many keys or names as found."""

_GOES_ON: Final = (
    "the file goes on after this first value, as if JSON values were written one behind the other:"
    " it needs a list around them and commas between them, or a line for each"
)

ALL_FORMATS: Final = "`waypost convert --list` names all formats"


def unknown_content(head: FileHead, what: str, known: Sequence[ItemFormat[Any]]) -> str:
    """Why a file cannot be used: one sentence of what is in it and what it resembles.

    Args:
        head: The beginning of the file or folder.
        what: What was looked for: ``episodes`` or ``runs``.
        known: The formats of these.
    """
    told = f"holds no {what} in a known format, but {_content(head)}"
    if head.goes_on:
        return f"{told}; {_GOES_ON}; {ALL_FORMATS}"
    alike = closest_formats(_keys(head), {entry.name: entry.keys for entry in known})
    if alike:
        told += f"; closest {'is' if len(alike) == 1 else 'are'} {', '.join(alike)}"
    return f"{told}; {ALL_FORMATS}"


def unknown_name(name: str, known: Collection[str], what: str) -> str:
    """Why a format cannot be chosen: its name is none, but resembles some."""
    alike = difflib.get_close_matches(name, known, MOST_NAMED, 0.5)
    nearest = f"; closest {'is' if len(alike) == 1 else 'are'} {', '.join(alike)}" if alike else ""
    return f"{name!r} is no format of {what}{nearest}; {ALL_FORMATS}"


def closest_formats(
    found: Collection[str], table: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """The formats that share keys with a file, each with the keys that it lacks.

    Those whose keys are there for the greatest part come first; at most ``MOST_NAMED``.
    """
    present = set(found)
    shares = {
        name: len(present.intersection(keys)) / len(keys)
        for name, keys in table.items()
        if present.intersection(keys)
    }
    best = sorted(shares, key=lambda name: -shares[name])[:MOST_NAMED]
    return tuple(
        _lacking(name, [key for key in table[name] if key not in present]) for name in best
    )


def _lacking(name: str, missing: list[str]) -> str:
    why = f"without {' and '.join(missing[:MOST_NAMED])}" if missing else "its keys in another form"
    return f"{name} ({why})"


def _records(head: FileHead) -> list[dict[str, Any]]:
    """The objects at the top of a file: itself, its first item, and the first item of that."""
    found: list[dict[str, Any]] = []
    value = head.sample
    for _ in range(3):
        if isinstance(value, dict):
            found.append(value)
            value = next((v for v in value.values() if isinstance(v, dict | list)), None)
        elif isinstance(value, list):
            value = value[0] if value else None
            if isinstance(value, dict):
                continue
    return found


def _keys(head: FileHead) -> set[str]:
    if head.sample is not None:
        return {key for record in _records(head) for key in record}
    first_line = head.text.partition("\n")[0]
    return {cell.strip().strip('"') for cell in re.split(r"[,;\t]", first_line)}


def _content(head: FileHead) -> str:
    if head.is_folder:
        return f"a folder {_with(head.names, 'name')}" if head.names else "an empty folder"
    sample = head.sample
    if isinstance(sample, dict):
        return f"a JSON object {_with(sample, 'key')}"
    if isinstance(sample, list):
        kind = "JSON lines" if head.is_lines else "a JSON array"
        if sample and isinstance(sample[0], dict):
            return f"{kind} of objects {_with(sample[0], 'key')}"
        return f"{kind} of other things than objects"
    if b"\x00" in head.start[:4096]:
        return "no text"
    words = one_line(head.text.strip(), 40)
    return f"text that begins with {json.dumps(words, ensure_ascii=False)}" if words else "nothing"


def _with(names: Collection[str], noun: str) -> str:
    if not names:
        return f"without {noun}s"
    shown = [one_line(name, 40) for name in islice(names, MOST_NAMED)]
    more = len(names) - len(shown)
    named = ", ".join(json.dumps(name, ensure_ascii=False) for name in shown)
    return f"with the {noun if len(names) == 1 else f'{noun}s'} {named}" + (
        f" and {more} more" if more else ""
    )

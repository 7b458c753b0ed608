"""Make text of unknown origin harmless to look at: nothing in it is hidden, moves or reorders."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from typing import Final

MOST_CHARACTERS: Final = 3_000
"""So much of a text is shown until more is asked for."""

_KEPT: Final = frozenset("\n\t\u200c\u200d")
"""Line ends, tabs, and the two joiners that Indic scripts and pictograms are written with."""

_NAMES: Final = {
    0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x09: "TAB", 0x0A: "LF", 0x0B: "VT", 0x0C: "FF",
    0x0D: "CR", 0x1B: "ESC",
    0x7F: "DEL", 0xAD: "SHY", 0x61C: "ALM", 0x200B: "ZWSP", 0x200E: "LRM", 0x200F: "RLM",
    0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO", 0x2060: "WJ",
    0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xFEFF: "BOM",
}  # fmt: skip
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Control, format, surrogate and private characters, and line ends that no file format has."""


_HALVES: Final = re.compile("[\ud800-\udfff]")
_LONG_WORD: Final = re.compile(r"\S{21,}")
_LONG_ID: Final = re.compile(r"(?<![0-9A-Za-z])([0-9A-Fa-f]{8})[0-9A-Fa-f-]{12,}(?![0-9A-Za-z])")
_PIECE: Final = re.compile(r".{8}(?=.)")


class _Table(dict[int, str]):
    """Replacement of each character, found out when it is first met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character not in _KEPT and unicodedata.category(character) in _HIDDEN:
            character = f"⟨{_NAMES.get(code, f'U+{code:04X}')}⟩"
        self[code] = character
        return character


_TABLE: Final = _Table()
_LINE_ENDS: Final = str.maketrans({"\n": "⟨LF⟩", "\t": "⟨TAB⟩"})


class _JsonTable(_Table):
    """The same for JSON, which has an escape of its own for every character."""

    def __missing__(self, code: int) -> str:
        is_shown = super().__missing__(code) == chr(code)
        self[code] = chr(code) if is_shown else json.dumps(chr(code))[1:-1]
        if code == _DEL:
            self[code] = f"\\u{code:04x}"
        return self[code]


_DEL: Final = 0x7F
"""The one hidden character that ``json.dumps`` lets stand."""

_JSON_TABLE: Final = _JsonTable()


def visible_text(text: str) -> str:
    """The text with every invisible or reordering character spelled out: ``⟨ESC⟩``, ``⟨RLO⟩``.

    Windows line ends become plain ones; nothing is left out.
    """
    if text.isascii() and text.isprintable():
        return text
    return text.replace("\r\n", "\n").translate(_TABLE)


def visible_line(text: str) -> str:
    """The text as part of one line of a terminal: line ends and tabs are spelled out as well.

    Whatever is printed on a terminal and was not written by us goes through here, so that it can
    neither steer the terminal nor make a line of its own. A text that went through stays as it is.
    """
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_TABLE).translate(_LINE_ENDS)


def visible_json(text: str) -> str:
    """A JSON text with the same values in which every hidden character is written as an escape.

    JSON lets DEL, the control characters above 0x7F and what reorders text stand as they are.
    """
    if text.isascii() and chr(_DEL) not in text:
        return text
    return text.translate(_JSON_TABLE)


def with_whole_characters(text: str) -> str:
    """The text with each half of a surrogate pair spelled out as ``visible_text`` does it.

    JSON can hold halves; no file in UTF-8 can.
    """
    return _HALVES.sub(lambda half: visible_text(half[0]), text)


def shortened(text: str, most: int = MOST_CHARACTERS) -> tuple[str, int]:
    """The beginning of a text, and how many characters were left out.

    Args:
        text: Of any length.
        most: Characters to keep; a text that is hardly longer stays whole.
    """
    if len(text) <= most + most // 10:
        return text, 0
    return text[:most], len(text) - most


def one_line(text: str, most: int = 120) -> str:
    """The beginning of a text on one line, made visible; ``…`` where more follows."""
    start = " ".join(text[: 4 * most].split())
    is_cut = len(start) > most or len(text) > 4 * most
    return visible_text(start[:most].rstrip()) + ("…" if is_cut else "")


def with_short_ids(text: str) -> str:
    """A headline in which ids of many hexadecimal digits are cut to their first eight and ``…``.

    Those of Matterport3D's viewpoints have 32, which nobody reads and nothing has room for.
    """
    return _LONG_ID.sub("\\g<1>…", text)


def breakable(text: str) -> str:
    """The text made visible, with places to break in words that no narrow line has room for.

    For labels: they are never narrower than their longest word.
    """
    return _LONG_WORD.sub(lambda word: _PIECE.sub("\\g<0>\u200b", word.group()), visible_text(text))


def escaped(text: str) -> str:
    """A text as part of HTML or SVG: no markup in it acts, and nothing in it is invisible."""
    return html.escape(visible_text(text))


def plain_tip(text: str) -> str:
    """A text as a tool tip that shows it letter by letter; Qt would draw markup in it."""
    if "<" not in text:
        return text
    return f'<p style="white-space: pre-wrap">{html.escape(text)}</p>'

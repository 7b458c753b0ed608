"""Change words, numbers and lines of a text: what a format's own words mean is left to its reader.

Grammars are not needed for it: numbers, words, strings and brackets are found the same way in
USD, CSV, TOML, YAML, JSON and the logs of agents, and what is put there comes from the same file
or from the lists of ``value_mutation``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from faults.fuzz.value_mutation import ODD_TEXTS

_TOKEN = re.compile(r'"[^"\n]{0,200}"|[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|[^\s\w]')
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_MEMBER = re.compile(r'"[^"\n]{1,60}"\s*:\s*(?:"[^"\n]*"|[-\d.eE]+|true|false|null)')
ODD_NUMBERS = (
    "0",
    "-1",
    "1",
    "2",
    "nan",
    "inf",
    "-inf",
    "NaN",
    "Infinity",
    "1e308",
    "-1e308",
    "1e39",
    "1e-320",
    "1e999",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "9" * 5_000,
    "0x7f",
    "1_000",
    "1,5",
    ".5",
    "5.",
    "",
    "--1",
    "1e",
    "٣",
)


def mutate_text(rng: random.Random, text: str) -> str:
    """The text with one to three wrong places."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice(_CHANGES)(rng, text)
    return text


def _token(rng: random.Random, text: str, kind: re.Pattern[str] = _TOKEN) -> tuple[int, int]:
    """A token after a random place; where there is none, that place."""
    start = rng.randrange(len(text) + 1)
    found = kind.search(text, start) or kind.search(text)
    return found.span() if found else (start, start)


def _number(rng: random.Random, text: str) -> str:
    start, end = _token(rng, text, _NUMBER)
    return text[:start] + rng.choice(ODD_NUMBERS) + text[end:]


def _word(rng: random.Random, text: str) -> str:
    start, end = _token(rng, text)
    return text[:start] + rng.choice(ODD_TEXTS) + text[end:]


def _other_word(rng: random.Random, text: str) -> str:
    start, end = _token(rng, text)
    first, last = _token(rng, text)
    return text[:start] + text[first:last] + text[end:]


def _no_word(rng: random.Random, text: str) -> str:
    start, end = _token(rng, text)
    return text[:start] + text[end:]


def _word_twice(rng: random.Random, text: str) -> str:
    start, end = _token(rng, text)
    return text[:end] + text[start:end] * rng.choice((1, 1, 2000)) + text[end:]


def _member_twice(rng: random.Random, text: str) -> str:
    start, end = _token(rng, text, _MEMBER)
    return f"{text[:end]},{text[start:end]}{text[end:]}" if end > start else text


def _inside(rng: random.Random, text: str) -> str:
    start, end = _token(rng, text)
    place = rng.randint(start, end)
    return text[:place] + rng.choice(ODD_TEXTS[:-1]) + text[place:]


def _lines(rng: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    first, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(5)
    if kind == 0:
        del lines[first : first + rng.choice((1, 1, 5))]
    elif kind == 1:
        lines[first:first] = [lines[other]] * rng.choice((1, 1, 300))
    elif kind == 2:
        lines[first], lines[other] = lines[other], lines[first]
    elif kind == 3:
        lines[first] = lines[first].rstrip("\r\n")
    else:
        lines.insert(first, rng.choice(ODD_TEXTS) + "\n")
    return "".join(lines)


def _cell(rng: random.Random, text: str) -> str:
    """One cell of a table, told by what parts its first line."""
    mark = max(",;\t", key=text[:500].count)
    cells = text.split(mark)
    cells[rng.randrange(len(cells))] = rng.choice(rng.choice((ODD_NUMBERS, ODD_TEXTS)))
    if rng.random() < 0.2:
        del cells[rng.randrange(len(cells))]
    return mark.join(cells)


def _line_ends(rng: random.Random, text: str) -> str:
    return text.replace("\n", rng.choice(("\r\n", "\r", "\n\n", "\u2028", "")))


def _cut(rng: random.Random, text: str) -> str:
    return text[: rng.randrange(len(text) + 1)]


_CHANGES: tuple[Callable[[random.Random, str], str], ...] = (
    _number,
    _number,
    _number,
    _word,
    _other_word,
    _other_word,
    _no_word,
    _no_word,
    _word_twice,
    _member_twice,
    _inside,
    _lines,
    _lines,
    _cell,
    _cell,
    _line_ends,
    _cut,
)

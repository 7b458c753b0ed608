"""Damage bytes as disks, cut downloads and hostile people do; the same seed, the same damage."""

from __future__ import annotations

import random
from collections.abc import Callable

MAGIC = (
    b"\x00",
    b"\xff",
    b"\x7f",
    b"\x80",
    b"\x00" * 4,
    b"\xff" * 4,
    b"\x7f\xff\xff\xff",
    b"\xff\xff\xff\x7f",
    b"\x00\x00\x00\x80",
    b"\x01\x00\x00\x00",
    b"\xff" * 8,
    b"\x00" * 8,
    b"\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"\x00\x00\xc0\x7f",
    b"\x00\x00\x80\x7f",
    b"\x00\x00\x00\x00\x00\x00\xf8\x7f",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"glTF",
    b"PXR-USDC",
    b"#usda 1.0\n",
    b"SQLite format 3\x00",
    b"\x89PNG\r\n",
    b"\xff\xd8\xff",
    b"PAR1",
    b"{",
    b"[",
    b"}",
    b"]",
    b'"',
    b",",
    b":",
    b"\n",
    b"\r\n",
    b"\x1b[2J",
    b"\xed\xa0\x80",
    b"\xc0\xaf",
    b"NaN",
    b"Infinity",
    b"1e400",
    b"-",
    b"../",
    b"\xf4\x90\x80\x80",
)
"""What decoders trip over: borders of numbers, marks of other formats, halves of characters."""

Damage = Callable[[random.Random, bytes], bytes]


def damage_bytes(rng: random.Random, data: bytes, others: tuple[bytes, ...] = ()) -> bytes:
    """The data with one to four pieces of damage; ``others`` are spliced in."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if others and rng.random() < 0.1:
            data = _splice(rng, data, rng.choice(others))
        else:
            data = rng.choice(_DAMAGES)(rng, data)
    return data


def _span(rng: random.Random, data: bytes, longest: int = 64) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.randint(1, longest))


def _flip_bit(rng: random.Random, data: bytes) -> bytes:
    if not data:
        return b"\x01"
    place = rng.randrange(len(data))
    return data[:place] + bytes((data[place] ^ 1 << rng.randrange(8),)) + data[place + 1 :]


def _set_byte(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + bytes((rng.randrange(256),)) + data[place + 1 :]


def _cut_end(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _cut_middle(rng: random.Random, data: bytes) -> bytes:
    start, end = _span(rng, data, max(1, len(data) // 4))
    return data[:start] + data[end:]


def _insert(rng: random.Random, data: bytes) -> bytes:
    start, _ = _span(rng, data)
    return data[:start] + rng.randbytes(rng.randint(1, 32)) + data[start:]


def _magic(rng: random.Random, data: bytes) -> bytes:
    word = rng.choice(MAGIC)
    start, _ = _span(rng, data)
    end = start + (len(word) if rng.random() < 0.7 else 0)
    return data[:start] + word + data[end:]


def _double(rng: random.Random, data: bytes) -> bytes:
    start, end = _span(rng, data, max(1, len(data) // 2))
    return data[:end] + data[start:end] * rng.choice((1, 1, 3, 100)) + data[end:]


def _swap(rng: random.Random, data: bytes) -> bytes:
    start, end = _span(rng, data)
    other = rng.randrange(len(data) + 1)
    part = data[start:end]
    rest = data[:start] + data[end:]
    return rest[:other] + part + rest[other:]


def _zeros(rng: random.Random, data: bytes) -> bytes:
    start, end = _span(rng, data, 512)
    return data[:start] + bytes(end - start) + data[end:]


def _size(rng: random.Random, data: bytes) -> bytes:
    """Write a number where sizes and offsets stand: at a multiple of four."""
    if len(data) < 8:
        return data + b"\xff" * 4
    place = rng.randrange(len(data) // 4) * 4
    stated = int.from_bytes(data[place : place + 4], "little")
    value = rng.choice(
        (0, 1, stated + 1, stated - 1, stated * 2, 1 << 31, (1 << 32) - 1, len(data))
    )
    return data[:place] + (value % (1 << 32)).to_bytes(4, "little") + data[place + 4 :]


def _splice(rng: random.Random, data: bytes, other: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


_DAMAGES: tuple[Damage, ...] = (
    _flip_bit,
    _flip_bit,
    _set_byte,
    _cut_end,
    _cut_middle,
    _insert,
    _magic,
    _magic,
    _double,
    _swap,
    _zeros,
    _size,
    _size,
)

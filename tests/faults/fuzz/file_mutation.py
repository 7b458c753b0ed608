"""Mutate a file by what is in it: the packing is undone, the content changed, and packed again.

Random bytes alone end at the first checksum, length or bracket. So JSON, TOML, GLB, gzip, zlib and
zip are taken apart first; a share of the inputs is always damaged as plain bytes.

These mutators are our own because each input costs well under a millisecond and follows from one
number alone, on every machine and version. hypothesis (which the tests of single readers use) costs
about ten times as much an input and replays from its own data base; atheris follows coverage, but
needs a build by clang of each C++ library to see into it, and no run equals another.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import struct
import tomllib
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import tomli_w
from faults.fuzz.byte_mutation import damage_bytes
from faults.fuzz.text_mutation import mutate_text
from faults.fuzz.value_mutation import dump_json, mutate_value, written_out

_CHUNK = struct.Struct("<II")
_JSON_CHUNK = 0x4E4F534A

ValueMutation = Callable[[random.Random, Any], Any]


def mutate_file(
    rng: random.Random,
    data: bytes,
    others: tuple[bytes, ...] = (),
    change: ValueMutation = mutate_value,
) -> bytes:
    """The content of a file with something wrong in it.

    Args:
        rng: Decides everything.
        data: A good file.
        others: Good files of the same family, for splices.
        change: What is done to the tree of a JSON or GLB file.
    """
    if rng.random() < 0.25:
        return damage_bytes(rng, data, others)
    for unpacked in (_in_gzip, _in_zip, _in_zlib, _in_glb):
        packed = unpacked(rng, data, change)
        if packed is not None:
            return packed
    text = _text_of(data)
    if text is None:
        return damage_bytes(rng, data, others)
    if rng.random() < 0.6:
        for structured in (_in_json, _in_json_lines, _in_toml):
            changed = structured(rng, text, change)
            if changed is not None:
                return changed.encode(errors="surrogatepass")
    return mutate_text(rng, text).encode(errors="surrogatepass")


def _text_of(data: bytes) -> str | None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return None if "\x00" in text else text


def _in_gzip(rng: random.Random, data: bytes, change: ValueMutation) -> bytes | None:
    if not data.startswith(b"\x1f\x8b"):
        return None
    return gzip.compress(mutate_file(rng, gzip.decompress(data), change=change), 1, mtime=0)


def _in_zlib(rng: random.Random, data: bytes, change: ValueMutation) -> bytes | None:
    if not data.startswith((b"x\x01", b"x\x9c")):
        return None
    return zlib.compress(mutate_file(rng, zlib.decompress(data), change=change), 1)


def _in_zip(rng: random.Random, data: bytes, change: ValueMutation) -> bytes | None:
    """One member of an archive changed; stored, and aligned as USDZ wants it."""
    if not data.startswith(b"PK\x03\x04"):
        return None
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    chosen = rng.choice(list(members))
    members[chosen] = mutate_file(rng, members[chosen], change=change)
    if rng.random() < 0.1:
        members[rng.choice(("../outside.usda", "/abs.usda", "a/../../b", ""))] = members[chosen]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name or "x")
            start = packed.tell() + 30 + len(info.filename.encode())
            info.extra = struct.pack("<HH", 0x1986, (-start - 4) % 64) + bytes((-start - 4) % 64)
            archive.writestr(info, content)
    return packed.getvalue()


def _in_glb(rng: random.Random, data: bytes, change: ValueMutation) -> bytes | None:
    if not data.startswith(b"glTF") or len(data) < 20:
        return None
    length, kind = _CHUNK.unpack_from(data, 12)
    if kind != _JSON_CHUNK:
        return None
    header, rest = data[20 : 20 + length], data[20 + length :]
    if rng.random() < 0.8:
        header = dump_json(change(rng, json.loads(header))).encode(errors="surrogatepass")
    else:
        rest = damage_bytes(rng, rest)
    return pack_glb(header, rest)


def pack_glb(header: bytes, rest: bytes) -> bytes:
    """A GLB with fitting lengths from a JSON text and the chunks that follow it."""
    header += b" " * (-len(header) % 4)
    chunks = _CHUNK.pack(len(header), _JSON_CHUNK) + header + rest
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _in_json(rng: random.Random, text: str, change: ValueMutation) -> str | None:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return dump_json(change(rng, value))


def _in_json_lines(rng: random.Random, text: str, change: ValueMutation) -> str | None:
    lines = text.splitlines()
    if not lines or not lines[0].startswith(("{", "[")):
        return None
    number = rng.randrange(len(lines))
    try:
        lines[number] = dump_json(change(rng, json.loads(lines[number])))
    except ValueError:
        return None
    return "\n".join(lines) + "\n"


def _in_toml(rng: random.Random, text: str, change: ValueMutation) -> str | None:
    try:
        return written_out(tomli_w.dumps(mutate_value(rng, tomllib.loads(text))))
    except (tomllib.TOMLDecodeError, TypeError, ValueError, AttributeError):
        return None

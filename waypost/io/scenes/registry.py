"""The scene formats Waypost opens, in the order in which they are asked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from waypost.domain.base.errors import ReadError
from waypost.io.file_reading import open_for_reading
from waypost.io.scenes.foreign_kinds import foreign_kind
from waypost.io.scenes.format import Format
from waypost.io.scenes.mesh_files.formats import MESH_FORMATS

_HEAD_BYTES: Final = 4096
_BEFORE_JSON: Final = b"\xef\xbb\xbf \t\r\n"

_GLTF_JSON: Final = re.compile(rb"^(\xef\xbb\xbf)?\s*\{")
_USD_STARTS: Final = (b"#usda", b"PXR-USDC", b"PK\x03\x04")


def _is_gltf(head: bytes) -> bool:
    return head.startswith(b"glTF") or _GLTF_JSON.match(head) is not None


def _is_usd(head: bytes) -> bool:
    return head.startswith(_USD_STARTS)


_GLTF: Final = Format("glTF", (".glb", ".gltf"), _is_gltf)
_USD: Final = Format("OpenUSD", (".usd", ".usda", ".usdc", ".usdz"), _is_usd)

FORMATS: Final[tuple[Format, ...]] = (_GLTF, _USD, *MESH_FORMATS)
"""``decode_scene`` has their readers."""


def find_format(head: bytes) -> Format | None:
    """The format whose content the first bytes of a file show; the name does not matter."""
    return next((entry for entry in FORMATS if entry.can_read(head)), None)


def known_suffixes() -> tuple[str, ...]:
    """Every suffix a file dialog should offer."""
    return tuple(suffix for entry in FORMATS for suffix in entry.suffixes)


def format_of_file(path: Path) -> Format:
    """The format of a scene file, by its first bytes and its name.

    Raises:
        ReadError: If the file is missing, empty, or of no known format.
    """
    head = _read_head(path)
    suffix = path.suffix.lower()
    found = find_format(head)
    if found in (None, _USD) and suffix != ".usdz":
        foreign = foreign_kind(path, head)
        if foreign:
            raise ReadError(str(path), "header", foreign)
    if found is None:
        told_by_name = (entry for entry in FORMATS if entry.is_told_by_name)
        found = next((entry for entry in told_by_name if suffix in entry.suffixes), None)
    if found is None:
        known = " ".join(known_suffixes())
        raise ReadError(str(path), "header", f"this is no scene file; known are {known}")
    if suffix not in found.suffixes:
        wanted = " or ".join(found.suffixes)
        reason = f"the content is {found.name} but the name ends otherwise; rename it to {wanted}"
        if head.lstrip(_BEFORE_JSON).startswith(b"{"):
            # any JSON might be glTF; graphs and labels are JSON as well
            reason = "this is JSON, not a scene; import it if a graph, rename it to .gltf if glTF"
        raise ReadError(str(path), "name", reason)
    return found


def _read_head(path: Path) -> bytes:
    with open_for_reading(path) as file:
        head = file.read(_HEAD_BYTES)
    if not head:
        raise ReadError(str(path), "file", "the file is empty")
    return head

"""The glTF entry of the registry; the reader itself is loaded when a file needs it."""

from __future__ import annotations

import re
from pathlib import Path

from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.format import Format, Reading

_JSON_START = re.compile(rb"^(\xef\xbb\xbf)?\s*\{")


def _can_read(head: bytes) -> bool:
    return head.startswith(b"glTF") or _JSON_START.match(head) is not None


def _read(path: Path, access: AssetAccess) -> Reading:
    # trimesh takes half a second to import, which only its users should pay
    from waypost.io.scenes.gltf_reader import read_gltf  # noqa: PLC0415

    return read_gltf(path, access)


FORMAT = Format("glTF", (".glb", ".gltf"), _can_read, _read)

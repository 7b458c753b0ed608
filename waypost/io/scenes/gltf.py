"""The glTF entry of the registry; ``decode_scene`` has the reader."""

from __future__ import annotations

import re

from waypost.io.scenes.format import Format

_JSON_START = re.compile(rb"^(\xef\xbb\xbf)?\s*\{")


def _can_read(head: bytes) -> bool:
    return head.startswith(b"glTF") or _JSON_START.match(head) is not None


FORMAT = Format("glTF", (".glb", ".gltf"), _can_read)

"""The OpenUSD entry of the registry; ``decode_scene`` has the reader."""

from __future__ import annotations

from waypost.io.scenes.format import Format

_MAGIC = (b"#usda", b"PXR-USDC", b"PK\x03\x04")


def _can_read(head: bytes) -> bool:
    return head.startswith(_MAGIC)


FORMAT = Format("OpenUSD", (".usd", ".usda", ".usdc", ".usdz"), _can_read)

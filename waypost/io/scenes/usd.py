"""The OpenUSD entry of the registry; the reader itself is loaded when a file needs it."""

from __future__ import annotations

from pathlib import Path

from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.format import Format, Reading

_MAGIC = (b"#usda", b"PXR-USDC", b"PK\x03\x04")


def _can_read(head: bytes) -> bool:
    return head.startswith(_MAGIC)


def _read(path: Path, access: AssetAccess) -> Reading:
    # OpenUSD takes most of a second to import, which only its users should pay
    from waypost.io.scenes.usd_reader import read_usd  # noqa: PLC0415

    return read_usd(path, access)


FORMAT = Format("OpenUSD", (".usd", ".usda", ".usdc", ".usdz"), _can_read, _read)

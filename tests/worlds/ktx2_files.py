"""KTX 2 pictures of one colour, packed bit by bit so that no library checks itself.

Source:
    Khronos KTX File Format 2.0; Binomial, UASTC block format: mode 8 is a block of one colour.
"""

from __future__ import annotations

import struct

_IDENTIFIER = b"\xabKTX 20\xbb\r\n\x1a\n"
_MODE_8, _MODE_BITS = 0x17, 5
_BLOCK_BYTES = 16
_UASTC, _BT709, _SRGB = 166, 1, 2


def ktx2(color: tuple[int, int, int, int], side: int) -> bytes:
    """A square UASTC picture of one colour; ``side`` is a multiple of 4."""
    red, green, blue, alpha = color
    bits = _MODE_8
    for place, part in enumerate((red, green, blue, alpha)):
        bits |= part << (_MODE_BITS + 8 * place)
    blocks = bits.to_bytes(_BLOCK_BYTES, "little") * (side // 4) ** 2
    sample = struct.pack("<HBB4BII", 0, 127, 3, 0, 0, 0, 0, 0, 0xFFFFFFFF)
    block = struct.pack("<HHHH4B4B8B", 0, 0, 2, 24 + len(sample), _UASTC, _BT709, _SRGB, 0,
                        3, 3, 0, 0, _BLOCK_BYTES, 0, 0, 0, 0, 0, 0, 0)  # fmt: skip
    description = struct.pack("<I", 4 + len(block) + len(sample)) + block + sample
    at = 80 + 24
    header = _IDENTIFIER + struct.pack("<9I", 0, 1, side, side, 0, 0, 1, 1, 0)
    start = (at + len(description) + 15) // 16 * 16
    header += struct.pack("<4I2Q", at, len(description), 0, 0, 0, 0)
    header += struct.pack("<3Q", start, len(blocks), len(blocks))
    return (header + description).ljust(start, b"\0") + blocks

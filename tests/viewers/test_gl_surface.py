"""Which renderers draw with the processor, by the names that drivers give."""

from __future__ import annotations

import pytest

from waypost.viewers.gl_surface import is_software


@pytest.mark.parametrize(
    "renderer",
    [
        "llvmpipe (LLVM 15.0.7, 256 bits)",
        "softpipe",
        "Software Rasterizer",
        "Google SwiftShader",
        "ANGLE (Microsoft, Microsoft Basic Render Driver (0x0000008C), D3D11)",
        "GDI Generic",
        "Apple Software Renderer",
    ],
)
def test_the_processor_draws(renderer: str) -> None:
    assert is_software(renderer)


@pytest.mark.parametrize(
    "renderer",
    [
        "NVIDIA GeForce RTX 3060/PCIe/SSE2",
        "Mesa Intel(R) UHD Graphics 620 (KBL GT2)",
        "AMD Radeon RX 6600 (radeonsi, navi23, LLVM 15.0.7, DRM 3.49)",
        "Apple M2",
        "D3D12 (NVIDIA GeForce RTX 3080)",
        "",
    ],
)
def test_a_card_draws(renderer: str) -> None:
    assert not is_software(renderer)

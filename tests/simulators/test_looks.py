"""The mean colour of an object, against numbers computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from waypost.domain.scene.scene import Material, Mesh, Scene
from waypost.simulators.looks import mean_colours

CORNERS = np.zeros((2, 3), np.float32), np.zeros((0, 3), np.int32)


def test_base_colour_texture_and_vertex_colours_are_multiplied_as_light():
    # Half of the texels are white, half black: the mean light is a half, not the light of grey.
    texture = np.zeros((200, 300, 4), np.uint8)
    texture[:100, :, :3] = 255
    materials = (Material("red", (1.0, 0.5, 0.0, 1.0)), Material("tiles", texture_index=0))
    # sRGB 188 is (188 / 255 + 0.055) / 1.055 to the power of 2.4 of the light.
    tinted = np.array([[255, 188, 0]] * 2, np.uint8)
    meshes = (
        Mesh("plain", *CORNERS),
        Mesh("red", *CORNERS, material_index=0),
        Mesh("tiles", *CORNERS, material_index=1),
        Mesh("tinted", *CORNERS, material_index=0, colors=tinted),
    )
    scene = Scene("s", "s.glb", "glb", meshes, materials, (texture,))
    plain, red, tiles, dyed = mean_colours(scene, meshes)
    assert plain == (0.8, 0.8, 0.8)
    assert red == (1.0, 0.5, 0.0)
    assert tiles == pytest.approx((0.4, 0.4, 0.4))
    assert dyed == pytest.approx((1.0, 0.5 * 0.50289, 0.0), abs=1e-5)

"""The sample home as a scene."""

from __future__ import annotations

from tools.sample_home.ground_rooms import add_ground_rooms
from tools.sample_home.scene_builder import SceneBuilder
from tools.sample_home.shell import add_shell
from tools.sample_home.upper_rooms import add_upper_rooms
from waypost.domain.scene.scene import Scene


def build_home() -> Scene:
    """The furnished two-storey home: scene frame, ground floor at z = 0, textures painted."""
    scene = SceneBuilder()
    add_shell(scene)
    add_ground_rooms(scene)
    add_upper_rooms(scene)
    return scene.build("home")

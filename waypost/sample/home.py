"""The sample home as a scene."""

from __future__ import annotations

from waypost.domain.scene.scene import Scene
from waypost.sample.ground_rooms import add_ground_rooms
from waypost.sample.scene_builder import SceneBuilder
from waypost.sample.shell import add_shell
from waypost.sample.upper_rooms import add_upper_rooms


def build_home() -> Scene:
    """The furnished two-storey home: scene frame, ground floor at z = 0, textures painted."""
    scene = SceneBuilder()
    add_shell(scene)
    add_ground_rooms(scene)
    add_upper_rooms(scene)
    return scene.build("home")

"""What the pictures of a folder show: headings, places and lenses, as one JSON file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.frames import r2r_heading_from_yaw
from waypost.domain.record.camera_take import CameraPose, FieldOfView, PictureSize
from waypost.domain.scene.graph import Node
from waypost.domain.scene.scene import Scene
from waypost.io.json_writing import write_json_file

MANIFEST: Final = "panoramas.json"
"""Its name in the folder of the pictures."""

_CONVENTIONS: Final = {
    "frame": "scene: Z up, right-handed, metres",
    "r2r_heading": "0 = +Y, clockwise seen from above, in [0, 2π)",
    "scene_yaw": "0 = +X, counter-clockwise seen from above; π/2 − r2r_heading",
    "pitch": "above the horizon positive",
    "equirectangular": (
        "heading of column x (pixel centres at n + 0.5): "
        "centre_r2r_heading + (x / width − 0.5) · 2π; "
        "elevation of row y: (0.5 − y / height) · π"
    ),
}


@dataclass(frozen=True, slots=True)
class PanoramaPicture:
    """One picture at a node."""

    file: str
    """Name in the folder."""

    kind: str
    """``view``, ``equirectangular`` or ``reference``."""

    pose: CameraPose
    """Of the picture's middle."""

    size: PictureSize
    fov: FieldOfView | None
    """``None`` for the whole sphere."""


def write_manifest(
    path: Path,
    scene: Scene,
    places: list[tuple[Node, tuple[PanoramaPicture, ...]]],
    eye_height_m: float,
) -> None:
    """Write the manifest of some nodes' pictures.

    Raises:
        WriteError: If it cannot be written.
    """
    document = {
        "schema": "waypost-panoramas",
        "schema_version": 1,
        "scene": scene.name,
        "scene_hash": scene.content_hash,
        "conventions": _CONVENTIONS,
        "eye_height_m": eye_height_m,
        "nodes": [_node_json(node, pictures) for node, pictures in places],
    }
    write_json_file(path, document)


def _node_json(node: Node, pictures: tuple[PanoramaPicture, ...]) -> dict[str, Any]:
    return {
        "node_id": node.node_id,
        "name": node.name,
        "floor_position_m": list(node.position_m),
        "pictures": [picture_json(picture) for picture in pictures],
    }


def picture_json(picture: PanoramaPicture) -> dict[str, Any]:
    """One picture's entry."""
    heading = r2r_heading_from_yaw(picture.pose.yaw_rad)
    # An angle a rounding error below a whole turn is north.
    heading = 0.0 if math.tau - heading < 1e-9 else heading
    is_sphere = picture.fov is None
    entry: dict[str, Any] = {
        "file": picture.file,
        "kind": picture.kind,
        "camera_position_m": list(picture.pose.position_m),
        "centre_r2r_heading_rad" if is_sphere else "r2r_heading_rad": heading,
        "centre_scene_yaw_rad" if is_sphere else "scene_yaw_rad": picture.pose.yaw_rad,
        "r2r_heading_deg": round(math.degrees(heading), 9),
        "pitch_rad": picture.pose.pitch_rad,
        "quaternion_wxyz": list(picture.pose.quaternion),
        "width_px": picture.size.width_px,
        "height_px": picture.size.height_px,
    }
    if picture.fov is not None:
        entry["horizontal_fov_rad"] = picture.fov.horizontal_rad(picture.size)
        entry["vertical_fov_rad"] = picture.fov.vertical_rad(picture.size)
    return entry

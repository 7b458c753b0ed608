"""What holds of everything that was read, whatever was in the file; cheap enough for each input."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from faults.fuzz.judging import WrongValueError

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.record.camera_take import TourPicture
from waypost.domain.record.recording import Recording
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.occupancy_map import Cell, OccupancyMap
from waypost.domain.scene.scene import Mesh, Scene
from waypost.domain.scene.viewpoint_graph import ViewpointGraph


def require(holds: object, what: str) -> None:
    """Fail unless something holds.

    Raises:
        WrongValueError: With ``what``.
    """
    if not holds:
        raise WrongValueError(what)


def require_finite(values: Any, what: str) -> None:
    """Fail unless all numbers are finite."""
    require(np.isfinite(np.asarray(values, dtype=np.float64)).all(), f"{what} is not finite")


def check_scene(scene: Scene) -> None:
    """Triangles, pictures and colours fit together."""
    require(scene.meshes, "a scene without meshes")
    require_finite(scene.origin_m, "origin")
    require(0 < scene.metres_per_unit < math.inf, "unit")
    require(scene.source_up_axis in {"Y", "Z"}, "up axis")
    for mesh in scene.meshes:
        _check_mesh(mesh, scene)
    for material in scene.materials:
        require_finite(material.base_color, "colour")
        index = material.texture_index
        require(index is None or 0 <= index < len(scene.textures), "texture index")
    for texture in scene.textures:
        require(texture.ndim == 3 and texture.shape[2] == 4 and texture.size, "texture shape")
        require(texture.dtype == np.uint8, "texture type")
    require_finite(scene.bounds_m, "bounds")


def _check_mesh(mesh: Mesh, scene: Scene) -> None:
    count = len(mesh.vertices)
    require(mesh.vertices.shape == (count, 3), "vertex shape")
    require(mesh.vertices.dtype == np.float32, "vertex type")
    require(mesh.faces.ndim == 2 and mesh.faces.shape[1] == 3, "face shape")
    require(len(mesh.faces) == 0 or mesh.faces.min() >= 0, "face index below 0")
    require(len(mesh.faces) == 0 or mesh.faces.max() < count, "face index beyond the vertices")
    require_finite(mesh.vertices, "vertex")
    if mesh.uvs is not None:
        require(mesh.uvs.shape == (count, 2), "uv shape")
        require_finite(mesh.uvs, "uv")
    index = mesh.material_index
    require(index is None or 0 <= index < len(scene.materials), "material index")


def check_graph(graph: NavigationGraph) -> None:
    """Edges name nodes; positions are finite."""
    for key, node in graph.nodes.items():
        require(isinstance(key, str) and key == node.node_id, "node id")
        require_finite(node.position_m, "node position")
    for edge in graph.edges.values():
        require(edge.from_id in graph.nodes and edge.to_id in graph.nodes, "edge of unknown node")


def check_viewpoints(graph: ViewpointGraph) -> None:
    """Distances are symmetric, not negative, and no shorter than the straight line."""
    count = len(graph.viewpoint_ids)
    require(graph.geodesics_m.shape == (count, count), "distance shape")
    require_finite(graph.positions_m, "viewpoint position")
    require(not np.isnan(graph.geodesics_m).any(), "distance is no number")
    require((graph.geodesics_m >= 0).all(), "distance below 0")


def check_episodes(episodes: Iterable[Episode]) -> None:
    """Ids are texts; positions and angles are numbers."""
    for episode in episodes:
        require(isinstance(episode.episode_id, str), "episode id")
        require(isinstance(episode.scene_id, str), "scene id")
        require(isinstance(episode.instruction.text, str), "instruction")
        _check_route(episode.reference)


def _check_route(route: Any) -> None:
    positions = getattr(route, "positions_m", None)
    if positions is None:
        return
    array = np.asarray(positions, dtype=np.float64)
    require(not np.isinf(array).any(), "infinite position of a route")
    yaws = getattr(route, "yaws_rad", None)
    if yaws is not None:
        require(not np.isinf(np.asarray(yaws, dtype=np.float64)).any(), "infinite heading")


def check_runs(runs: Iterable[EpisodeRun]) -> None:
    """Decisions lie within the route; what is stated is a number or nothing."""
    for run in runs:
        require(isinstance(run.episode_id, str), "episode id")
        _check_route(run.route)
        for decision in run.decisions:
            inside = 0 <= decision.first_pose <= decision.end_pose <= len(run.route)
            require(inside, "decision outside the route")
        for value in run.reported.values():
            require(value is None or isinstance(value, int | float), "reported score")
        if run.times_s is not None:
            require(len(run.times_s) == len(run.route), "times without poses")
            require(list(run.times_s) == sorted(run.times_s), "times that fall")


def check_recording(recording: Recording) -> None:
    """Columns are equally long."""
    samples = recording.trajectory
    count = len(samples)
    require(samples.positions_m.shape == (count, 3), "positions")
    require(len(samples.actions) == count, "actions")
    for mark in recording.marks:
        require(0 <= mark.row < count, "mark outside the rows")


def check_map(map_: OccupancyMap) -> None:
    """Cells are known kinds; the place is finite."""
    require(map_.cells.ndim == 2 and map_.cells.size, "cells")
    require(np.isin(map_.cells, list(Cell)).all(), "kind of cell")
    require_finite((*map_.origin_m, map_.origin_yaw_rad, map_.resolution_m), "place of the map")


def check_poses(pictures: Iterable[TourPicture]) -> None:
    """Cameras stand somewhere and look somewhere."""
    for picture in pictures:
        pose = picture.pose
        require_finite((*pose.position_m, pose.yaw_rad, pose.pitch_rad), "camera pose")

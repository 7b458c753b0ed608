"""Where a picture camera stands and looks: single poses, tours along a graph or a recording."""

from __future__ import annotations

import bisect
import csv
import hashlib
import heapq
import itertools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import quote

import numpy as np

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import Vec3, bearing_rad, distance_m, wrap_to_pi
from waypost.domain.record.recording import EYE_HEIGHT_M, Recording, usable_rows
from waypost.domain.record.trajectory import UNKNOWN_NS
from waypost.domain.scene.graph import NavigationGraph

TOUR_FPS: Final = 2.0
"""Pictures per second of CapNav's touring videos."""

TOUR_FOV_RAD: Final = math.radians(75.0)
"""Field of view of CapNav's touring videos; they do not say of which axis."""

VIEW_HEADINGS_RAD: Final = (0.0, math.pi / 2, math.pi, 3 * math.pi / 2)
"""R2R headings of four-view panoramas: north (+Y), east (+X), south, west."""

_MOST_PICTURES: Final = 1_000_000
_LONGEST_STEM: Final = 100


class FovAxis(StrEnum):
    """Which angle of a picture is given."""

    HORIZONTAL = "horizontal"
    VERTICAL = "vertical"


@dataclass(frozen=True, slots=True)
class PictureSize:
    """Columns and rows of a picture.

    Raises:
        InputError: If a side is not within 16 … 8192.
    """

    width_px: int
    height_px: int

    def __post_init__(self) -> None:
        if not (16 <= self.width_px <= 8192 and 16 <= self.height_px <= 8192):
            raise InputError(f"size {self}: each side has 16 to 8192 pixels")

    def __str__(self) -> str:
        return f"{self.width_px}x{self.height_px}"


@dataclass(frozen=True, slots=True)
class FieldOfView:
    """How much a perspective picture covers.

    Raises:
        InputError: If the angle is not within 5° … 170°.
    """

    angle_rad: float
    axis: FovAxis = FovAxis.HORIZONTAL

    def __post_init__(self) -> None:
        if not math.radians(5.0) <= self.angle_rad <= math.radians(170.0):
            degrees = math.degrees(self.angle_rad)
            raise InputError(f"field of view {degrees:g}°: it is between 5° and 170°")

    def horizontal_rad(self, size: PictureSize) -> float:
        """Angle between the left and the right edge of a picture of that size."""
        if self.axis is FovAxis.HORIZONTAL:
            return self.angle_rad
        return _across(self.angle_rad, size.width_px / size.height_px)

    def vertical_rad(self, size: PictureSize) -> float:
        """Angle between the upper and the lower edge of a picture of that size."""
        if self.axis is FovAxis.VERTICAL:
            return self.angle_rad
        return _across(self.angle_rad, size.height_px / size.width_px)


@dataclass(frozen=True, slots=True)
class CameraPose:
    """A camera with a level horizon."""

    position_m: Vec3
    """The eye, scene frame."""

    yaw_rad: float
    """Scene yaw of the gaze."""

    pitch_rad: float = 0.0
    """Above the horizon."""

    @property
    def quaternion(self) -> tuple[float, float, float, float]:
        """(w, x, y, z) of the camera's axes X ahead, Y left, Z up in the scene frame."""
        cos_yaw, sin_yaw = math.cos(self.yaw_rad / 2), math.sin(self.yaw_rad / 2)
        cos_pitch, sin_pitch = math.cos(self.pitch_rad / 2), math.sin(self.pitch_rad / 2)
        return (cos_yaw * cos_pitch, sin_yaw * sin_pitch, -cos_yaw * sin_pitch, sin_yaw * cos_pitch)


@dataclass(frozen=True, slots=True)
class TourPicture:
    """One picture of a tour."""

    index: int
    time_ns: int
    """Since the first picture."""

    pose: CameraPose


@dataclass(frozen=True, slots=True)
class TourSettings:
    """How a camera walks.

    Raises:
        InputError: If a value is out of range.
    """

    fps: float = TOUR_FPS
    """Pictures per second."""

    speed_mps: float = 1.0
    """Walking speed along a graph."""

    eye_height_m: float = EYE_HEIGHT_M
    """Above nodes, or above the floor points of a recording."""

    pitch_rad: float = 0.0
    """Gaze above the horizon, where the path does not say it."""

    turn_time_s: float = 1.0
    """How long turning at a corner takes, half before and half after it; 0 turns at once."""

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("pictures per second", self.fps, 0.01, 240.0),
            ("walking speed", self.speed_mps, 0.01, 100.0),
            ("eye height", self.eye_height_m, -100.0, 100.0),
            ("pitch", math.degrees(self.pitch_rad), -89.0, 89.0),
            ("turning time", self.turn_time_s, 0.0, 60.0),
        ):
            if not low <= value <= high:
                raise InputError(f"{name} {value:g}: it is between {low:g} and {high:g}")


def names_of(text: str) -> tuple[str, ...]:
    """The names in a list with commas; one that has a comma itself stands in double quotes."""
    try:
        parts = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error as error:
        raise InputError(f"names {text!r}: {error}") from error
    return tuple(part.strip() for part in parts if part.strip())


def find_node(graph: NavigationGraph, name: str) -> str:
    """The id of the node with this id or name; letter case of names counts only if it must.

    Raises:
        InputError: If there is none, or several have the name.
    """
    if name in graph.nodes:
        return name
    for same in (str.strip, lambda text: text.strip().casefold()):
        found = [i for i, node in graph.nodes.items() if same(node.name) == same(name)]
        if len(found) > 1:
            raise InputError(f"node {name!r}: {len(found)} nodes have this name; give its id")
        if found:
            return found[0]
    raise InputError(f"node {name!r}: the graph has no node of this id or name")


def route_through(graph: NavigationGraph, node_ids: Sequence[str]) -> tuple[str, ...]:
    """All nodes of the shortest ways along edges from each given node to the next.

    Raises:
        InputError: If two of them are not connected.
    """
    way = list(node_ids[:1])
    for start, end in itertools.pairwise(node_ids):
        way += _shortest(graph, start, end)[1:]
    return tuple(way)


def walk(points_m: Sequence[Vec3], settings: TourSettings) -> tuple[TourPicture, ...]:
    """Walk along floor points at a constant speed, looking ahead, turning on the way.

    The last picture stands at the last point. Headings are averaged over the turning time, so
    that a corner is turned evenly from half of it before to half of it after; a turn goes the
    shorter way round. Straight up or down the heading is kept.

    Raises:
        InputError: If the way has no length in plan, or would take too many pictures.
    """
    times_s, headings = [0.0], []
    corners = [points_m[0]] if points_m else []
    for point in points_m[1:]:
        length = distance_m(corners[-1], point)
        if length < 1e-9:
            continue
        is_level = math.hypot(point[0] - corners[-1][0], point[1] - corners[-1][1]) > 1e-6
        headings.append(bearing_rad(corners[-1], point) if is_level else math.nan)
        times_s.append(times_s[-1] + length / settings.speed_mps)
        corners.append(point)
    known = [heading for heading in headings if not math.isnan(heading)]
    if not known:
        raise InputError("a tour needs two nodes that do not stand above each other")
    turned = _unwrapped(headings, known[0])
    pictures = []
    for index, time_ns in enumerate(_grid_ns(round(times_s[-1] * 1e9), settings.fps)):
        time_s = min(time_ns / 1e9, times_s[-1])
        x, y, z = (float(np.interp(time_s, times_s, axis)) for axis in zip(*corners, strict=True))
        yaw = wrap_to_pi(_mean_around(time_s, settings.turn_time_s, times_s, turned))
        pose = CameraPose((x, y, z + settings.eye_height_m), yaw, settings.pitch_rad)
        pictures.append(TourPicture(index, time_ns, pose))
    return tuple(pictures)


def follow(recording: Recording, settings: TourSettings) -> tuple[TourPicture, ...]:
    """See a recording through its driver's eyes; nothing is interpolated.

    Each picture shows the latest usable sample at its time, the last one the last sample.

    Raises:
        InputError: If the recording has no samples, times or headings.
    """
    rows = usable_rows(recording)
    samples = recording.trajectory
    if not len(rows):
        raise InputError("the recording has no usable sample")
    times = samples.times_ns[rows]
    if (times == UNKNOWN_NS).any():
        raise InputError("the recording does not say when its samples were taken")
    if np.isnan(samples.yaws_rad[rows]).any():
        raise InputError("the recording does not say where its driver looked")
    times = times - times[0]
    pictures = []
    for index, time_ns in enumerate(_grid_ns(int(times[-1]), settings.fps)):
        row = rows[int(np.searchsorted(times, time_ns, side="right")) - 1]
        x, y, z = samples.positions_m[row].tolist()
        pitch = float(samples.camera_pitches_rad[row])
        pose = CameraPose(
            (x, y, z + settings.eye_height_m),
            float(samples.yaws_rad[row]),
            settings.pitch_rad if math.isnan(pitch) else pitch,
        )
        pictures.append(TourPicture(index, time_ns, pose))
    return tuple(pictures)


def seen_at(poses: Sequence[tuple[int, CameraPose]], fps: float) -> tuple[TourPicture, ...]:
    """Pictures at even times of poses that were seen at any; nothing is interpolated.

    Each picture shows the latest pose at its time, the last one the last pose.

    Args:
        poses: Time and pose, in the order of time.
        fps: Pictures per second.

    Raises:
        InputError: If there is no pose, or the pictures would be too many.
    """
    if not poses:
        raise InputError("no pose of the camera was seen")
    times = [time_ns - poses[0][0] for time_ns, _ in poses]
    return tuple(
        TourPicture(index, time_ns, poses[bisect.bisect_right(times, time_ns) - 1][1])
        for index, time_ns in enumerate(_grid_ns(times[-1], fps))
    )


def pose_towards(eye_m: Vec3, target_m: Vec3) -> CameraPose:
    """The pose at a place that has a point in the middle of the picture.

    Raises:
        InputError: If the point lies straight above or below, where no heading is defined.
    """
    level_m = math.hypot(target_m[0] - eye_m[0], target_m[1] - eye_m[1])
    if level_m < 1e-6:
        raise InputError("the point to look at lies straight above or below the camera")
    return CameraPose(
        eye_m, bearing_rad(eye_m, target_m), math.atan2(target_m[2] - eye_m[2], level_m)
    )


def picture_stems(node_ids: Iterable[str]) -> dict[str, str]:
    """A file name without ending for each node, safe on every system and always the same.

    The id itself where it is made of letters, digits, ``.``, ``_`` and ``-``; other characters
    as ``%XX``. Ids that are too long, or differ in letter case only, end in part of their hash.
    """
    ids = tuple(node_ids)
    folded = [node_id.casefold() for node_id in ids]
    stems = {}
    for node_id, same in zip(ids, folded, strict=True):
        stem = re.sub(
            r"^\.|\.$|~",
            lambda dot: f"%{ord(dot[0]):02X}",
            quote(node_id, safe="", errors="surrogatepass"),
        )
        if len(stem) > _LONGEST_STEM or not stem or folded.count(same) > 1:
            digest = hashlib.sha256(node_id.encode(errors="surrogatepass")).hexdigest()[:8]
            stem = f"{stem[:_LONGEST_STEM]}~{digest}"
        stems[node_id] = stem
    return stems


def _across(angle_rad: float, ratio: float) -> float:
    return 2.0 * math.atan(math.tan(angle_rad / 2.0) * ratio)


def _shortest(graph: NavigationGraph, start: str, end: str) -> list[str]:
    neighbours: dict[str, list[str]] = {node_id: [] for node_id in graph.nodes}
    for edge in graph.edges.values():
        neighbours[edge.from_id].append(edge.to_id)
        neighbours[edge.to_id].append(edge.from_id)
    before: dict[str, str] = {}
    open_ways: list[tuple[float, str, str]] = [(0.0, start, start)]
    while open_ways:
        length, here, origin = heapq.heappop(open_ways)
        if here in before:
            continue
        before[here] = origin
        if here == end:
            break
        for there in neighbours[here]:
            step = distance_m(graph.nodes[here].position_m, graph.nodes[there].position_m)
            heapq.heappush(open_ways, (length + step, there, here))
    if end not in before:
        names = (graph.nodes[start].name, graph.nodes[end].name)
        raise InputError(f"no edges lead from {names[0]!r} to {names[1]!r}")
    way = [end]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def _grid_ns(duration_ns: int, fps: float) -> list[int]:
    count = math.ceil(duration_ns / 1e9 * fps - 1e-6) + 1
    if count > _MOST_PICTURES:
        raise InputError(f"the tour would take {count} pictures, at most {_MOST_PICTURES}")
    return [round(index * 1e9 / fps) for index in range(count)]


def _unwrapped(headings: Sequence[float], first: float) -> list[float]:
    turned, latest = [], first
    for heading in headings:
        latest += 0.0 if math.isnan(heading) else wrap_to_pi(heading - latest)
        turned.append(latest)
    return turned


def _mean_around(
    time_s: float, width_s: float, times_s: Sequence[float], values: Sequence[float]
) -> float:
    """Mean of a piecewise constant value over a window; its first and last values go on."""
    if width_s <= 0.0:
        return values[min(int(np.searchsorted(times_s, time_s, side="right")), len(values)) - 1]
    low, high = time_s - width_s / 2, time_s + width_s / 2
    starts = [-math.inf, *times_s[1:-1]]
    ends = [*times_s[1:-1], math.inf]
    return sum(
        value * max(0.0, min(high, end) - max(low, start)) / width_s
        for value, start, end in zip(values, starts, ends, strict=True)
    )

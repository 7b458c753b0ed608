"""Pictures of viewpoints in a folder of the field, found by the names of scan and viewpoint."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

import numpy as np

from waypost.domain.base.errors import ReadError
from waypost.domain.replay.picture_lenses import FaceLens, Lens, PerspectiveLens, SphereLens
from waypost.domain.replay.replay import Replay
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.io.json_reading import read_json
from waypost.io.picture_sources.decoding import decode_picture
from waypost.io.picture_sources.layouts import TOKENS, Layout, pictures_in
from waypost.io.picture_sources.source import Pixels, SourcePicture, StepPictures

LENS_FILE: Final = "pictures.json"
"""States lenses beside pictures whose names do not: all keys optional, degrees."""

_SKYBOXES: Final = "matterport_skybox_images"


@dataclass(frozen=True, slots=True)
class StatedLenses:
    """What is known of the lenses beyond the names of the files."""

    fov_rad: float | None = None
    is_vertical: bool = False
    """Whether ``fov_rad`` is from top to bottom."""

    centre_heading_rad: float | None = None
    """R2R heading of the middle of whole spheres."""


class ViewpointPictures:
    """A folder in one of the layouts of viewpoints.

    Args:
        root: The folder.
        layout: Its layout.
        stated: Lenses; those of ``LENS_FILE`` in the folder without.

    Raises:
        ReadError: If ``LENS_FILE`` is there and cannot be used.
    """

    is_single = False

    def __init__(self, root: Path, layout: Layout, stated: StatedLenses | None = None) -> None:
        self._root = root
        self._layout = layout
        self._lenses = stated or read_stated_lenses(root)
        self._names = functools.lru_cache(maxsize=64)(pictures_in)
        self.title = str(layout.value)
        self.conventions = _conventions(layout, self._lenses)

    def place(self, replay: Replay, step: int) -> str:
        """Scan and viewpoint; turns in place share their pictures."""
        if not replay.viewpoint_ids:
            return ""
        return f"{_scan(replay)}/{replay.viewpoint_ids[step]}"

    def pictures_at(self, replay: Replay, step: int) -> StepPictures:
        """The pictures of the viewpoint of a step."""
        if not replay.viewpoint_ids:
            return StepPictures((), reason="the run has no viewpoints, which pictures are named by")
        viewpoint = replay.viewpoint_ids[step]
        for folder, prefix in self._homes(_scan(replay), viewpoint):
            names = self._names(folder)
            found = [
                next((names[prefix + end] for end in ends if prefix + end in names), None)
                for ends in _endings(self._layout, prefix)
            ]
            if any(found):
                files = [folder / name if name else None for name in found]
                return self._around(files, replay.graph, viewpoint)
        return StepPictures((), reason=f"{self._root} has no picture of viewpoint {viewpoint}")

    def close(self) -> None:
        """Forget what the folders hold."""
        self._names.cache_clear()

    def _homes(self, scan: str, viewpoint: str) -> Iterator[tuple[Path, str]]:
        """Where the pictures of a viewpoint may lie, and what their names begin with."""
        if not _is_plain(viewpoint):
            return
        folders = [self._root]
        if _is_plain(scan):
            in_scan = self._root / scan
            yield in_scan / viewpoint, ""
            folders = [
                in_scan,
                in_scan / _SKYBOXES,
                in_scan / scan / _SKYBOXES,
                self._root / "v1" / "scans" / scan / _SKYBOXES,
                self._root,
            ]
        yield self._root / viewpoint, ""
        for folder in (*folders, self._root / _SKYBOXES):
            yield folder, viewpoint
            if scan:
                yield folder, f"{scan}_{viewpoint}"

    def _around(
        self, files: list[Path | None], graph: ViewpointGraph | None, viewpoint: str
    ) -> StepPictures:
        numbered = [(number, path) for number, path in enumerate(files) if path is not None]
        if self._layout in {Layout.FACES, Layout.STRIP}:
            rotation = camera_rotation(graph, viewpoint)
            if rotation is None:
                return StepPictures(
                    (), reason="skybox faces need the pose in the scan's connectivity file"
                )
            if self._layout is Layout.STRIP:
                return StepPictures(_strip_faces(numbered[0][1], rotation))
            return StepPictures(
                tuple(_file(path, FaceLens(face, rotation)) for face, path in numbered)
            )
        if self._layout is Layout.SPHERE:
            lens = SphereLens(self._lenses.centre_heading_rad or 0.0)
            picture = _file(numbered[0][1], lens)
            return StepPictures((picture,), sphere=picture)
        return StepPictures(
            tuple(_file(path, self._perspective(number)) for number, path in numbered)
        )

    def _perspective(self, number: int) -> PerspectiveLens:
        stated = self._lenses
        if self._layout is Layout.VIEWS_36:
            row, column = divmod(number, 12)
            heading, elevation = math.radians(column * 30), math.radians(row * 30 - 30)
            fov, is_vertical = math.radians(60), True
        else:
            heading, elevation = number * math.pi / 2, 0.0
            fov, is_vertical = math.pi / 2, False
        if stated.fov_rad is not None:
            fov, is_vertical = stated.fov_rad, stated.is_vertical
        return PerspectiveLens(heading, elevation, fov, is_vertical)


def read_stated_lenses(folder: Path) -> StatedLenses:
    """What ``LENS_FILE`` of a folder states; nothing without the file.

    Raises:
        ReadError: If the file cannot be used.
    """
    path = folder / LENS_FILE
    if not path.is_file():
        return StatedLenses()
    root = read_json(path).root
    known = {"horizontal_fov_deg", "vertical_fov_deg", "centre_heading_deg"}
    for key in root.as_object():
        if key not in known:
            raise root.error(f"has the unknown key {key!r}; known are {', '.join(sorted(known))}")
    numbers = {key: entry.as_number() for key, entry in root.entries()}
    fovs = [key for key in numbers if key.endswith("fov_deg")]
    if len(fovs) > 1:
        raise root.error("states two fields of view")
    if any(not 1 <= numbers[key] <= 175 for key in fovs):
        raise root.error("states a field of view outside 1° to 175°")
    centre = numbers.get("centre_heading_deg")
    return StatedLenses(
        math.radians(numbers[fovs[0]]) if fovs else None,
        fovs == ["vertical_fov_deg"],
        None if centre is None else math.radians(centre),
    )


def camera_rotation(graph: ViewpointGraph | None, viewpoint: str) -> tuple[float, ...] | None:
    """Nine numbers of a pose's rotation in the connectivity file; ``None`` where there is none."""
    place = None if graph is None else graph.index.get(viewpoint)
    if graph is None or place is None or not graph.records:
        return None
    pose = graph.records[place].get("pose")
    if not isinstance(pose, list | tuple) or len(pose) != 16:
        return None
    rotation = np.array(pose, dtype=np.float64).reshape(4, 4)[:3, :3]
    if not np.allclose(rotation.T @ rotation, np.eye(3), atol=1e-3):
        return None
    return tuple(rotation.ravel().tolist())


def _conventions(layout: Layout, stated: StatedLenses) -> str:
    if layout in {Layout.FACES, Layout.STRIP}:
        return "six faces around the pose of the connectivity file, as MatterSim draws them"
    if layout is Layout.SPHERE:
        centre = stated.centre_heading_rad
        known = "as stated" if centre is not None else "which no file states"
        return f"middle column at R2R heading {math.degrees(centre or 0.0):g}°, {known}"
    headings = {
        Layout.DEGREES: "headings 0°, 90°, 180°, 270° in the R2R frame by name",
        Layout.SIDES: "front, right, back, left read as R2R headings 0°, 90°, 180°, 270°",
        Layout.QUARTERS: "numbers 0 to 3 read as R2R headings 0°, 90°, 180°, 270°",
        Layout.VIEWS_36: "36 views as MatterSim numbers them",
    }[layout]
    if stated.fov_rad is not None:
        axis = "vertical" if stated.is_vertical else "horizontal"
        return f"{headings}; {axis} field of view {math.degrees(stated.fov_rad):g}° as stated"
    assumed = "60° vertical" if layout is Layout.VIEWS_36 else "90° horizontal"
    return f"{headings}; field of view taken as {assumed}, which no file states"


def _scan(replay: Replay) -> str:
    return replay.episode.scene_id or replay.run.scene_id


def _endings(layout: Layout, prefix: str) -> list[tuple[str, ...]]:
    """Alternatives of each picture's name after the prefix."""
    joined = []
    for ends in TOKENS[layout]:
        glued = [f"{glue}{end}" for end in ends if end for glue in ("_", "-")]
        joined.append(tuple(glued if prefix else [end for end in ends if end]))
    if layout is Layout.SPHERE and prefix:
        return [("", *joined[0])]
    return joined


def _is_plain(name: str) -> bool:
    """Whether a name of a run is safe as the name of a file in the folder."""
    return (
        bool(name)
        and name not in {".", ".."}
        and PurePath(name).name == name
        and ("\\" not in name and "\0" not in name)
    )


def _file(path: Path, lens: Lens) -> SourcePicture:
    return SourcePicture(path.name, lens, functools.partial(decode_picture, path))


def _strip_faces(path: Path, rotation: tuple[float, ...]) -> tuple[SourcePicture, ...]:
    """The six faces that lie side by side in one picture, which is decoded once for all."""

    @functools.lru_cache(maxsize=1)
    def whole(wished_px: int) -> Pixels:
        picture = decode_picture(path, wished_px * 6)
        if picture.shape[1] < 6:
            raise ReadError(str(path), "file", "is no row of six faces")
        return picture

    def face(number: int) -> Callable[[int], Pixels]:
        def read(wished_px: int) -> Pixels:
            picture = whole(wished_px)
            edge = picture.shape[1] // 6
            return np.ascontiguousarray(picture[:, number * edge : (number + 1) * edge])

        return read

    return tuple(
        SourcePicture(f"{path.name}, face {number}", FaceLens(number, rotation), face(number))
        for number in range(6)
    )

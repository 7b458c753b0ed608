"""Pictures that ``waypost panoramas`` took, with the headings and lenses of their manifest."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from waypost.domain.replay.picture_lenses import PerspectiveLens, SphereLens
from waypost.domain.replay.replay import Replay
from waypost.io.camera_takes.manifest import MANIFEST
from waypost.io.json_reading import JsonValue, read_json
from waypost.io.picture_sources.decoding import decode_picture
from waypost.io.picture_sources.source import SourcePicture, StepPictures

_NEWEST_VERSION: Final = 1
_NARROWEST_RAD, _WIDEST_RAD = math.radians(1), math.radians(175)


@dataclass(frozen=True, slots=True)
class _NodePictures:
    views: tuple[SourcePicture, ...]
    sphere: SourcePicture | None


class PanoramaFolder:
    """A folder with a manifest.

    Args:
        root: The folder.

    Raises:
        ReadError: If the manifest cannot be used.
    """

    title = "panoramas of Waypost"
    conventions = "R2R headings and fields of view as the manifest states them"
    is_single = False

    def __init__(self, root: Path) -> None:
        self._root = root
        document = read_json(root / MANIFEST).root
        if document.text_of("schema") != "waypost-panoramas":
            raise document.error("is not a manifest of waypost panoramas")
        version = document.field("schema_version")
        if version.as_number() > _NEWEST_VERSION:
            raise version.error(f"is newer than {_NEWEST_VERSION}, which this Waypost reads")
        self.scene = document.text_of("scene")
        self._nodes = {
            node.field("node_id").as_text(): self._pictures(node)
            for node in document.field("nodes").items()
        }

    def place(self, replay: Replay, step: int) -> str:
        """The viewpoint, which is a node of the graph."""
        return replay.viewpoint_ids[step] if replay.viewpoint_ids else ""

    def pictures_at(self, replay: Replay, step: int) -> StepPictures:
        """The pictures at the node of a step."""
        if not replay.viewpoint_ids:
            return StepPictures((), reason="the run has no viewpoints, which pictures are named by")
        node_id = replay.viewpoint_ids[step]
        found = self._nodes.get(node_id)
        if found is None or not (found.views or found.sphere):
            return StepPictures((), reason=f"{self._root} has no picture of node {node_id}")
        views = found.views or ((found.sphere,) if found.sphere else ())
        return StepPictures(views, sphere=found.sphere)

    def close(self) -> None:
        """Nothing is held open."""

    def _pictures(self, node: JsonValue) -> _NodePictures:
        views: list[SourcePicture] = []
        sphere = None
        for entry in node.field("pictures").items():
            kind = entry.field("kind").as_text()
            if kind == "view":
                fov = entry.field("horizontal_fov_rad")
                if not _NARROWEST_RAD <= fov.as_number() <= _WIDEST_RAD:
                    raise fov.error("is outside 1° to 175°")
                lens = PerspectiveLens(
                    entry.field("r2r_heading_rad").as_number(),
                    entry.field("pitch_rad").as_number(),
                    fov.as_number(),
                )
                views.append(self._file(entry, lens))
            elif kind == "equirectangular":
                centre = entry.field("centre_r2r_heading_rad").as_number()
                sphere = self._file(entry, SphereLens(centre))
        return _NodePictures(tuple(views), sphere)

    def _file(self, entry: JsonValue, lens: PerspectiveLens | SphereLens) -> SourcePicture:
        name = entry.field("file").as_text()
        if not name or PurePath(name).name != name or "\\" in name:
            raise entry.field("file").error(f"{name!r} is no file of the same folder")
        return SourcePicture(name, lens, functools.partial(decode_picture, self._root / name))

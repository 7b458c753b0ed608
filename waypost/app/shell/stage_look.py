"""How the stage is looked at, as a value: to look so again after something else had the stage."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from waypost.app.shell.stage import Stage
from waypost.viewers.scene.camera import Camera, FlyCamera, OrbitCamera, TopCamera

_CAMERAS: Final[Mapping[str, type[OrbitCamera | FlyCamera | TopCamera]]] = {
    "orbit": OrbitCamera,
    "fly": FlyCamera,
    "top": TopCamera,
}
"""Those that belong to nobody who is driven."""


@dataclass(frozen=True, slots=True)
class StageLook:
    """A camera with its mode, and the cut."""

    camera: Camera
    mode: str
    cut_z_m: float | None

    def values(self) -> dict[str, Any] | None:
        """The same as JSON holds it; ``None`` for a camera that follows somebody."""
        camera = self.camera
        if not isinstance(camera, OrbitCamera | FlyCamera | TopCamera):
            return None
        return {"mode": self.mode, "cut_z_m": self.cut_z_m, "camera": dataclasses.asdict(camera)}


def look_of(stage: Stage) -> StageLook:
    """How a stage is looked at now."""
    return StageLook(stage.view.camera, str(stage.view.camera_mode), stage.view.cut_z)


def look_again(stage: Stage, look: StageLook) -> None:
    """Look at a stage as before."""
    stage.set_camera_mode(look.mode)
    stage.view.set_camera(look.camera, look.mode)
    stage.set_cut(look.cut_z_m)


def look_from(values: object) -> StageLook | None:
    """What ``values`` gave; ``None`` for anything else, such as a look of another version."""
    if not isinstance(values, Mapping):
        return None
    mode, cut_z_m, given = (values.get(key) for key in ("mode", "cut_z_m", "camera"))
    kind = _CAMERAS.get(mode) if isinstance(mode, str) else None
    if kind is None or not isinstance(given, Mapping) or not _is_number(cut_z_m, may_lack=True):
        return None
    fields = {field.name: given.get(field.name) for field in dataclasses.fields(kind)}
    read: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, list) and len(value) == 3 and all(map(_is_number, value)):
            read[name] = tuple(float(part) for part in value)
        elif _is_number(value):
            read[name] = value
        else:
            return None
    return StageLook(kind(**read), str(mode), cut_z_m)


def _is_number(value: object, *, may_lack: bool = False) -> bool:
    if value is None:
        return may_lack
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value)

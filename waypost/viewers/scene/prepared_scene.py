"""What viewers need of a scene and what takes long to make, made beside the window."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from waypost.domain.base.progress import Progress
from waypost.domain.scene.scene import Scene
from waypost.viewers.scene.floor_plan import FloorPlan, floor_plan_of
from waypost.viewers.scene.mesh_batches import PackedScene, pack_steps


@dataclass(frozen=True, eq=False, slots=True)
class PreparedScene:
    """A scene as the 3D view and the mini-map take it."""

    packed: PackedScene
    plans: tuple[tuple[float, FloorPlan], ...]
    """Floor height (metres, scene frame) and plan of each storey, lowest first."""

    def storey_at(self, height_m: float) -> tuple[float, FloorPlan] | None:
        """Floor and plan of the storey at a height; of the lowest one below all of them.

        Returns:
            ``None`` for a scene without triangles.
        """
        below = [storey for storey in self.plans if storey[0] <= height_m]
        return below[-1] if below else next(iter(self.plans), None)


def prepare_scene(scene: Scene) -> Generator[Progress, None, PreparedScene]:
    """Pack a scene for the card and draw the plans of its storeys.

    Pure arithmetic: may run on any thread.

    Yields:
        Progress, most of it for the packing.

    Returns:
        Both.
    """
    packed = yield from pack_steps(scene)
    if not scene.triangle_count:
        return PreparedScene(packed, ())
    floors = sorted(s.floor_z_m for s in scene.storeys) or [scene.bounds_m[0][2]]
    plans: list[tuple[float, FloorPlan]] = []
    for floor_z_m in floors:
        yield Progress(len(plans), len(floors), "Drawing the plans of the storeys")
        plans.append((floor_z_m, floor_plan_of(scene, floor_z_m)))
    return PreparedScene(packed, tuple(plans))

"""Compares a scene with the one of a project, before the project is pointed at it."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import WaypostError
from waypost.domain.base.progress import Progress
from waypost.domain.project import Project
from waypost.domain.scene.comparison import scene_differences
from waypost.domain.scene.graph import Node
from waypost.services.frame_fitting import floor_below
from waypost.services.open_project import LoadedProject
from waypost.services.open_scene import OpenedScene, open_scene_job
from waypost.services.scene_assets import AssetKeywords

_OFF_FLOOR_M: Final = 0.3
"""A node further above the floor, or without one, stood elsewhere."""


@dataclass(frozen=True, slots=True)
class HouseComparison:
    """What is to be said before a project is pointed at another file."""

    differences: tuple[str, ...]
    """A sentence each; none if nothing differs that was compared."""

    unread: str = ""
    """Why the scene of the project could not be compared; empty if it was."""

    stale_labels: int = 0
    """Labels that were given on other triangles, and would be stale."""

    @property
    def is_same(self) -> bool:
        """Whether everything was compared and nothing differs."""
        return not self.differences and not self.unread


def compare_houses_job(
    loaded: LoadedProject, opened: OpenedScene, assets: AssetKeywords
) -> Generator[Progress, None, HouseComparison]:
    """Read the scene of a project, and compare sizes, place, storeys and floors under nodes.

    Args:
        loaded: The project, whose scene is read with its corrections.
        opened: The scene that is to take its place.
        assets: How the scene of the project is opened.

    Yields:
        Progress from 0 to 1.
    """
    project = loaded.project
    differences: tuple[str, ...] = ()
    unread = ""
    if not project.scene_path:
        unread = "the project has no scene to compare with"
    else:
        path = loaded.store.root / project.scene_path
        try:
            before = yield from _reading(path, project, assets)
        except WaypostError as error:
            unread = f"the scene of the project could not be compared: {error}"
        else:
            differences = scene_differences(before.scene, opened.scene)
    content_hash = opened.scene.content_hash
    stale = sum(
        label.provenance.scene_hash not in ("", content_hash) for label in project.labels.values()
    )
    return HouseComparison((*differences, *_lost_floors(project, opened)), unread, stale)


def _reading(
    path: Path, project: Project, assets: AssetKeywords
) -> Generator[Progress, None, OpenedScene]:
    yield Progress(0.0, 1.0, f"Comparing with {path.name}")
    return (
        yield from open_scene_job(
            path,
            up_axis=project.scene_up_axis,
            metres_per_unit=project.scene_metres_per_unit,
            **assets,
        )
    )


def _lost_floors(project: Project, opened: OpenedScene) -> tuple[str, ...]:
    lost = tuple(_without_floor(project.graph.nodes.values(), opened))
    if not lost:
        return ()
    of_all = counted(len(project.graph.nodes), "node")
    more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
    return (f"{len(lost)} of {of_all} would have no floor below ({lost[0]}{more})",)


def _without_floor(nodes: Iterable[Node], opened: OpenedScene) -> Iterable[str]:
    ask = floor_below(opened.rays)
    for node in nodes:
        floor_z = ask(node.position_m)
        if floor_z is None or node.position_m[2] - floor_z > _OFF_FLOOR_M:
            yield node.name

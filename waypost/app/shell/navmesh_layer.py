"""The navmesh of the agent at hand over the floor, where graphs are drawn and judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QObject

from waypost.annotators import palette
from waypost.app.shell.stage import Stage
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.progress import Progress, Work
from waypost.domain.project import Project
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.geometry.navmesh.navmesh import make_navmesh
from waypost.geometry.navmesh.recast import MISSING, is_installed
from waypost.geometry.navmesh.settings import NavmeshSettings
from waypost.geometry.navmesh.tiles import Polygons
from waypost.services.agent_marks import agent_names
from waypost.services.jobs import Job, JobRunner
from waypost.viewers.scene.drawing import NOTHING, Drawing, SolidMesh

NAVMESH_SCOPES: Final = frozenset({"graph", "traverse"})
"""Workspaces that show it."""

_LAYER: Final = "navmesh"
_LIFT_M: Final = 0.015
"""Above the floor, so that the two do not flicker."""


class _Made(NamedTuple):
    """What is there, and what of."""

    scene: Scene
    agent: AgentProfile
    polygons: Polygons


class NavmeshLayer(QObject):
    """Shows and hides it; made anew when agent or scene change.

    Args:
        bench: Has scene and agent.
        jobs: Makes it.
        stage: Where it is drawn, up to the cut.
        say: Tells people a sentence.
        parent: Qt owner.
    """

    def __init__(
        self,
        bench: Workbench,
        jobs: JobRunner,
        stage: Stage,
        say: Callable[[str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bench, self._jobs, self._stage, self._say = bench, jobs, stage, say
        self._is_wanted, self._is_away = False, False
        self._job: Job | None = None
        self._made: _Made | None = None
        self.drawing = NOTHING
        """What of it is on the stage."""

        stage.slider.cut_changed.connect(self._draw)
        bench.scene_replaced.connect(self._refresh)
        bench.agent_chosen.connect(self._refresh)
        bench.project_changed.connect(self._on_changed)

    @property
    def is_shown(self) -> bool:
        """Whether it is wanted, and there."""
        return self._is_wanted and self._made is not None and not self._is_away

    def toggle(self) -> None:
        """Show it, or take it away."""
        if not self._is_wanted and not is_installed():
            self._say(f"{MISSING}.")
            return
        self._is_wanted = not self._is_wanted
        self._refresh()

    def set_away(self, *, is_away: bool) -> None:
        """Keep it off the stage while something else is done there."""
        if is_away != self._is_away:
            self._is_away = is_away
            self._refresh()

    def _on_changed(self, old: Project, new: Project) -> None:
        if old.agents is not new.agents:
            self._refresh()

    def _refresh(self) -> None:
        scene, agent = self._bench.scene, self._bench.agent
        made = self._made
        if self._is_wanted and made and made.scene is scene and made.agent == agent:
            self._draw()
            return
        self._drop()
        if not self._is_wanted or self._is_away or scene is None or agent is None:
            return
        name = agent_names(self._bench.project.agents)[agent.key]
        title = f"Making the navmesh of {name}"
        job = self._job = self._jobs.start(title, _polygons(scene, agent, title))
        job.succeeded.connect(lambda found: self._on_made(job, _Made(scene, agent, found)))
        job.failed.connect(lambda error: self._on_failed(job, error))

    def _drop(self) -> None:
        if self._job is not None:
            self._job.cancel()
        self._job = self._made = None
        self._draw()

    def _draw(self, *_: object) -> None:
        made, cut = None if self._is_away else self._made, self._stage.view.cut_z
        self.drawing = NOTHING if made is None else navmesh_drawing(made.polygons, cut)
        self._stage.view.set_drawing(_LAYER, self.drawing)

    def _on_made(self, job: Job, made: _Made) -> None:
        if job is not self._job:
            return
        self._job, self._made = None, made
        self._draw()
        found, agents = made.polygons, self._bench.project.agents
        name = agent_names(agents).get(made.agent.key, made.agent.name)
        self._say(
            f"{name} as a disc of its smaller side can stand on {found.area_m2:.1f} m²"
            f" ({found.count} polygons)."
        )

    def _on_failed(self, job: Job, error: Exception) -> None:
        if job is self._job:
            self._job, self._is_wanted = None, False
            self._say(f"There is no navmesh: {error}.")


def navmesh_drawing(polygons: Polygons, cut_z_m: float | None) -> Drawing:
    """The polygons below a cut as an area a little above the floor."""
    triangles = polygons.triangles_m
    if cut_z_m is not None:
        triangles = triangles[triangles[:, :, 2].max(axis=1) < cut_z_m]
    corners = triangles.reshape(-1, 3) + np.array([0.0, 0.0, _LIFT_M])
    faces = np.arange(len(corners), dtype=np.int32).reshape(-1, 3)
    area = SolidMesh(corners, faces, palette.NAVMESH, is_shaded=False)
    return Drawing(meshes=(area,))


def _polygons(scene: Scene, agent: AgentProfile, title: str) -> Work[Polygons]:
    yield Progress(0, 0, title)
    return make_navmesh(scene, NavmeshSettings.of_agent(agent)).polygons

"""Which missing geometry of the scene on the stage a person allowed agents to be driven without."""

from __future__ import annotations

from pathlib import Path

from waypost.app.shell.workbench import Workbench
from waypost.domain.scene.gaps import geometry_gaps
from waypost.services.relative_path import relative_path


def shown_scene_path(bench: Workbench) -> str:
    """The scene on the stage as the project states paths; empty without one."""
    if bench.scene is None or bench.document is None:
        return ""
    if bench.is_own_scene:
        return bench.project.scene_path
    return relative_path(bench.document.store.root, Path(bench.scene.path))


def gaps_in_force(bench: Workbench) -> tuple[str, ...]:
    """What is missing in the scene on the stage, and may be driven without."""
    if bench.scene is None:
        return ()
    allowed = bench.project.allowed_gaps.get(shown_scene_path(bench), ())
    return tuple(gap for gap in geometry_gaps(bench.scene) if gap in allowed) if allowed else ()

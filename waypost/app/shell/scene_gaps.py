"""Which missing geometry of the scene on the stage a person allowed agents to be driven without."""

from __future__ import annotations

import os
from pathlib import Path

from waypost.app.shell.workbench import Workbench
from waypost.domain.scene.gaps import geometry_gaps


def shown_scene_path(bench: Workbench) -> str:
    """The scene on the stage as the project states paths; empty without one."""
    if bench.scene is None or bench.document is None:
        return ""
    if bench.is_own_scene:
        return bench.project.scene_path
    path = Path(bench.scene.path).absolute()
    try:
        return Path(os.path.relpath(path, bench.document.store.root)).as_posix()
    except ValueError:
        return path.as_posix()


def gaps_in_force(bench: Workbench) -> tuple[str, ...]:
    """What is missing in the scene on the stage, and may be driven without."""
    if bench.scene is None:
        return ()
    allowed = bench.project.allowed_gaps.get(shown_scene_path(bench), ())
    return tuple(gap for gap in geometry_gaps(bench.scene) if gap in allowed)

"""Has the physics engine ready with the open scene, whichever workspace needs it first."""

from __future__ import annotations

from waypost.app.shell.workbench import Workbench
from waypost.domain.scene.scene import Scene
from waypost.services.engine.driven_engine import DrivenEngine


class SceneEngine:
    """Gives each scene to the engine once; the engine starts with its first scene.

    Args:
        bench: What is open.
        engine: The physics engine.
    """

    def __init__(self, bench: Workbench, engine: DrivenEngine) -> None:
        self._bench, self._engine = bench, engine
        self._prepared: Scene | None = None

    def prepare(self) -> None:
        """Have the engine load the open scene."""
        scene = self._bench.scene
        if scene is self._prepared:
            return
        self._prepared = scene
        if scene:
            self._engine.start_engine()
            self._engine.load_scene(scene)

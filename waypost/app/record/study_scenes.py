"""Shows the scene of whatever episode comes next, and the project's own afterwards."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from waypost.app.record.study_desk import StudyDesk
from waypost.app.shell.bench_scenes import SceneWish, named_scene_reading
from waypost.app.shell.workbench import Workbench
from waypost.services.jobs import Job
from waypost.services.settings import Settings
from waypost.services.study.making import stated_path


class StudyScenes(QObject):
    """The scenes of a study in the window.

    Args:
        bench: What is open.
        desk: Names the episodes and where scenes are.
        parent: Qt owner.
    """

    shown = Signal()
    """The scene that was asked for is on the stage."""

    failed = Signal(str)
    """One sentence: why it is not."""

    progressed = Signal(object)
    """The `Progress` of its opening."""

    def __init__(self, bench: Workbench, desk: StudyDesk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench, self._desk = bench, desk
        self._other = ""
        self._opening: Job | None = None
        self._answers = bench.settings.outside_assets
        bench.document_replaced.connect(self._forget)
        bench.settings_changed.connect(self._on_settings)

    def is_shown(self, scene_id: str) -> bool:
        """Whether the scene of these episodes is on the stage."""
        if self._bench.scene is None:
            return False
        return self._is_own(scene_id) if self._bench.is_own_scene else self._other == scene_id

    def open(self, scene_id: str) -> None:
        """Bring the scene of an episode to the stage; `shown` or `failed` tells when."""
        self._stop()
        if self._is_own(scene_id):
            self._bench.show_own_scene()
            if self._bench.scene is not None:
                self.shown.emit()
            else:
                self.failed.emit(self._lacking(scene_id))
            return
        rules = self._desk.study.rules
        if rules is None or not rules.scenes_path:
            self.failed.emit(self._lacking(scene_id))
            return
        place = stated_path(self._desk.root, rules.scenes_path)
        own = self._bench.own_scene_path, SceneWish.of(self._bench.project)
        work = named_scene_reading(place, scene_id, self._bench.settings, own)
        job = self._bench.show_other_scene(f"Opening the scene {scene_id}", work)
        self._opening = job
        job.progressed.connect(self.progressed)
        job.succeeded.connect(lambda _: self._on_opened(job, scene_id))
        job.failed.connect(lambda error: self._on_failed(job, str(error)))
        job.cancelled.connect(
            lambda: self._on_failed(job, f"Opening the scene {scene_id} was cancelled.")
        )

    def restore(self) -> None:
        """Show the project's own scene again."""
        self._stop()
        if not self._bench.is_own_scene:
            self._other = ""
            self._bench.show_own_scene()

    def _is_own(self, scene_id: str) -> bool:
        """Whether the project's own scene is meant: by its name, or because there is one only."""
        study = self._desk.study
        is_only = len({key.scene_id for key in study.episodes}) == 1
        has_others = study.rules is not None and bool(study.rules.scenes_path)
        return scene_id in self._bench.scene_ids or (is_only and not has_others)

    def _lacking(self, scene_id: str) -> str:
        own = Path(self._bench.project.scene_path).name
        if self._bench.scene is None:
            return f"The episode is in the scene {scene_id}, and no scene is open."
        return (
            f"The episode is in the scene {scene_id}, but {own} is open and the study names no"
            " folder of scenes."
        )

    def _on_opened(self, job: Job, scene_id: str) -> None:
        if job is self._opening:
            self._opening, self._other = None, scene_id
            self.shown.emit()

    def _on_failed(self, job: Job, sentence: str) -> None:
        if job is self._opening:
            self._opening = None
            self.failed.emit(sentence)

    def _stop(self) -> None:
        job, self._opening = self._opening, None
        if job is not None:
            job.cancel()

    def _on_settings(self, settings: Settings) -> None:
        """Read the shown scene once more where a person has answered which files it may read."""
        is_answered, self._answers = (
            settings.outside_assets != self._answers,
            settings.outside_assets,
        )
        if is_answered and self._other and not self._bench.is_own_scene:
            self.open(self._other)

    def _forget(self) -> None:
        self._stop()
        self._other = ""

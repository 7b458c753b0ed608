"""An exercise under way: on a copy of the sample of its own, so that nothing real is labelled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from waypost.app.shell.bench_scenes import SceneWish
from waypost.app.shell.exercise import Exercise, ExerciseStep
from waypost.app.shell.project_address import place_name, project_place
from waypost.app.shell.project_opening import Opened, project_work
from waypost.app.shell.stage import Stage
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.progress import Progress, Work
from waypost.domain.project import Project
from waypost.services.jobs import Job

if TYPE_CHECKING:
    from waypost.services.open_scene import OpenedScene

_FILE: Final = "exercise.waypost"


class ExerciseRun(QObject):
    """Puts the open project aside, watches what is done on the copy, and brings the project back.

    Args:
        bench: Opens the copy.
        stage: Tells how the scene is looked at.
        parent: Qt owner.
    """

    moved = Signal()
    """Another step has come, or all are done; see ``index``."""

    ended = Signal()
    """The copy is gone, or something else was opened."""

    def __init__(self, bench: Workbench, stage: Stage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._exercise: Exercise | None = None
        self._folder: TemporaryDirectory[str] | None = None
        self._making: Job | None = None
        """Makes the copy, and opens it."""

        self._own = ""
        self._kept: _KeptScene | None = None
        self._recent: tuple[str, ...] = ()
        self._then = Project()
        self.index = -1
        """The step at hand; their number once all are done; -1 before the first."""

        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._look)
        bench.document_replaced.connect(self._on_document)
        bench.scene_replaced.connect(self._on_scene)
        bench.project_changed.connect(self._look_soon)
        stage.view.camera_changed.connect(self._look_soon)

    @property
    def exercise(self) -> Exercise | None:
        """What is done; ``None`` while there is none."""
        return self._exercise

    @property
    def step(self) -> ExerciseStep | None:
        """What is to be done now; ``None`` before the copy is there and once all is done."""
        steps = self._exercise.steps if self._exercise else ()
        return steps[self.index] if 0 <= self.index < len(steps) else None

    def begin(self, exercise: Exercise) -> None:
        """Make the copy and open it; the first step comes with its scene."""
        document = self._bench.document
        if self._exercise is not None or document is None:
            return
        self._own, self._recent = str(document.store.location), self._bench.settings.recent_projects
        self._kept = _kept_scene(self._bench)
        self._exercise, self.index = exercise, -1
        self._folder = TemporaryDirectory(prefix="waypost-exercise-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        job = self._making = self._bench.open_project(folder / _FILE, lambda: _making_copy(folder))
        job.failed.connect(lambda _: self._finish())
        job.cancelled.connect(self._finish)

    def end(self) -> None:
        """Go back to the project that was open before; what was done on the copy goes with it."""
        if self._exercise is None:
            return
        self.index = len(self._exercise.steps)
        if self._is_open():
            # The copy stays until the project is there.
            place, kept = project_place(self._own), self._kept
            steps, viewer = self._bench.steps_folder, self._bench.annotator
            self._bench.open_by(place_name(place), lambda: _reopening(place, kept, steps, viewer))
        elif self._making is not None and not self._making.state.is_final:
            # The copy is taken away once nothing more is written into it.
            self._making.cancel()
        else:
            self._finish()

    def close(self) -> None:
        """Take the copy away, if there is one; nothing of it is open any more."""
        making, self._making = self._making, None
        if making is not None and not making.state.is_final:
            making.cancel()
            making.wait()
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()

    def _is_open(self) -> bool:
        document, folder = self._bench.document, self._folder
        return (
            document is not None
            and folder is not None
            and Path(document.store.root).resolve() == Path(folder.name).resolve()
        )

    def _on_document(self) -> None:
        if self._exercise is None:
            return
        if self._is_open():
            settings = self._bench.settings
            self._bench.change_settings(replace(settings, recent_projects=self._recent))
            self._on_scene()
        else:
            self._finish()

    def _on_scene(self) -> None:
        if self._is_open() and self._bench.scene is not None and self.index < 0:
            self.index = 0
            # After everybody has heard of the scene.
            QTimer.singleShot(0, self, self._begin_step)

    def _begin_step(self) -> None:
        self._then = self._bench.project
        step = self.step
        if step is not None:
            step.begin()
        self.moved.emit()

    def _look_soon(self, *_: object) -> None:
        if self.step is not None:
            self._soon.start()

    def _look(self) -> None:
        """See whether the step is done; where something else was answered, set it up again."""
        step, now = self.step, self._bench.project
        if step is None or not self._is_open():
            return
        if step.is_done(self._then, now):
            self.index += 1
            self._begin_step()
        elif now.labels is not self._then.labels:
            self._then = now
            step.begin()

    def _finish(self) -> None:
        if self._exercise is None:
            return
        self._exercise, self._kept, self.index = None, None, -1
        self.close()
        self.ended.emit()


class _KeptScene(NamedTuple):
    """A scene that was read, for as long as its project is put aside."""

    scene: OpenedScene
    wish: SceneWish
    """What its project says of it."""

    changed_ns: int
    """When its file was changed last."""


def _kept_scene(bench: Workbench) -> _KeptScene | None:
    """The project's own scene, if it is open."""
    if bench.opened is None or not bench.is_own_scene:
        return None
    changed_ns = _changed_ns(Path(bench.opened.scene.path))
    return _KeptScene(bench.opened, SceneWish.of(bench.project), changed_ns)


def _changed_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _reopening(
    place: Path | str, kept: _KeptScene | None, steps: Path, viewer: str
) -> Work[Opened]:
    """Read a project again; its scene is the one that was read, unless it is another by now."""
    opened = yield from project_work(place, steps=steps, viewer=viewer)
    if kept is None or SceneWish.of(opened.loaded.project) != kept.wish:
        return opened
    is_same = _changed_ns(Path(kept.scene.scene.path)) == kept.changed_ns != 0
    return opened._replace(scene=kept.scene) if is_same else opened


def _making_copy(folder: Path) -> Work[None]:
    from waypost.sample.sample_project import (  # noqa: PLC0415 - only where it is wanted
        PROJECT_FILE,
        write_sample,
    )

    yield Progress(0.0, 0.0, "Making a copy of the sample home to practise on")
    write_sample(folder)
    (folder / PROJECT_FILE).rename(folder / _FILE)

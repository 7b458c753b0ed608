"""The scenes of instructions: the project's own, or others in folders that somebody chose."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from waypost.app.shell.bench_scenes import SceneWish, found_scene_reading
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.progress import Progress, Work
from waypost.io.scenes.scene_folder import find_scene_file
from waypost.services.jobs import Job, JobRunner
from waypost.services.open_scene import OpenedScene
from waypost.services.settings import Settings

_KEPT: Final = 2
"""Other scenes that stay in memory; raters go to and fro between neighbours."""

_STAY_MS: Final = 200
"""How long an instruction is at hand before its scene is read: who leafs through waits for none."""


class SheetScenes(QObject):
    """Gives the scene of an instruction, and reads it in the background where it is not open.

    Args:
        bench: Has the project's own scene, and the folders.
        jobs: Reads scenes.
        parent: Qt owner.
    """

    ready = Signal()
    """A scene that was asked for is there, or it is known why it will not be."""

    def __init__(self, bench: Workbench, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._bench, self._jobs = bench, jobs
        self._known: OrderedDict[str, OpenedScene] = OrderedDict()
        self._reasons: dict[str, str] = {}
        self._folders: tuple[str, ...] = ()
        self._wanted = self._reading = ""
        self._job: Job | None = None
        self._staying = QTimer(self, singleShot=True, interval=_STAY_MS)
        self._staying.timeout.connect(self._read)
        bench.document_replaced.connect(self.forget)
        bench.scene_replaced.connect(self.ready)

    def scene(self, scene_id: str) -> OpenedScene | None:
        """The scene, if it is there; otherwise it is looked for and ``ready`` follows.

        Args:
            scene_id: As the instruction names it; empty gives up what is looked for.
        """
        self._wanted = scene_id
        if self._bench.settings.companion_folders != self._folders:
            self._folders = self._bench.settings.companion_folders
            self._reasons.clear()
        if scene_id in self._bench.scene_ids:
            return self._bench.opened if self._bench.is_own_scene else None
        if scene_id in self._known:
            self._known.move_to_end(scene_id)
            return self._known[scene_id]
        if self._reading and self._reading != scene_id:
            self._stop()
        if scene_id and scene_id not in self._reasons and not self._reading:
            self._staying.start()
        return None

    def reason(self, scene_id: str) -> str:
        """Why there is none, in a sentence; empty while nothing is wrong."""
        return self._reasons.get(scene_id, "")

    def is_awaited(self, scene_id: str) -> bool:
        """Whether the scene that was asked for last is looked for, or read."""
        return scene_id in {self._reading, self._wanted} and (
            bool(self._reading) or self._staying.isActive()
        )

    def forget(self) -> None:
        """Let go of everything: another project is open."""
        self._stop()
        self._known.clear()
        self._reasons.clear()

    def _read(self) -> None:
        scene_id, settings = self._wanted, self._bench.settings
        if not scene_id or self._reading or self.scene(scene_id) is not None:
            return
        self._staying.stop()
        self._reading = scene_id
        own = self._bench.own_scene_path, SceneWish.of(self._bench.project)
        work = _reading(settings, scene_id, own)
        job = self._job = self._jobs.start(f"Opening the scene {scene_id}", work)

        def take(found: OpenedScene) -> None:
            if job is self._job:
                self._known[scene_id] = found
                while len(self._known) > _KEPT:
                    self._known.popitem(last=False)
                self._end()

        def fail(reason: str) -> None:
            if job is self._job:
                self._reasons[scene_id] = reason
                self._end()

        job.succeeded.connect(take)
        job.failed.connect(lambda error: fail(str(error)))
        job.cancelled.connect(lambda: fail(f"Opening the scene {scene_id} was cancelled."))

    def _end(self) -> None:
        self._reading, self._job = "", None
        self.ready.emit()

    def _stop(self) -> None:
        job, self._job, self._reading = self._job, None, ""
        self._staying.stop()
        if job is not None:
            job.cancel()


def _reading(
    settings: Settings, scene_id: str, own: tuple[Path | None, SceneWish]
) -> Work[OpenedScene]:
    yield Progress(0.0, 1.0, f"Looking for the scene {scene_id}")
    reason = ""
    for place in _places(settings, scene_id):
        try:
            path = find_scene_file(place, scene_id)
        except ReadError as error:
            reason = reason or f" {error}."
        else:
            return (yield from found_scene_reading(path, settings, own))
    raise InputError(f"The scene {scene_id} is not here: choose the folder that has it.{reason}")


def _places(settings: Settings, scene_id: str) -> list[Path]:
    """The folders to look in; of one that is named after the scene the one around it first."""
    folders = [Path(folder) for folder in settings.companion_folders]
    around = [folder.parent for folder in folders if folder.name == scene_id]
    return [*around, *folders]

"""Camera frames while an episode is recorded: shown by the rules, kept where that is wanted."""

from __future__ import annotations

from PySide6.QtCore import QObject

from waypost.app.record.take_recorder import TakePhase, TakeRecorder
from waypost.app.shell.camera.camera_card import CameraView
from waypost.app.shell.stage import Stage
from waypost.app.shell.workbench import Workbench
from waypost.domain.record.take_rules import TakeRules
from waypost.services.engine.driven_engine import DrivenEngine
from waypost.services.study.frame_keeping import FrameKeeper
from waypost.simulators.camera_feed import CameraFrame


class TakeCamera(QObject):
    """Has frames drawn while a take is under way, and at no other time.

    Args:
        bench: Has the settings, and tells what went wrong.
        engine: Its camera draws.
        stage: Where frames are shown.
        recorder: Of the takes.
        parent: Qt owner.
    """

    def __init__(
        self,
        bench: Workbench,
        engine: DrivenEngine,
        stage: Stage,
        recorder: TakeRecorder,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bench, self._engine, self._recorder = bench, engine, recorder
        self._view, self.keeper = CameraView(engine.camera, stage, self), FrameKeeper(self)
        self.card = self._view.card
        self._is_shown = self._is_under_way = False
        recorder.changed.connect(self._on_take)
        engine.camera.drawn.connect(self._on_frame)
        engine.camera.given_up.connect(self._on_given_up)
        self.keeper.ended.connect(self._on_kept_no_more)

    def set_rules(self, rules: TakeRules) -> None:
        """Whether participants see frames from the next take on."""
        self._is_shown = rules.shows_frames

    def _on_take(self) -> None:
        is_under_way = self._recorder.phase in {TakePhase.RECORDING, TakePhase.PAUSED}
        if is_under_way == self._is_under_way:
            return
        self._is_under_way, settings = is_under_way, self._bench.settings
        if is_under_way:
            self.keeper.set_limit(settings.frames_kept_mb, self._engine.camera.settings)
        if is_under_way and self._is_shown:
            self._view.begin()
        elif is_under_way and settings.frames_kept_mb:
            self._engine.camera.watch(is_watched=True)
        else:
            self._engine.camera.watch(is_watched=False)
            self._view.end()
        if is_under_way and self._engine.camera.problem:
            self._on_given_up()

    def _on_frame(self, frame: CameraFrame) -> None:
        if self._is_under_way:
            self.keeper.keep(frame)

    def _on_given_up(self) -> None:
        # Why is said in the window; it may name files of this computer.
        if self._is_under_way and (self._is_shown or self._bench.settings.frames_kept_mb):
            self._engine.note_recording("the camera has ended: there are no frames from here on")

    def _on_kept_no_more(self, sentence: str) -> None:
        if self._is_under_way:
            self._engine.note_recording(f"camera frames are kept no longer: {sentence}")
        self._bench.refused.emit(f"Camera frames are kept no longer: {sentence}")

"""What the window tells its user: messages, the progress of jobs, and NOT SAVED."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu

from waypost.app.shell.driving.driving_mode import DrivingMode
from waypost.app.shell.scene_gaps import gaps_in_force
from waypost.app.shell.workbench import Workbench
from waypost.app.window.progress_strip import ProgressStrip
from waypost.app.window.unsaved import ask_before_reload
from waypost.documents.save_state import SaveKind, SaveState
from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import Progress
from waypost.domain.base.sentences import capitalised
from waypost.domain.project import Project
from waypost.domain.scene.gaps import grouped, refusal_to_drive
from waypost.services.jobs import Job, JobRunner
from waypost.widgets.message_strip import Message, MessageLevel, MessageStrip

_RELOAD: Final = "Reload"
_TRY_AGAIN: Final = "Try again"
_WAY_PAST: Final = "What is missing …"


@dataclass(frozen=True, slots=True)
class _Said:
    """The newest notice, and the state of the project of which it was said."""

    message: Message | None = None
    project: Project | None = None
    index: int = 0
    """In the history of undo."""

    is_undone: bool = False


class Notices(QObject):
    """Shows what happened in one strip and what is going on in another.

    What was said of a step goes when that step is undone, and is there again when it is redone.
    A participant who has the window sees only what is not saved; the rest waits for who comes
    after them.

    Args:
        bench: What is open.
        jobs: What runs in the background.
        driving: Tells whose the window is.
        parent: Qt owner.
    """

    way_past_chosen = Signal()
    """What the scene lacks is to be seen, and perhaps to be driven without."""

    def __init__(
        self,
        bench: Workbench,
        jobs: JobRunner,
        driving: DrivingMode,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bench, self._driving = bench, driving
        self._waiting: list[Message] = []
        self._running: list[Job] = []
        self._said = _Said()
        self.messages = MessageStrip()
        self.progress = ProgressStrip()
        bench.refused.connect(self.warn)
        bench.save_state_changed.connect(self._on_save_state)
        bench.document_replaced.connect(self._on_document)
        bench.scene_replaced.connect(self._on_scene)
        jobs.job_started.connect(self._on_job)
        jobs.job_ended.connect(self._on_job_ended)
        driving.began.connect(self._on_driving)
        driving.ended.connect(self._on_driven)
        self.messages.action_chosen.connect(self._act)
        self.progress.cancel_chosen.connect(self._cancel_job)

    def say(self, told: str | Message) -> None:
        """Tell what was done, in one sentence or as a message with details."""
        message = Message(told, MessageLevel.SUCCESS) if isinstance(told, str) else told
        self._show(message)
        document = self._bench.document
        if document is not None:
            self._said = _Said(message, document.project, document.undo_stack.index())

    def warn(self, sentence: str) -> None:
        """Tell what was not done, and why."""
        self._show(Message(sentence, MessageLevel.WARNING))

    def put_away(self) -> None:
        """Take away what is read already; what is not saved stays in view."""
        message = self.messages.message
        if message and message.level is not MessageLevel.ERROR:
            self.messages.clear()

    def _show(self, message: Message) -> None:
        if self._driving.has_window and message.level is not MessageLevel.ERROR:
            self._waiting.append(message)
        else:
            self.messages.show_message(message)

    def _on_driving(self) -> None:
        if self._driving.has_window:
            self.put_away()
            self.progress.finish()

    def _on_driven(self) -> None:
        """Tell what a participant was not told: the newest warning, all of it in the details."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        warnings = [one for one in waiting if one.level is MessageLevel.WARNING]
        told = (warnings or waiting)[-1]
        if len(waiting) > 1:
            every = (f"{one.text}\n{one.details}".strip() for one in waiting)
            told = replace(told, details="\n".join(every))
        if self.messages.message is None:
            self.messages.show_message(told)

    def _on_document(self) -> None:
        self.messages.clear()
        self._waiting.clear()
        self._said = _Said()
        if self._bench.document is not None:
            self._bench.document.undo_stack.indexChanged.connect(self._on_step)

    def _on_step(self, index: int) -> None:
        """Follow undo and redo; a step is told of before or after the history knows its number."""
        said, document = self._said, self._bench.document
        if said.message is None or document is None:
            return
        if document.project is said.project:
            self._said = replace(said, index=index, is_undone=False)
            if said.is_undone:
                self._show(said.message)
        elif index < said.index:
            self._said = replace(said, is_undone=True)
            if self.messages.message is said.message:
                self.messages.clear()

    def _on_save_state(self, state: SaveState) -> None:
        if state.kind is SaveKind.NOT_SAVED:
            action = _RELOAD if state.is_conflict else _TRY_AGAIN
            text = f"NOT SAVED: {state.reason}. Your edits are kept in this window."
            lost = self._bench.document.unsaved_titles if self._bench.document else ()
            details = ""
            if state.is_conflict and lost:
                details = "Reloading gives up your changes to:\n" + "\n".join(lost)
            self.messages.show_message(Message(text, MessageLevel.ERROR, action, details))
        elif self.messages.message and self.messages.message.level is MessageLevel.ERROR:
            self.messages.clear()

    def _act(self, action: str) -> None:
        """Do what the button of a message says."""
        if action == _RELOAD:
            self.reload()
        elif action == _TRY_AGAIN:
            self._save_now()
        elif action == _WAY_PAST:
            self.way_past_chosen.emit()

    def _save_now(self) -> None:
        if self._bench.document:
            self._bench.document.save_soon()

    def reload(self) -> None:
        """Take the project from its file again, once it is known what that gives up."""
        document = self._bench.document
        titles = document.unsaved_titles if document else ()
        ask_before_reload(titles, self.messages.window(), self._bench.reload)
        if document and titles:
            # Its button took the message away; whoever decides against it needs it again.
            self._on_save_state(document.save_state)

    def _on_scene(self) -> None:
        scene = self._bench.scene
        if scene is None:
            return
        allowed = gaps_in_force(self._bench)
        gaps, missing = refusal_to_drive(scene, allowed), grouped(scene.missing_assets)
        if gaps:
            text = f"{capitalised(gaps)}; nobody drives here."
            self._show(Message(text, MessageLevel.WARNING, _WAY_PAST))
        elif missing and not allowed:
            one, more = "file that the scene asks for is", "files that the scene asks for are"
            self.warn(f"{counted(len(missing), one, more)} missing; see the scene facts.")

    def _on_job(self, job: Job) -> None:
        self._running.append(job)
        self._name_jobs()
        job.progressed.connect(lambda progress: self._on_progress(job, progress))

    def _on_progress(self, job: Job, progress: Progress) -> None:
        # Of several the newest is shown; which of them Cancel stops is asked.
        is_newest = bool(self._running) and job is self._running[-1]
        if is_newest and not self._driving.has_window:
            self.progress.show_progress(progress.message, progress.done, progress.total)

    def _on_job_ended(self, job: Job) -> None:
        if job not in self._running:
            return
        was_shown = job is self._running[-1]
        self._running.remove(job)
        self._name_jobs()
        if was_shown:
            self.progress.finish()

    def _name_jobs(self) -> None:
        self.progress.set_jobs(tuple(job.title for job in reversed(self._running)))

    def _cancel_job(self) -> None:
        """Stop what runs; of several, what is chosen."""
        if len(self._running) == 1:
            self._running[0].cancel()
        elif self._running:
            menu = QMenu(self.progress)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            for job in reversed(self._running):
                menu.addAction(f"Cancel: {job.title.replace('&', '&&')}", job.cancel)
            place = self.progress.cancel_place()
            menu.popup(place - QPoint(0, menu.sizeHint().height()))

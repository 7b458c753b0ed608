"""Passages are measured in the background; what is found is shown as it comes, and kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from os import cpu_count
from typing import Final

from PySide6.QtCore import QObject, Signal

from waypost.annotators.traverse.measure_bar import MeasureBar
from waypost.annotators.traverse.proposals import measure_of
from waypost.app.shell.project_edits import refuse
from waypost.app.shell.scene_gaps import gaps_in_force
from waypost.app.shell.workspace import Surroundings
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import Cancelled
from waypost.domain.base.progress import Progress, Work
from waypost.domain.base.sentences import capitalised
from waypost.domain.project import Project, set_measures
from waypost.domain.scene.gaps import WAY_PAST, refusal_to_drive
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import Passage, Verdict, all_passages
from waypost.services.jobs import Job
from waypost.services.judging import circumstances

_MOST_WORKERS: Final = 4


class Measuring(QObject):
    """Has passages of the open project measured, and knows what was found.

    Args:
        around: What is found in the window.
        parent: Qt owner.
    """

    ended = Signal()
    """Nothing is being measured any more."""

    def __init__(self, around: Surroundings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._around, self._bench = around, around.bench
        self._job: Job | None = None
        self._found: deque[PassageMeasure] = deque()
        self._count = self._uncertain = 0
        self.bar = MeasureBar()
        self.bar.chosen.connect(self.toggle)
        self._bench.document_replaced.connect(self._forget)
        self._bench.scene_replaced.connect(self._on_scene)
        self._bench.project_changed.connect(self._on_changed)
        self._show()

    def is_running(self) -> bool:
        """Whether passages are being measured."""
        return self._job is not None

    def toggle(self) -> None:
        """Measure whatever has no measure that holds, or stop."""
        if self._job is not None:
            self.stop()
            return
        left = self._unmeasured()
        if self._bench.scene is None:
            self._bench.refused.emit("There is no scene to measure in.")
        elif left:
            self.measure(left)
        else:
            self._around.say("Every passage is measured.")

    def stop(self) -> None:
        """Stop measuring; what was found is kept."""
        if self._job is not None:
            self._job.cancel()

    def measure(self, asked: Sequence[Passage]) -> None:
        """Measure some passages, again where that was done before; one job at a time."""
        scene, project = self._bench.scene, self._bench.project
        if self._job is not None or scene is None or not asked or not self._bench.is_own_scene:
            return
        if refusal := refusal_to_drive(scene, gaps_in_force(self._bench)):
            # As drives are: what is measured tells of the same missing things.
            self._bench.refused.emit(f"{capitalised(refusal)}; {WAY_PAST}.")
            return
        self._found = deque()
        self._count = self._uncertain = 0
        started: list[Job] = []
        found, engine = self._found, self._bench.settings.engine_choice

        def measures() -> Iterator[PassageMeasure]:
            from waypost.services.measuring.measure_passages import (  # noqa: PLC0415 - on request
                measure_passages,
            )
            from waypost.services.measuring.site import SiteSettings  # noqa: PLC0415 - on request

            return measure_passages(
                scene, project.graph, project.agents, asked, project.passage_rule,
                workers=min(_MOST_WORKERS, max(1, (cpu_count() or 2) - 1)),
                cancelled=lambda: any(job.is_cancel_asked for job in started),
                settings=SiteSettings(allows_gaps=True, engine=engine),
            )  # fmt: skip

        self._job = self._around.jobs.start("Measuring", _work(measures, len(asked), found))
        started.append(self._job)
        self._job.progressed.connect(self._on_progress)
        self._job.succeeded.connect(self._on_done)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._on_cancelled)
        self.bar.set_progress(0, len(asked))

    def _unmeasured(self) -> tuple[Passage, ...]:
        project = self._bench.project
        now = circumstances(project, self._bench.scene_hash)
        asked = all_passages(project.graph, project.agents)
        return tuple(p for p in asked if measure_of(project.measures, p, now) is None)

    def _on_progress(self, progress: Progress) -> None:
        self._take()
        self.bar.set_progress(round(progress.done), round(progress.total))

    def _take(self) -> None:
        """Keep what was found: no step of undo, which takes back what people did."""
        new: dict[Passage, PassageMeasure] = {}
        while self._found:
            measure = self._found.popleft()
            new[measure.passage] = measure
        document = self._bench.document
        if document is not None and new:
            self._count += len(new)
            self._uncertain += sum(m.answer is Verdict.UNCERTAIN for m in new.values())
            document.note("Measure passages", set_measures(document.project, new.values()))

    def _on_done(self, _: object) -> None:
        self._take()
        found = counted(self._count, "passage", "passages")
        self._around.say(f"Measured {found}; {self._uncertain:,} are uncertain.")
        self._finish()

    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            refuse(self._bench, error)
        self._finish()

    def _on_cancelled(self) -> None:
        self._take()
        if self._count:
            kept = counted(self._count, "measure is kept", "measures are kept")
            self._around.say(f"Measuring is stopped; {kept}.")
        self._finish()

    def _finish(self) -> None:
        self._take()
        self._job = None
        self._show()
        self.ended.emit()

    def _forget(self) -> None:
        """Another project is open: what was found of the last one is nothing of this one."""
        self._found = deque()
        self._count = self._uncertain = 0
        self.stop()
        self._show()

    def _on_scene(self) -> None:
        self.stop()
        self._show()

    def _on_changed(self, old: Project, new: Project) -> None:
        if old.passage_rule != new.passage_rule:
            # What is still to come would be by the rule of before.
            self.stop()
        self._show()

    def _show(self) -> None:
        if self._job is None:
            project = self._bench.project
            can_measure = self._bench.scene is not None and bool(project.agents)
            self.bar.set_idle(can_measure=can_measure and bool(project.graph.edges))


def _work(
    measures: Callable[[], Iterator[PassageMeasure]], total: int, found: deque[PassageMeasure]
) -> Work[None]:
    """Measure on the thread of a job; what is found waits in a queue for the window."""
    yield Progress(0, total, "Preparing the scene")
    for done, measure in enumerate(measures(), start=1):
        found.append(measure)
        yield Progress(done, total, "Measuring passages")

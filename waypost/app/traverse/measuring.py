"""Passages are measured in the background; what is found is shown as it comes, and kept."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import cpu_count
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject, Signal

from waypost.annotators.traverse.measure_bar import MeasureBar
from waypost.annotators.traverse.proposals import Measures, measure_of
from waypost.app.shell.project_edits import refuse
from waypost.app.shell.workspace import Surroundings
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import Cancelled
from waypost.domain.base.progress import Progress, Work
from waypost.domain.project import Project, set_measures
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import Passage, Verdict
from waypost.services.jobs import Job
from waypost.services.judging import circumstances

_KEPT_AT_ONCE: Final = 200
"""So many new measures are kept together: each time is a step of undo."""

_MOST_WORKERS: Final = 4


class Measuring(QObject):
    """Has passages of the open project measured, and knows what was found.

    Args:
        around: What is found in the window.
        parent: Qt owner.
    """

    measured = Signal()
    """More was found."""

    ended = Signal()
    """Nothing is being measured any more."""

    def __init__(self, around: Surroundings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._around, self._bench = around, around.bench
        self._job: Job | None = None
        self._stopped = threading.Event()
        self._found: deque[PassageMeasure] = deque()
        self._pending: Mapping[Passage, PassageMeasure] = MappingProxyType({})
        self.bar = MeasureBar()
        self.bar.chosen.connect(self.toggle)
        self._bench.document_replaced.connect(self._forget)
        self._bench.scene_replaced.connect(self._on_scene)
        self._bench.project_changed.connect(self._show)
        self._show()

    @property
    def measures(self) -> Measures:
        """What was measured of the open project, the newest included."""
        kept = self._bench.project.measures
        return MappingProxyType({**kept, **self._pending}) if self._pending else kept

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
            self._stopped.set()
            self._job.cancel()

    def measure(self, asked: Sequence[Passage]) -> None:
        """Measure some passages, again where that was done before; one job at a time."""
        scene, project = self._bench.scene, self._bench.project
        if self._job is not None or scene is None or not asked or not self._bench.is_own_scene:
            return
        self._stopped, self._found = threading.Event(), deque()
        stopped, found = self._stopped, self._found

        def measures() -> Iterator[PassageMeasure]:
            from waypost.services.measuring.measure_passages import (  # noqa: PLC0415 - on request
                measure_passages,
            )

            return measure_passages(
                scene, project.graph, project.agents, asked, project.passage_rule,
                workers=min(_MOST_WORKERS, max(1, (cpu_count() or 2) - 1)),
                cancelled=stopped.is_set,
            )  # fmt: skip

        self._job = self._around.jobs.start("Measuring", _work(measures, len(asked), found))
        self._job.progressed.connect(self._on_progress)
        self._job.succeeded.connect(self._on_done)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._finish)
        self.bar.set_progress(0, len(asked))

    def keep(self) -> None:
        """Put what was found into the project, as one step of undo."""
        document, pending = self._bench.document, self._pending
        self._pending = MappingProxyType({})
        if document is not None and pending:
            text = f"Measure {counted(len(pending), 'passage', 'passages')}"
            document.edit(text, set_measures(document.project, pending.values()))

    def _unmeasured(self) -> tuple[Passage, ...]:
        from waypost.services.measuring.measure_passages import (  # noqa: PLC0415 - on request
            all_passages,
        )

        project, measures = self._bench.project, self.measures
        now = circumstances(project, self._bench.scene_hash)
        asked = all_passages(project.graph, project.agents)
        return tuple(p for p in asked if measure_of(measures, p, now) is None)

    def _on_progress(self, progress: Progress) -> None:
        self._take()
        self.bar.set_progress(round(progress.done), round(progress.total))

    def _take(self) -> None:
        new: dict[Passage, PassageMeasure] = {}
        while self._found:
            measure = self._found.popleft()
            new[measure.passage] = measure
        if new:
            self._pending = MappingProxyType({**self._pending, **new})
            if len(self._pending) >= _KEPT_AT_ONCE:
                self.keep()
            self.measured.emit()

    def _on_done(self, _: object) -> None:
        self._take()
        found = self._pending.values()
        doubtful = sum(measure.answer is Verdict.UNCERTAIN for measure in found)
        self._around.say(
            f"Measured {counted(len(found), 'passage', 'passages')}; {doubtful:,} are doubtful."
        )
        self._finish()

    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            refuse(self._bench, error)
        self._finish()

    def _finish(self) -> None:
        self._take()
        self._job = None
        self.keep()
        self._show()
        self.ended.emit()

    def _forget(self) -> None:
        """Another project is open: what was found of the last one is nothing of this one."""
        self._found, self._pending = deque(), MappingProxyType({})
        self.stop()
        self._show()

    def _on_scene(self) -> None:
        self.stop()
        self._show()

    def _show(self, *_: Project) -> None:
        if self._job is None:
            project = self._bench.project
            can_measure = self._bench.scene is not None and bool(project.agents)
            self.bar.set_idle(can_measure=can_measure and bool(project.graph.edges))


def _work(
    measures: Callable[[], Iterator[PassageMeasure]], total: int, found: deque[PassageMeasure]
) -> Work[None]:
    """Measure on the thread of a job; what is found waits in a queue for the window."""
    yield Progress(0, total, "Measuring: the scene is prepared")
    for done, measure in enumerate(measures(), start=1):
        found.append(measure)
        yield Progress(done, total, "Measuring passages")

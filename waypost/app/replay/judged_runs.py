"""The runs at hand, with what analysts say about them counted in as far as it is seen."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from waypost.app.replay.cause_marking import ReplayCauses
from waypost.app.replay.desk import OpenedRun, ReplayDesk
from waypost.app.replay.episode import EpisodeViews
from waypost.app.shell.workbench import Workbench
from waypost.domain.project import Project


class JudgedRuns(QObject):
    """Knows the runs at hand as they were opened, and shows them anew after every mark.

    Args:
        bench: Tells of new marks and verdicts.
        desk: Counts verdicts.
        views: Show the scores of the leading run.
        causes: Show the marks.
        parent: Qt owner.
    """

    causes_changed = Signal()
    """Charts of causes show something else."""

    scores_changed = Signal()
    """Verdicts on reasons give rows other scores."""

    def __init__(
        self,
        bench: Workbench,
        desk: ReplayDesk,
        views: EpisodeViews,
        causes: ReplayCauses,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self._views, self._causes = desk, views, causes
        self.opened: tuple[OpenedRun, ...] = ()
        """The runs at hand without verdicts, the leading one first."""
        desk.whose_verdicts = lambda: causes.sight.counted
        bench.project_changed.connect(self._on_changed)
        causes.sight.changed.connect(self._show_scores)

    def take(self, opened: tuple[OpenedRun, ...]) -> tuple[OpenedRun, ...]:
        """Have other runs at hand.

        Returns:
            The same with the verdicts that are seen.
        """
        self.opened = opened
        return tuple(self._desk.judged(run) for run in opened)

    def _on_changed(self, old: Project, new: Project) -> None:
        if old.replay is not new.replay:
            self._causes.show()
        if old.replay.causes is not new.replay.causes:
            self.causes_changed.emit()
        if old.replay.edge_verdicts is not new.replay.edge_verdicts:
            self._show_scores()

    def _show_scores(self) -> None:
        self.scores_changed.emit()
        if self.opened:
            self._views.show_scores(self._desk.judged(self.opened[0]))

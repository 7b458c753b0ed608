"""Which episode is asked for and in which of the chosen runs, and when it is there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from waypost.app.replay.desk import OpenedRun, ReplayDesk

_Asked = tuple[tuple[str, ...], str, int]
"""Runs, episode and attempt."""


class ReplayOpening(QObject):
    """Fetches the episode at hand from every chosen run that has it, and again as these change.

    Runs that have the attempt asked for come first. The others, such as a model that ran once
    beside several people, show the last attempt before it.

    Args:
        desk: Opens episodes.
        runs: Names of the chosen runs, the leading one first.
        parent: Qt owner.
    """

    opened = Signal(object)
    """``tuple`` of ``OpenedRun``, at least one, the leading one first."""

    failed = Signal()
    """The episode cannot be read; the one before stays."""

    lost = Signal()
    """None of the chosen runs has the episode any more."""

    def __init__(
        self,
        desk: ReplayDesk,
        runs: Callable[[], tuple[str, ...]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self._runs = desk, runs
        self._wanted: _Asked | None = None
        self._shown: _Asked | None = None
        self._editions: list[object] = []
        desk.episode_opened.connect(self._on_opened)
        desk.episode_failed.connect(self._on_failed)

    @property
    def key(self) -> tuple[str, int] | None:
        """Episode and attempt asked for last."""
        return self._wanted[1:] if self._wanted else None

    @property
    def is_there(self) -> bool:
        """Whether what was asked for last is shown."""
        return self._wanted is not None and self._wanted == self._shown

    def ask(self, episode_id: str, attempt: int = 1) -> None:
        """Fetch an episode; one that is there, or on its way, is not fetched again."""
        wanted = self._having(episode_id, attempt), episode_id, attempt
        if wanted != self._wanted:
            self._fetch(wanted)

    def forget(self) -> None:
        """Have no episode at hand."""
        self._wanted = self._shown = None

    def follow(self) -> None:
        """Fetch the episode at hand from the runs that are chosen now, as far as they are read."""
        if self._wanted is None:
            return
        names, episode_id, attempt = self._wanted
        having = self._having(episode_id, attempt)
        rows = [self._desk.rows(name) for name in self._runs()]
        is_read_again = self._editions != [self._desk.edition(name) for name in having]
        if having and (having != names or is_read_again):
            self._fetch((having, episode_id, attempt))
        elif not having and all(each is not None and each.is_whole for each in rows):
            self.lost.emit()

    def _fetch(self, wanted: _Asked) -> None:
        self._wanted = wanted
        self._editions = [self._desk.edition(name) for name in wanted[0]]
        self._desk.open_episode(*wanted)

    def _having(self, episode_id: str, attempt: int) -> tuple[str, ...]:
        """The runs to show; none where no run has the very attempt."""
        read = [(name, rows) for name in self._runs() if (rows := self._desk.rows(name))]
        exact = next((row for _, rows in read if (row := rows.find(episode_id, attempt))), None)
        if exact is None:
            return ()
        beside = {
            name: row
            for name, rows in read
            if (row := rows.find_beside(*exact.key, exact.scene_id)) is not None
        }
        return tuple(sorted(beside, key=lambda name: beside[name].attempt != attempt))

    def _on_opened(self, runs: tuple[OpenedRun, ...]) -> None:
        self._shown = self._wanted
        if runs:
            self.opened.emit(runs)

    def _on_failed(self) -> None:
        self._wanted = self._shown
        self.failed.emit()

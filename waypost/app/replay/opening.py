"""Which episode is asked for and in which of the chosen runs, and when it is there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from waypost.app.replay.desk import OpenedRun, ReplayDesk
from waypost.domain.episode.episode import may_be_one_scene
from waypost.domain.episode.run_ids import own_id, scene_and_id

_Asked = tuple[tuple[str, ...], str, int, str]
"""Runs, episode, attempt and, as far as it is known, the scene."""


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
        return self._wanted[1:3] if self._wanted else None

    @property
    def is_there(self) -> bool:
        """Whether what was asked for last is shown."""
        return self._wanted is not None and self._wanted == self._shown

    def ask(self, episode_id: str, attempt: int = 1) -> None:
        """Fetch an episode; one that is there, or on its way, is not fetched again."""
        wanted = self._having(episode_id, attempt)
        if wanted != self._wanted:
            self._fetch(wanted)

    def forget(self) -> None:
        """Have no episode at hand."""
        self._wanted = self._shown = None

    def follow(self) -> None:
        """Fetch the episode at hand from the runs that are chosen now, as far as they are read."""
        if self._wanted is None:
            return
        _, episode_id, attempt, scene_id = self._wanted
        wanted = self._having(self._name_now(episode_id, attempt, scene_id), attempt, scene_id)
        having = wanted[0]
        rows = [self._desk.rows(name) for name in self._runs()]
        is_read_again = self._editions != [self._desk.edition(name) for name in having]
        if having and (wanted != self._wanted or is_read_again):
            self._fetch(wanted)
        elif not having and all(each is not None and each.is_whole for each in rows):
            self.lost.emit()

    def _fetch(self, wanted: _Asked) -> None:
        self._wanted = wanted
        self._editions = [self._desk.edition(name) for name in wanted[0]]
        self._desk.open_episode(*wanted)

    def _having(self, episode_id: str, attempt: int, scene_id: str = "") -> _Asked:
        """With the runs to show; none where no run has the very attempt."""
        read = [(name, rows) for name in self._runs() if (rows := self._desk.rows(name))]
        if not scene_id:
            exact = (row for _, rows in read if (row := rows.find(episode_id, attempt)))
            scene_id = next((row.scene_id for row in exact), "")
        beside = {
            name: row
            for name, rows in read
            if (row := rows.find_beside(episode_id, attempt, scene_id)) is not None
        }
        if all(row.attempt != attempt for row in beside.values()):
            beside = {}
        names = sorted(beside, key=lambda name: beside[name].attempt != attempt)
        return tuple(names), episode_id, attempt, scene_id

    def _name_now(self, episode_id: str, attempt: int, scene_id: str) -> str:
        """What an episode goes by now: a run that has come to lead may have its id elsewhere."""
        own = own_id(episode_id, scene_id)
        read = (rows for name in self._runs() if (rows := self._desk.rows(name)))
        first = next((row for rows in read if (row := rows.find(own, attempt))), None)
        is_own = first is not None and may_be_one_scene(first.scene_id, scene_id)
        return own if is_own else scene_and_id(own, scene_id)

    def _on_opened(self, runs: tuple[OpenedRun, ...]) -> None:
        self._shown = self._wanted
        if runs:
            self.opened.emit(runs)

    def _on_failed(self) -> None:
        self._wanted = self._shown
        self.failed.emit()

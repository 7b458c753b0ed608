"""Shows runs in the real window for pictures: chooses runs, opens episodes, waits for both."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from waypost.app.window.window import MainWindow

Wait = Callable[[Callable[[], bool], float, str], None]
"""Runs the event loop until a condition holds, at most so many seconds, for what."""
PATIENCE_S = 300.0
"""For one step of a show: a busy machine without a graphics card takes a minute for some."""


class ReplayShow:
    """Somebody who replays runs of the open project.

    Args:
        window: With a project and its scene.
        wait: Waits.
    """

    def __init__(self, window: MainWindow, wait: Wait) -> None:
        self._replay, self._wait = window.replay, wait
        window.show_workspace("replay")
        window.notices.put_away()

    def choose(self, *names: str) -> None:
        """Choose runs and wait until they are read.

        Raises:
            TimeoutError: If they are not read in time.
        """
        self._replay.show_runs(names)
        self._wait(lambda: all(map(self._is_read, names)), PATIENCE_S, "the runs to be read")

    def open_episode(self, episode_id: str, step: int, face: str = "map") -> None:
        """Replay an episode of the chosen runs, show it on a face, and go to a step.

        Raises:
            TimeoutError: If it is not there in time.
        """
        self._replay.open_episode(episode_id)
        self._wait(lambda: self._episode_id == episode_id, PATIENCE_S, f"episode {episode_id}")
        self._replay.show_face(face)
        self._replay.views.cursor.move_to(step)
        QApplication.processEvents()
        if face == "map":
            self._replay.views.map.fit()
        self._wait(self._has_pictures, PATIENCE_S, "the pictures")

    def show(self, face: str, page: str = "") -> None:
        """Show another face, and a page at right."""
        self._replay.show_face(face)
        if page:
            self._replay.show_page(page)

    @property
    def _episode_id(self) -> str:
        run = self._replay.views.run
        return run.shown.replay.episode.episode_id if run else ""

    def _is_read(self, name: str) -> bool:
        rows = self._replay.desk.rows(name)
        return rows is not None and rows.is_whole

    def _has_pictures(self) -> bool:
        """Whether every tile of the strip is there, if it is shown."""
        strip = self._replay.views.strip
        tiles = [tile for row in strip.rows for tile in row.tiles]
        return not strip.isVisible() or bool(tiles and all(tile.picture for tile in tiles))

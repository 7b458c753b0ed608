"""Looks on a thread of its own, every few seconds, for what others change of scores."""

from __future__ import annotations

import logging
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Final

from waypost.domain.base.errors import WaypostError
from waypost.store.score_news import ScoreNews, ScoreNewsReader

EVERY_S: Final = 3.0
"""Between two looks."""

_PATIENCE_S: Final = 1.0
_LOG: Final = logging.getLogger(__name__)


class ScoreNewsThread:
    """Has the news that nobody has taken yet; a project that is away is asked again.

    Args:
        location: File of the project, or its URL.
        known: Number and time of the newest change of the project as it was loaded.
    """

    def __init__(self, location: Path | str, known: tuple[int, str] | None) -> None:
        self._reader = ScoreNewsReader(location, known)
        self._news: SimpleQueue[ScoreNews] = SimpleQueue()
        self._is_over = Event()
        # Nobody waits for a server that answers no more.
        self._thread = Thread(target=self._look, name="score news", daemon=True)
        self._thread.start()

    def next(self) -> ScoreNews | None:
        """The oldest news that nobody has taken; ``None`` if there are none."""
        with suppress(Empty):
            return self._news.get_nowait()
        return None

    def stop(self) -> None:
        """Look no more; a look under way ends by itself."""
        self._is_over.set()

    def close(self) -> None:
        """Look no more, and wait a moment for a look under way."""
        self.stop()
        self._thread.join(_PATIENCE_S)

    def _look(self) -> None:
        with closing(self._reader):
            while not self._is_over.wait(EVERY_S):
                try:
                    found = self._reader.read()
                except WaypostError as error:
                    _LOG.debug("what others score cannot be read: %s", error)
                    continue
                if found is not None:
                    self._news.put(found)

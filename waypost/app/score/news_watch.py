"""Puts what others change of scores into the open project, and tells a rater of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QTimer

from waypost.app.score.sheet_desk import SheetDesk
from waypost.app.score.typed_texts import TypedTexts
from waypost.app.shell.workbench import Workbench
from waypost.domain.score.decision_words import decision_words
from waypost.services.score_news import ScoreNewsThread
from waypost.store.score_news import ScoreNews

LOOK_MS: Final = 500


class NewsWatch(QTimer):
    """Takes news between two keys: nothing moves, and nothing that is being typed is lost.

    Args:
        bench: Has the open project.
        desk: Through which it is changed.
        texts: Tells whether somebody is typing.
        say: Tells whoever is at the window.
    """

    def __init__(
        self, bench: Workbench, desk: SheetDesk, texts: TypedTexts, say: Callable[[str], None]
    ) -> None:
        super().__init__(desk, interval=LOOK_MS)
        self._bench, self._desk, self._texts, self._say = bench, desk, texts, say
        self._thread: ScoreNewsThread | None = None
        self._news: ScoreNews | None = None
        self.timeout.connect(self._look)
        bench.document_replaced.connect(self._on_document)
        self._on_document()

    def close(self) -> None:
        """Look no more."""
        self.stop()
        if self._thread is not None:
            self._thread.close()
        self._news = self._thread = None

    def _on_document(self) -> None:
        self.stop()
        if self._thread is not None:
            # The window waits for no file and no server.
            self._thread.stop()
        self._news = self._thread = None
        document = self._bench.document
        if document is not None:
            store = document.store
            self._thread = ScoreNewsThread(store.location, store.loaded_change)
            self.start()

    def _look(self) -> None:
        if self._thread is None or self._texts.are_being_typed:
            return
        self._news = self._news or self._thread.next()
        if self._news is None:
            return
        before = self._desk.book
        if self._desk.take_news(self._news):
            self._news = None
            told = decision_words(before, self._desk.book, self._desk.viewer)
            if told:
                self._say(told)

"""Tells the collector of reference cycles when somebody works, so that long collections wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication, QWindow

from waypost.services.cycle_collector import CycleCollector

if TYPE_CHECKING:
    from waypost.app.window.window import MainWindow

_INPUT = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.KeyRelease,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
        QEvent.Type.TouchUpdate,
        QEvent.Type.TabletMove,
        QEvent.Type.TabletPress,
        QEvent.Type.NativeGesture,
        QEvent.Type.InputMethod,
        QEvent.Type.DragMove,
        QEvent.Type.Drop,
    }
)


class _InputHearing(QObject):
    """Hears input where it enters a window of the system, before any widget does.

    There are few events there; a filter on the application would hear every one of every widget.
    """

    def __init__(self, collector: CycleCollector, application: QGuiApplication) -> None:
        super().__init__()
        self._collector = collector
        application.focusWindowChanged.connect(self._listen_to)
        self._listen_to(application.focusWindow())

    def _listen_to(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Note input; let everything through."""
        if event.type() in _INPUT:
            self._collector.note_input()
        return False


@contextmanager
def no_pauses_in(window: MainWindow, collector: CycleCollector) -> Iterator[None]:
    """Within this, long collections wait while somebody is at work in a window.

    That is: keys and pointer, but also what moves by itself, such as a drive, a take, a film; and
    jobs, which somebody waits for.

    Args:
        window: Asked whether anything moves.
        collector: Waits.
    """
    application = QGuiApplication.instance()
    if not isinstance(application, QGuiApplication):
        raise TypeError("a window needs an application with windows")
    hearing = _InputHearing(collector, application)
    collector.add_movement(window.is_moving)
    try:
        yield
    finally:
        collector.remove_movement(window.is_moving)
        hearing.deleteLater()

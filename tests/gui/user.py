"""Hands and eyes at a window: real mouse and key events, waits for what they lead to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from patience import PATIENCE_MS
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from waypost.app.window.window import MainWindow
from waypost.documents.project_document import ProjectDocument
from waypost.domain.base.frames import Vec3
from waypost.domain.project import Project
from waypost.domain.scene.graph import NavigationGraph
from waypost.services.engine.driven_engine import EngineState

LEFT = Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier


class User:
    """Somebody at the window."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window = window
        self.view = window.stage.view
        self._qtbot = qtbot
        self._engine_states: list[EngineState] = []
        window.engine.state_changed.connect(self._engine_states.append)

    @property
    def document(self) -> ProjectDocument:
        document = self.window.bench.document
        assert document is not None
        return document

    @property
    def project(self) -> Project:
        return self.document.project

    @property
    def graph(self) -> NavigationGraph:
        return self.project.graph

    def find(self, kind: type[Any], name: str = "", root: QWidget | None = None) -> Any:
        """The one visible widget of a kind, by accessible name or text where given."""
        found = [
            w
            for w in (root or self.window).findChildren(kind)
            if w.isVisible()
            and (not name or name in (w.accessibleName(), getattr(w, "text", str)()))
        ]
        assert len(found) == 1, f"{len(found)} visible {kind.__name__} {name!r}"
        return found[0]

    def wait(self, condition: Callable[[], object], timeout_ms: int = PATIENCE_MS) -> None:
        self._qtbot.waitUntil(lambda: bool(condition()), timeout=timeout_ms)

    def open(self, path: Any) -> None:
        """Open a project and wait for its scene and findings."""
        bench, before = self.window.bench, self.window.bench.document
        self._engine_states.clear()
        bench.open_path(path)
        self.wait(lambda: bench.document is not before and bench.scene is not None)
        self.settle()

    def settle(self) -> None:
        """Let everything happen that was posted, or put off to a later turn of the event loop.

        While there are other events, whatever waits without a delay goes on waiting.
        """
        turns: list[bool] = []
        QTimer.singleShot(0, lambda: turns.append(True))
        self.wait(lambda: self._is_settled() and turns)

    def _is_settled(self) -> bool:
        QApplication.processEvents()
        was_putting_off = self._is_putting_off()
        QApplication.processEvents()
        return not was_putting_off and not self._is_putting_off()

    def _is_putting_off(self) -> bool:
        """Whether a part of the window does something in the next turn, such as to check a graph.

        How many turns that takes depends on the speed of the machine.
        """
        timers = self.window.findChildren(QTimer)
        return any(t.isActive() and t.isSingleShot() and t.interval() == 0 for t in timers)

    def pixel(self, point_m: Vec3) -> QPoint:
        """Where a point of the scene is in the window."""
        x_px, y_px = self.view.project([point_m])[0]
        assert np.isfinite(x_px)
        place = QPoint(round(x_px), round(y_px))
        assert self.view.rect().contains(place), f"{point_m} is out of view at {place}"
        return self.view.mapTo(self.window, place)

    def click(self, point_m: Vec3, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        QTest.mouseClick(self._handle, LEFT, keys, self.pixel(point_m))
        self.settle()

    def double_click(self, point_m: Vec3) -> None:
        QTest.mouseDClick(self._handle, LEFT, NO_KEY, self.pixel(point_m))
        self.settle()

    def drag(self, start_m: Vec3, end_m: Vec3, steps: int = 6) -> None:
        start, end = self.pixel(start_m), self.pixel(end_m)
        self.drag_px(start, end, steps)

    def drag_px(self, start: QPoint, end: QPoint, steps: int = 6) -> None:
        QTest.mousePress(self._handle, LEFT, NO_KEY, start)
        for number in range(1, steps + 1):
            QTest.mouseMove(self._handle, start + (end - start) * number / steps)
            self.settle()
        QTest.mouseRelease(self._handle, LEFT, NO_KEY, end)
        self.settle()

    def click_widget(self, widget: QWidget, place: QPoint | None = None) -> None:
        """Click where the widget is, so that what covers it gets the click instead."""
        place = place or widget.rect().center()
        top = widget.window()
        handle = top.windowHandle()
        assert handle is not None
        QTest.mouseClick(handle, LEFT, NO_KEY, widget.mapTo(top, place))
        self.settle()

    def press(self, *keys: str) -> None:
        """Press and release keys of the window that has the focus, e.g. ``Ctrl+Z``."""
        for key in keys:
            self.press_at_once(key)

    def press_at_once(self, *keys: str) -> None:
        """Press keys without a look at the window before the last of them has been released."""
        for key in keys:
            combination = QKeySequence(key)[0]
            QTest.keyClick(self._focus, combination.key(), combination.keyboardModifiers())
        self.settle()

    def hold(self, key: str) -> None:
        QTest.keyPress(self._focus, QKeySequence(key)[0].key())
        self.settle()

    def release(self, key: str) -> None:
        QTest.keyRelease(self._focus, QKeySequence(key)[0].key())
        self.settle()

    def type(self, text: str) -> None:
        """Type into whatever has the focus."""
        self.wait(_keyboard_window)
        widget = QApplication.focusWidget()
        assert widget is not None
        QTest.keyClicks(widget, text)
        self.settle()

    def message(self) -> str:
        """What the message strip says."""
        message = self.window.notices.messages.message
        return message.text if message else ""

    def look_from_above(self) -> None:
        self.press("T", "Shift+Home")

    def wait_for_engine(self) -> None:
        """Wait until the engine has the scene; it is ready for a moment before it loads one."""
        loaded = [EngineState.LOADING, EngineState.READY]
        self.wait(lambda: self._engine_states[-2:] == loaded)

    def take_keyboard(self) -> None:
        """Give the window the keyboard; where a dialog has gone, no window manager does so."""
        modal = QGuiApplication.modalWindow()
        assert modal is None, f"{modal} stands before the window"
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow)

    @property
    def _handle(self) -> QWindow:
        handle = self.window.windowHandle()
        assert handle is not None
        return handle

    @property
    def _focus(self) -> QWindow:
        self.wait(_keyboard_window)
        window = _keyboard_window()
        assert window is not None, "no window has the keyboard"
        return window


def _keyboard_window() -> QWindow | None:
    """The window that keys go to; none while a dialog has opened, but not got the keyboard yet.

    The X server hands the keyboard over when it likes, and a key for the window behind a modal
    dialog is lost.
    """
    window, modal = QGuiApplication.focusWindow(), QGuiApplication.modalWindow()
    if window is None or modal is None or window == modal:
        return window
    return window if modal.isAncestorOf(window) else None

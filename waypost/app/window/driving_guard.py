"""Puts away what nobody but the driver may reach while somebody drives."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from waypost.app.shell.actions import ActionSet
from waypost.app.shell.driving.driving_mode import DrivingMode
from waypost.app.window.full_screen import FullScreen
from waypost.services.input.shortcuts import DRIVING_SCOPE


class DrivingGuard(QObject):
    """Suspends the window's actions; a participant gets the whole screen and none of its parts.

    Args:
        mode: Tells when somebody drives.
        parts: Those of the window that are put away for a participant, at least one.
        actions: All but the driver's own are suspended.
        scope: Gives the scope of the workspace that is shown.
    """

    def __init__(
        self,
        mode: DrivingMode,
        parts: Iterable[QWidget],
        actions: ActionSet,
        scope: Callable[[], str],
    ) -> None:
        super().__init__(mode)
        self._mode, self._parts = mode, tuple(parts)
        self._actions, self._scope = actions, scope
        self._hidden: tuple[QWidget, ...] = ()
        FullScreen(mode, self._parts[0].window())
        mode.began.connect(self._on_began)
        mode.ended.connect(self._on_ended)

    def _on_began(self) -> None:
        if self._mode.has_window:
            self._hidden = tuple(part for part in self._parts if not part.isHidden())
        for part in self._hidden:
            part.hide()
        self._actions.set_scope(DRIVING_SCOPE)
        self._actions.start_driving(self._mode.allowed_ids)

    def _on_ended(self) -> None:
        for part in self._hidden:
            part.show()
        self._hidden = ()
        self._actions.end_driving()
        self._actions.set_scope(self._scope())

"""Gives the whole window to a participant and takes it back afterwards."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from waypost.app.record.participant_session import ParticipantSession
from waypost.app.record.workspace import RECORD_SCOPE
from waypost.app.shell.actions import ActionSet
from waypost.app.shell.key_sets import ALLOWED_IN_SESSION
from waypost.services.input.shortcuts import DRIVING_SCOPE


class ParticipantMode(QObject):
    """While a session runs nothing but the session can be reached.

    Args:
        session: Whoever has the window.
        parts: Parts of the window that are put away.
        actions: All but the participant's own are suspended.
    """

    def __init__(
        self, session: ParticipantSession, parts: Iterable[QWidget], actions: ActionSet
    ) -> None:
        super().__init__(session)
        self._actions = actions
        self._parts = tuple(parts)
        self._shown: tuple[QWidget, ...] = ()
        session.started.connect(self._on_started)
        session.ended.connect(self._on_ended)

    def _on_started(self) -> None:
        self._shown = tuple(part for part in self._parts if not part.isHidden())
        for part in self._shown:
            part.hide()
        self._actions.set_scope(DRIVING_SCOPE)
        self._actions.start_driving(ALLOWED_IN_SESSION)

    def _on_ended(self) -> None:
        for part in self._shown:
            part.show()
        self._actions.end_driving()
        self._actions.set_scope(RECORD_SCOPE)

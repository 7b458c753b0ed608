"""While an agent is driven only driving can be reached, and the map shows where it is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from waypost.app.shell.actions import ActionSet
from waypost.app.shell.key_sets import ALLOWED_WHILE_DRIVING
from waypost.app.shell.stage_map import StageMap
from waypost.app.traverse.driver import Driver
from waypost.services.engine.driving_session import DrivingSession
from waypost.services.input.shortcuts import DRIVING_SCOPE
from waypost.simulators.protocol import Telemetry


class DrivingMode(QObject):
    """Suspends the window's actions during a drive along a passage.

    Args:
        driver: Whoever drives.
        session: Tells where the agent is.
        actions: All but a few are suspended.
        scope: Gives the scope of the workspace that is shown afterwards.
        stage_map: Shows the agent.
    """

    def __init__(
        self,
        driver: Driver,
        session: DrivingSession,
        actions: ActionSet,
        scope: Callable[[], str],
        stage_map: StageMap,
    ) -> None:
        super().__init__(driver)
        self._driver, self._actions, self._scope, self._map = driver, actions, scope, stage_map
        driver.started.connect(self._on_started)
        driver.ended.connect(self._on_ended)
        session.telemetry_received.connect(self._on_telemetry)

    def _on_started(self) -> None:
        self._actions.set_scope(DRIVING_SCOPE)
        self._actions.start_driving(ALLOWED_WHILE_DRIVING)

    def _on_ended(self, _seen: object) -> None:
        self._map.set_agent(None)
        self._actions.end_driving()
        self._actions.set_scope(self._scope())

    def _on_telemetry(self, telemetry: Telemetry) -> None:
        if self._driver.is_driving:
            self._map.set_agent(telemetry.position_m, telemetry.yaw_rad)

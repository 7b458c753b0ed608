"""The camera that is wanted of an engine: opened with each worker, asked for frames when due."""

from __future__ import annotations

import time
from collections.abc import Callable

from waypost.domain.base.errors import WaypostError
from waypost.services.engine.mail import NoFrames
from waypost.simulators.backends.cameras import CameraSettings
from waypost.simulators.camera_feed import CameraFeed, CameraFrame
from waypost.simulators.client import SimulatorClient

_EVERY_S = 0.1
"""Frames are asked for between steps, which wait meanwhile."""


class EngineCamera:
    """At most one camera, as long as it is wanted.

    Args:
        tell: Hears frames, and why there are none.
    """

    def __init__(self, tell: Callable[[CameraFrame | NoFrames], None]) -> None:
        self._tell = tell
        self._wanted: CameraSettings | None = None
        self._feed: CameraFeed | None = None
        self._due_s = 0.0

    def set(self, settings: CameraSettings | None, client: SimulatorClient | None) -> None:
        """Want another camera, or none; with a worker it is opened at once.

        Raises:
            WaypostError: If the worker is gone.
        """
        self._drop()
        self._wanted = settings
        if client is not None:
            self.open(client)

    def open(self, client: SimulatorClient) -> None:
        """Open what is wanted in a worker; an engine without cameras is told of once.

        Raises:
            WaypostError: If the worker is gone.
        """
        if self._wanted is None:
            return
        try:
            self._feed = client.open_camera(self._wanted)
        except WaypostError as error:
            self._give_up(error, is_alive=client.is_alive)

    def look(self) -> None:
        """Tell the next frame, if one is due.

        Raises:
            WaypostError: If the worker is gone.
        """
        now_s = time.monotonic()
        if self._feed is not None and now_s >= self._due_s:
            try:
                frame = self._feed.frame()
            except WaypostError as error:
                self._give_up(error, is_alive=self._feed.is_alive)
                return
            # An engine that draws slowly still steps as often as it draws.
            self._due_s = max(now_s + _EVERY_S, 2 * time.monotonic() - now_s)
            self._tell(frame)

    def forget(self) -> None:
        """The worker is gone; the camera is still wanted."""
        self._drop()

    def _give_up(self, error: WaypostError, *, is_alive: bool) -> None:
        """Want no camera any more: one that fails must not end a drive and its recording."""
        if not is_alive:
            raise error
        self._wanted = None
        self._drop()
        self._tell(NoFrames(str(error)))

    def _drop(self) -> None:
        if self._feed is not None:
            self._feed.close()
        self._feed = None

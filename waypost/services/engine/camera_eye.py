"""Draws what an agent sees in a worker of its own, so that a slow frame keeps nothing waiting.

The worker that drives is never asked for a frame: neither its steps nor the samples of a recording
nor keys wait for one. Of the places to draw from only the newest is kept.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Qt, QThread, Signal

from waypost.domain.base.errors import Cancelled, WaypostError
from waypost.domain.scene.scene import Scene
from waypost.simulators.backends.cameras import CameraSettings
from waypost.simulators.camera_feed import CameraFeed, CameraFrame, CameraPlace
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engines import CAMERA_ENGINE
from waypost.simulators.protocol import RecordingStatus, Telemetry

_log = logging.getLogger(__name__)

_EVERY_S: Final = 0.1
_GRACE_S: Final = 0.5

StartCamera = Callable[[Callable[[], bool]], SimulatorClient]
"""Starts a worker that draws; blocks, and asks whether it is to be given up."""


def start_camera_worker(
    cancelled: Callable[[], bool], python: str | None = None
) -> SimulatorClient:
    """Start a worker of the engine that draws; see ``SimulatorClient.start``.

    Args:
        cancelled: Asked while it starts.
        python: Interpreter that has it; by default it is looked for.
    """
    return SimulatorClient.start(CAMERA_ENGINE, python, cancelled=cancelled)


class CameraEye(QObject):
    """At most one camera, which follows the agent that is driven; every method returns at once.

    Args:
        start: Starts its worker, once there is a scene and a camera is wanted.
        parent: Qt owner. Call ``shutdown`` before it goes.
    """

    drawn = Signal(object)
    """A ``CameraFrame``, up to 10 a second while an agent moves and somebody watches."""

    given_up = Signal(str)
    """One sentence: there are no frames until a camera is set again."""

    _told = Signal(object)

    def __init__(self, start: StartCamera, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wishes = _Wishes()
        self._thread = _DrawingThread(start, self._wishes, self._told.emit, self)
        self._told.connect(self._hear, Qt.ConnectionType.QueuedConnection)
        self._settings: CameraSettings | None = None
        self._scene: Scene | None = None
        self._is_watched = False
        self._take, self._take_begin_ns, self._now_ns = "", 0, 0
        self.problem = ""
        """Why there are no frames since it was given up; empty where there are, or may be."""

    @property
    def settings(self) -> CameraSettings | None:
        """Of the camera that is wanted; ``None`` for none."""
        return self._settings

    def set_camera(self, settings: CameraSettings | None) -> None:
        """Have frames of this camera from now on, or none."""
        if settings != self._settings:
            self._settings, self.problem = settings, ""
            self._wishes.want(settings)
            self._run()

    def set_scene(self, scene: Scene) -> None:
        """Draw in this scene from now on; the worker starts with its first scene."""
        if scene is not self._scene:
            self._scene = scene
            self._wishes.put_into(scene)
            self._run()

    def try_again(self) -> None:
        """Start anew what was given up."""
        self.problem = ""
        self._wishes.want(self._settings)
        self._run()

    def start_anew(self) -> None:
        """End the worker, also one that starts or was given up, and start another."""
        self.problem = ""
        self._wishes.want(self._settings, is_anew=True)
        self._run()

    def watch(self, *, is_watched: bool) -> None:
        """Draw while somebody looks at the frames or keeps them, and only then."""
        self._is_watched = is_watched
        if not is_watched:
            self._wishes.look_from(None)

    def look_from(self, place: CameraPlace) -> None:
        """Draw from here next, if anybody watches; what was not begun before is off."""
        if self._is_watched and self._settings is not None:
            self._wishes.look_from(place)

    def follow(self, telemetry: Telemetry) -> None:
        """The agent is here now."""
        self._now_ns = telemetry.time_ns
        self.look_from(
            CameraPlace(
                telemetry.time_ns - self._take_begin_ns,
                telemetry.position_m,
                telemetry.yaw_rad,
                telemetry.camera_pitch_rad,
                self._take,
            )
        )

    def follow_take(self, status: RecordingStatus) -> None:
        """A recording began or ended: while it lasts, frames have its time."""
        if status.is_ended:
            self._take, self._take_begin_ns = "", 0
        elif status.file != self._take:
            # Its first sample is where the agent is by now.
            self._take, self._take_begin_ns = status.file, self._now_ns

    def shutdown(self, timeout_s: float = 10.0) -> bool:
        """End the worker process and join the thread; nothing is drawn afterwards.

        Returns:
            Whether the thread has ended.
        """
        self._wishes.close()
        if not self._thread.wait(round(min(_GRACE_S, timeout_s) * 1000)):
            self._thread.kill_worker()
        if self._thread.wait(max(1, round(timeout_s * 1000))):
            return True
        # Nobody would end it any more.
        self._thread.kill_worker(is_last=True)
        return self._thread.wait(round(_GRACE_S * 1000))

    def _run(self) -> None:
        if self._wishes.is_whole and not self._thread.isRunning():
            self._thread.start()

    def _hear(self, news: CameraFrame | str) -> None:
        if self._wishes.is_closed:
            return
        if isinstance(news, str):
            self.problem = news
            self.given_up.emit(news)
        elif self._is_watched:
            self.drawn.emit(news)


@dataclass(frozen=True, eq=False, slots=True)
class _Wish:
    settings: CameraSettings | None
    scene: Scene | None
    place: CameraPlace | None
    is_anew: bool
    """By another worker than before."""


class _Wishes:
    """What is wanted by now, passed from the window to the thread."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._settings: CameraSettings | None = None
        self._scene: Scene | None = None
        self._place: CameraPlace | None = None
        self._is_new = self._is_anew = False
        self.is_closed = False

    @property
    def is_whole(self) -> bool:
        """Whether there is something to draw with and something to draw."""
        return self._settings is not None and self._scene is not None and not self.is_closed

    def is_off(self) -> bool:
        """Whether nothing is to be drawn any more by the worker there is."""
        return not self.is_whole or self._is_anew

    def want(self, settings: CameraSettings | None, *, is_anew: bool = False) -> None:
        with self._condition:
            self._settings, self._is_new = settings, True
            self._is_anew = self._is_anew or is_anew
            self._condition.notify()

    def put_into(self, scene: Scene) -> None:
        with self._condition:
            self._scene, self._place, self._is_new = scene, None, True
            self._condition.notify()

    def look_from(self, place: CameraPlace | None) -> None:
        with self._condition:
            self._place = place
            self._condition.notify()

    def give_up(self, settings: CameraSettings | None) -> None:
        """Want no camera any more, unless another one is wanted by now."""
        with self._condition:
            if not self._is_new and settings is self._settings:
                self._settings = None

    def close(self) -> None:
        with self._condition:
            self.is_closed = True
            self._condition.notify()

    def take(self) -> _Wish | None:
        """Wait for the next wish; ``None`` once closed."""
        with self._condition:
            self._condition.wait_for(
                lambda: self.is_closed or self._is_new or self._place is not None
            )
            wish = _Wish(self._settings, self._scene, self._place, self._is_anew)
            self._is_new, self._is_anew, self._place = False, False, None
            return None if self.is_closed else wish

    def rest(self, duration_s: float) -> None:
        """Draw nothing for so long."""
        with self._condition:
            self._condition.wait_for(lambda: self.is_closed or self._is_new, duration_s)


class _DrawingThread(QThread):
    """Talks to the worker that draws."""

    def __init__(
        self,
        start: StartCamera,
        wishes: _Wishes,
        tell: Callable[[CameraFrame | str], None],
        parent: QObject,
    ) -> None:
        # It goes with its eye: what tells it holds the eye, which holds it.
        super().__init__(parent)
        self._start, self._wishes, self._tell = start, wishes, tell
        self._client: SimulatorClient | None = None
        self._ending: SimulatorClient | None = None
        self._feed: CameraFeed | None = None
        self._scene: Scene | None = None

    def kill_worker(self, *, is_last: bool = False) -> None:
        """Make a request in progress fail; called from another thread.

        Args:
            is_last: Whether a worker that was asked to end, and takes its time, is ended as well.
        """
        client = self._client or (self._ending if is_last else None)
        if client is not None:
            client.kill()

    def run(self) -> None:
        """Draw what is wished for until the wishes are closed."""
        while (wish := self._wishes.take()) is not None:
            begin_s = time.monotonic()
            try:
                self._serve(wish)
            except Cancelled:
                self._end()
            except WaypostError as error:
                self._give_up(wish, str(error))
            except Exception as error:
                _log.exception("unexpected error while frames are drawn")
                self._give_up(wish, f"unexpected answer of the engine that draws: {error!r}")
            if wish.place is not None:
                self._wishes.rest(max(0.0, _EVERY_S - (time.monotonic() - begin_s)))
        self._end()

    def _serve(self, wish: _Wish) -> None:
        if wish.settings is None or wish.is_anew:
            self._end()
        if wish.settings is None or wish.scene is None:
            return
        if self._client is None:
            self._client = self._start(self._wishes.is_off)
        if self._scene is not wish.scene:
            self._client.load_scene(wish.scene)
            self._scene = wish.scene
        if self._feed is None or self._feed.settings != wish.settings:
            if self._feed is not None:
                self._feed.close()
            self._feed = self._client.open_camera(wish.settings)
        if wish.place is not None:
            self._tell(self._feed.frame_from(wish.place))

    def _give_up(self, wish: _Wish, sentence: str) -> None:
        self._end()
        self._wishes.give_up(wish.settings)
        self._tell(sentence)

    def _end(self) -> None:
        client = self._ending = self._client
        self._client = self._scene = None
        feed, self._feed = self._feed, None
        if client is not None:
            client.close()
        self._ending = None
        if feed is not None:
            feed.close()

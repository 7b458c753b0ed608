"""Takes pictures between two of the window's own for work that runs on another thread.

OpenGL draws on the window's thread only. The work there waits for picture after picture, encodes
and writes; the window is never held longer than one turn of a picture takes.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.scene.scene import Scene
from waypost.viewers.scene.filming import Filming, Shot
from waypost.viewers.scene.mesh_batches import PackedScene
from waypost.viewers.scene.picture_camera import PictureCamera

T = TypeVar("T")

_WAIT_S = 0.05
"""How long the work waits for a picture before it can be cancelled."""

_PAUSE_MS = 3
"""Between two steps for a picture; without, the event loop takes them in one turn with the
window's own picture, and its pointer and keys wait for the sum."""


class FilmCamera(QObject):
    """One camera that serves one work; made on the window's thread and closed there.

    Args:
        scene: What is filmed.
        packed: The same for the graphics card.
        parent: Qt owner.
    """

    _asked = Signal()

    def __init__(self, scene: Scene, packed: PackedScene, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scene, self._packed = scene, packed
        self._camera: PictureCamera | None = None
        self._is_complete = False
        self._shot: Shot | None = None
        self._taking: Generator[None, None, NDArray[np.uint8]] | None = None
        self._answer: NDArray[np.uint8] | Exception | None = None
        self._answered = threading.Event()
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._serve)
        self._asked.connect(self._pause.start, Qt.ConnectionType.QueuedConnection)

    def film(self, work: Filming[T]) -> Work[T]:
        """Do the work on the thread of whoever steps through this.

        Yields:
            Progress, at least every 50 ms; closing it there leaves nothing of the work.

        Returns:
            What the work returned.
        """
        try:
            shot = next(work)
            while True:
                self._answered.clear()
                self._shot = shot
                self._asked.emit()
                yield Progress(shot.done, shot.total, shot.title)
                while not self._answered.wait(_WAIT_S):
                    yield Progress(shot.done, shot.total, shot.title)
                if isinstance(self._answer, Exception):
                    raise self._answer
                if self._answer is None:
                    raise InputError("the window closed while it was filming")
                shot = work.send(self._answer)
        except StopIteration as stop:
            result: T = stop.value
            return result
        finally:
            work.close()

    def close(self) -> None:
        """Let the graphics card go."""
        self._shot = self._taking = None
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _serve(self) -> None:
        """Do one short step towards the picture that is asked for."""
        shot = self._shot
        if shot is None:
            return
        try:
            if self._camera is None:
                self._camera = PictureCamera(self._scene, self._packed)
            elif not self._is_complete:
                self._is_complete = self._camera.prepare()
            else:
                self._taking = self._taking or self._camera.take_steps(
                    shot.pose, shot.fov, shot.size, has_headlight=shot.has_headlight
                )
                next(self._taking)
        except StopIteration as stop:
            self._answer, self._shot, self._taking = stop.value, None, None
            self._answered.set()
            return
        except Exception as error:  # whatever a graphics driver raises; the work must not wait
            self._answer, self._shot, self._taking = error, None, None
            self._answered.set()
            return
        self._pause.start()

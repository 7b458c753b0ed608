"""Pictures of a scene from given places, taken between two of the window's own and kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from waypost.domain.record.camera_take import CameraPose, FieldOfView, PictureSize
from waypost.domain.scene.scene import Scene
from waypost.viewers.scene.mesh_batches import PackedScene
from waypost.viewers.scene.picture_camera import PictureCamera

KEPT_MB: Final = 64
"""Memory for pictures that were taken."""

_PAUSE_MS: Final = 3
"""Between two turns, so that the window answers."""


@dataclass(frozen=True, slots=True)
class ShotWish:
    """A picture that is wanted."""

    pose: CameraPose
    fov: FieldOfView
    size: PictureSize


class SceneShots(QObject):
    """Takes pictures in turns of the event loop, none of which is long.

    What was begun is finished: while something plays, each picture comes although another one is
    wanted by then.

    Args:
        scene: What is taken.
        packed: The same for the graphics card.
        parent: Qt owner. Call ``close`` before it goes.
    """

    arrived = Signal(object)
    """The `ShotWish` whose picture has come; ``None`` where ``problem`` says that none will."""

    def __init__(self, scene: Scene, packed: PackedScene, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scene, self._packed = scene, packed
        self._camera: PictureCamera | None = None
        self._is_complete = False
        self._wishes: list[ShotWish] = []
        self._wish: ShotWish | None = None
        self._taking: Generator[None, None, NDArray[np.uint8]] | None = None
        self._kept: OrderedDict[ShotWish, QImage] = OrderedDict()
        self._kept_bytes = 0
        self._turns = QTimer(self, interval=_PAUSE_MS)
        self._turns.timeout.connect(self._take_turn)
        self.problem = ""
        """Why there are no pictures, in a sentence; empty while nothing is wrong."""

    def shown(self, wish: ShotWish) -> QImage | None:
        """The picture if it was taken; never waits."""
        if wish in self._kept:
            self._kept.move_to_end(wish)
        return self._kept.get(wish)

    def ask(self, wishes: Sequence[ShotWish]) -> None:
        """Take these, the first one first; what was asked for before and has not begun is off."""
        self._wishes = [wish for wish in wishes if self.shown(wish) is None and wish != self._wish]
        if (self._wishes or self._wish) and not self.problem:
            self._turns.start()

    def close(self) -> None:
        """Take no more, and let the graphics card go."""
        self._turns.stop()
        self._wishes, self._wish, self._taking = [], None, None
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _take_turn(self) -> None:
        try:
            if self._camera is None:
                self._camera = PictureCamera(self._scene, self._packed)
            elif not self._is_complete:
                self._is_complete = self._camera.prepare()
            elif self._taking is not None:
                next(self._taking)
            elif self._wishes:
                wish = self._wish = self._wishes.pop(0)
                self._taking = self._camera.take_steps(wish.pose, wish.fov, wish.size)
            else:
                self._turns.stop()
        except StopIteration as stop:
            self._keep(stop.value)
        except Exception as error:  # whatever a graphics driver raises; nobody waits in vain
            self.problem = f"No pictures of the scene: {error}"
            self.close()
            self.arrived.emit(None)

    def _keep(self, pixels: NDArray[np.uint8]) -> None:
        wish, self._wish, self._taking = self._wish, None, None
        if wish is None:
            return
        height, width = pixels.shape[:2]
        # The picture is a copy: the pixels go.
        image = QImage(pixels.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888)
        self._kept[wish] = image.convertToFormat(QImage.Format.Format_RGB32)
        self._kept_bytes += self._kept[wish].sizeInBytes()
        while self._kept_bytes > KEPT_MB * 2**20 and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= oldest.sizeInBytes()
        self.arrived.emit(wish)

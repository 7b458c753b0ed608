"""The scene and its overlays on a surface: keeps what is on the card and draws one picture."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Generator, Iterable, Iterator

from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from vispy import gloo

from waypost.domain.base.frames import Vec3
from waypost.domain.base.progress import exhaust
from waypost.domain.scene.scene import Mesh, Scene
from waypost.viewers.scene import shaders
from waypost.viewers.scene.drawing import Drawing
from waypost.viewers.scene.frame_state import FrameState
from waypost.viewers.scene.gl_layers import MeshLayer, OverlayLayer, SectionLayer
from waypost.viewers.scene.gl_surface import make_surface
from waypost.viewers.scene.mesh_batches import PackedScene
from waypost.viewers.scene.overlay_buffers import quad_indices, solid_triangles
from waypost.viewers.scene.overlay_packing import OverlayPacker
from waypost.viewers.scene.section import section_triangles

_log = logging.getLogger(__name__)

_UPLOAD_S = 0.02
"""How long one picture may take to bring more of the scene to the card."""


class GlStage:
    """What is drawn of a scene and its overlays.

    Args:
        parent: Widget that the picture fills.
        frame: Gives the state of the next picture for a framebuffer of width and height.
        context_lost: Called when the context goes, e.g. because the widget has moved to another
            window; nothing is drawn any more, and a new stage has to take over.
        painted: Called after each picture that was drawn for the screen.
    """

    def __init__(
        self,
        parent: QWidget,
        frame: Callable[[int, int], FrameState],
        context_lost: Callable[[], None],
        painted: Callable[[], None] = lambda: None,
    ) -> None:
        self._frame = frame
        self._surface = make_surface(parent, self._draw, context_lost)
        self._surface.painted.connect(painted)
        self._mesh: MeshLayer | None = None
        self._upload_s = _UPLOAD_S
        self._section = SectionLayer()
        self._section_z: float | None = None
        self._closed: tuple[Mesh, ...] = ()
        line, marker, solid = (
            (shaders.LINE_VERTEX, shaders.LINE_FRAGMENT),
            (shaders.MARKER_VERTEX, shaders.MARKER_FRAGMENT),
            (shaders.SOLID_VERTEX, shaders.SOLID_FRAGMENT),
        )
        self._packer = OverlayPacker()
        self._lines = [OverlayLayer(*line, is_on_top=top) for top in (False, True)]
        self._markers = [OverlayLayer(*marker, is_on_top=top) for top in (False, True)]
        self._clear_solids = [OverlayLayer(*solid, is_on_top=top) for top in (False, True)]
        self._full_solids = OverlayLayer(*solid, is_on_top=False)

    @property
    def widget(self) -> QWidget:
        """What the picture is painted on."""
        return self._surface

    @property
    def is_complete(self) -> bool:
        """Whether all of the scene is on the card; until then it is not drawn."""
        return self._mesh is None or self._mesh.is_complete

    @property
    def is_behind(self) -> bool:
        """Whether pictures of what is shown come late, because they take several turns."""
        return self._surface.is_behind

    def set_scene(self, scene: Scene | None, packed: PackedScene | None) -> None:
        """Show another scene; it goes to the card in pieces with the next pictures.

        Args:
            scene: What is shown.
            packed: The same for the card; without it nothing is shown.
        """
        self._surface.drop_picture()
        if scene is None or packed is None or scene.triangle_count == 0:
            self._mesh = None
            self._closed = ()
            return
        self._mesh = MeshLayer(packed)
        self._closed = tuple(scene.meshes[index] for index in packed.closed_meshes)
        self._section_z = None

    def prepare_steps(self, drawing: Drawing, origin_m: Vec3) -> Generator[None, None, None]:
        """Get a large drawing ready that ``set_overlays`` will be given next, in steps."""
        return self._packer.prepare_steps(drawing, origin_m)

    def set_overlays(self, drawings: Iterable[Drawing], origin_m: Vec3) -> None:
        """Show these drawings, the last one on top."""
        together = list(drawings)
        packed = self._packer.pack(together, origin_m)
        meshes = [mesh for drawing in together for mesh in drawing.meshes]
        for is_on_top in (False, True):
            quads = [part for one in packed for part in one.quads[is_on_top]]
            self._lines[is_on_top].set_data(quads, quad_indices(sum(map(len, quads))))
            self._markers[is_on_top].set_data(p for one in packed for p in one.points[is_on_top])
            clear = [m for m in meshes if m.is_on_top is is_on_top]
            if not is_on_top:
                clear = [m for m in clear if m.color[3] < 1.0]
            vertices, indices = solid_triangles(clear, origin_m)
            self._clear_solids[is_on_top].set_data([vertices], indices)
        full = [m for m in meshes if not m.is_on_top and m.color[3] >= 1.0]
        vertices, indices = solid_triangles(full, origin_m)
        self._full_solids.set_data([vertices], indices)

    def update(self) -> None:
        """Ask for a new picture."""
        self._surface.request_picture()

    def grab_steps(self) -> Generator[None, None, QImage]:
        """Draw the picture with the whole scene.

        Yields:
            Between turns that are short by themselves; see ``gl_layers.TURN_TRIANGLES``.

        Returns:
            The picture in framebuffer pixels.
        """
        self._upload_s = math.inf
        try:
            return (yield from self._surface.picture_steps())
        finally:
            self._upload_s = _UPLOAD_S

    def bring_more(self) -> bool:
        """Bring a piece of the scene to the card, as showing a picture does.

        Returns:
            Whether all of it is there.
        """
        exhaust(self._surface.picture_steps())
        return self.is_complete

    def close(self) -> None:
        """Stop drawing and take the surface away, e.g. because its context has gone."""
        self._surface.release()
        self._mesh = None
        self.widget.hide()
        self.widget.setParent(None)
        self.widget.deleteLater()

    def _draw(self, width: int, height: int) -> Iterator[int]:
        frame = self._frame(width, height)
        gloo.set_viewport(0, 0, width, height)
        gloo.set_state(depth_test=True, depth_mask=True)
        gloo.clear(color=(*frame.background[:3], 1.0), depth=True, stencil=True)
        if self._mesh is not None and self._is_uploaded(self._mesh):
            yield from self._mesh.draw_steps(frame)
            yield self._prepare_section(frame)
            yield self._section.draw(frame)
        yield self._full_solids.draw(frame, writes_depth=True)
        for is_on_top in (False, True):
            yield self._clear_solids[is_on_top].draw(frame)
            yield self._lines[is_on_top].draw(frame)
            yield self._markers[is_on_top].draw(frame)
        # Where nothing was drawn gloo has not even cleared yet.
        gloo.flush()

    def _is_uploaded(self, mesh: MeshLayer) -> bool:
        """Bring more of the scene to the card; whether there is time left to draw it."""
        if mesh.is_complete:
            return True
        mesh.upload(self._upload_s)
        # Not from within the picture: input comes first.
        QTimer.singleShot(0, self._surface, self._surface.request_picture)
        return self._upload_s == math.inf

    def _prepare_section(self, frame: FrameState) -> int:
        """Bring the section to the card; how many triangles had to be looked through."""
        if not frame.is_cut or frame.cut_z == self._section_z:
            return 0
        self._section_z = frame.cut_z
        self._section.set_data(section_triangles(self._closed, frame.cut_z))
        return sum(len(mesh.faces) for mesh in self._closed)

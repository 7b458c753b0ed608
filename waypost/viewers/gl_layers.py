"""The few programs that draw a scene and its overlays, each one draw call per kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vispy import gloo
from vispy.gloo import gl

from waypost.viewers import shaders
from waypost.viewers.frame_state import FrameState
from waypost.viewers.mesh_batches import PackedScene

_WHITE = np.full((1, 1, 4), 255, dtype=np.uint8)
_GL_LINEAR_MIPMAP_LINEAR = 0x2703


class MeshLayer:
    """The textured scene: one vertex buffer, one index buffer per texture, cut by discard.

    Args:
        packed: Vertices and batches.
        textures: ``Scene.textures``.
    """

    def __init__(self, packed: PackedScene, textures: Sequence[NDArray[np.uint8]]) -> None:
        self._program = gloo.Program(shaders.MESH_VERTEX, shaders.MESH_FRAGMENT)
        self._program.bind(gloo.VertexBuffer(packed.vertices))
        self._white = gloo.Texture2D(_WHITE, interpolation="linear")
        self._textures = {
            index: gloo.Texture2D(textures[index], interpolation="linear", wrapping="repeat")
            for index in {batch.texture_index for batch in packed.batches}
            if index is not None
        }
        self._batches = [
            (gloo.IndexBuffer(batch.indices), batch.texture_index, batch.opacity)
            for batch in packed.batches
        ]
        self._has_mipmaps = False

    def draw(self, frame: FrameState) -> None:
        """Draw everything below the cut; transparent batches last."""
        program = self._program
        program["u_clip_from_local"] = frame.clip_from_local
        program["u_eye"] = frame.eye
        program["u_forward"] = frame.forward
        program["u_is_parallel"] = float(frame.is_parallel)
        program["u_cut_z"] = frame.cut_z
        program["u_is_cut"] = float(frame.is_cut)
        program["u_section"] = frame.section
        program["u_dim"] = frame.dim
        program["u_floors"] = frame.floors
        gloo.set_state(depth_test=True, cull_face=False, blend=False, depth_mask=True)
        is_blending = False
        for indices, texture_index, opacity in self._batches:
            if opacity < 1.0 and not is_blending:
                is_blending = True
                gloo.set_state(blend=True, depth_mask=False, blend_func=_BLEND)
            program["u_opacity"] = opacity
            texture = self._white if texture_index is None else self._textures[texture_index]
            program["u_texture"] = texture
            program.draw("triangles", indices)
        gloo.set_state(depth_mask=True)
        if not self._has_mipmaps:
            self._has_mipmaps = True
            self._make_mipmaps()

    def _make_mipmaps(self) -> None:
        """Once the textures exist on the card; vispy has no call for it."""
        context = gloo.get_current_canvas().context
        context.flush_commands()
        for texture in self._textures.values():
            handle = context.shared.parser.get_object(texture.id).handle
            gl.glBindTexture(gl.GL_TEXTURE_2D, handle)
            gl.glGenerateMipmap(gl.GL_TEXTURE_2D)
            gl.glTexParameterf(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, _GL_LINEAR_MIPMAP_LINEAR)
        gl.glBindTexture(gl.GL_TEXTURE_2D, 0)


class SectionLayer:
    """Fills the section of closed bodies where the cut opens them, through the stencil."""

    def __init__(self) -> None:
        self._fans = gloo.Program(shaders.SECTION_VERTEX, shaders.SECTION_FRAGMENT)
        self._plane = gloo.Program(shaders.SECTION_VERTEX, shaders.SECTION_FRAGMENT)
        self._is_empty = True

    def set_data(self, triangles: NDArray[np.float32]) -> None:
        """Show the section that these signed fans add up to; see ``section_triangles``."""
        self._is_empty = len(triangles) == 0
        if self._is_empty:
            return
        points = np.ascontiguousarray(triangles.reshape(-1, 3))
        low, high = points.min(axis=0), points.max(axis=0)
        corners = [(low[0], low[1]), (high[0], low[1]), (low[0], high[1]), (high[0], high[1])]
        plane = np.array([(x, y, low[2]) for x, y in corners], dtype=np.float32)
        self._fans["a_position"] = gloo.VertexBuffer(points)
        self._plane["a_position"] = gloo.VertexBuffer(plane)

    def draw(self, frame: FrameState) -> None:
        """Draw it with depth, after the scene."""
        if self._is_empty or not frame.is_cut:
            return
        for program in (self._fans, self._plane):
            program["u_clip_from_local"] = frame.clip_from_local
            program["u_section"] = frame.section
        gloo.set_state(
            stencil_test=True, depth_test=False, depth_mask=False, cull_face=False, blend=False
        )
        gloo.set_color_mask(False, False, False, False)
        gloo.set_stencil_func("always", 0, 0xFF)
        gloo.set_stencil_op("keep", "keep", "incr_wrap", "front")
        gloo.set_stencil_op("keep", "keep", "decr_wrap", "back")
        self._fans.draw("triangles")
        gloo.set_color_mask(True, True, True, True)
        gloo.set_state(depth_test=True, depth_mask=True)
        gloo.set_stencil_func("notequal", 0, 0xFF)
        gloo.set_stencil_op("keep", "keep", "keep")
        self._plane.draw("triangle_strip")
        gloo.set_state(stencil_test=False)


class OverlayLayer:
    """One kind of overlay: a vertex buffer that is refilled in place while its size holds.

    Args:
        vertex: GLSL of the vertex program.
        fragment: GLSL of the fragment program.
        is_on_top: Whether the scene never hides it.
    """

    def __init__(self, vertex: str, fragment: str, *, is_on_top: bool) -> None:
        self._program = gloo.Program(vertex, fragment)
        self._is_on_top = is_on_top
        self._vertices: Any = None
        self._count = 0
        self._indices: Any = None
        self._index_count = 0

    def set_data(
        self, vertices: NDArray[np.void], indices: NDArray[np.uint32] | None = None
    ) -> None:
        """Show these vertices from the next picture on."""
        if len(vertices) == 0:
            self._count = 0
            return
        if self._vertices is None or len(vertices) != self._count:
            self._vertices = gloo.VertexBuffer(vertices)
            self._program.bind(self._vertices)
        else:
            self._vertices.set_data(vertices)
        self._count = len(vertices)
        if indices is None:
            return
        if self._indices is None or len(indices) != self._index_count:
            self._indices = gloo.IndexBuffer(indices)
            self._index_count = len(indices)
        else:
            self._indices.set_data(indices)

    def draw(self, frame: FrameState, *, writes_depth: bool = False) -> None:
        """Draw all of it, blended."""
        if not self._count:
            return
        gloo.set_state(
            depth_test=not self._is_on_top,
            depth_mask=writes_depth,
            cull_face=False,
            blend=True,
            blend_func=_BLEND,
        )
        self._set_uniforms(frame)
        if self._indices is None:
            self._program.draw("points")
        else:
            self._program.draw("triangles", self._indices)
        gloo.set_state(depth_mask=True)

    def _set_uniforms(self, frame: FrameState) -> None:
        values: dict[str, Callable[[], object]] = {
            "u_clip_from_local": lambda: frame.clip_from_local,
            "u_viewport": lambda: (frame.width, frame.height),
            "u_px": lambda: frame.px,
            "u_bias": lambda: 2e-5 if frame.is_parallel else 2e-4,
        }
        for kind, _, name in self._program.variables:
            if kind == "uniform" and name in values:
                self._program[name] = values[name]()


_BLEND = ("src_alpha", "one_minus_src_alpha", "one", "one_minus_src_alpha")

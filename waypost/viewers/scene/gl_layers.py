"""The few programs that draw a scene and its overlays, each one draw call per kind."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vispy import gloo
from vispy.gloo import gl

from waypost.domain.scene.texture_wrap import REPEATED, TextureWrap, WrapMode
from waypost.viewers.scene import mesh_pieces, shaders
from waypost.viewers.scene.finish import PLAIN
from waypost.viewers.scene.frame_state import FrameState
from waypost.viewers.scene.mesh_batches import Batch, PackedScene
from waypost.viewers.scene.mesh_pieces import (
    PieceBounds,
    nearest_first,
    seen_pieces,
)

_WHITE = np.full((1, 1, 4), 255, dtype=np.uint8)
_GL_LINEAR_MIPMAP_LINEAR = 0x2703
_GL_WRAPS = {
    WrapMode.REPEAT: gl.GL_REPEAT,
    WrapMode.MIRROR: gl.GL_MIRRORED_REPEAT,
    WrapMode.CLAMP: gl.GL_CLAMP_TO_EDGE,
    # To the border of a texture, which is transparent black unless one asks for something else.
    WrapMode.BLACK: 0x812D,
}
_RGBA_BYTES = (gl.GL_RGBA, gl.GL_UNSIGNED_BYTE)
_PIECE_BYTES = 2 * 1024 * 1024
"""Taken by a software renderer in some 10 ms."""

_SMALL_PX = 64 * 64

TURN_TRIANGLES = 100_000
"""What is drawn in one turn of the event loop; a software renderer takes some 10 ms for it.

Counted and not timed: a picture takes as many turns on every machine."""

_BYTES_OF_TRIANGLE = 20
"""What the card takes in the time of one triangle; ``_PIECE_BYTES`` are a turn."""

_FREE_PIXELS = 1_000_000
"""A picture up to this size costs only its triangles; beyond, its shading counts as well."""

_PIXELS_OF_TRIANGLE = 5
"""Shaded in the time of one triangle."""

_MARKER_TRIANGLES = 20
"""One marker takes a software renderer as long as so many triangles."""


class _Cost:
    """What draw calls of one program cost a software renderer, in triangles of a scene."""

    def __init__(self) -> None:
        self._known: set[bool] = set()

    def of(self, triangles: int, *, is_blended: bool = True) -> int:
        """Cost of so many triangles; at first the renderer compiles, which takes a turn."""
        if is_blended in self._known:
            return triangles
        self._known.add(is_blended)
        return max(triangles, TURN_TRIANGLES)


class MeshLayer:
    """The textured scene: one vertex buffer, index buffers per piece, cut by discard.

    It reaches the card in pieces (see ``upload``) and is drawn once all of it is there: pictures
    in between would cost more time than they save.

    Args:
        packed: Vertices, batches and textures.
    """

    def __init__(self, packed: PackedScene) -> None:
        self._program = gloo.Program(shaders.MESH_VERTEX, shaders.MESH_FRAGMENT)
        self._finished: Any = None
        self._white = gloo.Texture2D(_WHITE, interpolation="linear")
        self._textures: dict[int, Any] = {}
        self._pieces: list[tuple[Any, Batch]] = []
        self._bounds = PieceBounds.joined([batch.bounds for batch in packed.batches])
        # From 1, so that a minus can say that the pieces of a batch keep their order.
        numbers = [-n if b.is_blended else n for n, b in enumerate(packed.batches, 1)]
        self._batch_of = np.repeat(numbers, [len(b.bounds.low) for b in packed.batches]).astype(int)
        self._cost = _Cost()
        self._rest: Iterator[None] | None = self._upload_steps(packed)

    @property
    def is_complete(self) -> bool:
        """Whether all of the scene is on the card."""
        return self._rest is None

    def upload(self, seconds: float) -> None:
        """Bring more of the scene to the card; needs its context.

        Args:
            seconds: How long to go on; one piece is brought in any case.
        """
        deadline = time.perf_counter() + seconds
        while self._rest is not None:
            if next(self._rest, self) is self:
                self._rest = None
            if time.perf_counter() >= deadline:
                return

    def draw_steps(self, frame: FrameState) -> Iterator[int]:
        """Draw what is below the cut and within the view; transparent batches last.

        Yields:
            After each call its cost in triangles, with nothing left that the card is not told.
        """
        if not self.is_complete:
            return
        for program in filter(None, (self._program, self._finished)):
            _set_frame(program, frame)
        gloo.set_state(depth_test=True, cull_face=False, blend=False, depth_mask=True)
        is_blending = False
        told, program = None, self._program
        seen = np.flatnonzero(seen_pieces(self._bounds, frame))
        shading = _shading_cost(frame) // max(1, len(seen))
        for number in nearest_first(seen, self._bounds, self._batch_of, frame).tolist():
            indices, batch = self._pieces[number]
            if batch.is_blended and not is_blending:
                is_blending = True
                gloo.set_state(blend=True, depth_mask=False, blend_func=_BLEND)
            if batch is not told:
                told, program = batch, self._program_of(batch)
            program.draw("triangles", indices)
            yield self._cost.of(indices.size // 3 + shading, is_blended=is_blending)
        gloo.set_state(depth_mask=True)

    def _program_of(self, batch: Batch) -> Any:
        """The program that draws a batch, told everything about it."""
        finish = batch.finish
        program = self._program if finish == PLAIN else self._finished
        program["u_opacity"] = batch.opacity
        program["u_texture"] = self._texture(batch.texture_index)
        if finish != PLAIN:
            program["u_glow_texture"] = self._texture(finish.glow_texture)
            program["u_occlusion_texture"] = self._texture(finish.occlusion_texture)
            program["u_glow"] = finish.glow
            program["u_alpha"] = (finish.least_alpha, finish.below_alpha)
            program["u_is_blended"] = float(finish.is_blended)
            program["u_is_one_sided"] = float(finish.is_one_sided)
        return program

    def _texture(self, index: int | None) -> Any:
        return self._white if index is None or index < 0 else self._textures[index]

    def _upload_steps(self, packed: PackedScene) -> Iterator[None]:
        vertices = packed.vertices
        buffer = gloo.VertexBuffer(vertices[:1])
        buffer.resize_bytes(vertices.nbytes)
        self._program.bind(buffer)
        most = _PIECE_BYTES // vertices.itemsize
        for start in range(0, len(vertices), most):
            buffer.set_subdata(vertices[start : start + most], start)
            _flush(buffer)
            yield
        if any(batch.finish != PLAIN for batch in packed.batches):
            self._finished = _finished_program(buffer, packed.light_uvs)
            yield
        for index, levels in packed.textures.items():
            texture = gloo.Texture2D(shape=levels[0].shape, interpolation="linear")
            _flush(texture)
            self._textures[index] = texture
            yield from texture_steps(texture, levels, packed.wraps.get(index, REPEATED))
        for batch in packed.batches:
            most = mesh_pieces.PIECE_TRIANGLES * 3
            for start in range(0, len(batch.indices), most):
                indices = gloo.IndexBuffer(batch.indices[start : start + most])
                _flush(indices)
                self._pieces.append((indices, batch))
                yield


def _finished_program(vertices: Any, light_uvs: NDArray[np.float32] | None) -> Any:
    """The program of batches with a finish, over the vertices of the other one."""
    program = gloo.Program(
        shaders.FINISHED + shaders.MESH_VERTEX, shaders.FINISHED + shaders.MESH_FRAGMENT
    )
    program.bind(vertices)
    program["a_light_uv"] = vertices["a_uv"] if light_uvs is None else gloo.VertexBuffer(light_uvs)
    return program


def _set_frame(program: Any, frame: FrameState) -> None:
    program["u_clip_from_local"] = frame.clip_from_local
    program["u_eye"] = frame.eye
    program["u_forward"] = frame.forward
    program["u_is_parallel"] = float(frame.is_parallel)
    program["u_cut_z"] = frame.cut_z
    program["u_is_cut"] = float(frame.is_cut)
    program["u_section"] = frame.section
    program["u_dim"] = frame.dim
    program["u_floors"] = frame.floors


def _shading_cost(frame: FrameState) -> int:
    """What the pixels of a picture cost, in triangles; nobody knows which batch covers which."""
    return max(0, frame.width * frame.height - _FREE_PIXELS) // _PIXELS_OF_TRIANGLE


def texture_steps(
    texture: Any, levels: Sequence[NDArray[np.uint8]], wrap: TextureWrap = REPEATED
) -> Iterator[None]:
    """Fill a texture and its reduced levels in bands of rows; vispy knows one level only.

    Args:
        texture: A ``gloo.Texture2D`` that exists on the card, of the first level's size.
        levels: (H, W, 4) each; all of them, largest first.
        wrap: What it shows beyond its edges.
    """
    context = gloo.get_current_canvas().context
    handle = context.shared.parser.get_object(texture.id).handle
    for level, picture in enumerate(levels):
        height, width = picture.shape[:2]
        most = max(1, _PIECE_BYTES // (4 * width))
        gl.glBindTexture(gl.GL_TEXTURE_2D, handle)
        if level:
            gl.glTexImage2D(gl.GL_TEXTURE_2D, level, gl.GL_RGBA, *_RGBA_BYTES, (height, width))
        for row in range(0, height, most):
            gl.glBindTexture(gl.GL_TEXTURE_2D, handle)
            band = picture[row : row + most]
            gl.glTexSubImage2D(gl.GL_TEXTURE_2D, level, 0, row, *_RGBA_BYTES, band)
            if height * width > _SMALL_PX:
                yield
    gl.glBindTexture(gl.GL_TEXTURE_2D, handle)
    gl.glTexParameterf(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, _GL_LINEAR_MIPMAP_LINEAR)
    gl.glTexParameterf(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_WRAP_S, _GL_WRAPS[wrap.s])
    gl.glTexParameterf(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_WRAP_T, _GL_WRAPS[wrap.t])
    gl.glBindTexture(gl.GL_TEXTURE_2D, 0)
    yield


def _flush(part: Any) -> None:
    """Have the card take what a buffer or texture was given."""
    context = gloo.get_current_canvas().context
    context.glir.associate(part.glir)
    context.flush_commands()


class SectionLayer:
    """Fills the section of closed bodies where the cut opens them, through the stencil."""

    def __init__(self) -> None:
        self._fans = gloo.Program(shaders.SECTION_VERTEX, shaders.SECTION_FRAGMENT)
        self._plane = gloo.Program(shaders.SECTION_VERTEX, shaders.SECTION_FRAGMENT)
        self._is_empty = True
        self._count = 0
        self._cost = _Cost()

    def set_data(self, triangles: NDArray[np.float32]) -> None:
        """Show the section that these signed fans add up to; see ``section_triangles``."""
        self._count = len(triangles)
        self._is_empty = self._count == 0
        if self._is_empty:
            return
        points = np.ascontiguousarray(triangles.reshape(-1, 3))
        low, high = points.min(axis=0), points.max(axis=0)
        corners = [(low[0], low[1]), (high[0], low[1]), (low[0], high[1]), (high[0], high[1])]
        plane = np.array([(x, y, low[2]) for x, y in corners], dtype=np.float32)
        self._fans["a_position"] = gloo.VertexBuffer(points)
        self._plane["a_position"] = gloo.VertexBuffer(plane)

    def draw(self, frame: FrameState) -> int:
        """Draw it with depth, after the scene; the cost in triangles."""
        if self._is_empty or not frame.is_cut:
            return 0
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
        return self._cost.of(self._count)


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
        self._new_bytes = 0
        self._cost = _Cost()

    def set_data(
        self, parts: Iterable[NDArray[np.void]], indices: NDArray[np.uint32] | None = None
    ) -> None:
        """Show these vertices from the next picture on.

        Args:
            parts: Of one dtype, drawn one after the other. They are not joined before they go to
                the card: that would take 60 ms for a large graph.
            indices: Into all of them together.
        """
        held = [part for part in parts if len(part)]
        count = sum(map(len, held))
        if count == 0:
            self._count = 0
            return
        if self._vertices is None or count != self._count:
            self._vertices = gloo.VertexBuffer(held[0][:1])
            self._vertices.resize_bytes(count * held[0].itemsize)
            self._program.bind(self._vertices)
        first = 0
        for part in held:
            self._vertices.set_subdata(part, first)
            first += len(part)
        self._count = count
        self._new_bytes = count * held[0].itemsize
        if indices is None:
            return
        if self._indices is None or len(indices) != self._index_count:
            self._indices = gloo.IndexBuffer(indices)
            self._index_count = len(indices)
        else:
            self._indices.set_data(indices)

    def draw(self, frame: FrameState, *, writes_depth: bool = False) -> int:
        """Draw all of it, blended; the cost in triangles."""
        if not self._count:
            return 0
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
        new_bytes, self._new_bytes = self._new_bytes, 0
        return self._cost.of(self._triangles + new_bytes // _BYTES_OF_TRIANGLE)

    @property
    def _triangles(self) -> int:
        return self._count * _MARKER_TRIANGLES if self._indices is None else self._index_count // 3

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

"""Frame time of the scene view against a bare OpenGL loop over the same buffers, same run."""

from __future__ import annotations

import ctypes
import math
import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from OpenGL import GL
from PySide6.QtGui import QImage, QSurfaceFormat
from PySide6.QtOpenGLWidgets import QOpenGLWidget

from benchmarks.pictures import surface_of
from benchmarks.scenes import bumpy_room, many_rooms
from waypost.app.shell.qt_application import the_qt_application
from waypost.domain.scene.scene import Scene
from waypost.services.appearance import DARK
from waypost.viewers.scene import shaders
from waypost.viewers.scene.camera import Camera, CameraMode, FlyCamera, OrbitCamera
from waypost.viewers.scene.drawing import rgb
from waypost.viewers.scene.frame_state import FrameState, frame_state
from waypost.viewers.scene.mesh_batches import PackedScene, pack_scene
from waypost.viewers.scene.view import SceneView

WIDTH, HEIGHT = 1280, 720
CUT_Z_M = 0.04
SIZES = ((100_000, 16), (1_000_000, 8))
"""Triangles, and frames that are measured after two that are not."""


PLAIN_FRAGMENT = """
uniform sampler2D u_texture;
uniform float u_cut_z;
varying vec3 v_position;
varying vec2 v_uv;
void main() {
    if (v_position.z > u_cut_z) discard;
    gl_FragColor = texture2D(u_texture, v_uv);
}
"""
"""Texture and cut without any light."""


class BareView(QOpenGLWidget):
    """The least that draws the scene: one program, one buffer, one call per frame.

    Args:
        scene: With one mesh and one texture.
        packed: Its vertices and indices, as the scene view uses them.
        fragment: GLSL of the fragment program.
    """

    def __init__(self, scene: Scene, packed: PackedScene, fragment: str) -> None:
        super().__init__()
        surface = QSurfaceFormat()
        surface.setDepthBufferSize(24)
        surface.setStencilBufferSize(8)
        self.setFormat(surface)
        self._picture = scene.textures[0]
        self._packed = packed
        self._fragment = fragment
        self.frame: FrameState | None = None

    def initializeGL(self) -> None:
        """Compile and upload."""
        self._program = _linked_program(self._fragment)
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, GL.glGenBuffers(1))
        vertices = self._packed.vertices
        GL.glBufferData(GL.GL_ARRAY_BUFFER, vertices.nbytes, vertices, GL.GL_STATIC_DRAW)
        indices = self._packed.batches[0].indices
        self._count = len(indices)
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, GL.glGenBuffers(1))
        GL.glBufferData(GL.GL_ELEMENT_ARRAY_BUFFER, indices.nbytes, indices, GL.GL_STATIC_DRAW)
        for name, parts, offset in (("a_position", 3, 0), ("a_uv", 2, 12), ("a_packed", 2, 20)):
            place = GL.glGetAttribLocation(self._program, name)
            if place < 0:  # not read by this program
                continue
            GL.glEnableVertexAttribArray(place)
            start = ctypes.c_void_p(offset)
            GL.glVertexAttribPointer(place, parts, GL.GL_FLOAT, False, vertices.itemsize, start)
        height, width = self._picture.shape[:2]
        self._texture = GL.glGenTextures(1)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR_MIPMAP_LINEAR)
        GL.glTexImage2D(
            GL.GL_TEXTURE_2D,
            0,
            GL.GL_RGBA,
            width,
            height,
            0,
            GL.GL_RGBA,
            GL.GL_UNSIGNED_BYTE,
            np.ascontiguousarray(self._picture),
        )
        GL.glGenerateMipmap(GL.GL_TEXTURE_2D)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def paintGL(self) -> None:
        """Draw one frame."""
        frame = self.frame
        if frame is None:
            return
        GL.glClearColor(*frame.background[:3], 1.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)
        GL.glUseProgram(self._program)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        where = {n: GL.glGetUniformLocation(self._program, n) for n in _UNIFORMS}
        GL.glUniformMatrix4fv(where["u_clip_from_local"], 1, False, frame.clip_from_local)
        GL.glUniform3f(where["u_eye"], *frame.eye)
        GL.glUniform3f(where["u_forward"], *frame.forward)
        GL.glUniform4f(where["u_section"], *frame.section)
        GL.glUniform4f(where["u_floors"], *frame.floors)
        GL.glUniform1f(where["u_cut_z"], frame.cut_z)
        GL.glUniform1f(where["u_is_cut"], float(frame.is_cut))
        GL.glUniform1f(where["u_opacity"], 1.0)
        GL.glDrawElements(GL.GL_TRIANGLES, self._count, GL.GL_UNSIGNED_INT, None)


def run() -> list[dict[str, Any]]:
    """Best frame times of both at 100k and 1M triangles, and the memory at 1M."""
    application, _ = the_qt_application(["waypost"])
    empty_mb = _peak_mb()
    full_mb = _peak_with_scene_mb(application)
    rows: list[dict[str, Any]] = []
    for triangles, frames in SIZES:
        cameras = [
            OrbitCamera((0.0, 0.0, 0.0), 14.0, 0.05 * number, math.radians(-45))
            for number in range(frames + 2)
        ]
        room = bumpy_room(triangles)
        times_ms = _measured_ms(room, cameras, application, cut_z_m=CUT_Z_M)
        # Whatever else the machine does only adds to a frame.
        ours_ms, bare_ms, plain_ms = np.min(times_ms, axis=0).tolist()
        label = f"{triangles // 1000:,}k triangles, 1280×720"
        note = f"bare loop {bare_ms:.1f} ms, without light {plain_ms:.1f} ms"
        rows.append(_row(f"frame, {label}", ours_ms, "ms", note=note))
        note = "to a bare OpenGL loop, same buffers and shader, same run"
        rows.append(_row(f"frame ratio, {label}", ours_ms / bare_ms, "×", "≤ 1.5", note))
    rows.append(_inside_row(application))
    note = f"process with the view alone; {empty_mb:.0f} MB before the scene"
    rows.append(_row("peak memory, 1M triangles", full_mb, "MB", note=note))
    return rows


def _inside_row(application: Any) -> dict[str, Any]:
    """A million triangles in a hundred rooms, seen from inside one of them, without a cut.

    How much is outside the view depends on where a camera looks: each is compared with itself.
    """
    scene = many_rooms(1_000_000)
    middle = (22.0, 18.0, 1.6)
    cameras = [FlyCamera(middle, 0.7 * number, -0.1) for number in range(11)]
    times_ms = _measured_ms(scene, cameras, application, cut_z_m=None)
    ratios = times_ms[:, 0] / times_ms[:, 1]
    ours_ms, bare_ms, _ = np.median(times_ms, axis=0).tolist()
    note = (
        f"to a bare loop over all triangles, same run: median of {len(ratios)} directions, worst "
        f"{ratios.max():.2f} × ({ours_ms:.0f} and {bare_ms:.0f} ms)"
    )
    name = "frame ratio from inside a room, 1,000k"
    return _row(name, float(np.median(ratios)), "×", "< 1", note)


def _peak_with_scene_mb(application: Any) -> float:
    """Measured before the bare loops hold buffers of their own: a peak never falls."""
    view = SceneView()
    view.resize(WIDTH, HEIGHT)
    view.set_scene(bumpy_room(1_000_000))
    view.show()
    application.processEvents()
    while not view.is_complete:
        application.processEvents()
    peak_mb = _peak_mb()
    view.close()
    view.deleteLater()
    application.processEvents()
    return peak_mb


def _measured_ms(
    scene: Scene, cameras: Sequence[Camera], application: Any, *, cut_z_m: float | None
) -> NDArray[np.float64]:
    """(C - 2, 3) milliseconds: the scene view, a bare loop with its shader, one without light.

    The pictures of the first two cameras are not counted.
    """
    view = SceneView()
    if not view.has_graphics:
        raise RuntimeError("no OpenGL on this display")
    packed = pack_scene(scene)
    bare = BareView(scene, packed, shaders.MESH_FRAGMENT)
    plain = BareView(scene, packed, PLAIN_FRAGMENT)
    for widget in (view, bare, plain):
        widget.resize(WIDTH, HEIGHT)
        widget.show()
    view.set_scene(scene)
    view.set_cut_z(cut_z_m)
    # A scene that is not on the card as a whole yet would be drawn faster than it is.
    while not view.is_complete:
        application.processEvents()
    surface = surface_of(view)
    times: list[tuple[float, float, float]] = []
    for camera in cameras:
        mode = CameraMode.FLY if isinstance(camera, FlyCamera) else CameraMode.ORBIT
        view.set_camera(camera, mode)
        bare.frame = plain.frame = _bare_frame(view, scene)
        times.append(
            (
                _frame_ms(surface.grab_picture),
                _frame_ms(bare.grabFramebuffer),
                _frame_ms(plain.grabFramebuffer),
            )
        )
    _check_same_picture(surface.grab_picture(), bare.grabFramebuffer())
    for widget in (view, bare, plain):
        widget.close()
        widget.deleteLater()
    application.processEvents()
    return np.array(times[2:])


def _bare_frame(view: SceneView, scene: Scene) -> FrameState:
    return frame_state(
        view.lens,
        scene.origin_m,
        size=(WIDTH, HEIGHT),
        cut_z=view.cut_z,
        colors=(rgb(DARK.section), rgb(DARK.stage)),
        dim=0.0,
        floors_m=[scene.bounds_m[0][2]],
    )


def _check_same_picture(first: QImage, second: QImage) -> None:
    """A loop that draws something else would be no measure."""
    pictures = []
    for shown in (first, second):
        image = shown.convertToFormat(QImage.Format.Format_RGB32)
        pictures.append(np.frombuffer(image.constBits(), dtype=np.uint8).astype(np.int16))
    difference = float(np.abs(pictures[0] - pictures[1]).mean())
    if difference > 1.0:
        raise RuntimeError(f"the two loops draw different pictures ({difference:.1f})")


def _frame_ms(draw: Callable[[], QImage]) -> float:
    """Of a picture that is drawn and read back, which waits for its end."""
    started = time.perf_counter()
    draw()
    return (time.perf_counter() - started) * 1000.0


def _linked_program(fragment: str) -> int:
    program = GL.glCreateProgram()
    for kind, text in (
        (GL.GL_VERTEX_SHADER, shaders.MESH_VERTEX),
        (GL.GL_FRAGMENT_SHADER, fragment),
    ):
        shader = GL.glCreateShader(kind)
        GL.glShaderSource(shader, "#version 120\n" + text)
        GL.glCompileShader(shader)
        GL.glAttachShader(program, shader)
    GL.glLinkProgram(program)
    if not GL.glGetProgramiv(program, GL.GL_LINK_STATUS):
        raise RuntimeError(GL.glGetProgramInfoLog(program).decode())
    return int(program)


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024.0 if sys.platform != "darwin" else peak / 1024.0**2


def _row(
    name: str, value: float, unit: str, limit: str | None = None, note: str = ""
) -> dict[str, Any]:
    return {
        "name": name,
        "value": value,
        "unit": unit,
        "limit": limit,
        "ratio_to": None,
        "note": note,
    }


_UNIFORMS = (
    "u_clip_from_local", "u_eye", "u_forward", "u_section", "u_floors", "u_cut_z", "u_is_cut",
    "u_opacity",
)  # fmt: skip


if __name__ == "__main__":
    for line in run():
        print(line)

"""Widgets that OpenGL draws into: composed by a graphics card, or read back from a renderer."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import cache
from typing import Final

import shiboken6
from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QImage,
    QOffscreenSurface,
    QOpenGLContext,
    QPainter,
    QPaintEvent,
    QSurfaceFormat,
)
from PySide6.QtOpenGL import QOpenGLFramebufferObject
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget
from vispy.gloo import gl
from vispy.gloo.context import FakeCanvas, set_current_canvas

from waypost.domain.base.progress import exhaust
from waypost.viewers.scene.gl_layers import TURN_TRIANGLES

_WITHOUT_GL: Final = {"offscreen", "minimal", "vnc", "linuxfb"}
_GL_RENDERER: Final = 0x1F01
_GL_FRAMEBUFFER: Final = 0x8D40
_SOFTWARE: Final = (
    "llvmpipe",
    "softpipe",
    "swrast",
    "software",
    "swiftshader",
    "basic render",
    "gdi generic",
)
"""Parts of the names of renderers that use the processor."""

Draw = Callable[[int, int], Iterator[int]]
"""Draws one picture of this width and height in framebuffer pixels, in steps.

The context is current at every step; others may be current in between. A step yields what it cost
in triangles, see ``TURN_TRIANGLES``."""


@cache
def find_renderer() -> str | None:
    """Name of the OpenGL renderer, as the driver says it; ``None`` if this display has none.

    Needs a Qt application, whose display stays the same: the driver is asked once.
    """
    if QGuiApplication.platformName() in _WITHOUT_GL:
        return None
    context = QOpenGLContext()
    if not context.create():
        return None
    surface = QOffscreenSurface()
    surface.setFormat(context.format())
    surface.create()
    if not context.makeCurrent(surface):
        return None
    name = str(context.functions().glGetString(_GL_RENDERER) or "")
    context.doneCurrent()
    return name


def has_opengl() -> bool:
    """Whether this display can draw with OpenGL."""
    return find_renderer() is not None


def is_software(renderer: str) -> bool:
    """Whether the processor draws under this name, e.g. ``llvmpipe (LLVM 15.0.7, 256 bits)``."""
    return any(part in renderer.lower() for part in _SOFTWARE)


def make_surface(
    parent: QWidget, draw: Draw, lost: Callable[[], None]
) -> ComposedSurface | ReadBackSurface:
    """The surface that suits the renderer of this display.

    Qt composes a window that holds one OpenGL widget wholly by OpenGL, at every change of any
    widget in it. A graphics card does that for nothing; a software renderer needs longer for it
    than for the change itself, so that there the picture is read back and painted as any other.

    Args:
        parent: Widget that the surface fills.
        draw: Draws one picture.
        lost: Called when the context goes, e.g. because the widget has moved to another window.
    """
    if is_software(find_renderer() or ""):
        return ReadBackSurface(parent, draw)
    return ComposedSurface(parent, draw, lost)


def _surface_format() -> QSurfaceFormat:
    wanted = QSurfaceFormat()
    wanted.setSamples(0)
    wanted.setDepthBufferSize(24)
    wanted.setStencilBufferSize(8)
    return wanted


def _make_passive(widget: QWidget) -> None:
    """The view around it gets pointer and keys."""
    widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)


def _size_px(widget: QWidget) -> tuple[int, int]:
    ratio = widget.devicePixelRatioF()
    return max(1, round(widget.width() * ratio)), max(1, round(widget.height() * ratio))


class _Gloo:
    """The state that gloo keeps of one context; brought back before each picture."""

    def __init__(self) -> None:
        self._canvas = FakeCanvas()

    def begin(self, context: QOpenGLContext, framebuffer: int) -> None:
        """Have gloo draw into a framebuffer of the context, which is current."""
        set_current_canvas(self._canvas)
        # This resets what gloo believes to be bound, to the window itself among other things.
        self._canvas.flush()
        context.functions().glBindFramebuffer(_GL_FRAMEBUFFER, framebuffer)


class ComposedSurface(QOpenGLWidget):
    """Leaves the picture on the graphics card, where Qt composes the window.

    Args:
        parent: Widget that the surface fills.
        draw: Draws one picture.
        lost: Called when Qt takes the context away.
    """

    painted = Signal()
    """A new picture was drawn for the screen."""

    def __init__(self, parent: QWidget, draw: Draw, lost: Callable[[], None]) -> None:
        super().__init__(parent)
        self._draw: Draw | None = draw
        self._lost = lost
        self._gloo = _Gloo()
        self.setFormat(_surface_format())
        _make_passive(self)

    def request_picture(self) -> None:
        """Have a new picture drawn when the window is painted next."""
        self.update()

    @property
    def is_behind(self) -> bool:
        """Whether pictures come later than they are asked for; a graphics card is in time."""
        return False

    def drop_picture(self) -> None:
        """Give up a picture that is under way: here none is."""

    def grab_picture(self) -> QImage:
        """A new picture, drawn here and now, in framebuffer pixels."""
        image: QImage = self.grabFramebuffer()
        return image

    def picture_steps(self) -> Generator[None, None, QImage]:
        """A new picture in framebuffer pixels; a graphics card needs no steps for it."""
        yield from ()
        return self.grab_picture()

    def release(self) -> None:
        """Draw no more."""
        self._draw = None

    def initializeGL(self) -> None:
        """Be told when the context goes."""
        self.context().aboutToBeDestroyed.connect(self._on_lost)

    def paintGL(self) -> None:
        """Draw one picture."""
        if self._draw is not None:
            self._gloo.begin(self.context(), self.defaultFramebufferObject())
            for _ in self._draw(*_size_px(self)):
                pass
            self.painted.emit()

    def _on_lost(self) -> None:
        if self._draw is not None:
            self._draw = None
            self._lost()


class _Offscreen:
    """A context beside the window, and the framebuffer that it draws into."""

    def __init__(self) -> None:
        self.context = QOpenGLContext()
        self.context.setFormat(_surface_format())
        self.context.create()
        self._surface = QOffscreenSurface()
        self._surface.setFormat(self.context.format())
        self._surface.create()
        self._framebuffer: QOpenGLFramebufferObject | None = None

    def begin(self) -> bool:
        """Make the context current, until ``end``; whether that went well."""
        return bool(self.context.makeCurrent(self._surface))

    def end(self) -> None:
        """Leave the context."""
        self.context.doneCurrent()

    def framebuffer_of(self, width: int, height: int) -> QOpenGLFramebufferObject | None:
        """One of this size in framebuffer pixels; ``None`` if too large. Needs the context."""
        before = self._framebuffer
        if before is None or (before.width(), before.height()) != (width, height):
            attachment = QOpenGLFramebufferObject.Attachment.CombinedDepthStencil
            self._framebuffer = QOpenGLFramebufferObject(width, height, attachment)
        made = self._framebuffer
        return made if made is not None and made.isValid() else None

    def release(self) -> None:
        """Give the framebuffer back, and the context after it.

        While another context is current Qt takes a framebuffer of the same number there for this
        one and unbinds it: left to the garbage collector, it would cut off a picture of another
        view that is just being drawn.
        """
        if not (shiboken6.isValid(self.context) and shiboken6.isValid(self._surface)):
            # The program ends, and Qt takes down what is left in any order.
            return
        if self._framebuffer is not None and self.begin():
            self._framebuffer = None
            self.end()
        self._surface.destroy()
        # What Python knows of a view holds itself, and would keep both until it is collected.
        shiboken6.delete(self.context)
        shiboken6.delete(self._surface)


class ReadBackSurface(QWidget):
    """Draws beside the window and paints what came out; the window stays without OpenGL.

    A picture of many triangles is drawn over several turns of the event loop. The one before is
    shown until it is there, and what is asked for meanwhile is drawn next.

    Args:
        parent: Widget that the surface fills.
        draw: Draws one picture.
    """

    painted = Signal()
    """A new picture was drawn for the screen."""

    def __init__(self, parent: QWidget, draw: Draw) -> None:
        super().__init__(parent)
        self._draw: Draw | None = draw
        self._image = QImage()
        self._is_due = True
        self._is_behind = False
        self._under_way: Generator[None, None, QImage] | None = None
        self._next_turn = QTimer(self, singleShot=True, interval=0)
        self._next_turn.timeout.connect(self._take_next_turn)
        self._offscreen = _Offscreen()
        self.destroyed.connect(self._offscreen.release)
        self._gloo = _Gloo()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        _make_passive(self)

    @property
    def is_behind(self) -> bool:
        """Whether pictures come later than they are asked for, as the last one did."""
        return self._is_behind

    def request_picture(self) -> None:
        """Have a new picture drawn when the window is painted next."""
        self._is_due = True
        self.update()

    def drop_picture(self) -> None:
        """Give up a picture that is under way, and draw another instead."""
        if self._under_way is not None:
            self._under_way = None
            self._next_turn.stop()
            self.request_picture()

    def grab_picture(self) -> QImage:
        """A new picture, drawn here and now, in framebuffer pixels; null if too large."""
        return exhaust(self.picture_steps())

    def picture_steps(self) -> Generator[None, None, QImage]:
        """Draw a new picture; the one of the screen that is under way begins anew.

        Yields:
            Between turns.

        Returns:
            The picture in framebuffer pixels; null if it is too large.
        """
        # Both would be drawn into the same framebuffer.
        self.drop_picture()
        return (yield from self._turns())

    def release(self) -> None:
        """Draw no more, and give the framebuffer back."""
        self.drop_picture()
        self._draw = None
        self._offscreen.release()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Show the last picture, or a new one if anything has changed."""
        size_px = _size_px(self)
        is_outdated = (self._image.width(), self._image.height()) != size_px
        if self._under_way is None and (self._is_due or is_outdated):
            self._is_due = False
            self._go_on(self._turns())
            self._is_behind = self._under_way is not None
        painter = QPainter(self)
        painter.setClipRegion(event.region())
        if (self._image.width(), self._image.height()) == size_px:
            painter.drawImage(QPoint(0, 0), self._image)
        else:
            painter.fillRect(self.rect(), Qt.GlobalColor.black)
            painter.drawImage(self.rect(), self._image)

    def _take_next_turn(self) -> None:
        """Go on with the picture under way, and have it painted once it is there."""
        turns, self._under_way = self._under_way, None
        if turns is None:
            return
        self._go_on(turns)
        if self._under_way is None:
            self.update()

    def _go_on(self, turns: Generator[None, None, QImage]) -> None:
        """Draw one turn of a picture, and take it once it is there."""
        try:
            next(turns)
        except StopIteration as stop:
            self._image = stop.value
            self._image.setDevicePixelRatio(self.devicePixelRatioF())
            self.painted.emit()
        else:
            self._under_way = turns
            self._next_turn.start()

    def _turns(self) -> Generator[None, None, QImage]:
        """One picture; between two turns another context may be current."""
        steps: Iterator[int] | None = None
        size_px = _size_px(self)
        while self._draw is not None and self._offscreen.begin():
            try:
                framebuffer = self._offscreen.framebuffer_of(*size_px)
                if framebuffer is None:
                    break
                self._gloo.begin(self._offscreen.context, framebuffer.handle())
                steps = steps or self._draw(*size_px)
                if not _take_turn(steps):
                    return _picture_in(framebuffer)
            finally:
                self._offscreen.end()
            yield
        return QImage()


def _take_turn(steps: Iterator[int]) -> bool:
    """Draw as much as one turn takes; whether something is left."""
    triangles = 0
    for taken in steps:
        triangles += taken
        if triangles >= TURN_TRIANGLES:
            # A renderer that has only been told so far would do all of it in the last turn.
            gl.glFinish()
            return True
    return False


def _picture_in(framebuffer: QOpenGLFramebufferObject) -> QImage:
    """What was drawn; opaque, as a window's pixels are, so that painting it is a copy."""
    image = framebuffer.toImage()
    image.reinterpretAsFormat(QImage.Format.Format_RGB32)
    return image

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QGraphicsView, QWidget
from pytestqt.qtbot import QtBot
from shown_parts import legend_texts

from waypost.services.appearance import DARK
from waypost.viewers.curves.curve import Curve, panels_of, value_at
from waypost.viewers.curves.panel import CurvePanel
from waypost.viewers.curves.plot import CurvePlot

pytestmark = pytest.mark.gui

X = np.arange(101) * 0.1


def speed(values: np.ndarray | None = None) -> Curve:
    y = np.full(101, 0.5) if values is None else values
    return Curve("speed", "m/s", X, y, "accent", "How fast it goes forward.")


def viewport_of(panel: QWidget) -> QWidget:
    """What the mouse meets."""
    found = panel.findChild(QGraphicsView)
    assert found is not None
    return found.viewport()


@pytest.fixture
def plot(qtbot: QtBot) -> CurvePlot:
    made = CurvePlot()
    qtbot.addWidget(made)
    made.resize(1000, 160)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_curves_of_one_unit_share_a_panel() -> None:
    turning = Curve("turning", "rad/s", X, X)
    along = Curve("along the floor", "m/s", X, X)
    titles = [[c.title for c in group] for group in panels_of((speed(), turning, along))]
    assert titles == [["speed", "along the floor"], ["turning"]]


def test_the_value_is_that_of_the_last_point() -> None:
    y = X * 2
    y[50] = np.nan
    curve = speed(y)
    assert value_at(curve, 1.05) == pytest.approx(2.0)
    assert value_at(curve, 5.0) is None
    assert value_at(curve, -0.1) is None
    assert value_at(curve, 99.0) == pytest.approx(20.0)


def test_the_legend_tells_unit_value_and_definition(plot: CurvePlot) -> None:
    plot.set_curves((speed(), Curve("contacts", "", X, np.ones(101), is_stepped=True)))
    plot.set_cursor(3.0)
    assert [legend_texts(panel) for panel in plot._panels] == [("speed 0.5 m/s",), ("contacts 1",)]
    assert plot._panels[0].accessibleName() == "Plot: speed in m/s over s"
    assert plot._panels[0].accessibleDescription() == "How fast it goes forward."
    plot.set_cursor(None)
    assert legend_texts(plot._panels[0]) == ("speed m/s",)


def test_a_drag_moves_the_cursor(qtbot: QtBot, plot: CurvePlot) -> None:
    plot.set_curves((speed(),))
    viewport = viewport_of(plot._panels[0])
    went: list[float] = []
    plot.cursor_moved.connect(went.append)
    middle = QPoint(viewport.width() // 2, viewport.height() // 2)
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=middle)
    assert went == [pytest.approx(plot._panels[0].x_at(middle.x()))]
    assert 4.0 < went[0] < 6.0
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=QPoint(0, 5))
    assert went[-1] == 0.0


def test_nothing_is_drawn_where_nothing_is_known(qtbot: QtBot, plot: CurvePlot) -> None:
    values = np.full(101, 0.5)
    values[40:61] = np.nan
    plot.set_curves((speed(values),))
    panel = plot._panels[0]
    viewport = viewport_of(panel)

    def drawn() -> list[float]:
        picture = viewport.grab().toImage()
        accent = QColor(DARK.accent)
        return [
            panel.x_at(x)
            for x in range(picture.width())
            if any(
                abs(picture.pixelColor(x, y).blue() - accent.blue()) < 40
                and abs(picture.pixelColor(x, y).red() - accent.red()) < 40
                for y in range(picture.height() // 4)
            )
        ]

    qtbot.waitUntil(lambda: len(drawn()) > 50)
    places = np.array(drawn())
    assert places.min() < 0.3
    assert not ((places > 4.1) & (places < 5.9)).any()


def test_panels_stand_beside_each_other_while_they_have_room(qtbot: QtBot, plot: CurvePlot) -> None:
    units = ("m/s", "rad/s", "°", "ms", "m", "")
    plot.set_curves(tuple(Curve(f"value {u}", u, X, X) for u in units))
    plot.resize(1280, 160)

    def rows() -> list[int]:
        return [
            sum(panel.y() == top for panel in plot._panels)
            for top in sorted({panel.y() for panel in plot._panels})
        ]

    qtbot.waitUntil(lambda: rows() == [6])
    # Room for three: two even rows.
    plot.resize(650, 160)
    qtbot.waitUntil(lambda: rows() == [3, 3])


def test_other_curves_reuse_the_panels(plot: CurvePlot) -> None:
    plot.set_curves((speed(), Curve("pitch", "°", X, X)))
    first = plot._panels[0]
    plot.set_theme(False)
    plot.set_curves((Curve("turning", "rad/s", X, X, "agent"),))
    assert plot._panels == [first]
    assert [c.title for c in first._curves] == ["turning"]
    plot.set_curves(())
    assert plot._panels == []


def test_lines_differ_without_their_colours(plot: CurvePlot) -> None:
    plot.set_curves((speed(), Curve("turning speed", "m/s", X, X, "agent")))
    styles = [item.opts["pen"].style() for item in plot._panels[0]._items]
    assert styles == [Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine]


def test_a_start_does_not_import_the_plots() -> None:
    code = "import sys, waypost.app.window.startup; print('pyqtgraph' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_cursor_moves_over_a_picture_that_stays(qtbot: QtBot, plot: CurvePlot) -> None:
    """Moving the cursor paints no curve; each place looks as in a plot made for it alone."""
    curves = (speed(np.abs(np.sin(X))), Curve("pitch", "°", X, np.cos(X)))
    plot.set_curves(curves)
    plot.set_cursor(0.0)
    alone = CurvePlot()
    qtbot.addWidget(alone)
    alone.resize(plot.size())
    with qtbot.waitExposed(alone):
        alone.show()
    alone.set_curves(curves)
    viewport, other = viewport_of(plot._panels[0]), viewport_of(alone._panels[0])
    qtbot.waitUntil(lambda: viewport.size() == other.size() and viewport.width() > 300)
    qtbot.waitUntil(lambda: all(map(keeps_picture, (*plot._panels, *alone._panels))))
    painted = count_paintings(plot)
    for x in (3.0, 9.9, 0.2, 5.05, 10.0, 0.0):
        plot.set_cursor(x)
        alone.set_cursor(x)
        QApplication.processEvents()
        assert viewport.grab().toImage() == other.grab().toImage()
        assert line_columns(viewport, plot._panels[0], x)
    plot.set_cursor(None)
    assert not line_columns(viewport, plot._panels[0], 0.0)
    assert painted == []
    plot.set_theme(False)
    qtbot.waitUntil(lambda: set(painted) == {"speed", "pitch"})


def keeps_picture(panel: CurvePanel) -> bool:
    """Whether all that layouts have posted is done; the curves are painted once more after it."""
    panel.grab()
    QApplication.processEvents()
    return panel._plot._picture is not None


def count_paintings(plot: CurvePlot) -> list[str]:
    """Gets an entry whenever a curve is drawn from now on."""
    painted: list[str] = []
    for panel in plot._panels:
        for item, curve in zip(panel._items, panel._curves, strict=True):
            paint = item.curve.paint

            def record(*args: object, paint: Callable[..., None], title: str) -> None:
                painted.append(title)
                paint(*args)

            item.curve.paint = partial(record, paint=paint, title=curve.title)
    return painted


def line_columns(viewport: QWidget, panel: CurvePanel, x: float) -> list[int]:
    """Pixels from the left at which the line of the cursor is seen, near a place of the axis."""
    picture, accent = viewport.grab().toImage(), QColor(DARK.accent)
    middle = picture.height() // 4
    return [
        column
        for column in range(picture.width())
        if picture.pixelColor(column, middle) == accent and abs(panel.x_at(column) - x) < 0.1
    ]


@pytest.mark.parametrize("count", [2, 3, 8, 10_000])
def test_an_axis_of_steps_has_whole_numbers_alone(plot: CurvePlot, count: int) -> None:
    steps = np.arange(count, dtype=np.float64)
    plot.set_x_title("step")
    plot.set_curves((Curve("distance", "m", steps, steps),))
    levels = plot._panels[0]._along.tickValues(0.0, count - 1.0, 900)
    ticks = [value for _, values in levels for value in values]
    assert set(ticks) <= set(steps.tolist())
    assert len(ticks) >= 2

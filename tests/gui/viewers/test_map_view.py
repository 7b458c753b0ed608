"""The map of a replay: pixels where they belong, clicks, storeys, both themes, and its pace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from cut_text import cut_texts
from fixtures.replay_examples import graph_episode, graph_replay, space_replay
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPolygonF, QRegion, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from waypost.domain.episode.run import Answer, Decision, EpisodeRun
from waypost.domain.replay.map import time_colour
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.scene.occupancy_map import Cell, OccupancyMap
from waypost.domain.traverse.traversability import PassageState
from waypost.services.appearance import DARK, LIGHT
from waypost.viewers.map import furnishings
from waypost.viewers.map import painting as map_painting
from waypost.viewers.map import view as map_view
from waypost.viewers.map.content import EdgeMark
from waypost.viewers.map.layers import GroundLayer
from waypost.viewers.map.view import MapView
from waypost.viewers.scene.floor_plan import FloorPlan
from waypost.viewers.scene.mesh_batches import VERTEX_DTYPE, PackedScene
from waypost.viewers.scene.prepared_scene import PreparedScene
from waypost.widgets.theme import apply_theme

pytestmark = pytest.mark.gui

ANGLES = np.linspace(0, 14, 120)
POINTS = np.stack((3 * np.cos(ANGLES), 2 * np.sin(ANGLES), 0 * ANGLES), axis=1)
"""A way that goes round twice, so that places are visited again."""


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> Iterator[MapView]:
    apply_theme(qapp, "dark")
    made = MapView()
    qtbot.addWidget(made)
    made.resize(640, 480)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    apply_theme(qapp, "dark")


def pixel(view: MapView, point: tuple[float, float]) -> QPoint:
    x, y = view._frame.to_pixel(point)
    return QPoint(round(x), round(y))


def colour(image: QImage, view: MapView, point: tuple[float, float]) -> QColor:
    at = pixel(view, point) * view.devicePixelRatioF()
    return image.pixelColor(at)


def picture(view: MapView) -> QImage:
    return view.grab().toImage()


def is_like(found: QColor, wanted: tuple[int, int, int], most: int = 12) -> bool:
    parts = (found.red(), found.green(), found.blue())
    return all(abs(a - b) <= most for a, b in zip(parts, wanted, strict=True))


def test_the_path_is_coloured_by_time_up_to_now(view: MapView) -> None:
    view.set_replay(graph_replay("ABCDE"))
    # B to C is the second of four moves; D to E is still to come.
    view.set_step(2)
    image = picture(view)
    assert is_like(colour(image, view, (3.0, 0.0)), time_colour(0.5))
    assert is_like(colour(image, view, (1.0, 0.0)), time_colour(0.25))
    assert not is_like(colour(image, view, (7.0, 0.0)), time_colour(1.0), 40)
    view.set_step(99)
    assert is_like(colour(picture(view), view, (7.0, 0.0)), time_colour(1.0))
    view.set_step(-5)
    assert not is_like(colour(picture(view), view, (1.0, 0.0)), time_colour(0.25), 40)


def test_the_circle_of_success_is_to_scale(view: MapView) -> None:
    view.set_replay(graph_replay("ABC"))
    image = picture(view)
    inside, outside = (colour(image, view, (4 - r, r)) for r in (2.0, 2.3))
    assert inside.green() > outside.green() + 5
    assert outside.name() == DARK.panel


def test_the_path_leaves_the_goal_in_view(view: MapView) -> None:
    view.set_replay(graph_replay("ABCDE"))
    view.set_step(4)
    assert colour(picture(view), view, (4.0, 0.0)).name() == DARK.travels


def test_clicks_choose_steps_and_viewpoints(view: MapView, qtbot: QtBot) -> None:
    view.set_replay(graph_replay("ABABC"))
    chosen: list[object] = []
    view.step_chosen.connect(chosen.append)
    view.viewpoint_chosen.connect(chosen.append)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=pixel(view, (2.0, 0.0)))
    assert chosen == ["B", 1]
    view.set_step(1)
    with qtbot.waitSignal(view.step_chosen) as again:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=pixel(view, (2.0, 0.0)))
    assert again.args == [3]
    with qtbot.assertNotEmitted(view.step_chosen):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=pixel(view, (4.0, 2.5)))


def test_pointing_says_what_is_there(view: MapView) -> None:
    view.set_replay(graph_replay("ABABC"))
    at_b = view._frame.to_pixel((2.0, 0.0))
    assert view.text_at(at_b) == "viewpoint B\nvisited 2 times, steps 1, 3\n2.00 m to the goal"
    assert view.text_at(view._frame.to_pixel((4.0, 2.5))) == ""
    mark = EdgeMark((0, 0, 1.5), (2, 0, 1.5), PassageState.DOES_NOT, "too narrow")
    view.set_edge_marks([mark])
    assert view.text_at(view._frame.to_pixel((0.8, 0.0))) == "too narrow"
    crossed = colour(picture(view), view, (1.4, 0.0))
    assert crossed.red() > crossed.green() + 40


def test_what_explains_a_low_map_lies_at_its_edges(
    view: MapView, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No legend above the scale bar, and letters alone of the runs that are compared."""
    swatches_px: list[float] = []
    titles: list[list[str]] = []
    monkeypatch.setattr(
        furnishings, "_paint_swatch", lambda _paint, _kind, line: swatches_px.append(line.y1())
    )
    monkeypatch.setattr(
        map_painting, "paint_run_titles", lambda _paint, shown, _top: titles.append(list(shown))
    )
    view.set_replay(graph_replay("ABC"))
    view.set_others([("other", graph_replay("ABU"), 1)])
    for height_px, wanted in ((480, ["this run", "other"]), (160, ["", ""])):
        view.resize(420, height_px)
        view.grab()
        assert titles[-1] == wanted
        assert all(y > height_px / 2 + 20 for y in swatches_px)
    assert swatches_px, "it is there where it has room"


def test_storeys_follow_the_agent_unless_one_is_chosen(view: MapView, qtbot: QtBot) -> None:
    view.set_replay(graph_replay("ABU"))
    assert (view.storey, view.storey_count, view._pinned is not None) == (0, 2, False)
    with qtbot.waitSignal(view.storey_changed):
        view.set_step(2)
    assert view.storey == 1
    assert "shown: storey 2 of 2 (4.5 m)" in view.accessibleDescription()
    view.step_storey(-1)
    view.step_storey(-1)
    assert (view.storey, view._pinned is not None) == (0, True)
    view.set_step(1)
    view.set_step(2)
    assert view.storey == 0
    buttons = {button.accessibleName(): button for button in view.findChildren(QToolButton)}
    assert not buttons["One storey down"].isEnabled()
    qtbot.mouseClick(buttons["Follow the agent from storey to storey"], Qt.MouseButton.LeftButton)
    assert (view.storey, view._pinned is not None) == (1, False)
    qtbot.mouseClick(buttons["One storey down"], Qt.MouseButton.LeftButton)
    assert view.storey == 0


def test_wheel_zooms_about_the_pointer_and_dragging_pushes(view: MapView, qtbot: QtBot) -> None:
    view.set_replay(graph_replay("ABC"))
    fitted, at = view._frame, QPointF(100, 120)
    under = fitted.to_metres((100, 120))
    event = QWheelEvent(
        at,
        view.mapToGlobal(at),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)
    assert view._frame.scale == pytest.approx(fitted.scale * 1.44)
    assert view._frame.to_pixel(under) == pytest.approx((100, 120))
    before = view._frame
    left = Qt.MouseButton.LeftButton
    with qtbot.assertNotEmitted(view.step_chosen):
        qtbot.mousePress(view, left, pos=QPoint(300, 200))
        qtbot.mouseMove(view, QPoint(330, 190))
        qtbot.mouseMove(view, QPoint(350, 180))
        qtbot.mouseRelease(view, left, pos=QPoint(350, 180))
    assert view._frame.to_pixel((0, 0)) == pytest.approx(before.moved(50, -20).to_pixel((0, 0)))
    fit = next(b for b in view.findChildren(QToolButton) if b.text() == "Fit")
    qtbot.mouseClick(fit, left)
    assert view._frame == fitted
    # After the wheel the picture is made anew at its own size.
    view.zoom_by(1.1)
    qtbot.waitUntil(lambda: view._ground is not None and view._ground.frame == view._frame)


def test_walls_of_a_scene_and_cells_of_a_map(view: MapView) -> None:
    wall = np.array([[[-1.0, 2.0], [6.0, 2.0]]])
    outline = FloorPlan(wall, np.empty((0, 2, 2)), (-1, -1), (6, 3))
    packed = PackedScene(np.empty(0, dtype=VERTEX_DTYPE), (), (), {})
    view.set_replay(graph_replay("ABC"), PreparedScene(packed, ((0.0, outline),)))
    image = picture(view)
    # A line one pixel wide may lie between two rows of pixels.
    assert colour(image, view, (0.5, 2.0)).lightness() > 100
    cells = np.full((4, 8), Cell.FREE, dtype=np.uint8)
    cells[0] = Cell.OCCUPIED
    view.set_replay(graph_replay("ABC"), OccupancyMap(cells, 1.0, (-1.0, -1.0)))
    image = picture(view)
    assert colour(image, view, (-0.5, 2.5)).lightness() > 180
    assert colour(image, view, (-0.5, 1.5)).name() == DARK.field
    assert colour(image, view, (-0.5, -1.5)).name() == DARK.panel


def test_other_runs_have_letters(view: MapView) -> None:
    view.set_replay(graph_replay("ABC"))
    alone = picture(view)
    view.set_others([("other model", graph_replay("ABU"), 1), ("third", graph_replay("ABCDE"), 4)])
    assert picture(view) != alone
    assert view.accessibleDescription().endswith(
        "Beside: B other model at step 1, C third at step 4."
    )
    # The third run goes further than the others: all of it is shown.
    assert view._frame.to_pixel((8.0, 0.0))[0] < view.width()


def test_both_themes_and_larger_text(view: MapView, qapp: QApplication) -> None:
    view.set_replay(graph_replay("ABABC"))
    view.set_step(3)
    small = picture(view)
    apply_theme(qapp, "light", 200)
    large = picture(view)
    assert colour(small, view, (4.0, -3.2)).name() == DARK.panel
    assert colour(large, view, (4.0, -3.2)).name() == LIGHT.panel
    assert all(button.accessibleName() for button in view.findChildren(QToolButton))


def test_little_room_and_large_text_cut_nothing(view: MapView, qapp: QApplication) -> None:
    apply_theme(qapp, "light", 200)
    view.resize(380, 260)
    view.set_replay(graph_replay("ABU"))
    view.set_others([("another model with a long name", graph_replay("ABC"), 1)])
    assert not picture(view).isNull()
    shown = [button for button in view.findChildren(QToolButton) if button.isVisibleTo(view)]
    assert len(shown) == 4
    assert cut_texts(view) == []
    assert "storey 1 of 2" in shown[0].toolTip().lower()
    assert view._sheet is not None
    _, top_px = view._frame.to_pixel(view._sheet.bounds_m()[1])
    assert top_px > view._controls.geometry().bottom()


def test_nothing_to_show_says_so(view: MapView) -> None:
    assert view.accessibleDescription() == "No episode is chosen."
    view.set_step(3)
    view.step_storey(1)
    view.set_others([])
    view.set_replay(graph_replay(""))
    assert not picture(view).isNull()
    view.set_replay(None)
    assert view.text_at((10, 10)) == ""
    assert (view.storey, view.storey_count) == (0, 0)
    assert not picture(view).isNull()


def test_a_run_without_a_pose_is_not_told_to_get_graphs(view: MapView) -> None:
    view.set_replay(space_replay(np.empty((0, 3)), np.empty((0, 3)), goal=(0.0, 0.0, 0.0)))
    assert view.accessibleDescription() == "This run has no steps: its log ends before the start."
    assert not picture(view).isNull()


def test_scores_alone_are_not_told_to_get_graphs(view: MapView) -> None:
    run = EpisodeRun("1_0", decisions=(Decision(0, 0, plan="go"),), reported={"spl": 0.5})
    for bare in (run, replace(run, decisions=())):
        view.set_replay(build_replay(graph_episode("AB"), bare))
        told = "There is no path to show: the source states scores without a path."
        assert view.accessibleDescription() == told
        assert not picture(view).isNull()


def test_an_answer_without_a_route_is_not_told_to_get_graphs(view: MapView) -> None:
    said = (Decision(0, 0, raw_text="not sure"),)
    run = EpisodeRun("q__HUMAN", decisions=said, answer=Answer(agent_key="human"))
    view.set_replay(build_replay(graph_episode("AB"), run))
    assert view.accessibleDescription() == "The answer names no route."


def test_scrubbing_a_long_run_paints_its_ground_once(
    view: MapView, monkeypatch: pytest.MonkeyPatch
) -> None:
    angle = np.linspace(0, 60, 10_000)
    reach = np.linspace(1, 8, 10_000)
    points = np.stack((reach * np.cos(angle), reach * np.sin(angle), 0 * angle), axis=1)
    grounds = []
    ground_layer = map_view.ground_layer

    def counted(*arguments: Any) -> GroundLayer:
        grounds.append(arguments)
        return ground_layer(*arguments)

    monkeypatch.setattr(map_view, "ground_layer", counted)
    view.set_replay(space_replay(points, points[::400]))
    for step in (*range(0, 10_000, 331), *range(9_990, 0, -487)):
        view.set_step(step)
        view.repaint()
    assert len(grounds) == 1


@pytest.mark.parametrize(
    "replay",
    [graph_replay("ABABCBA"), graph_replay("ABU"), space_replay(POINTS, POINTS[::9])],
    ids=["graph", "storeys", "space"],
)
def test_a_step_paints_only_what_it_changes(view: MapView, replay: Replay) -> None:
    view.set_replay(replay)
    shown = rendered(view, None)
    steps = [*range(len(replay)), *range(len(replay) - 1, 0, -3), 0]
    for step in steps:
        storey = view.storey
        updated: list[QRect | None] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(view, "update", lambda part=None, told=updated: told.append(part))
            view.set_step(step)
        if view.storey == storey:
            assert [part is not None for part in updated] == [True]
            shown = rendered(view, updated[0], shown)
        else:
            shown = rendered(view, None)
        assert np.abs(pixels(shown) - pixels(rendered(view, None))).max() <= 6


def test_a_step_is_a_small_part_of_the_plan(view: MapView) -> None:
    view.set_replay(space_replay(POINTS, POINTS[::9]))
    picture(view)
    updated: list[QRect] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(view, "update", updated.append)
        view.set_step(40)
        view.set_step(41)
    assert 0 < updated[1].width() * updated[1].height() < 0.05 * view.width() * view.height()


def test_a_long_path_grows_over_several_turns(view: MapView, qtbot: QtBot) -> None:
    turns = np.random.default_rng(3).normal(0.0, 0.9, 6_000).cumsum()
    points = 0.1 * np.stack((np.cos(turns), np.sin(turns), 0 * turns), axis=1).cumsum(axis=0)
    replay = space_replay(points, points[::400])
    view.set_replay(replay)
    view.set_step(len(replay) - 1)
    view.repaint()
    ground = view._ground
    assert ground is not None
    begun = max(ground.path._kept)
    assert begun < 23
    qtbot.waitUntil(lambda: max(ground.path._kept) >= 23)
    assert view._ground is ground


def test_other_runs_move_with_the_cursor(view: MapView) -> None:
    view.set_replay(graph_replay("ABC"))
    other = graph_replay("ABC")
    view.set_others([("other", other, 0)])
    before = pixels(picture(view))
    view.set_others([("other", other, 2)])
    x, y = view._frame.to_pixel(tuple(other.positions_m[2, :2].tolist()))
    near = (slice(int(y) - 5, int(y) + 26), slice(int(x) - 5, int(x) + 26))
    assert np.abs(pixels(picture(view)) - before)[near].max() > 60


def test_a_long_run_beside_is_painted_without_the_points_that_do_not_show(
    view: MapView, monkeypatch: pytest.MonkeyPatch
) -> None:
    angle = np.linspace(0, 6, 5_000)
    points = np.stack((3 * np.cos(angle), 2 * np.sin(angle), 0 * angle), axis=1)
    view.set_replay(space_replay(points[::-1], points[::400]))
    other = space_replay(points, points[::400])
    view.set_others([("other", other, 4_000)])
    sizes: list[int] = []
    polygon = map_painting.QPolygonF

    def counted(corners: list[QPointF]) -> QPolygonF:
        sizes.append(len(corners))
        return polygon(corners)

    monkeypatch.setattr(map_painting, "QPolygonF", counted)
    seen = pixels(picture(view))
    assert max(sizes) < 500
    monkeypatch.setattr(map_painting, "seen_points", lambda pixels, starts: (pixels, starts))
    view._forget_ground()
    every = pixels(picture(view))
    assert max(sizes) > 3_000
    # A dash may begin a part of a pixel sooner or later; no line is elsewhere.
    assert (np.abs(seen - every).max(axis=2) > 24).mean() < 0.01


def rendered(view: MapView, part: QRect | None, over: QImage | None = None) -> QImage:
    """The view painted anew, only in a part where one is given."""
    image = QImage(view.size(), QImage.Format.Format_RGB32) if over is None else over.copy()
    shown = view.rect() if part is None else part & view.rect()
    flags = QWidget.RenderFlag.DrawWindowBackground
    with QPainter(image) as painter:
        view.render(painter, shown.topLeft(), QRegion(shown), flags)
    return image


def pixels(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint8)
    return rows.reshape(image.height(), image.width(), 4)[..., :3].astype(int)

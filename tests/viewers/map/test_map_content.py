"""What a map shows and what is under a pointer, on constructed runs."""

from __future__ import annotations

import numpy as np
from fixtures.replay_examples import graph_episode, graph_replay, space_replay
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QApplication

from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.replay.replay import build_replay
from waypost.services.appearance import LIGHT
from waypost.viewers.map.content import map_content
from waypost.viewers.map.frame import MapFrame
from waypost.viewers.map.layers import empty_picture, ground_layer
from waypost.viewers.map.painting import MapPaint
from waypost.viewers.map.sheet import map_sheet
from waypost.viewers.scene.floor_plan import FloorPlan
from waypost.viewers.scene.mesh_batches import VERTEX_DTYPE, PackedScene
from waypost.viewers.scene.prepared_scene import PreparedScene


def test_storeys_of_a_graph() -> None:
    content = map_content(graph_replay("ABU"))
    assert content.storeys.levels_m == (1.5, 4.5)
    assert content.step_storeys.tolist() == [0, 0, 1]
    assert dict(zip(content.node_ids, content.node_storeys.tolist(), strict=True)) == {
        **dict.fromkeys("ABCDE", 0),
        "U": 1,
    }
    first, second = content.pieces
    assert [content.is_on(first, storey) for storey in (0, 1)] == [True, False]
    assert [content.is_on(second, storey) for storey in (0, 1)] == [True, True]


def test_storeys_of_a_scene() -> None:
    outline = FloorPlan(np.empty((0, 2, 2)), np.empty((0, 2, 2)), (0, 0), (1, 1))
    packed = PackedScene(np.empty(0, dtype=VERTEX_DTYPE), (), (), {})
    scene = PreparedScene(packed, ((0.0, outline), (3.0, outline)))
    content = map_content(graph_replay("ABU"), scene)
    assert (content.storeys.levels_m, content.storeys.are_floors) == ((0.0, 3.0), True)
    assert content.step_storeys.tolist() == [0, 0, 1]


def test_clicks_go_from_visit_to_visit() -> None:
    content = map_content(graph_replay("ABABC"))
    near_b = (2.05, 0.02)
    assert content.step_near(near_b, 0.3, 0, cursor=0) == 1
    assert content.step_near(near_b, 0.3, 0, cursor=1) == 3
    assert content.step_near(near_b, 0.3, 0, cursor=3) == 1
    assert content.step_near((4, 0.1), 0.3, 0, cursor=0) == 4
    # On the way from B to C, nearer to C.
    assert content.step_near((3.2, 0), 0.1, 0, cursor=0) == 4
    assert content.step_near((4, 0.1), 0.05, 0, cursor=0) is None
    assert content.step_near((4, 0.1), 0.3, 1, cursor=0) is None


def test_viewpoints_under_the_pointer() -> None:
    content = map_content(graph_replay("ABABC"))
    assert content.node_near((6.1, 0), 0.3, 0) == "D"
    assert content.node_near((2.0, 0.5), 0.3, 0) == ""
    assert content.node_near((2.0, 0.5), 0.3, 1) == "U"
    assert content.node_text("B") == "viewpoint B\nvisited 2 times, steps 1, 3\n2.00 m to the goal"
    assert content.node_text("E") == "viewpoint E\nnot visited\n4.00 m to the goal"
    assert content.node_text("C") == "viewpoint C\nvisited once, step 4\n0.00 m to the goal"


def test_words_for_screen_readers() -> None:
    content = map_content(graph_replay("ABABC"))
    assert content.description(2, 0) == (
        "Step 2 of 4 at A, shown: storey 1 of 2 (1.5 m), off the reference, visit 2 here,"
        " 4.0 m to the goal, 1 option, chosen: 1, first deviation at step 2."
    )


def test_a_piece_that_is_being_driven() -> None:
    points = np.zeros((901, 3))
    points[:, 0] = np.linspace(0, 90, 901)
    content = map_content(space_replay(points, points[::100]))
    # Three steps a piece.
    assert len(content.pieces) == 300
    assert content.pieces[0].step == 3
    assert content.partial_at(3) is None
    part = content.partial_at(4)
    assert part is not None
    assert (part.points[0][0], part.points[-1][0]) == (
        content.pieces[0].points[-1][0],
        points[4, 0],
    )
    assert content.step_text(900) == "step 900 · 0.00 m to the goal"
    assert content.step_near((30.02, 0.1), 0.3, 0, cursor=-1) == 300
    assert content.partial_at(0) is None


def test_without_graph_and_places() -> None:
    replay = build_replay(
        graph_episode("A", has_ground_truth=False, goals=()), EpisodeRun("7_0", route(("A",)))
    )
    content = map_content(replay)
    assert content.node_near((0, 0), 9, 0) == ""
    assert content.step_near((0, 0), 9, 0, 0) is None
    assert content.description(0, 0) == "Step 0 of 0 at A."


def test_a_path_on_another_storey_is_dim(qapp: QApplication) -> None:
    """Along the ground floor, up, and along the upper floor: each is bright on its own storey."""
    points = [[0, 0, 0], [3, 0, 0], [6, 0, 3], [9, 0, 3]]
    replay = space_replay(points, points[:2])
    sheet, frame = map_sheet(replay), MapFrame(20, 10, 60)

    def with_painter(painter: QPainter, shown: MapFrame) -> MapPaint:
        return MapPaint(painter, shown, LIGHT, QFont(), 1.0, 200.0)

    def strength(storey: int, x_m: float) -> int:
        """How far the path stands out from the ground in the middle of its line."""
        ground = empty_picture(QSize(200, 100), 1.0, QColor("white"))
        layer = ground_layer(sheet, storey, frame, ground, with_painter, None)
        picture = empty_picture(QSize(200, 100), 1.0, QColor("white"))
        with QPainter(picture) as painter:
            layer.paint(with_painter(painter, frame), 3)
        colour = picture.pixelColor(*(round(value) for value in frame.to_pixel((x_m, 0.0))))
        return 765 - colour.red() - colour.green() - colour.blue()

    bright, dim = strength(1, 8.0), strength(0, 8.0)
    assert 0 < dim < 0.6 * bright

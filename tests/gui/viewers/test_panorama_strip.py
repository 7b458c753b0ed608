"""The panorama strip alone: our own panoramas, scenes rendered on the spot, clicks and keys."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fixtures.picture_folders import four_views, plain, put, walk
from fixtures.replay_examples import graph_episode, graph_replay, space_replay
from patience import PATIENCE_S
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot
from worlds.coloured_room import (
    CENTRE,
    EAST,
    NORTH,
    SOUTH,
    WEST,
    coloured_room,
    marker_centre,
    surface_of,
)

from tools.scene_files.write_glb import write_glb
from waypost.app.main import main
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.project import Project
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.views import direction_of_angles
from waypost.domain.scene.graph import Edge, Node, build_graph
from waypost.domain.scene.viewpoint_graph import build_viewpoint_graph
from waypost.io.picture_sources.open_source import open_picture_source
from waypost.io.picture_sources.source import StepPictures
from waypost.services.appearance import DARK, LIGHT
from waypost.store.project_store import ProjectStore
from waypost.viewers.scene.picture_pixels import rgb_pixels
from waypost.viewers.scene.pictures import SceneFeed, SceneSource
from waypost.viewers.strip.content import StripRow
from waypost.viewers.strip.image import strip_image
from waypost.viewers.strip.panorama_strip import PanoramaStrip
from waypost.widgets.theme import apply_theme

pytestmark = pytest.mark.gui

MAGENTA_DEG = 20.0
X, Y, _ = CENTRE
PLACES = {"n1": (X, Y, 0.0), "n2": (X, Y + 2.0, 0.0), "n3": (X + 2.0, Y + 2.0, 0.0)}


def room_walk(names: tuple[str, ...] = ("n1", "n2", "n3"), heading_deg: float = 0.0) -> Replay:
    """A run over nodes of the room; the first step looks along a heading."""
    ids = tuple(PLACES)
    joined = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    eyes = np.array(list(PLACES.values())) + np.array([0.0, 0.0, 1.5])
    graph = build_viewpoint_graph("room", ids, eyes, joined, heights_m=np.full(3, 1.5))
    yaws = [math.pi / 2 - math.radians(heading_deg), *[0.0] * (len(names) - 1)]
    episode = replace(graph_episode("A"), scene_id="room", reference=route(names), goals=())
    return build_replay(episode, EpisodeRun("7_0", route(names, yaws_rad=yaws)), graph)


@pytest.fixture
def strip(qtbot: QtBot, qapp: QApplication, no_leaks: None) -> Iterator[PanoramaStrip]:
    apply_theme(qapp, "dark")
    made = PanoramaStrip()
    qtbot.addWidget(made)
    made.resize(820, 200)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.close_pictures()
    apply_theme(qapp, "dark")


@pytest.fixture
def panoramas(tmp_path: Path, qapp: QApplication) -> Callable[[str], Path]:
    """Takes pictures of the room as the command does."""

    def take(views: str) -> Path:
        folder = tmp_path / "room"
        folder.mkdir()
        write_glb(coloured_room((MAGENTA_DEG, 0.0)), folder / "room.glb")
        nodes = [Node(name, name, point) for name, point in PLACES.items()]
        graph = build_graph(nodes, [Edge("e1", "n1", "n2"), Edge("e2", "n2", "n3")])
        project = Project(name="room", scene_path="room.glb", graph=graph)
        ProjectStore.create(folder / "room.waypost", project, "tester").close()
        out = tmp_path / "panoramas"
        arguments = ["--project", str(folder / "room.waypost"), "--out", str(out)]
        sphere = ["--equirectangular-size", "512x256", "--heading", "70"]
        sizes = ["--size", "200x200"] if views == "four" else sphere
        assert main(["panoramas", *arguments, "--views", views, *sizes]) == 0
        return out

    return take


def has_pictures(strip: PanoramaStrip) -> bool:
    return bool(strip.rows) and all(
        tile.picture is not None and tile.picture.pixels is not None
        for row in strip.rows
        for tile in row.tiles
    )


def surfaces(row: StripRow) -> list[int]:
    """What the middle of each tile shows."""
    shown = []
    for tile in row.tiles:
        assert tile.picture is not None
        assert tile.picture.pixels is not None
        height, width = tile.picture.pixels.shape[:2]
        shown.append(surface_of(tile.picture.pixels[height // 2, width // 2 + 9]))
    return shown


@pytest.mark.parametrize("views", ["four", "equirectangular"])
def test_our_own_panoramas_are_shown_agent_centred(
    strip: PanoramaStrip, panoramas: Callable[[str], Path], views: str, qtbot: QtBot
) -> None:
    strip.set_source(open_picture_source(panoramas(views)))
    strip.set_step(room_walk(heading_deg=100.0))
    qtbot.waitUntil(lambda: has_pictures(strip))
    assert surfaces(strip.rows[0]) == [NORTH, EAST, SOUTH, WEST]
    assert [tile.title for tile in strip.rows[0].tiles][1] == "Front · 90°"
    # The magenta box 20° right of north stands where its tile says that direction is.
    north = strip.rows[0].tiles[0]
    assert north.picture is not None
    assert north.picture.pixels is not None
    assert north.lens is not None
    height, width = north.picture.pixels.shape[:2]
    expected = north.lens.view(width, height).pixel_of(
        direction_of_angles(math.radians(MAGENTA_DEG), 0.0)
    )
    px_per_deg = width / 2 * math.tan(math.radians(1.0))
    assert marker_centre(north.picture.pixels) == pytest.approx(expected, abs=2 * px_per_deg)
    # The next viewpoint lies due north: its marker is in the middle of that picture.
    spot = strip.canvas._rects[0].tiles[0].spots[0]
    assert spot.placed.marker.viewpoint_id == "n2"
    middle = strip.canvas._rects[0].tiles[0].picture.center()
    assert abs(spot.centre.x() - middle.x()) < 1.0


def test_a_turn_in_place_needs_no_new_pictures(
    strip: PanoramaStrip, panoramas: Callable[[str], Path], qtbot: QtBot
) -> None:
    strip.set_source(open_picture_source(panoramas("four")))
    strip.set_step(room_walk(heading_deg=0.0))
    qtbot.waitUntil(lambda: has_pictures(strip))
    strip.set_step(room_walk(heading_deg=180.0))
    assert has_pictures(strip)
    assert surfaces(strip.rows[0]) == [EAST, SOUTH, WEST, NORTH]


def test_a_scene_is_rendered_on_the_spot_in_slices(strip: PanoramaStrip, qtbot: QtBot) -> None:
    feed = SceneFeed(SceneSource(coloured_room()))
    strip.set_feed(feed)
    strip.set_step(room_walk(heading_deg=0.0))
    assert not has_pictures(strip)
    qtbot.waitUntil(lambda: has_pictures(strip))
    assert surfaces(strip.rows[0]) == [WEST, NORTH, EAST, SOUTH]
    strip.set_step(room_walk(("n1", "n2", "n3")), 1)
    qtbot.waitUntil(lambda: has_pictures(strip))
    assert strip.rows[0].tiles[1].title == "Front · 90°"
    assert surfaces(strip.rows[0]) == [NORTH, EAST, SOUTH, WEST]


def test_a_run_in_space_is_rendered_at_eye_height(strip: PanoramaStrip, qtbot: QtBot) -> None:
    points = [[X, Y, 0.0], [X, Y + 1.5, 0.0]]
    strip.set_source(SceneSource(coloured_room()))
    assert isinstance(strip._feed, SceneFeed)
    strip.set_step(space_replay(points, points), 1)
    qtbot.waitUntil(lambda: has_pictures(strip))
    assert surfaces(strip.rows[0]) == [WEST, NORTH, EAST, SOUTH]


class Held:
    """A folder whose pictures come only once they are let through."""

    def __init__(self, folder: Path) -> None:
        self.inner = open_picture_source(folder)
        self.title, self.conventions = self.inner.title, self.inner.conventions
        self.is_single = False
        self.gate, self.begun = threading.Event(), threading.Event()
        self.place, self.close = self.inner.place, self.inner.close

    def pictures_at(self, replay: Replay, step: int) -> StepPictures:
        self.begun.set()
        self.gate.wait(PATIENCE_S)
        return self.inner.pictures_at(replay, step)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pictures of A, B and C whose brightness tells the viewpoint; U has none."""
    for name, shade in (("A", 40), ("B", 120), ("C", 200)):
        for token in ("0", "90", "180", "270"):
            put(tmp_path / "line" / name / f"{token}.png", plain((shade, shade, shade)))
    return tmp_path


def shade(strip: PanoramaStrip) -> int:
    picture = strip.rows[0].tiles[0].picture
    assert picture is not None
    assert picture.pixels is not None
    return int(picture.pixels[0, 0, 0])


def test_late_pictures_of_another_step_are_not_shown(
    strip: PanoramaStrip, folder: Path, qtbot: QtBot
) -> None:
    held = Held(folder)
    strip.set_source(held)
    replay = walk()
    strip.set_step(replay, 0)
    assert held.begun.wait(PATIENCE_S)
    strip.set_step(replay, 2)
    seen = []
    assert strip._feed is not None
    strip._feed.arrived.connect(lambda: seen.append(shade(strip) if has_pictures(strip) else None))
    held.gate.set()
    qtbot.waitUntil(lambda: has_pictures(strip))
    assert set(seen) <= {None, 200}
    assert shade(strip) == 200


def test_neighbouring_steps_are_there_before_they_are_asked_for(
    strip: PanoramaStrip, folder: Path, qtbot: QtBot
) -> None:
    strip.set_source(open_picture_source(folder))
    replay = walk()
    strip.set_step(replay, 1)
    qtbot.waitUntil(lambda: has_pictures(strip))
    feed = strip._feed
    assert feed is not None
    qtbot.waitUntil(lambda: all(feed.shown(strip._wish(step)) for step in (0, 2)))
    strip.set_step(replay, 2)
    assert shade(strip) == 200
    strip.set_step(replay, 0)
    assert shade(strip) == 40


def test_a_damaged_picture_is_a_grey_tile_with_its_reason(
    strip: PanoramaStrip, folder: Path, qtbot: QtBot
) -> None:
    (folder / "line" / "A" / "0.png").write_bytes(b"no picture")
    strip.set_source(open_picture_source(folder))
    strip.set_step(walk(), 0)
    qtbot.waitUntil(lambda: strip.rows[0].aspect is not None)
    # The run starts eastwards: north is on the left.
    tiles = strip.rows[0].tiles
    assert tiles[0].picture is not None
    assert "is no picture that can be read" in tiles[0].picture.reason
    inside = strip.canvas._rects[0].tiles[0].picture.topLeft().toPoint() + QPoint(4, 4)
    spot = strip.canvas.mapToGlobal(inside)
    QApplication.sendEvent(strip.canvas, QHelpEvent(QEvent.Type.ToolTip, inside, spot))
    qtbot.waitUntil(lambda: QToolTip.text() == tiles[0].picture.reason)
    assert not strip.grab().isNull()


def test_a_viewpoint_without_pictures_keeps_horizon_and_options(
    strip: PanoramaStrip, folder: Path, qtbot: QtBot
) -> None:
    strip.set_source(open_picture_source(folder))
    strip.set_step(walk(), 4)
    qtbot.waitUntil(lambda: bool(strip.rows[0].reason))
    assert "no picture of viewpoint U" in strip._caption.accessibleName()
    assert [marker.viewpoint_id for marker in strip.rows[0].options] == ["B"]


def test_without_pictures_the_horizon_is_painted(strip: PanoramaStrip) -> None:
    strip.set_step(walk(), 1)
    front = strip.canvas._rects[0].tiles[1].picture
    image = strip.canvas.grab().toImage()
    ratio = image.devicePixelRatio()

    def at(x: float, y: float) -> str:
        return str(image.pixelColor(int(x * ratio), int(y * ratio)).name())

    assert at(front.left() + 20, front.top() + 20) == DARK.panel
    assert at(front.left() + 3, front.center().y() + 4) == DARK.field


def test_a_click_on_an_option_is_told(strip: PanoramaStrip, qtbot: QtBot) -> None:
    strip.set_step(walk(), 1)
    spots = {
        spot.placed.marker.viewpoint_id: spot
        for tile in strip.canvas._rects[0].tiles
        for spot in tile.spots
    }
    assert spots["C"].placed.marker.is_chosen
    point = spots["A"].centre.toPoint()
    with qtbot.waitSignal(strip.option_chosen) as chosen:
        qtbot.mouseClick(strip.canvas, Qt.MouseButton.LeftButton, pos=point)
    assert chosen.args == ["A"]
    qtbot.mouseMove(strip.canvas, point)
    assert strip.canvas.text_of(spots["A"]).startswith("2 · A · 2.0 m · straight behind")
    with qtbot.assertNotEmitted(strip.option_chosen):
        qtbot.mouseClick(strip.canvas, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    QToolTip.hideText()


def test_options_are_reached_by_keys(strip: PanoramaStrip, qtbot: QtBot) -> None:
    strip.set_step(walk(), 1)
    for _ in range(2):
        qtbot.keyClick(strip.canvas, Qt.Key.Key_Down)
    assert QToolTip.text().startswith("2 · ")
    with qtbot.waitSignal(strip.option_chosen) as chosen:
        qtbot.keyClick(strip.canvas, Qt.Key.Key_Return)
    numbers = {marker.viewpoint_id: marker.number for marker in strip.rows[0].options}
    assert numbers[chosen.args[0]] == 2
    QToolTip.hideText()


def test_what_is_shown_is_told_to_screen_readers(strip: PanoramaStrip) -> None:
    strip.set_step(walk(), 1)
    assert strip.canvas.accessibleDescription() == (
        "Now · B · facing 90°. Left · 0°: 1 option; Front · 90°: 1 option, chosen 1; "
        "Right · 180°: no options; Back · 270°: 1 option."
    )
    assert strip._caption.accessibleName() == "Now · B · facing 90° · next C (1)"
    strip.set_step(None)
    assert strip._caption.accessibleName() == "No run is replayed"
    assert strip.rows == ()
    strip.set_step(graph_replay(""), 0)
    assert strip._caption.accessibleName() == "This run has no steps"
    scores = EpisodeRun("1_0", reported={"spl": 0.5})
    strip.set_step(build_replay(graph_episode("AB"), scores), 0)
    assert strip._caption.accessibleName() == "This run has scores only"


def test_the_next_viewpoint_stands_beside_the_present_one(
    strip: PanoramaStrip, folder: Path, qtbot: QtBot
) -> None:
    strip.set_source(open_picture_source(folder))
    strip._next.click()
    strip.set_step(walk(), 1)
    qtbot.waitUntil(lambda: has_pictures(strip))
    assert [(row.step, row.viewpoint_id) for row in strip.rows] == [(1, "B"), (2, "C")]
    strip.set_step(walk(), 4)
    assert [row.viewpoint_id for row in strip.rows] == ["U"]


def test_all_round_is_one_picture(strip: PanoramaStrip, folder: Path, qtbot: QtBot) -> None:
    strip.set_source(open_picture_source(folder))
    strip._whole.click()
    strip.set_step(walk(), 1)
    qtbot.waitUntil(lambda: has_pictures(strip))
    assert [tile.name for tile in strip.rows[0].tiles] == ["All round"]
    assert len(strip.rows[0].options) == 3


def test_frames_of_a_run_are_one_picture(
    strip: PanoramaStrip, tmp_path: Path, qtbot: QtBot
) -> None:
    for number in range(3):
        put(tmp_path / f"frame_{number:04d}.png", plain((number * 60, 0, 0)))
    strip.set_source(open_picture_source(tmp_path))
    points = [[0, 0, 0], [3, 0, 0], [6, 0, 0]]
    strip.set_step(space_replay(points, points), 2)
    qtbot.waitUntil(lambda: has_pictures(strip))
    assert shade(strip) == 120
    assert "picture 3 of 3" in strip._caption.accessibleName()
    assert strip._next.isHidden()
    assert strip._whole.isHidden()


def test_it_folds_to_a_line(strip: PanoramaStrip, qtbot: QtBot) -> None:
    strip.set_step(walk(), 1)
    with qtbot.waitSignal(strip.folded_changed) as folded:
        strip.set_folded(True)
    assert folded.args == [True]
    assert strip.maximumHeight() < 60
    assert not strip.canvas.isVisible()
    strip.set_folded(False)
    assert strip.maximumHeight() == 460
    assert 100 <= strip.minimumSizeHint().height() <= 120


@pytest.mark.parametrize(("theme", "tokens"), [("dark", DARK), ("light", LIGHT)])
@pytest.mark.parametrize("percent", [100, 200])
def test_themes_and_text_sizes(
    strip: PanoramaStrip, qapp: QApplication, theme: str, tokens: object, percent: int
) -> None:
    strip.set_step(walk(), 1)
    apply_theme(qapp, theme, percent)
    strip.resize(820, strip.minimumSizeHint().height())
    front = strip.canvas._rects[0].tiles[1]
    assert front.picture.height() >= 40
    assert front.title.height() >= strip.canvas.fontMetrics().height()
    assert front.picture.bottom() <= strip.canvas.height()
    image = strip.canvas.grab().toImage()
    ratio = image.devicePixelRatio()
    corner = image.pixelColor(
        int((front.picture.left() + 16) * ratio), int((front.picture.top() + 4) * ratio)
    )
    assert corner.name() == (DARK if theme == "dark" else LIGHT).panel


def test_the_same_strip_as_a_picture(folder: Path, qapp: QApplication) -> None:
    source = open_picture_source(folder)
    image = strip_image(walk(), 1, source, 600, has_next=True)
    assert isinstance(image, QImage)
    pixels = rgb_pixels(image)
    assert pixels.shape == (image.height(), 600, 3)
    shades = {int(value) for value in np.unique(pixels[..., 0])}
    assert {120, 200} <= shades
    bare = rgb_pixels(strip_image(walk(), 1, None, 600))
    assert bare.shape[1] == 600
    source.close()


def test_a_folder_that_changes_its_mind(strip: PanoramaStrip, folder: Path, tmp_path: Path) -> None:
    strip.set_source(open_picture_source(folder))
    strip.set_step(walk(), 0)
    other = tmp_path / "other"
    four_views(other, "line/A/{}.png")
    strip.set_source(open_picture_source(other))
    strip.set_source(None)
    assert strip._feed is None
    assert strip.rows == ()
    strip.set_folded(False)
    assert len(strip.rows) == 1

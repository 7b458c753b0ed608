"""Filming from the window: tours, panoramas and what a hand did, while the window stays alive."""

from __future__ import annotations

import json
import math
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cut_text import cut_texts
from fixtures.picture_folders import read_picture
from gui.user import User
from PySide6.QtWidgets import QScrollArea

from waypost.app.shell.camera import camera_takes, hand_camera
from waypost.app.shell.camera.camera_takes import CameraTakes
from waypost.app.shell.camera.film_dialog import FilmDialog, PanoramaDialog
from waypost.io.camera_takes.encoders import FilmCodec, codec_of
from waypost.io.camera_takes.pose_files import poses_path, read_poses
from waypost.io.camera_takes.video import count_pictures
from waypost.viewers.scene.film_camera import FilmCamera
from waypost.viewers.scene.picture_camera import PictureCamera

pytestmark = pytest.mark.gui


@pytest.fixture
def takes(at_house: User) -> CameraTakes:
    """The camera commands of a window on the small house."""
    return at_house.window.camera_takes


def dialog_of(user: User, kind: type) -> FilmDialog | PanoramaDialog:
    dialog = user.window.findChild(kind)
    user.wait(dialog.isVisible)
    return dialog


def test_a_tour_along_the_graph_is_filmed_beside_a_living_window(
    at_house: User, takes: CameraTakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert at_house.window.actions_set.trigger("camera.tour")
    dialog = dialog_of(at_house, FilmDialog)
    dialog.file.line.setText(str(tmp_path / "tour.avi"))
    dialog.nodes.setText("Hall, Kitchen")
    dialog.primary.click()
    assert dialog.isVisible()
    dialog.file.line.setText(str(tmp_path / "tour.mp4"))
    turns: list[int] = []
    serve, take_steps = FilmCamera._serve, PictureCamera.take_steps

    def serve_counted(camera: FilmCamera) -> None:
        turns.append(0)
        serve(camera)

    def take_counted(camera: PictureCamera, *shot: Any, **options: Any) -> Any:
        picture = yield from take_steps(camera, *shot, **options)
        turns[-1] += 1
        return picture

    looked_on: list[threading.Thread] = []

    def codec(path: Path) -> FilmCodec:
        looked_on.append(threading.current_thread())
        return codec_of(path)

    monkeypatch.setattr(camera_takes, "codec_of", codec)
    monkeypatch.setattr(FilmCamera, "_serve", serve_counted)
    monkeypatch.setattr(PictureCamera, "take_steps", take_counted)
    dialog.primary.click()
    assert turns == []
    at_house.wait(lambda: "pictures in" in at_house.message())
    # The window ends one picture in a turn of its event loop; all the rest is the job's.
    assert (sum(turns), max(turns)) == (11, 1)
    assert looked_on != []
    assert threading.main_thread() not in looked_on
    # 5 m at 1 m/s, 2 pictures per second, the last one at the end.
    assert count_pictures(tmp_path / "tour.mp4") == 11
    pictures, fov = read_poses(poses_path(tmp_path / "tour.mp4"))
    assert pictures[0].pose.position_m == pytest.approx((-2.5, 0.0, 1.5))
    assert pictures[-1].pose.position_m == pytest.approx((2.5, 0.0, 1.5))
    assert fov.angle_rad == pytest.approx(math.radians(75))
    assert takes.can_film()
    # The window draws as before.
    at_house.look_from_above()
    assert not at_house.view.grab().isNull()


def test_panoramas_at_every_node(at_house: User, tmp_path: Path) -> None:
    at_house.window.actions_set.trigger("camera.panoramas")
    dialog = dialog_of(at_house, PanoramaDialog)
    dialog.folder.line.setText(str(tmp_path / "pictures"))
    dialog.side.setValue(64)
    dialog.sphere.setValue(128)
    dialog.primary.click()
    at_house.wait(lambda: "25 pictures at 5 nodes" in at_house.message())
    manifest = json.loads((tmp_path / "pictures" / "panoramas.json").read_text())
    assert len(manifest["nodes"]) == 5
    assert read_picture(tmp_path / "pictures" / "node_1_equirectangular.png").shape == (64, 128, 3)


def test_a_reference_picture_of_the_chosen_goal(at_house: User, tmp_path: Path) -> None:
    at_house.window.bench.selection.set(["node_3"])
    at_house.window.actions_set.trigger("camera.reference")
    dialog = dialog_of(at_house, PanoramaDialog)
    assert dialog.nodes.text() == "Kitchen"
    dialog.folder.line.setText(str(tmp_path / "goal"))
    dialog.heading.setValue(90.0)
    dialog.primary.click()
    at_house.wait(lambda: "1 picture at 1 node" in at_house.message())
    (node,) = json.loads((tmp_path / "goal" / "panoramas.json").read_text())["nodes"]
    (picture,) = node["pictures"]
    assert picture["file"] == "node_3_reference.png"
    assert picture["r2r_heading_deg"] == pytest.approx(90.0)
    assert picture["camera_position_m"] == pytest.approx([2.5, 0.0, 1.5])


def test_what_a_hand_did_is_filmed(
    at_house: User, takes: CameraTakes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The camera is watched all the time; the clock stands still until the test moves it."""
    now_ms = [0]
    clock = SimpleNamespace(monotonic_ns=lambda: now_ms[0] * 1_000_000)
    monkeypatch.setattr(hand_camera, "time", clock)

    def go_on_to(ms: int) -> None:
        now_ms[0] = ms
        seen = len(takes.hand._poses)
        at_house.wait(lambda: len(takes.hand._poses) > seen)

    at_house.press("Ctrl+Shift+F")
    assert takes.hand.is_watching
    go_on_to(600)
    at_house.view.look_at((2.0, 0.0, 0.0))
    go_on_to(650)
    go_on_to(1200)
    at_house.press("Ctrl+Shift+F")
    dialog = dialog_of(at_house, FilmDialog)
    dialog.file.line.setText(str(tmp_path / "hand.mp4"))
    dialog.fps.setValue(5.0)
    dialog.primary.click()
    at_house.wait(lambda: "pictures in" in at_house.message())
    pictures, _ = read_poses(poses_path(tmp_path / "hand.mp4"))
    assert [p.time_ns for p in pictures] == [n * 200_000_000 for n in range(7)]
    places = [p.pose.position_m for p in pictures]
    assert places == [places[0]] * 4 + [places[-1]] * 3
    assert math.dist(places[0], places[-1]) > 0.2


def test_cancelling_leaves_nothing(at_house: User, tmp_path: Path) -> None:
    at_house.window.actions_set.trigger("camera.tour")
    dialog = dialog_of(at_house, FilmDialog)
    dialog.file.line.setText(str(tmp_path / "out" / "tour.mp4"))
    dialog.nodes.setText("Hall, Kitchen")
    dialog.fps.setValue(100.0)
    dialog.primary.click()
    at_house.window.notices.progress.cancel_chosen.emit()
    at_house.wait(lambda: "cancelled" in at_house.message())
    assert list((tmp_path / "out").glob("*")) == []


@pytest.mark.parametrize("larger_percent", [0, 100])
def test_the_forms_fit(at_house: User, larger_percent: int) -> None:
    at_house.window.preferences.scale_text(larger_percent)
    for action, kind in (("camera.tour", FilmDialog), ("camera.panoramas", PanoramaDialog)):
        at_house.window.actions_set.trigger(action)
        dialog = dialog_of(at_house, kind)
        at_house.settle()
        assert dialog.width() <= 1280
        assert dialog.height() <= 720
        assert cut_texts(dialog) == []
        for area in dialog.findChildren(QScrollArea):
            assert area.widget().width() <= area.viewport().width()
        dialog.reject()
        at_house.wait(lambda kind=kind: at_house.window.findChild(kind) is None)

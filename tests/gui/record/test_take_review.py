"""A coordinator looks at recorded takes again: path, body, eyes, time, curves, scores."""

from __future__ import annotations

import math
import os
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from cut_text import cut_texts
from fixtures.recorded_takes import STEP_NS, walk
from gui.participants import begun, moved_m, stop
from gui.participants import record as start_take
from gui.studies import CODE, NEWCOMER, START_M, study_of, write_study
from gui.user import User
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from shown_parts import legend_texts
from worlds.box_scenes import box, scene

from tools.recording_files import write_recording
from tools.scene_files.write_glb import write_glb
from waypost.app.record.review.take_review import TakeReview
from waypost.domain.record.recording import TakeEvent
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel, Verdict, judged_on
from waypost.io.agent_files import shipped_agents
from waypost.io.recordings.take_frames import frames_folder, write_camera, write_frame
from waypost.services.judging import circumstances
from waypost.simulators.backends.cameras import CameraSettings
from waypost.store.project_store import ProjectStore
from waypost.viewers.scene.camera import CameraMode, FirstPersonCamera
from waypost.widgets.timeline import TimelineKind

pytestmark = pytest.mark.gui

X, Y, _ = START_M
CORNERS = [(X, Y), (X, Y + 1.5), (X + 1.5, Y + 1.5)]
COUNT = 61
PITCH_RAD = math.radians(-12.0)


def write_take(
    project: Path,
    name: str,
    *,
    is_complete: bool = True,
    reason: str = "stopped",
    minute: int = 0,
    scene_id: str = "house",
) -> None:
    """A walk ahead and to the right with two collisions, a pause and time without keyboard."""
    contacts = np.zeros(COUNT, int)
    contacts[[20, 21, 40]] = 1
    pushed = np.concatenate([np.zeros(20), [0.02], np.full(COUNT - 21, 0.05)])
    focus = np.ones(COUNT, int)
    focus[50:55] = 0
    walls = np.arange(COUNT) * STEP_NS
    walls[31:] += 4_000_000_000
    events = (
        TakeEvent("pause", 30 * STEP_NS, 30 * STEP_NS),
        TakeEvent("resume", 30 * STEP_NS, 30 * STEP_NS + 4_000_000_000),
    )
    made = walk(
        CORNERS,
        episode_id="house_1",
        scene_id=scene_id,
        dataset="vlnverse-fine",
        participant=CODE,
        is_complete=is_complete,
        reason=reason,
        events=events,
        started_utc=f"2026-11-28T12:{minute:02d}:00+00:00",
        contact_counts=contacts,
        displacements_m=pushed,
        has_focus=focus,
        wall_times_ns=walls,
        camera_pitches_rad=np.full(COUNT, PITCH_RAD),
    )
    header = {**made.header, "profile": asdict(shipped_agents()["human"]), "eye_height_m": 1.5}
    folder = project.parent / "takes"
    folder.mkdir(exist_ok=True)
    write_recording(folder / f"{name}.csv", replace(made, header=header))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A study with two takes of the practice episode, the first of them cut off."""
    path = write_study(tmp_path / "house")
    write_take(path, "a", is_complete=False, reason="the physics engine was killed")
    write_take(path, "b", minute=5)
    return path


@pytest.fixture
def framed(project: Path) -> Path:
    """Camera frames of 0.5 s, red, and of 2 s, whose file is broken, kept with the last take."""
    frames = frames_folder(project.parent / "takes" / "b.csv")
    write_camera(frames, asdict(CameraSettings(64, 48, math.radians(80.0), 1.2, 0.0)))
    write_frame(frames, 500_000_000, np.full((48, 64, 3), (200, 10, 10), np.uint8), None)
    (frames / "000000002000000000.jpg").write_bytes(b"no picture")
    return frames


@pytest.fixture
def coordinator(user: User, project: Path) -> User:
    """Somebody at the Record workspace, with the takes taken in."""
    user.open(project)
    user.press("Ctrl+3")
    user.wait(lambda: len(user.project.study.takes) == 2)
    return user


@pytest.fixture
def reviewing(coordinator: User) -> User:
    """The last take is under review."""
    choose(coordinator, "-1")
    coordinator.wait(lambda: review(coordinator).can_play())
    coordinator.wait(lambda: review(coordinator).strip.plots.curves)
    return coordinator


def review(user: User) -> TakeReview:
    return user.window.record.review


def choose(user: User, place: str) -> None:
    """Choose an episode of the participant, as a click on its row does."""
    record = user.window.record
    record.people.set_selected([CODE])
    record.refresh()
    record.episodes.set_selected([place])
    record.refresh()


def index(user: User) -> int:
    return review(user).playback.index


def body_layers(user: User) -> int:
    return len(user.view._layers["take_agent"].meshes)


def picture(user: User, name: str) -> None:
    """Save what the window looks like where asked to."""
    folder = os.environ.get("WAYPOST_SCREENSHOTS")
    if folder:
        user.settle()
        user.wait(lambda: user.view.is_complete)
        user.window.screen().grabWindow(user.window.winId()).save(f"{folder}/{name}.png")


def test_choosing_an_episode_opens_its_last_take(reviewing: User) -> None:
    made, window = review(reviewing), reviewing.window
    assert window.below.isVisible()
    assert made._loaded is not None
    assert made._loaded.take.key.number == 2
    assert reviewing.view.camera_mode is CameraMode.TOP
    content = made.strip.timeline.content
    assert (content.count, content.time_s(60)) == (COUNT, pytest.approx(3.0))
    kinds = [(mark.index, mark.kind) for mark in content.marks]
    assert kinds == [
        (20, TimelineKind.COLLISION), (30, TimelineKind.PAUSE), (40, TimelineKind.COLLISION),
        (50, TimelineKind.FOCUS_LOST), (51, TimelineKind.FIRST_DEVIATION), (60, TimelineKind.STOP),
    ]  # fmt: skip
    assert content.marks[1].text == "paused 4.0 s"
    titles = [curve.title for curve in made.strip.plots.curves]
    assert titles == ["speed", "turning", "objects touched", "pushed aside", "wall clock", "gaze"]
    path = reviewing.view._layers["take"]
    assert {label.text for label in path.labels} == {"start", "stop", "goal"}
    assert len(reviewing.view._layers["take_touches"].markers) == 2
    picture(reviewing, "review_dark")


def test_scores_flags_and_facts_are_said_with_their_definitions(reviewing: User) -> None:
    panel = review(reviewing).panel
    lines = {line.name.split()[0]: line for line in panel.scores.lines}
    assert float(lines["TL"].value.removesuffix("\N{NO-BREAK SPACE}m")) == pytest.approx(
        3.0, abs=0.01
    )
    assert lines["time"].value == "3.00 s"
    assert lines["pauses"].value == "4.0 s"
    assert "Profile" in lines["TL"].tip
    assert panel.takes.currentText() == "✓ take 2 of 2"


def test_an_incomplete_take_is_shown_with_its_reason(reviewing: User) -> None:
    panel = review(reviewing).panel
    panel.takes.setCurrentIndex(0)
    panel.takes.activated.emit(0)
    reviewing.wait(lambda: (took := review(reviewing)._loaded) and took.take.key.number == 1)
    assert "incomplete: the physics engine was killed" in panel._warnings.text()
    assert panel.takes.currentText() == "✕ take 1 of 2"
    content = review(reviewing).strip.timeline.content
    assert TimelineKind.STOP not in {mark.kind for mark in content.marks}
    labels = {label.text for label in reviewing.view._layers["take"].labels}
    assert labels == {"start", "end", "goal"}


def test_frames_kept_with_a_take_follow_its_samples(framed: Path, reviewing: User) -> None:
    made = review(reviewing)
    card = made.frames.card
    reviewing.wait(lambda: card.caption.text() == "no frame had been drawn by then")
    assert card.picture.isHidden()
    for sample in (10, 39):
        made.playback.move_to(sample)
        reviewing.wait(lambda: card.caption.text() == "camera of the engine at 0.50 s")
        image = card.picture.pixmap().toImage()
        red = image.pixelColor(image.width() // 2, image.height() // 2)
        assert red.getRgb()[:3] == pytest.approx((200, 10, 10), abs=8)
    picture(reviewing, "review_frames")
    made.playback.move_to(40)
    reviewing.wait(card.picture.isHidden)
    assert "000000002000000000.jpg" in card.caption.text()
    made.choose_take(1)
    reviewing.wait(made.can_play)
    assert card.isHidden(), "no frame was kept with this one"
    made.choose_take(2)
    reviewing.wait(card.isVisible)
    reviewing.press("Esc")
    assert card.isHidden()
    (framed / "camera.json").unlink()
    choose(reviewing, "-1")
    reviewing.wait(made.can_play)
    assert card.isHidden()
    assert "its camera frames cannot be shown" in made.panel._notes.text()


def test_keys_move_play_and_jump(reviewing: User) -> None:
    places = []
    for key in ("Right", "Shift+Right", "Left", "C", "C", "C", "P", "End", "Home"):
        reviewing.press(key)
        places.append(index(reviewing))
    assert places == [1, 21, 20, 40, 20, 40, 30, 60, 0]
    for _ in range(9):
        reviewing.press(".")
    assert review(reviewing).playback._speed == 16.0
    reviewing.press("Space")
    reviewing.wait(lambda: index(reviewing) == COUNT - 1)
    assert not review(reviewing).playback.is_playing
    for _ in range(9):
        reviewing.press(",")
    assert review(reviewing).strip.timeline.speed.currentText() == "0.25×"


def test_first_person_sees_what_was_recorded(reviewing: User) -> None:
    reviewing.press("2")
    for place in (0, 45):
        review(reviewing).playback.move_to(place)
        camera = reviewing.view.camera
        assert isinstance(camera, FirstPersonCamera)
        assert camera.pitch_rad == pytest.approx(PITCH_RAD)
        assert camera.eye_m[2] == pytest.approx(1.5)
        assert camera.yaw_rad == pytest.approx(math.pi / 2 if place == 0 else 0.0)
        assert body_layers(reviewing) == 0
    picture(reviewing, "review_eyes")
    assert reviewing.view.cut_z is None
    assert reviewing.find(QPushButton, "Look: first person").isChecked()
    reviewing.press("1")
    assert reviewing.view.camera_mode is CameraMode.CHASE
    assert body_layers(reviewing) > 0
    picture(reviewing, "review_chase")
    # Any other camera of the stage works as well, and shows the body.
    reviewing.press("2", "T")
    assert body_layers(reviewing) > 0


def test_timeline_curves_and_stage_have_one_cursor(reviewing: User) -> None:
    strip = review(reviewing).strip
    timeline = strip.timeline.strip
    handle = timeline.mapTo(reviewing.window, QPoint(round(timeline.x_of(20)), 20))
    reviewing.drag_px(handle, handle + QPoint(round(timeline.x_of(40) - timeline.x_of(20)), 0))
    assert index(reviewing) == pytest.approx(40, abs=1)
    strip.plots._on_moved(1.0)
    assert index(reviewing) == 20
    assert strip.timeline._here.accessibleName() == "✸ touched 1 object, pushed aside 0.050 m"
    assert legend_texts(strip.plots._panels[0]) == ("speed 1 m/s",)
    x, y, _ = reviewing.view._layers["take_agent"].lines[0].points[0]
    assert math.dist((x, y), (X, Y + 1.0)) < 0.5


def test_a_move_draws_the_body_alone(reviewing: User, monkeypatch: pytest.MonkeyPatch) -> None:
    view, plots = reviewing.view, review(reviewing).strip.plots
    playback = review(reviewing).playback
    drawn, curves = [], []
    set_drawing = view.set_drawing

    def counted(name: str, *arguments: object) -> None:
        drawn.append(name)
        set_drawing(name, *arguments)

    monkeypatch.setattr(view, "set_drawing", counted)
    monkeypatch.setattr(plots, "set_curves", curves.append)
    for number in range(1, 9):
        playback.move_to(number * 7)
    assert drawn == ["take_agent"] * 8
    assert curves == []


def test_closing_leaves_the_stage_as_it_was(coordinator: User) -> None:
    cut, mode = coordinator.view.cut_z, coordinator.view.camera_mode
    camera = coordinator.view.camera
    choose(coordinator, "-1")
    coordinator.wait(lambda: review(coordinator).can_play())
    coordinator.press("2", "Esc")
    assert not review(coordinator).is_open()
    assert not coordinator.window.below.isVisible()
    assert (coordinator.view.cut_z, coordinator.view.camera_mode) == (cut, mode)
    assert coordinator.view.camera == camera
    for layer in ("take", "take_touches", "take_agent"):
        assert not coordinator.view._layers[layer].lines
    assert coordinator.window.record.panel.add.isVisible()


def test_an_episode_without_takes_has_no_review(reviewing: User) -> None:
    choose(reviewing, "0")
    assert not review(reviewing).is_open()
    assert not reviewing.window.below.isVisible()
    reviewing.window.record.people.set_selected([NEWCOMER])
    reviewing.window.record._on_person()
    assert reviewing.window.record.assignment is None


def test_a_file_that_is_gone_says_so(coordinator: User) -> None:
    for file in (coordinator.window.record.desk.takes_folder).iterdir():
        file.unlink()
    choose(coordinator, "-1")
    panel = review(coordinator).panel
    coordinator.wait(lambda: panel._state.text().startswith("This take cannot be shown"))
    assert "b.csv" in panel._state.text()
    assert panel.scores.lines
    assert not coordinator.window.below.isVisible()
    coordinator.press("Esc")
    assert not review(coordinator).is_open()


def write_study_elsewhere(folder: Path, *, has_scene: bool) -> Path:
    """A study whose episodes are in another scene than the project's, with one take."""
    path = write_study(folder / "house")
    episodes = folder / "house" / "episodes.json"
    text = episodes.read_text().replace("vlnverse/house", "vlnverse/annex")
    episodes.write_text(text.replace('"scan": "house"', '"scan": "annex"'))
    store = ProjectStore.open(path)
    project = store.load()
    study = study_of(episodes, 10)
    assert study.rules is not None
    study = replace(study, rules=replace(study.rules, scenes_path="scenes"))
    store.save(project, replace(project, study=study), "ana", "Study elsewhere")
    store.close()
    scenes = folder / "house" / "scenes"
    scenes.mkdir()
    if has_scene:
        shutil.copy(folder / "house" / project.scene_path, scenes / "annex.glb")
    write_take(path, "a", scene_id="annex")
    return path


def test_a_take_is_shown_in_its_own_scene(user: User, tmp_path: Path) -> None:
    user.open(write_study_elsewhere(tmp_path, has_scene=True))
    bench = user.window.bench
    own = bench.scene
    user.press("Ctrl+3")
    user.wait(lambda: len(user.project.study.takes) == 1)
    choose(user, "-1")
    user.wait(lambda: review(user).can_play())
    assert not bench.is_own_scene
    assert review(user).panel._state.text() == ""
    user.settle()
    assert user.view.camera_mode is CameraMode.TOP
    assert user.view.cut_z == pytest.approx(2.2, abs=0.01)
    user.press("Esc")
    assert bench.scene is own
    assert user.window.stage.view.scene is own


def test_labels_are_of_the_projects_scene_while_a_take_shows_another(
    user: User, tmp_path: Path
) -> None:
    """What is exported meanwhile leaves out none of them as stale."""
    path = write_study_elsewhere(tmp_path, has_scene=True)
    annex = scene(box("floor", (-4.0, -3.0, -0.1), (4.0, 3.0, 0.0)))
    write_glb(annex, path.parent / "scenes" / "annex.glb")
    user.open(path)
    bench = user.window.bench
    way = Passage("node_1", "node_2", next(iter(user.project.agents)))
    judged = judged_on(way, circumstances(user.project, bench.scene_hash))
    label = TraversabilityLabel(way, Verdict.TRAVELS, provenance=judged)
    user.document.edit("Label", replace(user.project, labels={way: label}))
    user.press("Ctrl+3")
    user.wait(lambda: len(user.project.study.takes) == 1)
    choose(user, "-1")
    user.wait(lambda: review(user).can_play())
    assert not bench.is_own_scene
    user.window.files.export_to(path.parent)
    user.wait(lambda: "Wrote" in user.message())
    assert "Wrote 1 label to" in user.message()
    assert "stale" not in user.message()


def test_without_its_scene_a_take_is_shown_over_the_dark(user: User, tmp_path: Path) -> None:
    user.open(write_study_elsewhere(tmp_path, has_scene=False))
    user.press("Ctrl+3")
    user.wait(lambda: len(user.project.study.takes) == 1)
    choose(user, "-1")
    user.wait(lambda: review(user).can_play())
    assert "annex" in review(user).panel._state.text()
    assert user.view._dim == 1.0
    user.press("Esc")
    assert user.view._dim == 0.0


def test_excluding_a_take_keeps_ones_place(reviewing: User) -> None:
    review(reviewing).playback.move_to(33)
    reviewing.window.record.exclude(2, "the door was stuck")
    assert index(reviewing) == 33
    assert "Kept out of exports: the door was stuck" in review(reviewing).panel._warnings.text()
    reviewing.press("Ctrl+Z")
    assert "Kept out" not in review(reviewing).panel._warnings.text()


def test_leaving_the_workspace_ends_the_review(reviewing: User) -> None:
    reviewing.press("Space", "Ctrl+1")
    assert not review(reviewing).is_open()
    assert not review(reviewing).playback.is_playing
    assert not reviewing.window.below.isVisible()
    reviewing.press("Ctrl+3")
    reviewing.wait(lambda: review(reviewing).can_play())


@pytest.mark.parametrize("larger_percent", [0, 100])
def test_no_text_is_cut_and_every_control_has_a_name(reviewing: User, larger_percent: int) -> None:
    window = reviewing.window
    window.preferences.scale_text(larger_percent)
    reviewing.settle()
    reviewing.wait(lambda: cut_texts(window) == [])
    picture(reviewing, f"review_{100 + larger_percent}")
    assert (window.width(), window.height()) == (1280, 720)
    for control in (*window.below.findChildren(QPushButton),
                    review(reviewing).strip.timeline.speed,
                    review(reviewing).strip.timeline.strip):  # fmt: skip
        assert control.accessibleName()
    if larger_percent == 0:
        assert window.stage.view.width() >= 640
        assert window.stage.height() >= 420


def test_the_light_theme_paints_the_curves_too(reviewing: User) -> None:
    reviewing.window.preferences.switch_theme()
    reviewing.settle()
    panel = review(reviewing).strip.plots._panels[0]
    assert panel._tokens is not None
    assert not panel._tokens.is_dark
    picture(reviewing, "review_light")


@pytest.mark.conformance
def test_a_take_just_driven_can_be_reviewed(user: User, tmp_path: Path) -> None:
    record = begun(user, write_study(tmp_path / "house")).window.record
    start_take(user)
    user.hold("W")
    user.wait(lambda: moved_m(user) > 0.8)
    user.release("W")
    stop(user)
    user.wait(lambda: len(user.project.study.takes) == 1)
    user.press("Ctrl+Shift+Esc")
    record.episodes.set_selected(["-1"])
    record.refresh()
    user.wait(lambda: review(user).can_play())
    loaded = review(user)._loaded
    assert loaded is not None
    assert loaded.track.positions_m[0] == pytest.approx(START_M, abs=0.01)
    assert loaded.eye_height_m == 1.5
    assert loaded.notes == ()
    assert np.nanmax(loaded.track.speeds_mps) > 0.5
    assert "another scene" not in review(user).panel._warnings.text()


def test_a_click_on_a_curve_goes_there(reviewing: User) -> None:
    panel = review(reviewing).strip.plots._panels[0]
    viewport = panel._plot.viewport()
    place = viewport.mapTo(reviewing.window, viewport.rect().center())
    handle = reviewing.window.windowHandle()
    assert handle is not None
    QTest.mouseClick(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    QApplication.processEvents()
    assert 20 < index(reviewing) < 40

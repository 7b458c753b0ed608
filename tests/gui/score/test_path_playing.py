"""The path on the sheet: seen at both ends and played through its scene, or past its pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.picture_folders import four_views
from fixtures.score_examples import RUBRIC
from gui.score.conftest import at_batch
from gui.score.test_path_ground import PLACES, book_in, write_scan
from gui.user import User
from PySide6.QtWidgets import QPushButton

from waypost.app.score.workspace import ScoreWorkspace
from waypost.domain.project import Project
from waypost.domain.score.batch_making import BatchWish, make_batch
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.score_book import NO_SCORES
from waypost.store.project_store import ProjectStore

pytestmark = pytest.mark.gui

THROUGH_THE_DOOR = ((-2.5, 0.0, 0.0), (2.5, 0.0, 0.0))
"""In the house of the tests: 5 m along +X."""


def batch_at_house(tmp_path: Path, scene_path: str, eye_height_m: float | None = None) -> Path:
    """A project with instructions through the house, at one spot of it, and elsewhere."""
    texts = [
        InstructionText(f"t{number}", "Go on.", scene_id=scan, path_m=THROUGH_THE_DOOR)
        for number, scan in enumerate(("house", "house", "villa"))
    ]
    spot = THROUGH_THE_DOOR[:1]
    texts.append(InstructionText("spot", "Stay.", scene_id="house", path_m=spot * 2))
    wish = BatchWish("demo", RUBRIC, ("ana",), eye_height_m=eye_height_m)
    book = make_batch(NO_SCORES, wish, texts)
    file = tmp_path / "score.waypost"
    ProjectStore.create(file, Project("score", scene_path=scene_path, scoring=book), "lea").close()
    return file


def go_to(user: User, scoring: ScoreWorkspace, item: str) -> None:
    scoring.go_to_item(item)
    user.settle()


def test_a_path_is_played_through_the_scene_of_the_project(
    user: User, house: Path, tmp_path: Path
) -> None:
    scene = next(house.parent.glob("*.glb"))
    scoring = at_batch(user, batch_at_house(tmp_path, f"house/{scene.name}", 1.2), "ana")
    face, playing = scoring.face.path, scoring.ground.playing
    go_to(user, scoring, "t0")
    user.wait(lambda: face.walk_view.view.image is not None and face.ends.goal.image is not None)
    assert face.ends.start.image is not None
    assert face.reason == ""
    walk = playing.walk
    assert walk is not None
    assert walk.start.position_m == pytest.approx((-2.5, 0.0, 1.2))
    assert walk.goal.yaw_rad == pytest.approx(0.0)
    first = face.walk_view.view.image
    user.press("Space")
    assert playing.cursor.is_playing
    assert scoring.desk.time.is_watching, "a walk that is watched is time at work"
    user.wait(lambda: playing.cursor.index > 3 and face.walk_view.view.image is not first)
    user.press("Space")
    assert not playing.cursor.is_playing
    assert not scoring.desk.time.is_watching
    user.press("End")
    assert face.walk_view.timeline.position == 50
    # A score, and another wording of the same path, leave the walk where it is.
    user.press("4")
    assert playing.cursor.index == 50
    user.press("Home", "Right")
    assert playing.cursor.index == 10
    user.press("Space")
    assert playing.cursor.is_playing
    user.press("R")
    assert not playing.cursor.is_playing, "nobody watches behind the results"
    user.press("R", "Space")
    assert playing.cursor.is_playing
    user.press("Ctrl+1")
    assert not playing.cursor.is_playing
    user.press("Ctrl+4")
    go_to(user, scoring, "spot")
    user.wait(lambda: "cannot be played" in face.reason)
    assert not face.walk_view.isVisible()


def test_a_scene_that_is_not_here_is_named_and_can_be_given(
    user: User, house: Path, tmp_path: Path
) -> None:
    scene = next(house.parent.glob("*.glb"))
    scoring = at_batch(user, batch_at_house(tmp_path, ""), "ana")
    face = scoring.face.path
    go_to(user, scoring, "t2")
    user.wait(lambda: "not here" in face.reason)
    assert face.reason == "The scene villa is not here: choose the folder that has it."
    offered = user.find(QPushButton, "Choose the folder that has what is missing", face)
    assert offered.isEnabled()
    assert not face.walk_view.isVisible()
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "villa.glb").write_bytes(scene.read_bytes())
    scoring.ground.look_into(tmp_path / "scenes")
    user.wait(lambda: face.walk_view.view.image is not None)
    assert face.reason == ""
    assert face.is_map
    walk = scoring.ground.playing.walk
    assert walk is not None
    assert walk.start.position_m == pytest.approx((-2.5, 0.0, 1.5)), "a person's eye"
    go_to(user, scoring, "t0")
    user.wait(lambda: "The scene house is not here" in face.reason)
    assert not face.walk_view.isVisible()


def test_pictures_of_viewpoints_stand_over_the_graph(user: User, tmp_path: Path) -> None:
    write_scan(tmp_path / "scans", "known")
    for place in PLACES:
        four_views(tmp_path / "pictures" / "known", f"{place}_{{}}.png")
    file = tmp_path / "r2r.waypost"
    book = book_in(("known",), "scans")
    ProjectStore.create(file, Project("r2r", scoring=book), "lea").close()
    scoring = at_batch(user, file, "ana")
    face, playing = scoring.face.path, scoring.ground.playing
    user.wait(lambda: face.reason == "There is neither the scene nor a picture of known here.")
    assert face.is_map
    scoring.ground.look_into(tmp_path / "pictures")
    user.wait(lambda: face.walk_view.strip.isVisible() and playing.can_play)
    user.wait(lambda: not face.reason)
    assert face.walk_view.strip.rows[0].viewpoint_id == "a"
    user.press("End")
    assert face.walk_view.strip.rows[0].viewpoint_id == "c"
    # 2 m and 3 m: half way along the second leg b is what was passed last.
    playing.cursor.move_to_time(3.5)
    assert face.walk_view.strip.rows[0].viewpoint_id == "b"


def test_where_somebody_chose_a_folder_is_known_the_next_time(user: User, tmp_path: Path) -> None:
    bench = user.window.bench
    bench.change_settings(replace(bench.settings, companion_folders=(str(tmp_path),)))
    write_scan(tmp_path / "connectivity", "known")
    file = tmp_path / "r2r.waypost"
    ProjectStore.create(file, Project("r2r", scoring=book_in(("known",))), "lea").close()
    scoring = at_batch(user, file, "ana")
    user.wait(lambda: scoring.face.path.is_map)

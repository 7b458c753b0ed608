"""Runs come, go, fail and stand beside each other in the real window."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import time
from pathlib import Path

import pytest
from cut_text import cut_texts
from fixtures.recorded_takes import walk
from fixtures.replay_files import NASTY, RunFiles, write_run
from gui.house import write_house
from gui.runs import (
    add_run,
    asked,
    at_hand,
    open_episode,
    shown_ids,
    wait_for_rows,
    write_line,
)
from gui.studies import CODE, START_M, write_study
from gui.user import User
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QInputDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableView,
)
from worlds.vln_worlds import LINE_POINTS_M, line_annotations

from tools.recording_files import write_recording
from waypost.app.replay import desk as replay_desk
from waypost.app.replay.desk import PEOPLE
from waypost.app.replay.run_list import run_list_rows
from waypost.app.replay.workspace import ReplayWorkspace
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.link import LinkKind
from waypost.services.replay.run_index import RunIndex
from waypost.viewers.map.view import MapView
from waypost.viewers.scene.drawing import NOTHING
from waypost.widgets.empty_state import EmptyState

pytestmark = pytest.mark.gui


@pytest.fixture
def line(tmp_path: Path) -> RunFiles:
    return write_line(tmp_path / "line")


@pytest.fixture
def at_replay(user: User, house: Path) -> User:
    """Somebody at the Replay workspace of a project without runs."""
    user.open(house)
    user.press("Ctrl+5")
    return user


@pytest.fixture
def two(at_replay: User, line: RunFiles, tmp_path: Path) -> ReplayWorkspace:
    """Two runs of the same episodes, both chosen, at the episode that one of them walks twice."""
    other = tmp_path / "other"
    other.mkdir()
    files = write_run(other, {"7_0": "ABC", "7_1": "ABC"})
    first = add_run(at_replay, asked(line, "gpt"))
    second = add_run(at_replay, asked(files, "llama"))
    replay = at_replay.window.replay
    replay.show_runs([first, second])
    open_episode(at_replay, "7_0")
    return replay


def keep_picture(user: User, name: str) -> None:
    folder = os.environ.get("WAYPOST_PICTURES")
    if folder:
        user.settle()
        user.window.grab().save(f"{folder}/{name}.png")


def stage_says(user: User) -> str:
    """What stands over the 3D view where there is nothing to see."""
    labels = user.window.stage.findChildren(QLabel)
    return " ".join(label.text() for label in labels if label.isVisible())


def write_results(folder: Path, records: object, name: str = "own.jsonl") -> Path:
    """Results in Waypost's own form, alone in their folder."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    lines = records if isinstance(records, list) else [records]
    path.write_text("".join(json.dumps(r) + "\n" for r in lines), encoding="utf-8")
    return path


def test_straight_lines_are_offered_where_success_is_unknown_without_a_navmesh(
    at_replay: User, tmp_path: Path
) -> None:
    """A run of VLN-CE ends 2 m from its goal in a straight line; taking the offer can be undone."""
    user, replay = at_replay, at_replay.window.replay
    assert user.find(EmptyState)._title.text() == "Replay what an agent did"
    annotations, results = tmp_path / "val_seen.json", tmp_path / "run.json"
    annotations.write_text(json.dumps(line_annotations()))
    poses = [{"position": p, "heading": 0.0, "stop": False} for p in LINE_POINTS_M[:-1]]
    results.write_text(json.dumps({"7": [*poses, {**poses[-1], "stop": True}]}))
    name = add_run(user, RunSource((results,), (annotations,), name="cma"))

    def successes() -> list[bool | None]:
        rows = replay.desk.rows(name)
        return [row.is_success for row in rows.rows] if rows is not None else []

    assert (successes(), replay.offer.isVisible()) == ([None], True)
    (row,) = run_list_rows(replay.desk)
    assert row.warning == (
        "success is unknown: the navmesh of the scene was not given; the profile"
        " vlnce (straight-line) does without one"
    )
    assert cut_texts(user.window) == []
    replay.offer.accept.click()
    user.wait(lambda: successes() == [True])
    assert not replay.offer.isVisible()
    user.press("Ctrl+Z")
    user.wait(lambda: successes() == [None] and replay.offer.isVisible())


def test_runs_are_held_together_by_step_and_distance(at_replay: User, two: ReplayWorkspace) -> None:
    """A, B, A, B, C beside A, B, C: at step 3 both are 2 m from the goal, one since step 1."""
    user, comparison = at_replay, two.comparison
    user.press("6")
    two.views.cursor.move_to(3)
    assert comparison.steps == (3, 2)
    comparison.set_link(LinkKind.DISTANCE)
    assert comparison.steps == (3, 1)
    user.press("End")
    assert comparison.steps == (4, 2)
    comparison.set_link(LinkKind.TIME)
    assert comparison._link is LinkKind.DISTANCE, "runs on viewpoints have no times"
    keep_picture(user, "compare")


def test_a_run_gets_another_name(
    at_replay: User, two: ReplayWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = at_replay
    names = iter([("llama", True), ("", False), ("gpt-5", True)])
    monkeypatch.setattr(QInputDialog, "getText", lambda *_args, **_more: next(names))
    user.press("F2")
    assert "There is a run called 'llama' already" in user.message()
    user.press("F2")
    assert list(user.project.replay.sources) == ["gpt", "llama"]
    user.press("F2")
    assert list(user.project.replay.sources) == ["gpt-5", "llama"]
    assert two.chosen_runs == ("gpt-5",)
    user.wait(lambda: two.table.model.rowCount() == 3)
    user.press("Ctrl+Z")
    assert list(user.project.replay.sources) == ["gpt", "llama"]


def test_what_holds_runs_together_is_never_cut_nor_scrolled_away(
    at_replay: User, two: ReplayWorkspace
) -> None:
    user, links = at_replay, two.comparison.links

    def shown() -> list[QRect]:
        user.settle()
        buttons = [b for b in links.findChildren(QAbstractButton) if b.isVisible()]
        assert len(buttons) == 3
        assert cut_texts(links) == []
        for made in buttons:
            assert made.visibleRegion().boundingRect() == made.rect(), made.text()
        return [made.geometry() for made in buttons]

    user.press("6")
    assert len({place.y() for place in shown()}) == 1
    user.window.preferences.scale_text(100)
    shown()
    user.window.resize(960, 600)
    shown()
    keep_picture(user, "compare_200")
    user.window.resize(1280, 720)
    user.window.preferences.scale_text(-100)
    assert len({place.y() for place in shown()}) == 1


def test_choosing_another_run_takes_the_episode_along(
    at_replay: User, two: ReplayWorkspace
) -> None:
    user = at_replay
    two.views.cursor.move_to(2)
    two.runs.set_selected(["gpt"])
    two.runs.selection_changed.emit(two.runs.selected)
    user.wait(lambda: len(two.comparison.steps) == 1)
    assert two.views.cursor.step == 2
    two.runs.set_selected(["llama"])
    two.runs.selection_changed.emit(two.runs.selected)
    user.wait(lambda: two.views.run is not None and two.views.run.name == "llama")
    assert at_hand(two) == ("7_0", 1)
    assert "llama" in two.views.header._title.full_text


def test_an_episode_that_a_run_lacks_is_left(at_replay: User, two: ReplayWorkspace) -> None:
    user = at_replay
    two.show_runs(["gpt"])
    open_episode(user, "7_2")
    two.show_runs(["llama"])
    user.wait(lambda: two.views.run is None)
    assert two.face == "table"
    assert not two.has_episode()
    assert two.views.header._title.full_text == "llama"
    assert two.views.cursor.count == 0


def test_takes_of_people_stand_beside_models(user: User, tmp_path: Path) -> None:
    """The participant walks 2 m ahead; the model goes half of it."""
    project = write_study(tmp_path / "house")
    x, y, z = START_M
    take = walk(
        [(x, y), (x, y + 2.0)], episode_id="house_2", scene_id="house", dataset="vlnverse-fine",
        participant=CODE,
    )  # fmt: skip
    folder = project.parent / "takes"
    folder.mkdir()
    write_recording(folder / "a.csv", take)
    times = [0.0, 1.0]
    results = write_results(
        tmp_path / "model",
        {"waypost_run": 1, "episode_id": "house_2", "frame": "scene",
         "positions": [[x, y, z], [x, y + 1.0, z]], "times": times},
    )  # fmt: skip
    user.open(project)
    user.press("Ctrl+3")
    user.wait(lambda: len(user.project.study.takes) == 1)
    user.press("Ctrl+5")
    replay = user.window.replay
    assert PEOPLE in replay.desk.names
    model = add_run(user, RunSource((results,), (project.parent / "episodes.json",), name="model"))
    replay.show_runs([PEOPLE])
    wait_for_rows(user, replay, PEOPLE)
    assert replay.desk.failure(PEOPLE) == ""
    user.press("F2")
    assert "it keeps its name" in user.message()
    replay.show_runs([model, PEOPLE])
    open_episode(user, "house_2")
    user.wait(lambda: len(replay.comparison.steps) == 2)
    user.press("6", "End")
    assert replay.comparison.steps[0] == 1
    assert replay.views.run.name == model
    keep_picture(user, "people")
    replay.remove_run()
    user.settle()
    assert replay.desk.names == (PEOPLE,), "takes are no run that could be taken out"


def test_a_run_taken_out_comes_back_by_undo(at_replay: User, two: ReplayWorkspace) -> None:
    user = at_replay
    two.show_runs(["gpt"])
    user.wait(lambda: two.views.run is not None)
    user.window.actions_set.trigger("replay.remove_run")
    user.wait(lambda: two.desk.names == ("llama",))
    user.wait(lambda: two.chosen_runs == ("llama",))
    user.wait(lambda: two.views.run is not None and two.views.run.name == "llama")
    user.press("Ctrl+Z")
    assert two.desk.names == ("gpt", "llama")
    two.show_runs(["gpt"])
    wait_for_rows(user, two, "gpt")
    assert shown_ids(two) == ["7_0", "7_1", "7_2"]
    assert user.document.store.load().replay == user.project.replay


def test_runs_are_there_when_the_project_is_opened_again(
    at_replay: User, two: ReplayWorkspace, house: Path, tmp_path: Path
) -> None:
    """Two projects with a run of one name: each shows its own, and is opened where it was left."""
    user = at_replay
    # Else a second might pass in between, after which places are kept anyway.
    user.window._status_timer.stop()
    two.show_runs(["gpt"])
    open_episode(user, "7_0")
    elsewhere = write_house(tmp_path / "elsewhere")
    user.window.bench.open_path(elsewhere)
    user.wait(lambda: two.desk.names == ())
    assert two.views.run is None
    assert two.table.model.rowCount() == 0
    third = tmp_path / "third"
    third.mkdir()
    add_run(user, asked(write_run(third, {"7_0": "AB"}), "gpt"))
    assert shown_ids(two) == ["7_0"]
    open_episode(user, "7_0")
    assert two.views.cursor.count == 2
    user.window.bench.open_path(house)
    user.wait(lambda: two.desk.names == ("gpt", "llama"))
    user.wait(lambda: shown_ids(two) == ["7_0", "7_1", "7_2"])
    assert two.chosen_runs == ("gpt",)
    user.wait(lambda: two.views.run is not None)
    assert two.views.cursor.count == 5


def test_files_of_one_name_are_told_apart(at_replay: User, line: RunFiles, tmp_path: Path) -> None:
    first = add_run(at_replay, asked(line, "gpt"))
    other = tmp_path / "other"
    other.mkdir()
    second = add_run(at_replay, asked(write_run(other, {"7_0": "AB"}), "gpt"))
    assert first != second
    assert at_replay.window.replay.desk.names == (first, second)


@pytest.mark.parametrize("damage", ["gone", "cut", "empty"])
def test_results_that_cannot_be_read_are_one_sentence(
    at_replay: User, two: ReplayWorkspace, tmp_path: Path, damage: str
) -> None:
    user = at_replay
    broken = tmp_path / "broken"
    broken.mkdir()
    files = write_run(broken, {"7_0": "ABC"})
    before = at_hand(two), two.views.cursor.step, shown_ids(two), two.face
    name = two.desk.add(asked(files, "broken"))
    if damage == "gone":
        files.results.unlink()
    else:
        text = files.results.read_text()
        files.results.write_text(text[: len(text) // 2] if damage == "cut" else "")
    two.desk.read(name)
    user.wait(lambda: two.desk.failure("broken"))
    user.wait(lambda: files.results.name in user.message())
    assert "\n" not in user.message()
    assert len(user.message()) < 400
    assert (at_hand(two), two.views.cursor.step, shown_ids(two), two.face) == before
    two.show_runs([name])
    user.wait(lambda: two.desk.failure("broken"))


def test_a_file_that_goes_while_it_is_open_is_told_on_opening(
    at_replay: User, line: RunFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the source nor what was kept of it can be read any more."""
    user, replay = at_replay, at_replay.window.replay
    name = add_run(user, asked(line, "gpt"))
    open_episode(user, "7_0")
    replay.desk._indexes[name].kept.places.clear()
    line.results.unlink()
    replay.open_episode("7_1")
    user.wait(lambda: line.results.name in user.message())
    assert at_hand(replay) == ("7_0", 1)
    user.wait(lambda: replay.table.chosen.episode_id == "7_0")


def test_a_run_without_annotations_and_graph_replays(at_replay: User, tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    folder.mkdir()
    files = write_run(folder, {"7_0": "ABABC"})
    user, replay = at_replay, at_replay.window.replay
    add_run(user, RunSource((files.results,), name="bare"))
    open_episode(user, "7_0")
    user.press("Right", "Right")
    assert replay.views.cursor.step == 2
    for key in "123456":
        user.press(key)
        user.settle()
    assert "no positions" in replay.scene.problem_with(replay.views.cursor.replay)
    user.press("3")
    keep_picture(user, "bare")
    assert "Nothing" not in user.message()


def test_runs_of_no_and_one_step_and_of_text_alone(at_replay: User, tmp_path: Path) -> None:
    poses = {"first_pose": 0, "end_pose": 0}
    said = [
        {**poses, "thought": "I see a door.", "action": "go"},
        {**poses, "thought": NASTY, "action": "stop"},
    ]
    results = write_results(
        tmp_path / "own",
        [
            {"waypost_run": 1, "episode_id": "none"},
            {"waypost_run": 1, "episode_id": "one", "frame": "scene", "positions": [[0, 0, 0]]},
            {"waypost_run": 1, "episode_id": "text", "decisions": said},
            {"waypost_run": 1, "episode_id": "text", "decisions": said[:1]},
            {"waypost_run": 1, "episode_id": "lost", "decisions": [{"thought": "no pose"}]},
        ],
    )
    user, replay = at_replay, at_replay.window.replay
    add_run(user, RunSource((results,), name="own"))
    assert shown_ids(replay) == ["none", "one", "text", "text"]
    warning = run_list_rows(replay.desk)[0].warning
    assert "1 record of results or annotations could not be read" in warning
    for episode_id, attempt, count in (
        ("none", 1, 0),
        ("one", 1, 1),
        ("text", 1, 2),
        ("text", 2, 1),
    ):
        open_episode(user, episode_id, attempt)
        assert replay.views.cursor.count == count
        for key in ("1", "2", "3", "4", "5", "6", "3"):
            user.press(key)
        for key in ("M", "E", "S", "K", "End", "Right", "Space", "Home", "D", "R", "K"):
            user.press(key)
        assert not replay.views.cursor.is_playing or count > 1
        replay.views.cursor.pause()
    assert replay.views.header._title.full_text.startswith("text, run 2")
    user.press("4")
    assert "no positions" in stage_says(user)
    keep_picture(user, "text_only")


def test_a_run_of_another_scan_is_not_drawn_into_the_open_scene(
    at_replay: User, line: RunFiles
) -> None:
    user, replay = at_replay, at_replay.window.replay
    add_run(user, asked(line, "gpt"))
    open_episode(user, "7_0")
    user.press("4")
    view = user.window.stage.view
    assert "line" in replay.scene.problem_with(replay.views.cursor.replay)
    assert "The run is in line" in stage_says(user)
    assert all(view._layers.get(layer, NOTHING) is NOTHING for layer in ("replay", "replay_still"))
    keep_picture(user, "other_scan")
    user.press("Ctrl+1")
    assert "The run is in" not in stage_says(user)


def test_foreign_text_is_shown_as_text(at_replay: User, tmp_path: Path) -> None:
    user, replay = at_replay, at_replay.window.replay
    folder = tmp_path / "foreign"
    folder.mkdir()
    files = write_run(folder, {"7_0": "ABC"}, instruction=NASTY + "\x1b[31m\u202e")
    name = add_run(user, asked(files, "<b>gpt</b> \x07\u202e & co"))
    assert name in replay.desk.names
    open_episode(user, "7_0")
    keep_picture(user, "foreign")
    for text in (replay.views.header._title.full_text, user.window.windowTitle()):
        assert "\x07" not in text
        assert "\u202e" not in text


@pytest.mark.parametrize("larger_percent", [0, 100])
def test_no_text_is_cut_and_every_control_has_a_name(
    at_replay: User, two: ReplayWorkspace, larger_percent: int
) -> None:
    user = at_replay
    user.window.preferences.scale_text(larger_percent)
    user.settle()
    assert (user.window.width(), user.window.height()) == (1280, 720)
    user.press("K")
    for theme in ("dark", "light"):
        for key in "123456":
            user.press(key)
            user.settle()
            assert cut_texts(user.window) == [], key
            keep_picture(user, f"cut_{larger_percent}_{theme}_{key}")
        for key, title in (("S", "Step"), ("M", "Memory"), ("E", "Metrics"), ("X", "Causes")):
            user.press("3")
            two.views.show_page(title)
            user.settle()
            assert cut_texts(user.window) == [], key
            keep_picture(user, f"cut_{larger_percent}_{theme}_{title}")
        user.window.preferences.switch_theme()
    for kind in (QAbstractButton, QLineEdit, QComboBox, QTableView):
        for widget in user.window.findChildren(kind):
            if widget.isVisible():
                assert widget.accessibleName() or widget.text(), widget


def test_closing_while_reading_and_playing_leaves_nothing(
    at_replay: User, two: ReplayWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left behind is found by the fixture of the window."""
    index_run = replay_desk.index_run

    def endlessly(request: RunSource) -> Work[RunIndex]:
        yield from index_run(request)
        while True:
            time.sleep(0.01)
            yield Progress(0.0, 0.0, "Reading on")

    monkeypatch.setattr(replay_desk, "index_run", endlessly)
    folder = tmp_path / "many"
    folder.mkdir()
    many = {f"7_{n}": "ABABABAB" for n in range(3)}
    files = write_run(folder, many)
    records = json.loads(files.results.read_text())
    files.results.write_text(json.dumps(records * 3000))
    name = two.desk.add(asked(files, "many"))
    two.desk.read(name)
    two.views.cursor.set_speed(0.25)
    at_replay.press("Space")
    assert two.views.cursor.is_playing
    assert two.desk.is_reading(name)
    at_replay.window.close()
    assert not two.views.cursor.is_playing


def test_switching_workspaces_and_projects_while_playing(
    at_replay: User, two: ReplayWorkspace, house: Path, tmp_path: Path
) -> None:
    user = at_replay
    two.views.cursor.set_speed(0.25)
    user.press("Space")
    assert two.views.cursor.is_playing
    for key in ("Ctrl+1", "Ctrl+5", "Ctrl+3", "Ctrl+2", "Ctrl+5"):
        user.press(key)
        assert not two.views.cursor.is_playing
    user.press("Space")
    other = tmp_path / "copy"
    shutil.copytree(house.parent, other)
    user.window.bench.open_path(other / house.name)
    user.wait(lambda: not two.views.cursor.is_playing)
    user.wait(lambda: two.desk.names == ("gpt", "llama"))
    assert two.views.run is None


def test_a_run_that_cannot_be_read_keeps_no_other_away(
    at_replay: User, line: RunFiles, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("no results")
    window = at_replay.window
    window.replay.files.open_at_once(RunSource((broken,), name="broken"), asked(line, "good"))
    at_replay.wait(lambda: window.replay.chosen_runs == ("good",))
    wait_for_rows(at_replay, window.replay, "good")


def test_the_same_results_under_another_profile_are_another_run(
    at_replay: User, line: RunFiles
) -> None:
    window, added = at_replay.window, []
    window.replay.files.added.connect(added.append)
    again = dataclasses.replace(asked(line, "gpt"), profile_key="duet")
    for number, files in enumerate((asked(line, "gpt"), asked(line, "gpt"), again), start=1):
        window.replay.files.open_at_once(files)
        at_replay.wait(lambda: len(added) == number)  # noqa: B023 - waited for at once
    assert added == [("gpt",), ("gpt",), ("gpt 2",)]
    assert window.replay.desk.book.sources["gpt 2"].profile_key == "duet"
    wait_for_rows(at_replay, window.replay, "gpt 2")


def test_a_scene_that_comes_late_is_shown(user: User, line: RunFiles, tmp_path: Path) -> None:
    user.open(write_house(tmp_path / "homes" / "line"))
    user.press("Ctrl+5")
    window = user.window
    replay, bench, run_map = window.replay, window.bench, window.replay.views.map
    add_run(user, asked(line, "gpt"))
    opened, bench.scenes.shown = bench.opened, None
    bench.scene_replaced.emit()
    open_episode(user, "7_0")
    replay.views.cursor.move_to(2)
    user.press("4")
    assert "No scene is open" in stage_says(user)
    assert run_map._sheet is not None
    assert run_map._sheet.background is None
    bench.scenes.shown = opened
    bench.scene_replaced.emit()
    user.wait(lambda: run_map._sheet.background is bench.prepared)
    user.wait(lambda: "No scene is open" not in stage_says(user))
    assert replay.views.cursor.step == 2
    user.wait(lambda: window.stage.view._layers.get("replay", NOTHING) is not NOTHING)


@pytest.mark.realdata
def test_a_real_run_opens_to_its_table_and_map(
    user: User, shared_data: Path, tmp_path: Path
) -> None:
    """The published agent that wanders: 2,349 episodes on real graphs."""
    folder = tmp_path / "r2r"
    folder.mkdir()
    for name in ("val_unseen_wander_agent.json", "R2R_val_unseen.json"):
        shutil.copy(shared_data / "r2r" / name, folder)
    shutil.copytree(shared_data / "r2r" / "connectivity", folder / "connectivity")
    replay = user.window.replay
    user.window.replay.files.open_at_once(RunSource((folder / "val_unseen_wander_agent.json",)))
    user.wait(lambda: replay.table.model.rowCount() == 2349)
    wait_for_rows(user, replay, "val_unseen_wander_agent")
    assert run_list_rows(replay.desk)[0].detail == "34.7 %"
    assert run_list_rows(replay.desk)[0].warning == ""
    user.press("Ctrl+K")
    user.type("1010_0")
    user.press("Return")
    user.wait(lambda: at_hand(replay) == ("1010_0", 1) and replay.face == "map")
    user.settle()
    user.press("End")
    assert replay.views.cursor.step == replay.views.cursor.count - 1 > 0
    assert replay.views.map.isVisible()
    user.press("N")
    user.wait(lambda: at_hand(replay) == ("1010_1", 1))


def runs_of(replay: ReplayWorkspace) -> list[str]:
    return [run.name for run in replay.comparison._runs]


def test_any_of_the_chosen_runs_may_lead(at_replay: User, two: ReplayWorkspace) -> None:
    """A shorter run that leads would end before the longer one: it can be told to follow."""
    user, comparison = at_replay, two.comparison
    two.choice.lead("llama")
    user.wait(lambda: runs_of(two) == ["llama", "gpt"])
    user.press("6", "End")
    assert comparison.steps == (2, 2)
    user.click_widget(user.find(QPushButton, "Let gpt lead"))
    user.wait(lambda: runs_of(two) == ["gpt", "llama"])
    assert comparison.steps == (2, 2), "everything stays where it stood"
    assert two.chosen_runs == ("gpt", "llama")
    user.press("End")
    assert comparison.steps == (4, 2)
    user.press("Shift+L")
    user.wait(lambda: runs_of(two) == ["llama", "gpt"])
    assert cut_texts(user.window) == []


def test_a_way_of_linking_that_is_refused_says_why(at_replay: User, two: ReplayWorkspace) -> None:
    user = at_replay
    user.press("6")
    name = "Hold the runs together: the same time since the start"
    user.click_widget(user.find(QPushButton, name))
    assert user.message() == "The runs cannot go by time: none has times."
    assert two.comparison._link is LinkKind.STEP
    assert two.comparison.links._current == LinkKind.STEP


def test_a_run_without_the_episode_is_named(at_replay: User, two: ReplayWorkspace) -> None:
    """The other run has no run of the third episode."""
    user = at_replay
    user.press("6")
    assert "Without" not in " ".join(w.text() for w in two.comparison.face.findChildren(QLabel))
    open_episode(user, "7_2")
    card, map_view = two.comparison.empty, two.comparison.map
    assert card._text.text().startswith("Without it: llama.")
    area = QRect(card.mapTo(two.comparison.face, QPoint()), card.size())
    assert card.isVisible()
    assert not area.intersects(map_view.geometry()), "the one run is seen on the map"
    assert runs_of(two) == ["gpt"]
    assert cut_texts(user.window) == []


def test_a_fifth_run_is_refused_in_words(
    at_replay: User, two: ReplayWorkspace, line: RunFiles
) -> None:
    user = at_replay
    for name in ("three", "four", "five"):
        add_run(user, asked(line, name))
    two.show_runs(["gpt", "three", "four", "five"])
    table = two.runs.findChild(QTableView)
    number = next(
        row
        for row in range(table.model().rowCount())
        if table.model().index(row, 0).data() == "llama"
    )
    place = table.visualRect(table.model().index(number, 0)).center()
    held = Qt.KeyboardModifier.ControlModifier
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, held, place)
    assert two.chosen_runs == ("gpt", "three", "four", "five")
    assert two.runs.selected == frozenset(two.chosen_runs)
    assert user.message() == "At most 4 runs stand beside each other; llama is left out."


def test_a_folder_of_scores_is_a_run_without_paths(at_replay: User, tmp_path: Path) -> None:
    """NaVid's ``stats_<id>.json``: the scores are there, the views say why nothing else is."""
    folder = tmp_path / "navid" / "log"
    folder.mkdir(parents=True)
    for name, spl in ((1, 0.75), (2, float("nan"))):
        scores = {"id": name, "success": 1.0, "spl": spl, "distance_to_goal": 1.5}
        (folder / f"stats_{name}.json").write_text(json.dumps(scores))
    run = add_run(at_replay, RunSource((folder,), name="navid"))
    replay = at_replay.window.replay
    assert sorted(shown_ids(replay)) == ["1", "2"]
    assert not replay.desk.failure(run)
    open_episode(at_replay, "1")
    keep_picture(at_replay, "scores-only")
    told = "There is no path to show: the source states scores without a path."
    view = at_replay.find(MapView)
    assert view.accessibleDescription() == told
    shown = [label.text() for label in at_replay.window.findChildren(QLabel) if label.isVisible()]
    assert told in shown

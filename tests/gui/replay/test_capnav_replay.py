"""Answers to CapNav questions in the real window: truth on the map, verdicts edge by edge."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cut_text import cut_texts
from gui.runs import open_episode, wait_for_rows
from gui.user import User
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton

from waypost.app.replay.run_dialog import RunDialog
from waypost.domain.base.frames import FRAMES
from waypost.domain.causes.replay_book import (
    EdgeVerdict,
    EdgeVerdictKey,
    RouteVerdict,
    set_edge_verdict,
)
from waypost.domain.episode.run_source import RunSource
from waypost.domain.project import set_graph
from waypost.domain.record.camera_take import CameraPose, FieldOfView, PictureSize, TourPicture
from waypost.domain.scene.graph import move_nodes
from waypost.domain.traverse.traversability import (
    Passage,
    PassageState,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
)
from waypost.io.camera_takes.pose_files import poses_path, write_poses
from waypost.io.camera_takes.video import open_video
from waypost.io.graphs.capnav_graph import read_capnav_graph
from waypost.sample.navigation import build_navigation
from waypost.store.project_store import ProjectStore
from waypost.widgets.parts import ElidedLabel

pytestmark = pytest.mark.gui

ANSWERS_FOLDER = "scripted"
ANSWERS = "Scripted answers, CapNav form"
IDS = {node.name: node.node_id for node in build_navigation().nodes.values()}
NOTE = "eighteen steps of 17 cm"


@pytest.fixture
def at_answers(user: User, sample: Path) -> User:
    """Somebody at the answers of the sample, with two labels of the wheelchair."""
    user.open(sample)
    label_passage(user, "Kitchen", "Stair foot", Verdict.TRAVELS)
    label_passage(user, "Stair foot", "Landing", Verdict.DOES_NOT, Reason.STAIRS, NOTE)
    user.press("Ctrl+5")
    replay = user.window.replay
    replay.show_runs([ANSWERS])
    wait_for_rows(user, replay, ANSWERS)
    return user


def label_passage(
    user: User,
    start: str,
    end: str,
    verdict: Verdict,
    reason: Reason | None = None,
    note: str = "",
) -> None:
    passage = Passage(IDS[start], IDS[end], "wheelchair")
    scene_hash = user.window.bench.scene_hash
    profile = user.project.agents["wheelchair"]
    made = TraversabilityLabel(
        passage, verdict, reason, note, provenance=Provenance(scene_hash, profile.profile_hash)
    )
    labels = {**user.project.labels, passage: made}
    user.document.edit("Label", replace(user.project, labels=labels))


def texts(user: User) -> list[str]:
    panel = user.window.replay.causes.panel
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]


def marks(user: User) -> dict[tuple[float, ...], PassageState]:
    return {mark.start_m: mark.state for mark in user.window.replay.route.marks}


def test_truth_stands_on_the_map_and_beside_the_reason(at_answers: User) -> None:
    user = at_answers
    open_episode(user, "home_5__WHEELCHAIR")
    user.press("X")
    shown = "\n".join(texts(user))
    assert "For: Wheelchair. The answer: yes." in shown
    assert "The reason given: “The stairs have few steps, which a wheelchair can roll up.”" in shown
    assert "Labels and graph say: ○ 3  ✓ 1  ✕ 1" in shown
    assert f"✕ does not travel, stairs: {NOTE}" in shown
    places = {node.position_m: node.name for node in user.graph.nodes.values()}
    assert {places[start]: state for start, state in marks(user).items()} == {
        "Kitchen": PassageState.TRAVELS,
        "Stair foot": PassageState.DOES_NOT,
        "Landing": PassageState.UNDECIDED,
        "Upper hall": PassageState.UNDECIDED,
        "Gallery": PassageState.UNDECIDED,
    }
    assert cut_texts(user.window) == []
    user.press("S")
    step = user.window.replay.views.cursor.replay.step(0)
    assert step.decision.thought.startswith("The stairs have few steps")
    assert cut_texts(user.window) == []


def test_another_agent_has_other_labels(at_answers: User) -> None:
    open_episode(at_answers, "home_5__HUMAN")
    at_answers.press("X")
    assert "For: Human. The answer: yes." in "\n".join(texts(at_answers))
    assert set(marks(at_answers).values()) == {PassageState.UNDECIDED}


def test_a_passage_that_is_not_there(at_answers: User) -> None:
    open_episode(at_answers, "home_4__WHEELCHAIR")
    at_answers.press("X")
    shown = texts(at_answers)
    assert "Back hall → Study" in shown
    assert "✕ the graph does not join them" in shown


def test_capnavs_taxonomy_is_there_and_the_analysts_choice_stays(at_answers: User) -> None:
    user, causes = at_answers, at_answers.window.replay.causes
    open_episode(user, "home_4__WHEELCHAIR")
    assert causes.taxonomy.key == "capnav"
    causes.choose_taxonomy("vln-mme")
    open_episode(user, "home_5__HUMAN")
    assert causes.taxonomy.key == "vln-mme"
    replay = user.window.replay
    replay.show_runs(["Scripted agent, open form"])
    wait_for_rows(user, replay, "Scripted agent, open form")
    open_episode(user, "1_0")
    assert causes.taxonomy.key == "vln-mme"
    assert "ROUTE, EDGE BY EDGE" not in texts(user)
    replay.show_runs([ANSWERS])
    open_episode(user, "home_4__WHEELCHAIR")
    assert causes.taxonomy.key == "capnav"


def test_a_verdict_is_undone_redone_and_saved(at_answers: User, sample: Path) -> None:
    user = at_answers
    open_episode(user, "home_4__WHEELCHAIR")
    user.press("X")
    user.click_widget(user.find(QPushButton, "Back hall → Study: invalid"))
    me = user.window.bench.annotator
    key = EdgeVerdictKey(ANSWERS, "home_4__WHEELCHAIR", IDS["Back hall"], IDS["Study"], me)
    assert user.project.replay.edge_verdicts[key].verdict is RouteVerdict.INVALID
    user.press("Ctrl+Z")
    assert not user.project.replay.edge_verdicts
    user.press("Ctrl+Shift+Z")
    assert user.project.replay.edge_verdicts[key].verdict is RouteVerdict.INVALID
    user.wait(lambda: saved(sample).get(key) is RouteVerdict.INVALID)


def test_verdicts_of_others_show_only_with_everyones_marks(at_answers: User) -> None:
    user = at_answers
    open_episode(user, "home_4__WHEELCHAIR")
    user.press("X")
    edge = IDS["Back hall"], IDS["Study"]
    key = EdgeVerdictKey(ANSWERS, "home_4__WHEELCHAIR", *edge, "ben")
    project = user.project
    book = set_edge_verdict(project.replay, EdgeVerdict(key, RouteVerdict.VALID, "wide enough"))
    user.document.edit("Ben", replace(project, replay=book))
    user.click_widget(user.find(QPushButton, "Back hall → Study: invalid"))
    assert not any("ben" in text for text in texts(user))
    user.window.replay.causes.sight.show_everyone(is_on=True)
    user.settle()
    assert "≠ ben: valid – wide enough" in texts(user)
    user.window.replay.causes.sight.show_everyone(is_on=False)
    user.settle()
    assert not any("ben" in text for text in texts(user))
    me = user.window.bench.annotator
    key = EdgeVerdictKey(ANSWERS, "home_4__WHEELCHAIR", IDS["Back hall"], IDS["Study"], me)
    assert user.project.replay.edge_verdicts[key].is_blind is True
    user.click_widget(user.find(QPushButton, "Back hall → Study: unsure"))
    assert user.project.replay.edge_verdicts[key].is_blind is False


def saved(path: Path) -> dict[EdgeVerdictKey, RouteVerdict]:
    store = ProjectStore.open(path)
    try:
        verdicts = store.load().replay.edge_verdicts
    finally:
        store.close()
    return {key: entry.verdict for key, entry in verdicts.items()}


def test_labels_and_graph_that_change_show_at_once(at_answers: User) -> None:
    user = at_answers
    open_episode(user, "home_5__WHEELCHAIR")
    user.press("X")
    label_passage(user, "Landing", "Upper hall", Verdict.UNCERTAIN)
    user.settle()
    assert "Labels and graph say: ○ 2  ✓ 1  ✕ 1  ? 1" in "\n".join(texts(user))
    moved = move_nodes(user.graph, {IDS["Landing"]: (6.66, 6.5, 2.975)})
    user.document.edit("Move", set_graph(user.project, moved))
    replay = user.window.replay
    wait_for_rows(user, replay, ANSWERS)
    user.wait(lambda: (6.66, 6.5, 2.975) in marks(user))


def test_answers_without_a_project_stand_on_capnavs_own_graph(user: User, sample: Path) -> None:
    """Opened on their own: questions, graph file, and the tour that lies nearby, by place."""
    folder = sample.parent / "runs" / "capnav"
    film = folder / "home-tour.mp4"
    size = PictureSize(64, 48)
    with open_video(film, size, 2.0) as video:
        for _ in range(2):
            video.write(np.full((48, 64, 3), 90, np.uint8))
    # The frame of CapNav's file is not stated: read as ``capnav``, its X is mirrored.
    nodes = read_capnav_graph(folder / "home-graph.json")
    places = FRAMES["capnav"].to_scene(nodes.positions)
    names = [node["id"] for node in nodes.document.root.field("nodes").value]
    ends = [places[names.index(IDS[name])] for name in ("Back hall", "Study")]
    poses = [
        TourPicture(i, i, CameraPose((x, y, z + 1.5), 0.0)) for i, (x, y, z) in enumerate(ends)
    ]
    write_poses(poses_path(film), poses, FieldOfView(1.5), size)
    user.window.replay.files.open_at_once(RunSource((folder / ANSWERS_FOLDER,)))
    replay = user.window.replay
    user.wait(lambda: ANSWERS_FOLDER in replay.desk.names)
    wait_for_rows(user, replay, ANSWERS_FOLDER)
    open_episode(user, "home_4__WHEELCHAIR")
    shown = replay.views.cursor.replay
    assert shown is not None
    assert shown.has_positions
    strip = replay.views.strip
    for step, number in enumerate((1, 2)):
        replay.views.cursor.move_to(step)
        user.wait(lambda n=number: f"picture {n} of 2, taken 0.0 m away" in strip.rows[0].caption)


def test_truth_stands_in_the_scene_and_beside_other_runs(at_answers: User, sample: Path) -> None:
    user = at_answers
    other = sample.parent / "other" / "home" / "home_5__WHEELCHAIR.json"
    other.parent.mkdir(parents=True)
    path = [IDS[name] for name in ("Kitchen", "Stair foot", "Window seat")]
    result = {"answer": "no", "path": path, "reason": "The stairs."}
    other.write_text(
        json.dumps(
            {
                "scene": "home", "prompt_file": "home_5__WHEELCHAIR.txt", "num_frames": 1,
                "result": [{"question": "", "agent": "WHEELCHAIR", "result": result}],
            }
        )
    )  # fmt: skip
    replay = user.window.replay
    questions = str(sample.parent / "runs" / "capnav" / "home-QA.json")
    name = replay.desk.add(RunSource((other.parent,), (Path(questions),), name="other"))
    replay.show_runs([ANSWERS, name])
    wait_for_rows(user, replay, name)
    open_episode(user, "home_5__WHEELCHAIR")
    user.press("4")
    user.settle()
    drawn = user.view._layers["replay_truth"]
    # Five moves of the first run and one of the other that no edge joins; one is shared.
    assert sorted(label.text for label in drawn.labels) == ["○", "○", "○", "✓", "✕", "✕ no edge"]
    assert all(label.priority >= 100 for label in drawn.labels)
    assert len(drawn.lines) == 6
    assert sum(line.dash_px > 0 for line in drawn.lines) == 2
    user.press("5")
    user.settle()
    assert not user.view._layers["replay_truth"]
    user.press("6")
    user.settle()
    assert [mark.sign.mark for mark in replay.comparison.map._sheet.edge_marks] == [
        mark.sign.mark for mark in replay.route.marks
    ]
    shown = [label.full_text for label in replay.comparison.face.findChildren(ElidedLabel)]
    assert "Edges: ○ 3  ✓ 1  ✕ 1" in shown
    assert "Edges: ✓ 1  ✕ no edge 1" in shown
    assert cut_texts(user.window) == []
    replay.show_runs(["Scripted agent, open form"])
    wait_for_rows(user, replay, "Scripted agent, open form")
    open_episode(user, "1_0")
    assert replay.route.marks == ()
    user.press("4")
    user.settle()
    assert not user.view._layers["replay_truth"]


def test_success_is_the_right_answer(at_answers: User) -> None:
    """No label of the stairs but one: nobody knows. With it, the wheelchair has no way up."""
    user, replay = at_answers, at_answers.window.replay
    row = replay.desk.rows(ANSWERS).find("home_5__WHEELCHAIR")
    assert (row.is_success, [tag.kind.value for tag in row.tags]) == (
        False, ["false_yes", "blocked_edge"]
    )  # fmt: skip
    assert row.tags[1].reason.endswith(f"stairs: {NOTE}")
    assert replay.desk.rows(ANSWERS).find("home_5__HUMAN").is_success is None
    open_episode(user, "home_5__WHEELCHAIR")
    replay.show_page("Metrics")
    label_passage(user, "Stair foot", "Landing", Verdict.TRAVELS)
    user.wait(lambda: rows_say(user, "home_5__WHEELCHAIR") is None)
    user.wait(lambda: replay.views.run.shown.is_success is None)
    for start, end in (("Landing", "Upper hall"), ("Upper hall", "Gallery")):
        label_passage(user, start, end, Verdict.TRAVELS)
    label_passage(user, "Gallery", "Bedroom", Verdict.TRAVELS)
    user.wait(lambda: rows_say(user, "home_5__WHEELCHAIR") is True)
    user.wait(lambda: replay.views.run.shown.scores.values["RTA"] == 1.0)


def rows_say(user: User, episode_id: str) -> bool | str | None:
    rows = user.window.replay.desk.rows(ANSWERS)
    row = None if rows is None else rows.find(episode_id)
    return "unread" if row is None else row.is_success


def test_the_reason_of_a_no_is_judged_beside_the_notes(at_answers: User, sample: Path) -> None:
    user, replay = at_answers, at_answers.window.replay
    label_passage(user, "Hall", "Back hall", Verdict.DOES_NOT, Reason.DOOR, "locked")
    wait_for_rows(user, replay, ANSWERS)
    open_episode(user, "home_3__WHEELCHAIR")
    user.press("X")
    shown = "\n".join(texts(user))
    assert "The reason given for “no”" in shown
    assert "Hall → Back hall: does not travel, door: locked" in shown
    assert rv(user) is None
    user.click_widget(user.find(QPushButton, "The reason given for “no”: invalid"))
    user.settle()
    assert rv(user) == 0.0
    assert replay.views.run.shown.scores.values["RV"] == 0.0
    me = user.window.bench.annotator
    key = EdgeVerdictKey(ANSWERS, "home_3__WHEELCHAIR", "", "", me)
    user.wait(lambda: saved(sample).get(key) is RouteVerdict.INVALID)
    user.press("Ctrl+Z")
    user.settle()
    assert rv(user) is None
    assert "RV" in replay.views.run.shown.scores.reasons
    assert cut_texts(user.window) == []


def rv(user: User) -> float | None:
    rows = user.window.replay.desk.rows(ANSWERS)
    row = rows.find("home_3__WHEELCHAIR")
    return row.values[[column.key for column in rows.columns].index("RV")]


def test_a_film_is_chosen_for_a_run(
    user: User, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the form: the film of a tour without poses is spread over the route."""
    folder = sample.parent / "runs" / "capnav"
    film = sample.parent / "tour.mp4"
    with open_video(film, PictureSize(64, 48), 2.0) as video:
        for _ in range(6):
            video.write(np.full((48, 64, 3), 90, np.uint8))
    user.open(sample)
    user.press("Ctrl+5")
    answers = shutil.copytree(folder / "scripted", folder / "answers")
    user.window.replay.files.propose(answers)
    user.wait(lambda: user.window.findChildren(RunDialog))
    dialog = user.find(RunDialog)
    asked: list[str] = []

    def choose(*words: object) -> tuple[str, str]:
        asked.extend(str(word) for word in words)
        return str(film), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(choose))
    user.click_widget(user.find(QPushButton, "Film: pictures", dialog))
    assert any("*.mp4" in word for word in asked)
    assert dialog.values.pictures == film
    dialog.name.setText("with film")
    user.click_widget(dialog.open_button)
    replay = user.window.replay
    user.wait(lambda: replay.chosen_runs == ("with film",))
    assert replay.desk.pictures_folder("with film") == film
    wait_for_rows(user, replay, "with film")
    open_episode(user, "home_4__WHEELCHAIR")
    strip = replay.views.strip
    user.wait(lambda: "picture 1 of 6" in strip.rows[0].caption)
    replay.views.cursor.move_to(1)
    user.wait(lambda: "picture 6 of 6" in strip.rows[0].caption)

"""What is opened, read again, imported and exported while the window goes on."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from gui.house import graph, write_house
from gui.user import User
from import_path import IMPORT_PATH
from passage_lists import shown_titles
from patience import PATIENCE_S
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QInputDialog,
    QMessageBox,
    QPushButton,
    QTabWidget,
)
from shown_parts import shown_keys
from stored_rows import change_rows
from worlds.vln_worlds import connectivity_entries

from waypost.annotators.traverse.passage_list import PassageList
from waypost.app.graph.storey_lists import EdgeList, NodeList
from waypost.app.score import score_files
from waypost.app.score.spec import SCORE
from waypost.app.shell.open_mark import OpenMark
from waypost.domain.base.frames import CAPNAV
from waypost.domain.causes.replay_book import ReplayBook
from waypost.domain.project import Project, set_graph
from waypost.domain.record.study import NO_STUDY
from waypost.domain.scene.graph import Edge, Node, build_graph, move_nodes
from waypost.domain.score.score_book import NO_SCORES
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel, Verdict
from waypost.io.agent_files import shipped_agents
from waypost.io.graphs import graph_files
from waypost.io.graphs.capnav_graph import write_capnav_graph
from waypost.io.graphs.graph_files import read_graph_file
from waypost.sample.sample_scores import BATCH
from waypost.services.jobs import Job, JobState
from waypost.store.project_store import ProjectStore

pytestmark = [pytest.mark.gui, pytest.mark.conformance]

MANY = 3000
"""Nodes that no turn of the event loop shows all of."""


@pytest.fixture
def long_row(tmp_path: Path) -> Path:
    """A project without a scene: 3,000 nodes, each joined to the next."""
    nodes = [Node(f"node_{n}", f"Place {n}", (float(n), 0.0, 0.0)) for n in range(MANY)]
    edges = [Edge(f"edge_{n}", f"node_{n}", f"node_{n + 1}") for n in range(MANY - 1)]
    store = ProjectStore.open(write_house(tmp_path / "row"))
    house = store.load()
    row = replace(house, name="Row", scene_path="", graph=build_graph(nodes, edges))
    store.save(house, row, "ana")
    store.close()
    return tmp_path / "row" / "house.waypost"


def ended(user: User, job: Job) -> JobState:
    """How a job ended."""
    states: list[JobState] = []
    job.state_changed.connect(states.append)
    user.wait(lambda: job.state.is_final)
    return job.state


def test_what_is_open_stays_until_the_other_is_whole(at_house: User, tmp_path: Path) -> None:
    other = write_house(tmp_path / "other")
    before = at_house.document
    job = at_house.window.bench.open_path(other)
    assert at_house.document is before
    assert at_house.window.bench.opening is job
    at_house.click((2.5, 0.0, 0.0))
    at_house.wait(lambda: at_house.document is not before)
    assert at_house.document.store.location == other
    assert at_house.window.bench.opening is None


def test_the_newest_wish_is_opened(at_house: User, tmp_path: Path) -> None:
    files = [write_house(tmp_path / name) for name in ("first", "second")]
    before = at_house.document
    first, _ = (at_house.window.bench.open_path(file) for file in files)
    assert ended(at_house, first) is JobState.CANCELLED
    at_house.wait(lambda: at_house.document is not before)
    assert at_house.document.store.location == files[1]


def test_an_edit_while_its_file_is_read_again_is_kept(at_house: User, house: Path) -> None:
    before = at_house.document
    at_house.window.bench.open_path(house)
    # What is being read may lack the edit; it must not take the place of what has it.
    before.edit("Rename project", replace(before.project, name="Flat"))
    at_house.wait(lambda: at_house.document is not before)
    assert at_house.project.name == "Flat"
    at_house.document.edit("Rename project", replace(at_house.project, name="Loft"))
    assert at_house.document.store.load().name == "Loft"


def test_what_is_being_typed_belongs_to_the_project_that_is_left(
    at_house: User, house: Path, tmp_path: Path
) -> None:
    user, other = at_house, write_house(tmp_path / "other")
    user.click(user.graph.nodes["node_1"].position_m)
    user.press("F2")
    user.type("Lobby")
    # As a file that is dropped does it: the field keeps the keyboard.
    user.open(other)
    assert user.graph.nodes["node_1"].name == "Hall"
    user.press("Ctrl+2", "Y", "C")
    user.type("narrow")
    user.open(house)
    assert user.graph.nodes["node_1"].name == "Lobby"
    assert not user.project.labels
    assert notes(other) == ["narrow"]
    user.press("Ctrl+2", "Y", "C")
    user.type("wide")
    user.window.close()
    assert notes(house) == ["wide"]


def notes(project: Path) -> list[str]:
    """Of the labels in a project file."""
    store = ProjectStore.open(project)
    found = [label.note for label in store.load().labels.values()]
    store.close()
    return found


def test_a_damaged_file_is_not_reloaded(at_house: User, house: Path) -> None:
    document, project = at_house.document, at_house.project
    change_rows(house, "UPDATE nodes SET payload = '['")
    at_house.window.bench.reload()
    at_house.wait(lambda: "nodes, row 1" in at_house.message())
    assert at_house.document is document
    assert at_house.project is project


def test_reloading_takes_what_is_in_the_file(at_house: User, house: Path) -> None:
    document, other = at_house.document, ProjectStore.open(house)
    theirs = other.load()
    other.save(theirs, replace(theirs, name="Theirs"), "ben")
    other.close()
    document.edit("Rename project", replace(document.project, name="Mine"))
    assert document.save_state.is_conflict
    # What is lost is listed first, and Esc keeps it.
    for answer in ("Cancel", "Reload"):
        at_house.click_widget(at_house.find(QPushButton, "Reload"))
        at_house.wait(QApplication.activeModalWidget)
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        assert box.text() == "Reloading gives up your changes to:\nthe project's name"
        assert at_house.project.name == "Mine"
        {made.text().replace("&", ""): made for made in box.buttons()}[answer].click()
        at_house.take_keyboard()
    at_house.wait(lambda: at_house.project.name == "Theirs")
    assert at_house.document is document
    document.edit("Rename project", replace(document.project, name="Mine"))
    assert document.store.load().name == "Mine"


def test_closing_while_a_project_is_read(
    at_house: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, was_seen = at_house.window, list[bool]()
    end = window.workspaces.close

    def end_slowly() -> None:
        was_seen.append(window.isVisible())
        end()

    monkeypatch.setattr(window.workspaces, "close", end_slowly)
    window.bench.open_path(write_house(tmp_path / "other"))
    window.close()
    assert was_seen == [False], "nobody sees what is waited for, such as a server that hangs"
    at_house.settle()
    assert at_house.window.bench.document is None


def test_the_sample_is_made_in_the_background(user: User) -> None:
    user.window.files.open_sample()
    assert user.window.bench.document is None
    user.wait(lambda: user.window.bench.document)
    assert user.project.name == "Sample home"
    user.wait(lambda: user.window.bench.scene)
    assert user.window.bench.annotator in user.project.scoring.batches[BATCH].assigned
    assert not user.document.undo_stack.canUndo()


def test_the_sample_opens_with_nothing_to_undo(user: User, sample: Path) -> None:
    """Its takes have every score that this version gives; none is added as a step of undo."""
    user.open(sample)
    user.press("Ctrl+3")
    desk = user.window.record.desk
    user.wait(lambda: desk.is_ready and desk.episode(next(iter(user.project.study.episodes))))
    user.settle()
    assert not user.document.undo_stack.canUndo()


def _older_sample(user: User, sample: Path, folder: Path) -> Path:
    """This user's copy of the sample as a version without runs made it, with a node moved."""
    shutil.copytree(sample.parent, folder / "sample")
    for later in ("runs", "takes"):
        shutil.rmtree(folder / "sample" / later)
    path = folder / "sample" / "home.waypost"
    store = ProjectStore.open(path)
    before = store.load()
    moved = move_nodes(before.graph, {"node_1": (0.0, 0.0, 0.0)})
    bare = replace(before, replay=ReplayBook(), study=NO_STUDY, scoring=NO_SCORES)
    store.save(before, replace(bare, graph=moved), "ana")
    store.close()
    return path


def test_an_older_copy_of_the_sample_gets_runs_and_scores_beside_the_users_work(
    user: User, sample: Path, tmp_path: Path
) -> None:
    path = _older_sample(user, sample, tmp_path / "data")
    user.window.files.open_sample()
    user.wait(lambda: user.window.bench.document)
    user.wait(lambda: user.project.replay.sources)
    assert user.project.graph.nodes["node_1"].position_m == (0.0, 0.0, 0.0)
    user.wait(lambda: "they were added" in user.message())
    runs = path.parent / "runs"
    written = {p.relative_to(runs): p.read_bytes() for p in runs.rglob("*") if p.is_file()}
    fresh = sample.parent / "runs"
    assert written == {
        p.relative_to(fresh): p.read_bytes() for p in fresh.rglob("*") if p.is_file()
    }
    assert sorted(p.name for p in path.parent.iterdir() if p.is_dir()) == ["runs", "scenes"]
    assert user.project.replay.sources.keys() == _sources_of(sample)
    assert user.window.bench.annotator in user.project.scoring.batches[BATCH].assigned
    user.press("Ctrl+Z")
    assert not user.project.replay.sources


def test_runs_that_were_taken_out_of_the_sample_stay_out(
    user: User, sample: Path, tmp_path: Path
) -> None:
    path = _older_sample(user, sample, tmp_path / "data")
    own = path.parent / "runs"
    own.mkdir()
    ended_titles: list[str] = []
    user.window.files._jobs.job_ended.connect(lambda job: ended_titles.append(job.title))
    user.window.files.open_sample()
    user.wait(lambda: "Adding the runs of the sample" in ended_titles)
    user.settle()
    assert not user.project.replay.sources
    assert list(own.iterdir()) == []


def _sources_of(path: Path) -> set[str]:
    store = ProjectStore.open(path)
    names = set(store.load().replay.sources)
    store.close()
    return names


def test_a_graph_is_exported_and_imported(
    at_house: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    assert ended(at_house, at_house.window.files.export_to(folder)) is JobState.SUCCESS
    assert len(json.loads((folder / "house-graph.json").read_text())["nodes"]) == 5
    file = tmp_path / "moved.json"
    write_capnav_graph(file, move_nodes(graph(), {"node_1": (-2.5, 1.0, 0.0)}), CAPNAV)
    asked: list[list[str]] = []

    def choose(_parent: object, _title: str, _text: str, lines: list[str], *_: object) -> object:
        asked.append(lines)
        return next(line for line in lines if line.startswith(CAPNAV.title)), True

    monkeypatch.setattr(QInputDialog, "getItem", choose)
    at_house.window.files.propose_import(file)
    import_by(at_house, "Replace")
    at_house.wait(lambda: "from moved.json" in at_house.message())
    assert len(asked) == 1
    assert at_house.graph.nodes["node_1"].position_m == pytest.approx((-2.5, 1.0, 0.0), abs=1e-3)
    at_house.press("Ctrl+Z")
    assert at_house.graph.nodes["node_1"].position_m == (-2.5, 0.0, 0.0)


def test_a_connectivity_file_is_imported_without_a_question(
    at_house: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its frame is known; Ctrl+Z brings back the graph that was there."""
    monkeypatch.setattr(QInputDialog, "getItem", lambda *_: pytest.fail("asked for a frame"))
    file = tmp_path / "here_connectivity.json"
    points = [(-2.5, 1.0, 1.5), (-1.5, 1.0, 1.5)]
    file.write_text(json.dumps(connectivity_entries("ab", points, [(0, 1)])))
    way = Passage("node_1", "node_2", "human")
    labels = {p: TraversabilityLabel(p, Verdict.TRAVELS) for p in (way, way.reverse)}
    at_house.document.edit("Label", replace(at_house.project, labels=labels))
    at_house.window.files.propose_import(file)
    import_by(at_house, "Replace")
    at_house.wait(lambda: "from here_connectivity.json" in at_house.message())
    told = "2 labels of places that changed were dropped; undo takes that back."
    assert at_house.message().endswith(told)
    assert list(at_house.graph.nodes) == ["a", "b"]
    assert at_house.graph.nodes["a"].position_m == pytest.approx((-2.5, 1.0, 0.0), abs=1e-3)
    at_house.press("Ctrl+Z")
    assert "node_1" in at_house.graph.nodes
    assert len(at_house.project.labels) == 2


def test_what_is_odd_about_a_graph_is_told_as_on_the_command_line(
    at_house: User, tmp_path: Path
) -> None:
    file = tmp_path / "odd_connectivity.json"
    points = [(-2.5, 1.0, 1.5), (-1.5, 1.0, 1.5), (90.0, 90.0, 1.5)]
    entries = connectivity_entries("abc", points, [(0, 1), (1, 2)])
    entries[2]["unobstructed"][1] = False
    file.write_text(json.dumps(entries))
    (told,) = read_graph_file(file).warnings + tuple(
        finding.message for finding in read_graph_file(file).findings
    )
    at_house.window.files.propose_import(file)
    import_by(at_house, "Replace")
    at_house.wait(lambda: "from odd_connectivity.json" in at_house.message())
    message = at_house.message()
    assert "No floor under c: left where they are." in message
    assert f"Odd in the file: {told}." in message


def test_an_export_asks_before_it_replaces_files(
    at_house: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The labels of a benchmark, say, from whose folder the graph was imported."""
    labels = tmp_path / "house-traverse.json"
    labels.write_text("of somebody else")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    for answer in ("Cancel", "Overwrite"):
        assert labels.read_text() == "of somebody else"
        assert not (tmp_path / "house-graph.json").exists()
        at_house.press("Ctrl+E")
        at_house.wait(QApplication.activeModalWidget)
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        assert box.text() == f"house-traverse.json is in {tmp_path} already."
        said = {button.text().replace("&", ""): button for button in box.buttons()}
        assert box.defaultButton() is said["Cancel"]
        said[answer].click()
        at_house.take_keyboard()
    at_house.wait(lambda: labels.read_text().startswith("{"))


def import_by(user: User, words: str) -> None:
    """Answer the question whether a graph is replaced or added to."""
    user.wait(QApplication.activeModalWidget)
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    said = {button.text().replace("&", ""): button for button in box.buttons()}
    assert set(said) == {"Add", "Replace", "Cancel"}
    assert box.defaultButton() is said["Add"]
    said[words].click()
    user.take_keyboard()


def test_a_graph_is_added_beside_the_one_that_is_there(at_house: User, tmp_path: Path) -> None:
    """Nothing of the own graph changes, every label stays, and it is one step of undo."""
    file = tmp_path / "more_connectivity.json"
    points = [(-2.5, 1.0, 1.5), (-1.5, 1.0, 1.5)]
    file.write_text(json.dumps(connectivity_entries("ab", points, [(0, 1)])))
    before = at_house.project
    steps = at_house.document.undo_stack.index()
    at_house.window.files.propose_import(file)
    import_by(at_house, "Cancel")
    at_house.settle()
    assert at_house.project is before
    at_house.window.files.propose_import(file)
    import_by(at_house, "Add")
    at_house.wait(lambda: "Added 2 nodes and 1 edge from more_conn" in at_house.message())
    assert list(at_house.graph.nodes) == [*before.graph.nodes, "a", "b"]
    assert len(at_house.graph.edges) == len(before.graph.edges) + 1
    assert {k: at_house.graph.edges[k] for k in before.graph.edges} == dict(before.graph.edges)
    assert at_house.project.labels == before.labels
    assert at_house.document.undo_stack.index() == steps + 1
    at_house.press("Ctrl+Z")
    assert at_house.graph == before.graph


def test_what_is_read_for_one_project_goes_into_no_other(
    at_house: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.waypost"
    ProjectStore.create(other, Project("other"), "ana").close()
    may_go_on = threading.Event()

    def read(*_: object) -> SimpleNamespace:
        assert may_go_on.wait(PATIENCE_S)
        return SimpleNamespace(positions=(), frame=CAPNAV)

    monkeypatch.setattr(graph_files, "read_graph_file", read)
    monkeypatch.setattr(score_files, "read_scores", read)
    window, refused = at_house.window, []
    window.bench.refused.connect(refused.append)
    window.files.propose_import(tmp_path / "graph.json")
    window.workspaces.of(SCORE).files.bring_in(tmp_path / "scores.csv")
    window.bench.open_project(other)
    at_house.wait(lambda: at_house.project.name == "other")
    may_go_on.set()
    at_house.wait(lambda: len(refused) == 2)
    assert sorted(refused) == [
        f"{name} was not imported: another project was opened meanwhile."
        for name in ("graph.json", "scores.csv")
    ]


def test_a_folder_that_cannot_be_written_is_told(at_house: User, tmp_path: Path) -> None:
    (tmp_path / "nowhere").touch()
    job = at_house.window.files.export_to(tmp_path / "nowhere")
    assert ended(at_house, job) is JobState.ERROR
    at_house.wait(lambda: "nowhere" in at_house.message())


def test_a_large_graph_is_listed_in_pieces(user: User, long_row: Path) -> None:
    user.window.bench.open_path(long_row)
    user.wait(lambda: user.window.bench.document)
    nodes = user.find(NodeList)
    user.wait(lambda: len(shown_keys(nodes)) == MANY)
    tabs = user.find(QTabWidget, "Nodes and edges of the graph")
    user.click_widget(tabs.tabBar(), tabs.tabBar().tabRect(1).center())
    edges = user.find(EdgeList)
    user.wait(lambda: len(shown_keys(edges)) == MANY - 1)
    moved = move_nodes(user.graph, {"node_5": (5.0, 9.0, 0.0)})
    user.document.edit("Move node", set_graph(user.project, moved))
    user.press("Ctrl+2")
    queue = user.find(PassageList)
    user.wait(lambda: len(shown_titles(queue)) == 2 * (MANY - 1))
    assert len(shipped_agents()) == len(user.project.agents)


def test_what_happens_meanwhile_is_shown_later(at_house: User) -> None:
    """Edits made while another workspace has the window are in the lists of this one."""
    at_house.press("Ctrl+2")
    moved = build_graph(list(graph().nodes.values())[:3], list(graph().edges.values())[:2])
    at_house.document.edit("Delete", set_graph(at_house.project, moved))
    at_house.press("Ctrl+1")
    nodes = at_house.find(NodeList)
    at_house.wait(lambda: set(shown_keys(nodes)) == {"node_1", "node_2", "node_3"})


def test_a_project_that_is_open_in_another_window_is_said(user: User, house: Path) -> None:
    elsewhere, told = OpenMark(), list[str]()
    assert elsewhere.put(house) == ""
    # The message leaves once it could be read, on a slow machine before the scene is there.
    user.window.bench.refused.connect(told.append)
    user.open(house)
    user.wait(lambda: any("is open in another window of Waypost" in said for said in told))
    user.document.edit("Rename project", replace(user.project, name="Ours"))
    assert user.document.store.load().name == "Ours"
    elsewhere.take_away()
    before = user.document
    user.window.bench.open_path(house)
    user.wait(lambda: user.document is not before)
    assert OpenMark().put(house) != ""


def test_a_mark_that_a_killed_window_left_is_no_window(tmp_path: Path) -> None:
    file = tmp_path / "house.waypost"
    left = "import sys; from waypost.app.shell.open_mark import OpenMark; from pathlib import Path;"
    left += "m = OpenMark(); m.put(Path(sys.argv[1])); import os; os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", left, file], env={"PYTHONPATH": IMPORT_PATH}, check=False)
    assert (tmp_path / ".house.waypost.open").exists()
    mark = OpenMark()
    assert mark.put(file) == ""
    mark.take_away()
    assert list(tmp_path.iterdir()) == []

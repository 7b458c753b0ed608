"""Which graph a run goes over, and CapNav's answers as replays of its questions."""

from __future__ import annotations

import dataclasses
import json
import math
from itertools import pairwise
from pathlib import Path

import pytest

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.domain.scene.graph import Edge, build_graph, move_nodes
from waypost.domain.traverse.judged_graph import JudgedGraph
from waypost.io.logs.language_models.capnav_results import agent_of, question_id
from waypost.sample.navigation import build_navigation
from waypost.sample.sample_project import write_sample_runs
from waypost.services.replay.finding import replay_one
from waypost.services.replay.graphs import RunGraphs, nodes_identity
from waypost.services.replay.loading import replay_all
from waypost.services.replay.run_companions import search_companions
from waypost.services.replay.run_index import index_run

GRAPH = build_navigation()
NODES = JudgedGraph(GRAPH)
IDS = {node.name: node.node_id for node in GRAPH.nodes.values()}
HALL, PORCH, ENTRANCE = IDS["Hall"], IDS["Porch"], IDS["Entrance"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("sample")
    write_sample_runs(made)
    return made / "runs"


def request_of(folder: Path, **changes: object) -> RunSource:
    capnav = folder / "capnav"
    request = RunSource((capnav / "scripted",), (capnav / "home-QA.json",))
    return dataclasses.replace(request, **changes)


def test_a_scan_of_the_folder_comes_first(folder: Path) -> None:
    graphs = RunGraphs(folder / "connectivity", NODES)
    graph = graphs.of_run("home", (HALL,))
    assert graph is not None
    assert (graph is graphs.of_scan("home"), graphs.uses_nodes) == (True, False)
    other = graphs.of_run("elsewhere", (HALL,))
    assert other is not None
    assert graphs.uses_nodes
    assert graphs.warnings == [f"{folder / 'connectivity'} has no connectivity file of elsewhere"]


def test_nodes_of_the_project_stand_in(folder: Path) -> None:
    """Porch and Entrance are 2.6 m apart; the eye of a viewpoint is 1.5 m above its node."""
    graphs = RunGraphs(None, NODES)
    assert graphs.of_run("home", ("unknown", "strange")) is None
    assert not graphs.uses_nodes
    graph = graphs.of_run("home", ("unknown", PORCH))
    assert graph is not None
    assert graph is graphs.of_run("home", (HALL,))
    here, there = graph.index[PORCH], graph.index[ENTRANCE]
    assert graph.geodesics_m[here, there] == pytest.approx(2.6)
    assert graph.positions_m[here].tolist() == [5.45, -0.85, 1.5]
    assert graph.floor_positions_m[here].tolist() == [5.45, -0.85, 0.0]


def test_the_graph_of_another_house_judges_nothing(folder: Path) -> None:
    """Of the same ids, as in most files; renaming all rooms alone makes no other house."""
    file = folder / "capnav" / "home-graph.json"
    rooms = [dataclasses.replace(n, name=f"{n.name} 2") for n in GRAPH.nodes.values()]
    row = [Edge(f"edge_{i}", a.node_id, b.node_id) for i, (a, b) in enumerate(pairwise(rooms))]
    other = build_graph(rooms, row)
    graphs = RunGraphs(file, JudgedGraph(other))
    judged = graphs.judged("home", (HALL,))
    assert judged is not None
    assert judged.graph.nodes[HALL].name == "Hall"
    assert not graphs.uses_nodes
    assert graphs.warnings == ["the graph of the project is not of home: that of its file is used"]
    renamed = JudgedGraph(build_graph(rooms, GRAPH.edges.values()))
    assert RunGraphs(file, renamed).judged("home", (HALL,)) is renamed
    alone = RunGraphs(None, NODES)
    assert alone.judged("home", (HALL,)) is alone.judged("flat", (HALL,)) is NODES
    assert alone.warnings == ["runs in home and flat go by the one graph of the project"]


def test_a_capnav_graph_file_comes_last(folder: Path) -> None:
    file = folder / "capnav" / "home-graph.json"
    alone = RunGraphs(file)
    graph = alone.of_run("home", (HALL,))
    assert graph is not None
    assert graph.geodesics_m[graph.index[PORCH], graph.index[ENTRANCE]] == pytest.approx(2.6)
    assert not alone.uses_nodes
    both = RunGraphs(file, NODES)
    assert both.of_run("home", (HALL,)) is not None
    assert both.uses_nodes
    with pytest.raises(InputError, match="is no folder"):
        RunGraphs(folder / "nowhere")
    with pytest.raises(InputError, match="is an array"):
        RunGraphs(folder / "scripted_navgpt.json")


def test_answers_find_their_questions_and_agents(folder: Path) -> None:
    """Four questions out of eight are unanswered: of 0, 1, 3, 4 and 5 two are asked twice."""
    run = exhaust(replay_all(request_of(folder, nodes=NODES)))
    assert run.coverage["expected"] == 8
    assert (run.coverage["found"], run.coverage["missing"], run.coverage["foreign"]) == (7, 3, 0)
    shown = {each.replay.episode.episode_id: each.replay for each in run.episodes}
    assert {name: agent_of(replay.run) for name, replay in shown.items()} == {
        "home_0__WHEELCHAIR": "wheelchair",
        "home_1__WHEELCHAIR": "wheelchair",
        "home_3__WHEELCHAIR": "wheelchair",
        "home_4__WHEELCHAIR": "wheelchair",
        "home_4__QUADRUPEDAL": "quadruped",
        "home_5__WHEELCHAIR": "wheelchair",
        "home_5__HUMAN": "human",
    }
    replay = shown["home_0__WHEELCHAIR"]
    assert replay.episode.instruction.text.startswith("Can I go from the garden path")
    assert replay.has_positions
    assert replay.to_goal_m[-1] == 0.0
    assert [each.is_success for each in run.episodes] == [None] * 7
    decision = replay.step(0).decision
    assert decision is not None
    assert decision.thought.startswith("The ramp replaces the step")


def test_one_answer_by_its_id(folder: Path) -> None:
    shown = replay_one(request_of(folder, nodes=NODES), "home_4__WHEELCHAIR")
    assert shown.replay.episode.episode_id == "home_4__WHEELCHAIR"
    assert [tag.kind.value for tag in shown.tags] == ["non_edge"]
    assert math.isfinite(shown.replay.to_goal_m[0])


def test_ids_and_agents_of_other_runs(folder: Path) -> None:
    assert question_id("home_4__HUMAN") == "home_4"
    assert question_id("1_0") == "1_0"
    run = exhaust(replay_all(RunSource((folder / "scripted_open.jsonl",))))
    assert [agent_of(each.replay.run) for each in run.episodes] == [""] * 7


def test_rows_follow_the_nodes(folder: Path, tmp_path: Path) -> None:
    index = exhaust(index_run(request_of(folder, nodes=NODES), tmp_path))
    assert (len(index.rows.rows), index.stands_on_nodes) == (7, True)
    again = exhaust(index_run(request_of(folder, nodes=NODES), tmp_path))
    assert (again.is_from_cache, again.stands_on_nodes) == (True, True)
    moved = JudgedGraph(move_nodes(GRAPH, {HALL: (5.0, 4.0, 0.0)}))
    assert nodes_identity(moved) != nodes_identity(NODES)
    other = exhaust(index_run(request_of(folder, nodes=moved), tmp_path))
    assert not other.is_from_cache
    graph = other.replayed("home_1__WHEELCHAIR").replay.graph
    assert graph is not None
    assert graph.positions_m[graph.index[HALL]].tolist() == [5.0, 4.0, 1.5]
    assert not exhaust(index_run(request_of(folder), tmp_path)).stands_on_nodes


def test_what_goes_with_answers_is_found(folder: Path) -> None:
    found = exhaust(search_companions(folder / "capnav" / "scripted"))
    assert found.annotations == (folder / "capnav" / "home-QA.json",)
    assert found.connectivity == folder / "capnav" / "home-graph.json"
    assert "home-graph.json is CapNav's graph of home" in found.reasons
    assert found.pictures is None
    (folder / "home-tour.mp4").write_bytes(b"film")
    found = exhaust(search_companions(folder / "capnav" / "scripted"))
    assert found.pictures == folder / "home-tour.mp4"
    assert "home-tour.mp4 is a film of home" in found.reasons
    other = exhaust(search_companions(folder / "scripted_mapgpt"))
    assert other.pictures is None
    assert other.annotations == (folder / "R2R_demo.json",)
    assert other.connectivity == folder / "connectivity"


def test_an_answer_without_an_agent_has_none(tmp_path: Path) -> None:
    record = {"scene": "s", "prompt_file": "q7.txt", "num_frames": 1, "result": []}
    file = tmp_path / "q7.json"
    file.write_text(json.dumps(record))
    (shown,) = exhaust(replay_all(RunSource((file,)))).episodes
    assert agent_of(shown.replay.run) == ""

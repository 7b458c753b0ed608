"""Answers to CapNav questions from files: scored by graph and labels, judged by analysts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from worlds.capnav_worlds import IDS, judged, write_world

from waypost.domain.base.errors import EditError
from waypost.domain.base.progress import exhaust
from waypost.domain.causes.reason_verdicts import REASON_PLACE, reason_score, reason_verdicts
from waypost.domain.causes.replay_book import (
    EdgeVerdict,
    EdgeVerdictKey,
    ReplayBook,
    RouteVerdict,
    set_edge_verdict,
)
from waypost.domain.episode.run_source import RunSource
from waypost.domain.traverse.traversability import PassageState
from waypost.io.labels.capnav_traverse import find_traverse
from waypost.metrics.profiles.answers import NO_VERDICT
from waypost.services.replay.answer_verdicts import (
    rows_with_verdicts,
    run_with_verdicts,
    with_verdicts,
)
from waypost.services.replay.finding import replay_one
from waypost.services.replay.graphs import RunGraphs, may_use_nodes, nodes_identity
from waypost.services.replay.loading import ReplayedRun, replay_all
from waypost.services.replay.row_making import rows_of
from waypost.services.replay.run_index import index_run

VALID, INVALID, UNSURE = RouteVerdict.VALID, RouteVerdict.INVALID, RouteVerdict.UNSURE
STEPS, ROPE, EMPTY, NARROW = "flat_1__S1", "flat_1__S2", "flat_1__S3", "flat_0__S4"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    write_world(tmp_path)
    return tmp_path


def request(world: Path, **changes: object) -> RunSource:
    asked = RunSource((world / "results",), (world / "graphs" / "flat-QA.json",), world)
    return replace(asked, **changes)


def read(world: Path, **changes: object) -> ReplayedRun:
    return exhaust(replay_all(request(world, **changes)))


def success(run: ReplayedRun) -> list[bool | None]:
    return [shown.is_success for shown in run.episodes]


RIGHT = [True, False, True, True, False, False, True, True, True]


def test_the_benchmarks_own_folders_are_enough(world: Path) -> None:
    """A ground-truth folder: graphs and labels of every scene are found by its name."""
    run = read(world)
    assert run.profile.key == "capnav"
    assert success(run) == RIGHT
    assert run.warnings == ()
    by_id = {shown.replay.episode.episode_id: shown for shown in run.episodes}
    assert [tag.kind.value for tag in by_id[STEPS].tags] == ["false_yes", "blocked_edge"]
    # CapNav's file has notes alone: a note without one of our reasons counts as “other”.
    assert by_id[STEPS].tags[1].reason.endswith("travel: other: three steps")
    positions = by_id[STEPS].replay.positions_m[:, 0].tolist()
    assert positions == pytest.approx([0.0, 2.0, 4.0, 6.0])
    assert by_id[STEPS].judged is not None
    state = by_id[STEPS].judged.state(IDS["Bedroom"], IDS["Attic"], "sweeper")
    assert state is PassageState.TRAVELS


def test_one_graph_file_brings_the_labels_nearby(world: Path) -> None:
    file = world / "graphs" / "flat-graph.json"
    assert find_traverse(file) == world / "traverse" / "flat-traverse.json"
    assert success(read(world, connectivity=file)) == RIGHT
    beside = world / "graphs" / "flat-traverse.json"
    beside.write_text("{}")
    assert find_traverse(file) == beside
    assert set(success(read(world, connectivity=file))) == {None, False}


def test_labels_of_the_project(world: Path) -> None:
    assert success(read(world, connectivity=None, nodes=judged())) == RIGHT
    alone = replace(judged(), labels={})
    assert nodes_identity(alone) != nodes_identity(judged())
    assert success(read(world, connectivity=None, nodes=alone))[0] is None


def test_released_scorer_by_choice(world: Path) -> None:
    run = read(world, profile_key="capnav-released")
    assert success(run) == [True, False, True, False, False, False, True, True, True]
    # Tags are those of the benchmark as described, whatever is scored.
    assert [tag.kind.value for tag in run.episodes[3].tags] == ["empty_no"]


def test_without_graph_or_questions(world: Path) -> None:
    bare = read(world, connectivity=None)
    assert set(success(bare)) == {None}
    reason = "the graph of the question was not given"
    assert {shown.scores.reasons["accuracy"] for shown in bare.episodes} == {reason}
    unasked = read(world, annotations=())
    assert unasked.profile.key == "capnav"
    assert success(unasked)[0] is None
    assert unasked.episodes[0].scores.values["PV"] is None
    assert unasked.episodes[7].tags[0].kind.value == "blocked_edge"


def test_graphs_by_scene(world: Path) -> None:
    graphs = RunGraphs(world)
    assert graphs.judged("elsewhere", (IDS["Hall"],)) is None
    assert graphs.of_scan("flat") is None
    assert graphs.warnings == []
    found = graphs.of_run("flat", (IDS["Hall"],))
    assert found is not None
    assert found.viewpoint_ids == tuple(IDS.values())
    assert (may_use_nodes(None), may_use_nodes(world)) == (True, False)
    assert may_use_nodes(world / "flat-graph.json")


def book(*verdicts: tuple[str, str, RouteVerdict]) -> ReplayBook:
    made = ReplayBook()
    for episode, analyst, verdict in verdicts:
        key = EdgeVerdictKey("run", episode, *REASON_PLACE, analyst)
        made = set_edge_verdict(made, EdgeVerdict(key, verdict))
    return made


def test_verdicts_give_rv_its_value(world: Path) -> None:
    run = read(world)
    verdicts = reason_verdicts(
        book((ROPE, "ana", INVALID), (EMPTY, "ana", VALID), (NARROW, "ana", INVALID)), "run"
    )
    told = run_with_verdicts(run, verdicts)
    scored = {shown.replay.episode.episode_id: shown for shown in told.episodes}
    assert [scored[name].scores.values["RV"] for name in (ROPE, EMPTY, NARROW)] == [0, 1, 0]
    assert "RV" not in scored[ROPE].scores.reasons
    # A right “no” with a wrong reason is perfect no more; a wrong “no” stays what it is.
    assert [tag.kind.value for tag in run.episodes[2].tags] == ["perfect"]
    assert [tag.kind.value for tag in scored[ROPE].tags] == ["wrong_reason"]
    assert [tag.kind.value for tag in scored[NARROW].tags] == ["false_no"]
    assert scored[STEPS] is run.episodes[1]
    rows = rows_of(run)
    changed = rows_with_verdicts(rows, verdicts)
    assert changed.rows == rows_of(told).rows
    assert rows_with_verdicts(rows, {}) is rows
    assert rows_with_verdicts(rows, {"flat_0__S0": (VALID,)}) is rows


def test_analysts_who_differ_or_doubt_leave_it_open(world: Path) -> None:
    shown = replay_one(request(world), ROPE)
    assert shown.scores.reasons["RV"] == NO_VERDICT
    given = book((ROPE, "ana", VALID), (ROPE, "ben", INVALID))
    both = with_verdicts(shown, reason_verdicts(given, "run"))
    assert both.scores.reasons["RV"] == "analysts differ about the reason"
    ana = with_verdicts(shown, reason_verdicts(given, "run", "ana"))
    assert ana.scores.values["RV"] == 1.0
    assert with_verdicts(shown, reason_verdicts(given, "run", "cy")) is shown
    assert with_verdicts(shown, reason_verdicts(given, "another")) is shown
    assert reason_score((UNSURE, UNSURE)) == (None, "the verdict on the reason is unsure")
    assert reason_score((VALID, VALID)) == (1.0, "")


def test_verdicts_on_edges_are_none_on_the_reason() -> None:
    key = EdgeVerdictKey("run", ROPE, "node_1", "node_3", "ana")
    made = set_edge_verdict(ReplayBook(), EdgeVerdict(key, VALID))
    assert reason_verdicts(made, "run") == {}
    with pytest.raises(EditError):
        set_edge_verdict(made, EdgeVerdict(key._replace(analyst=" "), VALID))


def test_rows_are_read_anew_when_labels_change(
    world: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    first = exhaust(index_run(request(world), cache))
    assert [row.is_success for row in first.rows.rows] == RIGHT
    assert exhaust(index_run(request(world), cache)).is_from_cache
    file = world / "traverse" / "flat-traverse.json"
    labels = json.loads(file.read_text())
    labels["SWEEPER"]["node_1|node_3"]["traversable"] = True
    file.write_text(json.dumps(labels))
    again = exhaust(index_run(request(world), cache))
    assert not again.is_from_cache
    # Now there is a way to the attic: yes was right, and no was wrong twice.
    assert [row.is_success for row in again.rows.rows][1:4] == [True, False, False]

"""Runs of the scripted agent, derived by hand, through every form and back.

The graph is a corridor A–B–C–D–E along +X with 2 m between neighbours, and X 4 m and Y 8 m to the
left of A:  Y–X–A–B–C–D–E. Success is less than 3 m along the graph from the goal.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import NamedTuple

import pytest

from tools.demo_runs import DemoInstruction, DemoPath, write_demo_runs
from tools.sample_home.home_runs import PATHS
from tools.scripted_agent import NOTE, Behaviour, walk
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run import EventKind
from waypost.domain.episode.run_source import RunSource
from waypost.domain.scene.graph import Edge, NavigationGraph, Node, build_graph
from waypost.io.datasets.r2r_episodes import read as read_r2r
from waypost.io.graphs.matterport_graphs import load_graph
from waypost.io.read_log import ReadLog
from waypost.sample.navigation import build_navigation
from waypost.services.replay.finding import replay_one
from waypost.services.replay.loading import (
    ReplayedEpisode,
    ReplayedRun,
    replay_all,
)

FORMS = ("scripted_open.jsonl", "scripted_navgpt.json", "scripted_mapgpt")
SHORT, LONG = "1_0", "2_0"


class Expected(NamedTuple):
    """What was derived by hand."""

    walked: str
    first_deviation: int | None
    tags: dict[str, int]
    length_m: float
    error_m: float
    success: float
    oracle: float
    spl: float


def corridor() -> NavigationGraph:
    places = {name: (2.0 * i, 0.0, 0.0) for i, name in enumerate("ABCDE")}
    places |= {"X": (0.0, 4.0, 0.0), "Y": (0.0, 8.0, 0.0)}
    nodes = [Node(name.lower(), name, point) for name, point in places.items()]
    ways = ("AB", "BC", "CD", "DE", "AX", "XY")
    return build_graph(nodes, [Edge(way, way[0].lower(), way[1].lower()) for way in ways])


def written(folder: Path, short: Behaviour, long: Behaviour) -> Path:
    """Both episodes, A-B-C and A-B-C-D-E, with the same behaviour in every form."""
    paths = (
        DemoPath(1, ("A", "B", "C"), (DemoInstruction("Walk on. Stop.", short, short, short),)),
        DemoPath(2, tuple("ABCDE"), (DemoInstruction("Go on. Stop.", long, long, long),)),
    )
    write_demo_runs(folder, "corridor", corridor(), paths, "runs")
    return folder


def request_of(folder: Path, form: str) -> RunSource:
    return RunSource((folder / form,), (folder / "R2R_demo.json",), folder / "connectivity")


def replayed(folder: Path, form: str) -> ReplayedRun:
    return exhaust(replay_all(request_of(folder, form)))


def check(shown: ReplayedEpisode, expected: Expected) -> None:
    replay, scores = shown.replay, shown.scores.values
    arrivals = [place for place, _ in replay.moves]
    names = [replay.viewpoint_ids[step].upper() for _, step in replay.moves]
    assert ("".join(names), len(arrivals)) == (expected.walked, len(expected.walked))
    assert replay.first_deviation_step == expected.first_deviation
    found = {tag.kind.value: tag.step for tag in shown.tags}
    assert found == expected.tags
    keys = ("TL", "NE", "SR", "OSR", "SPL")
    assert [scores[key] for key in keys] == pytest.approx(
        [expected.length_m, expected.error_m, expected.success, expected.oracle, expected.spl]
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_loop_costs_half_the_spl(tmp_path: Path, form: str) -> None:
    """A-B-A-B-C where A-B-C was asked for.

    Length: four moves of 2 m, 8 m; the shortest way is 4 m; it ends at C, so that SR is 1 and SPL
    is 1 · 4 / max(8, 4) = 0.5. The pointer of the reference stands at B when the agent returns to
    A: step 2 is the first deviation, steps 3 and 4 are on the reference again. The move A→B is
    made twice, first at step 1 and again at step 3; from the arrival at step 2 on it repeats.
    """
    runs = replayed(written(tmp_path, Behaviour.LOOP, Behaviour.PERFECT), form)
    shown = runs.episodes[0]
    tags = {"success_with_looping": 2, "looping": 2}
    check(shown, Expected("ABABC", 2, tags, 8.0, 0.0, 1.0, 1.0, 0.5))
    assert shown.replay.on_reference is not None
    assert shown.replay.on_reference.tolist() == [True, True, False, True, True]
    assert shown.replay.revisit_steps == (2, 3)


@pytest.mark.parametrize("form", FORMS)
def test_the_reference_itself_is_perfect(tmp_path: Path, form: str) -> None:
    """A-B-C-D-E: 8 m, the shortest way; at its end 0 m from the goal, never off the reference."""
    runs = replayed(written(tmp_path, Behaviour.LOOP, Behaviour.PERFECT), form)
    check(runs.episodes[1], Expected("ABCDE", None, {"perfect": 4}, 8.0, 0.0, 1.0, 1.0, 1.0))


@pytest.mark.parametrize("form", FORMS)
def test_walking_on_is_an_oracle_success(tmp_path: Path, form: str) -> None:
    """A-B-C-D-E where A-B-C was asked for.

    B is 2 m from the goal, the first place within 3 m: oracle success at step 1. D is still 2 m
    from it, E is 4 m: a late stop at step 4, where it is beyond 3 m for good. Walking on beyond
    the end is off the reference: step 3, the arrival at D. 8 m walked, an error of 4 m.
    """
    runs = replayed(written(tmp_path, Behaviour.WALKS_ON, Behaviour.EARLY_STOP), form)
    tags = {"late_stop": 4, "oracle_success": 1}
    check(runs.episodes[0], Expected("ABCDE", 3, tags, 8.0, 4.0, 0.0, 1.0, 0.0))


@pytest.mark.parametrize("form", FORMS)
def test_stopping_too_early(tmp_path: Path, form: str) -> None:
    """A-B-C where A-B-C-D-E was asked for.

    E is 8, 6 and 4 m away: it stops where it was nearest ever, 4 m away, at step 2. It never left
    the reference, walked 4 m, and was never within 3 m.
    """
    runs = replayed(written(tmp_path, Behaviour.WALKS_ON, Behaviour.EARLY_STOP), form)
    check(runs.episodes[1], Expected("ABC", None, {"early_stop": 2}, 4.0, 4.0, 0.0, 0.0, 0.0))


@pytest.mark.parametrize("form", FORMS)
def test_the_wrong_first_turn(tmp_path: Path, form: str) -> None:
    """A-X-Y where A-B-C was asked for: X is 8 m from C and not the second of the reference.

    The start was 4 m away, Y is 12 m away; 8 m walked. The first move ends at step 1. It is no
    early stop: the least distance it ever had was that of the start.
    """
    runs = replayed(written(tmp_path, Behaviour.WRONG_WAY, Behaviour.PERFECT), form)
    tags = {"wrong_first_turn": 1}
    check(runs.episodes[0], Expected("AXY", 1, tags, 8.0, 12.0, 0.0, 0.0, 0.0))


@pytest.mark.parametrize("form", FORMS)
def test_answers_that_name_no_move(tmp_path: Path, form: str) -> None:
    """A-B-C of A-B-C-D-E, then answers without a move: a generation error at C, step 2.

    NavGPT's form and ours say that STOP was never called: never stopped, at the last step, which
    is the second answer at C. MapGPT's program stops the run at the first, step 2: so it is there.
    """
    runs = replayed(written(tmp_path, Behaviour.PERFECT, Behaviour.GARBLED), form)
    shown = runs.episodes[1]
    last = len(shown.replay) - 1
    tags = {"generation_error": 2, "never_stopped": last}
    check(shown, Expected("ABC", None, tags, 4.0, 4.0, 0.0, 0.0, 0.0))
    assert shown.replay.run.end.called_stop is False
    decision = shown.replay.step(2).decision
    assert decision is not None
    assert EventKind.NO_MOVE in {event.kind for event in decision.events}
    assert "rabbit" in decision.raw_text


@pytest.mark.parametrize("form", FORMS)
def test_every_move_has_its_thought_and_says_who_wrote_it(tmp_path: Path, form: str) -> None:
    folder = written(tmp_path, Behaviour.LOOP, Behaviour.EARLY_STOP)
    runs = replayed(folder, form)
    assert (runs.findings, runs.warnings, runs.coverage["found"]) == ((), (), 2)
    for shown in runs.episodes:
        for step in shown.replay.steps():
            assert step.decision is not None
            assert step.decision.thought or step.decision.raw_text
        one = replay_one(request_of(folder, form), shown.replay.episode.episode_id)
        assert NOTE in json.dumps(one.replay.run.record)


def test_the_form_of_mapgpt_has_options_and_a_map(tmp_path: Path) -> None:
    runs = replayed(written(tmp_path, Behaviour.LOOP, Behaviour.PERFECT), "scripted_mapgpt")
    (first, second, *_) = runs.episodes[0].replay.run.decisions
    assert [option.text.split(" which")[0] for option in first.options] == [
        "go forward to Place 1",
        "turn left to Place 2",
    ]
    assert [option.label for option in second.options] == ["A", "B", "C"]
    assert second.options[0].text == "stop"
    assert second.extra["map"] == (
        "\nPlace 0 is connected with Places 1, 2\nPlace 1 is connected with Places 0, 3"
    ).strip("\n")


def test_the_same_seed_gives_the_same_words(tmp_path: Path) -> None:
    written(tmp_path, Behaviour.LOOP, Behaviour.PERFECT)
    graph = load_graph(tmp_path / "connectivity", "corridor")
    episode = next(iter(read_r2r(tmp_path / "R2R_demo.json", ReadLog())))
    names = {name: name.upper() for name in graph.viewpoint_ids}
    told = [
        [step.thought for step in walk(episode, graph, names, Behaviour.PERFECT, seed).steps]
        for seed in (1, 1, *range(2, 8))
    ]
    assert told[0] == told[1]
    assert len({tuple(words) for words in told}) > 1


@pytest.mark.parametrize(
    ("places", "behaviour", "reason"),
    [
        (("A", "B"), Behaviour.EARLY_STOP, "1_0: early_stop is not possible"),
        (("A", "B", "C"), Behaviour.GARBLED, "1_0: garbled is not possible"),
        (("C", "B", "A"), Behaviour.WRONG_WAY, None),
        (("E", "D", "C"), Behaviour.WRONG_WAY, "1_0: wrong_way is not possible"),
        (("A",), Behaviour.PERFECT, "1_0: perfect is not possible"),
        (("A", "C"), Behaviour.PERFECT, "path 1: A and C are not joined"),
        (("A", "Q"), Behaviour.PERFECT, "path 1: the graph has no place 'Q'"),
    ],
)
def test_what_cannot_be_walked_is_refused(
    tmp_path: Path, places: tuple[str, ...], behaviour: Behaviour, reason: str | None
) -> None:
    instruction = DemoInstruction("Go.", behaviour, behaviour, behaviour)
    paths = (DemoPath(1, places, (instruction,)),)
    if reason is None:
        write_demo_runs(tmp_path, "corridor", corridor(), paths, "runs")
        return
    with pytest.raises(InputError, match=reason):
        write_demo_runs(tmp_path, "corridor", corridor(), paths, "runs")


def test_paths_of_the_sample_are_shortest_and_show_every_behaviour(tmp_path: Path) -> None:
    write_demo_runs(tmp_path, "home", build_navigation(), PATHS, "runs")
    graph = load_graph(tmp_path / "connectivity", "home")
    for episode in read_r2r(tmp_path / "R2R_demo.json", ReadLog()):
        way = episode.reference.viewpoint_ids
        steps = itertools.pairwise(way)
        length = sum(graph.geodesics_m[graph.index[a], graph.index[b]] for a, b in steps)
        assert length == pytest.approx(episode.geodesic_m)
    for form in FORMS:
        found = {
            tag.kind.value for shown in replayed(tmp_path, form).episodes for tag in shown.tags
        }
        assert {"perfect", "looping", "early_stop", "oracle_success", "generation_error"} <= found

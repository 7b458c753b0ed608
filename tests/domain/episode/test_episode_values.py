"""Routes, ids, episodes, runs: values that compare by content."""

import math
import pickle

import numpy as np
import pytest
from worlds.vln_worlds import graph_episode, graph_run, line_graph, space_episode, space_run

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import normal_id
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.path_checks import check_run
from waypost.domain.episode.route import EMPTY_ROUTE, route
from waypost.domain.episode.run import Decision, EpisodeRun, Event, EventKind


def test_routes_compare_by_value():
    one = route(["a", "b"], yaws_rad=[0.5, math.nan])
    same = route(["a", "b"], yaws_rad=[0.5, math.nan])
    assert one == same
    assert hash(one) == hash(same)
    assert one != route(["a", "b"], yaws_rad=[0.5, 0.0])
    assert one != route(["a", "b"])
    assert one != "ab"
    assert route(positions_m=[(0, 0, 0)]) != route(positions_m=[(0, 0, 1)])
    assert len(one) == 2
    assert len(EMPTY_ROUTE) == 0
    assert len(route(positions_m=np.zeros((5, 3)))) == 5


def test_routes_are_checked_and_read_only():
    with pytest.raises(InputError, match="different lengths"):
        route(["a"], positions_m=[(0, 0, 0), (1, 0, 0)])
    with pytest.raises(InputError, match="position 1 of a route is not finite"):
        route(positions_m=[(0, 0, 0), (1, math.nan, 0)])
    built = route(positions_m=[(0, 0, 0)])
    with pytest.raises(ValueError, match="read-only"):
        built.positions_m[0, 0] = 1


@pytest.mark.parametrize(
    ("stated", "normal"), [(7, "7"), ("7", "7"), ("007", "007"), (7.0, "7"), (" 6250_0 ", "6250_0")]
)
def test_ids(stated, normal):
    assert normal_id(stated) == normal


def test_the_record_does_not_count_in_comparisons():
    assert EpisodeRun("1", record={"a": 1}) == EpisodeRun("1", record=None)


def test_routes_pickle():
    one = route(["a"], positions_m=[(1, 2, 3)])
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301


LINE = line_graph(2, 2, 2)


def kinds(episode, run, graph=LINE):
    return [finding.kind for finding in check_run(episode, run, graph)]


def test_a_good_run_has_no_findings():
    assert kinds(graph_episode("ABC"), graph_run("AABBC")) == []


@pytest.mark.parametrize(
    ("path", "kind", "step", "value"),
    [
        ("ACD", ImportKind.NO_EDGE, 1, "A → C"),
        ("ABX", ImportKind.UNKNOWN_VIEWPOINT, 2, "X"),
        ("BC", ImportKind.WRONG_START, 0, "B ≠ A"),
        ("A", ImportKind.SINGLE_POSE, 0, ""),
        ("", ImportKind.EMPTY_PATH, None, ""),
        ("ABA", ImportKind.REVISITED, 2, "A"),
    ],
)
def test_each_fault_is_a_finding_with_id_step_and_value(path, kind, step, value):
    (finding,) = check_run(graph_episode("ABC", "9_1"), graph_run(path, "9_1"), LINE)
    assert (finding.kind, finding.item_id, finding.step, finding.value) == (
        kind,
        "9_1",
        step,
        value,
    )
    assert finding.message


def test_back_and_forth_returns_twice():
    assert [f.step for f in check_run(None, graph_run("ABABC"))] == [2, 3]


def test_excluded_viewpoints_are_unknown_to_paths():
    graph = line_graph(2, 2)
    ghosted = type(graph)(
        **{
            **{name: getattr(graph, name) for name in graph.__dataclass_fields__},
            "is_included": np.array([True, True, False]),
        }
    )
    (finding,) = check_run(graph_episode("AB"), graph_run("ABC"), ghosted)
    assert finding.kind == ImportKind.UNKNOWN_VIEWPOINT
    assert "excludes" in finding.message


def test_a_run_in_space_begins_near_its_start():
    episode = space_episode([(0, 0, 0), (1, 0, 0)], start_position_m=(0.0, 0.0, 0.0))
    assert list(check_run(episode, space_run([(0.4, 0, 0), (1, 0, 0)]))) == []
    (finding,) = check_run(episode, space_run([(0.6, 0, 0), (1, 0, 0)]))
    assert (finding.kind, finding.value) == (ImportKind.WRONG_START, "0.60 m")


def test_decisions_that_did_not_move_are_said():
    stuck = Decision(
        1, 1, action="go to the moon", events=(Event(EventKind.NO_MOVE, "names no valid move"),)
    )
    run = graph_run("AB", decisions=(stuck, Decision(1, 2)))
    (finding,) = check_run(graph_episode("AB"), run, LINE)
    assert (finding.kind, finding.step) == (ImportKind.NO_MOVE, 0)
    assert not finding.is_problem

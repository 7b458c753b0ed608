"""Text maps as MapGPT prints them, and MSNav's pruning computed by hand."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

from fixtures.replay_examples import graph_replay, line_graph

from waypost.domain.episode.run import Decision
from waypost.domain.replay.memory import (
    MSNAV_PRUNING,
    parse_text_map,
    pruning_of,
    replay_pruning,
    text_maps,
)

MAP = "\nPlace 0 is connected with Places 1, 2\nPlace 1 is connected with Places 0, 3, 4"


def test_a_text_map() -> None:
    shown = parse_text_map(MAP, "Place 2, which is corresponding to Image 2", "Place 0 1")
    assert shown.trajectory == (0, 1)
    assert dict(shown.links) == {0: (1, 2), 1: (0, 3, 4)}
    assert shown.beside == (2,)
    assert shown.places == (0, 1, 2, 3, 4)


def test_other_text_is_an_empty_map() -> None:
    shown = parse_text_map("I see a kitchen.", "Nothing yet.", "")
    assert (shown.trajectory, dict(shown.links), shown.beside, shown.places) == ((), {}, (), ())


def test_maps_stand_at_the_steps_that_show_them() -> None:
    extra = MappingProxyType({"map": MAP, "supplementary_info": "Nothing yet."})
    told = Decision(1, 2, prompt="History: x\nTrajectory: Place 0 1\nMap:", extra=extra)
    maps = text_maps(graph_replay("ABC", decisions=(told, Decision(2, 3))))
    assert list(maps) == [0]
    assert maps[0].trajectory == (0, 1)


def test_scores_by_hand() -> None:
    # A-B-C-D with everything due at once: at D (time 3) the ages of A, B, C are 3, 2, 1.
    eager = dataclasses.replace(
        MSNAV_PRUNING, start_step=3, old_after_steps=1, keep_recent_steps=0, uses_distance=True
    )
    walked = [(name, step) for step, name in enumerate("ABCD")]
    steps = replay_pruning(walked, line_graph(), eager)
    assert [len(step.nodes) for step in steps] == [1, 2, 3, 4]
    a, b, c, d = steps[3].nodes
    # A: age 3-1 = 2, one edge, no unexplored neighbour, 3 edges away.
    assert a.terms == (2.0, -2.5, 0.0, 1.5)
    assert a.score == 1.0
    # B: age 1, three edges (A, C, U), U unexplored, 2 edges away.
    assert b.terms == (1.0, -7.5, -5.0, 1.0)
    assert c.is_candidate is False
    assert d.is_candidate is False
    assert (a.is_candidate, a.is_pruned, b.is_candidate, b.is_pruned) == (True, True, True, False)
    assert steps[3].struck_out == ("A",)
    assert steps[2].struck_out == ()


def test_a_pruned_node_returns_when_visited_again() -> None:
    eager = dataclasses.replace(MSNAV_PRUNING, start_step=2, old_after_steps=1, keep_recent_steps=0)
    walked = [(name, step) for step, name in enumerate("ABCBA")]
    steps = replay_pruning(walked, line_graph(), eager)
    assert [step.struck_out for step in steps] == [(), (), ("A",), ("A",), ("C",)]
    # B had forgotten its edge to A when A was pruned.
    at_b = next(node for node in steps[3].nodes if node.viewpoint_id == "B")
    assert at_b.degree == 2


def test_nothing_is_pruned_early_or_without_a_graph() -> None:
    replay = graph_replay("ABCDE")
    assert all(step.struck_out == () for step in pruning_of(replay))
    assert [node.distance_edges for node in pruning_of(replay)[4].nodes] == [4, 3, 2, 1, 0]
    assert pruning_of(dataclasses.replace(replay, graph=None)) == ()


def test_unknown_viewpoints_have_no_edges() -> None:
    steps = replay_pruning([("X", 0), ("A", 1)], line_graph())
    assert [node.degree for node in steps[1].nodes] == [0, 1]
    assert steps[1].nodes[0].distance_edges is None

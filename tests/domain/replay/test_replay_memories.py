"""What a run remembered: maps that keep their places, plans, stages, experts, chains, curves."""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType

import pytest
from fixtures.card_examples import loop_replay, mapgpt_replay, navgpt_replay, plan_replay
from fixtures.replay_examples import graph_episode, graph_replay, line_graph, space_replay

from waypost.domain.episode.episode import Goal
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Answer, Decision, EpisodeRun, Option
from waypost.domain.replay.agent_map_picture import place_maps, pruning_picture, spread_out
from waypost.domain.replay.cursor_curves import cursor_curves
from waypost.domain.replay.id_chains import current_link, driven_chain, reference_chain, short_ids
from waypost.domain.replay.memories import (
    MemoryPage,
    expert_outputs,
    memory_of,
    pruned_at,
    pruning_index,
)
from waypost.domain.replay.memory import MSNAV_PRUNING
from waypost.domain.replay.plans import PlanFeedback
from waypost.domain.replay.replay import build_replay
from waypost.domain.replay.stage_progress import current_stage, stage_states

EAGER = replace(
    MSNAV_PRUNING, start_step=3, old_after_steps=1, keep_recent_steps=0, uses_distance=True
)


def test_places_come_and_vanish() -> None:
    maps = place_maps(mapgpt_replay())
    first, second, third = (maps.picture(step) for step in range(3))
    assert [node.label for node in first.nodes] == ["0", "1", "2"]
    assert [node.label for node in second.nodes if node.is_new] == ["3", "4"]
    assert [node.label for node in third.nodes if node.is_struck_out] == ["0"]
    assert second.links == (("0", "1"), ("0", "2"), ("2", "3"), ("2", "4"))
    assert third.trail == ("0", "2", "3")
    assert [node.label for node in third.nodes if node.is_current] == ["3"]
    assert not second.is_to_scale


def test_places_stay_where_they_are() -> None:
    maps = place_maps(mapgpt_replay())
    at = [{node.key: node.at for node in maps.picture(step).nodes} for step in range(3)]
    assert at[0].items() <= at[1].items()
    assert at[2].items() <= at[1].items()
    assert place_maps(mapgpt_replay()).at == maps.at


def test_places_lie_in_plan_where_their_viewpoints_are_known() -> None:
    told = Decision(
        1,
        2,
        options=(Option("A", "B", picture="Image 1"),),
        extra=MappingProxyType({"map": "Place 0 is connected with Places 1", "place": 0}),
    )
    maps = place_maps(graph_replay("AB", decisions=(told,)))
    assert maps.is_to_scale
    assert maps.at == {0: (0.0, 0.5), 1: (1.0, 0.5)}


def test_layouts_are_bounded_and_repeatable() -> None:
    links = [(i, i + 1) for i in range(400)]
    for count in (1, 5, 400):
        keys = range(count)
        inside = [link for link in links if link[1] < count]
        at = spread_out(keys, inside)
        assert at == spread_out(keys, inside)
        assert all(-1e-9 <= x <= 1 + 1e-9 for point in at.values() for x in point)
    assert spread_out((), ()) == {}


def test_pruned_nodes_by_hand() -> None:
    replay = graph_replay("ABCDE")
    states = memory_of(replay).pruning(EAGER)
    # At D (time 3) A has 1·2 − 2.5·1 − 5·0 + 0.5·3 = 1, the highest; at E it is B, which lost A:
    # 1·(3−1) − 2.5·2 − 5·1 + 0.5·3 = −6.5, against C's 1·(2−1) − 2.5·2 + 0.5·2 = −3.
    assert [node.score for node in states[3].nodes] == [1.0, -10.5, -4.5, -11.0]
    assert pruned_at(states, 3) == {"A": 3}
    assert pruned_at(states, 4) == {"A": 3, "C": 4}
    assert pruning_index(states, 3) == 3
    assert pruning_index((), 3) is None


def test_the_picture_of_the_pruning() -> None:
    replay = graph_replay("ABCDE")
    states = memory_of(replay).pruning(EAGER)
    early, late = (pruning_picture(states, number, line_graph()) for number in (1, 4))
    assert [(node.label, node.at) for node in early.nodes] == [("1", (0, 0.5)), ("2", (0.25, 0.5))]
    assert [node.key for node in early.nodes if node.is_new] == ["B"]
    assert [node.key for node in late.nodes if node.is_struck_out] == ["C", "A"]
    assert late.links == (("D", "E"),)


def test_pages_are_those_that_the_run_has() -> None:
    assert memory_of(mapgpt_replay()).pages == (
        MemoryPage.MAP,
        MemoryPage.PLAN,
        MemoryPage.PRUNING,
    )
    assert memory_of(space_replay([[0, 0, 0]], [[0, 0, 0]])).pages == ()
    replay = loop_replay()
    assert memory_of(replay) is memory_of(replay)


def test_plans_with_feedback() -> None:
    memory = memory_of(plan_replay())
    first, last = memory.plan_at(1), memory.plan_at(2)
    assert first is not None
    assert last is not None
    assert first.step == 0
    assert (last.kept, last.struck_out) == (1, ("find the sofa",))
    assert last.added == ("find another door", "find the sofa")
    assert last.feedback is PlanFeedback.OUT_OF_PLAN


def test_stages_are_reached_in_order() -> None:
    stages = (
        Goal("C", extra=MappingProxyType({"name": "the sink"})),
        Goal("A", radius_m=1.0),
        Goal(position_m=(8.0, 0.0, 1.5), radius_m=0.5),
    )
    episode = graph_episode("ABC", stages=stages)
    replay = build_replay(episode, EpisodeRun("7_0", route(tuple("ABABC"))), line_graph())
    states = stage_states(replay)
    # 3 m around C take in B, 2 m away; A is reached after that, at step 2; the last never.
    assert [state.reached_step for state in states] == [1, 2, None]
    assert [state.title for state in states] == ["the sink", "A", "at 8.0, 0.0, 1.5 m"]
    assert [current_stage(states, step) for step in range(5)] == [0, 1, 2, 2, 2]


def test_all_stages_done() -> None:
    episode = graph_episode("AB", stages=(Goal("B", radius_m=1.0),))
    replay = build_replay(episode, EpisodeRun("7_0", route(("A", "B"))), line_graph())
    assert [current_stage(stage_states(replay), step) for step in (0, 1)] == [0, None]


def test_what_experts_said() -> None:
    decision = Decision(
        1,
        2,
        extra=MappingProxyType(
            {"fused": {"B": "go"}, "context": "Landmarks: door", "choice": 2, "result": "hidden"}
        ),
    )
    answer = Answer(object_lists=MappingProxyType({"direct": ("sofa", "lamp")}))
    replay = graph_replay("AB", decisions=(decision,), answer=answer)
    assert [(part.name, part.text) for part in expert_outputs(replay, 0)] == [
        ("Fused thought B", "go"),
        ("Context", "Landmarks: door"),
        ("Objects named by the model", "direct: sofa, lamp"),
    ]


def test_chains() -> None:
    replay = loop_replay()
    links = driven_chain(replay)
    assert [link.text for link in links] == list("ABABC")
    assert [link.is_first_deviation for link in links] == [False, False, True, False, False]
    assert [link.is_off for link in links] == [False, False, True, False, False]
    assert current_link(links, 3) == 3
    wanted = reference_chain(replay)
    assert [(link.text, link.step) for link in wanted] == [("A", 0), ("B", 1), ("C", 4)]
    missed = reference_chain(graph_replay("AB"))
    assert [(link.is_reached, link.step) for link in missed] == [
        (True, 0),
        (True, 1),
        (False, None),
    ]
    assert driven_chain(space_replay([[0, 0, 0]], [[0, 0, 0]])) == ()


def test_ids_are_as_short_as_they_can_be() -> None:
    assert short_ids(("abcdef1", "abcdef2", "x")) == {
        "abcdef1": "abcdef1",
        "abcdef2": "abcdef2",
        "x": "x",
    }
    assert set(short_ids(navgpt_replay().viewpoint_ids).values()) >= {"0000", "7777"}
    assert short_ids(()) == {}
    alike = [f"{number:032}" for number in (7, 18, 123_456)]
    assert list(short_ids(alike).values()) == ["…000007", "…000018", "…123456"]
    assert list(short_ids(("kujiale_0031_a", "kujiale_0031_b")).values()) == ["…31_a", "…31_b"]


def test_curves_by_hand() -> None:
    curves = {curve.key: curve for curve in cursor_curves(loop_replay())}
    assert curves["to_goal"].values.tolist() == [4, 2, 4, 2, 0]
    assert curves["oracle"].values.tolist() == [4, 2, 2, 2, 0]
    assert curves["progress"].values.tolist() == [0, 0.5, 0, 0.5, 1]
    assert curves["travelled"].values.tolist() == [0, 2, 4, 6, 8]
    # One step back costs 2 m of warping: exp(−2 / (3 · 3)).
    assert curves["ndtw"].at(4) == pytest.approx(math.exp(-2 / 9))
    nothing = cursor_curves(graph_replay("", decisions=(Decision(0, 0),)))
    assert not any(curve.is_known for curve in nothing)
    assert nothing[0].at(0) is None


def test_a_curve_says_how_its_distances_were_measured() -> None:
    """Goals in positions lie on no graph, even where the run goes along one."""
    along = loop_replay()
    in_space = (Goal(position_m=(3.0, 4.0, 0.0)),)
    asked = replace(along.episode, goals=in_space, reference=route())
    straight = build_replay(asked, along.run, along.graph)
    told = {}
    for name, replay in (("along", along), ("straight", straight)):
        curve = cursor_curves(replay)[0]
        assert curve.is_known
        told[name] = curve.definition
    assert "along the graph" in told["along"]
    assert "in a straight line" in told["straight"]

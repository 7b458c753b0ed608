from __future__ import annotations

from dataclasses import replace

import pytest
from given_labels import set_label

from waypost.domain.base.errors import EditError
from waypost.domain.base.frames import Vec3
from waypost.domain.scene.graph import Edge, NavigationGraph, Node, build_graph, move_nodes
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.traversability import (
    REASON_TITLES,
    Circumstances,
    Passage,
    PassageState,
    Provenance,
    Reason,
    TraversabilityLabel,
    Verdict,
    clear_label,
    is_stale,
    judged_on,
    next_of,
    passage_state,
    passages,
    prefill,
    state_of,
    what_changed,
)

THERE = Passage("a", "b", "wheelchair")
PROFILE = AgentProfile(
    key="wheelchair",
    name="Wheelchair",
    shape=BodyShape.BOX,
    width_m=0.68,
    depth_m=1.2,
    height_m=1.3,
    step_limit_m=0.013,
    climbs_stairs=False,
    opens_doors=False,
    operates_elevators=True,
)
STEP = TraversabilityLabel(THERE, Verdict.DOES_NOT, Reason.STEP_OR_SILL, "2 cm")


def test_the_reverse_is_the_same_agent_the_other_way() -> None:
    assert THERE.reverse == Passage("b", "a", "wheelchair")
    assert THERE.reverse.reverse == THERE


@pytest.mark.parametrize("verdict", [Verdict.TRAVELS, Verdict.UNCERTAIN])
def test_only_does_not_has_a_reason(verdict: Verdict) -> None:
    assert TraversabilityLabel(THERE, verdict).reason is None
    with pytest.raises(EditError, match="only “does not travel” has a reason"):
        TraversabilityLabel(THERE, verdict, Reason.DOOR)


def test_does_not_needs_a_reason() -> None:
    with pytest.raises(EditError, match="needs a reason"):
        TraversabilityLabel(THERE, Verdict.DOES_NOT)


def test_every_reason_has_a_title() -> None:
    assert list(REASON_TITLES) == list(Reason)
    assert list(REASON_TITLES.values()) == [
        "stairs",
        "step or sill",
        "too narrow",
        "no room to turn",
        "low clearance",
        "door",
        "elevator",
        "floor hole",
        "phantom geometry",
        "obstacle",
        "other",
    ]


def test_the_queue_holds_each_edge_both_ways_in_drawing_order() -> None:
    graph = build_graph(
        [Node(i, i, (0, 0, 0)) for i in "abc"], [Edge("e1", "b", "a"), Edge("e2", "b", "c")]
    )
    assert passages(graph, "cat") == (
        Passage("b", "a", "cat"),
        Passage("a", "b", "cat"),
        Passage("b", "c", "cat"),
        Passage("c", "b", "cat"),
    )


def test_setting_replaces_and_clearing_makes_undecided() -> None:
    labels = set_label({}, STEP)
    again = TraversabilityLabel(THERE, Verdict.TRAVELS)
    assert dict(set_label(labels, again)) == {THERE: again}
    assert dict(labels) == {THERE: STEP}
    assert dict(clear_label(labels, THERE)) == {}
    assert dict(clear_label(labels, THERE.reverse)) == {THERE: STEP}


def test_prefill_offers_what_the_other_direction_said() -> None:
    labels = set_label({}, STEP)
    assert prefill(labels, THERE.reverse) == (Reason.STEP_OR_SILL, "2 cm")
    assert prefill(labels, THERE) == (None, "")
    travels = set_label({}, TraversabilityLabel(THERE, Verdict.TRAVELS, note="tight"))
    assert prefill(travels, THERE.reverse) == (None, "")


def test_the_next_of_a_kind_wraps_and_ends() -> None:
    queue = tuple(Passage(str(i), "x", "cat") for i in range(4))
    assert next_of(queue, lambda _: True, None) == queue[0]
    assert next_of(queue, lambda _: True, queue[1]) == queue[2]
    assert next_of(queue, lambda _: True, queue[3]) == queue[0]
    assert next_of(queue, lambda _: True, THERE) == queue[0]
    assert next_of(queue, lambda p: p == queue[0], queue[2]) == queue[0]
    assert next_of(queue, lambda p: p == queue[0], queue[0]) == queue[0]
    assert next_of(queue, lambda _: False, queue[1]) is None
    assert next_of((), lambda _: True, None) is None


ROOMS = build_graph(
    [Node("node_1", "Hall", (0.0, 0.0, 0.0)), Node("node_2", "Bath", (4.0, 0.0, 0.0))],
    [Edge("edge_1", "node_1", "node_2")],
)


def now(
    scene_hash: str = "", *agents: AgentProfile, graph: NavigationGraph = ROOMS, mover: str = ""
) -> Circumstances:
    return Circumstances(graph, {agent.key: agent for agent in agents}, scene_hash, mover)


def of_profile(profile: AgentProfile = PROFILE) -> TraversabilityLabel:
    """A label of the passage Hall → Bath, given for an agent and nothing else."""
    passage = Passage("node_1", "node_2", profile.key)
    return TraversabilityLabel(
        passage, Verdict.TRAVELS, provenance=Provenance("", profile.profile_hash)
    )


def test_a_label_is_stale_when_scene_or_agent_changed() -> None:
    label = replace(of_profile(), provenance=Provenance("scene-1", PROFILE.profile_hash))
    assert not label.is_stale(now("scene-1", PROFILE))
    assert label.is_stale(now("scene-2", PROFILE))
    assert label.is_stale(now("scene-1", replace(PROFILE, width_m=0.7)))
    assert label.is_stale(now("scene-1"))


def test_what_is_not_known_makes_no_label_stale() -> None:
    plain = replace(of_profile(), provenance=Provenance())
    assert not plain.is_stale(now("scene-2", mover="m"))
    assert not replace(plain, provenance=Provenance("scene-1")).is_stale(now(""))
    assert not of_profile().is_stale(now("s", PROFILE))
    assert not replace(plain, provenance=Provenance(mover_hash="m")).is_stale(now(mover=""))
    elsewhere = Provenance(from_m=(9.0, 9.0, 9.0), to_m=None)
    assert not replace(plain, provenance=elsewhere).is_stale(now(graph=build_graph([], [])))


def test_a_new_name_of_the_agent_makes_no_label_stale() -> None:
    renamed = replace(PROFILE, name="Rollstuhl", description="manual")
    assert not of_profile().is_stale(now("", renamed))


def test_other_settings_of_the_engine_make_what_was_driven_stale() -> None:
    passage = Passage("node_1", "node_2", PROFILE.key)
    driven = judged_on(passage, now("s", PROFILE, mover="m"), "physx", "5.4")
    looked_at = judged_on(passage, now("s", PROFILE, mover="m"))
    later = now("s", PROFILE, mover="n")
    assert is_stale(driven, passage, later)
    assert not is_stale(looked_at, passage, later)


@pytest.mark.parametrize("moved", ["node_1", "node_2"])
@pytest.mark.parametrize(
    ("by_m", "is_other_place"),
    [((0.0, 0.0, 0.0), False), ((0.03, 0.039, 0.0), False), ((0.03, 0.0, 0.05), True),
     ((0.0, -0.051, 0.0), True), ((1.5, 2.0, 0.0), True)],
)  # fmt: skip
def test_a_node_that_moved_makes_its_labels_stale(
    moved: str, by_m: Vec3, is_other_place: bool
) -> None:
    """By more than 5 cm, in any direction; both directions of every edge at it."""
    there = ROOMS.nodes[moved].position_m
    place = (there[0] + by_m[0], there[1] + by_m[1], there[2] + by_m[2])
    after = now("s", PROFILE, graph=move_nodes(ROOMS, {moved: place}))
    for passage in passages(ROOMS, PROFILE.key):
        judged = judged_on(passage, now("s", PROFILE))
        assert is_stale(judged, passage, after) is is_other_place
        assert not is_stale(judged, passage, now("s", PROFILE))


def test_why_a_label_is_stale_is_said() -> None:
    passage = Passage("node_1", "node_2", PROFILE.key)
    judged = judged_on(passage, now("s", PROFILE, mover="m"), "physx", "5.4")
    after = now("t", mover="n", graph=move_nodes(ROOMS, {"node_2": (4.0, 0.62, 0.0)}))
    assert list(what_changed(judged, passage, after)) == [
        "the scene has changed",
        "the agent has changed",
        "the settings of the engine have changed",
        "“Bath” was moved by 0.62 m",
    ]


def test_the_state_of_a_passage_follows_its_answer_and_its_age() -> None:
    assert state_of(None) is PassageState.UNDECIDED
    assert state_of(Verdict.TRAVELS, is_stale=True) is PassageState.STALE
    assert [state_of(verdict) for verdict in Verdict] == [
        PassageState.TRAVELS,
        PassageState.DOES_NOT,
        PassageState.UNCERTAIN,
    ]


def test_a_stale_label_no_longer_counts() -> None:
    passage = Passage("a", "b", "human")
    labels = {
        passage: TraversabilityLabel(
            passage, Verdict.TRAVELS, provenance=Provenance(scene_hash="old")
        )
    }
    assert passage_state(labels, passage, now("old")) is PassageState.TRAVELS
    assert passage_state(labels, passage, now("new")) is PassageState.STALE
    assert passage_state(labels, passage.reverse, now("old")) is PassageState.UNDECIDED

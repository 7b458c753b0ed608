"""Places of a text map that the run never came to: told apart by what they are connected with."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from fixtures.replay_examples import graph_replay

from waypost.domain.episode.run import Decision, Option
from waypost.domain.replay.agent_map_picture import node_numbers, place_maps, spread_out
from waypost.domain.replay.memory import pruning_of
from waypost.domain.replay.offered_options import offered_options
from waypost.domain.replay.panorama import markers_at
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.text_map_places import placed_options, viewpoints_of_places


def asked(pose: int, place: int, map_text: str, *numbers: int, **known: str) -> Decision:
    """A step of MapGPT at a place, with options to places and what the reader knows of them."""
    options = tuple(
        Option(chr(65 + i), known.get(f"at_{number}", ""), text="go on", picture=f"Image {number}")
        for i, number in enumerate(numbers)
    )
    extra = MappingProxyType({"map": map_text, "place": place})
    return Decision(pose, pose + 1, options=(Option("Z", text="stop"), *options), extra=extra)


def seen_upstairs(at_b: str = "0, 2, 3") -> Replay:
    """On A – B – C – D, U above B: at A place 1 is B; at B places 2, 3 are C and U; then to C."""
    first = "Place 0 is connected with Places 1"
    second = f"{first}\nPlace 1 is connected with Places {at_b}"
    third = f"{second}\nPlace 2 is connected with Places 1, 4"
    decisions = (
        asked(1, 0, first, 1, at_1="B"),
        asked(2, 1, second, 0, 2, 3, at_0="A", at_2="C"),
        asked(3, 2, third, 1, 4, at_1="B"),
    )
    return graph_replay("ABCB", decisions=decisions)


def test_the_one_viewpoint_that_is_left_is_the_place() -> None:
    replay = seen_upstairs()
    assert viewpoints_of_places(replay) == {0: "A", 1: "B", 2: "C", 3: "U", 4: "D"}
    assert place_maps(replay).is_to_scale
    decision = replay.step(1).decision
    assert decision is not None
    assert [option.viewpoint_id for option in placed_options(replay, decision)] == [
        "",
        "A",
        "C",
        "U",
    ]
    shown = {marker.viewpoint_id: marker for marker in markers_at(replay, 1)}
    assert {name: (m.label, m.is_offered) for name, m in shown.items()} == {
        "A": ("A", True),
        "C": ("B", True),
        "U": ("C", True),
    }
    options, is_listed = offered_options(replay, 1)
    assert is_listed
    # From B to U: 0.5 m ahead and 3 m up.
    assert options[3].distance_m == pytest.approx(9.25**0.5)


def test_a_map_that_counts_other_neighbours_than_the_graph_tells_nothing() -> None:
    replay = seen_upstairs(at_b="0, 2, 3, 5")
    assert viewpoints_of_places(replay).keys() == {0, 1, 2, 4}
    markers = {marker.viewpoint_id: marker.is_offered for marker in markers_at(replay, 1)}
    assert markers == {"A": True, "C": True, "U": True}, "it may be what place 3 is"


def test_two_that_cannot_be_told_apart_stay_unknown() -> None:
    """Seen from B alone, C and U could be either place."""
    text = "Place 0 is connected with Places 1\nPlace 1 is connected with Places 0, 2, 3"
    decisions = (
        asked(1, 0, text.splitlines()[0], 1, at_1="B"),
        asked(2, 1, text, 0, 2, 3, at_0="A"),
    )
    replay = graph_replay("ABA", decisions=decisions)
    assert viewpoints_of_places(replay) == {0: "A", 1: "B"}
    assert not place_maps(replay).is_to_scale
    assert all(marker.is_offered for marker in markers_at(replay, 1))


def test_maps_that_contradict_the_graph_tell_nothing_of_what_was_only_seen() -> None:
    """B, next to A, would have to be place 2; it is next to C, too, which place 2 is not."""
    text = "Place 0 is connected with Places 2\nPlace 1 is connected with Places 3, 4"
    decisions = (asked(1, 0, text, 2), asked(3, 1, text, 3, 4))
    assert viewpoints_of_places(graph_replay("ABC", decisions=decisions)).keys() == {0, 1}


def test_without_graph_or_map_nothing_is_known() -> None:
    replay = seen_upstairs()
    assert viewpoints_of_places(build_replay(replay.episode, replay.run)) == {}
    assert viewpoints_of_places(graph_replay("ABC")) == {}


def test_nodes_of_the_pruning_have_the_numbers_of_the_log() -> None:
    replay = seen_upstairs()
    assert node_numbers(replay, pruning_of(replay)) | {} == viewpoints_by_name(replay)
    plain = graph_replay("ABCB")
    assert node_numbers(plain, pruning_of(plain)) == {"A": 1, "B": 2, "C": 3}


def viewpoints_by_name(replay: Replay) -> dict[str, int]:
    return {name: place for place, name in viewpoints_of_places(replay).items()}


def test_a_map_without_scale_lies_along_its_longer_side() -> None:
    at = spread_out(range(6), [(i, i + 1) for i in range(5)])
    wide, high = (
        max(point[axis] for point in at.values()) - min(point[axis] for point in at.values())
        for axis in (0, 1)
    )
    assert wide == pytest.approx(1.0)
    assert high < wide
    assert at[0][0] < 0.5 < at[5][0]

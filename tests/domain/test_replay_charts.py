"""Bars and flows add up and carry their episodes."""

from __future__ import annotations

import numpy as np
import pytest
from replay_examples import graph_replay

from waypost.domain.replay_charts import (
    NO_CAUSE,
    EpisodeOutcome,
    confusion,
    count_turns,
    flow_chart,
    outcome_of,
    success_by_length,
    success_by_scene,
    success_by_turns,
    tag_bars,
)
from waypost.domain.replay_tags import Tag, TagKind, find_tags


def outcome(
    name: str, success: bool | None, *kinds: TagKind, scene: str = "s", causes: tuple[str, ...] = ()
) -> EpisodeOutcome:
    tags = tuple(Tag(kind, 0, "") for kind in kinds)
    return EpisodeOutcome(name, scene, success, 6.0, 1, tags, causes)


RUN = (
    outcome("1", True, TagKind.PERFECT),
    outcome("2", False, TagKind.EARLY_STOP, scene="r", causes=("Stairs", "Room")),
    outcome("3", False, TagKind.LOOPING, TagKind.EARLY_STOP),
    outcome("4", False, TagKind.GENERATION_ERROR),
    outcome("5", None),
    outcome("6", True),
)


def test_causes_can_come_from_elsewhere() -> None:
    chart = flow_chart(RUN, {"3": ("Haste",)})
    assert {(f.source, f.target): f.episode_ids for f in chart.behaviour_to_cause} == {
        ("Looping", "Haste"): ("3",),
        ("Early stop", NO_CAUSE): ("2",),
        ("Generation error", NO_CAUSE): ("4",),
    }


def test_flows_from_outcome_over_behaviour_to_cause() -> None:
    chart = flow_chart(RUN)
    assert {bar.label: bar.episode_ids for bar in chart.outcomes} == {
        "Success": ("1", "6"),
        "Incorrect navigation": ("2", "3"),
        "Generation error": ("4",),
        "Unknown": ("5",),
    }
    flows = {(f.source, f.target): f.episode_ids for f in chart.outcome_to_behaviour}
    assert flows["Incorrect navigation", "Looping"] == ("3",)
    assert flows["Success", "With a detour"] == ("6",)
    causes = {(f.source, f.target): f.episode_ids for f in chart.behaviour_to_cause}
    assert causes == {
        ("Early stop", "Stairs"): ("2",),
        ("Early stop", "Room"): ("2",),
        ("Looping", NO_CAUSE): ("3",),
        ("Generation error", NO_CAUSE): ("4",),
    }


def test_rates_leave_out_what_is_unknown() -> None:
    by_scene = {bar.label: bar for bar in success_by_scene(RUN)}
    assert list(by_scene) == ["r", "s"]
    assert by_scene["s"].rate == 2 / 4
    assert by_scene["s"].unknown_ids == ("5",)
    assert success_by_scene([RUN[4]])[0].rate is None


def test_lengths_fall_into_half_open_buckets() -> None:
    lengths = [4.99, 5.0, 10.0, 30.0, None]
    entries = [EpisodeOutcome(str(i), "s", True, m, 0) for i, m in enumerate(lengths)]
    bars = success_by_length(entries, (0, 5, 10))
    assert [(bar.label, bar.episode_ids) for bar in bars] == [
        ("0–5 m", ("0",)),
        ("5–10 m", ("1",)),
        ("≥ 10 m", ("2", "3")),
    ]


def test_turns_of_a_reference() -> None:
    points = np.array([[0, 0, 0], [2, 0, 0], [2, 0, 0], [4, 2, 0], [4, 2, 3], [6, 4.1, 3.0]])
    # One turn of 45°; straight up and a change of about 1° are none.
    assert count_turns(points) == 1
    assert count_turns(points[:1]) == 0
    bars = success_by_turns([EpisodeOutcome("a", "s", True, 1, 2), EpisodeOutcome("b", "s", False,
                             1, 0), EpisodeOutcome("c", "s", False, 1, None)])  # fmt: skip
    assert [(bar.label, bar.rate) for bar in bars] == [("0", 0), ("2", 1)]


def test_a_tag_counts_an_episode_once_each() -> None:
    bars = {bar.label: bar.episode_ids for bar in tag_bars(RUN)}
    assert bars == {
        "Perfect": ("1",),
        "Looping": ("3",),
        "Early stop": ("2", "3"),
        "Generation error": ("4",),
    }


def test_two_runs_are_paired() -> None:
    other = (outcome("1", True), outcome("2", True), outcome("3", False), outcome("9", True))
    pairs = confusion(RUN, (*other, outcome("6", False, TagKind.LATE_STOP)))
    assert (pairs.both, pairs.first_only, pairs.second_only, pairs.neither) == (
        ("1",),
        ("6",),
        ("2",),
        ("3",),
    )
    assert pairs.left_out == ("4", "5", "9")
    assert pairs.behaviours["With a detour", "Late stop"] == ("6",)


def test_an_outcome_from_a_replay() -> None:
    replay = graph_replay("ABABC")
    found = outcome_of(replay, find_tags(replay))
    assert (found.outcome, found.behaviour) == ("Success", "Success with looping")
    assert found.reference_m == pytest.approx(4)
    assert found.turn_count == 0

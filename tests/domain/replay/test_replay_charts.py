"""Bars and flows add up and carry their episodes."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from fixtures.replay_examples import graph_replay
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.replay.charts import (
    NO_CAUSE,
    NO_SCENE,
    EpisodeOutcome,
    Flow,
    confusion,
    count_turns,
    flow_chart,
    outcome_of,
    success_by_length,
    success_by_scene,
    success_by_turns,
    tag_bars,
)
from waypost.domain.replay.tags import TAG_TITLES, Tag, TagKind, find_tags


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
    assert flows["Success", "Imperfect"] == ("6",)
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
    bars = success_by_turns(
        [
            EpisodeOutcome("a", "s", True, 1, 2),
            EpisodeOutcome("b", "s", False, 1, 0),
            EpisodeOutcome("c", "s", False, 1, None),
        ]
    )
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
    stairs = outcome("2", True, scene="r")
    other = (outcome("1", True), stairs, outcome("3", False), outcome("9", True))
    pairs = confusion(RUN, (*other, outcome("6", False, TagKind.LATE_STOP)))
    assert (pairs.both, pairs.first_only, pairs.second_only, pairs.neither) == (
        ("1",),
        ("6",),
        ("2",),
        ("3",),
    )
    assert pairs.left_out == ("4", "5", "9")
    assert pairs.behaviours["Imperfect", "Late stop"] == ("6",)


def test_one_number_in_two_scenes_is_paired_within_its_scene() -> None:
    """Whichever scene comes first in a file, the other one's id has its scene before it."""
    ours = (outcome("1", True, scene="s"), outcome("t/1", False, scene="t"))
    theirs = (outcome("1", True, scene="t"), outcome("s/1", False, scene="s"))
    pairs = confusion(ours, (*theirs, outcome("2", True, scene="s")))
    assert (pairs.first_only, pairs.second_only, pairs.left_out) == (("1",), ("t/1",), ("2",))
    assert (pairs.both, pairs.neither) == ((), ())
    elsewhere = confusion(ours[:1], theirs[:1])
    assert elsewhere.left_out == ("1", "t/1"), "as the table names them"


def test_an_outcome_from_a_replay() -> None:
    replay = graph_replay("ABABC")
    found = outcome_of(replay, find_tags(replay, True), True)
    assert (found.outcome, found.behaviour) == ("Success", "Success with looping")
    assert found.reference_m == pytest.approx(4)
    assert found.turn_count == 0


def test_causes_of_successes_and_of_unknown_ones_are_not_lost() -> None:
    """CapNav's answers may have no known success; their causes are what people look for."""
    chart = flow_chart(RUN, {"1": ("Luck",), "5": ("Stairs",)})
    found = {(f.source, f.target): f.episode_ids for f in chart.behaviour_to_cause}
    assert found["Perfect", "Luck"] == ("1",)
    assert found["Not judged", "Stairs"] == ("5",)
    assert found["Early stop", NO_CAUSE] == ("2",)


def test_what_is_not_judged_went_no_wrong_way() -> None:
    assert (RUN[4].outcome, RUN[4].behaviour) == ("Unknown", "Not judged")
    assert outcome("7", None, TagKind.LOOPING).behaviour == "Looping"
    assert outcome("8", False).behaviour == "Wrong way"


@pytest.mark.parametrize(
    "kind",
    [
        TagKind.FALL,
        TagKind.STUCK,
        TagKind.NEVER_STOPPED,
        TagKind.GENERATION_ERROR,
        TagKind.COLLISION,
    ],
)
def test_a_success_behaves_as_what_marred_it(kind: TagKind) -> None:
    assert outcome("7", True, kind).behaviour == TAG_TITLES[kind]


def test_a_scene_without_a_name_is_said() -> None:
    bars = success_by_scene([outcome("1", True, scene=""), outcome("2", True, scene="attic")])
    assert [bar.label for bar in bars] == ["attic", NO_SCENE]


OUTCOMES = st.lists(
    st.builds(
        EpisodeOutcome,
        st.integers(0, 99).map(str),
        st.sampled_from(("s", "r", "")),
        st.sampled_from((True, False, None)),
        st.none() | st.floats(0, 60),
        st.none() | st.integers(0, 5),
        st.lists(st.sampled_from(TagKind), unique=True, max_size=3).map(
            lambda kinds: tuple(Tag(kind, 0, "") for kind in kinds)
        ),
        st.lists(st.sampled_from(("Stairs", "Room", "Door")), unique=True, max_size=2).map(tuple),
    ),
    unique_by=lambda entry: entry.episode_id,
    max_size=30,
)


def ids_by(flows: Sequence[Flow], end: str) -> dict[str, Counter[str]]:
    """Source or target of flows → episodes, each as often as it flows."""
    found: dict[str, Counter[str]] = {}
    for flow in flows:
        found.setdefault(getattr(flow, end), Counter()).update(flow.episode_ids)
    return found


@given(OUTCOMES)
def test_flows_lose_and_double_nothing(run: list[EpisodeOutcome]) -> None:
    chart = flow_chart(run)
    everything = Counter(entry.episode_id for entry in run)
    for column in (chart.outcomes, chart.behaviours):
        assert sum((Counter(bar.episode_ids) for bar in column), Counter()) == everything
    first = chart.outcome_to_behaviour
    assert ids_by(first, "source") == {b.label: Counter(b.episode_ids) for b in chart.outcomes}
    assert ids_by(first, "target") == {b.label: Counter(b.episode_ids) for b in chart.behaviours}
    second = chart.behaviour_to_cause
    assert ids_by(second, "target") == {b.label: Counter(b.episode_ids) for b in chart.causes}
    # As often as it has causes; failures without any once.
    flowing = sum(ids_by(second, "source").values(), Counter())
    assert flowing == Counter(
        {
            entry.episode_id: len(entry.causes) or 1
            for entry in run
            if entry.causes or entry.is_success is False
        }
    )
    behaviour_of = {entry.episode_id: entry.behaviour for entry in run}
    assert all(behaviour_of[name] == flow.source for flow in second for name in flow.episode_ids)


@given(OUTCOMES)
def test_bins_count_what_is_defined_once(run: list[EpisodeOutcome]) -> None:
    for bars, defined in (
        (success_by_length(run), [e for e in run if e.reference_m is not None]),
        (success_by_turns(run), [e for e in run if e.turn_count is not None]),
        (success_by_scene(run), run),
    ):
        named = Counter(name for bar in bars for name in bar.episode_ids)
        assert named == Counter(entry.episode_id for entry in defined)
        by_id = {entry.episode_id: entry.is_success for entry in run}
        for bar in bars:
            told = [by_id[name] for name in bar.episode_ids]
            assert len(bar.unknown_ids) == told.count(None)
            known = told.count(True) + told.count(False)
            assert bar.rate == (told.count(True) / known if known else None)


@given(OUTCOMES, OUTCOMES)
def test_two_runs_share_out_their_episodes(
    ours: list[EpisodeOutcome], theirs: list[EpisodeOutcome]
) -> None:
    # Scenes by chance would say of one id that it is elsewhere.
    pairs = confusion(ours, [dataclasses.replace(entry, scene_id="") for entry in theirs])
    first = {entry.episode_id: entry.is_success for entry in ours}
    second = {entry.episode_id: entry.is_success for entry in theirs}
    shared = {
        name
        for name in first.keys() & second.keys()
        if first[name] is not None and second[name] is not None
    }
    cells = (*pairs.both, *pairs.first_only, *pairs.second_only, *pairs.neither)
    assert Counter(cells) == Counter(shared)
    behaviours = Counter(name for ids in pairs.behaviours.values() for name in ids)
    assert behaviours == Counter(shared)
    assert Counter(pairs.left_out) == Counter((first.keys() | second.keys()) - shared)

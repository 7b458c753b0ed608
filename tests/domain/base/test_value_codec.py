"""Domain values survive the cache's codec exactly, whatever is in them."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from typing_extensions import TypeAliasType

from waypost.domain.base.value_codec import decode, encode
from waypost.domain.episode.episode import (
    Episode,
    Goal,
    GoalObject,
    Instruction,
    Segment,
    TimedWord,
    Turn,
)
from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.domain.episode.route import Route, route
from waypost.domain.episode.run import (
    Answer,
    Decision,
    EpisodeRun,
    Event,
    EventKind,
    Option,
    RunEnd,
)

Item = TypeVar("Item")
Number = TypeVar("Number", bound=np.generic)
# What `type Metres = float` and `type Pairs[Item] = …` make from Python 3.12 on.
Metres = TypeAliasType("Metres", float)
Far = TypeAliasType("Far", Metres)
Pairs = TypeAliasType("Pairs", tuple[tuple[Item, Item], ...], type_params=(Item,))
Array = TypeAliasType("Array", NDArray[Number], type_params=(Number,))


@dataclass(frozen=True)
class ByAlias:
    """Its fields have the types of aliases, as numpy's arrays have from Python 3.12 on."""

    far_m: Far
    pairs: Pairs[int]
    points: Array[np.float64]
    near_m: Metres | None = None


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
METRES = st.floats(-1e8, 1e8)
MAYBE = st.none() | NUMBERS


@st.composite
def routes(draw: st.DrawFn) -> Route:
    count = draw(st.integers(0, 4))
    angles = st.lists(st.floats(-7, 7) | st.just(math.nan), min_size=count, max_size=count)
    has_names = draw(st.booleans())
    points = st.lists(st.tuples(METRES, METRES, METRES), min_size=count, max_size=count)
    return route(
        draw(st.lists(TEXT, min_size=count, max_size=count)) if has_names else (),
        np.array(draw(points)).reshape(-1, 3) if not has_names else None,
        draw(st.none() | angles),
    )


GOALS = st.builds(
    Goal,
    viewpoint_id=TEXT,
    position_m=st.none() | st.tuples(NUMBERS, NUMBERS, NUMBERS),
    radius_m=MAYBE,
    target=st.none()
    | st.builds(
        GoalObject,
        object_id=TEXT,
        visible_from=st.none() | st.frozensets(TEXT, max_size=3),
        polygons_rad=st.dictionaries(
            TEXT, st.lists(st.tuples(NUMBERS, NUMBERS), max_size=3).map(tuple), max_size=2
        ),
    ),
)
INSTRUCTIONS = st.builds(
    Instruction,
    text=TEXT,
    styles=st.dictionaries(TEXT, TEXT, max_size=2),
    words=st.lists(st.builds(TimedWord, TEXT, MAYBE, MAYBE), max_size=2).map(tuple),
    segments=st.lists(st.builds(Segment, TEXT, st.integers(), st.integers()), max_size=2).map(
        tuple
    ),
    dialogue=st.lists(st.builds(Turn, TEXT, TEXT, st.none() | st.integers()), max_size=2).map(
        tuple
    ),
)
EPISODES = st.builds(
    Episode,
    dataset=TEXT,
    split=TEXT,
    episode_id=TEXT,
    scene_id=TEXT,
    instruction=INSTRUCTIONS,
    reference=routes(),
    goals=st.lists(GOALS, max_size=2).map(tuple),
    start_yaw_rad=MAYBE,
    alternatives=st.dictionaries(TEXT, routes(), max_size=2),
    has_ground_truth=st.booleans(),
    extra=st.dictionaries(TEXT, st.integers() | TEXT | st.lists(NUMBERS, max_size=2), max_size=2),
)
DECISIONS = st.builds(
    Decision,
    first_pose=st.integers(),
    end_pose=st.integers(),
    thought=TEXT,
    options=st.lists(st.builds(Option, label=TEXT, yaw_rad=MAYBE), max_size=2).map(tuple),
    events=st.lists(st.builds(Event, st.sampled_from(EventKind), TEXT), max_size=2).map(tuple),
)
RUNS = st.builds(
    EpisodeRun,
    episode_id=TEXT,
    route=routes(),
    decisions=st.lists(DECISIONS, max_size=3).map(tuple),
    end=st.builds(RunEnd, called_stop=st.none() | st.booleans(), reason=TEXT),
    answer=st.builds(Answer, object_id=st.none() | TEXT),
    map_node_ids=st.none() | st.lists(TEXT, max_size=2).map(tuple),
    samples=st.none() | st.lists(st.integers(), max_size=3).map(tuple),
    reported=st.dictionaries(TEXT, MAYBE, max_size=3),
)


@given(EPISODES)
def test_episodes_come_back(episode: Episode) -> None:
    assert decode(Episode, json.loads(json.dumps(encode(episode)))) == episode


@given(RUNS)
def test_runs_come_back(run: EpisodeRun) -> None:
    assert decode(EpisodeRun, json.loads(json.dumps(encode(run)))) == run


def test_defaults_and_records_are_left_out() -> None:
    run = EpisodeRun("7_0", record={"instr_id": "7_0"})
    assert encode(run) == {"episode_id": "7_0", "end": {}, "answer": {}}
    assert decode(EpisodeRun, {"episode_id": "7_0"}).record is None


def test_an_empty_tuple_is_not_nothing() -> None:
    assert decode(EpisodeRun, encode(EpisodeRun("1", samples=()))).samples == ()


def test_arrays_are_read_only_and_keep_nan() -> None:
    walked = route(("A", "B"), yaws_rad=[0.5, math.nan])
    back = decode(Route, json.loads(json.dumps(encode(walked))))
    assert back.yaws_rad is not None
    assert not back.yaws_rad.flags.writeable
    assert back == walked


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {"episode_id": 7},
        {"unknown": 1},
        {},
        {"episode_id": "1", "route": 3},
        {"episode_id": "1", "samples": "12"},
        {"episode_id": "1", "samples": [True]},
        {"episode_id": "1", "route": {"positions_m": [[1, 3], "AAAA"]}},
        {"episode_id": "1", "decisions": [{"first_pose": 0, "end_pose": 0, "events": [{}]}]},
    ],
)
def test_other_shapes_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="is no EpisodeRun"):
        decode(EpisodeRun, value)


def test_words_of_a_kind_are_checked() -> None:
    finding = ImportFinding(ImportKind.NOTE, "1", None, "", "…")
    assert decode(ImportFinding, encode(finding)) == finding
    with pytest.raises(ValueError, match="is no ImportFinding"):
        decode(ImportFinding, {**encode(finding), "kind": "rumour"})


def test_types_may_be_named_by_aliases() -> None:
    value = ByAlias(1.5, ((1, 2), (3, 4)), np.array([[0.5, math.nan]]), near_m=0.25)
    table = json.loads(json.dumps(encode(value)))
    assert (table["far_m"], table["pairs"], table["near_m"]) == (1.5, [[1, 2], [3, 4]], 0.25)
    back = decode(ByAlias, table)
    assert (back.far_m, back.pairs, back.near_m) == (1.5, ((1, 2), (3, 4)), 0.25)
    np.testing.assert_array_equal(back.points, value.points)
    with pytest.raises(ValueError, match="is no ByAlias"):
        decode(ByAlias, {**table, "far_m": "far"})


def test_types_without_a_codec_are_refused() -> None:
    with pytest.raises(TypeError, match="has no codec"):
        encode(object())

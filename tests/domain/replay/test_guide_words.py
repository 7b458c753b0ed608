"""Words of a guide by pose: hand-made walks, and any times at all."""

from __future__ import annotations

import math
from dataclasses import replace

from fixtures.replay_examples import graph_episode
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.episode.episode import Episode, Instruction, TimedWord
from waypost.domain.episode.guide_trace import GuideStay, GuideTrace
from waypost.domain.episode.route import route
from waypost.domain.replay.guide_words import (
    SpokenWords,
    poses_of_stays,
    stays_of_words,
    words_by_pose,
)


def stays(names: str, *starts_s: float) -> tuple[GuideStay, ...]:
    times = starts_s or tuple(float(number) for number in range(len(names)))
    return tuple(
        GuideStay(name, (0.0, 0.0, 0.0), start_s)
        for name, start_s in zip(names, times, strict=True)
    )


def word(start_s: float | None, end_s: float | None = None) -> TimedWord:
    return TimedWord("w", start_s, end_s)


def poses(walked: str, reference: str) -> list[int | None]:
    return list(poses_of_stays(stays(walked), route(tuple(reference))))


def test_stays_follow_a_reference_that_comes_by_again() -> None:
    assert poses("ABCBD", "ABCBD") == [0, 1, 2, 3, 4]
    assert poses("ABABCBD", "ABCBD") == [0, 1, 0, 1, 2, 3, 4]
    assert poses("AXC", "ABC") == [0, None, 2]
    assert poses("AB", "AAB") == [1, 2]  # the last of equal ones, as the pointer of a run
    assert poses("AB", "") == [None, None]


def test_stays_meet_positions_in_plan_and_on_their_storey() -> None:
    walk = tuple(
        GuideStay(name, place, float(start))
        for start, (name, place) in enumerate(
            {
                "A": (0.3, 0.0, 1.5),
                "B": (4.0, 0.9, 1.6),
                "U": (4.0, 0.0, 4.6),  # above B
                "F": (8.0, 0.0, 1.5),  # 2 m beyond the end
            }.items()
        )
    )
    reference = route(positions_m=[(0, 0, 0.1), (4, 0, 0.1), (6, 0, 0.1), (0, 0, 0.1)])
    assert poses_of_stays(walk, reference) == (0, 1, None, None)
    assert poses_of_stays((), reference) == ()


def test_a_word_without_times_needs_one_stay_around_it() -> None:
    starts_s = [0.0, 1.0, 2.0]
    assert stays_of_words([word(None), word(0.2), word(None), word(0.9, 1.2)], starts_s) == (
        0,  # nothing but the first stay before the first word
        0,
        0,
        0,  # it ends at the second, but began at the first
    )
    assert stays_of_words([word(0.9, 1.2), word(None), word(1.5)], starts_s) == (0, 1, 1)
    assert stays_of_words([word(0.9), word(None), word(None), word(1.5)], starts_s) == (
        0,
        None,
        None,
        1,
    )
    assert stays_of_words([word(1.5), word(None)], starts_s) == (1, None)
    assert stays_of_words([word(2.5), word(None)], starts_s) == (2, 2)


def test_a_moment_of_change_belongs_to_the_new_stay() -> None:
    assert stays_of_words([word(1.0), word(0.999), word(99.0)], [0.0, 1.0]) == (1, 0, 1)


def spoken(walked: tuple[GuideStay, ...], words: tuple[TimedWord, ...], reference: str) -> Episode:
    told = Instruction("w " * len(words), words=words)
    return graph_episode(reference, instruction=told, guide=GuideTrace(walked))


def test_words_and_intervals_by_pose() -> None:
    walked = stays("ABA", 0.5, 3.25, 7.0)  # the first snapshot comes late
    found = words_by_pose(spoken(walked, (word(0.1), word(3.0), word(3.25), word(8.0)), "ABC"))
    assert found == (
        SpokenWords((0, 1, 3), ((0.0, 3.25), (7.0, math.inf))),
        SpokenWords((2,), ((3.25, 7.0),)),
        SpokenWords(),
    )


def test_no_stay_on_the_reference() -> None:
    assert words_by_pose(spoken(stays("XY"), (word(0.1),), "ABC")) is None
    assert words_by_pose(replace(graph_episode("ABC"), guide=None)) is None


_SECONDS = st.none() | st.floats() | st.floats(-1.0, 12.0)


@given(
    st.lists(st.builds(word, _SECONDS, _SECONDS), max_size=20),
    st.lists(st.tuples(st.sampled_from("ABCX"), st.floats(-2, 10)), min_size=1, max_size=8),
)
def test_any_times_put_each_word_at_one_pose_at_most(
    words: list[TimedWord], walk: list[tuple[str, float]]
) -> None:
    moments = sorted(start_s for _, start_s in walk)
    walked = stays("".join(name for name, _ in walk), *moments)
    found = words_by_pose(spoken(walked, tuple(words), "ABCB"))
    if found is None:
        assert not {name for name, _ in walk} & set("ABC")
        return
    numbers = [number for pose in found for number in pose.numbers]
    assert len(numbers) == len(set(numbers))
    for pose in found:
        assert list(pose.numbers) == sorted(pose.numbers)
        for number in pose.numbers:
            start_s = words[number].start_s
            if start_s is not None and 0 <= start_s < math.inf:
                assert any(begin <= start_s < end for begin, end in pose.intervals_s)


@given(st.permutations([word(0.5), word(1.5), word(2.5), word(math.nan), word(-1.0)]))
def test_times_out_of_order_change_no_timed_word(words: list[TimedWord]) -> None:
    found = stays_of_words(words, [0.0, 1.0, 2.0])
    at = {entry.start_s: stay for entry, stay in zip(words, found, strict=True)}
    assert (at[0.5], at[1.5], at[2.5]) == (0, 1, 2)

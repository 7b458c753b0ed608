from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from fixtures.study_examples import assigned, study_of, with_people
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.domain.base.errors import EditError
from waypost.domain.record.assignment import assign, shortfall_words
from waypost.domain.record.study import EpisodeKey, Study, assignments_of
from waypost.domain.record.study_edits import change_rules, withdraw_consent

sizes = st.lists(st.integers(1, 6), min_size=1, max_size=8)
people = st.integers(1, 7)
counts = st.integers(1, 12)
overlaps = st.none() | st.integers(1, 4)
seeds = st.integers(0, 1000)


def counts_per_person(study: Study) -> list[int]:
    return [
        sum(not a.is_training for a in assignments_of(study, code)) for code in study.participants
    ]


def loads(study: Study) -> Counter[tuple[str, ...]]:
    found = Counter({key: 0 for key, e in study.episodes.items() if not e.is_training})
    found.update(key.episode for key, a in study.assignments.items() if not a.is_training)
    return found


@given(sizes, people, counts, overlaps, seeds)
@settings(deadline=None)
def test_everyone_gets_as_many_as_the_others_or_one_less(sizes, people, count, overlap, seed):
    study = assigned(study_of(sizes, people, count=count, overlap=overlap, seed=seed))
    given_out = counts_per_person(study)
    assert max(given_out) - min(given_out) <= 1
    wanted = min(count, sum(sizes))
    places = people * wanted if overlap is None else min(people * wanted, overlap * sum(sizes))
    if overlap is None or overlap >= people:
        assert given_out == [wanted] * people
    assert sum(given_out) <= places
    assert max(loads(study).values()) <= (overlap or people)


@given(sizes, people, counts, overlaps, seeds)
@settings(deadline=None)
def test_a_scene_comes_again_only_when_no_other_scene_is_left(sizes, people, count, overlap, seed):
    study = assigned(study_of(sizes, people, count=count, overlap=overlap, seed=seed))
    for code in study.participants:
        own = Counter(a.key.scene_id for a in assignments_of(study, code))
        for scene, size in enumerate(sizes):
            fewer = own[f"s{scene}"]
            if overlap is None and max(own.values(), default=0) > fewer + 1:
                assert fewer == size
    if overlap is None and count <= len(sizes):
        assert assign(study)[1].shortfalls == ()


@given(sizes, people, counts, st.integers(1, 4), seeds)
@settings(deadline=None)
def test_scenes_stay_apart_wherever_that_is_possible_at_all(sizes, people, count, overlap, seed):
    """Gale and Ryser: k people can have q scenes each once iff q k ≤ Σ min(places, k)."""
    is_possible = all(
        count * k <= sum(min(overlap * size, k) for size in sizes) for k in range(1, people + 1)
    )
    _, report = assign(study_of(sizes, people, count=count, overlap=overlap, seed=seed))
    repeats = [s for s in report.shortfalls if s.repeated_scenes or s.assigned < count]
    assert (not repeats) == is_possible


@given(sizes, people, counts, seeds)
@settings(deadline=None)
def test_the_episodes_of_a_scene_are_used_equally(sizes, people, count, seed):
    study = assigned(study_of(sizes, people, count=count, seed=seed))
    by_scene: dict[str, list[int]] = {}
    for key, load in loads(study).items():
        by_scene.setdefault(key[1], []).append(load)
    assert all(max(found) - min(found) <= 1 for found in by_scene.values())


@given(st.integers(1, 6), st.integers(1, 8), people, counts, seeds)
@settings(deadline=None)
def test_with_equal_scenes_all_episodes_are_used_equally(size, scenes, people, count, seed):
    study = assigned(study_of([size] * scenes, people, count=count, seed=seed))
    found = loads(study).values()
    assert max(found) - min(found) <= 1


@given(sizes, people, people, counts, overlaps, seeds)
@settings(deadline=None)
def test_who_joins_later_changes_nothing_for_the_others(sizes, people, more, count, overlap, seed):
    first = assigned(study_of(sizes, people, count=count, overlap=overlap, seed=seed))
    second = assigned(with_people(first, more))
    for code in first.participants:
        kept = assignments_of(second, code)
        assert kept[: len(assignments_of(first, code))] == assignments_of(first, code)
        if overlap is None:
            assert kept == assignments_of(first, code)
    assert len({*second.assignments}) == len(second.assignments)


@given(sizes, people, counts, overlaps, seeds)
@settings(deadline=None, max_examples=30)
def test_the_same_study_gives_the_same_assignment(sizes, people, count, overlap, seed):
    made = [
        assigned(study_of(sizes, people, count=count, overlap=overlap, seed=seed, training=1))
        for _ in range(2)
    ]
    assert list(made[0].assignments.items()) == list(made[1].assignments.items())
    assert assign(made[0])[0] is made[0] or overlap is not None


def test_order_depends_on_the_seed_and_is_the_same_in_every_process():
    study = assigned(study_of([1] * 6, 2, count=6, seed=7))
    order = [a.key.episode_id for a in assignments_of(study, "P-0")]
    other = [a.key.episode_id for a in assignments_of(study, "P-1")]
    assert order == ["1_0", "2_0", "4_0", "3_0", "5_0", "0_0"]
    assert sorted(order) == sorted(other)
    assert order != other
    assert [a.place for a in assignments_of(study, "P-0")] == [0, 1, 2, 3, 4, 5]


def test_every_scene_comes_once_before_one_comes_twice():
    study = assigned(study_of([3, 3, 3], 1, count=7))
    scenes = [a.key.scene_id for a in assignments_of(study, "P-0")]
    assert sorted(scenes[:3]) == sorted(scenes[3:6]) == ["s0", "s1", "s2"]


def test_training_comes_first_and_its_scene_counts_as_seen():
    study = study_of([1, 1], 1, count=2, training=2)
    in_training_scene = replace(
        study.episodes[next(iter(study.episodes))],
        key=next(iter(study.episodes))._replace(episode_id="extra"),
        is_training=False,
    )
    episodes = {in_training_scene.key: in_training_scene, **study.episodes}
    study, report = assign(replace(study, episodes=episodes))
    own = assignments_of(study, "P-0")
    assert [(a.key.episode_id, a.place, a.is_training) for a in own[:2]] == [
        ("t0", -2, True),
        ("t1", -1, True),
    ]
    assert sorted(a.key.scene_id for a in own[2:]) == ["s0", "s1"]
    assert (report.added, report.least_load, report.greatest_load) == (4, 0, 1)


def test_a_split_that_is_too_small_is_reported():
    study, report = assign(study_of([2, 1], 2, count=4, overlap=1))
    assert counts_per_person(study) == [2, 1]
    found = {
        s.participant: (s.wanted, s.assigned, dict(s.repeated_scenes)) for s in report.shortfalls
    }
    assert found == {"P-0": (4, 2, {}), "P-1": (4, 1, {})}
    study, report = assign(study_of([1, 1, 1, 2], 4, count=4, overlap=3))
    assert counts_per_person(study) == [4, 4, 3, 3]
    study, report = assign(study_of([3], 1, count=2))
    assert report.shortfalls[0].repeated_scenes == {"s0": 2}


def test_who_withdraws_leaves_the_episodes_to_others():
    study = assigned(study_of([1, 1], 1, count=2, overlap=1))
    study = with_people(study, 1)
    assert assign(study)[1].added == 0
    study = withdraw_consent(study, "P-0", "2026-11-28T14:00:00+00:00")
    study, report = assign(study)
    assert report.added == 2
    with pytest.raises(EditError, match="P-0 has withdrawn"):
        assign(study, ["P-0"])
    with pytest.raises(EditError, match="there is no participant P-9"):
        assign(study, ["P-9"])


def test_a_raised_number_only_adds():
    study = assigned(study_of([2, 2, 2], 2, count=2))
    assert study.rules is not None
    more = assigned(change_rules(study, replace(study.rules, episodes_per_participant=3)))
    assert counts_per_person(more) == [3, 3]
    assert all(more.assignments[key] == a for key, a in study.assignments.items())


def test_a_project_without_study_has_nothing_to_assign():
    with pytest.raises(EditError, match="the project has no study"):
        assign(Study())


def with_paths(study: Study, paths: dict[str, str]) -> Study:
    """The study with episodes by id along the path of another one."""
    episodes = {
        key: replace(one, path_id=paths.get(key.episode_id, key.episode_id))
        for key, one in study.episodes.items()
    }
    return replace(study, episodes=episodes)


def paths_of(study: Study, code: str) -> list[tuple[str, ...]]:
    return [study.episodes[a.key.episode].path for a in assignments_of(study, code)]


@given(sizes, people, counts, overlaps, seeds, st.integers(1, 3), st.integers(0, 2))
@settings(deadline=None)
def test_nobody_drives_a_path_twice(sizes, people, count, overlap, seed, instructions, training):
    """Episodes ``0_0``, ``0_1``, … of a scene share a path in groups; practice is of scene 0."""
    study = study_of(sizes, people, count=count, overlap=overlap, seed=seed, training=training)
    ids = {
        key.episode_id: f"{key.scene_id[1:]}_{int(key.episode_id.split('_')[1]) // instructions}"
        for key, one in study.episodes.items()
        if not one.is_training
    }
    study = with_paths(study, ids)
    after, report = assign(study)
    for code in after.participants:
        own = paths_of(after, code)
        assert len(own) == len(set(own))
    paths = sum(-(-size // instructions) for size in sizes)
    assert report.paths == paths
    if overlap is None or overlap >= people:
        wanted = min(count, paths)
        assert counts_per_person(after) == [wanted] * people
        short = [s for s in report.shortfalls if s.assigned < s.wanted]
        assert bool(short) == (paths < count)
    again, _ = assign(change_rules(after, replace(after.rules, episodes_per_participant=count + 2)))
    for code in again.participants:
        own = paths_of(again, code)
        assert len(own) == len(set(own))


def test_the_path_of_the_practice_does_not_come_again() -> None:
    study = with_paths(study_of([3], 1, count=3, training=1), {})
    own = {key: replace(one, key=one.key) for key, one in study.episodes.items()}
    (practice, *others) = own
    shared = EpisodeKey("r2r", "s0", "p")
    episodes = {
        shared: replace(own[practice], key=shared, path_id="0_1"),
        **{key: own[key] for key in others},
    }
    after, report = assign(replace(study, episodes=episodes))
    first, *others = (a.key.episode_id for a in assignments_of(after, "P-0"))
    assert (first, sorted(others)) == ("p", ["0_0", "0_2"])
    (short,) = report.shortfalls
    assert (short.assigned, short.wanted, report.paths) == (2, 3, 2)
    assert shortfall_words(short, report.paths) == (
        "P-0: 2 of 3 episodes; 1 scene seen more than once; there are 2 different paths beside"
        " practice"
    )


def test_practice_along_one_path_is_driven_once() -> None:
    study = with_paths(study_of([1], 1, count=1, training=2), {"t1": "t0"})
    own = assignments_of(assign(study)[0], "P-0")
    assert [a.key.episode_id for a in own] == ["t0", "0_0"]


def test_a_path_that_was_given_twice_before_is_said() -> None:
    study = assigned(study_of([2], 1, count=2))
    after, report = assign(with_paths(study, {"0_1": "0_0"}))
    assert after.assignments == study.assignments
    (short,) = report.shortfalls
    assert list(short.repeated_paths.values()) == [2]
    assert "1 path driven more than once" in shortfall_words(short, report.paths)

from __future__ import annotations

from waypost.metrics.participant_means import (
    NOT_SCORED,
    ScoredTake,
    means_of_means,
    participant_means,
)


def take(participant: str, **scores: float | None) -> ScoredTake:
    notes = {name: "no goal" for name, value in scores.items() if value is None}
    return ScoredTake(participant, scores, notes)


TAKES = [
    take("P-A", SR=1.0, NE=0.5),
    take("P-A", SR=1.0, NE=1.5),
    take("P-A", SR=0.0, NE=None),
    take("P-A", SR=1.0),
    take("P-B", SR=0.25, NE=4.0),
]


def test_each_participant_is_averaged_over_what_is_defined():
    means = {(m.participant, m.score): m for m in participant_means(TAKES)}
    assert means["P-A", "SR"].value == 0.75
    assert means["P-A", "NE"].value == 1.0
    assert means["P-A", "NE"].n == 2
    assert means["P-A", "NE"].undefined == {"no goal": 1, NOT_SCORED: 1}
    assert means["P-B", "SR"].value == 0.25


def test_everyone_weighs_the_same_however_many_takes():
    sr, ne = means_of_means(participant_means(TAKES))
    assert (sr.score, sr.value, sr.n_participants, sr.n_takes) == ("SR", 0.5, 2, 5)
    assert (ne.score, ne.value, ne.n_takes) == ("NE", 2.5, 3)
    assert ne.undefined == {"no goal": 1, NOT_SCORED: 1}
    assert sr.ci95 == (0.25, 0.75)


def test_intervals_are_seeded():
    takes = [take(f"P-{i}", SR=i / 10) for i in range(10)]
    first, second = (means_of_means(participant_means(takes), seed=3)[0] for _ in range(2))
    other = means_of_means(participant_means(takes), seed=4)[0]
    assert first.ci95 == second.ci95 != other.ci95
    assert first.ci95 is not None
    low, high = first.ci95
    assert low < 0.45 < high


def test_one_participant_has_no_interval_and_nobody_no_value():
    (one,) = means_of_means(participant_means([take("P-A", SR=1.0)]))
    assert (one.value, one.ci95) == (1.0, None)
    (none,) = means_of_means(participant_means([take("P-A", SPL=None)]))
    assert (none.value, none.n_participants, none.undefined) == (None, 0, {"no goal": 1})
    assert means_of_means(participant_means([])) == ()

"""Takes that lack the scores of their profile get them as soon as everything is at hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.recorded_takes import EPISODE, KEY, study_of_walks, write_r2r, write_walk

from waypost.domain.base.progress import exhaust
from waypost.domain.record.assignment import assign
from waypost.domain.record.study import Study, StudyRules, Take
from waypost.domain.record.study_edits import add_participant, add_take, exclude_take, put_scores
from waypost.services.study.episodes import StudyEpisodes, read_study_episodes
from waypost.services.study.making import StudyWish, make_study
from waypost.services.study.scoring_anew import lacks_scores, score_anew, with_missing_scores
from waypost.services.study.take_scoring import SCORING_VERSION
from waypost.services.study.takes import take_of_file

EPISODES = StudyEpisodes({KEY: EPISODE})
NOON = "2026-11-28T12:00:00+00:00"


def bare(take: Take) -> Take:
    return replace(take, profile="", scores={}, score_notes={})


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A take of 4 m that nobody scored."""
    study = study_of_walks()
    file = tmp_path / "takes" / "one.csv"
    write_walk(file, [(0, 0), (4, 0)])
    return add_take(study, bare(take_of_file(study, tmp_path, file, lambda _: None)))


def test_a_take_gets_the_scores_that_it_would_have_had(study: Study, tmp_path: Path) -> None:
    (take,) = study.takes.values()
    assert lacks_scores(take)
    scored = exhaust(with_missing_scores(study, tmp_path, EPISODES))
    file = tmp_path / "takes" / "one.csv"
    expected = take_of_file(study_of_walks(), tmp_path, file, lambda _: EPISODE)
    assert list(scored.takes.values()) == [expected]
    assert exhaust(score_anew(scored, tmp_path, EPISODES)) == {}


def test_a_profile_that_has_got_a_metric_is_scored_again(study: Study, tmp_path: Path) -> None:
    scored = exhaust(with_missing_scores(study, tmp_path, EPISODES))
    (take,) = scored.takes.values()
    fewer = {name: value for name, value in take.scores.items() if name != "vlnverse.NE"}
    old = replace(scored, takes={take.key: replace(take, scores=fewer)})
    assert exhaust(with_missing_scores(old, tmp_path, EPISODES)) == scored


def test_scores_of_an_earlier_way_of_computing_are_computed_again(
    study: Study, tmp_path: Path
) -> None:
    """The names are those of the profile; the numbers may not be."""
    scored = exhaust(with_missing_scores(study, tmp_path, EPISODES))
    (take,) = scored.takes.values()
    assert (take.scoring_version, lacks_scores(take)) == (SCORING_VERSION, False)
    wrong = dict.fromkeys(take.scores, 0.25)
    old = replace(take, scores=wrong, scoring_version=SCORING_VERSION - 1)
    assert exhaust(with_missing_scores(put(study, old), tmp_path, EPISODES)) == scored
    # Whoever changes these numbers raises the version, so that stored ones follow.
    told = {name.removeprefix("vlnverse."): value for name, value in take.scores.items()}
    assert (SCORING_VERSION, told.pop("nearness")) == (1, pytest.approx(0.931452, abs=1e-6))
    assert told.pop("nDTW") == pytest.approx(2e-6, abs=1e-6)
    perfect = {"TL": 4.0, "NE": 0.0, "OSR": 1.0, "SR": 1.0, "SPL": 1.0, "CR": 0.0}
    assert {name: told[name] for name in perfect} == pytest.approx(perfect)


def put(study: Study, take: Take) -> Study:
    return replace(study, takes={take.key: take})


@pytest.mark.parametrize("damage", ["changed", "gone"])
def test_what_is_not_at_hand_stays_without_scores(
    study: Study, tmp_path: Path, damage: str
) -> None:
    assert exhaust(score_anew(study, tmp_path, StudyEpisodes())) == {}
    file = tmp_path / "takes" / "one.csv"
    if damage == "gone":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes() + b"\n")
    assert exhaust(score_anew(study, tmp_path, EPISODES)) == {}


def test_what_else_changed_of_a_take_stays(study: Study, tmp_path: Path) -> None:
    scored = exhaust(score_anew(study, tmp_path, EPISODES))
    (own,) = study.takes
    later = exclude_take(study, own, "asleep")
    after = put_scores(later, scored).takes[own]
    assert (after.excluded_reason, after.profile) == ("asleep", "vlnverse")
    assert put_scores(replace(later, takes={}), scored).takes == {}


def test_graphs_that_come_later_give_scores(tmp_path: Path) -> None:
    """R2R without graphs has no score at all; with them the take is 2 m from its goal."""
    file = write_r2r(tmp_path, ["scanA"])
    rules = StudyRules("walk", 1, episodes_per_participant=1)
    wish = StudyWish(rules, file, "I agree.")
    made = exhaust(make_study(wish, tmp_path, NOON)).study
    study, _ = assign(add_participant(made, "P-AAAA", NOON))
    write_walk(tmp_path / "takes" / "one.csv", [(0, 0), (2, 0)])
    episodes = exhaust(read_study_episodes(study, tmp_path))
    take = take_of_file(study, tmp_path, tmp_path / "takes" / "one.csv", episodes.find)
    assert (take.profile, take.scores["r2r.NE"]) == ("r2r", None)
    assert take.score_notes["r2r.NE"] == "the connectivity of the scan was not given"
    study = add_take(study, take)
    assert exhaust(score_anew(study, tmp_path, episodes)) == {}
    episodes = exhaust(read_study_episodes(study, tmp_path, tmp_path / "connectivity"))
    (scored,) = exhaust(score_anew(study, tmp_path, episodes)).values()
    assert scored.scores["r2r.NE"] == pytest.approx(2.0)

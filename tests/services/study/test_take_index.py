"""Takes of people as rows beside those of models; what is left out is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.recorded_takes import EPISODE, KEY, study_of_walks, write_walk
from fixtures.study_examples import LATER, NOON, assigned, with_people

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import exhaust
from waypost.domain.record.study import (
    AssignmentKey,
    ConsentText,
    Study,
    StudyEpisode,
    StudyRules,
)
from waypost.domain.record.study_edits import (
    abandon_episode,
    add_take,
    begin_episode,
    create_study,
    exclude_take,
    finish_episode,
    requeue_episode,
    withdraw_consent,
)
from waypost.domain.replay.tags import TagKind
from waypost.report.page import write_report
from waypost.services.study.episodes import StudyEpisodes
from waypost.services.study.take_index import TakeIndex, index_takes
from waypost.services.study.take_run import replay_takes
from waypost.services.study.take_scoring import has_reached, told_of
from waypost.services.study.takes import take_of_file

EPISODES = StudyEpisodes({KEY: EPISODE})
FIRST, SECOND = AssignmentKey(*KEY, "P-AAAA"), AssignmentKey(*KEY, "P-1")


def driven(study: Study, root: Path, own: AssignmentKey, length_m: float) -> Study:
    """The study after somebody drove so far along the reference of 4 m."""
    study = begin_episode(study, own, NOON)
    file = root / "takes" / f"{own.participant}-{len(study.takes)}.csv"
    write_walk(file, [(0, 0), (length_m, 0)], participant=own.participant)
    return finish_episode(study, take_of_file(study, root, file, lambda _: EPISODE), LATER)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """One person went all of the way, another half a metre of it."""
    study = assigned(with_people(study_of_walks(), 1))
    study = driven(study, tmp_path, FIRST, 4.0)
    return driven(study, tmp_path, SECOND, 0.5)


def index_of(study: Study, root: Path) -> TakeIndex:
    return exhaust(index_takes(study, root, EPISODES, "People"))


def test_takes_are_attempts_with_replays(study: Study, tmp_path: Path) -> None:
    index = index_of(study, tmp_path)
    assert [(row.key, row.participant, row.take, row.is_success) for row in index.rows.rows] == [
        (("1_0", 1), "P-AAAA", 1, True),
        (("1_0", 2), "P-1", 1, False),
    ]
    assert (index.rows.name, index.warnings) == ("People", ())
    shown = index.replayed("1_0", 2)
    assert shown.replay.travelled_m[-1] == pytest.approx(0.5, abs=0.01)
    assert (shown.participant, shown.take) == ("P-1", 1)
    with pytest.raises(InputError, match="has no take 3"):
        index.replayed("1_0", 3)


def test_charts_count_every_person_and_tell_their_takes_apart(study: Study, tmp_path: Path) -> None:
    outcomes = list(index_of(study, tmp_path).rows.outcomes())
    assert [(one.chart_id, one.is_success) for one in outcomes] == [
        ("1_0 · P-AAAA, take 1", True),
        ("1_0 · P-1, take 1", False),
    ]


def test_takes_in_scenes_that_number_their_episodes_alike_are_told_apart(tmp_path: Path) -> None:
    keys = [KEY, KEY._replace(scene_id="attic")]
    known = {key: replace(EPISODE, scene_id=key.scene_id) for key in keys}
    rules = StudyRules("walk", 1, episodes_per_participant=2)
    study = create_study(rules, [StudyEpisode(key) for key in keys], ConsentText(1, "Yes.", NOON))
    study = assigned(with_people(study, 1))
    (code,) = study.participants
    for key in keys:
        study = begin_episode(study, AssignmentKey(*key, code), NOON)
        file = tmp_path / f"{key.scene_id}.csv"
        write_walk(file, [(0, 0), (4, 0)], participant=code, scene_id=key.scene_id)
        study = finish_episode(study, take_of_file(study, tmp_path, file, known.get), LATER)
    index = exhaust(index_takes(study, tmp_path, StudyEpisodes(known), "People"))
    assert {(row.scene_id, row.episode_id, row.attempt) for row in index.rows.rows} == {
        (KEY.scene_id, "1_0", 1), ("attic", "attic/1_0", 1),
    }  # fmt: skip
    assert len({row.chart_id for row in index.rows.rows}) == 2, "a mark is of one of them"
    assert {index.replayed(*row.key).replay.episode.scene_id for row in index.rows.rows} == {
        KEY.scene_id, "attic",
    }  # fmt: skip


def test_a_take_whose_profile_leaves_success_open_is_not_judged_by_distance(
    tmp_path: Path,
) -> None:
    # VLN-CE measures over a navmesh; without one the card says neither NE nor SR. It ends at the
    # goal and half a metre after the start, which straight lines would call success and failure.
    episode = replace(EPISODE, dataset="vlnce-r2r")
    key = KEY._replace(dataset="vlnce-r2r")
    rules = StudyRules("walk", 1, episodes_per_participant=1)
    study = create_study(rules, [StudyEpisode(key)], ConsentText(1, "I agree.", NOON))
    study = assigned(with_people(study, 2))
    for code, length_m in zip(study.participants, (4.0, 0.5), strict=True):
        own = AssignmentKey(*key, code)
        study = begin_episode(study, own, NOON)
        file = tmp_path / f"{code}.csv"
        write_walk(file, [(0, 0), (length_m, 0)], participant=code, dataset="vlnce-r2r")
        take = take_of_file(study, tmp_path, file, lambda _: episode)
        assert (take.profile, take.scores["vlnce.SR"], has_reached(take)) == ("vlnce", None, None)
        assert "reached" not in told_of(take)
        study = finish_episode(study, take, LATER)
    episodes = StudyEpisodes({key: episode})
    index = exhaust(index_takes(study, tmp_path, episodes, "People"))
    place = [column.key for column in index.rows.columns].index("SR")
    for row in index.rows.rows:
        assert (row.is_success, row.values[place]) == (None, None)
        assert row.reasons[place] == "the navmesh of the scene was not given"
        assert not {tag.kind for tag in row.tags} & {TagKind.PERFECT, TagKind.EARLY_STOP}
    assert [one.outcome for one in index.rows.outcomes()] == ["Unknown", "Unknown"]
    run = exhaust(replay_takes(study, tmp_path, episodes, "People"))
    assert [shown.is_success for shown in run.attempts] == [None, None]
    page = write_report(tmp_path / "out", run).read_text(encoding="utf-8")
    assert "✓" not in page
    assert "✕" not in page


def test_rows_have_the_scores_that_the_study_keeps(study: Study, tmp_path: Path) -> None:
    own = next(iter(study.takes))
    take = study.takes[own]
    changed = replace(take, scores={**take.scores, "vlnverse.NE": 1.25})
    study = replace(study, takes={**study.takes, own: changed})
    index = index_of(study, tmp_path)
    place = [column.key for column in index.rows.columns].index("NE")
    assert index.rows.rows[0].values[place] == 1.25
    assert index.replayed("1_0", 1).scores.values["NE"] == 1.25


def test_takes_that_were_not_scored_are_scored_first(study: Study, tmp_path: Path) -> None:
    expected = index_of(study, tmp_path).rows.rows
    bare = {
        key: replace(take, profile="", scores={}, score_notes={})
        for key, take in study.takes.items()
    }
    assert index_of(replace(study, takes=bare), tmp_path).rows.rows == expected


def test_a_take_whose_file_is_gone_is_said(study: Study, tmp_path: Path) -> None:
    (tmp_path / "takes" / "P-AAAA-0.csv").unlink()
    index = index_of(study, tmp_path)
    assert [row.participant for row in index.rows.rows] == ["P-1"]
    (told,) = index.warnings
    assert told.startswith("takes/P-AAAA-0.csv: ")


def left_out(study: Study, root: Path) -> Study:
    """The study with a take of each kind that does not count, by P-AAAA."""
    again = requeue_episode(study, FIRST, "the door was stuck", "ana", LATER)
    return driven(again, root, FIRST, 3.0)


def test_earlier_takes_are_left_out_in_one_line(study: Study, tmp_path: Path) -> None:
    index = index_of(left_out(study, tmp_path), tmp_path)
    assert [(row.participant, row.take) for row in index.rows.rows] == [("P-AAAA", 2), ("P-1", 1)]
    assert index.warnings == ("1 take left out: 1 superseded",)


def given_up(study: Study, root: Path) -> Study:
    """P-1 drives once more and gives up."""
    study = requeue_episode(study, SECOND, "again", "ana", LATER)
    study = begin_episode(study, SECOND, NOON)
    file = root / "takes" / "lost.csv"
    write_walk(file, [(0, 0), (1, 0)], participant="P-1")
    take = take_of_file(study, root, file, lambda _: EPISODE)
    return abandon_episode(study, SECOND, "I am lost", LATER, take)


def test_whoever_gave_up_counts_as_the_study_says(study: Study, tmp_path: Path) -> None:
    study = given_up(study, tmp_path)
    rows = index_of(study, tmp_path).rows.rows
    assert [(row.participant, row.take) for row in rows] == [("P-AAAA", 1), ("P-1", 2)]
    assert study.rules is not None
    strict = replace(study, rules=replace(study.rules, counts_abandoned=False))
    index = index_of(strict, tmp_path)
    assert [row.participant for row in index.rows.rows] == ["P-AAAA"]
    assert index.warnings == ("2 takes left out: 1 superseded, 1 given up",)


def test_neither_the_withdrawn_nor_the_excluded_are_shown(study: Study, tmp_path: Path) -> None:
    first, second = study.takes
    gone = withdraw_consent(study, "P-1", LATER)
    assert [row.participant for row in index_of(gone, tmp_path).rows.rows] == ["P-AAAA"]
    kept_out = exclude_take(study, first, "fell asleep")
    index = index_of(kept_out, tmp_path)
    assert [row.participant for row in index.rows.rows] == [second.participant]
    assert index.warnings == ("1 take left out: 1 excluded",)
    # Nobody waits for it any more, and the report calls nothing missing that was left out.
    run = exhaust(replay_takes(kept_out, tmp_path, EPISODES, "People"))
    assert [run.coverage[name] for name in ("expected", "found", "missing")] == [1, 1, 0]


def test_practice_and_unsettled_takes_are_not_shown(study: Study, tmp_path: Path) -> None:
    training = {
        key: replace(assignment, is_training=key == FIRST)
        for key, assignment in study.assignments.items()
    }
    index = index_of(replace(study, assignments=training), tmp_path)
    assert [row.participant for row in index.rows.rows] == ["P-1"]
    assert index.warnings == ("1 take left out: 1 training",)
    bare = assigned(study_of_walks())
    write_walk(tmp_path / "takes" / "open.csv", [(0, 0), (4, 0)])
    file = tmp_path / "takes" / "open.csv"
    bare = add_take(bare, take_of_file(bare, tmp_path, file, lambda _: EPISODE))
    with pytest.raises(InputError, match="no take of the study can be replayed"):
        index_of(bare, tmp_path)


def test_takes_of_unknown_episodes_cannot_be_shown(study: Study, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no take of the study can be replayed"):
        exhaust(index_takes(study, tmp_path, StudyEpisodes(), "People"))

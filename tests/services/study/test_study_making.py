from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from fixtures.recorded_takes import write_r2r

from waypost.domain.base.errors import EditError, ReadError
from waypost.domain.base.progress import exhaust
from waypost.domain.record.study import StudyRules
from waypost.services.replay.run_companions import search_graphs
from waypost.services.study.making import (
    MadeStudy,
    StudyWish,
    file_hash,
    make_study,
    stated_path,
    survey_episodes,
)

NOON = "2026-11-28T12:00:00+00:00"
PLAN = StudyRules("walk", 5)


def made(folder: Path, **options: object) -> MadeStudy:
    file = write_r2r(folder, ["s1", "s2"], instructions=2)
    wish = StudyWish(PLAN, file, "I agree.", **options)  # type: ignore[arg-type]
    return exhaust(make_study(wish, folder / "project", NOON))


def ids(result: MadeStudy, *, training: bool) -> list[str]:
    found = result.study.episodes.items()
    return [key.episode_id for key, episode in found if episode.is_training is training]


def test_everything_of_a_file_with_practice_first(tmp_path: Path) -> None:
    result = made(tmp_path, training_ids=frozenset({"1_1"}), is_first_training=True)
    assert ids(result, training=True) == ["1_0", "1_1"]
    assert ids(result, training=False) == ["2_0", "2_1"]
    rules = result.study.rules
    assert rules is not None
    assert rules.episodes_path == "../R2R_val_unseen.json"
    assert rules.episodes_hash == file_hash(tmp_path / "R2R_val_unseen.json")
    assert (rules.connectivity_path, rules.scenes_path) == ("", "")
    assert (
        stated_path(tmp_path / "project", rules.episodes_path) == tmp_path / "R2R_val_unseen.json"
    )
    twice, few, unplaced = result.notes
    assert twice == (
        "1 practice episode leads along the path of another one and will not be driven"
    )
    assert few.startswith("the study has 1 different path beside practice for 2 episodes each")
    assert unplaced.startswith("4 episodes name viewpoints only")


def test_the_only_path_is_not_left_to_practice(tmp_path: Path) -> None:
    with pytest.raises(EditError, match="needs an episode along another path than its practice"):
        made(tmp_path, training_ids=frozenset({"1_0", "2_1"}))


def test_instructions_of_one_path_are_known_as_one(tmp_path: Path) -> None:
    episodes = made(tmp_path).study.episodes.values()
    assert [episode.path_id for episode in episodes] == ["1_0", "1_0", "2_0", "2_0"]


def test_only_episodes_of_the_open_scene_where_the_file_has_any(tmp_path: Path) -> None:
    own = made(tmp_path, own_scene=tmp_path / "s2" / "house.glb")
    assert ids(own, training=False) == ["2_0", "2_1"]
    other = made(tmp_path, own_scene=tmp_path / "s9.glb")
    assert len(ids(other, training=False)) == 4
    assert other.notes[0] == (
        "no episode is in s9.glb: they are in s1, s2, and without a folder of scenes none is shown"
    )
    with pytest.raises(ReadError, match=r"there is no episode 1_0 in house\.glb$"):
        made(tmp_path, own_scene=tmp_path / "s2" / "house.glb", training_ids=frozenset({"1_0"}))
    elsewhere = made(tmp_path, own_scene=tmp_path / "s2.glb", scenes_place=tmp_path)
    assert len(ids(elsewhere, training=False)) == 4
    assert not any("s2.glb" in note for note in (*own.notes, *elsewhere.notes))


def test_driving_in_another_scene_than_the_episodes_name_is_said(tmp_path: Path) -> None:
    file = write_r2r(tmp_path, ["s1"])
    wish = StudyWish(PLAN, file, "I agree.", own_scene=tmp_path / "flat" / "house.glb")
    told = exhaust(make_study(wish, tmp_path, NOON)).notes[0]
    assert told == "all episodes are in the scene s1, and will be driven in house.glb"


def test_a_split_leaves_out_all_but_practice(tmp_path: Path) -> None:
    assert len(ids(made(tmp_path, split="val_unseen"), training=False)) == 4
    with pytest.raises(EditError, match="at least one episode beside training"):
        made(tmp_path, split="val_seen", training_ids=frozenset({"1_0"}))


def test_graphs_are_kept_and_what_they_lack_is_said(tmp_path: Path) -> None:
    graphs = tmp_path / "connectivity"
    write_r2r(tmp_path, ["s1", "s2"])
    (graphs / "s2_connectivity.json").unlink()
    file = tmp_path / "R2R_val_unseen.json"
    wish = StudyWish(PLAN, file, "I agree.", connectivity=graphs, scenes_place=tmp_path / "scenes")
    result = exhaust(make_study(wish, tmp_path, NOON))
    rules = result.study.rules
    assert rules is not None
    assert (rules.connectivity_path, rules.scenes_path) == ("connectivity", "scenes")
    assert result.notes == (f"{graphs}: has no connectivity file of s2",)


def test_what_cannot_be_made_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="there is no episode 7_0"):
        made(tmp_path, training_ids=frozenset({"7_0"}))
    with pytest.raises(EditError, match="at least one episode beside training"):
        made(tmp_path, training_ids=frozenset({"1_0", "1_1", "2_0", "2_1"}))


def test_a_survey_tells_what_a_file_holds(tmp_path: Path) -> None:
    file = write_r2r(tmp_path, ["s1", "s2"], instructions=3)
    packed = tmp_path / "R2R_val_seen.json.gz"
    packed.write_bytes(gzip.compress(json.dumps(json.loads(file.read_text())).encode()))
    facts = exhaust(survey_episodes(packed))
    assert (facts.count, facts.scenes, facts.splits) == (6, ("s1", "s2"), ("val_seen",))
    assert (facts.unplaced, facts.paths) == (6, 2)
    assert "1_2" in facts.ids


def test_graphs_are_found_beside_the_episodes_and_only_fitting_ones(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "annotations"
    folder.mkdir(parents=True)
    file = write_r2r(folder, ["alone1", "alone2"])
    beside = file.parent / "connectivity"
    assert exhaust(survey_episodes(file, search_graphs)).graphs == beside
    elsewhere = tmp_path / "data" / "graphs"
    beside.rename(elsewhere)
    assert exhaust(survey_episodes(file, search_graphs)).graphs == elsewhere
    for graph in elsewhere.iterdir():
        graph.rename(graph.with_name(f"other_{graph.name}"))
    assert exhaust(survey_episodes(file, search_graphs)).graphs is None

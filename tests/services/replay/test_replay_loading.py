"""Runs, episodes and graphs come together, whatever names the episode."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from fixtures.replay_files import write_run
from worlds.vln_worlds import LINE_POINTS_M, line_annotations

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress
from waypost.domain.base.progress import exhaust as every
from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.tags import TagKind
from waypost.services.evaluation.evaluate import evaluate
from waypost.services.evaluation.validate import validate
from waypost.services.replay.finding import replay_one
from waypost.services.replay.loading import ReplayedRun, replay_all
from waypost.services.replay.profiles import default_profile, navmesh_note
from waypost.services.replay.run_index import index_run


def exhaust(request: RunSource) -> tuple[list[Progress], ReplayedRun]:
    steps, shown = replay_all(request), []
    while True:
        try:
            shown.append(next(steps))
        except StopIteration as end:
            return shown, end.value


def request(folder: Path, walked: dict[str, str], **options: str) -> RunSource:
    files = write_run(folder, walked)
    return RunSource((files.results,), (files.annotations,), files.connectivity, **options)


def test_the_first_of_several_runs_counts(tmp_path: Path) -> None:
    asked = request(tmp_path, {"7_0": "ABC", "7_1": "AB"})
    runs = json.loads(asked.file.read_text())
    asked.file.write_text(json.dumps([*runs, runs[0], {**runs[0], "instr_id": "7_1"}]))
    progress, run = exhaust(asked)
    assert progress[0].message == "3 episodes read"
    assert [shown.replay.episode.episode_id for shown in run.episodes] == ["7_0", "7_1"]
    assert run.coverage["duplicated_identical"] == 1
    assert run.coverage["duplicated_conflicting"] == 1
    assert run.coverage["missing"] == 1
    assert [shown.is_success for shown in run.episodes] == [True, True]


def test_a_whole_run_keeps_neither_records_nor_columns(tmp_path: Path) -> None:
    """Of 100,000 episodes they take twice as much memory as everything else."""
    asked = request(tmp_path, {"7_0": "ABC", "7_1": "ABAB"})
    _, run = exhaust(asked)
    for shown in run.attempts:
        assert shown.replay.episode.record is None
        assert shown.replay.run.record is None
        assert vars(shown.replay).keys() == {f.name for f in dataclasses.fields(Replay)}
    assert run.attempts[1].replay.to_goal_m.tolist() == [4, 2, 4, 2]


def test_a_chosen_profile_scores(tmp_path: Path) -> None:
    shown = replay_one(request(tmp_path, {"7_0": "ABABC"}, profile_key="duet"), "7_0")
    assert shown.scores.profile.key == "duet"
    assert shown.scores.values["SPL"] == 0.5


def test_without_its_navmesh_success_is_undefined_unless_straight_lines_are_chosen(
    tmp_path: Path,
) -> None:
    """The run stops 2 m from its goal: by VLN-CE's definition nobody knows how far that is."""
    annotations, results = tmp_path / "val_seen.json", tmp_path / "run.json"
    annotations.write_text(json.dumps(line_annotations()))
    poses = [{"position": p, "heading": 0.0, "stop": False} for p in LINE_POINTS_M[:-1]]
    results.write_text(json.dumps({"7": [*poses, {**poses[-1], "stop": True}]}))
    asked = RunSource((results,), (annotations,))
    shown = replay_one(asked, "7")
    assert shown.scores.profile.key == "vlnce"
    assert (shown.is_success, shown.scores.reasons["SR"]) == (
        None,
        "the navmesh of the scene was not given",
    )
    assert not {tag.kind for tag in shown.tags} & {TagKind.PERFECT, TagKind.EARLY_STOP}
    run = exhaust(asked)[1]
    assert [row.is_success for row in run.attempts] == [None]
    (said,) = run.warnings
    assert said.startswith("success is unknown: the navmesh of the scene was not given")
    reasons = ["the navmesh of the scene was not given", "", "the run is empty"]
    assert navmesh_note("open-nav", reasons).startswith("success of 1 of 3 episodes is unknown")
    assert navmesh_note("vlnverse", reasons) == navmesh_note("vlnce", reasons[1:]) == ""
    chosen = dataclasses.replace(asked, profile_key="vlnce (straight-line)")
    shown = replay_one(chosen, "7")
    assert (shown.is_success, shown.scores.values["SR"]) == (True, 1.0)
    assert exhaust(chosen)[1].warnings == ()
    assert "standing in for the navmesh" in shown.scores.profile.metrics[1].definition
    with pytest.raises(InputError, match="is no metric profile"):
        replay_one(dataclasses.replace(asked, profile_key="vlnce (straight)"), "7")


def test_a_scan_without_a_file_is_said_once(tmp_path: Path) -> None:
    asked = request(tmp_path, {"7_0": "ABC", "7_1": "ABC"})
    (tmp_path / "connectivity" / "line_connectivity.json").unlink()
    _, run = exhaust(asked)
    folder = tmp_path / "connectivity"
    assert run.warnings == (f"{folder} has no connectivity file of line",)
    assert run.episodes[0].replay.first_deviation_step is None
    assert run.episodes[0].is_success is None


def test_the_folder_must_exist(tmp_path: Path) -> None:
    asked = request(tmp_path, {"7_0": "ABC"})
    with pytest.raises(InputError, match="is no folder"):
        replay_one(RunSource((asked.file,), (), tmp_path / "nowhere"), "7_0")


def test_logs_without_ids_are_found_by_their_instruction(tmp_path: Path) -> None:
    asked = request(tmp_path, {"7_0": "ABC"})
    steps = [{"viewpoint": place, "plan": "go", "action": "move"} for place in "ABC"]
    log = tmp_path / "log.json"
    log.write_text(json.dumps([{"instruction": "Second.", "steps": steps}]))
    found = RunSource((log,), asked.annotations, asked.connectivity)
    shown = replay_one(found, "7_1")
    assert shown.replay.episode.instruction.text == "Second."
    _, run = exhaust(found)
    assert [entry.replay.episode.episode_id for entry in run.episodes] == ["7_1"]


@pytest.mark.parametrize(
    ("dataset", "has_viewpoints", "profile"),
    [
        ("reverie", True, "reverie"),
        ("vlnce-r2r", False, "vlnce"),
        ("r2r", True, "r2r"),
        ("", True, "r2r"),
        ("vlnverse-fine", False, "vlnverse"),
    ],
)
def test_profiles_by_dataset(dataset: str, has_viewpoints: bool, profile: str) -> None:
    episode = Episode(dataset, "", "1", "s", Instruction(""))
    path = route(("A",)) if has_viewpoints else route(positions_m=[[0, 0, 0]])
    assert default_profile(episode, EpisodeRun("1", path)) == profile


@pytest.mark.parametrize(("has_viewpoints", "profile"), [(True, "r2r"), (False, "vlnverse")])
def test_a_run_without_a_way_is_scored_as_its_episode_asks(
    has_viewpoints: bool, profile: str
) -> None:
    reference = route(("A", "B")) if has_viewpoints else route(positions_m=[[0, 0, 0]])
    episode = Episode("r2r", "", "1", "s", Instruction(""), reference=reference)
    assert default_profile(episode, EpisodeRun("1", route())) == profile


def discussnav(way: str, instruction: str = "Leave the room.") -> str:
    """An episode in a log without ids, which has the path that was to be walked."""
    return "\n".join(
        [
            "=" * 86,
            f"Instruction: {instruction}",
            f"GT Path: {list(way)}",
            f"{'-' * 30}Step 0{'-' * 30}",
            f"Pred: {way[1]} Fused Thought: on",
            f"Move to {way[1]}",
            "{'trajectory_length': 2.0, 'success': 0.0}",
            "",
        ]
    )


def test_runs_without_ids_belong_to_the_episodes_that_evaluation_finds(tmp_path: Path) -> None:
    """Several paths may share their words; then the logged path tells, everywhere alike."""
    asked = request(tmp_path, {"7_0": "ABC"})
    (annotations,) = asked.annotations
    records = json.loads(annotations.read_text())
    ways = {7: "ABC", 8: "CBA", 9: "BCD"}
    annotations.write_text(
        json.dumps(
            [
                {**records[0], "path_id": n, "path": list(way), "instructions": ["Leave the room."]}
                for n, way in ways.items()
            ]
        )
    )
    log = tmp_path / "discuss.log"
    log.write_text(discussnav("CBA") + discussnav("ABC") + discussnav("DCB"))
    source = dataclasses.replace(asked, results=(log,), profile_key="r2r")
    scored = every(evaluate(source)).runs[0]
    whole = every(replay_all(source))
    made = every(index_run(source, tmp_path / "cache"))
    for coverage in (scored.coverage, whole.coverage, made.coverage):
        counts = {key: coverage[key] for key in ("expected", "found", "missing", "foreign")}
        assert counts == {"expected": 3, "found": 2, "missing": 1, "foreign": 1}
    assert [row.episode_id for row in made.rows.rows] == ["8_0", "7_0"]
    assert replay_one(source, "8_0").scores.values["NE"] == 2.0
    assert scored.metrics["NE"].value == 2.0
    (told,) = (each for each in every(validate(source)) if each.role == "results")
    assert (told.report.found, told.report.missing, told.report.foreign) == (2, 1, 1)


def test_an_episode_that_stands_in_two_files_is_one(tmp_path: Path) -> None:
    asked = request(tmp_path, {"7_0": "ABC"})
    again = tmp_path / "subset.json"
    again.write_text(asked.annotations[0].read_text())
    log = tmp_path / "discuss.log"
    log.write_text(discussnav("ABC", "Second."))
    source = dataclasses.replace(
        asked, results=(log,), annotations=(*asked.annotations, again), profile_key="r2r"
    )
    assert every(evaluate(source)).runs[0].coverage["found"] == 1
    assert every(replay_all(source)).coverage["found"] == 1


def test_runs_without_ids_are_no_repeats_of_each_other(tmp_path: Path) -> None:
    log = tmp_path / "discuss.log"
    log.write_text(discussnav("CBA") + discussnav("ABC", "Go on."))
    ((told,), whole) = every(validate(RunSource((log,)))), every(replay_all(RunSource((log,))))
    assert (told.report.found, told.report.duplicated_conflicting) == (2, 0)
    assert (whole.coverage["found"], whole.coverage["duplicated_conflicting"]) == (2, 0)

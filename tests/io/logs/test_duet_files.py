"""What VLN-DUET writes beside plain trajectories: SOON submissions and detail files."""

import dataclasses
import json
import math

import pytest
from fixtures.run_samples import DUET_DETAILS, SOON_SUBMISSION, V

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Answer, Decision, EpisodeRun
from waypost.domain.episode.run_source import RunSource
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.logs import duet_details, soon_submission
from waypost.io.read_log import ReadLog
from waypost.services.evaluation.evaluate import evaluate


def read(folder, value, name):
    path = folder / "runs.json"
    path.write_text(json.dumps(value))
    log = ReadLog()
    assert RUN_FORMATS.find(path).name == name
    return list(RUN_FORMATS.read(path, log)), log


def test_a_soon_submission_has_groups_and_a_direction_in_shares_of_a_turn(tmp_path):
    runs, log = read(tmp_path, SOON_SUBMISSION, "soon-submission")
    first, second = runs
    assert first.episode_id == "161_0"
    assert first.route.viewpoint_ids == (V[0], V[1], V[2], V[3])
    assert [(d.first_pose, d.end_pose) for d in first.decisions] == [(1, 3), (3, 4)]
    # A quarter of a turn to the right, at the horizon; then straight ahead, straight down.
    assert first.answer.heading_rad == pytest.approx(math.pi / 2, abs=1e-15)
    assert first.answer.elevation_rad == pytest.approx(0, abs=1e-15)
    assert second.answer.heading_rad == 0
    assert second.answer.elevation_rad == pytest.approx(-math.pi / 2, abs=1e-15)
    assert second.extra == {"seed": 3}
    assert not log.findings


@pytest.mark.parametrize(
    ("stated", "reason"),
    [
        ([3.2], "trajectory.obj_heading[0]: is 3.2, and a share of a turn is 0 to 1"),
        ([-0.1], "trajectory.obj_heading[0]: is -0.1, and a share of a turn is 0 to 1"),
        (["a"], "trajectory.obj_heading[0]: is text, not a number"),
    ],
)
def test_a_direction_that_is_no_share_of_a_turn_is_no_run(tmp_path, stated, reason):
    told = {"path": [[V[0]]], "obj_heading": stated, "obj_elevation": [0.5]}
    runs, log = read(tmp_path, [{"instr_id": "1_0", "trajectory": told}], "soon-submission")
    assert runs == []
    (finding,) = log.findings
    assert (finding.kind, finding.item_id) == (ImportKind.UNREADABLE, "1_0")
    assert reason in finding.message


def test_navillm_writes_the_object_in_a_list(tmp_path):
    told = {"path": [[V[0], 0, 0], [V[1], 0, 0]], "obj_heading": [0.5], "obj_elevation": [0.5]}
    record = {"instr_id": 161, "trajectory": [told]}
    (run,), _ = read(tmp_path, [record], "soon-submission")
    assert (run.episode_id, run.route.viewpoint_ids) == ("161", (V[0], V[1]))
    assert run.route.yaws_rad is None
    assert run.answer.heading_rad == pytest.approx(math.pi, abs=1e-15)
    soon_submission.write(tmp_path / "again.json", [run], ReadLog())
    assert json.loads((tmp_path / "again.json").read_text()) == [record]


@pytest.mark.parametrize("stated", [[], [None], None])
def test_no_direction_is_no_answer(tmp_path, stated):
    told = {"path": [[V[0]]], "obj_heading": stated, "obj_elevation": [0.5]}
    (run,), log = read(tmp_path, [{"instr_id": "1_0", "trajectory": told}], "soon-submission")
    assert run.answer.heading_rad is None
    assert [finding.message for finding in log.findings] == ["1_0 points at nothing"]


def test_a_run_from_elsewhere_becomes_a_submission_of_duet(tmp_path):
    walked = (Decision(1, 3), Decision(3, 3), Decision(3, 4))
    run = EpisodeRun(
        "5_0",
        route(V[:4]),
        walked,
        answer=Answer(heading_rad=-math.pi / 2, elevation_rad=math.radians(30)),
    )
    bare = dataclasses.replace(run, episode_id="5_1", answer=Answer())
    path, log = tmp_path / "submit.json", ReadLog()
    soon_submission.write(path, [run, bare], log)
    first, second = json.loads(path.read_text())
    assert first["trajectory"]["path"] == [[V[0]], [V[1], V[2]], [V[3]]]
    assert first["trajectory"]["obj_heading"] == [pytest.approx(0.75, abs=1e-15)]
    assert first["trajectory"]["obj_elevation"] == [pytest.approx(0.5 + 30 / 360, abs=1e-15)]
    assert second["trajectory"]["obj_heading"] == second["trajectory"]["obj_elevation"] == []
    assert [finding.item_id for finding in log.findings] == ["5_1"]


@pytest.mark.realdata
def test_a_soon_submission_is_scored(shared_data):
    """Numbers of VLN-DUET:map_nav_src/soon/env.py for the same files."""
    folder = shared_data / "peers" / "duet-soon"
    told = json.loads((folder / "expected.json").read_text())
    source = RunSource(
        results=(folder / "submit_val_unseen.json",),
        annotations=(folder / "val_unseen_enc.jsonl",),
        connectivity=shared_data / "r2r" / "connectivity",
        profile_key="soon",
    )
    (report,) = exhaust(evaluate(source)).runs
    for key, (name, divisor, _) in told["names"].items():
        expected = told["means"][name] / divisor
        assert report.metrics[key].value == pytest.approx(expected, abs=1e-9), key


def test_a_detail_file_is_its_trajectory_file_with_what_was_thought_of_stopping(tmp_path):
    runs, log = read(tmp_path, DUET_DETAILS, "duet-details")
    plain = [
        {key: value for key, value in record.items() if key != "details"} for record in DUET_DETAILS
    ]
    expected, _ = read(tmp_path, plain, "r2r")
    for run, without in zip(runs, expected, strict=True):
        assert (run.episode_id, run.route, run.answer) == (
            without.episode_id,
            without.route,
            without.answer,
        )
    first, second = runs
    assert [d.at_viewpoint_id for d in first.decisions] == [V[0], V[1], V[2]]
    assert [d.extra["stop_prob"] for d in first.decisions] == [0.01, 0.625, 0.2]
    assert first.decisions[1].raw_text == "stop_prob 0.6250"
    assert first.extra["details"] == DUET_DETAILS[0]["details"]
    (asked,) = second.decisions
    assert asked.raw_text == "stop_prob 0.2500\nobject 5: 2.2500\nobject 17: 0.5000"
    assert second.answer.object_id == "5"
    assert not log.findings


def test_of_many_objects_the_best_are_shown_and_all_are_kept(tmp_path):
    names = [str(number) for number in range(9)]
    told = {"stop_prob": 0.5, "obj_ids": names, "obj_logits": list(range(9))}
    record = {"instr_id": "1_0", "trajectory": [[V[0]], [V[1]]], "details": {V[0]: told}}
    (run,), _ = read(tmp_path, [record], "duet-details")
    shown = run.decisions[0].raw_text.splitlines()
    assert shown[1] == "object 8: 8.0000"
    assert shown[-1] == "… and 4 more objects"
    assert run.decisions[0].extra["obj_ids"] == names


def test_a_detail_file_is_made_of_runs_from_elsewhere(tmp_path):
    asked = Decision(1, 2, V[0], extra={"stop_prob": 0.5})
    run = EpisodeRun("5_0", route(V[:2]), (asked,), answer=Answer(object_id="9"))
    path = tmp_path / "detail.json"
    duet_details.write(path, [run], ReadLog())
    assert json.loads(path.read_text()) == [
        {
            "instr_id": "5_0",
            "trajectory": [[V[0]], [V[1]]],
            "pred_objid": "9",
            "details": {V[0]: {"stop_prob": 0.5}},
        }
    ]


def test_a_detail_file_of_runs_without_probabilities_can_be_read_again(tmp_path):
    run = EpisodeRun("5_0", route(V[:3]), (Decision(1, 2), Decision(2, 3)))
    duet_details.write(tmp_path / "detail.json", [run], ReadLog())
    written = json.loads((tmp_path / "detail.json").read_text())
    assert written[0]["details"] == {}
    (again,), log = read(tmp_path, written, "duet-details")
    assert (again.episode_id, again.route.viewpoint_ids) == ("5_0", tuple(V[:3]))
    assert not log.findings

"""What evaluation servers are known to refuse is said of a file, and nothing else."""

import json

import pytest
from worlds.vln_worlds import line_annotations, write_line_scan

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.services.evaluation.evaluate import EvaluationOptions, evaluate
from waypost.services.evaluation.validate import validate


def write(path, value):
    path.write_text(json.dumps(value))
    return path


def record(path_id, path="ABC"):
    return {
        "distance": 2.0 * (len(path) - 1),
        "scan": "line",
        "path_id": path_id,
        "path": list(path),
        "heading": 0.0,
        "instructions": ["go"],
    }


def verdict(tmp_path, trajectories, expected=None, *, is_alone=False):
    connectivity = write_line_scan(tmp_path / "connectivity", 2, 2)
    runs = [{"instr_id": f"{n}_0", "trajectory": path} for n, path in enumerate(trajectories)]
    results = write(tmp_path / "run.json", runs)
    records = [record(n) for n in range(expected or len(runs))]
    annotations = () if is_alone else (write(tmp_path / "R2R_val.json", records),)
    *_, found = exhaust(validate(RunSource((results,), annotations, connectivity)))
    (one,) = found.servers
    assert one.server == "the R2R leaderboard"
    return one


def reasons(one):
    return [(refusal.reason, refusal.first) for refusal in one.refusals]


FLAT = [["A", 0.0, 0.0], ["B", 0.0, 0.0], ["C", 0.0, 0.0]]


def test_a_whole_flat_file_is_taken(tmp_path):
    standing = [["A", 0.0, 0.0], ["A", 1.0, 0.0]]
    one = verdict(tmp_path, [FLAT, standing, [["A"], ["B"], ["A"]]])
    assert (one.refusals, one.unchecked) == ((), "")


@pytest.mark.parametrize(
    ("path", "reason", "first"),
    [
        ([["A"], ["C"]], "1 move between viewpoints that no edge joins", "1_0, step 1"),
        ([["B"], ["C"]], "1 run that begins elsewhere than its episode", "1_0, step 0"),
        ([["A"], ["X"]], "1 viewpoint that the graph does not have", "1_0, step 1"),
        ([], "1 empty path", "1_0"),
    ],
)
def test_each_rule_of_the_leaderboard(tmp_path, path, reason, first):
    assert reasons(verdict(tmp_path, [FLAT, path])) == [(reason, first)]


def test_a_missing_instruction_is_refused(tmp_path):
    assert reasons(verdict(tmp_path, [FLAT], 3)) == [("2 instructions without a run", "1_0")]


def test_groups_and_plain_names_are_not_read(tmp_path):
    """The scorer takes the first element of each entry: of ["B", "C"] B, of "C" its letter."""
    one = verdict(tmp_path, [FLAT, [["A"], ["B", "C"]], ["A", "B"], [["A"], ["B", "A"]]])
    assert [(refusal.count, refusal.first) for refusal in one.refusals] == [(2, "1_0"), (1, "2_0")]
    assert "only the first is read" in one.refusals[0].reason


def test_what_cannot_be_checked_is_said(tmp_path):
    one = verdict(tmp_path, [FLAT], is_alone=True)
    assert (one.refusals, one.unchecked) == ((), "give --annotations to check all of it")


def test_files_for_other_data_sets_have_no_verdict(tmp_path):
    reverie = {**record(1), "id": "1_2", "objId": 3, "instructions": ["fetch"]}
    annotations = write(tmp_path / "REVERIE_val_seen.json", [reverie])
    runs = [{"instr_id": "1_2_0", "trajectory": [["A"]]}]
    results = write(tmp_path / "run.json", runs)
    *_, found = exhaust(validate(RunSource((results,), (annotations,))))
    assert found.servers == ()


def states(gap_m):
    points = [[0.25 * n, 0.0, 0.0] for n in range(4)]
    points += [[points[-1][0] + gap_m, 0.0, 0.0]]
    return [{"position": p, "heading": 0.0, "stop": p is points[-1]} for p in points]


@pytest.mark.parametrize(("gap_m", "is_taken"), [(0.25, True), (0.74, True), (0.76, False)])
def test_the_server_of_vlnce(tmp_path, gap_m, is_taken):
    annotations = write(tmp_path / "val.json", line_annotations())
    results = write(tmp_path / "pred.json", {"7": states(gap_m)})
    source = RunSource((results,), (annotations,), profile_key="vlnce")
    *_, found = exhaust(validate(source))
    (one,) = found.servers
    assert one.server == "the VLN-CE server"
    wanted = [] if is_taken else [("1 step of 0.75 m or more", "7, step 4")]
    assert reasons(one) == wanted
    scored = exhaust(evaluate(source, EvaluationOptions(goal_distance="straight-line")))
    told = [finding for finding in scored.runs[0].findings if finding.kind == "teleport"]
    assert len(told) == len(wanted)

"""Files that state scores and no path: the scores are kept, and no path is called empty."""

import json
import math

import pytest
from fixtures.run_samples import NAVID_STATS, OCTONAV, PROGRESS, lines

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.path_checks import check_run
from waypost.domain.episode.run import SCORES_ONLY, EpisodeRun, scores_only_note
from waypost.domain.episode.run_source import RunSource
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.logs import internnav_runs, navid_stats
from waypost.io.read_log import ReadLog
from waypost.io.run_catalogue import list_runs
from waypost.services.conversion import ConversionRequest, convert
from waypost.services.evaluation.evaluate import evaluate
from waypost.services.evaluation.validate import validate
from waypost.services.replay.loading import replay_all
from waypost.services.replay.run_index import index_run

NOTE = scores_only_note(3, 3)
TOTALS = {"sucs_all": 0.5, "spls_all": 0.4, "oss_all": 0.5, "ones_all": 5.375, "length": 2}


def read(path, name):
    log = ReadLog()
    assert RUN_FORMATS.find(path).name == name
    return list(RUN_FORMATS.read(path, log)), log


@pytest.fixture
def navid(tmp_path):
    """The folder that NaVid writes; the third episode never moved."""
    folder = tmp_path / "navid-7b_on_r2r" / "log"
    folder.mkdir(parents=True)
    odd = {"success": 0.0, "spl": math.nan, "distance_to_goal": math.inf, "oracle_success": 0.0}
    records = {
        "7": NAVID_STATS,
        "10": {**NAVID_STATS, "id": "10", "success": 0.0, "spl": 0.0, "distance_to_goal": 6.5},
        "8": {**NAVID_STATS, "id": 8, "path_length": 0.0, **odd},
    }
    for name, record in records.items():
        (folder / f"stats_{name}.json").write_text(json.dumps(record, indent=4))
    return folder


@pytest.fixture
def streamvln(tmp_path):
    """What StreamVLN writes: lines of scores, totals without a line end, and a run taken up."""
    path = tmp_path / "result.json"
    path.write_text(lines(PROGRESS) + json.dumps(TOTALS))
    return path


def annotations(folder, ids):
    """R2R-CE episodes of these ids."""
    record = {
        "scene_id": "mp3d/zsNo4HB9uLZ/zsNo4HB9uLZ.glb",
        "start_position": [0.0, 0.0, 0.0],
        "start_rotation": [0, 0, 0, 1],
        "info": {"geodesic_distance": 6.0},
        "goals": [{"position": [6.0, 0.0, 0.0], "radius": 3.0}],
        "instruction": {"instruction_text": "go", "instruction_tokens": [1]},
        "reference_path": [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0]],
    }
    episodes = [{"episode_id": name, "trajectory_id": 1, **record} for name in ids]
    path = folder / "val_unseen.json"
    path.write_text(json.dumps({"episodes": episodes}))
    return path


def test_navid_writes_a_file_per_episode(navid):
    runs, log = read(navid, "navid-stats")
    assert [run.episode_id for run in runs] == ["10", "7", "8"]
    assert all(run.has_scores_only for run in runs)
    assert runs[1].reported == {
        "distance_to_goal": 2.5,
        "success": 1.0,
        "spl": 0.75,
        "path_length": 9.25,
        "oracle_success": 1.0,
    }
    assert (runs[2].reported["spl"], runs[2].reported["distance_to_goal"]) == (None, None)
    assert log.counts[ImportKind.NOT_FINITE] == 2
    assert log.document == {}


def test_a_damaged_score_file_harms_no_other(navid):
    (navid / "stats_9.json").write_text('{"id": 9, "success": 1.0, "spl"')
    (navid / "stats_ckpt_0_val_unseen.json").write_text("{}")
    runs, log = read(navid, "navid-stats")
    assert [run.episode_id for run in runs] == ["10", "7", "8"]
    assert log.counts[ImportKind.UNREADABLE] + log.counts[ImportKind.TRUNCATED] == 1


def test_navid_is_listed_as_one_run_named_by_the_folder_above(navid):
    (entry,) = exhaust(list_runs(navid.parents[1])).entries
    assert (entry.format, entry.name) == ("navid-stats", "navid-7b_on_r2r/log")
    assert entry.setting == "navid-7b_on_r2r"


def test_navid_files_are_written_one_by_one(navid, tmp_path):
    runs, log = read(navid, "navid-stats")
    navid_stats.write(tmp_path / "out", runs, log)
    again, _ = read(tmp_path / "out", "navid-stats")
    assert again == runs
    with pytest.raises(InputError, match="cannot name a file"):
        navid_stats.write(tmp_path / "out", [EpisodeRun("a/b", reported={"spl": 1.0})], log)


def test_a_closing_line_of_totals_is_no_run(streamvln):
    runs, log = read(streamvln, "internnav-progress")
    assert [run.episode_id for run in runs] == ["3", "4"]
    assert log.document == TOTALS
    assert not log.findings


def test_what_is_appended_after_the_totals_is_read(streamvln):
    """A run that is taken up again appends behind totals that have no line end."""
    late = {**PROGRESS[0], "episode_id": 5}
    later = {**TOTALS, "length": 3}
    with streamvln.open("a") as file:
        file.write(json.dumps(late) + "\n" + json.dumps(later))
    runs, log = read(streamvln, "internnav-progress")
    assert [run.episode_id for run in runs] == ["3", "4", "5"]
    assert log.document["length"] == 3


def test_totals_come_back_when_written(streamvln, tmp_path):
    out = tmp_path / "again.json"
    convert(ConversionRequest(streamvln, "internnav-progress", out))
    written = [json.loads(line) for line in out.read_text().splitlines()]
    assert written == [*PROGRESS, TOTALS]
    convert(ConversionRequest(streamvln, "waypost", tmp_path / "open.jsonl"))
    convert(ConversionRequest(tmp_path / "open.jsonl", "internnav-progress", out))
    assert [json.loads(line) for line in out.read_text().splitlines()] == PROGRESS


def test_scores_are_no_empty_path():
    bare = EpisodeRun("1", reported={"spl": 0.5})
    assert bare.has_scores_only
    assert not list(check_run(None, bare))
    assert [finding.kind for finding in check_run(None, EpisodeRun("1"))] == [ImportKind.EMPTY_PATH]


@pytest.mark.parametrize(
    ("bare", "total", "said"),
    [
        (0, 3, ""),
        (3, 3, "the file states scores and no path"),
        (1, 3, "1 of 3 runs state scores and no path"),
    ],
)
def test_a_note_says_how_many_runs_are_scores_only(bare, total, said):
    assert scores_only_note(bare, total).startswith(said)
    assert bool(scores_only_note(bare, total)) == bool(said)


def test_an_evaluation_states_the_scores_and_why_it_has_none(navid, tmp_path):
    source = RunSource(
        results=(navid,), annotations=(annotations(tmp_path, [7, 8, 10]),), profile_key="vlnce"
    )
    (report,) = exhaust(evaluate(source)).runs
    assert report.coverage["found"] == report.coverage["expected"] == 3
    assert report.coverage["invalid"] == 0
    assert {metric.value for metric in report.metrics.values()} == {None}
    assert all(metric.undefined == {SCORES_ONLY: 3} for metric in report.metrics.values())
    # NaVid's analyze_results.py counts the unknown as 0 and divides by the number of files.
    spl = report.stated["spl"]
    assert (spl.value, spl.n, spl.known_mean, spl.known) == (0.25, 3, 0.375, 2)
    assert report.stated_rule is not None
    assert report.stated_rule.scorer == "analyze_results.py"
    assert report.totals == {}
    assert NOTE in [finding.message for finding in report.findings]


def test_no_check_of_a_path_that_is_not_there(streamvln, tmp_path):
    source = RunSource(results=(streamvln,), annotations=(annotations(tmp_path, [3, 4]),))
    *_, report = exhaust(validate(source))
    (finding,) = report.report.findings
    assert (finding.kind, finding.is_problem) == (ImportKind.NOTE, False)
    assert "there is none to check" in finding.message


def test_a_replay_says_why_there_is_no_path(navid, tmp_path):
    source = RunSource(results=(navid,))
    run = exhaust(replay_all(source))
    shown = run.episodes[1]
    assert len(shown.replay) == 0
    assert shown.replay.why_no_path == f"There is no path to show: {SCORES_ONLY}."
    assert shown.replay.ended_by == "not stated"
    assert set(shown.scores.reasons.values()) == {SCORES_ONLY}
    assert shown.tags == ()
    assert NOTE in run.warnings
    index = exhaust(index_run(source, tmp_path / "cache"))
    assert NOTE in index.warnings
    assert index.rows.rows[1].ended_by == "not stated"
    assert set(index.rows.rows[1].reasons) == {SCORES_ONLY}
    assert NOTE in exhaust(index_run(source, tmp_path / "cache")).warnings


PATH = [[0.0, 0.5, 0.0], [0.0, 0.5, -0.25], [0.0, 0.5, -0.25], [0.0, 0.5, -0.5]]


@pytest.mark.parametrize(
    ("actions", "called_stop"), [([1, 6, 1, 0], True), ([1, 6, 1, 1], False), ([], None)]
)
def test_the_path_of_a_dialogue_is_no_score(tmp_path, actions, called_stop):
    """InternNav's evaluator of dialogues logs where the agent stood before each action."""
    path = tmp_path / "progress.json"
    record = {**PROGRESS[0], "path": PATH, "object_category": "bed"}
    path.write_text(lines([record | ({"action": actions} if actions else {})]))
    (run,), _ = read(path, "internnav-progress")
    assert not run.has_scores_only
    ahead_m = [0, 0.25, 0.25, 0.5]
    assert run.route.positions_m.tolist() == [[0, metres, 0.5] for metres in ahead_m]
    assert run.end.called_stop is called_stop
    poses = [(1, 2), (2, 3), (3, 4), (4, 4)] if actions else []
    assert [(d.first_pose, d.end_pose) for d in run.decisions] == poses
    assert [d.action for d in run.decisions] == [str(action) for action in actions]
    assert run.reported["spl"] == 0.8
    assert run.extra == {"seed": "a", "object_category": "bed"}


def test_octonav_states_scores_of_the_whole_and_of_each_task(tmp_path):
    path = tmp_path / "final_results.json"
    path.write_text(json.dumps(OCTONAV))
    (run,), log = read(path, "octonav-results")
    assert (run.episode_id, run.has_scores_only) == ("0", True)
    assert run.reported["spl"] == 0.75
    assert run.reported["VLN-CE spl"] == 0.25
    assert run.extra == {"tasks": ["ImageNav", "R2R-VLN-CE"]}
    (finding,) = log.findings
    assert "no ids of episodes" in finding.message


def test_means_of_vlnce_are_totals(tmp_path):
    """``stats_ckpt_<n>_<split>.json`` of VLN-CE and ETPNav, and what is no such file."""
    path = tmp_path / "stats_ckpt_0_val_unseen.json"
    means = {"steps_taken": 60.5, "distance_to_goal": 4.5, "success": 0.5, "spl": 0.25}
    path.write_text(json.dumps(means, indent=4))
    runs, log = read(path, "score-totals")
    assert runs == []
    assert log.stated_totals() == means
    path.write_text(json.dumps({"7": means}))
    assert RUN_FORMATS.find(path).name == "opennav"


def test_what_the_processes_of_etpnav_wrote_is_one_run(tmp_path):
    """``stats_ep_ckpt_<n>_<split>_r<rank>_w<number>.json``; another checkpoint is another run."""
    scores = {"steps_taken": 60.0, "distance_to_goal": 4.5, "success": 0.0, "spl": 0.0}
    folder = tmp_path / "results"
    folder.mkdir()
    for rank, ids in enumerate(("73", "12", "5")):
        file = folder / f"stats_ep_ckpt_0_val_unseen_r{rank}_w4.json"
        file.write_text(json.dumps(dict.fromkeys(ids, scores)))
    (folder / "stats_ckpt_0_val_unseen.json").write_text(json.dumps(scores))
    assert RUN_FORMATS.find(folder).name == "opennav"
    runs, log = read(folder, "opennav")
    assert [run.episode_id for run in runs] == ["7", "3", "1", "2", "5"]
    assert log.warnings == ["results lacks the scores of 1 of 4 processes: r3"]
    assert [entry.name for entry in exhaust(list_runs(tmp_path)).entries] == ["results"]
    other = folder / "stats_ep_ckpt_1_val_unseen_r0_w4.json"
    other.write_text(json.dumps({"7": scores}))
    with pytest.raises(InputError, match="no runs in a known format"):
        RUN_FORMATS.find(folder)
    assert len(exhaust(list_runs(tmp_path)).entries) == 4


@pytest.mark.parametrize("target", ["r2r", "vlnce-r2r"])
def test_scores_do_not_become_paths(streamvln, tmp_path, target):
    with pytest.raises(InputError, match=SCORES_ONLY):
        convert(ConversionRequest(streamvln, target, tmp_path / "out.json"))
    assert not (tmp_path / "out.json").exists()


def test_a_file_of_scores_is_made_of_runs_from_elsewhere(tmp_path):
    run = EpisodeRun("5", reported={"success": 1.0, "spl": 0.5, "distance_to_goal": None})
    navid_stats.write(tmp_path / "stats_5.json", [run], ReadLog())
    assert json.loads((tmp_path / "stats_5.json").read_text()) == {
        "success": 1.0,
        "oracle_success": None,
        "spl": 0.5,
        "distance_to_goal": None,
        "path_length": None,
        "id": "5",
    }
    internnav_runs.write(tmp_path / "progress.json", [run], ReadLog())
    (again,), _ = read(tmp_path / "progress.json", "internnav-progress")
    assert again.reported["spl"] == 0.5


@pytest.mark.realdata
def test_totals_are_those_of_the_released_code(shared_data):
    told = json.loads((shared_data / "peers/streamvln/expected.json").read_text())
    log = ReadLog()
    assert len(list(RUN_FORMATS.read(shared_data / "peers/streamvln/result.json", log))) == 60
    totals = log.stated_totals()
    for name in TOTALS:
        assert totals[name] == pytest.approx(told["means"][name], abs=1e-9), name

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fixtures.recorded_takes import ON, THERE, write_r2r, write_walk

from waypost.app.main import main
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_frames import frames_folder, write_frame
from waypost.store.project_store import ProjectStore

Say = Callable[..., tuple[int, Any, str]]
SCANS = ["scanA", "scanB", "scanC"]


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Runs ``waypost study`` on the project; gives code, JSON document and standard error."""

    def run(action: str, *words: object) -> tuple[int, Any, str]:
        project = tmp_path / "study.waypost"
        code = main(["study", action, "--project", str(project), "--json", *map(str, words)])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else None, err

    return run


@pytest.fixture
def made(tmp_path: Path, say: Say) -> tuple[Say, list[str]]:
    """A study of three scans with one training episode and two participants who agreed."""
    episodes = write_r2r(tmp_path, [*SCANS, "school"])
    (tmp_path / "consent.txt").write_text("I agree.")
    code, document, _ = say(
        "create",
        "--episodes",
        episodes,
        "--consent",
        tmp_path / "consent.txt",
        "--training",
        "4_0",
        "--count",
        2,
        "--seed",
        5,
        "--name",
        "walk",
    )
    assert code == 0
    assert (document["episodes"], document["training"], document["scenes"]) == (3, 1, 3)
    _, joined, _ = say("add-participant", "--number", 2, "--consented")
    return say, joined["codes"]


def drive(say: Say, folder: Path, code: str, name: str, corners: list[tuple[float, float]]) -> str:
    """Record the next episode of a participant beside the project and take it in."""
    _, document, _ = say("progress")
    following = next(one for one in document["participants"] if one["code"] == code)["next"]
    write_walk(
        folder / "recordings" / name,
        corners,
        participant=code,
        episode_id=following["episode_id"],
        scene_id=following["scene_id"],
        started_utc=f"2099-01-01T00:00:{len(list(folder.rglob('*.jsonl'))):02}+00:00",
    )
    assert say("adopt", "--connectivity", folder / "connectivity")[0] == 0
    return str(following["episode_id"])


def test_codes_are_drawn_and_nothing_else_is_known(made: tuple[Say, list[str]]) -> None:
    say, codes = made
    assert len(set(codes)) == 2
    assert all(code.startswith("P-") and len(code) == 6 for code in codes)
    code, document, _ = say("add-participant", "--code", "P-TEST")
    assert (code, document) == (0, {"codes": ["P-TEST"], "participants": 3})
    code, _, err = say("add-participant", "--code", "P-TEST")
    assert (code, "the code P-TEST is taken" in err) == (2, True)


def test_assigning_reports_a_split_that_is_too_small(made: tuple[Say, list[str]]) -> None:
    say, _ = made
    code, document, _ = say("assign")
    assert (code, document["added"], document["shortfalls"]) == (0, 6, [])
    assert document["people_per_episode"] == {"least": 1, "most": 2}
    assert say("assign")[1]["added"] == 0
    assert say("add-participant", "--code", "P-LATE")[0] == 0
    assert say("assign", "--participant", "P-LATE")[1]["added"] == 3
    code, _, err = say("assign", "--participant", "P-9")
    assert (code, "there is no participant P-9" in err) == (2, True)


def test_progress_follows_each_take(made: tuple[Say, list[str]], tmp_path: Path) -> None:
    say, (first, _) = made
    say("assign")
    assert drive(say, tmp_path, first, "training.csv", [(0, 0), (2, 0)]) == "4_0"
    episode = drive(say, tmp_path, first, "one.csv", [(0, 0), (0.05, 0)])
    _, document, _ = say("progress")
    mine = next(one for one in document["participants"] if one["code"] == first)
    assert mine["training"] == {"expected": 1, "settled": 1}
    assert (mine["expected"], mine["settled"], mine["states"]["done"]) == (2, 1, 1)
    assert mine["consent"] == "version 1"
    assert mine["flags"] == {"no_movement": 1, "early_stop": 1}
    assert document["takes"] == {"counted": 1, "left_out": 1}
    assert document["flagged"][0]["episode_id"] == episode
    assert document["flagged"][0]["flags"][0]["kind"] == "no_movement"
    code, document, _ = say(
        "requeue",
        "--participant",
        first,
        "--episode",
        episode,
        "--reason",
        "did not move",
        "--author",
        "ana",
    )
    assert (code, document["state"], document["reason"]) == (0, "requeued", "did not move")
    _, document, _ = say("progress")
    mine = next(one for one in document["participants"] if one["code"] == first)
    assert (mine["next"]["episode_id"], mine["next"]["state"]) == (episode, "requeued")
    assert document["takes"] == {"counted": 0, "left_out": 2}
    code, _, err = say("requeue", "--participant", first, "--episode", "9", "--reason", "why")
    assert (code, "episode 9 is not assigned" in err) == (2, True)


def test_an_export_holds_takes_tables_averages_and_submissions(
    made: tuple[Say, list[str]], tmp_path: Path
) -> None:
    say, (first, second) = made
    say("assign")
    around = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
    for code in (first, second):
        drive(say, tmp_path, code, f"{code}-0.csv", [(0, 0), (2, 0)])
    mine = drive(say, tmp_path, first, f"{first}-1.csv", around)
    yours = drive(say, tmp_path, second, f"{second}-1.csv", [(0, 0), (2, 0)])
    out = tmp_path / "out"
    code, document, _ = say(
        "export",
        "--out",
        out,
        "--submission",
        "vlnce-r2r",
        "--submission",
        "r2r",
        "--connectivity",
        tmp_path / "connectivity",
        "--seed",
        3,
        "--parquet",
    )
    parquets = sorted((out / "takes").rglob("*.parquet"))
    assert [len(read_recording(path).trajectory) for path in parquets] == [
        len(read_recording(path.with_suffix(".csv")).trajectory) for path in parquets
    ]
    assert len(parquets) == 2
    assert document["takes"] == {"counted": 2, "copied": 2, "left_out": {"training": 2}}
    manifest = json.loads((out / "manifest.json").read_text())
    assert all((out / entry["file"]).is_file() for entry in manifest["takes"])
    with (out / "scores.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["participant"] for row in rows] == [first, second]
    assert [float(row["path_length_m"]) for row in rows] == pytest.approx([6.0, 2.0])
    # The episodes lead from va over vb to vc: one walk goes on to vd, the other stops at vb.
    assert [float(row["r2r.TL"]) for row in rows] == pytest.approx([6.0, 2.0])
    assert [float(row["r2r.NE"]) for row in rows] == pytest.approx([2.0, 2.0])
    assert [float(row["r2r.SR"]) for row in rows] == [1.0, 1.0]
    assert float(rows[0]["r2r.SPL"]) == pytest.approx(4.0 / 6.0)
    averages = json.loads((out / "averages.json").read_text())
    length = next(s for s in averages["scores"] if s["score"] == "take.path_length_m")
    assert length["mean_of_means"] == pytest.approx(4.0)
    assert (length["n_participants"], length["n_takes"]) == (2, 2)
    assert length["ci95"] == pytest.approx([2.0, 6.0])
    for participant, episode, path in ((first, mine, "abcd"), (second, yours, "ab")):
        file = out / "submissions" / f"{participant}_r2r.json"
        (entry,) = json.loads(file.read_text())
        assert entry["instr_id"] == episode
        assert [name for name, _, _ in entry["trajectory"]] == [f"v{letter}" for letter in path]
        assert entry["trajectory"][0][1] == pytest.approx(math.pi / 2)
    states = json.loads((out / "submissions" / f"{first}_vlnce-r2r.json").read_text())[mine]
    assert states[0] == {
        "position": [0.0, 0.0, 0.0],
        "heading": pytest.approx(1.5 * math.pi),
        "stop": False,
    }
    assert states[-1]["position"] == pytest.approx([0.0, 0.0, -2.0])
    assert states[-1]["heading"] == pytest.approx(math.pi / 2)
    assert [state["stop"] for state in states].count(True) == 1
    files = {Path(entry["file"]).name for entry in document["submissions"]}
    assert ("all_r2r.json" in files) == (mine != yours)
    assert (code, bool(document["notes"])) == (int(mine == yours), mine == yours)


def test_withdrawn_consent_empties_the_export(made: tuple[Say, list[str]], tmp_path: Path) -> None:
    say, (first, _) = made
    say("assign")
    drive(say, tmp_path, first, "training.csv", [(0, 0), (2, 0)])
    drive(say, tmp_path, first, "one.csv", [(0, 0), (2, 0)])
    out = tmp_path / "out"
    frames = frames_folder(tmp_path / "recordings" / "one.csv")
    write_frame(frames, 0, np.zeros((4, 4, 3), np.uint8), None)
    code, _, err = say("export", "--out", out)
    assert (code, "note: 1 camera frame of 1 take, 0.0 MB: none copied." in err) == (0, True)
    code, _, err = say("export", "--out", out, "--submission", "vlnce-r2r", "--frames")
    assert "note: to be copied: 1 camera frame of 1 take, 0.0 MB" in err
    assert len(list(out.rglob("*.frames/*.jpg"))) == 1
    assert len(list(out.rglob("*_take1.*"))) == 3
    assert len(list(out.rglob("*_vlnce-r2r.json"))) == 2
    (out / "takes" / "mine_take1.txt").write_text("not of an export")
    assert say("consent", "--participant", first, "--withdraw")[1]["withdrawn"]
    code, document, err = say("export", "--out", out)
    assert "note: 2 takes left out: 2 consent was withdrawn" in err
    assert document["removed_of_an_earlier_export"] == 5
    assert (code, document["takes"]["counted"]) == (0, 0)
    assert document["takes"]["left_out"] == {"consent was withdrawn": 2}
    assert [path.name for path in out.rglob("*_take*")] == ["mine_take1.txt"]
    assert not list(out.rglob("*_vlnce-r2r.json"))
    assert next(iter(say("progress")[1]["participants"]))["consent"] == "withdrawn"


def test_a_new_text_asks_again(made: tuple[Say, list[str]], tmp_path: Path) -> None:
    say, (first, second) = made
    (tmp_path / "more.txt").write_text("I agree to more.")
    assert say("consent", "--text", tmp_path / "more.txt")[1]["consent_version"] == 2
    say("consent", "--participant", first)
    found = {one["code"]: one["consent"] for one in say("progress")[1]["participants"]}
    assert found == {first: "version 2", second: "outdated"}
    assert say("consent")[0] == 2


def test_a_lost_take_is_said(made: tuple[Say, list[str]], tmp_path: Path) -> None:
    say, (first, _) = made
    say("assign")
    for name in ("training.csv", "one.csv"):
        drive(say, tmp_path, first, name, [(0, 0), (2, 0)])
    (tmp_path / "recordings" / "one.csv").unlink()
    code, document, err = say("export", "--out", tmp_path / "out")
    assert (code, document["takes"]["copied"]) == (1, 0)
    assert "recordings/one.csv: the file is missing" in err
    code, _, err = say("export", "--out", tmp_path / "out", "--submission", "r2r")
    assert (code, "needs --connectivity" in err) == (2, True)


def test_a_study_is_made_once_and_from_what_is_there(say: Say, tmp_path: Path) -> None:
    episodes = write_r2r(tmp_path, SCANS)
    (tmp_path / "consent.txt").write_text("I agree.")
    words = ("--episodes", episodes, "--consent", tmp_path / "consent.txt")
    code, _, err = say("create", *words, "--training", "9_9")
    assert (code, "there is no episode 9_9" in err) == (2, True)
    assert not (tmp_path / "study.waypost").exists()
    code, _, err = say("create", *words, "--split", "test")
    assert (code, "at least one episode beside training" in err) == (2, True)
    code, _, err = say("create", *words, "--agent", "wheelchar")
    assert (code, "study: there is no agent 'wheelchar'; known: human, " in err) == (2, True)
    wheelchair = ("--agent", "wheelchair")
    assert say("create", *words, *wheelchair, "--break-episodes", 0, "--break-minutes", 0)[0] == 0
    store = ProjectStore.open(tmp_path / "study.waypost")
    project = store.load()
    rules = project.study.rules
    store.close()
    assert rules is not None
    assert (rules.agent_key, "wheelchair" in project.agents) == ("wheelchair", True)
    assert (rules.break_after_episodes, rules.break_after_min) == (None, None)
    assert rules.episodes_path == "R2R_val_unseen.json"
    code, _, err = say("create", *words)
    assert (code, "the project has one already" in err) == (2, True)


def test_a_damaged_navmesh_of_an_episode_is_told_before_anybody_drives(
    say: Say, tmp_path: Path
) -> None:
    pytest.importorskip("py_mini_racer", reason="needs the extra navmesh")
    episodes = write_r2r(tmp_path, ["scanA"])
    consent, folder = tmp_path / "consent.txt", tmp_path / "navmeshes"
    consent.write_text("I agree.")
    folder.mkdir()
    damaged = folder / "scanA.navmesh"
    damaged.write_bytes(b"TESM")
    words = ("--episodes", episodes, "--consent", consent, "--navmesh", folder)
    code, _, err = say("create", *words)
    assert (code, err) == (2, f"error: {damaged}: header: has 4 bytes, fewer than a navmesh\n")
    assert not (tmp_path / "study.waypost").exists()


def test_a_project_without_study_says_so(say: Say, tmp_path: Path) -> None:
    from waypost.domain.project import Project

    ProjectStore.create(tmp_path / "study.waypost", Project("house"), "ana").close()
    for action in ("progress", "assign", "adopt"):
        code, _, err = say(action)
        assert (code, "the project has none; use study create" in err) == (2, True)


def test_what_is_asked_wrongly_is_refused(made: tuple[Say, list[str]], tmp_path: Path) -> None:
    say, (first, _) = made
    for words, message in (
        (("add-participant", "--number", 0), "must be at least 1"),
        (("consent", "--participant", "P-9"), "there is no participant P-9"),
        (("consent", "--text", tmp_path / "consent.txt", "--withdraw"), "give either"),
        (("adopt", "--folder", tmp_path / "nowhere"), "nowhere: file: does not exist"),
        (("requeue", "--participant", first, "--episode", 1, "--reason", "x"), "is not assigned"),
    ):
        code, _, err = say(*words)
        assert (code, message in err) == (2, True)


def test_a_split_that_is_too_small_is_a_note(say: Say, tmp_path: Path) -> None:
    episodes = write_r2r(tmp_path, ["scanA"], instructions=3, paths=(THERE, ON))
    (tmp_path / "consent.txt").write_text("I agree.")
    say("create", "--episodes", episodes, "--consent", tmp_path / "consent.txt", "--count", 5)
    say("add-participant", "--code", "P-ONE", "--consented")
    code, document, err = say("assign")
    assert (code, document["added"], document["paths"]) == (1, 2, 2)
    assert document["shortfalls"] == [
        {
            "participant": "P-ONE",
            "wanted": 5,
            "assigned": 2,
            "repeated_scenes": {"scanA": 2},
            "repeated_paths": 0,
        }
    ]
    assert (
        "P-ONE: 2 of 5 episodes; 1 scene seen more than once; there are 2 different paths beside"
        " practice" in err
    )


def test_a_changed_episode_file_is_noticed(made: tuple[Say, list[str]], tmp_path: Path) -> None:
    say, (first, _) = made
    say("assign")
    file = tmp_path / "R2R_val_unseen.json"
    file.write_text(file.read_text() + "\n")
    write_walk(
        tmp_path / "recordings" / "t.csv",
        [(0, 0), (2, 0)],
        participant=first,
        episode_id="4_0",
        scene_id="school",
    )
    code, _, err = say("adopt")
    assert (code, "was changed since the study was made" in err) == (0, True)
    file.unlink()
    drive(say, tmp_path, first, "one.csv", [(0, 0), (2, 0)])
    code, document, err = say(
        "export", "--out", tmp_path / "out", "--submission", "r2r", "--connectivity", tmp_path
    )
    assert (code, document["submissions"]) == (1, [])
    assert "the episodes of the study are not at hand" in err
    assert "r2r: recordings/one.csv: episode" in err


def test_one_episode_of_two_people_has_no_common_submission(say: Say, tmp_path: Path) -> None:
    episodes = write_r2r(tmp_path, ["scanA"])
    (tmp_path / "consent.txt").write_text("I agree.")
    say("create", "--episodes", episodes, "--consent", tmp_path / "consent.txt", "--count", 1)
    _, joined, _ = say("add-participant", "--number", 2, "--consented")
    say("assign")
    for code in joined["codes"]:
        drive(say, tmp_path, code, f"{code}.csv", [(0, 0), (2, 0)])
    out = tmp_path / "out"
    code, document, err = say("export", "--out", out, "--submission", "vlnce-rxr")
    assert code == 1
    assert "several participants drove the same episode" in err
    names = sorted(Path(entry["file"]).name for entry in document["submissions"])
    assert names == sorted(f"{code}_vlnce-rxr.jsonl" for code in joined["codes"])


def test_graphs_and_scenes_are_kept_in_the_study(tmp_path: Path, say: Say) -> None:
    episodes = write_r2r(tmp_path, ["scanA"], paths=(THERE, ON))
    (tmp_path / "consent.txt").write_text("I agree.")
    code, _, err = say(
        "create",
        "--episodes",
        episodes,
        "--consent",
        tmp_path / "consent.txt",
        "--training",
        "1_0",
    )
    assert (code, "2 episodes name viewpoints only" in err) == (0, True)
    (tmp_path / "study.waypost").unlink()
    code, _, err = say(
        "create",
        "--episodes",
        episodes,
        "--consent",
        tmp_path / "consent.txt",
        "--training",
        "1_0",
        "--connectivity",
        tmp_path / "connectivity",
        "--scenes",
        tmp_path,
    )
    assert (code, err) == (0, "")
    store = ProjectStore.open(tmp_path / "study.waypost")
    rules = store.load().study.rules
    store.close()
    assert rules is not None
    assert (rules.connectivity_path, rules.scenes_path) == ("connectivity", ".")
    _, joined, _ = say("add-participant", "--consented")
    say("assign")
    (code,) = joined["codes"]
    write_walk(
        tmp_path / "recordings" / "one.csv",
        [(0, 0), (2, 0)],
        participant=code,
        episode_id="1_0",
        scene_id="scanA",
        started_utc="2099-01-01T00:00:00+00:00",
    )
    # Without a word about graphs the study's own are used.
    assert say("adopt")[0] == 0
    store = ProjectStore.open(tmp_path / "study.waypost")
    (take,) = store.load().study.takes.values()
    store.close()
    assert take.scores["r2r.NE"] == pytest.approx(2.0)


def test_the_rules_are_said_and_changed(made: tuple[Say, list[str]]) -> None:
    say, _ = made
    assert say("rules")[1] == {
        "feedback": "after_practice",
        "shows_scale_bar": False,
        "shows_compass": False,
        "shows_map": False,
        "time_limit_s": None,
        "can_look": False,
        "questions": ["reached", "sureness", "unclear"],
        "shows_frames": False,
        "counts_abandoned": True,
    }
    words = ("--feedback", "none", "--show", "map", "--show", "compass", "--show", "frames")
    more = ("--time-limit", 90, "--look", "--ask", "unclear", "--abandoned", "leave-out")
    changed = say("rules", *words, *more)[1]
    assert changed == {
        "feedback": "none",
        "shows_scale_bar": False,
        "shows_compass": True,
        "shows_map": True,
        "time_limit_s": 90.0,
        "can_look": True,
        "questions": ["unclear"],
        "shows_frames": True,
        "counts_abandoned": False,
    }
    assert say("rules")[1] == changed
    back = say("rules", "--show", "nothing", "--time-limit", 0, "--ask", "nothing", "--no-look")[1]
    assert (back["shows_map"], back["time_limit_s"], back["questions"]) == (False, None, [])
    assert back["can_look"] is False
    code, _, err = say("rules", "--time-limit", -1)
    assert (code, "a time limit must be above 0 s, not -1" in err) == (2, True)


def test_a_report_has_the_takes_that_count(made: tuple[Say, list[str]], tmp_path: Path) -> None:
    say, (first, _) = made
    say("assign")
    drive(say, tmp_path, first, "practice.csv", [(0, 0), (2, 0)])
    episode = drive(say, tmp_path, first, "one.csv", [(0, 0), (2, 0)])
    code, document, err = say("report", "--out", tmp_path / "out")
    assert (code, document["profile"]) == (0, "r2r")
    assert (document["coverage"]["expected"], document["coverage"]["found"]) == (4, 1)
    # At vb of va – vb – vc, 2 m of graph before the goal.
    assert document["metrics"]["NE"]["value"] == pytest.approx(2.0)
    assert "1 take left out: 1 training" in err
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert f"{episode} · {first}, take 1" in page
    assert "practice" not in page

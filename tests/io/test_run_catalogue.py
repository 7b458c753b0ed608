"""Folder trees in the layouts of the field are read as what they are; nothing is made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from waypost.domain.base.errors import ReadError
from waypost.domain.base.progress import exhaust
from waypost.io import run_catalogue
from waypost.io.run_catalogue import RunEntry, list_runs

R2R = [{"instr_id": "7_0", "trajectory": [["A", 0.0, 0.0], ["B", 0.0, 0.0]]}]
NAVGPT = [{"instr_id": "7_0", "trajectory": [["A"], ["B"]], "details": [], "action_plan": "go"}]
CASE = {"instr_id": "7_0", "trajectory": [["A"], ["B"]], "a_t": {"0": 1, "1": 0}, "scan": "line"}
PROMPT = {"scene": "S", "prompt_file": "q1__HUMAN.txt", "num_frames": 64, "result": None}
OURS = {"waypost_run": 1, "episode_id": "1", "model": "m-1", "setting": "blind"}
TRUTH = [
    {
        "episode_id": "k_1",
        "trajectory_id": "k_1",
        "scan": "kujiale_0010",
        "start_position": [0, 0, 0],
        "start_rotation": [1, 0, 0, 0],
        "reference_path": [[0, 0, 0], [1, 0, 0]],
        "goals": {"position": [1, 0, 0], "radius": 3.0},
        "instruction": {"instruction_text": "Go.", "instruction_tokens": [0]},
    }
]


def put(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def told(folder: Path) -> dict[str, tuple[str, ...]]:
    """Name → format, data set, split, model, setting."""
    entries = exhaust(list_runs(folder)).entries
    return {e.name: (e.format, e.dataset, e.split, e.model, e.setting) for e in entries}


@pytest.mark.parametrize(
    ("place", "value", "expected"),
    [
        # NavGPT's default output folder.
        (
            "datasets/R2R/exprs/gpt-4/preds/submit_R2R_val_unseen_instr.json",
            NAVGPT,
            ("navgpt", "R2R", "val_unseen", "gpt-4", ""),
        ),
        # DUET: the folders name an experiment, not a model.
        (
            "datasets/REVERIE/exprs_map/finetune/dagger-0/preds/submit_val_seen.json",
            R2R,
            ("r2r", "REVERIE", "val_seen", "", "finetune/dagger-0"),
        ),
        # Sorted as VLN-MME sorts its choices.
        (
            "RxR/val_unseen/qwen-vl/map-prompt/run.json",
            R2R,
            ("r2r", "RxR", "val_unseen", "qwen-vl", "map-prompt"),
        ),
        ("RxR/val_unseen/qwen-vl/run.json", R2R, ("r2r", "RxR", "val_unseen", "qwen-vl", "")),
        # A name alone: its split, and nothing made up about the rest.
        ("val_unseen_wander_agent.json", R2R, ("r2r", "", "val_unseen", "", "")),
        ("latest_retrained.json", R2R, ("r2r", "", "", "", "")),
        ("val_seen_and_val_unseen.json", R2R, ("r2r", "", "", "", "")),
        ("ours.jsonl", OURS, ("waypost", "", "", "m-1", "blind")),
        ("submission_test.json", TRUTH, ("vlnverse-submission", "VLNVerse", "test", "", "")),
    ],
)
def test_files(tmp_path: Path, place: str, value: Any, expected: tuple[str, ...]) -> None:
    root = tmp_path / "results"
    put(root / place, value)
    assert told(root) == {place: expected}


def test_folders_that_are_one_run(tmp_path: Path) -> None:
    root = tmp_path / "all"
    put(root / "exprs_map" / "test" / "preds" / "case_InstrID_7_0.json", CASE)
    put(root / "exprs_map" / "test" / "preds" / "case_InstrID_7_1.json", CASE)
    put(root / "results" / "gemini-2.5-pro_64frames_on" / "S" / "q1__HUMAN.json", PROMPT)
    put(root / "results" / "odd" / "S" / "q1__HUMAN.json", PROMPT)
    assert told(root) == {
        "exprs_map/test/preds": ("mapgpt", "", "", "", "test"),
        "results/gemini-2.5-pro_64frames_on": (
            "capnav",
            "CapNav",
            "",
            "gemini-2.5-pro",
            "64 frames, thinking on",
        ),
        "results/odd": ("capnav", "CapNav", "", "", ""),
    }


def test_a_run_may_be_the_folder_itself(tmp_path: Path) -> None:
    put(tmp_path / "preds" / "case_InstrID_7_0.json", CASE)
    assert list(told(tmp_path / "preds")) == ["preds"]


def test_what_is_no_run_is_left_out(tmp_path: Path) -> None:
    record = {"scan": "line", "path_id": 7, "path": ["A", "B"], "heading": 0, "instructions": [""]}
    put(tmp_path / "R2R_val.json", [record])
    put(tmp_path / "fine_val.json", TRUTH)
    put(tmp_path / "result.json", {"sucs_all": 1, "spls_all": 1})
    put(tmp_path / ".hidden.json", R2R)
    (tmp_path / "broken.json").write_text('[{"instr_id": ')
    (tmp_path / "empty.json").write_text("")
    assert told(tmp_path) == {}


def test_the_search_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abcd":
        put(tmp_path / name / "run.json", R2R)
    assert exhaust(list_runs(tmp_path)).is_whole
    monkeypatch.setattr(run_catalogue, "MOST_FILES", 2)
    found = exhaust(list_runs(tmp_path))
    assert ([entry.name for entry in found.entries], found.is_whole) == (
        ["a/run.json", "b/run.json"],
        False,
    )


def test_an_entry_knows_its_title(tmp_path: Path) -> None:
    put(tmp_path / "run.json", R2R)
    (entry,) = exhaust(list_runs(tmp_path)).entries
    assert entry == RunEntry(
        tmp_path / "run.json", "run.json", "r2r", "R2R, DUET, HAMT and REVERIE result files"
    )


def test_a_folder_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="is no folder"):
        exhaust(list_runs(tmp_path / "none"))

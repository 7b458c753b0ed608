"""Answers of ours to the real CapNav questions, over a graph of the places that these name.

No real graph, labels or results of CapNav are at hand: only the questions are real.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run_source import RunSource
from waypost.services.evaluation.validate import validate
from waypost.services.replay.loading import ReplayedRun, replay_all

pytestmark = pytest.mark.realdata

PLACES = ("entrance", "living room", "bedroom", "kitchen", "hallway", "bathroom", "balcony")
IDS = {name: f"node_{number}" for number, name in enumerate(PLACES, start=1)}
EDGES = (
    ("entrance", "living room"), ("entrance", "hallway"), ("bedroom", "hallway"),
    ("hallway", "kitchen"), ("bathroom", "living room"), ("living room", "balcony"),
)  # fmt: skip
BLOCKED = ("living room", "balcony")
"""A sill of 5 cm; every other edge can be travelled."""

ANSWERS = (
    ("yes", ("entrance", "living room")),
    ("yes", ("bedroom", "hallway", "kitchen")),
    ("yes", ("bathroom", "living room", "balcony")),
)
"""The last one is wrong: half of its edges can be travelled."""


def write(shared_data: Path, folder: Path) -> RunSource:
    questions = folder / "SAMPLE-QA.json"
    shutil.copyfile(shared_data / "capnav" / "SAMPLE-QA.json", questions)
    nodes = [
        {"id": IDS[name], "name": name, "position": {"x": float(n), "y": 0.0, "z": 0.0}}
        for n, name in enumerate(PLACES)
    ]
    edges = [{"id": f"edge_{n}", "from": IDS[a], "to": IDS[b]} for n, (a, b) in enumerate(EDGES)]
    graph = folder / "SAMPLE-graph.json"
    graph.write_text(json.dumps({"nodes": nodes, "edges": edges}))
    labels = {
        f"{IDS[a]}|{IDS[b]}": {"traversable": (a, b) != BLOCKED, "note": "a sill of 5 cm"}
        for a, b in EDGES
    }
    (folder / "SAMPLE-traverse.json").write_text(json.dumps({"WHEELCHAIR": labels}))
    asked = json.loads(questions.read_text())["questions"]
    results = folder / "results"
    results.mkdir()
    for number, (said, path) in enumerate(ANSWERS):
        name = f"SAMPLE_{number}__WHEELCHAIR"
        result = {"answer": said, "path": [IDS[place] for place in path]}
        entry = {"question": asked[number]["question"], "agent": "WHEELCHAIR", "result": result}
        record = {"scene": "SAMPLE", "prompt_file": f"{name}.txt", "num_frames": 64}
        (results / f"{name}.json").write_text(json.dumps(record | {"result": [entry]}))
    return RunSource((results,), (questions,), graph)


def column(run: ReplayedRun, key: str) -> list[float | None]:
    return [shown.scores.values[key] for shown in run.episodes]


def test_real_questions_name_their_places(shared_data: Path, tmp_path: Path) -> None:
    run = exhaust(replay_all(write(shared_data, tmp_path)))
    assert (run.coverage["found"], run.coverage["missing"]) == (3, 0)
    assert column(run, "feasible") == [1, 1, 0]
    assert column(run, "accuracy") == [1, 1, 0]
    assert column(run, "PV") == [1, 1, 1]
    assert column(run, "RTA") == [1, 1, 0.5]
    assert [[(tag.kind.value, tag.step) for tag in shown.tags] for shown in run.episodes] == [
        [("perfect", 1)],
        [("perfect", 2)],
        [("false_yes", 2), ("blocked_edge", 2)],
    ]
    assert run.episodes[2].tags[1].reason.endswith("other: a sill of 5 cm")


def test_the_released_scorer_finds_the_ends_of_real_questions_as_well(
    shared_data: Path, tmp_path: Path
) -> None:
    """“Main door area in the entrance to …”: the names stand near “from” and “to”."""
    request = write(shared_data, tmp_path)
    released = replace(request, profile_key="capnav-released")
    run = exhaust(replay_all(released))
    assert column(run, "PV") == [1, 1, 1]
    assert column(run, "feasible") == [1, 1, 0]
    assert column(run, "RTA") == [1, 1, 0.5]
    assert column(run, "accuracy") == [1, 1, 0]


def test_answers_find_their_questions_when_files_are_checked(
    shared_data: Path, tmp_path: Path
) -> None:
    """Of the real questions three have an answer; of the two made-up scenes all but two."""
    questions, graphs, answers = exhaust(validate(write(shared_data, tmp_path)))
    assert graphs.report.found == 1
    count = questions.report.found
    assert (answers.report.found, answers.report.missing, answers.report.foreign) == (
        3,
        count - 3,
        0,
    )
    folder = shared_data / "peers/capnav"
    asked = tuple(folder / "gt" / f"{scene}-QA.json" for scene in ("s1", "s2"))
    source = RunSource((folder / "results/modelA",), asked, folder / "gt/graphs")
    *_, graphs, answers = exhaust(validate(source))
    assert (graphs.report.found, graphs.report.missing) == (2, 0)
    assert (answers.report.expected, answers.report.found, answers.report.foreign) == (24, 22, 0)
    missing = [f.item_id for f in answers.report.findings if f.kind is ImportKind.MISSING]
    assert missing == ["s2_10", "s2_11"]

"""``waypost conformance``: its document, its lines, its exit codes and what it refuses."""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from importlib.metadata import version

import pytest

from waypost.app.commands import conformance
from waypost.app.main import main
from waypost.domain.traverse.traversability import Passage, Verdict
from waypost.services.conformance.agreement import (
    AskedDrive,
    DifferentDrive,
    DisputedPassage,
    DriveEnd,
)
from waypost.services.conformance.cases import CASES
from waypost.services.conformance.trial import Case, Trial
from waypost.simulators.engines import ENGINE_KINDS

pytestmark = pytest.mark.conformance


def wrong(trial: Trial) -> None:
    trial.equal("height", 1, 2)


SAID_OF_A_CERTAIN_ONE = (
    "      the passage is measured as certain, contradicted by ovphysx: "
    "does not, straight does not: No."
)
READ_ONCE = functools.cache(conformance.read_scene)


@pytest.fixture(autouse=True)
def home_is_read_once(monkeypatch) -> None:
    monkeypatch.setattr(conformance, "read_scene", READ_ONCE)


@pytest.fixture
def few(monkeypatch) -> None:
    monkeypatch.setattr(conformance, "CASES", CASES[-3:])


def test_a_quick_look_has_one_case_of_each_kind_and_the_agreed_keys(monkeypatch, capsys):
    monkeypatch.setattr(conformance, "CASES", CASES[-30:])
    assert main(["conformance", "--engine", "physx", "--quick", "--drives", "5", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert next(iter(document)) == "engines"
    assert list(document["engines"]) == ["physx"]
    found = document["engines"]["physx"]
    assert list(found)[:6] == [
        "version", "passed", "failed", "failures", "agreement", "steps_per_s",
    ]  # fmt: skip
    assert found["version"] == version("sapien")
    assert found["passed"] == sum(case.is_quick for case in CASES[-30:]) == 15
    assert (found["failed"], found["failures"], found["agreement"]) == (0, [], {})
    assert found["steps_per_s"] > 100
    assert found["parameters"]["hull_sides"] == 48


def test_what_fails_is_said_and_is_the_exit_code(few, monkeypatch, capsys):
    monkeypatch.setattr(conformance, "CASES", (*CASES[-3:], Case("any", "a wrong one", wrong)))
    assert main(["conformance", "--engine", "physx", "--drives", "5"]) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"physx {version('sapien')} (SAPIEN")
    assert ": 3 of 4 cases, " in out
    assert "  failed: a wrong one: height is 1, expected 2\n" in out


def test_another_engine_is_compared_with_the_reference(few, monkeypatch, capsys):
    # The reference engine under another name: it must agree with itself to the last digit.
    other = replace(ENGINE_KINDS["physx"], name="ovphysx", backend="physx")
    monkeypatch.setitem(ENGINE_KINDS, "ovphysx", other)
    assert main(["conformance", "--engine", "ovphysx", "--drives", "5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["engines"]["ovphysx"]
    one = found["agreement"]["sample home"]
    assert (one["drives"], one["same_verdict"], one["same_reason"]) == (5, 5, 5)
    assert one["stop_distance_m"] == {"compared": 5, "median": 0.0, "p90": 0.0, "worst": 0.0}
    assert one["reference"] == f"physx {version('sapien')}"
    assert one["different"] == []


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        (
            DisputedPassage(Verdict.TRAVELS, Verdict.UNCERTAIN, "Free."),
            "      the passage is measured as uncertain: travels, straight uncertain: Free.",
        ),
        (
            DisputedPassage(Verdict.DOES_NOT, Verdict.DOES_NOT, "No.", ("engine",)),
            SAID_OF_A_CERTAIN_ONE,
        ),
        (DisputedPassage(None, None, "not measured: no graph"), "      not measured: no graph"),
    ],
)
def test_what_is_measured_where_engines_differ_is_a_line_below_the_drive(measured, said):
    asked = AskedDrive(Passage("a", "b", "human"), "hall", "room", (0, 0, 0), (1, 0, 0))
    ends = (DriveEnd(False, "obstacle", (0, 0, 0)), DriveEnd(True, "", (1, 0, 0)))
    lines = conformance._different_lines("ovphysx", DifferentDrive(asked, *ends, measured))
    assert lines == ["    human, hall → room: obstacle / arrives", said]


def test_an_engine_that_is_not_there_is_a_finding(few, monkeypatch, capsys):
    kind = replace(ENGINE_KINDS["ovphysx"], modules=("an_engine_that_nobody_has",))
    monkeypatch.setitem(ENGINE_KINDS, "ovphysx", kind)
    assert main(["conformance", "--engine", "ovphysx", "--drives", "5"]) == 1
    assert capsys.readouterr().out.startswith(
        "ovphysx: not examined: this Python has no an_engine_that_nobody_has; install it with"
    )


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["--engine", "bullet"], "--engine: bullet: engine: there is no such engine"),
        (["--python", "/usr/bin/python3"], "--python: name the one engine that it is for"),
        (["--drives", "0"], "--drives: 0 is outside 1 to 100000"),
        (["--drives", "100001"], "--drives: 100001 is outside 1 to 100000"),
    ],
)
def test_what_makes_no_sense_is_refused(words, refusal, capsys):
    assert main(["conformance", *words]) == 2
    assert capsys.readouterr().err.startswith(f"error: {refusal}")


def test_a_scene_needs_its_graph(tmp_path, capsys):
    file = tmp_path / "room.glb"
    file.write_bytes(b"")
    assert main(["conformance", "--engine", "physx", "--scene", str(file)]) == 2
    assert capsys.readouterr().err == "error: --scene and --graph: name both, or neither\n"

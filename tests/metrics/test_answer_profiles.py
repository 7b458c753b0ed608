"""CapNav's scores against values computed by hand, as described and as released."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
from worlds.capnav_worlds import ANSWERS, IDS, QUESTIONS, graph, judged, question_text, record

from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.traverse.judged_graph import JudgedGraph
from waypost.domain.traverse.traversability import Passage, TraversabilityLabel, Verdict
from waypost.io.logs.language_models import capnav_results
from waypost.io.read_log import ReadLog
from waypost.metrics.aggregate import aggregate, summarise
from waypost.metrics.profile import Scenery
from waypost.metrics.profiles.answers import CAPNAV, LEFT_OUT, NO_VERDICT, RELEASED
from waypost.metrics.scoring import EpisodeScores, score_episode

EPISODES = [
    Episode(
        "capnav",
        "",
        f"flat_{number}",
        "flat",
        Instruction(question_text(start, end)),
        goals=(Goal(IDS[end]),),
        start_viewpoint_id=IDS[start],
    )
    for number, (start, end) in enumerate(QUESTIONS)
]
KEYS = [metric.key for metric in CAPNAV.metrics]


@pytest.fixture
def runs(tmp_path: Path) -> list[EpisodeRun]:
    """The nine answers as their reader gives them."""
    found = []
    for number in range(len(ANSWERS)):
        file = tmp_path / f"{number}__A.json"
        file.write_text(json.dumps(record(number)))
        found += list(capnav_results.read(file, ReadLog()))
    return found


def scores(profile, runs) -> list[EpisodeScores]:
    pairs = zip(ANSWERS, runs, strict=True)
    return [
        score_episode(profile, EPISODES[answer[0]], run, Scenery(judged=judged()))
        for answer, run in pairs
    ]


def columns(found: list[EpisodeScores]) -> dict[str, np.ndarray]:
    table = [[np.nan if v is None else v for v in each.values] for each in found]
    return dict(zip(KEYS, np.array(table).T, strict=True))


def shown(found: list[EpisodeScores], key: str) -> list[float | None]:
    return [each.values[KEYS.index(key)] for each in found]


def summary(profile, key: str, table):
    return summarise(next(one for one in profile.summaries if one.key == key), table)


def test_each_answer_as_described(runs):
    found = scores(CAPNAV, runs)
    assert shown(found, "feasible") == [1, 0, 0, 0, 1, 1, 1, 1, 1]
    assert shown(found, "says_yes") == [1, 1, 0, 0, 0, None, 1, 1, 1]
    assert shown(found, "format_error") == [0, 0, 0, 0, 0, 1, 0, 0, 0]
    assert shown(found, "accuracy") == [1, 0, 1, 1, 0, 0, 1, 1, 1]
    assert shown(found, "PV") == [1, 1, 1, None, 1, None, 1, 1, 0]
    # The last edge of the second path is labelled in its other direction only.
    third = pytest.approx(2 / 3)
    assert shown(found, "RTA") == [1, third, None, None, None, None, 1, 0, None]
    assert shown(found, "RV") == [None] * 9
    reasons = [each.reasons[KEYS.index("RV")] for each in found]
    assert [why == NO_VERDICT for why in reasons] == [False, False, True, True, True] + [False] * 4
    assert reasons[5] == "format error"
    assert found[3].reasons[KEYS.index("PV")] == "a “no” without a path"


def test_a_run_as_described(runs):
    """TP 4 (1, 7, 8, 9), FP 1 (2), FN 2 (5, and the format error 6)."""
    table = columns(scores(CAPNAV, runs))
    assert summary(CAPNAV, "precision", table).value == pytest.approx(4 / 5)
    assert summary(CAPNAV, "recall", table).value == pytest.approx(4 / 6)
    found = summary(CAPNAV, "Feas_F1", table)
    assert (found.value, found.n) == (pytest.approx(8 / 11), 9)
    assert found.ci95 is not None
    assert found.ci95[0] < 8 / 11 < found.ci95[1]
    assert aggregate(table["accuracy"], {}).value == pytest.approx(6 / 9)
    assert aggregate(table["PV"], {}).value == pytest.approx(6 / 7)
    assert aggregate(table["RTA"], {}).value == pytest.approx(2 / 3)
    whole = summary(CAPNAV, "composite", table)
    assert (whole.value, whole.undefined) == (None, {"RV is undefined for every answer": 9})
    table["RV"][[2, 3, 4]] = 1.0, 0.0, 0.0
    expected = (8 / 11 + 6 / 7 + 2 / 3 + 1 / 3) / 4
    assert summary(CAPNAV, "composite", table).value == pytest.approx(expected)


def test_a_run_as_released(runs):
    """The right “no” with an empty path becomes a second FP; each other “no” has RV 0."""
    found = scores(RELEASED, runs)
    assert shown(found, "format_error") == [0, 0, 0, 1, 0, 1, 0, 0, 0]
    assert shown(found, "accuracy") == [1, 0, 1, 0, 0, 0, 1, 1, 1]
    assert shown(found, "RV") == [None, None, 0, None, 0, None, None, None, None]
    table = columns(found)
    assert summary(RELEASED, "precision", table).value == pytest.approx(4 / 6)
    assert summary(RELEASED, "recall", table).value == pytest.approx(4 / 6)
    assert summary(RELEASED, "Feas_F1", table).value == pytest.approx(2 / 3)
    expected = (2 / 3 + 6 / 7 + 2 / 3 + 0) / 4
    assert summary(RELEASED, "composite", table).value == pytest.approx(expected)


def wheelchair(question: int, path: tuple[str, ...], said: str = "yes") -> EpisodeRun:
    record_ = {
        "scene": "flat",
        "prompt_file": f"flat_{question}__WHEELCHAIR.txt",
        "num_frames": 1,
        "result": [
            {
                "question": question_text(*QUESTIONS[question]),
                "agent": "WHEELCHAIR",
                "result": {"answer": said, "path": [IDS.get(room, room) for room in path]},
            }
        ],
    }
    return _read(record_)


def _read(value) -> EpisodeRun:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "q__A.json"
        file.write_text(json.dumps(value))
        (run,) = capnav_results.read(file, ReadLog())
    return run


def one(profile, question: int, run: EpisodeRun) -> dict[str, float | None]:
    found = score_episode(profile, EPISODES[question], run, Scenery(judged=judged()))
    return dict(zip(KEYS, found.values, strict=True))


def test_what_is_not_labelled_is_unknown_or_blocked():
    """From kitchen to bedroom: steps between them, nothing known about the way by the hall."""
    run = wheelchair(3, ("Kitchen", "Hall", "Bedroom"))
    described, released = one(CAPNAV, 3, run), one(RELEASED, 3, run)
    assert (described["feasible"], described["accuracy"], described["RTA"]) == (None, None, None)
    assert described["PV"] == 1
    assert (released["feasible"], released["accuracy"], released["RTA"]) == (0, 0, 0.5)
    unsure = one(CAPNAV, 2, wheelchair(2, ("Bedroom", "Attic")))
    assert (unsure["feasible"], unsure["RTA"]) == (None, None)


def test_answers_that_are_neither_yes_nor_no():
    maybe = wheelchair(0, ("Hall", "Kitchen"), "maybe")
    assert one(CAPNAV, 0, maybe)["format_error"] == 1
    assert one(RELEASED, 0, maybe)["says_yes"] == 0
    short = wheelchair(0, ("Hall",))
    assert one(CAPNAV, 0, short)["format_error"] == one(RELEASED, 0, short)["format_error"] == 1
    for word in ("Yes", "true", "(A)"):
        assert one(CAPNAV, 0, wheelchair(0, ("Hall", "Kitchen"), word))["accuracy"] == 1


def test_names_stand_for_nodes_as_far_as_each_reading_goes():
    """“the hall” contains the name: enough for the released scorer alone."""
    exact = wheelchair(0, ("hall", "KITCHEN"))
    assert one(CAPNAV, 0, exact)["PV"] == one(RELEASED, 0, exact)["PV"] == 1
    loose = wheelchair(0, ("the hall", "kitchn"))
    assert (one(CAPNAV, 0, loose)["PV"], one(RELEASED, 0, loose)["PV"]) == (0, 1)


def test_without_graph_agent_or_places_nothing_is_scored():
    run = wheelchair(0, ("Hall", "Kitchen"))
    bare = score_episode(CAPNAV, EPISODES[0], run, Scenery())
    assert set(bare.reasons) == {"the graph of the question was not given"}
    strange = EpisodeRun("1")
    found = score_episode(CAPNAV, EPISODES[0], strange, Scenery(judged=judged()))
    assert set(found.reasons) == {"the answer names no agent"}
    unknown = Episode("", "", "q", "flat", Instruction("Where is the moon?"))
    scored = score_episode(CAPNAV, unknown, run, Scenery(judged=judged()))
    assert scored.reasons[KEYS.index("PV")] == "the places of the question are not in the graph"
    asked = Instruction("Where is the moon?")
    off = EpisodeRun("q", run.route, answer=run.answer)
    released = score_episode(
        RELEASED, Episode("", "", "q", "", asked), off, Scenery(judged=judged())
    )
    assert set(released.reasons) == {"the question names no place of the graph"}


def test_empty_denominators():
    table = {key: np.array([np.nan]) for key in KEYS} | {"format_error": np.array([0.0])}
    assert summary(CAPNAV, "precision", table).undefined == {"nothing counts as a yes": 1}
    assert summary(CAPNAV, "recall", table).undefined == {"no question is feasible": 1}
    assert summary(RELEASED, "Feas_F1", table).value == 0.0
    assert summary(RELEASED, "composite", table).value == 0.0


@pytest.mark.parametrize("result", [None, {"answer": "yes"}, []])
def test_a_file_without_answers_is_left_out_as_released_and_counts_as_described(result):
    run = _read({"scene": "flat", "prompt_file": "flat_0__SWEEPER.txt", "result": result})
    described, released = one(CAPNAV, 0, run), one(RELEASED, 0, run)
    assert (described["format_error"], described["accuracy"], described["feasible"]) == (1, 0, 1)
    assert set(released.values()) == {None}
    found = score_episode(RELEASED, EPISODES[0], run, Scenery(judged=judged()))
    assert set(found.reasons) == {LEFT_OUT}


@pytest.mark.parametrize(
    ("asked", "section", "feasible"),
    [
        ("ROBOT", "ROBOT", 1),
        ("HUMANOID", "ROBOT", 1),
        ("humanoid", "HUMANOID", 1),
        # The scorer looks for no HUMANOID where ROBOT is asked for: all is blocked.
        ("ROBOT", "HUMANOID", 0),
    ],
)
def test_robot_and_humanoid_are_one_agent_as_described_only(asked, section, feasible):
    passage = Passage(IDS["Hall"], IDS["Kitchen"], "humanoid")
    label = TraversabilityLabel(passage, Verdict.TRAVELS)
    world = Scenery(judged=JudgedGraph(graph(), {passage: label}, frozenset({section})))
    path = [IDS["Hall"], IDS["Kitchen"]]
    entry = {
        "question": question_text("Hall", "Kitchen"),
        "agent": asked,
        "result": {"answer": "yes", "path": path},
    }
    record_ = {"scene": "flat", "prompt_file": "flat_0__HUMAN.txt", "result": [entry]}
    run = _read(record_)
    for profile, expected in ((CAPNAV, 1), (RELEASED, feasible)):
        found = score_episode(profile, EPISODES[0], run, world)
        values = dict(zip(KEYS, found.values, strict=True))
        assert (values["feasible"], values["RTA"], values["PV"]) == (expected, expected, 1)

"""DiscussNav, Open-Nav, CapNav and plan–feedback logs, and ids found by instruction."""

import dataclasses
import json

import pytest
from fixtures.run_samples import (
    CAPNAV,
    DISCUSSNAV_CACHE,
    DISCUSSNAV_LOG,
    OPENNAV_LOG,
    OPENNAV_STATS,
    PLAN_FEEDBACK,
    V,
)

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import Route, route
from waypost.domain.episode.run import Answer, Decision, EpisodeRun, EventKind, RunEnd
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.logs.instruction_ids import name_runs
from waypost.io.logs.language_models import (
    capnav_results,
    discussnav_cache,
    opennav_runs,
    plan_feedback_runs,
)
from waypost.io.read_log import ReadLog


def read(path):
    log = ReadLog()
    return list(RUN_FORMATS.read(path, log)), log


def put(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def kinds(decision):
    return [event.kind for event in decision.events]


def test_discussnav_path_begins_at_the_ground_truth_and_follows_the_moves(tmp_path):
    (run,), log = read(put(tmp_path / "DiscussNav.log", DISCUSSNAV_LOG))
    assert (run.episode_id, run.instruction) == ("", "Leave the room.")
    assert run.route.viewpoint_ids == (V[0], V[1])
    moved, stayed = run.decisions
    assert (moved.first_pose, moved.end_pose, moved.action) == (1, 2, V[1])
    assert moved.thought == "the hall leads out of the room"
    assert moved.raw_text.split("\n")[:2] == ["Thought: the hall leads out", f"Prediction: {V[1]}"]
    assert "Prediction: lamp" in moved.raw_text
    assert moved.plan == "1. leave\n2. stop"
    assert (moved.options[0].label, moved.options[0].viewpoint_id) == ("3", V[1])
    assert [event.message for event in moved.events] == ["not counted: lamp Length Problem"]
    assert (stayed.first_pose, stayed.end_pose) == (2, 2)
    assert kinds(stayed) == [EventKind.NO_MOVE, EventKind.OTHER]
    assert run.reported == {
        "trajectory_length": 3.5,
        "nav_error": 2.0,
        "success": 1.0,
        "oracle_success": 1.0,
        "spl": None,
    }
    assert run.extra == {"gt_path": [V[0], V[1], V[2]], "time": "First"}
    assert log.counts[ImportKind.NOT_FINITE] == 1


def test_discussnav_reads_alike_from_the_console_with_its_prefix(tmp_path):
    plain, _ = read(put(tmp_path / "a.log", DISCUSSNAV_LOG))
    prefix = "2024-04-02 10:11:12 - DiscussNav.py/main[line:12] - INFO: "
    lines = DISCUSSNAV_LOG.split("\n")
    prefixed = "\n".join(
        prefix + line if line[:1] in "=IGPALHDT-{*" and line else line for line in lines
    )
    console, _ = read(put(tmp_path / "b.log", prefixed))
    assert [dataclasses.replace(run, record=None) for run in console] == [
        dataclasses.replace(run, record=None) for run in plain
    ]


def test_discussnav_caches_are_joined_by_instruction(tmp_path):
    tasks = {
        "Leave the room.": {"actions": "1. leave", "landmarks": "room"},
        "Stay.": {"actions": "1. stay", "landmarks": ""},
    }
    put(tmp_path / "eval_cache.json", DISCUSSNAV_CACHE)
    put(tmp_path / "actions_cache.json", tasks)
    assert RUN_FORMATS.find(tmp_path) is discussnav_cache.FORMAT
    (scored, planned), _ = read(tmp_path)
    assert scored.reported["spl"] == 0.9
    assert scored.decisions[0].plan == "1. leave"
    assert scored.extra == {"time": "First", "actions": "1. leave", "landmarks": "room"}
    assert (planned.instruction, planned.reported) == ("Stay.", {})
    runs, _ = read(tmp_path / "actions_cache.json")
    assert [run.decisions[0].plan for run in runs] == ["1. leave", "1. stay"]
    with pytest.raises(InputError, match="needs the instruction's text"):
        discussnav_cache.write(tmp_path / "x.json", [EpisodeRun("1")], ReadLog())


def _episode(name, text, path, styles=None):
    return Episode("r2r", "", name, "scan", Instruction(text, styles or {}), Route(tuple(path)))


def test_ids_are_found_by_instruction_and_path():
    episodes = [
        _episode("1_0", "Leave  the room.", V[:2]),
        _episode("1_1", "Go on.", V[:2]),
        _episode("2_0", "Go on.", V[2:4]),
        _episode("3_0", "", V[:2], {"casual": "off you go"}),
    ]
    runs = [
        EpisodeRun("9", instruction="Go on."),
        EpisodeRun("", instruction="Leave the\nroom."),
        EpisodeRun("", instruction="Go on.", extra={"gt_path": V[2:4]}),
        EpisodeRun("", instruction="Go on."),
        EpisodeRun("", instruction="off you go"),
        EpisodeRun("", instruction="unknown"),
    ]
    asked = []
    log = ReadLog()
    named = list(name_runs(runs, lambda: asked.append(1) or episodes, log))
    assert [run.episode_id for run in named] == ["9", "1_0", "2_0", "", "3_0", ""]
    assert named[1].scene_id == "scan"
    assert asked == [1]
    assert [(f.kind, f.value) for f in log.findings] == [(ImportKind.AMBIGUOUS_ID, "1_1, 2_0")]


def test_open_nav_steps_have_sections_directions_and_repeats(tmp_path):
    path = put(tmp_path / "navigator_log.log", OPENNAV_LOG)
    (first, second), log = read(path)
    assert (first.episode_id, first.instruction) == ("31", "Go to the sink.")
    moved, lost = first.decisions
    assert (moved.action, moved.thought) == ("2", "towards the sink")
    assert moved.extra["angle_rad"] == 1.5
    assert moved.extra["distance_m"] == 0.75
    assert moved.raw_text == "Thought: the sink is there\nPrediction: 2"
    assert moved.options[0].label == "2"
    assert moved.plan == "1. go\n2. stop"
    assert kinds(lost) == [EventKind.OTHER, EventKind.OTHER, EventKind.NO_MOVE]
    assert len(second.decisions) == 6
    assert second.end == RunEnd(called_stop=False, reason="step limit")
    assert first.extra == {"landmarks": "sink"}
    assert log.findings == []


def test_open_nav_scores_join_the_log(tmp_path):
    put(tmp_path / "navigator_log.log", OPENNAV_LOG)
    stats = OPENNAV_STATS | {"33": OPENNAV_STATS["32"]}
    put(tmp_path / "stats_ep_ckpt_val_r0_w1.json", stats)
    runs, _ = read(tmp_path)
    assert [(run.episode_id, len(run.decisions)) for run in runs] == [
        ("31", 2),
        ("32", 6),
        ("33", 0),
    ]
    assert runs[0].reported["collisions"] == 0.25
    assert runs[0].end.action_count == 42
    opennav_runs.write(tmp_path / "again.json", runs, ReadLog())
    again, _ = read(tmp_path / "again.json")
    assert [run.reported for run in again] == [run.reported for run in runs]
    with pytest.raises(InputError, match="needs episode ids"):
        opennav_runs.write(tmp_path / "again.json", [EpisodeRun("")], ReadLog())


def test_open_nav_scores_of_several_evaluations_are_all_kept(tmp_path):
    """Of two splits that number alike, the scores of one would stand at episodes of the other."""
    put(tmp_path / "navigator_log.log", OPENNAV_LOG)
    other = {"31": {**OPENNAV_STATS["31"], "success": 0.0}}
    put(tmp_path / "stats_ep_ckpt_val_seen_r0_w1.json", OPENNAV_STATS)
    put(tmp_path / "stats_ep_ckpt_val_unseen_r0_w1.json", other)
    runs, _ = read(tmp_path)
    assert [run.episode_id for run in runs] == ["31", "32", "31"]
    assert runs[0].reported == OPENNAV_STATS["31"]
    assert runs[2].reported["success"] == 0.0


def test_a_capnav_answer_is_a_path_with_its_reason(tmp_path):
    put(tmp_path / "m_16" / "HM3D00010" / "q7__SWEEPER.json", CAPNAV)
    failed = CAPNAV | {
        "prompt_file": "q8__HUMAN.txt",
        "result": None,
        "parse_error": "empty output",
    }
    put(tmp_path / "m_16" / "HM3D00010" / "q8__HUMAN.json", failed)
    bare = CAPNAV | {"prompt_file": "q9__HUMAN.txt", "result": [{"answer": "no", "path": []}] * 2}
    put(tmp_path / "m_16" / "HM3D00011" / "q9__HUMAN.json", bare)
    put(tmp_path / "m_16" / "HM3D00010" / "failed_prompts.jsonl", '{"prompt": "q8__HUMAN"}\n')
    assert RUN_FORMATS.find(tmp_path) is capnav_results.FORMAT
    (first, second, third, fourth), log = read(tmp_path)
    assert (first.episode_id, first.scene_id) == ("q7__SWEEPER", "HM3D00010")
    assert first.route.viewpoint_ids == ("node_1", "node_4")
    assert first.decisions[0].thought == "a step of 8 cm"
    assert first.decisions[0].action == "no"
    assert first.decisions[0].raw_text == CAPNAV["raw_text"]
    assert first.instruction == "from hall to bath?"
    assert first.extra["agent"] == "SWEEPER"
    assert kinds(first.decisions[0]) == []
    assert len(second.route) == 0
    assert second.decisions[0].events[0].message == "the text cannot be used: empty output"
    assert second.answer.failure == "has no result"
    assert [third.episode_id, fourth.episode_id] == ["q9__HUMAN", "q9__HUMAN:1"]
    for run in (third, fourth):
        assert run.decisions[0].action == "no"
        assert kinds(run.decisions[0]) == [EventKind.NO_MOVE]
        assert run.answer.failure == "an answer names no question and no agent"
        assert run.answer.agent_key == "human"
    assert [f.kind for f in log.findings] == [ImportKind.NOTE] * 3
    assert [f.item_id for f in log.findings] == ["q8__HUMAN", "q9__HUMAN", "q9__HUMAN"]


@pytest.mark.parametrize(
    ("result", "failure"),
    [
        (None, "has no result"),
        ({"answer": "yes", "path": ["a", "b"]}, "an object, not a list of answers"),
        ("sorry", "text, not a list of answers"),
        ([], "holds no answer"),
        (["sorry"], "holds no answer"),
    ],
)
def test_a_capnav_file_without_answers_says_why_and_is_counted(tmp_path, result, failure):
    (run,), log = read(put(tmp_path / "q8__HUMAN.json", CAPNAV | {"result": result}))
    assert failure in run.answer.failure
    assert run.answer.says is None
    assert failure in run.decisions[0].events[0].message
    (found,) = log.findings
    assert failure in found.message
    assert "the released scorer leaves it out" in found.message


def test_each_answer_of_a_capnav_file_is_a_run_and_is_written_back(tmp_path):
    entries = [
        {
            "question": f"from {a} to {b}?",
            "agent": agent,
            "result": {"answer": "yes", "path": [a, b]},
        }
        for a, b, agent in (("a", "b", "ROBOT"), ("b", "c", "humanoid"))
    ]
    record = {"scene": "S", "prompt_file": "q1__HUMAN.txt", "result": entries}
    runs, _ = read(put(tmp_path / "in" / "q1__HUMAN.json", record))
    assert [run.episode_id for run in runs] == ["q1__HUMAN", "q1__HUMAN:1"]
    assert [run.instruction for run in runs] == ["from a to b?", "from b to c?"]
    assert [run.answer.agent_key for run in runs] == ["humanoid"] * 2
    assert [run.answer.agent_name for run in runs] == ["ROBOT", "humanoid"]
    capnav_results.write(tmp_path / "out", runs, ReadLog())
    (file,) = (tmp_path / "out").rglob("*.json")
    assert (file.name, json.loads(file.read_text())) == ("q1__HUMAN.json", record)
    capnav_results.write(
        tmp_path / "made", [dataclasses.replace(run, record=None) for run in runs], ReadLog()
    )
    again, _ = read(tmp_path / "made")
    assert [run.route for run in again] == [run.route for run in runs]
    assert [run.answer.agent_name for run in again] == ["ROBOT", "humanoid"]


def test_a_capnav_result_is_made_of_any_viewpoint_run(tmp_path):
    run = EpisodeRun(
        "q1__HUMAN",
        route(["node_1", "node_2"]),
        (Decision(0, 2, action="no", thought="why", raw_text="raw"),),
        scene_id="S",
    )
    capnav_results.write(tmp_path, [run], ReadLog())
    (again,), _ = read(tmp_path)
    assert (again.episode_id, again.route, again.scene_id) == ("q1__HUMAN", run.route, "S")
    assert again.decisions[0].thought == "why"
    assert again.extra["agent"] == "HUMAN"
    with pytest.raises(InputError, match="cannot name a file"):
        capnav_results.write(tmp_path, [EpisodeRun("../x")], ReadLog())


@pytest.mark.parametrize("says", ["no", "No", "yes", "perhaps", None])
def test_an_answer_of_another_form_stays_what_it_is_in_a_capnav_result(tmp_path, says):
    """A no that becomes a yes would be scored as one: what is no answer becomes none either."""
    given = Answer(agent_key="human", agent_name="HUMAN", says=says, reason="stairs")
    run = EpisodeRun("q1__HUMAN", route(["n1", "n2"]), answer=given, scene_id="S")
    capnav_results.write(tmp_path, [run], ReadLog())
    (again,), _ = read(tmp_path)
    assert again.answer.says == says
    assert again.answer.reason == ("" if says is None else "stairs")
    assert again.answer.agent_key == "human"
    assert again.route.viewpoint_ids == (() if says is None else ("n1", "n2"))


def test_a_capnav_file_without_answers_is_none_after_other_forms_either(tmp_path):
    (run,), _ = read(put(tmp_path / "q8__HUMAN.json", CAPNAV | {"result": None}))
    made = dataclasses.replace(run, record=None)
    capnav_results.write(tmp_path / "made", [made], ReadLog())
    (again,), _ = read(tmp_path / "made")
    assert (again.answer.says, again.answer.failure) == (None, "has no result")


def test_plan_and_feedback_stand_at_their_step(tmp_path):
    (run,), _ = read(put(tmp_path / "plans.json", PLAN_FEEDBACK))
    assert run.route.positions_m.tolist() == [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    assert [(d.first_pose, d.end_pose, d.action) for d in run.decisions] == [
        (1, 1, ""),
        (1, 2, "forward"),
        (2, 2, "fly"),
    ]
    assert run.decisions[0].plan == "go to the hall\nfind the sofa"
    assert run.decisions[1].thought == "on"
    assert run.decisions[1].events[0].message == "feedback: moved"
    assert kinds(run.decisions[2]) == [EventKind.OTHER, EventKind.NO_MOVE]
    assert run.decisions[2].extra == {"ms": 4}
    assert run.end == RunEnd(called_stop=True, action_count=3)
    assert run.extra == {"frame": "scene", "unit": "cm", "robot": "drone"}


def test_a_plan_log_names_its_frame_or_is_refused(tmp_path):
    habitat = [PLAN_FEEDBACK[0] | {"frame": "gltf", "unit": "m"}]
    (run,), _ = read(put(tmp_path / "p.json", habitat))
    assert run.route.positions_m.tolist() == [[0.0, 0.0, 0.0], [100.0, 0.0, 0.0]]
    runs, log = read(put(tmp_path / "p.json", [PLAN_FEEDBACK[0] | {"unit": "feet"}]))
    assert runs == []
    assert "unit is one of m, cm" in log.findings[0].message


def test_runs_of_another_form_become_plan_logs(tmp_path):
    run = EpisodeRun(
        "1",
        route(["a", "b", "c", "d"]),
        (
            Decision(1, 3, thought="two hops"),
            Decision(3, 3, raw_text="?"),
            Decision(3, 4, plan="p"),
        ),
    )
    plan_feedback_runs.write(tmp_path / "p.json", [run], ReadLog())
    (again,), _ = read(tmp_path / "p.json")
    assert again.route == run.route
    moves = [(d.first_pose, d.end_pose, d.thought, d.plan) for d in again.decisions]
    assert moves == [
        (1, 1, "", ""),
        (1, 2, "", ""),
        (2, 3, "two hops", ""),
        (3, 3, "", ""),
        (3, 4, "", "p"),
    ]

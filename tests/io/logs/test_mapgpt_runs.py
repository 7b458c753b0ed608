"""MapGPT and MSNav: case files, console logs, and the two brought together."""

import dataclasses
import json

import numpy as np
import pytest
from fixtures.run_samples import MAPGPT_CASE, MAPGPT_CONSOLE, MSNAV_CONSOLE, MSNAV_OBJECTS, V

from waypost.domain.base.errors import InputError
from waypost.domain.episode.image_limit import (
    IMAGE_LIMIT,
    NO_OPTION,
    UNTOLD_STOP,
    with_image_limit,
)
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Answer, Decision, EpisodeRun, EventKind, RunEnd
from waypost.domain.scene.viewpoint_graph import build_viewpoint_graph
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.logs.language_models import mapgpt_console, mapgpt_runs, msnav_objects
from waypost.io.read_log import ReadLog


def read(path):
    log = ReadLog()
    return list(RUN_FORMATS.read(path, log)), log


def kinds(decision):
    return [event.kind for event in decision.events]


def put(path, value):
    path.write_text(value if isinstance(value, str) else json.dumps(value, sort_keys=True))
    return path


def test_a_case_file_has_a_decision_for_every_choice(tmp_path):
    (run,), log = read(put(tmp_path / "case_InstrID_15_2.json", MAPGPT_CASE))
    assert (run.episode_id, run.scene_id) == ("15_2", "8194nk5LbLH")
    assert run.route.viewpoint_ids == (V[0], V[2], V[0], V[3])
    shown = [(d.first_pose, d.end_pose, d.at_viewpoint_id, d.action) for d in run.decisions]
    assert shown == [
        (1, 2, V[0], "2"),
        (2, 3, V[2], "1"),
        (3, 4, V[0], "1"),
        (4, 4, V[3], "0"),
    ]
    assert [kinds(d) for d in run.decisions] == [[], [], [], [EventKind.STOP]]
    assert run.end == RunEnd(reason=UNTOLD_STOP, action_count=4)
    assert run.reported == {"nav_error": 2.5, "spl": 0.75, "success": 1.0}
    assert run.extra == {"details": {}, "gt_traj": [V[0], V[2], V[3]]}
    assert log.findings == []


def test_steps_are_ordered_by_number_and_unlogged_moves_are_events(tmp_path):
    steps = {str(n): 1 for n in (10, 2, 0)} | {"1": 3}
    case = {"instr_id": "1_0", "trajectory": [[V[0]], [V[1]], [V[2]]], "a_t": steps}
    (run,), _ = read(put(tmp_path / "c.json", case))
    assert [d.action for d in run.decisions] == ["1", "3", "1", "1"]
    assert [kinds(d) for d in run.decisions][2:] == [[EventKind.NO_MOVE]] * 2
    assert run.end.called_stop is False
    more = {"instr_id": "1_0", "trajectory": [[V[0]], [V[1]], [V[2]]], "a_t": {"0": 1}}
    (run,), log = read(put(tmp_path / "c.json", more))
    assert [(d.first_pose, d.end_pose) for d in run.decisions] == [(1, 2), (2, 3)]
    assert "moves 1 time more than it chooses to" in log.findings[0].message


def test_a_console_log_shows_thoughts_options_and_what_names_none(tmp_path):
    (run,), log = read(put(tmp_path / "run.log", MAPGPT_CONSOLE))
    assert (run.episode_id, run.instruction) == ("", "Walk to the {door}.")
    assert [d.thought for d in run.decisions] == ["the door is left", "", "back again", "here"]
    assert [d.plan for d in run.decisions] == ["go on", "", "on", ""]
    assert [d.action for d in run.decisions] == ["B", "", "A", "A"]
    assert [kinds(d) for d in run.decisions] == [[], [EventKind.OTHER], [], [EventKind.STOP]]
    assert run.decisions[1].raw_text == "I cannot tell."
    option = run.decisions[0].options[1]
    assert (option.label, option.picture) == ("B", "Image 2")
    assert option.text == "turn left to Place 2 which is corresponding to Image 2"
    assert run.decisions[0].prompt.startswith("Instruction: Walk to the {door}.\nHistory")
    assert run.extra["places"] == [0, 2, 0, 3]
    assert run.extra["choices"] == [2, 1, 1, 0]
    assert run.map_node_ids is None
    assert run.extra["text_map_places"] == [0, 1, 2, 4]
    assert run.reported == {"nav_error": 2.5, "spl": 75.0, "success": 100.0}
    assert run.end == RunEnd(called_stop=True, action_count=4)
    assert log.findings == []


def test_msnav_shows_what_it_received_and_stops_on_text_that_is_no_json(tmp_path):
    (run,), _ = read(put(tmp_path / "run.log", MSNAV_CONSOLE))
    first, second = run.decisions
    assert first.raw_text == '{"Thought": "go", "Action": "A"}'
    assert first.extra["console"].startswith("--- Pruning Scores Detail")
    assert second.raw_text == "not json at all"
    assert (second.thought, second.action) == ("", "")
    assert kinds(second) == [EventKind.NO_MOVE]
    assert run.end == RunEnd(called_stop=False, reason=NO_OPTION, action_count=2)
    assert run.extra["choices"] == [1, 0]


STOPS = (
    '-------------------- Output --------------------\n{"Thought": "here", "New Planning": "",'
    ' "Action": "A"}\n'
)
CUT_OFF = MAPGPT_CONSOLE.replace(STOPS, "Exceed image limit and stop!\n")
NAMES_NONE = MAPGPT_CONSOLE.replace(STOPS, STOPS.replace('"A"', '"Z"'))


@pytest.mark.parametrize(
    ("text", "end", "event"),
    [
        (MAPGPT_CONSOLE, RunEnd(called_stop=True), (EventKind.STOP, "option A")),
        (
            CUT_OFF,
            RunEnd(called_stop=False, reason="cut off by the image limit"),
            (EventKind.OTHER, "the limit of pictures was reached; the program stopped"),
        ),
        (
            NAMES_NONE,
            RunEnd(called_stop=False, reason="cut off: the answer named no option"),
            (EventKind.NO_MOVE, "the text names no option; the program stopped"),
        ),
    ],
)
def test_a_stop_of_the_program_is_not_one_of_the_model(tmp_path, text, end, event):
    """Alone and beside its case file, which has the choice 0 whoever stopped."""
    (run,), _ = read(put(tmp_path / "run.log", text))
    assert run.end == dataclasses.replace(end, action_count=4)
    assert [(e.kind, e.message) for e in run.decisions[3].events] == [event]
    assert run.extra["choices"] == [2, 1, 1, 0]
    put(tmp_path / "case_InstrID_15_2.json", MAPGPT_CASE)
    (case,), _ = read(tmp_path)
    assert case.episode_id == "15_2"
    assert case.end == dataclasses.replace(end, action_count=4)
    assert [(e.kind, e.message) for e in case.decisions[3].events] == [event]
    mapgpt_runs.write(tmp_path / "again.json", [dataclasses.replace(case, record=None)], ReadLog())
    (again,), _ = read(tmp_path / "again.json")
    assert (again.end.reason, again.decisions[-1].action) == (UNTOLD_STOP, "0")


BELOW_LIMIT = (
    "stop, or cut off as the answer named no option: 20 places seen, so the limit of 20 pictures"
    " was not reached"
)


def star(names, hubs, leaves):
    """Hubs in a row, each joined to that many places of its own."""
    count = len(hubs) + sum(leaves)
    joined = np.zeros((count, count), dtype=bool)
    at = len(hubs)
    for hub, number in enumerate(leaves):
        joined[hub, at : at + number] = True
        joined[hub, hub + 1 : hub + 2] = hub + 1 < len(hubs)
        at += number
    points = np.stack([np.arange(count), np.zeros(count), np.full(count, 1.5)], axis=1)
    return build_viewpoint_graph("star", tuple(hubs) + names[: count - len(hubs)], points, joined)


@pytest.mark.parametrize(
    ("leaves", "called_stop", "reason"),
    [
        # 7, 13, 19, then 22 places seen: passed at the last step.
        ((5, 5, 5, 3), False, IMAGE_LIMIT),
        # 20 at the last step: still asked.
        ((5, 5, 3, 3), None, BELOW_LIMIT),
        # 21 at the third: this program has another limit.
        ((5, 5, 7, 3), None, UNTOLD_STOP),
    ],
)
def test_a_graph_shows_the_image_limit_of_a_case_file(tmp_path, leaves, called_stop, reason):
    """Places seen, visited ones included; the program stops before it asks about more than 20."""
    hubs = ("h0", "h1", "h2", "h3")
    case = {
        "instr_id": "1_0",
        "trajectory": [[name] for name in hubs],
        "a_t": {"0": 1, "1": 2, "2": 2, "3": 0},
    }
    (run,), _ = read(put(tmp_path / "c.json", case))
    graph = star(tuple(f"leaf{n}" for n in range(40)), hubs, leaves)
    told = with_image_limit(run, graph)
    assert (told.end.called_stop, told.end.reason) == (called_stop, reason)
    unknown = dataclasses.replace(run, decisions=(Decision(1, 1, "elsewhere"),))
    assert with_image_limit(unknown, graph) is unknown
    assert with_image_limit(EpisodeRun("1"), graph) == EpisodeRun("1")


def test_an_episode_that_breaks_off_is_left_out_and_said(tmp_path):
    half = MAPGPT_CONSOLE[: MAPGPT_CONSOLE.index("Action options (step 2)")]
    runs, log = read(put(tmp_path / "run.log", half + MAPGPT_CONSOLE + half))
    assert len(runs) == 1
    assert len(runs[0].decisions) == 4
    assert [(f.kind, f.step) for f in log.findings] == [(ImportKind.TRUNCATED, 3)] * 2
    assert log.findings[0].value == "Walk to the {door}."


def test_in_one_folder_thoughts_reach_their_case(tmp_path):
    other = json.loads(json.dumps(MAPGPT_CASE)) | {"instr_id": "16_0"}
    other["trajectory"] = [[V[0]], [V[2]], [V[5]], [V[3]]]
    put(tmp_path / "case_InstrID_15_2.json", MAPGPT_CASE)
    put(tmp_path / "case_InstrID_16_0.json", other)
    put(tmp_path / "case_InstrID_17_0.json", "{")
    put(tmp_path / "out.log", MAPGPT_CONSOLE + MSNAV_CONSOLE)
    assert RUN_FORMATS.find(tmp_path) is mapgpt_runs.FORMAT
    (first, second, left), log = read(tmp_path)
    assert (first.episode_id, first.instruction) == ("15_2", "Walk to the {door}.")
    assert [(d.first_pose, d.end_pose, d.thought) for d in first.decisions] == [
        (1, 2, "the door is left"),
        (2, 3, ""),
        (3, 4, "back again"),
        (4, 4, "here"),
    ]
    assert [kinds(d) for d in first.decisions] == [
        [],
        [EventKind.OTHER],
        [],
        [EventKind.STOP],
    ]
    assert first.decisions[0].options[1].viewpoint_id == V[2]
    assert first.decisions[0].options[0].viewpoint_id == ""
    # Places 1 and 4 were seen and never visited: their viewpoints are not logged.
    assert first.map_node_ids is None
    assert first.extra["text_map_places"] == [0, 1, 2, 4]
    assert first.reported == MAPGPT_CASE_SCORES
    # 16_0 never came back to where it had been, so the log is not of it.
    assert (second.episode_id, second.instruction) == ("16_0", "")
    assert left.episode_id == ""
    assert log.counts[ImportKind.UNMATCHED_TEXT] == 1
    assert log.counts[ImportKind.TRUNCATED] == 1


MAPGPT_CASE_SCORES = {"nav_error": 2.5, "spl": 0.75, "success": 1.0}


def test_a_map_of_visited_places_only_is_known_in_viewpoints(tmp_path):
    text = (
        MAPGPT_CONSOLE.replace("Places 1, 2", "Places 2, 3")
        .replace("Places 0, 4", "Places 0")
        .replace("Place 1, which", "Place 3, which")
    )
    put(tmp_path / "case_InstrID_15_2.json", MAPGPT_CASE)
    put(tmp_path / "out.log", text)
    (run,), _ = read(tmp_path)
    assert run.map_node_ids == (V[0], V[2], V[3])


def test_logs_that_fit_two_cases_are_given_to_none(tmp_path):
    put(tmp_path / "case_InstrID_15_2.json", MAPGPT_CASE)
    put(tmp_path / "case_InstrID_15_1.json", MAPGPT_CASE | {"instr_id": "15_1"})
    put(tmp_path / "out.log", MAPGPT_CONSOLE)
    runs, log = read(tmp_path)
    assert [run.episode_id for run in runs] == ["15_1", "15_2", ""]
    assert [run.instruction for run in runs] == ["", "", "Walk to the {door}."]
    assert log.counts[ImportKind.UNMATCHED_TEXT] == 3


def test_runs_of_another_form_become_case_files(tmp_path):
    run = EpisodeRun(
        "4_0", route(["a", "b", "c"]), end=RunEnd(called_stop=True), reported={"spl": 0.5}
    )
    mapgpt_runs.write(tmp_path / "out", [run], ReadLog())
    (again,), _ = read(tmp_path / "out")
    assert again.route == run.route
    assert again.reported == run.reported
    assert again.end == RunEnd(reason=UNTOLD_STOP, action_count=3)
    with pytest.raises(InputError, match="cannot name a file"):
        mapgpt_runs.write(tmp_path / "out", [EpisodeRun("a/b", run.route)], ReadLog())


@pytest.mark.parametrize(("called_stop", "is_known"), [(True, False), (None, False), (False, True)])
def test_case_files_leave_open_whether_stop_was_called_unless_it_was_not(
    tmp_path, called_stop, is_known
):
    """The choice 0 is also the program's; without it a run is tagged as one that never stopped."""
    run = EpisodeRun("4_0", route(["a", "b"]), end=RunEnd(called_stop=called_stop))
    mapgpt_runs.write(tmp_path / "out", [run], ReadLog())
    (again,), _ = read(tmp_path / "out")
    assert again.end.called_stop is (False if is_known else None)


def test_nothing_is_a_console_log_without_its_banners(tmp_path):
    assert not mapgpt_console.is_console(put(tmp_path / "a.log", "hello\n"))
    assert not mapgpt_console.is_console(tmp_path / "none.log")


def test_object_lists_belong_to_the_first_instruction(tmp_path):
    path = put(tmp_path / "R2R_val_seen.json", MSNAV_OBJECTS)
    (run,), _ = read(path)
    lists = {"direct": ("sofa",), "inferred": ("rug", "lamp")}
    assert (run.episode_id, run.instruction) == ("15_0", "Go to the sofa.")
    assert run.answer.object_lists == lists
    first, second = EPISODE_FORMATS.read(path, ReadLog())
    assert (first.object_lists, second.object_lists) == (lists, {})
    alone = {"instr_id": "3_1", "instruction": "Go.", "direct_obj": [], "potential_obj": ["rug"]}
    (run,), _ = read(put(tmp_path / "o.json", [alone]))
    assert (run.episode_id, run.instruction) == ("3_1", "Go.")
    (run,), _ = read(put(tmp_path / "o.json", [{"direct_obj": [], "potential_obj": []}]))
    assert run.episode_id == ""
    runs, log = read(put(tmp_path / "o.json", [alone | {"direct_obj": [3]}]))
    assert runs == []
    assert log.findings[0].message.endswith("[0].direct_obj[0]: is a number, not text")
    of_another_form = EpisodeRun("3_1", answer=Answer(object_lists={"direct": ("sink",)}))
    msnav_objects.write(tmp_path / "p.json", [of_another_form], ReadLog())
    (again,), _ = read(tmp_path / "p.json")
    assert again.answer.object_lists == {"direct": ("sink",), "inferred": ()}

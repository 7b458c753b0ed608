"""NavGPT details: thoughts beside the moves they led to, by viewpoint and order."""

import json

import pytest
from fixtures.run_samples import NAVGPT, V
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import InputError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.path_checks import check_run
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Decision, EpisodeRun, EventKind
from waypost.io.logs.language_models import navgpt_runs
from waypost.io.logs.language_models.navgpt_alignment import match_in_order
from waypost.io.read_log import ReadLog


def read(path, records):
    path.write_text(json.dumps(records))
    log = ReadLog()
    return list(navgpt_runs.read(path, log)), log


def kinds(decision):
    return [event.kind for event in decision.events]


def test_moves_refusals_and_back_tracks_stand_in_their_order(tmp_path):
    (run, bare), _ = read(tmp_path / "d.json", NAVGPT)
    assert run.route.viewpoint_ids == (V[0], V[1], V[0], V[3], V[2])
    shown = [(d.first_pose, d.end_pose, d.thought, kinds(d)) for d in run.decisions]
    assert shown == [
        (1, 2, "the sofa is ahead", []),
        (2, 2, "the lamp", [EventKind.NO_MOVE]),
        (2, 2, "I am lost", [EventKind.NO_MOVE]),
        (2, 3, "wrong way", [EventKind.BACKTRACK]),
        (3, 5, "the door", []),
        (5, 5, "", [EventKind.STOP]),
    ]
    assert run.decisions[1].events[0].message.startswith(V[15])
    assert run.decisions[4].observation == f"\nCurrent Viewpoint:{V[0]}\nhall"
    assert run.decisions[3].at_viewpoint_id == V[1]
    assert run.end.called_stop is True
    assert run.extra == {"action_plan": "1. leave the room"}
    assert bare.end.called_stop is None
    assert [(d.first_pose, d.end_pose) for d in bare.decisions] == [(1, 2)]
    assert bare.extra == {"action_plan": "", "seed": 3}
    found = [(f.kind, f.step) for f in check_run(None, run)]
    assert found == [
        (ImportKind.REVISITED, 2),
        (ImportKind.NO_MOVE, 1),
        (ImportKind.NO_MOVE, 2),
    ]


def test_in_tool_chain_mode_the_tools_own_thought_is_the_link(tmp_path):
    def answer(why):
        return f"\n\tAction_maker Thought:\n{why}\n\tAction_maker Action:\nTurn\n\tCurrent"

    record = {
        "instr_id": "1_0",
        "trajectory": [[V[0]], [V[1]], [V[2]], [V[1]], [V[3]]],
        "details": [
            {"viewpointID": V[1], "acion_maker_thought": "first, unasked"},
            {"viewpointID": V[2], "acion_maker_thought": "second"},
            {"viewpointID": V[3], "acion_maker_thought": "third"},
        ],
        "action_plan": "p",
        "llm_output": "Agent stopped due to iteration limit or time limit.",
        "llm_thought": [
            'Thought: on\nAction: action_maker\nAction Input: ""',
            'Thought: back\nAction: back_tracer\nAction Input: ""',
            'Thought: again\nAction: action_maker\nAction Input: ""',
            'Thought: who knows\nAction: action_maker\nAction Input: ""',
        ],
        "llm_observation": [answer("second"), "\tBack_tracer Thought:\nx", answer("third"), "?"],
    }
    (run,), _ = read(tmp_path / "d.json", [record])
    assert [(d.first_pose, d.end_pose, d.thought) for d in run.decisions] == [
        (1, 2, "first, unasked"),
        (2, 3, "second"),
        (3, 4, "back"),
        (4, 5, "third"),
        (5, 5, "who knows"),
        (5, 5, ""),
    ]
    assert run.decisions[1].raw_text.startswith("Thought: on")
    assert EventKind.BACKTRACK in kinds(run.decisions[2])
    assert kinds(run.decisions[4]) == [EventKind.UNMATCHED_TEXT]
    assert run.end.called_stop is False
    assert run.end.reason == "Agent stopped due to iteration limit or time limit."
    last = run.decisions[5]
    assert (last.action, last.raw_text, kinds(last)) == ("", "", [EventKind.OTHER])
    assert last.events[0].message == f"the program ended the run: {run.end.reason}"


def test_a_thought_never_moves_to_a_neighbour_of_its_index(tmp_path):
    record = {
        "instr_id": "1_0",
        "trajectory": [[V[0]], [V[1]], [V[2]]],
        "details": [],
        "action_plan": "p",
        "llm_thought": [f'Thought: only\nAction: action_maker\nAction Input: "{V[2]}"'],
        "llm_observation": ["ok"],
        "llm_output": "",
    }
    (run,), _ = read(tmp_path / "d.json", [record])
    assert [(d.end_pose, d.thought) for d in run.decisions] == [(2, ""), (3, "only")]


def test_history_and_feature_stand_where_the_model_read_them(tmp_path):
    (run, _), _ = read(tmp_path / "d.json", NAVGPT)
    told = [(d.extra.get("history"), d.extra.get("feature")) for d in run.decisions]
    # A refused move puts the program's own sentence in place of the history; a back-trace leaves
    # neither in the log. What the observation holds already is not kept twice.
    assert told == [
        (None, None),
        ("h1", None),
        (None, "sofa"),
        (None, "sofa"),
        (None, None),
        ("h2", None),
    ]
    assert run.decisions[0].extra["turned_angle"] == "Turn 10"


def test_options_are_those_that_the_observation_lists(tmp_path):
    numbered = "".join(
        f"'{name}':\nheading: {angle}, elevation: -1.50, distance: 2.33\n"
        for name, angle in ((V[2], "-60.63"), (V[3], "121.91"))
    )
    by_side = (
        f"Front Navigable Viewpoints:{{'{V[1]}': 'left 3.10, 1.20m', '{V[4]}': 'right 9.00, 2m'}}"
        "\nRight Navigable Viewpoints: None"
        f"\nRear Navigable Viewpoints:{{'{V[5]}': 'left 170.00, 3m'}}"
    )
    record = {
        "instr_id": "1_0",
        "trajectory": [[V[0]], [V[1]], [V[2]]],
        "details": [],
        "action_plan": "p",
        "llm_thought": [
            f'on\nAction: action_maker\nAction Input: "{V[1]}"',
            "no action",
            f'on\nAction: action_maker\nAction Input: "{V[2]}"',
        ],
        "llm_observation": [f"Current\n{numbered}", "Invalid Format: Missing", by_side],
        "llm_output": "done",
    }
    (run,), _ = read(tmp_path / "d.json", [record])
    shown = [[(o.viewpoint_id, o.text) for o in d.options] for d in run.decisions]
    listed = [
        (V[2], "heading: -60.63, elevation: -1.50, distance: 2.33"),
        (V[3], "heading: 121.91, elevation: -1.50, distance: 2.33"),
    ]
    at_end = [(V[1], "left 3.10, 1.20m"), (V[4], "right 9.00, 2m"), (V[5], "left 170.00, 3m")]
    assert shown == [[], listed, listed, at_end]


def test_details_that_no_move_led_to_are_kept(tmp_path):
    record = {
        "instr_id": "1_0",
        "trajectory": [[V[0]], [V[1]]],
        "details": [{"viewpointID": V[9], "feature": "x"}, {"viewpointID": V[1], "feature": "y"}],
        "action_plan": "p",
    }
    (run,), _ = read(tmp_path / "d.json", [record])
    shown = [(d.first_pose, d.end_pose, dict(d.extra)) for d in run.decisions]
    assert shown == [
        (1, 2, {"viewpointID": V[1], "feature_after_the_move": "y"}),
        (2, 2, {"viewpointID": V[9], "feature": "x"}),
    ]
    assert kinds(run.decisions[1]) == [EventKind.UNMATCHED_TEXT]


def test_lists_of_different_length_are_said_and_thoughts_still_shown(tmp_path):
    record = {**NAVGPT[0], "llm_observation": []}
    (run,), log = read(tmp_path / "d.json", [record])
    assert log.findings[0].message.startswith("1940_1 has 5 thoughts and 0 observations")
    thoughts = [d.thought for d in run.decisions if d.raw_text and d.end_pose > d.first_pose]
    assert thoughts == ["the sofa is ahead", "wrong way", "the door"]


def test_a_run_of_another_form_keeps_its_thoughts_by_viewpoint(tmp_path):
    run = EpisodeRun(
        "5_1",
        route([V[0], V[1], V[2], V[3]]),
        (Decision(1, 3, thought="two hops"), Decision(3, 4, thought="on")),
    )
    navgpt_runs.write(tmp_path / "o.json", [run], ReadLog())
    (again,) = list(navgpt_runs.read(tmp_path / "o.json", ReadLog()))
    assert again.route == run.route
    assert [(d.first_pose, d.end_pose, d.thought) for d in again.decisions] == [
        (1, 3, "two hops"),
        (3, 4, "on"),
    ]
    with pytest.raises(InputError, match="needs viewpoints"):
        navgpt_runs.write(
            tmp_path / "o.json", [EpisodeRun("1", route(positions_m=[[0, 0, 0]]))], ReadLog()
        )


@given(st.lists(st.sampled_from("abc"), max_size=7), st.lists(st.sampled_from("abc"), max_size=7))
def test_matching_never_crosses_and_pairs_only_equals(left, right):
    partners = match_in_order(len(left), len(right), lambda i, j: left[i] == right[j])
    pairs = [(i, j) for i, j in enumerate(partners) if j is not None]
    assert all(left[i] == right[j] for i, j in pairs)
    assert [j for _, j in pairs] == sorted({j for _, j in pairs})
    if left == right:
        assert partners == list(range(len(left)))


def test_matching_keeps_as_many_as_can_be():
    texts, moves = "xaab", "abab"
    assert match_in_order(4, 4, lambda i, j: texts[i] == moves[j]) == [None, 0, 2, 3]

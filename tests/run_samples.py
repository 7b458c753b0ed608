"""Small result files and logs, shaped as the public writers shape them."""

from __future__ import annotations

import json
from typing import Any

V = [f"{digit}" * 32 for digit in "0123456789abcdef"]
"""Viewpoint ids of Matterport3D's form."""

VLNCE_R2R = {
    "7": [
        {"position": [1.0, 0.5, -2.0], "heading": 0.0, "stop": False},
        {"position": [1.0, 0.5, -2.25], "heading": 0.25, "stop": False},
        {"position": [1.0, 0.5, -2.25], "heading": 0.25, "stop": True, "collided": True},
    ],
    "9": [{"position": [0.0, 0.0, 0.0], "heading": 3.0, "stop": False}],
}

VLNCE_RXR = [
    {"instruction_id": 12, "path": [[1.0, 0.5, -2.0], [1.0, 0.5, -2.5]]},
    {"instruction_id": 14, "path": [[0.0, 0.0, 0.0]], "note": "kept"},
]

PROGRESS = [
    {
        "scene_id": "zsNo4HB9uLZ",
        "episode_id": 3,
        "success": 1.0,
        "spl": 0.8,
        "os": 1.0,
        "ne": 1.25,
        "steps": 57,
        "episode_instruction": "go on",
        "seed": "a",
    },
    {
        "scene_id": "zsNo4HB9uLZ",
        "episode_id": 4,
        "success": 0.0,
        "spl": 0.0,
        "os": 0.0,
        "ne": 9.5,
        "steps": 500,
        "episode_instruction": "stay",
    },
]


def _thought(target: str, why: str) -> str:
    return f'Thought: {why}\nAction: action_maker\nAction Input: "{target}"'


NAVGPT: list[dict[str, Any]] = [
    {
        "action_plan": "1. leave the room",
        "details": [
            {"viewpointID": V[1], "turned_angle": "Turn 10", "feature": "sofa", "history": "h1"},
            {"viewpointID": V[2], "turned_angle": "Turn 20", "feature": "door", "history": "h2"},
        ],
        "instr_id": "1940_1",
        "llm_observation": [
            f'\nCurrent Viewpoint "{V[1]}":\nsofa',
            f"\nViewpointID '{V[15]}' is not valid, agent not moved.",
            "Invalid Format: Missing 'Action:' after 'Thought:",
            f"\nCurrent Viewpoint:{V[0]}\nhall",
            f'\nCurrent Viewpoint "{V[2]}":\ndoor',
        ],
        "llm_output": "Finished!",
        "llm_thought": [
            _thought(V[1], "the sofa is ahead"),
            _thought(V[15], "the lamp"),
            "I am lost",
            f'Thought: wrong way\nAction: back_tracer\nAction Input: "{V[0]}"',
            _thought(V[2], "the door"),
        ],
        "trajectory": [[V[0]], [V[1]], [V[0]], [V[3], V[2]]],
    },
    {
        "action_plan": "",
        "details": [],
        "instr_id": "7_0",
        "llm_observation": [],
        "llm_output": "",
        "llm_thought": [],
        "trajectory": [[V[4]], [V[5]]],
        "seed": 3,
    },
]

MAPGPT_CASE: dict[str, Any] = {
    "a_t": {"0": 2, "1": 1, "2": 1, "3": 0},
    "details": {},
    "evaluation": {
        "instr_id": ["15_2"],
        "nav_error": [2.5],
        "spl": [0.75],
        "success": [1.0],
    },
    "gt_traj": [V[0], V[2], V[3]],
    "instr_id": "15_2",
    "scan": "8194nk5LbLH",
    "trajectory": [[V[0]], [V[2]], [V[0]], [V[3]]],
}


def _prompt(step: int, walked: str, options: str) -> str:
    return (
        "-------------------- Environment Prompts --------------------\n"
        f"Instruction: Walk to the {{door}}.\nHistory: step\nTrajectory: Place {walked}\n"
        "Map:\nPlace 0 is connected with Places 1, 2\nPlace 2 is connected with Places 0, 4\n"
        "Supplementary Info: \nPlace 1, which is corresponding to Image 1\n"
        f"Previous Planning:\nnone\nAction options (step {step}): {options}\n"
    )


def _option(letter: str, place: int) -> str:
    return f"'{letter}. turn left to Place {place} which is corresponding to Image {place}'"


def _output(text: str) -> str:
    return f"-------------------- Output --------------------\n{text}\n"


MAPGPT_CONSOLE = (
    "Model version: gpt-4o\nrunning...\n"
    + _prompt(0, "0", f"[{_option('A', 1)}, {_option('B', 2)}]")
    + _output('{"Thought": "the door is left", "New Planning": "go on", "Action": "B"}')
    + _prompt(1, "0 2", f"[{_option('A', 0)}, {_option('B', 4)}]")
    + _output("I cannot tell.")
    + _prompt(2, "0 2 0", f"[{_option('A', 3)}]")
    + _output("Thought: back again\nDistance: 2\nNew Planning: on\nAction: A")
    + _prompt(3, "0 2 0 3", f"['A. stop', {_option('B', 0)}]")
    + _output('{"Thought": "here", "New Planning": "", "Action": "A"}')
    + "Current case  -  nav_error: 2.50  spl: 75.00  success: 100.00\n"
)

MSNAV_CONSOLE = (
    f"--- Pruning Scores Detail (Step 0, Current VP: {V[0]}) ---\n  Node x:\n"
    + _prompt(0, "0", f"[{_option('A', 1)}]")
    + 'DEBUG: Received nav_output (type: <class \'str\'>):\n\'\'\'\n{"Thought": "go", "Action":'
    " \"A\"}\n'''\n120\n"
    + _output('{\n  "Thought": "go",\n  "Action": "A"\n}')
    + _prompt(1, "0 1", f"['A. stop', {_option('B', 0)}]")
    + "DEBUG: Received nav_output (type: <class 'str'>):\n'''\nnot json at all\n'''\n99\n"
    "ERROR: Failed to decode JSON: Expecting value\nWARN: JSONDecodeError occurred.\n"
    + _output('{\n  "Thought": "go",\n  "Action": "A"\n}')
    + "Current case  -  nav_error: 4.00\n"
)

MSNAV_OBJECTS: list[dict[str, Any]] = [
    {
        "path_id": 15,
        "scan": "8194nk5LbLH",
        "path": [V[0], V[1]],
        "heading": 0.5,
        "distance": 2.0,
        "instructions": ["Go to the sofa.", "Walk on."],
        "direct_obj": ["sofa"],
        "potential_obj": ["rug", "lamp"],
    }
]

DISCUSSNAV_LOG = (
    "=" * 86
    + f"""
Instruction: Leave the room.
GT Path: ['{V[0]}', '{V[1]}', '{V[2]}']
Path Length: 3
Actions: 1. leave
2. stop
------------------------------Step 0------------------------------
history VP: ['{V[0]}']
Direction 3  Navigable Viewpoint ID: {V[1]} Elevation: Eye Level Scene Description: hall
Landmarks: room
Thought: the hall leads out
Prediction: {V[1]}
Thought: the lamp
Prediction: lamp
lamp Length Problem
Pred: {V[1]} Fused Thought: the hall leads out of the room
Move to {V[1]}
------------------------------Step 1------------------------------
history VP: ['{V[0]}', '{V[1]}']
Direction 1  Navigable Viewpoint ID: {V[2]} Elevation: Eye Level Scene Description: door
Landmarks: room
History: Step 1 Observation: hall
Thought: nothing fits
Prediction: {V[14]}
{V[14]} not in the candidates

{{'trajectory_length': 3.5, 'nav_error': 2.0, 'success': 1.0, 'oracle_success': 1.0, 'spl': nan, \
'time': 'First'}}
********************************
Total Length (TL) : 3.5
"""
)

DISCUSSNAV_CACHE = {
    "Leave the room.": {
        "trajectory_length": 3.5,
        "nav_error": 2.0,
        "success": 1.0,
        "oracle_success": 1.0,
        "spl": 0.9,
        "time": "First",
    }
}


def _opennav_episode(name: str, steps: str) -> str:
    banner = f"{'=' * 20} The current episode id is {name} {'=' * 20}\n"
    head = banner + "Instruction: Go to the sink.\nActions: 1. go\n2. stop\nLandmarks: sink\n"
    return "".join(
        head + f"{'-' * 20} Step {number} {'-' * 20}\n" + text
        for number, text in enumerate(steps.split("|"), start=1)
    )


def _opennav_step(direction: int) -> str:
    return (
        "========== Get Observation ==========\n"
        f"Direction {direction} Direction Viewpoint ID: {direction} Scene Description: sink\n"
        "========== Next Action Prediction ==========\n"
        f"Thought: the sink is there\nPrediction: {direction}\n"
        "========== Thought ==========\n"
        f"Pred viewpoint ID: {direction} Fused Thought: towards the sink\n"
        "========== Test Decision ==========\n"
        "The final env action: [{'action': {'action': 4, 'action_args': {'angle': 1.5, "
        "'distance': 0.75}}}]\n========== save history ==========\n"
        f"The history at current step is [{{'viewpoint': '{direction}'}}]\n"
    )


_LOST = "Error in test decision x\nError in next action prediction: 'error_next_vp'\n"
OPENNAV_LOG = _opennav_episode("31", "|".join([_opennav_step(2), _LOST])) + _opennav_episode(
    "32", "|".join([_opennav_step(5)] * 6)
)

OPENNAV_STATS = {
    "31": {
        "steps_taken": 42.0,
        "distance_to_goal": 1.5,
        "success": 1.0,
        "oracle_success": 1.0,
        "path_length": 8.0,
        "collisions": 0.25,
        "spl": 0.9,
        "ndtw": 0.6,
    },
    "32": {"steps_taken": 12.0, "distance_to_goal": 5.0, "success": 0.0, "spl": 0.0},
}

CAPNAV: dict[str, Any] = {
    "scene": "HM3D00010",
    "prompt_file": "q7__SWEEPER.txt",
    "model": "m",
    "hf_model_id": "o/m",
    "num_frames": 16,
    "thinking": "on",
    "effective_fps": 0.25,
    "raw_text": "<think>…</think> {}",
    "time_sec": 1.5,
    "result": [
        {
            "question": "from hall to bath?",
            "agent": "SWEEPER",
            "result": {
                "answer": "no",
                "path": ["node_1", "node_4"],
                "reason": "a step of 8 cm",
            },
        }
    ],
}

PLAN_FEEDBACK: list[dict[str, Any]] = [
    {
        "episode_id": 5,
        "instruction": "find the red sofa",
        "frame": "scene",
        "unit": "cm",
        "stopped": True,
        "robot": "drone",
        "steps": [
            {"position": [0, 0, 0], "plan": ["go to the hall", "find the sofa"]},
            {"action": "forward", "position": [100, 0, 0], "feedback": "moved", "thought": "on"},
            {"action": "fly", "feedback": "no such action", "success": False, "ms": 4},
        ],
    }
]

VLNVERSE_CSV = (
    "pos_x,pos_y,pos_z,look_x,look_y,look_z,frame\n"
    "1.0,2.0,1.5,1,0,0,0\n1.5,2.0,1.5,0.0,1.0,0.0,50\n"
)

SUBMISSION = {
    "episodes": [
        {
            "episode_id": "kujiale_0010_1_2",
            "trajectory_id": "kujiale_0010_1_2",
            "scan": "kujiale_0010",
            "start_position": [1.0, 2.0, 0.0],
            "start_rotation": [1.0, 0.0, 0.0, 0.0],
            "instruction": {"instruction_text": "go", "instruction_tokens": [0]},
            "reference_path": [[1.0, 2.0, 0.0], [1.25, 2.0, 0.0], [1.25, 2.0, 0.0]],
            "goals": {"position": [1.25, 2.0, 0.0], "radius": 3.0},
            "info": {"geodesic_distance": -1},
        }
    ],
    "instruction_vocab": {"word_list": ["a"]},
}

WAYPOST = [
    {
        "waypost_run": 1,
        "episode_id": "7",
        "model": "agent",
        "frame": "habitat",
        "heading_convention": "r2r",
        "viewpoints": ["a", "b"],
        "positions": [[1.0, 0.5, -2.0], [1.0, 0.5, -4.0]],
        "headings": [0.0, None],
        "decisions": [
            {
                "first_pose": 1,
                "end_pose": 2,
                "thought": "on",
                "options": [{"label": "A", "position": [0.0, 0.0, -1.0], "heading": 0.5}],
                "events": [{"kind": "collision", "message": "wall"}],
                "seconds": 2,
            }
        ],
        "end": {"called_stop": True, "action_count": 2},
        "reported": {"spl": 0.5, "ne": None},
        "temperature": 0.5,
    },
    {"waypost_run": 1, "episode_id": 8},
]


def lines(values: list[Any]) -> str:
    """JSON lines."""
    return "".join(json.dumps(value) + "\n" for value in values)


RXR_FOLLOWER = [
    {
        "demonstration_id": 31,
        "instruction_id": 26,
        "annotator_id": 43,
        "path": [V[0], V[1]],
        "metrics": {"ne": 0, "sr": 1.0, "spl": 0.9479355350139731},
    },
    {"demonstration_id": 32, "instruction_id": 27, "path": [V[2]], "metrics": {}},
]

SOON_SUBMISSION = [
    {
        "instr_id": "161_0",
        "trajectory": {
            "obj_elevation": [0.5],
            "obj_heading": [0.25],
            "path": [[V[0]], [V[1], V[2]], [V[3]]],
        },
    },
    {
        "instr_id": "161_1",
        "trajectory": {"obj_elevation": [0.25], "obj_heading": [0.0], "path": [[V[0]]]},
        "seed": 3,
    },
]

DUET_DETAILS = [
    {
        "details": {
            V[0]: {"stop_prob": 0.01},
            V[1]: {"stop_prob": 0.625},
            V[2]: {"stop_prob": 0.2},
        },
        "instr_id": "1_0",
        "trajectory": [[V[0]], [V[1]], [V[2]], [V[2], V[1]]],
    },
    {
        "details": {
            V[4]: {"obj_ids": ["17", "5"], "obj_logits": [0.5, 2.25], "stop_prob": 0.25},
        },
        "instr_id": "9_1_2",
        "pred_objid": "5",
        "trajectory": [[V[4]], [V[5]]],
    },
]

OCTONAV = [
    {
        "id": 0,
        "tasks": ["ImageNav", "R2R-VLN-CE"],
        "metrics": {
            "OctoNav": {
                "distance_to_goal": 2.5,
                "success": 1.0,
                "oracle_success": 1.0,
                "spl": 0.75,
            },
            "ImageNav": {"success": 1.0, "oracle_success": 1.0, "spl": 0.5},
            "VLN-CE": {"success": 1.0, "oracle_success": 1.0, "spl": 0.25},
        },
    },
]

NAVID_STATS = {
    "distance_to_goal": 2.5,
    "success": 1.0,
    "spl": 0.75,
    "path_length": 9.25,
    "oracle_success": 1.0,
    "id": 7,
}

SAMPLES: dict[str, tuple[str, str]] = {
    "rxr-follower": ("rxr_val_seen_follower.jsonl", lines(RXR_FOLLOWER)),
    "vlnce-r2r": ("preds.json", json.dumps(VLNCE_R2R)),
    "vlnce-rxr": ("preds.jsonl", lines(VLNCE_RXR)),
    "internnav-progress": ("progress.json", lines(PROGRESS)),
    "navid-stats": ("stats_7.json", json.dumps(NAVID_STATS, indent=4)),
    "octonav-results": ("final_results.json", json.dumps(OCTONAV)),
    "soon-submission": (
        "submit_val_unseen.json",
        json.dumps(SOON_SUBMISSION, indent=4, sort_keys=True),
    ),
    "duet-details": ("detail_val_seen.json", json.dumps(DUET_DETAILS, indent=4, sort_keys=True)),
    "navgpt": ("detail_val.json", json.dumps(NAVGPT, indent=4, sort_keys=True)),
    "mapgpt": ("case_InstrID_15_2.json", json.dumps(MAPGPT_CASE, indent=4, sort_keys=True)),
    "mapgpt-console": ("run.log", MAPGPT_CONSOLE),
    "msnav-objects": ("objects.json", json.dumps(MSNAV_OBJECTS, indent=2)),
    "discussnav-log": ("DiscussNav.log", DISCUSSNAV_LOG),
    "discussnav-cache": ("eval_cache.json", json.dumps(DISCUSSNAV_CACHE, indent=2)),
    "opennav": ("stats_ep_ckpt_val_r0_w1.json", json.dumps(OPENNAV_STATS, indent=4)),
    "capnav": ("q7__SWEEPER.json", json.dumps(CAPNAV, indent=2)),
    "plan-feedback": ("plans.json", json.dumps(PLAN_FEEDBACK)),
    "vlnverse-csv": ("kujiale_0010_1_2.csv", VLNVERSE_CSV),
    "vlnverse-submission": ("submission.json", json.dumps(SUBMISSION)),
    "waypost": ("runs.jsonl", lines(WAYPOST)),
}
"""A file name and its text, by the key of the format."""

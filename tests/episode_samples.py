"""One small file of every episode format, written by hand after the published schemas."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

A, B, C, D = "a" * 32, "b" * 32, "c" * 32, "d" * 32

R2R: list[dict[str, Any]] = [
    {
        "distance": 10.86,
        "scan": "8194nk5LbLH",
        "path_id": 4332,
        "path": [A, B, C],
        "heading": math.pi / 2,
        "instructions": ["Walk to the exit. ", "Geh zum Ausgang – bitte."],
        "note": {"kept": [1, 2.5, None]},
    },
    {"scan": "8194nk5LbLH", "path_id": 7, "path": [A], "heading": -0.0, "instructions": ["Go."]},
]

R4R: list[dict[str, Any]] = [
    {
        "distance": 21.5,
        "first_path_id": 4332,
        "heading": 0.0,
        "instructions": ["One. Two."],
        "path": [A, B, C, A],
        "path_id": 0,
        "scan": "8194nk5LbLH",
        "second_path_id": 2390,
        "shortest_path": [A],
        "shortest_path_distance": 0.0,
    }
]

FGR2R: list[dict[str, Any]] = [
    {
        "distance": 10.86,
        "scan": "8194nk5LbLH",
        "path_id": 4332,
        "path": [A, B, C, D],
        "heading": 4.055,
        "instructions": ["Walk to the other end and wait. ", "Go forward. "],
        "new_instructions": "[[['walk', 'to', 'the', 'child', \"'s\", 'room'], ['and', 'wait']],"
        " [['go', 'forward']]]",
        "chunk_view": [[[1, 4], [4, 4]], [[1, 3]]],
    }
]

RXR_GUIDE: list[dict[str, Any]] = [
    {
        "path_id": 11,
        "split": "val_seen",
        "scan": "2n8kARJN3HM",
        "heading": 3.105381634905035,
        "path": [A, B],
        "instruction_id": 26,
        "annotator_id": 19,
        "language": "hi-IN",
        "instruction": "ठीक है, now",
        "timed_instruction": [
            {"start_time": 0.4, "word": "ठीक", "end_time": 1.0},
            {"word": "now"},
        ],
        "edit_distance": 0.11137440758293839,
    },
    {
        "path_id": 12,
        "split": "val_seen",
        "scan": "2n8kARJN3HM",
        "heading": 0.5,
        "path": [C, D],
        "instruction_id": 27,
        "annotator_id": 20,
        "language": "en-US",
        "instruction": "Turn.",
        "timed_instruction": [],
        "edit_distance": 0.0,
    },
]

RXR_FOLLOWER: list[dict[str, Any]] = [
    {
        "demonstration_id": 31,
        "instruction_id": 26,
        "annotator_id": 43,
        "path": [A, C, B],
        "metrics": {"ne": 0, "sr": 1.0, "spl": 0.9479355350139731},
    },
    {"demonstration_id": 32, "instruction_id": 26, "annotator_id": 44, "path": [A], "metrics": {}},
]

REVERIE: list[dict[str, Any]] = [
    {
        "distance": 8.5,
        "ix": 0,
        "scan": "8194nk5LbLH",
        "id": "4332_105",
        "path_id": 4332,
        "objId": 105,
        "path": [A, B, C],
        "heading": 0.25,
        "instructions": ["Water the plant", "Fetch the plant in the hall"],
        "instructions_l": [["water", "the", "plant"], ["fetch"]],
    }
]


def _corner(heading: float, elevation: float) -> dict[str, float]:
    return {"heading": heading, "elevation": elevation}


SOON: list[dict[str, Any]] = [
    {
        "path_id": "0-1",
        "scan": "8194nk5LbLH",
        "path": [A, B, C],
        "instructions": [{"full": "Find the white sink.", "object_name": "sink"}],
        "bboxes": [
            {
                "image_id": C,
                "scan": "8194nk5LbLH",
                "obj_name": "sink",
                "target": {
                    "center": _corner(6.2, 0.0),
                    "left_top": _corner(6.1, 0.2),
                    "right_top": _corner(6.3, 0.2),
                    "right_bottom": _corner(6.3, -0.2),
                    "left_bottom": _corner(6.1, -0.2),
                },
                "pseudo_label": {"obj_id": 44},
            }
        ],
        "instr_encodings": [{"full": [101, 102]}],
    },
    {
        "path_id": "0-2",
        "scan": "8194nk5LbLH",
        "path": [A],
        "instructions": [{"full": "Find it."}],
        "bboxes": [],
    },
]

CVDN: list[dict[str, Any]] = [
    {
        "inst_idx": 12,
        "game_idx": 3,
        "scan": "8194nk5LbLH",
        "target": "plant",
        "start_pano": {"heading": math.pi, "elevation": 0.1, "pano": B},
        "nav_camera": [{"message": "heading"}],
        "nav_history": [A, B],
        "dialog_history": [
            {"nav_idx": 0, "role": "navigator", "message": "Left?"},
            {"nav_idx": 1, "role": "oracle", "message": "No, right."},
        ],
        "end_panos": [C, D],
        "planner_path": [B, C],
        "player_path": [B, A, C, D],
    },
    {
        "inst_idx": 13,
        "scan": "8194nk5LbLH",
        "target": "lamp",
        "start_pano": {"heading": 0.0, "elevation": 0.0, "pano": A},
        "nav_camera": [],
        "nav_history": [],
        "dialog_history": [],
    },
]

NAVBENCH: list[dict[str, Any]] = [
    {
        "distance": 5.03,
        "scan": "GdvgFV5R1Z5",
        "path_id": 6327,
        "path": [A, B],
        "heading": 2.029,
        "instruction": "Go up,\r\nthen “wait”. ",
        "instr_id": 0,
    }
]

VLNCE_R2R: dict[str, Any] = {
    "episodes": [
        {
            "episode_id": 1,
            "trajectory_id": 4,
            "scene_id": "mp3d/8194nk5LbLH/8194nk5LbLH.glb",
            "start_position": [1.0, 0.5, -2.0],
            "start_rotation": [0.0, math.sin(math.pi / 4), 0.0, math.cos(math.pi / 4)],
            "info": {"geodesic_distance": 6.425554275512695},
            "goals": [{"position": [-3.0, 0.5, -2.0], "radius": 3.0}],
            "instruction": {"instruction_text": "Walk.", "instruction_tokens": [2384, 717, 0]},
            "reference_path": [[1.0, 0.5, -2.0], [-1.0, 0.5, -2.0], [-3.0, 0.5, -2.0]],
        },
        {
            "episode_id": 2,
            "trajectory_id": 5,
            "scene_id": "mp3d/8194nk5LbLH/8194nk5LbLH.glb",
            "start_position": [1, 0, 2],
            "start_rotation": [0, 0, 0, 1],
            "info": None,
            "goals": None,
            "instruction": {"instruction_text": "Go.", "instruction_tokens": []},
        },
    ],
    "instruction_vocab": {"word_list": ["go", "walk"], "word2idx_dict": {"go": 0}},
}

VLNCE_RXR: dict[str, Any] = {
    "episodes": [
        {
            "episode_id": "1",
            "trajectory_id": "17",
            "scene_id": "mp3d/2n8kARJN3HM/2n8kARJN3HM.glb",
            "start_position": [0.0, 0.0, 0.0],
            "start_rotation": [0.0, 0.0, 0.0, 1.0],
            "info": {"geodesic_distance": 4.0},
            "goals": [{"position": [0.0, 0.0, -4.0], "radius": 3.0}],
            "instruction": {
                "instruction_id": "26",
                "instruction_text": "ముందుకు",
                "language": "te-IN",
                "annotator_id": "19",
                "edit_distance": 0.25,
                "timed_instruction": [{"word": "ముందుకు", "start_time": 0.0, "end_time": 1.5}],
            },
            "reference_path": [[0.0, 0.0, 0.0], [0.0, 0.0, -4.0]],
        }
    ]
}

_POSE: dict[str, Any] = {
    "start_position": [1.0, 2.0, 0.0],
    "start_rotation": [math.cos(math.pi / 12), 0.0, 0.0, math.sin(math.pi / 12)],
}
_REST: dict[str, Any] = {
    "reference_path": [[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0 + math.cos(math.pi / 6), 2.5, 0.0]],
    "goals": {"position": [1.0 + math.cos(math.pi / 6), 2.5, 0.0], "radius": 3.0},
    "info": {"geodesic_distance": -1},
    "scan": "kujiale_0010",
    "episode_id": "kujiale_0010_4_4",
    "trajectory_id": "kujiale_0010_4_4",
    "scene_id": "vlnverse/kujiale_0010",
}


def _vlnverse(**members: Any) -> dict[str, Any]:
    return {**_POSE, "instruction": members.pop("instruction"), **_REST, **members}


VLNVERSE_FINE = [_vlnverse(instruction={"instruction_text": "Go.", "instruction_tokens": [0, 0]})]
VLNVERSE_COARSE = [
    _vlnverse(
        instruction={
            "instruction_text": {"natural": "Could you", "formal": "Please", "casual": "Hey"},
            "instruction_tokens": [0],
        }
    )
]
VLNVERSE_LONG_HORIZON = [
    _vlnverse(
        instruction={"instruction_text": "First this, then that."},
        goals=[
            {"position": [1.5, 2.0, 0.0], "radius": 2.0, "name": "desk"},
            {"position": [4.0, 2.0, 0.0], "radius": 3.0},
        ],
    )
]
VLNVERSE_VISUAL = [
    _vlnverse(instruction={"instruction_text": "", "reference_image": "images/goal_4.png"})
]
VLNVERSE_DIALOGUE = [
    _vlnverse(
        instruction={
            "instruction_text": "Find the lamp.",
            "dialogue": [
                {"role": "agent", "content": "Which?"},
                {"question": "Left?", "answer": "Right."},
                "Bye.",
            ],
        }
    )
]

CAPNAV: dict[str, Any] = {
    "scene": "HM3D00010",
    "questions": [
        {
            "question": "Can it go from the bed to the sink via the hall?",
            "nodes_involved": {
                "start": "bedroom",
                "start_detail": "bed",
                "intermediate": ["Hall"],
                "end": "node_3 — bathroom",
                "end_detail": "sink",
            },
        }
    ],
}


@dataclass(frozen=True)
class Sample:
    """A file of one format."""

    format: str
    name: str
    content: Any

    @property
    def is_lines(self) -> bool:
        """Whether it is JSON lines."""
        return self.name.endswith(".jsonl")

    def text(self) -> str:
        """The file as text."""
        if self.is_lines:
            return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in self.content)
        return json.dumps(self.content, ensure_ascii=False)

    def write(self, folder: Path) -> Path:
        """Put the file into a folder."""
        path = folder / self.name
        path.write_text(self.text(), encoding="utf-8")
        return path


SAMPLES = (
    Sample("r2r", "R2R_val_unseen.json", R2R),
    Sample("r4r", "R4R_val_seen.json", R4R),
    Sample("fgr2r", "FGR2R_train.json", FGR2R),
    Sample("rxr", "rxr_val_seen_guide.jsonl", RXR_GUIDE),
    Sample("rxr-follower", "rxr_val_seen_follower.jsonl", RXR_FOLLOWER),
    Sample("reverie", "REVERIE_val_seen.json", REVERIE),
    Sample("soon", "val_unseen_enc.jsonl", SOON),
    Sample("cvdn", "val_seen.json", CVDN),
    Sample("navbench", "NavBench_Easy.json", NAVBENCH),
    Sample("vlnce-r2r", "val_unseen.json", VLNCE_R2R),
    Sample("vlnce-rxr", "val_seen_guide.json", VLNCE_RXR),
    Sample("vlnverse-fine", "fine_grained_demo.json", VLNVERSE_FINE),
    Sample("vlnverse-coarse", "coarse_grained_demo.json", VLNVERSE_COARSE),
    Sample("vlnverse-long-horizon", "long_horizon.json", VLNVERSE_LONG_HORIZON),
    Sample("vlnverse-visual", "visual.json", VLNVERSE_VISUAL),
    Sample("vlnverse-dialogue", "dialogue.json", VLNVERSE_DIALOGUE),
    Sample("vlnverse-fine", "fine_val.json", {"episodes": VLNVERSE_FINE, "instruction_vocab": {}}),
    Sample("vlnverse-fine", "fine_test.json", {"episodes": VLNVERSE_FINE}),
    Sample("capnav", "HM3D00010_QA.json", CAPNAV),
    Sample("capnav", "HM3D00011_QA.json", CAPNAV["questions"]),
)
"""A file of every JSON format, and of the two shapes that some come in."""

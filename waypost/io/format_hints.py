"""What to say of a file that no format knows: what is in it, and which formats it resembles."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.base.visible_text import one_line
from waypost.io.file_head import FileHead

MOST_NAMED: Final = 3
"""So many formats are named as alike, so many keys or names as found."""

ALL_FORMATS: Final = "`waypost convert --list` names all formats"

_R2R: Final = ("scan", "path_id", "path", "instructions")
_SPACE: Final = ("episode_id", "scene_id", "start_position", "start_rotation", "instruction")

EPISODE_KEYS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "rxr-pose-trace": (),
        "rxr-follower": ("demonstration_id", "instruction_id", "path"),
        "rxr": ("instruction_id", "language", "scan", "path_id", "instruction"),
        "cvdn": ("inst_idx", "scan", "start_pano", "dialog_history"),
        "soon": ("path", "instructions", "bboxes"),
        "reverie": (*_R2R, "objId"),
        "fgr2r": (*_R2R, "new_instructions"),
        "r4r": (*_R2R, "first_path_id"),
        "navbench": ("scan", "path_id", "path", "instruction"),
        "r2r": _R2R,
        "vlnverse-long-horizon": (*_SPACE, "stages"),
        "vlnverse-dialogue": (*_SPACE, "dialogue"),
        "vlnverse-visual": (*_SPACE, "reference_image"),
        "vlnverse-coarse": (*_SPACE, "goals"),
        "vlnverse-fine": (*_SPACE, "goals", "reference_path"),
        "vlnce-rxr": (*_SPACE, "goals", "reference_path"),
        "vlnce-r2r": (*_SPACE, "goals", "reference_path"),
        "capnav": ("question", "nodes_involved"),
        "navbench-csv": ("scan", "path_id", "path", "instruction"),
    }
)
"""Format of episodes → keys of a record, or columns, that it is known by; none: no keys."""

RUN_KEYS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "waypost": ("waypost_run", "episode_id"),
        "navgpt": ("instr_id", "trajectory", "details", "action_plan", "llm_thought"),
        "mapgpt": ("instr_id", "trajectory", "a_t"),
        "mapgpt-console": (),
        "msnav-objects": ("direct_obj", "potential_obj"),
        "capnav": ("scene", "prompt_file", "num_frames"),
        "internnav-progress": ("scene_id", "episode_id", "success", "spl"),
        "vlnce-r2r": ("position", "heading", "stop"),
        "rxr-follower": ("demonstration_id", "instruction_id", "path"),
        "vlnce-rxr": ("instruction_id", "path"),
        "vlnverse-submission": ("episode_id", "reference_path", "start_position"),
        "vlnverse-csv": ("pos_x", "pos_y", "pos_z", "look_x", "look_y", "look_z"),
        "vlnpe-lmdb": (),
        "opennav": ("steps_taken", "distance_to_goal", "success", "spl"),
        "discussnav-cache": ("trajectory_length", "nav_error", "success", "oracle_success", "spl"),
        "discussnav-log": (),
        "plan-feedback": ("episode_id", "steps", "plan", "feedback"),
        "score-totals": ("sucs_all", "spls_all"),
        "r2r": ("instr_id", "trajectory"),
    }
)
"""The same for formats of runs."""


def unknown_content(head: FileHead, what: str) -> str:
    """Why a file cannot be used: one sentence of what is in it and what it resembles.

    Args:
        head: The beginning of the file or folder.
        what: What was looked for: ``episodes`` or ``runs``.
    """
    told = f"holds no {what} in a known format, but {_content(head)}"
    table = EPISODE_KEYS if what == "episodes" else RUN_KEYS
    alike = closest_formats(_keys(head), table)
    if alike:
        told += f"; closest {'is' if len(alike) == 1 else 'are'} {', '.join(alike)}"
    return f"{told}; {ALL_FORMATS}"


def unknown_name(name: str, known: Collection[str], what: str) -> str:
    """Why a format cannot be chosen: its name is none, but resembles some."""
    alike = difflib.get_close_matches(name, known, MOST_NAMED, 0.5)
    nearest = f"; closest {'is' if len(alike) == 1 else 'are'} {', '.join(alike)}" if alike else ""
    return f"{name!r} is no format of {what}{nearest}; {ALL_FORMATS}"


def closest_formats(
    found: Collection[str], table: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """The formats that share keys with a file, each with the keys that it lacks.

    Those whose keys are there for the greatest part come first; at most ``MOST_NAMED``.
    """
    present = set(found)
    shares = {
        name: len(present.intersection(keys)) / len(keys)
        for name, keys in table.items()
        if present.intersection(keys)
    }
    best = sorted(shares, key=lambda name: -shares[name])[:MOST_NAMED]
    return tuple(
        _lacking(name, [key for key in table[name] if key not in present]) for name in best
    )


def _lacking(name: str, missing: list[str]) -> str:
    why = f"without {' and '.join(missing[:MOST_NAMED])}" if missing else "its keys in another form"
    return f"{name} ({why})"


def _records(head: FileHead) -> list[dict[str, Any]]:
    """The objects at the top of a file: itself, its first item, and the first item of that."""
    found: list[dict[str, Any]] = []
    value = head.sample
    for _ in range(3):
        if isinstance(value, dict):
            found.append(value)
            value = next((v for v in value.values() if isinstance(v, dict | list)), None)
        elif isinstance(value, list):
            value = value[0] if value else None
            if isinstance(value, dict):
                continue
    return found


def _keys(head: FileHead) -> set[str]:
    if head.sample is not None:
        return {key for record in _records(head) for key in record}
    first_line = head.text.partition("\n")[0]
    return {cell.strip().strip('"') for cell in re.split(r"[,;\t]", first_line)}


def _content(head: FileHead) -> str:
    if head.is_folder:
        return f"a folder with {_some(head.names, 'name')}" if head.names else "an empty folder"
    sample = head.sample
    if isinstance(sample, dict):
        return f"a JSON object with {_some(sample, 'key')}"
    if isinstance(sample, list):
        kind = "JSON lines" if head.is_lines else "a JSON array"
        if sample and isinstance(sample[0], dict):
            return f"{kind} of objects with {_some(sample[0], 'key')}"
        return f"{kind} of other things than objects"
    if b"\x00" in head.start[:4096]:
        return "no text"
    words = one_line(head.text.strip(), 40)
    return f"text that begins with {json.dumps(words, ensure_ascii=False)}" if words else "nothing"


def _some(names: Collection[str], noun: str) -> str:
    shown = [one_line(name, 40) for name in islice(names, MOST_NAMED)]
    more = len(names) - len(shown)
    named = ", ".join(json.dumps(name, ensure_ascii=False) for name in shown)
    return f"the {noun if len(names) == 1 else f'{noun}s'} {named}" + (
        f" and {more} more" if more else ""
    )

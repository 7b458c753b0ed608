"""The pose trace of the guide who spoke an instruction, found beside the annotations.

Source: google-research-datasets/RxR:README.md (``rxr-data/pose_traces/rxr_<split>/``).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.guide_trace import GuideStay, GuideTrace
from waypost.io.datasets.rxr_pose_traces import read_pose_trace

_ID: Final = re.compile(r"[0-9]{1,12}")
_SPLIT: Final = re.compile(r"\w{1,40}")
_SPLITS: Final = ("rxr_train", "rxr_val_seen", "rxr_val_unseen")
_MOST_STAYS: Final = 5_000
_LEVELS: Final = 3
"""Folders looked into, from that of the annotations upwards: RxR-Habitat has one per split."""


def find_guide_trace(annotations: Path, split: str, instruction_id: str) -> Path | None:
    """The pose trace of a guide; ``None`` if there is none.

    Instruction ids are the same in RxR and RxR-Habitat and in no two splits, so the trace may lie
    in the folder of any split.

    Args:
        annotations: File or folder of the episodes.
        split: As the episode has it; its folder is looked into first.
        instruction_id: Of RxR; anything else has no trace.
    """
    if not _ID.fullmatch(instruction_id):
        return None
    name = f"{int(instruction_id):06}_guide_pose_trace.npz"
    return next(
        (
            folder / name
            for folder in _folders(annotations, split)
            if os.path.isfile(folder / name)  # noqa: PTH113 – false where not allowed to look
        ),
        None,
    )


def _folders(annotations: Path, split: str) -> Iterator[Path]:
    start = annotations.resolve()
    above = [start, *start.parents] if start.is_dir() else list(start.parents)
    own = (f"rxr_{split}", split) if _SPLIT.fullmatch(split) else ()
    names = dict.fromkeys((*own, *_SPLITS, ""))
    for folder in above[:_LEVELS]:
        for root in (folder / "pose_traces", folder / "rxr-data" / "pose_traces"):
            if root.is_dir():
                yield from (root / name for name in names)
    yield above[0]


def read_guide_trace(path: Path) -> GuideTrace:
    """Where the guide stood when, of one pose trace.

    Raises:
        ReadError: If the file is damaged, its arrays do not belong together, or no person can have
            walked so.
    """
    trace = read_pose_trace(path)
    positions = np.asarray(trace.poses.positions_m)
    stays: list[GuideStay] = []
    for viewpoint_id, numbers in groupby(
        range(len(trace.times_s)), key=trace.poses.viewpoint_ids.__getitem__
    ):
        first = next(numbers)
        x, y, z = positions[first].tolist()
        if len(stays) == _MOST_STAYS:
            raise ReadError(str(path), f"pano[{first}]", f"is the end of {_MOST_STAYS:,} stays")
        stays.append(GuideStay(viewpoint_id, (x, y, z), float(trace.times_s[first])))
    return GuideTrace(tuple(stays))

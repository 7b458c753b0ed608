"""Result files that state totals only: recognised, kept, and never taken for runs.

VLN-PE and VLNVerse ``result.json`` ({split: {TL, NE, FR, StR, OS, SR, SPL, Count}}), InternNav on
Habitat ``result.json`` ({sucs_all, spls_all, oss_all, nes_all, length}), NavBench
``execution_sr_spl_avg.json`` ({easy: {sr, spl}, …}) and ``stats_ckpt_<n>_<split>.json`` of VLN-CE,
ETPNav and g3D-LF ({steps_taken, distance_to_goal, success, spl, …}).
Source: InternRobotics/InternNav:internnav/evaluator, NavBench/Evaluation_Code,
jacobkrantz/VLN-CE:vlnce_baselines/common/base_il_trainer.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run import EpisodeRun
from waypost.io.file_head import FileHead
from waypost.io.item_reading import read_items
from waypost.io.json_writing import write_json_file
from waypost.io.logs.run_format import RunFormat
from waypost.io.read_log import ReadLog

_VLNCE: Final = frozenset({"distance_to_goal", "success", "spl"})
_VLNPE: Final = frozenset({"TL", "NE", "OS", "SR", "SPL", "Count"})


def can_read(head: FileHead) -> bool:
    """Whether the file holds nothing but totals."""
    value = head.first if head.is_lines else head.sample
    if not isinstance(value, dict) or not value:
        return False
    is_habitat = {"sucs_all", "spls_all"} <= value.keys()
    numbers = all(isinstance(member, int | float) for member in value.values())
    is_vlnce = value.keys() >= _VLNCE and "id" not in value and numbers
    return is_habitat or is_vlnce or all(_is_totals(member) for member in value.values())


def _is_totals(member: Any) -> bool:
    if not isinstance(member, dict):
        return False
    return member.keys() >= _VLNPE or member.keys() == {"sr", "spl"}


def read(path: Path, log: ReadLog) -> Iterator[EpisodeRun]:
    """Yield nothing; the totals go to ``log.document`` with a note that says so."""
    yield from ()
    for item in read_items(path, log):
        if item.key:
            log.document[item.key] = item.json.value
        else:
            log.document |= item.json.as_object()
    log.add(
        ImportKind.NOTE,
        "the file states totals only and no single run; they cannot be checked or compared by"
        " episode",
        item_id=str(path),
        value=", ".join(log.document),
    )


def write(path: Path, runs: Iterable[EpisodeRun], log: ReadLog) -> None:
    """Write the totals of ``log.document`` back.

    Raises:
        InputError: If there are runs, whose scores only ``evaluate`` may total.
    """
    if next(iter(runs), None) is not None:
        raise InputError(f"{path}: holds totals only; runs cannot be written there")
    write_json_file(path, log.document)


FORMAT: Final = RunFormat(
    name="score-totals",
    title="Totals of VLN-PE, VLNVerse, InternNav, NavBench, VLN-CE or ETPNav",
    can_read=can_read,
    read=read,
    conventions=(
        "totals as the source states them: NavBench in percent, the others as fractions; distances"
        " in metres; no runs"
    ),
    source="InternRobotics/InternNav:internnav/evaluator/utils/result_logger.py",
    write=write,
    keys=("sucs_all", "spls_all"),
)

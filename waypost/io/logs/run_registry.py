"""The formats of runs Waypost reads, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from waypost.domain.episode.run import EpisodeRun
from waypost.io.format_choice import choose_format
from waypost.io.logs import (
    capnav_results,
    discussnav_cache,
    discussnav_log,
    internnav_runs,
    mapgpt_console,
    mapgpt_runs,
    msnav_objects,
    navgpt_runs,
    opennav_runs,
    plan_feedback_runs,
    r2r_runs,
    rxr_follower_runs,
    score_totals,
    vlnce_r2r_runs,
    vlnce_rxr_runs,
    vlnpe_lmdb,
    vlnverse_csv_runs,
    vlnverse_submission,
    waypost_runs,
)
from waypost.io.logs.run_format import RunFormat
from waypost.io.read_log import ReadLog

FORMATS: Final[tuple[RunFormat, ...]] = (
    waypost_runs.FORMAT,
    navgpt_runs.FORMAT,
    mapgpt_runs.FORMAT,
    mapgpt_console.FORMAT,
    msnav_objects.FORMAT,
    capnav_results.FORMAT,
    internnav_runs.FORMAT,
    vlnce_r2r_runs.FORMAT,
    rxr_follower_runs.FORMAT,
    vlnce_rxr_runs.FORMAT,
    vlnverse_submission.FORMAT,
    vlnverse_csv_runs.FORMAT,
    vlnpe_lmdb.FORMAT,
    opennav_runs.FORMAT,
    discussnav_cache.FORMAT,
    discussnav_log.FORMAT,
    plan_feedback_runs.FORMAT,
    score_totals.FORMAT,
    r2r_runs.FORMAT,
)


def find_run_format(path: Path, name: str = "") -> RunFormat:
    """The format that a file or folder shows by its content, or the one named.

    Raises:
        ReadError: If no format knows the content, or the name is unknown.
    """
    return choose_format(FORMATS, path, name, "runs")


def read_runs(path: Path, log: ReadLog, name: str = "") -> Iterator[EpisodeRun]:
    """Yield the runs of a file or folder of any known format.

    Raises:
        ReadError: If the file cannot be used.
    """
    return find_run_format(path, name).read(path, log)

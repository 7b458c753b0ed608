"""The formats of episodes and runs that Waypost reads, and which of them a file is in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.io.datasets import (
    capnav_episodes,
    cvdn_episodes,
    fgr2r_episodes,
    navbench_episodes,
    navbench_tables,
    r2r_episodes,
    r4r_episodes,
    reverie_episodes,
    rxr_follower_episodes,
    rxr_guide_episodes,
    rxr_pose_traces,
    soon_episodes,
    vlnce_r2r_episodes,
    vlnce_rxr_episodes,
    vlnverse_coarse_episodes,
    vlnverse_dialogue_episodes,
    vlnverse_fine_episodes,
    vlnverse_long_horizon_episodes,
    vlnverse_visual_episodes,
)
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.file_head import FileHead, read_head
from waypost.io.foreign_errors import reading
from waypost.io.format_hints import unknown_content, unknown_name
from waypost.io.item_format import ItemFormat
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

F = TypeVar("F", bound=ItemFormat[Any])

EPISODE_FORMATS: Final[tuple[EpisodeFormat, ...]] = (
    rxr_pose_traces.FORMAT,
    rxr_follower_episodes.FORMAT,
    rxr_guide_episodes.FORMAT,
    cvdn_episodes.FORMAT,
    soon_episodes.FORMAT,
    reverie_episodes.FORMAT,
    fgr2r_episodes.FORMAT,
    r4r_episodes.FORMAT,
    navbench_episodes.FORMAT,
    r2r_episodes.FORMAT,
    vlnverse_long_horizon_episodes.FORMAT,
    vlnverse_dialogue_episodes.FORMAT,
    vlnverse_visual_episodes.FORMAT,
    vlnverse_coarse_episodes.FORMAT,
    vlnverse_fine_episodes.FORMAT,
    vlnce_rxr_episodes.FORMAT,
    vlnce_r2r_episodes.FORMAT,
    capnav_episodes.FORMAT,
    navbench_tables.FORMAT,
)
"""In the order in which they are asked."""

RUN_FORMATS: Final[tuple[RunFormat, ...]] = (
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
"""In the order in which they are asked."""

_KINDS: Final[Mapping[str, tuple[ItemFormat[Any], ...]]] = MappingProxyType(
    {"runs": RUN_FORMATS, "episodes": EPISODE_FORMATS}
)


def find_episode_format(path: Path, name: str = "") -> EpisodeFormat:
    """The format that a file shows by its content, or the one named.

    Raises:
        ReadError: If no format knows the content, or the name is unknown.
    """
    return _find(EPISODE_FORMATS, path, name, "episodes")


def find_run_format(path: Path, name: str = "") -> RunFormat:
    """The format that a file or folder shows by its content, or the one named.

    Raises:
        ReadError: If no format knows the content, or the name is unknown.
    """
    return _find(RUN_FORMATS, path, name, "runs")


def read_episodes(path: Path, log: ReadLog, name: str = "") -> Iterator[Episode]:
    """Yield the episodes of a file of any known format.

    Raises:
        ReadError: If the file cannot be used.
    """
    return find_episode_format(path, name).read(path, log)


def read_runs(path: Path, log: ReadLog, name: str = "") -> Iterator[EpisodeRun]:
    """Yield the runs of a file or folder of any known format.

    Raises:
        ReadError: If the file cannot be used.
    """
    return find_run_format(path, name).read(path, log)


def _find(formats: tuple[F, ...], path: Path, name: str, what: str) -> F:
    if name:
        named = next((entry for entry in formats if entry.name == name), None)
        if named is None:
            known = [entry.name for entry in formats]
            raise ReadError(str(path), "format", unknown_name(name, known, what))
        return named
    with reading(path):
        return _known_by_content(formats, path, what)


def _known_by_content(formats: tuple[F, ...], path: Path, what: str) -> F:
    head = read_head(path)
    found = next((entry for entry in formats if entry.can_read(head)), None)
    if found is None and "".join(head.text.split()) in {"[]", "{}"}:
        raise ReadError(str(path), "file", f"holds no {what}: the list in it is empty")
    if found is None:
        other = _kind_of(head)
        reason = f"holds {other}, no {what}" if other else unknown_content(head, what)
        raise ReadError(str(path), "file", reason)
    return found


def _kind_of(head: FileHead) -> str:
    """What a file holds by its content; empty if that is neither episodes nor runs."""
    return next(
        (kind for kind, known in _KINDS.items() if any(entry.can_read(head) for entry in known)),
        "",
    )

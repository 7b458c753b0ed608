"""The formats of episodes and runs that Waypost reads, and which of them a file is in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from waypost.domain.base.errors import ReadError
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
    duet_details,
    internnav_runs,
    navid_stats,
    octonav_results,
    r2r_runs,
    rxr_follower_runs,
    score_totals,
    soon_submission,
    vlnce_r2r_runs,
    vlnce_rxr_runs,
    vlnpe_lmdb,
    vlnverse_csv_runs,
    vlnverse_submission,
    waypost_runs,
)
from waypost.io.logs.language_models import (
    capnav_results,
    discussnav_cache,
    discussnav_log,
    mapgpt_console,
    mapgpt_runs,
    msnav_objects,
    navgpt_runs,
    opennav_runs,
    plan_feedback_runs,
)
from waypost.io.logs.run_format import RunFormat
from waypost.io.read_log import ReadLog

T = TypeVar("T")
F_co = TypeVar("F_co", bound=ItemFormat[Any], covariant=True)


@dataclass(frozen=True)
class KnownFormats(Generic[F_co]):
    """Formats of one kind of items, in the order in which they are asked."""

    what: str
    """``episodes`` or ``runs``."""

    formats: tuple[F_co, ...]

    def __iter__(self) -> Iterator[F_co]:
        return iter(self.formats)

    def of_content(self, head: FileHead) -> F_co | None:
        """The format that the beginning of a file or folder shows; ``None`` if none knows it."""
        return next((entry for entry in self.formats if entry.can_read(head)), None)

    def find(self, path: Path, name: str = "") -> F_co:
        """The format that a file or folder shows by its content, or the one named.

        Raises:
            ReadError: If no format knows the content, or the name is unknown.
        """
        if name:
            named = next((entry for entry in self.formats if entry.name == name), None)
            if named is None:
                known = [entry.name for entry in self.formats]
                raise ReadError(str(path), "format", unknown_name(name, known, self.what))
            return named
        with reading(path):
            head = read_head(path)
            found = self.of_content(head)
            if found is None:
                raise ReadError(str(path), "file", self._reason(head))
            return found

    def read(
        self: KnownFormats[ItemFormat[T]], path: Path, log: ReadLog, name: str = ""
    ) -> Iterator[T]:
        """Yield the items of a file or folder of any of the formats.

        Raises:
            ReadError: If the file cannot be used.
        """
        return self.find(path, name).read(path, log)

    def _reason(self, head: FileHead) -> str:
        if "".join(head.text.split()) in {"[]", "{}"}:
            return f"holds no {self.what}: the list in it is empty"
        other = next(
            (kind.what for kind in (RUN_FORMATS, EPISODE_FORMATS) if kind.of_content(head)), ""
        )
        if other:
            return f"holds {other}, no {self.what}"
        return unknown_content(head, self.what, self.formats)


EPISODE_FORMATS: Final[KnownFormats[EpisodeFormat]] = KnownFormats(
    "episodes",
    (
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
    ),
)

RUN_FORMATS: Final[KnownFormats[RunFormat]] = KnownFormats(
    "runs",
    (
        waypost_runs.FORMAT,
        navgpt_runs.FORMAT,
        duet_details.FORMAT,
        soon_submission.FORMAT,
        mapgpt_runs.FORMAT,
        mapgpt_console.FORMAT,
        msnav_objects.FORMAT,
        capnav_results.FORMAT,
        internnav_runs.FORMAT,
        navid_stats.FORMAT,
        octonav_results.FORMAT,
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
    ),
)

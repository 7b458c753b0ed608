"""What a run reader is; a new format is one module with one ``FORMAT`` record.

The rules of ``datasets.episode_format`` hold here too. Besides:

1. ``read(path, log)`` yields ``EpisodeRun``s. ``path`` may be a folder (``head.is_folder``) for
   formats that write one file per episode.
2. ``route`` holds every pose, start first, turns in place and repeats kept. What was asked at one
   moment is one ``Decision``; several hops of one decision are one ``Decision`` over several
   poses; a decision that led nowhere has ``first_pose == end_pose``.
3. Text of the model that names no valid move becomes a decision with a ``NO_MOVE`` event.
   Thoughts are attached by viewpoint and order; what matches no pose stays in the order as a
   decision with an ``UNMATCHED_TEXT`` event. Nothing is dropped.
4. Ids go through ``episode.normal_id``. Scores stated by the source go to ``reported``.
5. Duplicates are yielded as they come; ``app`` counts them (``domain.coverage``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.stated_scores import StatedRule
from waypost.io.file_head import FileHead
from waypost.io.item_format import ItemFormat, never_raising

EXPERIMENTS: Final = ("exprs", "exprs_map")
"""Folders of experiments, whose names below say neither data set nor split."""


class Way(StrEnum):
    """How a format says where an agent was, if it can say it in one way only."""

    VIEWPOINTS = "viewpoints"
    POSITIONS = "positions"


def experiment_of(folders: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The last folder of experiments in a path, empty for none, and the names of one below it."""
    starts = [at for at, name in enumerate(folders) if name in EXPERIMENTS]
    if not starts:
        return "", ()
    inner = folders[starts[-1] + 1 :]
    return folders[starts[-1]], tuple(name for name in inner if name not in {"preds", "logs"})


def setting_of(parts: tuple[str, ...]) -> dict[str, str]:
    """``exprs…/<setting …>/preds/…``, as MapGPT and DUET sort their files."""
    return {"setting": "/".join(experiment_of(parts[:-1])[1])}


def no_lack(_: EpisodeRun) -> str:
    """Of a format that holds any run."""
    return ""


def lacks_poses(run: EpisodeRun) -> str:
    """Of a format whose runs begin somewhere."""
    return "" if len(run.route) else "start"


def lacks_scores(run: EpisodeRun) -> str:
    """Of a format that holds nothing else than what the source states of its scores."""
    return "" if run.reported else "scores of its source"


@dataclass(frozen=True)
class RunFormat(ItemFormat[EpisodeRun]):
    """A kind of result file or log."""

    way: Way | None = None
    """The only way in which a route can be held; ``None``: either, or no route."""

    lacks: Callable[[EpisodeRun], str] = no_lack
    """What a run of another format lacks to be written in this one and read again."""

    stated_rule: StatedRule | None = None
    """How the released code takes the means of the scores that its files state, where known."""

    is_run_folder: Callable[[FileHead], bool] | None = None
    """Whether a folder with files of many episodes is one run; ``None``: each file is a run."""

    reads_below: bool = False
    """Whether such a run takes the files of all folders below as well."""

    told_by_path: Callable[[tuple[str, ...]], dict[str, str]] = setting_of
    """Model and setting, as far as the names of the folders and of the run say them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.is_run_folder is not None:
            object.__setattr__(self, "is_run_folder", never_raising(self.is_run_folder))

"""The full episodes behind the keys of a study, read once from the file that the plan names."""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from pathlib import Path, PurePosixPath

from waypost.domain.episode import Episode
from waypost.domain.errors import InputError, ReadError
from waypost.domain.study import EpisodeKey, Study
from waypost.io.datasets.episode_registry import read_episodes
from waypost.io.read_log import ReadLog


class StudyEpisodes:
    """Finds episodes of a study.

    Args:
        study: Names the file and the episodes.
        root: Folder that the path of the file resolves against.
    """

    def __init__(self, study: Study, root: Path) -> None:
        self._study = study
        self._root = root
        self.notes: list[str] = []
        """What to tell the user about the file."""

    def find(self, key: EpisodeKey) -> Episode | None:
        """The episode of a key; ``None`` with a note if the file is not at hand."""
        return self._episodes.get(key)

    @cached_property
    def _episodes(self) -> dict[EpisodeKey, Episode]:
        plan = self._study.plan
        if plan is None or not plan.episodes_path:
            return {}
        path = Path(os.path.normpath(self._root / PurePosixPath(plan.episodes_path)))
        try:
            if path.is_file() and plan.episodes_hash:
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                if digest != plan.episodes_hash:
                    self.notes.append(f"{path}: was changed since the study was made")
            return {
                key: episode
                for episode in read_episodes(path, ReadLog(), self._format())
                if (key := EpisodeKey(episode.dataset, episode.scene_id, episode.episode_id))
                in self._study.episodes
            }
        except ReadError as error:
            self.notes.append(f"the episodes of the study are not at hand: {error}")
        except (InputError, OSError) as error:
            self.notes.append(f"{path}: {error}")
        return {}

    def _format(self) -> str:
        """The data set is the key of the format that its episodes were read as."""
        found = {key.dataset for key in self._study.episodes}
        return found.pop() if len(found) == 1 else ""

"""Recorded takes of people as a run beside those of models: rows, and the replay behind each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.run_source import RunSource
from waypost.domain.record.recording import as_run
from waypost.domain.record.study import EpisodeKey, Study, Take
from waypost.domain.record.take_runs import run_on_graph
from waypost.domain.replay.run_rows import RunRow, RunRows
from waypost.io.recordings.read_recording import read_recording
from waypost.services.replay.loading import ReplayedEpisode, Replayer
from waypost.services.replay.run_index import columns_of, row_of
from waypost.services.study.making import stated_path


@dataclass(eq=False)
class TakeIndex:
    """Takes that count, numbered per episode as attempts, in the order they were driven."""

    rows: RunRows
    files: Mapping[tuple[str, int], tuple[Path, Episode]]
    """Episode and attempt → the recording and its episode."""

    replayer: Replayer
    warnings: tuple[str, ...] = ()
    """What was left out, a sentence each."""

    def replayed(self, episode_id: str, attempt: int = 1) -> ReplayedEpisode:
        """The replay of a take; reads its file.

        Raises:
            InputError: If there is no such take, or its file cannot be read any more.
        """
        found = self.files.get((episode_id, attempt))
        if found is None:
            raise InputError(f"episode {episode_id}: has no take {attempt}")
        return _replayed(self.replayer, *found, attempt)


def index_takes(
    study: Study, root: Path, episodes: Mapping[EpisodeKey, Episode], name: str
) -> Work[TakeIndex]:
    """Score and tag every complete take that is not excluded.

    Args:
        study: With takes.
        root: The project's folder.
        episodes: The full episodes; takes of others are left out.
        name: What the rows are called.

    Raises:
        InputError: If no take can be used.
    """
    graphs = study.rules.connectivity_path if study.rules else ""
    replayer = Replayer(
        RunSource((root,), connectivity=stated_path(root, graphs) if graphs else None)
    )
    rows: list[RunRow] = []
    files: dict[tuple[str, int], tuple[Path, Episode]] = {}
    attempts: Counter[str] = Counter()
    warnings: list[str] = []
    title, key, columns = "", "", None
    for done, take in enumerate(takes := _counting(study)):
        yield Progress(done, len(takes), f"Reading take {done + 1} of {len(takes)}")
        episode = episodes.get(take.key.assignment.episode)
        if episode is None:
            warnings.append(f"{take.path}: its episode is not at hand")
            continue
        attempt = attempts[episode.episode_id] + 1
        try:
            shown = _replayed(replayer, root / take.path, episode, attempt)
        except (InputError, OSError) as error:
            warnings.append(f"{take.path}: {error}")
            continue
        attempts[episode.episode_id] = attempt
        if columns is None:
            columns = columns_of(shown.scores.profile)
            title, key = shown.scores.profile.title, shown.scores.profile.key
        row = row_of(shown, columns)
        rows.append(row)
        files[row.key] = (root / take.path, episode)
    if not rows:
        raise InputError("no take of the study can be replayed")
    shown_rows = RunRows(name, str(root), key, title, columns or (), tuple(rows))
    told = (*warnings, *replayer.warnings)
    return TakeIndex(shown_rows, MappingProxyType(files), replayer, told)


def _counting(study: Study) -> tuple[Take, ...]:
    counted = (
        take
        for take in study.takes.values()
        if take.summary.is_complete and not take.excluded_reason
    )
    return tuple(sorted(counted, key=lambda take: take.started_utc))


def _replayed(replayer: Replayer, file: Path, episode: Episode, attempt: int) -> ReplayedEpisode:
    recording = read_recording(file)
    graph = replayer.graph(episode.scene_id) if episode.start_viewpoint_id else None
    run: EpisodeRun = as_run(recording)
    if graph is not None and episode.start_viewpoint_id in graph.index:
        run, _ = run_on_graph(recording, episode, graph)
    return replayer.replayed(episode, run, attempt)

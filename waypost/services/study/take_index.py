"""Recorded takes of people as a run beside those of models: rows, and the replay behind each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run_ids import scene_and_id
from waypost.domain.episode.run_source import RunSource
from waypost.domain.record.study import EpisodeKey, Study, Take
from waypost.domain.record.study_progress import counted_takes, left_out_line
from waypost.domain.replay.run_rows import RunRows
from waypost.io.recordings.read_recording import read_recording
from waypost.metrics.registry import PROFILES
from waypost.services.replay.loading import ReplayedEpisode, Replayer, ReplayScores
from waypost.services.replay.row_making import GrowingRows
from waypost.services.study.episodes import StudyEpisodes
from waypost.services.study.making import stated_path
from waypost.services.study.scoring_anew import with_missing_scores
from waypost.services.study.take_scoring import run_of_take
from waypost.tables.study_tables import NOT_SCORED


class _Driven(NamedTuple):
    """A take that can be replayed."""

    take: Take
    file: Path
    episode: Episode


@dataclass(eq=False)
class TakeIndex:
    """Takes that count, numbered per episode as attempts: by participant, in the order driven."""

    rows: RunRows
    driven: Mapping[tuple[str, int], _Driven]
    """Episode and attempt → the take."""

    replayer: Replayer
    warnings: tuple[str, ...] = ()
    """What was left out, a sentence each."""

    def replayed(self, episode_id: str, attempt: int = 1) -> ReplayedEpisode:
        """The replay of a take; reads its file.

        Raises:
            InputError: If there is no such take, or its file cannot be read any more.
        """
        found = self.driven.get((episode_id, attempt))
        if found is None:
            raise InputError(f"episode {episode_id}: has no take {attempt}")
        return _replayed(self.replayer, found, attempt)


def index_takes(study: Study, root: Path, episodes: StudyEpisodes, name: str) -> Work[TakeIndex]:
    """Tag every take that counts, and take its scores from the study.

    Args:
        study: With takes.
        root: The project's folder.
        episodes: The full episodes; takes of others are left out.
        name: What the rows are called.

    Raises:
        InputError: If no take can be used.
    """
    study = yield from with_missing_scores(study, root, episodes)
    replayer = Replayer(_source(study, root))
    made = GrowingRows()
    driven: dict[tuple[str, int], _Driven] = {}
    attempts: Counter[str] = Counter()
    names = _names(study)
    takes, left_out = counted_takes(study)
    line = left_out_line(left_out)
    warnings = [line] if line else []
    for done, take in enumerate(takes):
        yield Progress(done, len(takes), f"Reading take {done + 1} of {len(takes)}")
        episode = episodes.find(take.key.assignment.episode)
        if episode is None:
            warnings.append(f"{take.path}: its episode is not at hand")
            continue
        episode = replace(episode, episode_id=names[take.key.assignment.episode])
        attempt = attempts[episode.episode_id] + 1
        entry = _Driven(take, root / take.path, episode)
        try:
            shown = _replayed(replayer, entry, attempt)
        except (InputError, OSError) as error:
            warnings.append(f"{take.path}: {error}")
            continue
        attempts[episode.episode_id] = attempt
        driven[made.add(shown).key] = entry
    if made.profile is None:
        raise InputError("no take of the study can be replayed")
    key, title = made.profile.key, made.profile.title
    shown_rows = RunRows(name, str(root), key, title, made.columns, tuple(made.rows))
    told = (*warnings, *replayer.warnings, *filter(None, (made.note,)))
    return TakeIndex(shown_rows, MappingProxyType(driven), replayer, told)


def _names(study: Study) -> dict[EpisodeKey, str]:
    """What each episode goes by, to charts and marks too.

    Scenes that number theirs alike are told apart as for models; which has the bare id follows
    from the study, whoever has driven what.
    """
    first: dict[str, str] = {}
    for key in study.episodes:
        first.setdefault(key.episode_id, key.scene_id)
    return {
        key: key.episode_id
        if first[key.episode_id] == key.scene_id
        else scene_and_id(key.episode_id, key.scene_id)
        for key in study.episodes
    }


def _source(study: Study, root: Path) -> RunSource:
    """Where takes are, and what the rules of the study judge them against."""
    graphs = study.rules.connectivity_path if study.rules else ""
    navmeshes = study.rules.navmeshes_path if study.rules else ""
    return RunSource(
        (root,),
        connectivity=stated_path(root, graphs) if graphs else None,
        navmeshes=stated_path(root, navmeshes) if navmeshes else None,
    )


def _replayed(replayer: Replayer, driven: _Driven, attempt: int) -> ReplayedEpisode:
    take, file, episode = driven
    graph = replayer.graph(episode.scene_id) if episode.start_viewpoint_id else None
    run = run_of_take(read_recording(file), episode, graph)
    shown = replayer.replayed(episode, run, attempt, _scores(take))
    return replace(shown, participant=take.key.participant, take=take.key.number, samples=file)


def _scores(take: Take) -> ReplayScores | None:
    """The scores of a take as the study keeps them, so that every table has the same."""
    profile = PROFILES.get(take.profile)
    if profile is None:
        return None
    names = {metric.key: f"{profile.key}.{metric.key}" for metric in profile.metrics}
    values = {key: take.scores.get(name) for key, name in names.items()}
    reasons = {
        key: take.score_notes.get(names[key], NOT_SCORED)
        for key, value in values.items()
        if value is None
    }
    return ReplayScores(profile, MappingProxyType(values), MappingProxyType(reasons))

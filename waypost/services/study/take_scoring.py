"""The scores of a take, in the profile of its data set: the one that models are scored by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.record.feedback_words import feedback_words
from waypost.domain.record.recording import Recording, as_run
from waypost.domain.record.study import Take
from waypost.domain.record.take_runs import run_on_graph
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.metrics.profile import Scenery
from waypost.metrics.registry import PROFILES
from waypost.metrics.scoring import score_episode
from waypost.services.dataset_profiles import dataset_profile

SCORING_VERSION: Final = 1
"""Raised when the same recording gets another score, so that stored scores are computed anew."""


@dataclass(frozen=True, slots=True)
class TakeScores:
    """What a take is scored."""

    profile: str
    """Key of the profile."""

    values: Mapping[str, float | None]
    """``PROFILE.METRIC`` → value; ``None`` where it is undefined."""

    notes: Mapping[str, str]
    """``PROFILE.METRIC`` → why it is undefined."""


def run_of_take(recording: Recording, episode: Episode, graph: ViewpointGraph | None) -> EpisodeRun:
    """The take as its profile needs it: pose by pose, or from viewpoint to viewpoint, with times.

    Without a graph that has the start, it stays pose by pose.

    Raises:
        InputError: If there is no pose to follow on the graph.
    """
    is_on_graph = PROFILES[dataset_profile(episode)].needs_graph
    if is_on_graph and graph is not None and episode.start_viewpoint_id in graph.index:
        run, _ = run_on_graph(recording, episode, graph)
        return run
    return as_run(recording)


def score_recording(recording: Recording, episode: Episode, scenery: Scenery) -> TakeScores:
    """Score a take in the profile of its data set, and in no other.

    Raises:
        InputError: If there is no pose to follow on the graph.
    """
    profile = PROFILES[dataset_profile(episode)]
    run = run_of_take(recording, episode, scenery.graph)
    scored = score_episode(profile, episode, run, scenery)
    names = [f"{profile.key}.{metric.key}" for metric in profile.metrics]
    return TakeScores(
        profile.key,
        MappingProxyType(dict(zip(names, scored.values, strict=True))),
        MappingProxyType({n: why for n, why in zip(names, scored.reasons, strict=True) if why}),
    )


def score_of(take: Take, metric: str) -> float | None:
    """A score of a take by the short name of its metric; ``None`` where undefined or not scored."""
    return take.scores.get(f"{take.profile}.{metric}")


def has_reached(take: Take) -> bool | None:
    """Whether the profile calls a take a success; ``None`` where it does not say."""
    profile = PROFILES.get(take.profile)
    value = None if profile is None else score_of(take, profile.success_key)
    return None if value is None else value > 0


def told_of(take: Take) -> str:
    """What a participant is told of a take, in full words."""
    return feedback_words(take.summary, is_reached=has_reached(take), error_m=score_of(take, "NE"))

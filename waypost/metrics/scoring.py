"""Score one run of one episode by all metrics of a profile."""

from __future__ import annotations

from dataclasses import dataclass

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.run import SCORES_ONLY, EpisodeRun
from waypost.metrics.profile import Profile, Scenery
from waypost.metrics.undefined import InvalidRunError, UndefinedScoreError


@dataclass(frozen=True, slots=True)
class EpisodeScores:
    """The scores of one episode, in the order of the profile's metrics."""

    values: tuple[float | None, ...]
    """``None`` where undefined."""

    reasons: tuple[str, ...]
    """Why a value is undefined; empty where it is defined."""

    is_invalid: bool = False
    """Whether the run itself broke a rule of the profile."""


def score_episode(
    profile: Profile, episode: Episode, run: EpisodeRun, scenery: Scenery
) -> EpisodeScores:
    """Compute all metrics; whatever is undefined says why.

    Where the source states scores without a path, that is the reason, whatever else is missing.
    """
    count = len(profile.metrics)
    bare = run.has_scores_only and not run.answer.agent_key
    try:
        case = profile.make_case(episode, run, scenery)
    except UndefinedScoreError as error:
        is_invalid = isinstance(error, InvalidRunError) and not bare
        why = SCORES_ONLY if bare else str(error)
        return EpisodeScores((None,) * count, (why,) * count, is_invalid)
    values: list[float | None] = []
    reasons = []
    is_invalid = False
    for metric in profile.metrics:
        try:
            values.append(metric.score(case))
            reasons.append("")
        except UndefinedScoreError as error:
            values.append(None)
            reasons.append(SCORES_ONLY if bare else str(error))
            is_invalid = is_invalid or (isinstance(error, InvalidRunError) and not bare)
    return EpisodeScores(tuple(values), tuple(reasons), is_invalid)

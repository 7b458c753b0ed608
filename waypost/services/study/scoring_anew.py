"""Scores takes that have none in the profile of their data set, or older ones.

Their episode may not have been at hand when they were recorded, or the profile or the way of
computing has changed since.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress, Work
from waypost.domain.record.study import Study, Take, TakeKey
from waypost.domain.record.study_edits import put_scores
from waypost.io.file_reading import read_plain_bytes
from waypost.io.recordings.read_recording import read_recording
from waypost.metrics.registry import PROFILES
from waypost.services.study.episodes import StudyEpisodes
from waypost.services.study.take_scoring import SCORING_VERSION, score_recording
from waypost.services.study.takes import with_scores


def lacks_scores(take: Take) -> bool:
    """Whether a take has no score, or not those that its profile and this program give now.

    One without a single defined score may have been scored without the graph that is there now.
    """
    profile = PROFILES.get(take.profile)
    if profile is None or all(value is None for value in take.scores.values()):
        return True
    if take.scoring_version != SCORING_VERSION:
        return True
    return set(take.scores) != {f"{profile.key}.{metric.key}" for metric in profile.metrics}


def score_anew(study: Study, root: Path, episodes: StudyEpisodes) -> Work[dict[TakeKey, Take]]:
    """Score every take that lacks its scores, where its file and its episode are at hand.

    A file that was changed since it was recorded is left alone.

    Yields:
        Progress, before each take.

    Returns:
        The takes that have other scores now.
    """
    waiting = [take for take in study.takes.values() if lacks_scores(take)]
    found: dict[TakeKey, Take] = {}
    for done, take in enumerate(waiting):
        yield Progress(done, len(waiting), f"Scoring take {done + 1} of {len(waiting)}")
        episode = episodes.find(take.key.assignment.episode)
        file = root / take.path
        if episode is None:
            continue
        try:
            if hashlib.sha256(read_plain_bytes(file)).hexdigest() != take.content_hash:
                continue
            scenery = episodes.scenery_of(take.key.scene_id)
            scores = score_recording(read_recording(file), episode, scenery)
        except (InputError, OSError):
            # Without scores it stays in every table with the reason that it was not scored.
            continue
        scored = with_scores(take, scores)
        if scored != take:
            found[take.key] = scored
    return found


def with_missing_scores(study: Study, root: Path, episodes: StudyEpisodes) -> Work[Study]:
    """The study with the scores that ``score_anew`` finds."""
    found = yield from score_anew(study, root, episodes)
    return put_scores(study, found) if found else study

"""Which episode of the annotations a run attempts: by id, and by CapNav's questions."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.question_places import plain_words
from waypost.domain.episode.run import EpisodeRun
from waypost.io.logs.language_models.capnav_results import CAPNAV, question_id


def find_episode(
    episodes: Mapping[str, Episode], run_id: str, run: EpisodeRun | None = None
) -> Episode | None:
    """The episode that a run attempts.

    Runs of CapNav name a question and the agent that it is asked for; then the question is the
    episode, under the id of the run. Its file states no ids of questions: the text that the answer
    repeats tells the question first, then the place in the file that our ids count.

    Args:
        episodes: By id.
        run_id: What the run goes by.
        run: Its text, where it has one.
    """
    found = episodes.get(run_id)
    if found is not None or question_id(run_id) == run_id:
        return found
    counted_one = episodes.get(question_id(run_id))
    question = counted_one
    if run is not None and run.instruction and not _asks(counted_one, run):
        same = [each for each in episodes.values() if _asks(each, run)]
        question = same[0] if len(same) == 1 else counted_one
    if question is None or question.dataset != CAPNAV:
        return None
    return dataclasses.replace(question, episode_id=run_id)


def _asks(episode: Episode | None, run: EpisodeRun) -> bool:
    """Whether an answer repeats this question of its scene."""
    if episode is None or episode.dataset != CAPNAV:
        return False
    is_here = not run.scene_id or run.scene_id == episode.scene_id
    return is_here and plain_words(run.instruction) == plain_words(episode.instruction.text)


def asked_id(episode: Episode) -> str:
    """The id that annotations have for what a run attempts: CapNav's without the agent."""
    return episode.source_id if episode.dataset == CAPNAV else episode.episode_id


def missing_ids(episodes: Mapping[str, Episode], attempted: Collection[str]) -> Iterator[str]:
    """The episodes that have no run.

    Args:
        episodes: By id.
        attempted: ``asked_id`` of what was attempted; several runs may attempt one question.
    """
    return (name for name in episodes if name not in attempted)

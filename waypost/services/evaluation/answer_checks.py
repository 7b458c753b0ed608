"""Check answers to CapNav's questions: which question each answers, and whether one says anything.

What is wrong with a path is the model's doing and scored (``waypost report``), no fault of a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from waypost.domain.episode.episode import Episode
from waypost.domain.episode.path_checks import check_decisions
from waypost.domain.episode.run import EpisodeRun
from waypost.io.logs.language_models.capnav_results import CAPNAV
from waypost.io.read_log import ReadLog
from waypost.services.asked_episodes import asked_id, find_episode
from waypost.services.evaluation.coverage import note_duplicate


@dataclass(slots=True)
class AnswerChecks:
    """The answers of one result file; CapNav's files are small enough to stay in memory.

    Args:
        questions: By id; none for other data sets.
        log: Told what is found.
    """

    questions: Mapping[str, Episode]
    log: ReadLog
    answered: set[str] = field(default_factory=set)
    """Ids of the questions that have an answer, by whatever agent."""

    _seen: dict[str, EpisodeRun] = field(default_factory=dict)

    def take(self, run: EpisodeRun) -> bool:
        """Check a run if it answers one of the questions; else it is left to others."""
        episode = find_episode(self.questions, run.episode_id, run) if self.questions else None
        if episode is None or episode.dataset != CAPNAV:
            return False
        first = self._seen.setdefault(run.episode_id, run)
        if first is not run:
            note_duplicate(first, run, self.log)
            return True
        self.answered.add(asked_id(episode))
        self.log.extend(list(check_decisions(run)))
        return True

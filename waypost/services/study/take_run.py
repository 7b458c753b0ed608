"""The takes of a study as one replayed run, for a report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from waypost.domain.base.progress import Progress, Work
from waypost.domain.record.study import Study
from waypost.domain.record.study_progress import expected_assignments
from waypost.services.replay.loading import MOST_NAMED, ODD_RUNS, ReplayedEpisode, ReplayedRun
from waypost.services.study.episodes import StudyEpisodes
from waypost.services.study.take_index import TakeIndex, index_takes

_FORMAT = "recordings of people"
_CONVENTIONS = "A sample every 50 ms of simulated time; Z up, metres."


def replay_takes(study: Study, root: Path, episodes: StudyEpisodes, name: str) -> Work[ReplayedRun]:
    """Replay every take that counts.

    What is expected are the episodes that people who have not withdrawn are to drive, without
    practice, and without those whose takes were left out on purpose.

    Args:
        study: With takes.
        root: The project's folder.
        episodes: The full episodes.
        name: What the run is called.

    Raises:
        InputError: If no take can be used, or a file cannot be read any more.
    """
    index = yield from index_takes(study, root, episodes, name)
    attempts: list[ReplayedEpisode] = []
    for row in index.rows.rows:
        yield Progress(len(attempts), len(index.rows), f"Replaying {row.chart_id}")
        attempts.append(index.replayed(*row.key))
    return _run(study, name, index, attempts)


def _run(
    study: Study, name: str, index: TakeIndex, attempts: Sequence[ReplayedEpisode]
) -> ReplayedRun:
    found = {entry.take.key.assignment for entry in index.driven.values()}
    expected = expected_assignments(study)
    missing = [f"{key.episode_id} · {key.participant}" for key in expected if key not in found]
    nothing: tuple[str, ...] = ()
    return ReplayedRun(
        name=name,
        source="" if study.rules is None else study.rules.name,
        format=_FORMAT,
        conventions=_CONVENTIONS,
        profile=attempts[0].scores.profile,
        coverage=MappingProxyType(
            {
                "expected": len(expected),
                "found": len(found),
                "missing": len(missing),
                **dict.fromkeys(ODD_RUNS, 0),
                "unreadable": 0,
            }
        ),
        findings=(),
        warnings=index.warnings,
        odd_ids=MappingProxyType(
            {"missing": tuple(missing[:MOST_NAMED]), **dict.fromkeys(ODD_RUNS, nothing)}
        ),
        attempts=tuple(attempts),
    )

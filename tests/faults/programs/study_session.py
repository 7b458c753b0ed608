"""Drives a study as fast as it can: begin, record, finish, say so, again; made to be killed.

``study_session.py FILE MOST`` prints a line for every episode that is finished and saved, and
after the last of them waits for the kill.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from fixtures.recorded_takes import write_walk

from waypost.domain.record.study import next_assignment, next_take_key
from waypost.domain.record.study_edits import begin_episode, finish_episode
from waypost.services.study.takes import take_of_file
from waypost.store.project_store import ProjectStore


def main(file: Path, most: int) -> None:
    """Drive so many episodes."""
    store = ProjectStore.open(file)
    project = store.load()
    for _ in range(most):
        following = next_assignment(project.study, "P-0")
        assert following is not None
        key = following.key
        now = datetime.now(UTC).isoformat()
        begun = replace(project, study=begin_episode(project.study, key, now))
        store.save(project, begun, "P-0", "Begin")
        number = next_take_key(begun.study, key).number
        name = f"{key.scene_id}_{key.episode_id}_{number}"
        take_file = file.parent / "recordings" / f"{name}.csv"
        while take_file.exists():
            take_file = take_file.with_name(f"{take_file.stem}x.csv")
        write_walk(
            take_file,
            [(0, 0), (1, 0)],
            dataset=key.dataset,
            scene_id=key.scene_id,
            episode_id=key.episode_id,
            participant="P-0",
            started_utc=now,
        )
        take = take_of_file(begun.study, file.parent, take_file, lambda key: None)
        project = replace(begun, study=finish_episode(begun.study, take, now))
        store.save(begun, project, "P-0", "Finish")
        sys.stdout.write("finished\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
    while True:
        time.sleep(60)

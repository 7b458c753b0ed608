from __future__ import annotations

import random
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.study_examples import LATER, assigned, study_of
from import_path import IMPORT_PATH

from waypost.domain.project import Project
from waypost.domain.record.study import AssignmentState, Study, open_assignments
from waypost.domain.record.study_edits import adopt_takes
from waypost.domain.record.study_progress import counted_takes
from waypost.services.study.takes import find_new_takes
from waypost.store.project_store import ProjectStore

KILLS = 12
HEARD, MOST = 2, 20
"""Episodes of a session that are waited for before the kill, and those it drives at most."""
SESSION = Path(__file__).parent / "programs" / "study_session.py"


def drive_until_killed(file: Path, delay_s: float) -> None:
    """Start a session and kill it so long after it has finished some episodes."""
    session = subprocess.Popen(
        [sys.executable, SESSION, file, str(MOST)],
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": IMPORT_PATH, "PATH": "/usr/bin"},
    )
    with session:
        assert session.stdout is not None
        for _ in range(HEARD):
            assert session.stdout.readline() == b"finished\n"
        # The kill has to come at a random moment of the work, which no signal marks.
        time.sleep(delay_s)
        session.kill()


def done(study: Study) -> set[str]:
    return {k.episode_id for k, a in study.assignments.items() if a.state is AssignmentState.DONE}


@pytest.mark.faults
def test_whenever_the_window_is_killed_nothing_is_skipped_and_nothing_driven_twice(
    tmp_path: Path,
) -> None:
    file = tmp_path / "study.waypost"
    expected = KILLS * MOST
    study = assigned(study_of([1] * expected, 1, count=expected))
    ProjectStore.create(file, Project("study", study=study), "ana").close()
    (tmp_path / "recordings").mkdir()
    rng = random.Random(5)
    finished = 0
    for _ in range(KILLS):
        drive_until_killed(file, rng.uniform(0.0, 0.1))
        store = ProjectStore.open(file)
        project = store.load()
        study = project.study
        begun = [a for a in study.assignments.values() if a.state is AssignmentState.IN_PROGRESS]
        assert len(begun) <= 1
        assert len(done(study)) >= finished
        takes, problems = find_new_takes(study, tmp_path, tmp_path, lambda key: None)
        assert len(takes) + len(problems) <= 1
        after = adopt_takes(study, takes, LATER)
        store.save(project, replace(project, study=after), "ana", "Adopt")
        store.close()
        finished = len(done(after))
        assert len(open_assignments(after, "P-0")) == expected - finished
    assert finished >= KILLS * HEARD
    counted = [take.key.episode_id for take in counted_takes(after)[0]]
    assert sorted(counted) == sorted(done(after))

"""Making a study from a file of episodes and exporting it, from the window."""

from __future__ import annotations

import hashlib
from argparse import Namespace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from waypost.app.commands.study_export import export_study
from waypost.app.study_desk import StudyDesk
from waypost.app.workbench import Workbench
from waypost.domain.episode import Episode
from waypost.domain.progress import Progress
from waypost.domain.study import ConsentText, EpisodeKey, Study, StudyEpisode, StudyPlan
from waypost.domain.study_edits import create_study
from waypost.io.datasets.episode_registry import read_episodes
from waypost.io.read_log import ReadLog
from waypost.services.jobs import JobRunner, Work
from waypost.services.study_takes import relative_path
from waypost.store.project_store import utc_now
from waypost.widgets.new_study_dialog import NewStudy, NewStudyDialog

_SEED = 0


class StudyFiles(QObject):
    """Asks for what a study is made of, and for where it is exported to.

    Args:
        bench: What is open.
        desk: Takes the study.
        jobs: Reads and writes.
        window: Owner of the dialogs.
    """

    told = Signal(str)
    """One sentence about what was made or written."""

    def __init__(self, bench: Workbench, desk: StudyDesk, jobs: JobRunner, window: QWidget) -> None:
        super().__init__(window)
        self._bench, self._desk, self._jobs, self._window = bench, desk, jobs, window

    def ask_new_study(self) -> None:
        """Ask for episodes and consent text, and make the study."""
        dialog = NewStudyDialog(self._ask_episodes, self._bench.project.name, self._window)
        dialog.accepted.connect(lambda: self.make(dialog.values))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def make(self, wanted: NewStudy) -> None:
        """Read the episodes and make the study."""
        scene = Path(self._bench.project.scene_path)
        job = self._jobs.start(
            "Reading the episodes",
            _making(wanted, self._desk.root, frozenset({scene.stem, scene.parent.name})),
        )
        job.succeeded.connect(self._take)
        job.failed.connect(self._on_failed)

    def ask_export(self) -> None:
        """Ask for a folder and write takes, scores and averages."""
        folder = QFileDialog.getExistingDirectory(
            self._window, "Export the study", str(self._desk.root)
        )
        if folder:
            self.export(Path(folder) / "study_export")

    def export(self, out: Path) -> None:
        """Write takes, scores and averages into a folder."""
        work = _exporting(out, self._desk.study, self._desk.root)
        job = self._jobs.start("Exporting the study", work)
        job.succeeded.connect(self._on_exported)
        job.failed.connect(self._on_failed)

    def _ask_episodes(self) -> str:
        path, _ = QFileDialog.getOpenFileName(
            self._window, "Episodes of the study", str(self._desk.root),
            "Episodes (*.json *.json.gz *.jsonl *.jsonl.gz *.csv);;All files (*)",
        )  # fmt: skip
        return path

    def _take(self, made: Study) -> None:
        if self._desk.change("Create study", lambda _study, _now: made):
            scenes = {key.scene_id for key in made.episodes}
            count = f"{len(made.episodes):,} episodes in {len(scenes)} scene"
            self.told.emit(f"Study made: {count}{'s' if len(scenes) != 1 else ''}.")

    def _on_exported(self, report: dict[str, Any]) -> None:
        copied = report["takes"]["copied"]
        notes = "".join(f" {note}." for note in report["notes"][:2])
        self.told.emit(f"{copied} takes exported to {report['out']}.{notes}")

    def _on_failed(self, error: Exception) -> None:
        self._bench.refused.emit(str(error))


def _making(wanted: NewStudy, root: Path, scenes: frozenset[str]) -> Work[Study]:
    yield Progress(0.0, 1.0, "Reading the episodes")
    path = Path(wanted.episodes_path)
    found: list[Episode] = []
    for episode in read_episodes(path, ReadLog()):
        found.append(episode)
        yield Progress(0.0, 1.0, f"{len(found):,} episodes")
    here = [episode for episode in found if episode.scene_id in scenes]
    listed = [
        StudyEpisode(
            EpisodeKey(episode.dataset, episode.scene_id, episode.episode_id),
            episode.split,
            is_training=wanted.is_first_practice and number == 0,
        )
        for number, episode in enumerate(here or found)
    ]
    plan = StudyPlan(
        wanted.name,
        _SEED,
        wanted.episodes_per_participant,
        episodes_path=relative_path(root, path),
        episodes_hash=hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
    )
    return create_study(plan, listed, ConsentText(1, wanted.consent_text, utc_now().isoformat()))


def _exporting(out: Path, study: Study, root: Path) -> Work[dict[str, Any]]:
    yield Progress(0.0, 1.0, f"Writing {out.name}")
    options = Namespace(out=out, submission=[], connectivity=None, seed=0)
    return export_study(options, study, root)

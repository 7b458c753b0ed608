"""Making a study from a file of episodes, changing its rules, and exporting it, from the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from waypost.app.record.consent_dialog import ConsentDialog
from waypost.app.record.export_dialog import ExportDialog, ExportSettings
from waypost.app.record.new_study_dialog import NewStudyDialog, StudyFileDialogs
from waypost.app.record.study_checks import NewStudy
from waypost.app.record.study_desk import StudyDesk
from waypost.app.shell.form_answer import REFUSED, answer_form
from waypost.app.shell.kept_form import keep_form
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import Work
from waypost.domain.base.sentences import capitalised
from waypost.domain.record.study import Study, StudyRules, consent_in_force, has_consented
from waypost.domain.record.study_edits import change_rules, publish_consent
from waypost.domain.record.study_progress import counted_takes
from waypost.services.agent_marks import agent_names
from waypost.services.jobs import Job, JobRunner
from waypost.services.relative_path import relative_path
from waypost.services.replay.run_companions import search_graphs
from waypost.services.study.export import export_study
from waypost.services.study.frame_export import frames_line, measure_frames
from waypost.services.study.making import (
    EpisodeFileFacts,
    MadeStudy,
    StudyWish,
    make_study,
    stated_path,
    survey_episodes,
)
from waypost.services.study.submissions import KINDS, TITLES, ExportWish, needs_graphs
from waypost.store.project_store import utc_now
from waypost.widgets.message_strip import Message, MessageLevel

EXPORT_FOLDER = "study_export"
"""Proposed beside the project."""


class StudyFiles(QObject):
    """Asks for what a study is made of, and for where it is exported to.

    Args:
        bench: What is open.
        desk: Takes the study.
        jobs: Reads and writes.
        window: Owner of the dialogs.
    """

    told = Signal(object)
    """What was made or written: one sentence, or a `Message` with details."""

    def __init__(self, bench: Workbench, desk: StudyDesk, jobs: JobRunner, window: QWidget) -> None:
        super().__init__(window)
        self._bench, self._desk, self._jobs, self._window = bench, desk, jobs, window
        self._survey: Job | None = None

    def ask_new_study(self) -> None:
        """Ask for episodes and consent text, and make the study."""
        proposed = NewStudy(self._bench.project.name, "", 50, True, "")
        dialog = self._dialog(proposed, is_change=False)
        keep_form(dialog, self._bench, "study")
        dialog.submitted.connect(lambda: self._make(dialog))
        dialog.open()

    def ask_rules(self) -> None:
        """Ask for other rules of the study."""
        rules = self._desk.study.rules
        if rules is None:
            return
        dialog = self._dialog(self._values_of(rules), is_change=True)
        if self._desk.study.participants:
            dialog.fix_seed()
        keep_form(dialog, self._bench, "rules")
        dialog.submitted.connect(lambda: self._change_rules(dialog))
        dialog.open()

    def ask_consent(self) -> None:
        """Ask for a new version of the consent text."""
        study = self._desk.study
        text = consent_in_force(study)
        if text is None:
            return
        agreed = sum(has_consented(study, code) for code in study.participants)
        dialog = ConsentDialog(text.version, text.text, agreed, self._window)
        keep_form(dialog, self._bench, "consent")
        dialog.submitted.connect(lambda: self._publish(dialog))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def publish(self, text: str) -> bool:
        """Put a consent text in force; whether it was possible."""
        if not self._desk.change(
            "New consent text", lambda study, now: publish_consent(study, text, now)
        ):
            return False
        now = consent_in_force(self._desk.study)
        version = now.version if now else 0
        self.told.emit(
            f"Version {version} of the consent text is in force; everybody is asked again."
        )
        return True

    def _publish(self, dialog: ConsentDialog) -> None:
        if self.publish(dialog.text.toPlainText()):
            dialog.accept()
        else:
            dialog.fail(REFUSED)

    def ask_export(self) -> None:
        """Ask for a folder and submission files, and export."""
        study = self._desk.study
        takes, left_out = counted_takes(study)
        has_graphs = study.rules is not None and bool(study.rules.connectivity_path)
        lacking = "Needs the study's folder of connectivity files; see its rules."
        dialog = ExportDialog(
            lambda: self._ask_folder("Export the study into"),
            str(self._desk.root / EXPORT_FOLDER),
            TITLES,
            {kind: lacking for kind in KINDS if needs_graphs(kind) and not has_graphs},
            f"Takes that count: {len(takes):,}. Left out, each with its reason: {len(left_out):,}.",
            self._window,
        )
        dialog.accepted.connect(lambda: self.export(dialog.settings))
        root = self._desk.root
        counting = self._jobs.start(
            "Counting camera frames", measure_frames([root / take.path for take in takes])
        )
        counting.succeeded.connect(
            lambda frames: dialog.show_frames(frames.words if frames.takes else "")
        )
        counting.cancelled.connect(dialog.show_uncounted)
        dialog.finished.connect(counting.cancel)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def export(self, settings: ExportSettings) -> None:
        """Write takes, scores, averages and submission files into a folder."""
        study, root = self._desk.study, self._desk.root
        graphs = study.rules.connectivity_path if study.rules else ""
        folder = stated_path(root, graphs) if graphs else None
        wish = ExportWish(settings.submissions, folder, settings.has_parquet, settings.has_frames)
        reports: list[dict[str, Any]] = []

        def work() -> Work[dict[str, Any]]:
            reports.append(
                (yield from export_study(Path(settings.folder), wish, study, root, settings.seed))
            )
            return reports[0]

        def tell(report: dict[str, Any]) -> None:
            self._on_exported(report, self._left_out_since(study, root))

        def stop() -> None:
            # Whoever cancels too late has the files all the same.
            if reports:
                tell(reports[0])
            else:
                self.told.emit("The export was cancelled; nothing changed.")

        job = self._jobs.start("Exporting the study", work())
        job.succeeded.connect(tell)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(stop)

    def _dialog(self, values: NewStudy, *, is_change: bool) -> NewStudyDialog:
        asking = StudyFileDialogs(
            self._ask_episodes,
            lambda: self._ask_folder("Connectivity files"),
            lambda: self._ask_folder("Navmeshes, or scenes"),
            lambda: self._ask_folder("Scenes"),
            lambda: self._ask_file("List of scenes", "All files (*)"),
        )
        agents = agent_names(self._bench.project.agents)
        dialog = NewStudyDialog(asking, values, agents, is_change=is_change, parent=self._window)
        dialog.file_named.connect(lambda path: self._look_at(dialog, path))
        dialog.finished.connect(self._stop_survey)
        dialog.finished.connect(dialog.deleteLater)
        return dialog

    def _look_at(self, dialog: NewStudyDialog, path: str) -> None:
        self._stop_survey()
        job = self._survey = self._jobs.start(
            "Looking at the episodes", survey_episodes(Path(path), search_graphs)
        )

        def take(file: EpisodeFileFacts) -> None:
            if job is self._survey:
                dialog.show_file(file)

        def refuse(error: Exception) -> None:
            if job is self._survey:
                dialog.show_file_problem(str(error))

        job.succeeded.connect(take)
        job.failed.connect(refuse)

    def _stop_survey(self, *_: object) -> None:
        if self._survey is not None and not self._survey.state.is_final:
            self._survey.cancel()
        self._survey = None

    def _make(self, dialog: NewStudyDialog) -> None:
        wish = _wish(dialog.values, self._bench.own_scene_path)
        work = make_study(wish, self._desk.root, utc_now().isoformat())
        job = self._jobs.start("Reading the episodes", work)

        answer_form(dialog, job, self._take)

    def _take(self, made: MadeStudy) -> str:
        study = made.study
        if not self._desk.change("Create study", lambda _study, _now: study):
            return REFUSED
        scenes = len({key.scene_id for key in study.episodes})
        text = f"Study made: {counted(len(study.episodes), 'episode')} in"
        sentence = f"{text} {counted(scenes, 'scene')}."
        level = MessageLevel.WARNING if made.notes else MessageLevel.SUCCESS
        more = f" {capitalised(made.notes[0])}." if made.notes else ""
        self.told.emit(Message(sentence + more, level, details="\n".join(made.notes[1:])))
        return ""

    def _change_rules(self, dialog: NewStudyDialog) -> None:
        values = dialog.values
        wanted = _rules(values)

        def edited(rules: StudyRules) -> StudyRules:
            root = self._desk.root
            return replace(
                wanted,
                episodes_path=rules.episodes_path,
                episodes_hash=rules.episodes_hash,
                connectivity_path=_stored(root, values.connectivity_path),
                navmeshes_path=_stored(root, values.navmeshes_path),
                scenes_path=_stored(root, values.scenes_path),
            )

        if self._desk.change(
            "Change the rules of the study",
            lambda study, _: change_rules(study, edited(study.rules)) if study.rules else study,
        ):
            dialog.accept()
        else:
            dialog.fail(REFUSED)

    def _values_of(self, rules: StudyRules) -> NewStudy:
        study, root = self._desk.study, self._desk.root
        text = consent_in_force(study)

        def shown(stored: str) -> str:
            return str(stated_path(root, stored)) if stored else ""

        return NewStudy(
            name=rules.name,
            episodes_path=shown(rules.episodes_path),
            episodes_per_participant=rules.episodes_per_participant,
            is_first_practice=False,
            consent_text=text.text if text else "",
            practice=tuple(k.episode_id for k, e in study.episodes.items() if e.is_training),
            overlap=rules.overlap,
            seed=rules.seed,
            agent_key=rules.agent_key,
            rules=rules.of_takes,
            counts_abandoned=rules.counts_abandoned,
            break_after_episodes=rules.break_after_episodes,
            break_after_min=rules.break_after_min,
            connectivity_path=shown(rules.connectivity_path),
            navmeshes_path=shown(rules.navmeshes_path),
            scenes_path=shown(rules.scenes_path),
        )

    def _ask_episodes(self) -> str:
        kinds = "Episodes (*.json *.json.gz *.jsonl *.jsonl.gz *.csv);;All files (*)"
        return self._ask_file("Episodes of the study", kinds)

    def _ask_file(self, title: str, kinds: str) -> str:
        root = str(self._desk.root)
        return QFileDialog.getOpenFileName(self._window, title, root, kinds)[0]

    def _ask_folder(self, title: str) -> str:
        return QFileDialog.getExistingDirectory(self._window, title, str(self._desk.root))

    def _left_out_since(self, study: Study, root: Path) -> list[str]:
        """Says so where takes of an export do not count any more, because of a withdrawal, say."""
        now = self._desk.study if self._desk.root == root else study
        counting = {take.key for take in counted_takes(now)[0]}
        gone = sum(take.key not in counting for take in counted_takes(study)[0])
        if not gone:
            return []
        words = counted(gone, "take that does", "takes that do")
        return [f"the export holds {words} not count any more; export again"]

    def _on_exported(self, report: dict[str, Any], since: Sequence[str]) -> None:
        takes, notes = report["takes"], [*since, *report["notes"]]
        sentence = f"{counted(takes['copied'], 'take')} exported to {report['out']}."
        left_out = [f"{count} {reason}" for reason, count in takes["left_out"].items()]
        if left_out:
            sentence += f" Left out: {', '.join(left_out)}."
        frames = frames_line(report["camera_frames"])
        sentence += f" {frames}" if frames else ""
        if notes:
            sentence += f" {counted(len(notes), 'note')}: {notes[0]}."
        level = MessageLevel.WARNING if notes else MessageLevel.SUCCESS
        lines = [
            f"{one['file']}: {counted(one['episodes'], 'episode')}" for one in report["submissions"]
        ]
        self.told.emit(Message(sentence, level, details="\n".join([*lines, *notes])))

    def _on_failed(self, error: Exception) -> None:
        self._bench.refused.emit(str(error))


def _rules(values: NewStudy) -> StudyRules:
    return StudyRules(
        values.name,
        values.seed,
        values.episodes_per_participant,
        values.overlap,
        values.break_after_episodes,
        values.break_after_min,
        values.agent_key,
        of_takes=values.rules,
        counts_abandoned=values.counts_abandoned,
    )


def _wish(values: NewStudy, own_scene: Path | None) -> StudyWish:
    return StudyWish(
        _rules(values),
        Path(values.episodes_path),
        values.consent_text,
        split=values.split,
        training_ids=frozenset(values.practice),
        is_first_training=values.is_first_practice,
        own_scene=own_scene,
        connectivity=Path(values.connectivity_path) if values.connectivity_path else None,
        navmeshes=Path(values.navmeshes_path) if values.navmeshes_path else None,
        scenes_place=Path(values.scenes_path) if values.scenes_path else None,
    )


def _stored(root: Path, path: str) -> str:
    return relative_path(root, Path(path)) if path else ""

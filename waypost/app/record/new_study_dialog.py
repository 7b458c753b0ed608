"""The form of a study: its episodes, how many for each, and what participants agree to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from waypost.app.record.rule_fields import RuleFields
from waypost.app.record.study_checks import (
    NewStudy,
    file_sentence,
    kept_where_untouched,
    practice_ids,
    study_problems,
)
from waypost.services.study.making import EpisodeFileFacts
from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field, PathField, choice_box, decimal_box, number_box
from waypost.widgets.parts import TextBox, heading

_CONSENT_LINES = 8
_LOOK_AFTER_MS = 300
_ALL_SPLITS = "every split"
_NO_SCENES = "Without one, only episodes of the open scene are taken where the file has any."
_FIXED_EPISODES = "The episodes of a study, and which are practice, stay as it was made."
_FIRST_CONSENT = "It becomes version 1; later texts ask everybody anew."
_FIXED_CONSENT = "Changed by its own button, Consent text …; everybody is asked anew."
_FIXED = ("episodes_path", "split", "practice", "is_first_practice", "consent_text")


@dataclass(frozen=True, slots=True)
class StudyFileDialogs:
    """Asks for paths; each gives an empty text if none was chosen."""

    episodes: Callable[[], str]
    connectivity: Callable[[], str]
    navmeshes: Callable[[], str]
    scenes: Callable[[], str]
    scene_list: Callable[[], str]


class NewStudyDialog(FormDialog):
    """Asks for a new study, or for other rules of one; stays open until it was made.

    Args:
        asking: Asks for paths.
        values: What is proposed.
        agents: Key → name of the profiles that can be driven.
        is_change: Whether the study exists: its episodes and its text are then fixed.
        parent: Qt owner.
    """

    submitted = Signal()
    """The form is complete and was sent; `fail` or `accept` ends it."""

    file_named = Signal(str)
    """Another file of episodes was named; `show_file` or `show_file_problem` answers."""

    def __init__(
        self,
        asking: StudyFileDialogs,
        values: NewStudy,
        agents: Mapping[str, str],
        *,
        is_change: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        title = "Rules of the study" if is_change else "New study"
        super().__init__(title, "Change the rules" if is_change else "Make the study", parent)
        self.make = self.primary
        self._is_change = is_change
        self.rules = RuleFields()
        self._file: EpisodeFileFacts | None = None
        self._file_problem = ""
        self._fields: dict[str, Field] = {}
        self._look_soon = QTimer(self)
        self._look_soon.setSingleShot(True)
        self._look_soon.setInterval(_LOOK_AFTER_MS)
        self._look_soon.timeout.connect(self._look)
        self.finished.connect(self._look_soon.stop)
        self._make_controls(asking, values, agents)
        self._lay_out_fields()
        self.set_values(values)
        self._connect()
        for name in _FIXED if is_change else ():
            self._fields[name].setEnabled(False)
        if is_change:
            self._episodes.set_hint(_FIXED_EPISODES)
        self._check()

    @property
    def values(self) -> NewStudy:
        """What was given; fields that nobody touched give what was proposed, to the last digit."""
        given, shown, proposed = self._entered(), self._shown, self._proposed
        rules = kept_where_untouched(given.rules, shown.rules, proposed.rules)
        return replace(kept_where_untouched(given, shown, proposed), rules=rules)

    def _entered(self) -> NewStudy:
        return NewStudy(
            name=self.name.text().strip(),
            episodes_path=self._episodes.path,
            episodes_per_participant=self.count.value(),
            is_first_practice=self.first.isChecked(),
            consent_text=self.consent.toPlainText(),
            split=str(self.split.currentData() or ""),
            practice=practice_ids(self.practice.text()),
            overlap=self.overlap.value() or None,
            seed=self.seed.value(),
            agent_key=str(self.agent.currentData() or ""),
            rules=self.rules.rules,
            counts_abandoned=self.rules.abandoned.isChecked(),
            break_after_episodes=self.break_episodes.value() or None,
            break_after_min=self.break_minutes.value() or None,
            connectivity_path=self.connectivity.path,
            navmeshes_path=self.navmeshes.path,
            scenes_path=self.scenes.path,
        )

    def set_values(self, values: NewStudy) -> None:
        """Propose something."""
        self.name.setText(values.name)
        self.path.setText(values.episodes_path)
        _show(self.count, values.episodes_per_participant)
        self.first.setChecked(values.is_first_practice)
        self.practice.setText(", ".join(values.practice))
        self.consent.setPlainText(values.consent_text)
        _show(self.overlap, values.overlap or 0)
        _show(self.seed, values.seed)
        self.agent.setCurrentIndex(max(0, self.agent.findData(values.agent_key)))
        self.rules.set_rules(values.rules, counts_abandoned=values.counts_abandoned)
        _show(self.break_episodes, values.break_after_episodes or 0)
        self.break_minutes.setValue(values.break_after_min or 0.0)
        self.connectivity.line.setText(values.connectivity_path)
        self.navmeshes.line.setText(values.navmeshes_path)
        self.scenes.line.setText(values.scenes_path)
        self._proposed, self._shown = values, self._entered()

    def set_entries(self, entries: Mapping[str, Any]) -> None:
        """Enter what ``entries`` gave; a split before the file has been looked at that has it."""
        split = entries.get("Split")
        if isinstance(split, str) and self.split.findData(split) < 0:
            self.split.addItem(split, split)
        super().set_entries(entries)

    def fix_seed(self) -> None:
        """Keep the seed: somebody takes part already."""
        self._fields["seed"].setEnabled(False)
        self._fields["seed"].set_hint("Fixed, because participants have joined.")

    def show_file(self, file: EpisodeFileFacts) -> None:
        """Say what the file of the episodes holds, and offer its splits."""
        self._file, self._file_problem = file, ""
        chosen = self.split.currentData()
        self.split.clear()
        self.split.addItem(_ALL_SPLITS, "")
        for split in file.splits:
            self.split.addItem(split, split)
        self.split.setCurrentIndex(max(0, self.split.findData(chosen)))
        self._episodes.set_hint(file_sentence(file))
        if file.graphs is not None and not self._is_change and not self.connectivity.path:
            self.connectivity.line.setText(str(file.graphs))
            self.connectivity.set_hint("Found beside the episodes.")
        self._check()

    def show_file_problem(self, sentence: str) -> None:
        """Say why the file of the episodes cannot be used."""
        self._file, self._file_problem = None, sentence
        self._check()

    def fail(self, sentence: str) -> None:
        """Say why no study was made; the form can be sent again."""
        super().fail(sentence)
        self._check()

    def _make_controls(
        self, asking: StudyFileDialogs, values: NewStudy, agents: Mapping[str, str]
    ) -> None:
        self.name = QLineEdit()
        self._episodes = PathField("File of the episodes", asking.episodes)
        self.path = self._episodes.line
        splits = [values.split] if values.split else []
        self.split = choice_box({"": _ALL_SPLITS, **{split: split for split in splits}})
        self.first = QCheckBox("The first episode is practice and does not count")
        self.practice = QLineEdit()
        self.practice.setPlaceholderText("1940_0, 1940_1")
        self.count = number_box(1, 9999, 50)
        self.overlap = number_box(0, 9999, 0, "no limit")
        self.seed = number_box(0, 2**31 - 1, 0)
        self.agent = choice_box({"": "human (default)", **agents})
        self.break_episodes = number_box(0, 999, 10, "never")
        self.break_minutes = decimal_box(0.0, 999.0, 30.0, "min", "never", 1)
        self.consent = TextBox(_CONSENT_LINES, "Consent text")
        self.consent.setPlaceholderText("Shown to every participant, who agrees before driving")
        self.connectivity = PathField(
            "Folder of connectivity files",
            asking.connectivity,
            "For episodes that name viewpoints only, such as R2R's.",
        )
        self.navmeshes = PathField(
            "Folder of navmeshes or scenes",
            asking.navmeshes,
            "For distances over the floor, which VLN-CE's scores need.",
        )
        title = "Folder or list of scenes"
        self.scenes = PathField(title, asking.scene_list, _NO_SCENES, asking.scenes)
        version = _FIXED_CONSENT if self._is_change else _FIRST_CONSENT
        self._fields = {
            "name": Field("Name", self.name),
            "episodes_path": self._episodes,
            "split": Field("Split", self.split),
            "is_first_practice": Field("First episode is practice", self.first),
            "practice": Field("Practice episodes, by id", self.practice),
            "episodes_per_participant": Field("Episodes for each participant", self.count),
            "overlap": Field("Participants per episode, at most", self.overlap),
            "seed": Field("Seed of choice and order", self.seed),
            "agent_key": Field("Agent that is driven", self.agent),
            "break_after_episodes": Field("Break after episodes", self.break_episodes),
            "break_after_min": Field("Break after driving", self.break_minutes),
            "connectivity_path": self.connectivity,
            "navmeshes_path": self.navmeshes,
            "scenes_path": self.scenes,
            "consent_text": Field("Consent text", self.consent, version),
        }

    def _lay_out_fields(self) -> None:
        fields = self._fields
        rows: tuple[tuple[QWidget, ...], ...] = (
            (fields["name"],),
            (fields["episodes_path"],),
            (fields["split"], fields["practice"]),
            (fields["is_first_practice"],),
            (fields["connectivity_path"],),
            (fields["navmeshes_path"],),
            (fields["scenes_path"],),
            (heading("Who drives what"),),
            (fields["episodes_per_participant"], fields["overlap"]),
            (fields["seed"], fields["agent_key"]),
            (fields["break_after_episodes"], fields["break_after_min"]),
            *self.rules.rows(),
            (heading("What participants agree to"),),
            (fields["consent_text"],),
        )
        self.lay_out(rows)
        self.resize(680, 640)

    def _connect(self) -> None:
        self.make.clicked.connect(self._submit)
        self.path.textChanged.connect(self._on_file)
        for line in (self.name, self.practice, self.connectivity.line, self.scenes.line):
            line.textChanged.connect(self._check)
        self.consent.textChanged.connect(self._check)
        self.first.toggled.connect(self._check)
        self.split.currentIndexChanged.connect(self._check)

    def _submit(self) -> None:
        self.fail("")
        self.make.setEnabled(False)
        self.submitted.emit()

    def _on_file(self) -> None:
        self._file, self._file_problem = None, ""
        self._episodes.set_hint("")
        self._look_soon.start()
        self._check()

    def _look(self) -> None:
        if self._episodes.path:
            self.file_named.emit(self._episodes.path)

    def _check(self) -> None:
        problems = dict(study_problems(self.values, self._file))
        if self._file_problem:
            problems["episodes_path"] = self._file_problem
        for name in _FIXED if self._is_change else ():
            problems.pop(name, None)
        for name, field in self._fields.items():
            field.set_problem(problems.get(name, ""))
        self.make.setEnabled(not problems)


def _show(box: QSpinBox, number: int) -> None:
    """Show a number as far as the box can; Qt takes none beyond 32 bits."""
    box.setValue(max(box.minimum(), min(number, box.maximum())))

"""The form of a run to replay: its results, and what they are judged against."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from waypost.domain.episode.run_source import RunSource
from waypost.widgets.parts import button, label

FILM_FILTER = "Films (*.mp4);;All files (*)"
GRAPH_FILTER = "CapNav graphs (*-graph.json);;All files (*)"
_BY_DATASET = "By dataset"
_WITHOUT = (
    "Without episodes there is no ground truth; without graphs no map. VLN-CE and Open-Nav leave"
    " success open without navmeshes, which are given on the command line; their straight lines,"
    " under Metrics, need none."
)


class RunDialog(QDialog):
    """Asks for what goes with a file of results; everything but the results may be left out.

    Args:
        proposed: The results, with what was found beside them and why.
        profiles: Key → title of every metric profile.
        ask_files: Asks for episode files; empty if none were chosen.
        ask_folder: Asks for a folder under a title; empty if none was chosen.
        parent: Qt owner.
    """

    def __init__(
        self,
        proposed: RunSource,
        profiles: Mapping[str, str],
        ask_files: Callable[[], Sequence[str]],
        ask_folder: Callable[[str], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Replay a run")
        self.setMinimumWidth(560)
        self._proposed, self._annotations = proposed, proposed.annotations
        self._ask_files, self._ask_folder = ask_files, ask_folder
        self.name = _field(proposed.name, "Name of the run")
        self.episodes = _field(_names(proposed.annotations), "Episode files")
        self.episodes.setReadOnly(True)
        # It would stand there and do nothing: what cannot be typed in cannot be cleared so.
        self.episodes.setClearButtonEnabled(False)
        self.episodes.setPlaceholderText("None")
        graphs, pictures = (str(each or "") for each in (proposed.connectivity, proposed.pictures))
        self.connectivity = _field(graphs, "Folder of graphs, or CapNav's graph")
        self.pictures = _field(pictures, "Folder of pictures, or a film")
        self.profile = _profile_choice(profiles, proposed.profile_key)
        self._fill_form()
        buttons = QDialogButtonBox()
        self.open_button = button("Open the run", role="primary")
        buttons.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addLayout(self._form)
        for sentence in proposed.reasons:
            layout.addWidget(label(sentence, "small"))
        layout.addWidget(label(_WITHOUT, "muted"))
        layout.addWidget(buttons)
        self.name.textChanged.connect(self._check)
        self._check()
        self.open_button.setDefault(True)
        self.open_button.setFocus()

    @property
    def values(self) -> RunSource:
        """What was given."""
        connectivity, pictures = self.connectivity.text().strip(), self.pictures.text().strip()
        return replace(
            self._proposed,
            name=self.name.text().strip(),
            annotations=self._annotations,
            connectivity=Path(connectivity) if connectivity else None,
            pictures=Path(pictures) if pictures else None,
            profile_key=self.profile.currentData() or "",
            reasons=(),
        )

    def set_annotations(self, paths: Sequence[str]) -> None:
        """Take other episode files; none are taken away by an empty choice."""
        if paths:
            self._annotations = tuple(map(Path, paths))
            self.episodes.setText(_names(self._annotations))

    def _fill_form(self) -> None:
        self._form = QFormLayout()
        self._form.addRow("Results", label(self._proposed.file.name))
        self._form.addRow("Name", self.name)
        self._add_path(
            "Episodes",
            self.episodes,
            {"Choose …": self._choose_episodes, "None": self._leave_out_episodes},
        )
        for title, field, kind, filters in (
            ("Graphs", self.connectivity, "File …", GRAPH_FILTER),
            ("Pictures", self.pictures, "Film …", FILM_FILTER),
        ):
            self._add_path(
                title,
                field,
                {
                    "Folder …": self._chooser(field, self._ask_folder, title),
                    kind: self._chooser(field, self._ask_for_file, title, filters),
                },
            )
        self._form.addRow("Metrics", self.profile)

    def _add_path(
        self, title: str, field: QLineEdit, choosers: Mapping[str, Callable[[], None]]
    ) -> None:
        row = QHBoxLayout()
        row.addWidget(field, 1)
        for text, choose in choosers.items():
            browse = button(text, f"{text.removesuffix(' …')}: {title.lower()}")
            browse.clicked.connect(choose)
            row.addWidget(browse)
        self._form.addRow(title, row)

    def _choose_episodes(self) -> None:
        self.set_annotations(self._ask_files())

    def _leave_out_episodes(self) -> None:
        self._annotations = ()
        self.episodes.clear()

    def _chooser(
        self, field: QLineEdit, ask: Callable[..., str], *words: str
    ) -> Callable[[], None]:
        def choose() -> None:
            chosen = ask(*words)
            if chosen:
                field.setText(chosen)

        return choose

    def _ask_for_file(self, title: str, filters: str) -> str:
        folder = str(self._proposed.file.parent)
        return QFileDialog.getOpenFileName(self, title, folder, filters)[0]

    def _check(self) -> None:
        self.open_button.setEnabled(bool(self.name.text().strip()))


def _profile_choice(profiles: Mapping[str, str], chosen: str) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName("Metric profile")
    made.addItem(_BY_DATASET, "")
    for key, title in profiles.items():
        made.addItem(title, key)
    made.setCurrentIndex(max(made.findData(chosen), 0))
    return made


def _field(text: str, name: str) -> QLineEdit:
    made = QLineEdit(text)
    made.setAccessibleName(name)
    made.setClearButtonEnabled(True)
    return made


def _names(paths: Sequence[Path]) -> str:
    return ", ".join(path.name for path in paths)

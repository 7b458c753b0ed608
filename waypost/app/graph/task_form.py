"""What is said about one question: its words, its places, and who can do it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from waypost.domain.traverse.places import PlaceMatch, with_place
from waypost.domain.traverse.questions import QuestionRoute
from waypost.domain.traverse.task import Task
from waypost.widgets.facts_table import Fact, FactsTable
from waypost.widgets.parts import TextBox, button, heading, label

_NODE_ROLE = Qt.ItemDataRole.UserRole + 1


class TaskForm(QWidget):
    """Words, places and details of a question; every change is a new ``Task``."""

    changed = Signal(object, str)
    """The question as it is now, and what was done, for undo."""

    hallucinated_toggled = Signal()
    deleted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._task: Task | None = None
        self._shown = ("", "", "")
        self._names: Mapping[str, str] = {}
        self._words = TextBox(3, "Words of the question")
        self._words.installEventFilter(self)
        self._problem = label("", "warning")
        self._places = QVBoxLayout()
        self._places.setSpacing(4)
        self._boxes: list[QComboBox] = []
        self._start_detail = _detail_field("Detail of the start")
        self._end_detail = _detail_field("Detail of the end")
        for field in (self._start_detail, self._end_detail):
            field.editingFinished.connect(self.commit)
            self._places.addWidget(field)
        self._hallucinated = QCheckBox("Hallucinated: not in the scene")
        self._hallucinated.setToolTip(
            "It asks for what is not there; it stays in the list and counts nowhere."
        )
        self._hallucinated.clicked.connect(self._on_hallucinated)
        self._feasible = FactsTable()
        delete = button("Delete the question")
        delete.clicked.connect(self.deleted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 0)
        layout.setSpacing(5)
        layout.addWidget(heading("QUESTION"))
        layout.addWidget(self._words)
        layout.addWidget(self._problem)
        layout.addLayout(self._places)
        for widget in (
            self._hallucinated,
            heading("CAN DO IT"),
            self._feasible,
            delete,
        ):
            layout.addWidget(widget)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def set_question(
        self, task: Task | None, route: QuestionRoute | None, names: Mapping[str, str]
    ) -> None:
        """Show a question; see ``commit`` for what was typed for the one before.

        Args:
            task: ``None`` empties the form.
            route: Of that question; ``None`` while it is looked for.
            names: Node id → name, of the graph.
        """
        is_same = task == self._task
        self._task, self._names = task, names
        self.setEnabled(task is not None)
        self._problem.setText(route.problem if route else "")
        self._problem.setVisible(bool(route and route.problem))
        if task is None:
            return
        if not is_same:
            # What is being typed stays while something else of the project changes.
            self._words.setPlainText(task.question)
            self._start_detail.setText(task.start_detail)
            self._end_detail.setText(task.end_detail)
            self._shown = self._texts
        self._hallucinated.setChecked(task.is_hallucinated)
        self._show_places(route.matches if route else ())

    def set_feasible(self, facts: tuple[Fact, ...]) -> None:
        """Say who can do it, agent by agent."""
        self._feasible.set_facts(facts)

    def focus_words(self) -> None:
        """Put the cursor into the words."""
        self._words.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._words.selectAll()

    def commit(self) -> None:
        """Report what was typed and not yet reported."""
        task = self._task
        if task is None:
            return
        kept = task.question, task.start_detail, task.end_detail
        # What nobody typed stays as it is in its file, blanks and line ends included.
        words, start, end = (
            value if text == shown else text.strip()
            for text, shown, value in zip(self._texts, self._shown, kept, strict=True)
        )
        self._shown = self._texts
        typed = replace(task, question=words or task.question, start_detail=start, end_detail=end)
        if typed != task:
            self._task = typed
            self.changed.emit(typed, "Reword the question")

    @property
    def _texts(self) -> tuple[str, str, str]:
        """What the fields say: the words, and the details of start and end."""
        details = self._start_detail.text(), self._end_detail.text()
        return (self._words.toPlainText(), *details)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report the words when they are left."""
        if watched is self._words and event.type() == QEvent.Type.FocusOut:
            self.commit()
        return super().eventFilter(watched, event)

    def _show_places(self, matches: tuple[PlaceMatch, ...]) -> None:
        while len(self._boxes) > len(matches):
            gone = self._boxes.pop()
            self._places.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        while len(self._boxes) < len(matches):
            self._add_box()
        last = len(matches) - 1
        for index, (box, match) in enumerate(zip(self._boxes, matches, strict=True)):
            word = {0: "From", last: "To"}.get(index, "Via")
            box.setAccessibleName(f"{word}: which node is meant")
            self._fill_box(box, word, match)

    def _add_box(self) -> None:
        box, index = QComboBox(), len(self._boxes)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(8)
        box.activated.connect(lambda _: self._choose(index, box))
        self._boxes.append(box)
        # Each detail stands below the place that it is of: the start first, the end last.
        self._places.insertWidget(self._places.count() - 1 if index else 0, box)

    def _fill_box(self, box: QComboBox, word: str, match: PlaceMatch) -> None:
        """What it means, or that somebody has to say it; then what fits, then every node."""
        box.clear()
        if not match.node_id:
            box.addItem(f"{word} “{match.place}”: choose …")
        first = match.candidates if len(match.candidates) > 1 else ()
        for node_id in (*first, *(other for other in self._names if other not in first)):
            box.addItem(f"{word} {self._names[node_id]} · {node_id}")
            box.setItemData(box.count() - 1, node_id, _NODE_ROLE)
        found = box.findData(match.node_id, _NODE_ROLE) if match.node_id else 0
        box.setCurrentIndex(max(found, 0))

    def _choose(self, index: int, box: QComboBox) -> None:
        node_id = box.currentData(_NODE_ROLE)
        if self._task is not None and isinstance(node_id, str):
            self.commit()
            name = self._names[node_id]
            self.changed.emit(with_place(self._task, index, node_id), f"Say that it means {name}")

    def _on_hallucinated(self) -> None:
        self.commit()
        self.hallucinated_toggled.emit()


def _detail_field(name: str) -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(f"{name} (optional)")
    field.setAccessibleName(name)
    return field

"""Where an analyst says why a run failed: taxonomy, axes with keys, step, note, others' marks."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from waypost.app.replay.causes.cause_axis import CauseAxis
from waypost.app.replay.causes.cause_draft import CauseDraft
from waypost.app.replay.causes.cause_prompt import CausePrompt
from waypost.app.replay.causes.cause_question import CauseQuestion, category_for_key, shortcut_keys
from waypost.app.replay.causes.edge_verdicts import EdgeVerdicts
from waypost.app.replay.causes.marks_switch import MarksSwitch
from waypost.domain.base.visible_text import breakable, plain_tip
from waypost.domain.causes.failure import Taxonomy
from waypost.services.input.shortcuts import CLAIMED_KEYS, key_of_event
from waypost.widgets.parts import ElidedButton, ElidedLabel, TextBox, button, label, set_property
from waypost.widgets.row_layouts import FlowRows
from waypost.widgets.theme import tokens_in_force

NOTE_WAIT_MS: Final = 600
"""After the last letter, a note is reported without being left."""


class CausePanel(QWidget):
    """Shows a question and what is answered; reports gestures and changes nothing by itself.

    While the panel or one of its chips has the focus, the keys of the taxonomy act. What other
    analysts say shows only if the question carries it; the switch asks for that.
    """

    choice_toggled = Signal(str, str)
    """Axis and category."""

    note_changed = Signal(object, str)
    """The ``CauseKey`` it was written for, and the text."""

    step_set = Signal(object)
    """The step from which on it goes wrong, or ``None``."""

    cleared = Signal()
    """The own mark is to go."""

    taxonomy_chosen = Signal(str)
    """Key of the taxonomy to mark by."""

    editing_wanted = Signal()
    """Taxonomies are to be edited."""

    proposal_taken = Signal()
    """What is proposed is to be marked."""

    doubt_answered = Signal(bool)
    """Whether a success is to get the failure's answer that waits."""

    next_wanted = Signal()
    """Another failure that is not marked yet is to be opened."""

    edge_verdict_chosen = Signal(str, str, object)
    """From, to, and the ``RouteVerdict`` or ``None``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Root cause")
        self._draft = CauseDraft()
        self._axes: dict[str, CauseAxis] = {}
        self._choice = QComboBox()
        self._choice.setAccessibleName("Taxonomy")
        self._choice.setMinimumContentsLength(10)
        self._choice.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._edit = button("Edit …", "Edit taxonomies", "link")
        self._progress = ElidedLabel()
        self._progress.setProperty("role", "muted")
        self.next = ElidedButton("Next", "Next unmarked failure", "link")
        self.prompt = CausePrompt()
        self._hint = label("", "small")
        self._notice = label("", "warning")
        self._state = label("")
        self._from_here = ElidedButton()
        self._no_step = button("Not from a step", role="link")
        self._clear = button("Clear mark", role="link")
        self.note = TextBox(2, "Note on the cause")
        self.note.setPlaceholderText("Note")
        self._note_wait = QTimer(self)
        self._note_wait.setSingleShot(True)
        self._note_wait.setInterval(NOTE_WAIT_MS)
        self._edges = EdgeVerdicts()
        self.switch = MarksSwitch()
        self._lay_out()
        self._connect()
        self.show_question(None)

    def show_question(self, question: CauseQuestion | None) -> None:
        """Show another question, or the same one answered; ``None`` for no run.

        A note still being written is reported first, for the question it was written for.
        """
        if question is None or question.key != self._draft.key:
            self.report_note()
        old = self._draft.question
        self._draft = draft = self._draft.asked(question)
        self._set_note(draft)
        self.setEnabled(question is not None)
        self._state.setText(breakable(draft.state_text))
        if question is None:
            self._show_nothing()
            return
        if old is None or old.taxonomy is not question.taxonomy:
            self._make_axes(question.taxonomy)
        is_offered = old is not None and old.choices == question.choices
        if not is_offered or self._choice.currentData() != question.key.taxonomy:
            self._offer(question)
        self._show_answers(question)

    def set_step(self, step: int | None) -> None:
        """Say where the cursor is; ``None`` without steps."""
        self._draft = replace(self._draft, step=step)
        self._show_step()

    def report_note(self) -> None:
        """Report the note if it was changed since it was shown."""
        self._note_wait.stop()
        key = self._draft.key
        self._draft, note = self._draft.reported()
        if note is not None:
            self.note_changed.emit(key, note)

    def set_next_key(self, key: str) -> None:
        """Write the key of the next unmarked failure on its button."""
        text = f"Next unmarked  {key}" if key else "Next unmarked"
        self.next.set_full_text(text, "Next unmarked failure")

    def press_key(self, key: str) -> bool:
        """Act on a key of the taxonomy.

        Returns:
            Whether it means anything here.
        """
        question = self._draft.question
        found = None if question is None else category_for_key(question, key)
        if found is None:
            return False
        self.choice_toggled.emit(*found)
        return True

    def event(self, event: QEvent) -> bool:
        """Claim the keys of the taxonomy before they are anybody's shortcut."""
        is_claim = event.type() == QEvent.Type.ShortcutOverride
        if is_claim and isinstance(event, QKeyEvent) and self._acts_on(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Act on the keys of the taxonomy; pass on any other."""
        key, asked = self._means(event), self._asked_by(event)
        if asked is not None:
            if not event.isAutoRepeat():
                asked.click()
        elif key and not event.isAutoRepeat():
            self.press_key(key)
        elif not key:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show that the keys act here."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that they no longer do."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A frame around the panel while it has the keyboard."""
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(tokens_in_force().accent), 2.0))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 6.0, 6.0)
            painter.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report the note when it is left."""
        if event.type() == QEvent.Type.FocusOut and watched is self.note:
            self.report_note()
        return super().eventFilter(watched, event)

    def _means(self, event: QKeyEvent) -> str:
        """The key of an event if the taxonomy has it; empty otherwise."""
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        shift = Qt.KeyboardModifier.ShiftModifier
        question = self._draft.question
        if question is None or held not in {Qt.KeyboardModifier.NoModifier, shift}:
            return ""
        names = (event.text(),) if held == shift else (key_of_event(event), event.text())
        keys = shortcut_keys(question.taxonomy)
        return next((name for name in names if len(name) == 1 and name.upper() in keys), "")

    def _acts_on(self, event: QKeyEvent) -> bool:
        return bool(self._means(event)) or self._asked_by(event) is not None

    def _asked_by(self, event: QKeyEvent) -> QPushButton | None:
        """The answer to the prompt that a key gives; only while the panel itself has the keys."""
        if self.prompt.isHidden() or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return None
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            return self.prompt.accept
        is_left = event.key() == Qt.Key.Key_Escape and not self.prompt.decline.isHidden()
        return self.prompt.decline if is_left else None

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self._choice, 1)
        head.addWidget(self._edit)
        self._count = QWidget()
        count = FlowRows(self._count)
        count.addWidget(self._progress)
        count.addWidget(self.next)
        self._axes_box = QVBoxLayout()
        self._axes_box.setSpacing(8)
        steps = FlowRows()
        steps.addWidget(self._from_here)
        steps.addWidget(self._no_step)
        foot = QHBoxLayout()
        foot.addWidget(self._state, 1)
        foot.addWidget(self._clear, 0, Qt.AlignmentFlag.AlignTop)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(6, 6, 6, 6)
        rows.setSpacing(8)
        rows.addWidget(self._count)
        rows.addLayout(head)
        rows.addWidget(self._notice)
        rows.addWidget(self.prompt)
        rows.addLayout(self._axes_box)
        rows.addLayout(steps)
        rows.addWidget(self.note)
        rows.addWidget(self._edges)
        rows.addLayout(foot)
        rows.addWidget(self.switch)
        rows.addWidget(self._hint)
        rows.addStretch(1)

    def _connect(self) -> None:
        self._choice.activated.connect(
            lambda _: self.taxonomy_chosen.emit(str(self._choice.currentData()))
        )
        self._edit.clicked.connect(self.editing_wanted)
        self._from_here.clicked.connect(lambda: self.step_set.emit(self._draft.step))
        self._no_step.clicked.connect(lambda: self.step_set.emit(None))
        self._clear.clicked.connect(self.cleared)
        self.next.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.next.clicked.connect(self.next_wanted)
        self.prompt.accepted.connect(self._on_accepted)
        self.prompt.declined.connect(lambda: self.doubt_answered.emit(False))
        self._edges.verdict_chosen.connect(self.edge_verdict_chosen)
        self._note_wait.timeout.connect(self.report_note)
        self.note.textChanged.connect(self._on_note_typed)
        self.note.installEventFilter(self)

    def _on_accepted(self) -> None:
        question = self._draft.question
        if question is not None and question.doubtful:
            self.doubt_answered.emit(True)
        else:
            self.proposal_taken.emit()

    def _show_nothing(self) -> None:
        """Leave nothing of the question before: it was about another episode, maybe another run."""
        self._drop_axes()
        for part in (self._count, self._notice, self.prompt, self._clear, self._hint):
            part.hide()
        self._edges.set_edges((), "")
        set_property(self._state, "role", "muted")
        self._show_step()

    def _drop_axes(self) -> None:
        for old in self._axes.values():
            self._axes_box.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._axes = {}

    def _make_axes(self, taxonomy: Taxonomy) -> None:
        self._drop_axes()
        for axis in taxonomy.axes:
            made = CauseAxis(axis)
            made.choice_toggled.connect(
                lambda category, key=axis.key: self.choice_toggled.emit(key, category)
            )
            self._axes_box.addWidget(made)
            self._axes[axis.key] = made
        keys = shortcut_keys(taxonomy)
        self.setProperty(CLAIMED_KEYS, sorted(keys))
        self._hint.setText("The keys on the chips act while this panel has the focus.")
        self._hint.setVisible(bool(keys))

    def _offer(self, question: CauseQuestion) -> None:
        self._choice.clear()
        for key, title in question.choices:
            self._choice.addItem(title, key)
        self._choice.setCurrentIndex(self._choice.findData(question.key.taxonomy))
        self._choice.setToolTip(plain_tip(self._choice.currentText()))

    def _set_note(self, draft: CauseDraft) -> None:
        if self.note.toPlainText() != draft.note:
            self.note.blockSignals(True)
            self.note.setPlainText(draft.note)
            self.note.blockSignals(False)
        if not draft.is_written:
            self._note_wait.stop()

    def _on_note_typed(self) -> None:
        self._draft = self._draft.written(self.note.toPlainText())
        self._note_wait.start()

    def _show_answers(self, question: CauseQuestion) -> None:
        for key, axis in self._axes.items():
            chosen, proposal = question.answers.get(key, ()), question.proposed.get(key)
            axis.set_answer(chosen, question.others_on(key), proposal)
        self.prompt.show_question(question)
        self._progress.set_full_text(question.progress.words)
        self._count.setVisible(bool(question.progress.words))
        told = self._draft.version_text
        self._notice.setText(told)
        self._notice.setVisible(bool(told))
        set_property(self._state, "role", "good" if question.is_complete else "muted")
        self._clear.setVisible(question.mark is not None)
        self._edges.set_edges(question.edges, question.route_told)
        self._show_step()

    def _show_step(self) -> None:
        draft = self._draft
        self._from_here.set_full_text(draft.step_text)
        self._from_here.setEnabled(draft.step is not None)
        self._from_here.setVisible(draft.question is not None)
        self._no_step.setVisible(draft.marked_step is not None)

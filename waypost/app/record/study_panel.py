"""The coordinator's panel: facts of the study and what can be done, a participant's first."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from waypost.app.record.take_list import TakeLine, TakeList
from waypost.widgets.facts_table import Fact, FactsTable
from waypost.widgets.parts import button, heading, label


class StudyPanel(QWidget):
    """Facts and buttons; says nothing by itself."""

    begin_chosen = Signal()
    add_chosen = Signal()
    assign_chosen = Signal()
    requeue_chosen = Signal(str)
    """The reason."""

    create_chosen = Signal()
    export_chosen = Signal()
    rules_chosen = Signal()
    consent_chosen = Signal()
    withdraw_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = label("", "title")
        self._text = label("", "muted")
        self._facts = FactsTable()
        self._chosen_heading, self._chosen = heading("Participant"), FactsTable()
        self.new_study = button("New study …", "New study from an episode file")
        self.add = button("Add a participant")
        self.assign = button("Assign episodes")
        self.rules = button("Rules …", "Change the rules of the study")
        self.consent = button("Consent text …", "Consent text and its versions")
        self.export = button("Export …", "Export the study")
        self.withdraw = button("Withdraw consent", "Withdraw the consent of the participant")
        self.withdraw.setToolTip("Nothing of this participant is exported; the files stay")
        self.takes = TakeList()
        self.begin = button("Begin", "Begin the session", "primary")
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Why once more?")
        self.reason.setAccessibleName("Reason to queue the episode again")
        self.requeue = button("Queue again", "Queue the chosen episode again")
        self._again_heading, self._again = heading("Chosen episode"), QWidget()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        again = QVBoxLayout(self._again)
        again.setContentsMargins(0, 0, 0, 0)
        again.addWidget(self.reason)
        again.addWidget(self.requeue)
        self._overview = _column(
            self._title,
            self._text,
            self._facts,
            self.new_study,
            self.add,
            self.assign,
            self.rules,
            self.consent,
            self.export,
            self._chosen_heading,
            self._chosen,
            self.withdraw,
        )
        self._review = _column()
        self._review.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 10)
        layout.setSpacing(8)
        for widget in (
            self._overview,
            self._review,
            self._again_heading,
            self._again,
            self.takes,
        ):
            layout.addWidget(widget)
        layout.addStretch(1)
        layout.addWidget(self.begin)

    def set_study(self, title: str, text: str, facts: tuple[Fact, ...], *, has_study: bool) -> None:
        """Show a study, or how to begin one."""
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._facts.set_facts(facts)
        self.new_study.setVisible(not has_study)
        for made in (
            self.add,
            self.assign,
            self.rules,
            self.consent,
            self.export,
            self.begin,
        ):
            made.setVisible(has_study)

    def add_review(self, review: QWidget) -> None:
        """Make a widget the one that is shown while a take is reviewed."""
        layout = self._review.layout()
        if layout is not None:
            layout.addWidget(review)

    def set_reviewing(self, *, is_reviewing: bool) -> None:
        """Show the review instead of the facts of the study, or the facts again."""
        self._review.setVisible(is_reviewing)
        self._overview.setHidden(is_reviewing)

    def set_begin_key(self, key: str) -> None:
        """Write the key of the session on its button."""
        self.begin.setText(f"Begin  {key}".strip())

    def set_participant(
        self, code: str, facts: tuple[Fact, ...], *, can_begin: bool, can_withdraw: bool = False
    ) -> None:
        """Show the chosen participant; an empty code shows none."""
        self.withdraw.setVisible(bool(code) and can_withdraw)
        self._chosen_heading.setText(f"Participant {code}")
        self._chosen_heading.setVisible(bool(code))
        self._chosen.set_facts(facts)
        self.begin.setEnabled(can_begin)
        locked = "This participant has withdrawn" if code else "Choose a participant first"
        self.begin.setToolTip("" if can_begin else locked)

    def set_episode(
        self, title: str, *, can_requeue: bool, takes: tuple[TakeLine, ...] = ()
    ) -> None:
        """Show the chosen episode and the attempts at it; an empty title shows none."""
        self.takes.set_lines(takes)
        if title != self._again_heading.text():
            self.reason.clear()
        self._again_heading.setText(title)
        self._again_heading.setVisible(bool(title))
        self._again.setVisible(bool(title) and can_requeue)

    def _connect(self) -> None:
        for made, told in (
            (self.begin, self.begin_chosen),
            (self.add, self.add_chosen),
            (self.assign, self.assign_chosen),
            (self.new_study, self.create_chosen),
            (self.rules, self.rules_chosen),
            (self.consent, self.consent_chosen),
            (self.export, self.export_chosen),
            (self.withdraw, self.withdraw_chosen),
        ):
            made.clicked.connect(told)
        self.requeue.clicked.connect(lambda: self.requeue_chosen.emit(self.reason.text()))
        self.reason.textChanged.connect(self._on_reason)
        self._on_reason("")

    def _on_reason(self, text: str) -> None:
        has_reason = bool(text.strip())
        self.requeue.setEnabled(has_reason)
        self.requeue.setToolTip("" if has_reason else "First say why")


def _column(*parts: QWidget) -> QWidget:
    column = QWidget()
    layout = QVBoxLayout(column)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    for part in parts:
        layout.addWidget(part)
    return column

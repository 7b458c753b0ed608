"""Asks who works on a project, and why a label is returned."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from waypost.domain.traverse.team import Person, Role, Team
from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field, number_box
from waypost.widgets.parts import TextBox


class TeamDialog(FormDialog):
    """Who works on the project, one a line, and the share that two of them label.

    Args:
        team: As it is.
        parent: Qt owner.
    """

    submitted = Signal(object, float, int)
    """Everybody, the share in [0, 1] and the seed; ``fail`` or ``accept`` ends the form."""

    def __init__(self, team: Team, parent: QWidget | None = None) -> None:
        super().__init__("People and second labels", "Deal second labels", parent)
        self.people = TextBox(6, "People")
        lines = (f"{person.name}: {person.role}" for person in team.people.values())
        self.people.setPlainText("\n".join(lines))
        self.share = number_box(0, 100, round(team.second_share * 100))
        self.seed = number_box(0, 1_000_000, max(0, team.seed))
        hint = f"One a line, as “ana: annotator”; {', '.join(Role)}."
        self._people_field = Field("People", self.people, hint)
        self.lay_out(
            (
                (self._people_field,),
                (
                    Field("Second labels, %", self.share, "Share that two annotators label."),
                    Field("Seed", self.seed, "Of which passages, and of who labels which."),
                ),
            )
        )
        self.primary.clicked.connect(self._send)

    def _send(self) -> None:
        people = []
        for line in filter(None, map(str.strip, self.people.toPlainText().splitlines())):
            name, _, role = (part.strip() for part in line.rpartition(":"))
            if not name or role not in list(Role):
                self._people_field.set_problem(f"“{line}” is not NAME: ROLE.")
                return
            people.append(Person(name, Role(role)))
        self._people_field.set_problem("")
        self.fail("")
        self.submitted.emit(tuple(people), self.share.value() / 100, self.seed.value())


class ReturnDialog(FormDialog):
    """Asks why somebody is to label a passage again.

    Args:
        author: Whose label is returned.
        parent: Qt owner.
    """

    commented = Signal(str)
    """Why."""

    def __init__(self, author: str, parent: QWidget | None = None) -> None:
        super().__init__(f"Return the label of {author}", "Return it", parent)
        self.why = TextBox(3, "Why")
        self._field = Field("Why", self.why, f"{author} reads it beside the question.")
        self.lay_out(((self._field,),))
        self.primary.clicked.connect(self._finish)

    def _finish(self) -> None:
        why = self.why.toPlainText().strip()
        if not why:
            self._field.set_problem("Write down what to look at.")
            self.why.setFocus()
            return
        self.accept()
        self.commented.emit(why)

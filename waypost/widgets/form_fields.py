"""Fields of dialogs: a title, a control, and one line beneath that says what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from waypost.domain.base.visible_text import breakable
from waypost.widgets.parts import button, label, set_property

_FEW_LETTERS = 8
_INDENT_PX = 4


class Field(QWidget):
    """A control under its title, over a hint or a problem.

    Args:
        title: Says what is asked for; also the control's name for screen readers.
        control: The control.
        hint: One line about it, shown while nothing is wrong.
    """

    def __init__(self, title: str, control: QWidget, hint: str = "") -> None:
        super().__init__()
        self.control = control
        self._hint = hint
        self._title, self._note = label(title), label("")
        control.setAccessibleName(title)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        self._problem = ""
        if isinstance(control, QCheckBox):
            self._title.hide()
        else:
            layout.addWidget(self._title)
        layout.addWidget(control)
        layout.addWidget(self._note)
        self.set_problem("")

    @property
    def problem(self) -> str:
        """What is wrong; empty for nothing."""
        return self._problem

    def set_hint(self, hint: str) -> None:
        """Say something else while nothing is wrong."""
        self._hint = hint
        if not self.problem:
            self.set_problem("")

    def set_problem(self, sentence: str) -> None:
        """Say what is wrong with what was given; an empty sentence for nothing."""
        self._problem = sentence
        set_property(self._note, "role", "error" if sentence else "muted")
        text = sentence or self._hint
        self._note.setText(breakable(sentence) or self._hint)
        self._note.setVisible(bool(text))
        self.control.setAccessibleDescription(text)


class PathField(Field):
    """A path that can be typed or chosen.

    Args:
        title: Says what is asked for.
        ask: Asks for a path; empty if none was chosen.
        hint: One line about it.
        ask_folder: Where a folder will do as well as a file: asks for one, and ``ask`` for a file.
    """

    changed = Signal()

    def __init__(
        self,
        title: str,
        ask: Callable[[], str],
        hint: str = "",
        ask_folder: Callable[[], str] | None = None,
    ) -> None:
        self.line = QLineEdit()
        word = "Choose" if ask_folder is None else "File"
        self.choose = button(f"{word} …", f"{word}: {title}")
        self.choose_folder = button("Folder …", f"Folder: {title}")
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.line, 1)
        layout.addWidget(self.choose)
        layout.addWidget(self.choose_folder)
        super().__init__(title, row, hint)
        self.line.setAccessibleName(title)
        self.line.textChanged.connect(self.changed)
        self.choose.clicked.connect(lambda: self._browse(ask))
        self.choose_folder.setVisible(ask_folder is not None)
        if ask_folder is not None:
            self.choose_folder.clicked.connect(lambda: self._browse(ask_folder))

    @property
    def path(self) -> str:
        """What was given, without spaces around it."""
        return self.line.text().strip()

    def set_problem(self, sentence: str) -> None:
        """Say what is wrong with the path."""
        super().set_problem(sentence)
        self.line.setAccessibleDescription(self.control.accessibleDescription())

    def _browse(self, ask: Callable[[], str]) -> None:
        chosen = ask()
        if chosen:
            self.line.setText(chosen)
            self.line.editingFinished.emit()


def number_box(low: int, high: int, value: int, none: str = "") -> QSpinBox:
    """A whole number; ``none`` is shown for the lowest, which then means that there is none."""
    box = QSpinBox()
    box.setRange(low, high)
    box.setValue(value)
    box.setSpecialValueText(none)
    box.lineEdit().setTextMargins(_INDENT_PX, 0, 0, 0)
    return box


def decimal_box(
    low: float, high: float, value: float, unit: str = "", none: str = "", decimals: int = 2
) -> QDoubleSpinBox:
    """A number with a unit; ``none`` is shown for the lowest, which then means that."""
    box = QDoubleSpinBox()
    box.setDecimals(decimals)
    box.setRange(low, high)
    box.setValue(value)
    box.setSuffix(f" {unit}" if unit else "")
    box.setSpecialValueText(none)
    box.lineEdit().setTextMargins(_INDENT_PX, 0, 0, 0)
    return box


def choice_box(choices: dict[str, str]) -> QComboBox:
    """One of several; key → what is shown. It does not grow with its longest choice."""
    box = QComboBox()
    for key, text in choices.items():
        box.addItem(text, key)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(_FEW_LETTERS)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return box

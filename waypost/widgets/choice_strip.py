"""A few buttons of which one is chosen, each with its key: tools, cameras."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QPushButton, QSizePolicy, QWidget

from waypost.widgets.parts import button

_BESIDE_PX = 8
"""Beside a strip that heads a panel."""


class ChoiceStrip(QFrame):
    """Shows what is chosen and reports a click; it never takes the keyboard from the stage.

    Args:
        name: What is chosen here, for screen readers.
        parent: Qt owner.
    """

    chosen = Signal(str)
    """Id of the choice that was clicked."""

    content_changed = Signal()
    """The buttons need another size."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._buttons: dict[str, QPushButton] = {}
        self._current = ""
        self.setAccessibleName(name)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(3, 3, 3, 3)
        self._row.setSpacing(3)

    @property
    def current(self) -> str:
        """Id of the choice that is shown as chosen."""
        return self._current

    def set_choices(self, choices: Iterable[tuple[str, str, str, str]]) -> None:
        """Show other choices, or the same with other keys.

        Args:
            choices: Id, short text, key (empty for none), and one sentence that explains it.
        """
        for made in self._buttons.values():
            self._row.removeWidget(made)
            made.hide()
            made.deleteLater()
        self._buttons = {}
        for choice_id, text, key, tip in choices:
            made = button(f"{text}  {key}" if key else text, f"{self._name}: {tip}", "chip")
            made.setToolTip(f"{tip} ({key})" if key else tip)
            made.setCheckable(True)
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            made.clicked.connect(lambda _=False, choice_id=choice_id: self._choose(choice_id))
            self._row.addWidget(made)
            self._buttons[choice_id] = made
        self.set_current(self._current)

    @property
    def column_width_px(self) -> int:
        """How wide it is with one button below the other."""
        margins = self._row.contentsMargins()
        widest = max((made.sizeHint().width() for made in self._buttons.values()), default=0)
        return widest + margins.left() + margins.right()

    def fit(self, width_px: int) -> None:
        """Take the size of the buttons: in a row if that is not wider, else in a column."""
        self._row.setDirection(QBoxLayout.Direction.LeftToRight)
        if self._row.totalSizeHint().width() > width_px:
            self._row.setDirection(QBoxLayout.Direction.TopToBottom)
        self.resize(self._row.totalSizeHint())

    def set_current(self, choice_id: str) -> None:
        """Show a choice as chosen; emits nothing. An unknown id shows none."""
        self._current = choice_id
        for key, made in self._buttons.items():
            made.setChecked(key == choice_id)

    def event(self, event: QEvent) -> bool:
        """Notice that the buttons need another size."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.content_changed.emit()
        return handled

    def _choose(self, choice_id: str) -> None:
        self.set_current(self._current)
        self.chosen.emit(choice_id)


class FoldedStrip(QWidget):
    """A strip as the head of a panel: in a row where the panel is wide enough, else in a column.

    Args:
        strip: Becomes a child of this.
    """

    def __init__(self, strip: ChoiceStrip) -> None:
        super().__init__()
        self._strip = strip
        strip.setParent(self)
        strip.move(_BESIDE_PX, 0)
        strip.content_changed.connect(self._fit)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """Room for the widest button; more width is up to the panel."""
        return QSize(self._strip.column_width_px + 2 * _BESIDE_PX, self._strip.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold or unfold."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self._strip.fit(self.width() - 2 * _BESIDE_PX)
        self.setFixedHeight(self._strip.height())
        self.updateGeometry()

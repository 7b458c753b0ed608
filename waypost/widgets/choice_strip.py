"""A few buttons of which one is chosen, each with its key: tools, cameras."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QMenu, QPushButton, QWidget

from waypost.widgets.parts import button


class ChoiceStrip(QFrame):
    """Shows what is chosen and reports a click; it never takes the keyboard from the stage.

    In a row that is too narrow the keys give way first; then choices move into a menu at its end.

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
        self._texts: dict[str, tuple[str, str]] = {}
        self._current = ""
        self._more = button("…", f"{name}: more", "chip")
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more.setMenu(QMenu(self._more))
        self._more.hide()
        self.setAccessibleName(name)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(3, 3, 3, 3)
        self._row.setSpacing(3)
        self._row.addWidget(self._more)
        self._row.addStretch(1)

    def set_choices(self, choices: Iterable[tuple[str, str, str, str]]) -> None:
        """Show other choices, or the same with other keys.

        Args:
            choices: Id, short text, key (empty for none), and one sentence that explains it.
        """
        for made in self._buttons.values():
            self._row.removeWidget(made)
            made.hide()
            made.deleteLater()
        self._buttons, self._texts = {}, {}
        for place, (choice_id, text, key, tip) in enumerate(choices):
            self._texts[choice_id] = text, f"{text}  {key}" if key else text
            made = button(self._texts[choice_id][True], f"{self._name}: {tip}", "chip")
            made.setToolTip(f"{tip} ({key})" if key else tip)
            made.setCheckable(True)
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            made.clicked.connect(lambda _=False, choice_id=choice_id: self._choose(choice_id))
            self._row.insertWidget(place, made)
            self._buttons[choice_id] = made
        self.set_current(self._current)

    def fit(self, width_px: int) -> None:
        """Take the size of the buttons: in a row if that is not wider, else in a column."""
        is_row = self.sizeHint().width() <= width_px
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.LeftToRight if is_row else ways.TopToBottom)
        self._share_room(self.sizeHint().width())
        self.resize(self._row.totalSizeHint())

    def set_current(self, choice_id: str) -> None:
        """Show a choice as chosen; emits nothing. An unknown id shows none."""
        self._current = choice_id
        for key, made in self._buttons.items():
            made.setChecked(key == choice_id)
        self._share_room(self.width())

    def sizeHint(self) -> QSize:
        """Room for all choices with their keys in a row."""
        return QSize(self._row_px(self._buttons, has_keys=True), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Room for the widest choice and the menu with the others."""
        widest = max((self._button_px(key, has_keys=False) for key in self._buttons), default=0)
        sides = self._row.contentsMargins()
        more = self._more.sizeHint().width() + self._row.spacing()
        return QSize(widest + more + sides.left() + sides.right(), super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what fits."""
        super().resizeEvent(event)
        if self._row.direction() is QBoxLayout.Direction.LeftToRight:
            self._share_room(self.width())

    def _share_room(self, room_px: int) -> None:
        is_column = self._row.direction() is QBoxLayout.Direction.TopToBottom
        has_keys = is_column or self._row_px(self._buttons, has_keys=True) <= room_px
        rest: list[str] = []
        if not is_column and not has_keys:
            over_px = self._row_px(self._buttons, has_keys=False) - room_px
            if over_px > 0:
                over_px += self._more.sizeHint().width() + self._row.spacing()
            # The last one gives way first, the current one never.
            for key in reversed(self._buttons):
                if key != self._current and over_px > 0:
                    over_px -= self._button_px(key, has_keys=False) + self._row.spacing()
                    rest.insert(0, key)
        hidden = frozenset(rest)
        for key, made in self._buttons.items():
            made.setText(self._texts[key][has_keys])
            made.setVisible(key not in hidden)
        self._offer(rest)

    def _offer(self, rest: list[str]) -> None:
        self._more.setVisible(bool(rest))
        menu = self._more.menu()
        menu.clear()
        for key in rest:
            action = menu.addAction(self._texts[key][True].replace("  ", "\t"))
            action.triggered.connect(lambda _=False, key=key: self._choose(key))

    def _row_px(self, keys: Collection[str], *, has_keys: bool) -> int:
        sides = self._row.contentsMargins()
        between = self._row.spacing() * max(len(keys) - 1, 0)
        widths = (self._button_px(key, has_keys=has_keys) for key in keys)
        return sum(widths) + between + sides.left() + sides.right()

    def _button_px(self, key: str, *, has_keys: bool) -> int:
        made = self._buttons[key]
        made.ensurePolished()
        measured = made.fontMetrics().horizontalAdvance
        text = self._texts[key][has_keys]
        return made.sizeHint().width() + measured(text) - measured(made.text())

    def event(self, event: QEvent) -> bool:
        """Notice that the buttons need another size."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.content_changed.emit()
        return handled

    def _choose(self, choice_id: str) -> None:
        self.set_current(self._current)
        self.chosen.emit(choice_id)

"""One question of a taxonomy: its categories as chips with their keys, and what others chose."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.app.replay.causes.cause_question import APART, proposal_words
from waypost.domain.base.visible_text import breakable
from waypost.domain.causes.failure import Axis
from waypost.domain.causes.proposal import Proposal
from waypost.widgets.parts import ElidedButton, label, set_property
from waypost.widgets.row_layouts import FlowRows


class CauseAxis(QWidget):
    """Shows what is chosen on an axis and reports the chip that is pressed."""

    choice_toggled = Signal(str)
    """Key of the category whose chip was pressed."""

    def __init__(self, axis: Axis, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._axis = axis
        self._heading = label("", "heading")
        self._others = label("", "small")
        self._chips: dict[str, ElidedButton] = {}
        chips = QWidget()
        flow = FlowRows(chips, spacing_px=5)
        for category in axis.categories:
            key = f", key {category.shortcut.upper()}" if category.shortcut else ""
            made = ElidedButton(role="chip")
            made.set_full_text(
                _chip_text(category.title, category.shortcut),
                f"{axis.title}: {category.title}{key}",
                category.description,
            )
            made.setCheckable(True)
            made.clicked.connect(lambda _=False, key=category.key: self.choice_toggled.emit(key))
            flow.addWidget(made)
            self._chips[category.key] = made
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        for part in (self._heading, chips, self._others):
            rows.addWidget(part)
        self.set_answer((), ())

    def set_answer(
        self, chosen: tuple[str, ...], others: tuple[str, ...], proposal: Proposal | None = None
    ) -> None:
        """Show what is chosen, what is proposed, and a line per other analyst; emits nothing."""
        for key, chip in self._chips.items():
            is_proposed = proposal is not None and proposal.category == key
            chip.setChecked(key in chosen)
            set_property(chip, "level", "proposed" if is_proposed else "")
            chip.setAccessibleDescription("proposed, not marked" if is_proposed else "")
        several = ", one or more" if self._axis.allows_several else ""
        state = "" if chosen else (" · missing" if self._axis.is_required else " · optional")
        if proposal is not None:
            state = f" · {proposal_words(proposal)}"
        self._heading.setText(f"{breakable(self._axis.title.upper())}{several}{state}")
        self._others.setText(breakable("\n".join(others)))
        self._others.setVisible(bool(others))
        differs = any(line.startswith(APART) for line in others)
        set_property(self._others, "role", "differs" if differs else "small")


def _chip_text(title: str, shortcut: str) -> str:
    return f"{shortcut.upper()}  {title}" if shortcut else title

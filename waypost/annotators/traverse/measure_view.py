"""What a machine found about the passage at hand: a sentence, and a line for each measure."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.annotators.traverse.proposals import margin_words
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import Verdict, state_of
from waypost.services.appearance import SIGNS
from waypost.widgets.fact_lines import FactLines
from waypost.widgets.facts_table import Fact
from waypost.widgets.parts import heading, label, set_property

_ROLES = {Verdict.TRAVELS: "good", Verdict.DOES_NOT: "error", Verdict.UNCERTAIN: "warning"}


class MeasureView(QWidget):
    """Hidden while there is no measure."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = label("")
        self._facts = FactLines()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        self._heading = heading("MEASURED")
        for widget in (self._heading, self._words, self._facts):
            layout.addWidget(widget)
        self.hide()

    def show_measure(self, measure: PassageMeasure | None, facts: tuple[Fact, ...]) -> None:
        """Show another measure with its facts, or none."""
        self.setVisible(measure is not None)
        if measure is None:
            return
        margin = margin_words(measure)
        self._heading.setText(f"MEASURED · MARGIN {margin}" if margin else "MEASURED")
        sign = SIGNS[state_of(measure.answer)]
        self._words.setText(f"{sign.mark} {measure.words or sign.word}")
        set_property(self._words, "role", _ROLES[measure.answer])
        self._facts.set_facts(facts)
        self._facts.setVisible(bool(facts))

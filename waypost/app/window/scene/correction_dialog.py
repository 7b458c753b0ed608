"""The form of one correction of a scene: another up axis or unit, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import Progress
from waypost.domain.scene.comparison import size_text
from waypost.domain.scene.scene import Scene
from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field, choice_box, decimal_box
from waypost.widgets.parts import label

AS_STATED = ""
"""The choice that takes a correction back."""

ANOTHER = "another"
"""The choice of a unit that has no name here."""

_LINES = 6
_DOUBTS = 2


class CorrectionDialog(FormDialog):
    """Lets one value be chosen; whoever opens it shows the scene so, and tells what came of it.

    Args:
        title: Of the dialog.
        name: Of the value.
        choices: Key → what is shown.
        chosen: The key that is chosen at first.
        node_count: Nodes that can move along; 0 asks nothing about them.
        moves_along: Whether they do at first.
        parent: Qt owner.
    """

    value_chosen = Signal(str)
    """The key, or the number of another unit as text."""

    def __init__(
        self,
        title: str,
        name: str,
        choices: Mapping[str, str],
        chosen: str,
        node_count: int,
        *,
        moves_along: bool,
        parent: QWidget,
    ) -> None:
        super().__init__(title, "Keep it so", parent)
        self.setMinimumWidth(440)
        self.choice = choice_box(dict(choices))
        self.other = decimal_box(1e-6, 1e6, 1.0, "m", decimals=6)
        self.moves = QCheckBox(f"Move the {counted(node_count, 'node')} of the graph along")
        self.moves.setChecked(moves_along)
        self.moves.setVisible(bool(node_count))
        self._other_field = Field("Metres per unit", self.other)
        self._facts = label("")
        self._facts.setAccessibleName("What the scene is so")
        self._facts.setMinimumHeight(_LINES * self.fontMetrics().lineSpacing())
        self._facts.setAlignment(Qt.AlignmentFlag.AlignTop)
        # A form that is told what to choose must not take it for a choice of its user.
        self.choice.setCurrentIndex(max(0, self.choice.findData(chosen)))
        field = Field(name, self.choice)
        self.lay_out(((field,), (self._other_field,), (self._facts,), (self.moves,)))
        self._show_other()
        self.choice.currentIndexChanged.connect(self._on_choice)
        self.other.editingFinished.connect(self._on_choice)
        self.primary.setDefault(True)
        self.primary.setEnabled(False)
        self.primary.clicked.connect(self.accept)

    @property
    def value(self) -> str:
        """What is chosen now; see ``value_chosen``."""
        key = str(self.choice.currentData())
        return f"{self.other.value():g}" if key == ANOTHER else key

    @property
    def facts(self) -> str:
        """What is said of the scene as it is shown."""
        return self._facts.text()

    def show_reading(self, progress: Progress | None = None) -> None:
        """Say that the scene is being read so; nothing can be kept meanwhile."""
        self.primary.setEnabled(False)
        share = f" ({progress.fraction:.0%})" if progress and progress.fraction is not None else ""
        self._facts.setText(f"Reading the scene so …{share}")
        self.fail("")

    def show_scene(self, before: Scene, after: Scene, person_m: float | None = None) -> None:
        """Say what the scene is as it is shown.

        Args:
            before: As it was when the dialog was opened.
            after: As it is shown behind the dialog.
            person_m: Height of the person that stands in it; ``None`` where this is how the
                project has it already.
        """
        storeys = counted(len(after.storeys), "storey", "storeys")
        lines = [f"Size {size_text(after)}, {storeys}."]
        if person_m is not None:
            lines.append(f"It was {size_text(before)}, {counted(len(before.storeys), 'storey')}.")
            lines.append(f"Behind this form it is shown so, with a person of {person_m:.2f} m.")
        doubts = [f"⚠ {doubt}" for doubt in after.warnings if doubt not in before.warnings]
        # The last are those of the whole scene.
        rest = len(doubts) - _DOUBTS
        lines += [*doubts[-_DOUBTS:], *([f"and {counted(rest, 'doubt')} more"] if rest > 0 else [])]
        self._facts.setText("\n".join(lines))
        self.primary.setEnabled(person_m is not None)

    def _on_choice(self) -> None:
        self._show_other()
        self.fit()
        self.value_chosen.emit(self.value)

    def _show_other(self) -> None:
        self._other_field.setVisible(self.choice.currentData() == ANOTHER)

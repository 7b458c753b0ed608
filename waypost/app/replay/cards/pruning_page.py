"""MSNav's pruning of the agent's map, step by step, with parameters that can be changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QCheckBox, QPushButton, QWidget

from waypost.app.replay.cards.fold import Fold
from waypost.app.replay.cards.memory_pages import MemoryPageView
from waypost.app.replay.cards.node_link import NodeLinkView
from waypost.app.replay.cards.row_list import RowList, TextRow
from waypost.domain.base.counted_words import counted
from waypost.domain.base.visible_text import one_line
from waypost.domain.replay.agent_map_picture import arrival_numbers, node_numbers, pruning_picture
from waypost.domain.replay.memories import ReplayMemory, pruned_at, pruning_index
from waypost.domain.replay.memory import (
    MSNAV_PRUNING,
    MemoryNode,
    MemoryStep,
    PruningParameters,
)
from waypost.domain.replay.step_words import CONSOLE
from waypost.widgets.form_fields import Field, decimal_box, number_box
from waypost.widgets.parts import button, heading, label
from waypost.widgets.row_layouts import EqualColumns

_SCORES: Final = "Pruning Scores"
_WEIGHTS: Final = {
    "weight_time": "λt (age)",
    "weight_degree": "λd (degree)",
    "weight_frontier": "λf (unexplored)",
    "weight_distance": "λdist (distance)",
}
_COUNTS: Final = {
    "start_step": "Starts at arrival",
    "old_after_steps": "Old after arrivals",
    "keep_recent_steps": "Keeps the last",
    "most_per_step": "Most per step",
}


class PruningParametersForm(QWidget):
    """The numbers of the pruning, each in a field of its own."""

    changed = Signal()
    """The user changed a number."""

    def __init__(self) -> None:
        super().__init__()
        self._weights = {
            key: decimal_box(-100.0, 100.0, getattr(MSNAV_PRUNING, key)) for key in _WEIGHTS
        }
        self._counts = {key: number_box(0, 9999, getattr(MSNAV_PRUNING, key)) for key in _COUNTS}
        self.uses_distance = QCheckBox("Distance counts")
        rows = EqualColumns(2, self)
        fields: list[tuple[str, QAbstractSpinBox]] = [
            *((title, self._weights[key]) for key, title in _WEIGHTS.items()),
            *((title, self._counts[key]) for key, title in _COUNTS.items()),
        ]
        for title, box in fields:
            box.setMinimumWidth(60)
            box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            box.installEventFilter(self)
            rows.addWidget(Field(title, box))
        self.uses_distance.setAccessibleName("Distance counts")
        rows.addWidget(self.uses_distance)
        self.reset = button("MSNav's values", "Set MSNav's own parameters")
        rows.addWidget(self.reset)
        for weight in self._weights.values():
            weight.valueChanged.connect(self.changed)
        for count in self._counts.values():
            count.valueChanged.connect(self.changed)
        self.uses_distance.toggled.connect(self.changed)
        self.reset.clicked.connect(lambda: self.set_parameters(MSNAV_PRUNING))

    @property
    def parameters(self) -> PruningParameters:
        """What the fields say."""
        values: dict[str, Any] = {key: box.value() for key, box in self._weights.items()}
        values |= {key: box.value() for key, box in self._counts.items()}
        return PruningParameters(**values, uses_distance=self.uses_distance.isChecked())

    def set_parameters(self, parameters: PruningParameters) -> None:
        """Fill the fields; says once that they changed, if they did."""
        if parameters == self.parameters:
            return
        was_blocked = self.blockSignals(True)
        for key, box in self._weights.items():
            box.setValue(getattr(parameters, key))
        for key, count in self._counts.items():
            count.setValue(getattr(parameters, key))
        self.uses_distance.setChecked(parameters.uses_distance)
        self.blockSignals(was_blocked)
        self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Scroll the panel, not a number that merely lies under the mouse."""
        if (
            event.type() == QEvent.Type.Wheel
            and isinstance(watched, QAbstractSpinBox)
            and not watched.hasFocus()
        ):
            event.ignore()
            return True
        return super().eventFilter(watched, event)


class PruningPage(MemoryPageView):
    """The map with what it would lose, each node with its score, and the weights."""

    def __init__(self) -> None:
        super().__init__()
        self._memory: ReplayMemory | None = None
        self._step = 0
        self._note = label(
            "What MSNav's program would do along this path; not what the log says it did.", "small"
        )
        self._summary = label("")
        self.picture = NodeLinkView("Map with pruned nodes")
        self.nodes = RowList("Nodes of the map and their scores")
        self.nodes.chosen.connect(lambda key: self.step_chosen.emit(int(key.split("\n")[0])))
        self._formula = label("", "small")
        self.logged, self._is_open = Fold(), False
        self.logged.toggled.connect(self._remember)
        self.form = PruningParametersForm()
        self.form.changed.connect(self._show)
        self.form.hide()
        self.fold: QPushButton = button("▸ Parameters", "Parameters of the pruning", "fold")
        self.fold.setCheckable(True)
        self.fold.toggled.connect(self._on_folded)
        self.add(
            self._note,
            self._summary,
            self.picture,
            self.fold,
            self.form,
            heading("NODES, NEXT TO BE PRUNED FIRST"),
            self._formula,
            self.nodes,
            self.logged,
        )

    def show_step(self, memory: ReplayMemory, step: int) -> None:
        """Show the map at the last arrival up to a step."""
        self._memory, self._step = memory, step
        self._show()

    def _on_folded(self, is_open: bool) -> None:
        self.form.setVisible(is_open)
        self.fold.setText("▾ Parameters" if is_open else "▸ Parameters")

    def _show(self) -> None:
        memory = self._memory
        if memory is None or memory.replay.graph is None:
            return
        parameters = self.form.parameters
        states = memory.pruning(parameters)
        number = pruning_index(states, self._step)
        if number is None:
            return
        numbers = node_numbers(memory.replay, states)
        self.picture.set_picture(pruning_picture(states, number, memory.replay.graph, numbers))
        self._summary.setText(pruning_summary(states, number, parameters, numbers))
        far = f" + {parameters.weight_distance:g}·distance" if parameters.uses_distance else ""
        self._formula.setText(
            f"P = {parameters.weight_time:g}·(age − {parameters.old_after_steps})"
            f" − {parameters.weight_degree:g}·degree"
            f" − {parameters.weight_frontier:g}·unexplored{far}"
        )
        self.nodes.set_rows(node_rows(states, number, numbers))
        self._show_logged(memory, states[number].step)

    def _show_logged(self, memory: ReplayMemory, step: int) -> None:
        """Show the scores that the program itself printed when the agent stood here."""
        decision = memory.replay.step(step).decision
        printed = decision.extra.get(CONSOLE, "") if decision else ""
        has_scores = isinstance(printed, str) and _SCORES in printed
        self.logged.setVisible(has_scores)
        if has_scores:
            self.logged.set_part("Scores as the log has them", printed, is_open=self._is_open)

    def _remember(self, is_open: bool) -> None:
        self._is_open = is_open


def pruning_summary(
    states: tuple[MemoryStep, ...],
    number: int,
    parameters: PruningParameters,
    numbers: Mapping[str, int] | None = None,
) -> str:
    """One sentence: how many nodes, which goes now, and why none does."""
    state = states[number]
    numbers = arrival_numbers(states) if numbers is None else numbers
    now = [str(numbers[node.viewpoint_id]) for node in state.nodes if node.is_pruned]
    text = f"{counted(len(state.nodes), 'node')}, {len(state.struck_out)} struck out."
    if now:
        return f"{text} Pruned at this step: {', '.join(now)}."
    if number < parameters.start_step:
        return f"{text} Pruning starts at arrival {parameters.start_step}; this is {number}."
    return f"{text} None is old enough to be pruned now."


def node_rows(
    states: tuple[MemoryStep, ...], number: int, numbers: Mapping[str, int] | None = None
) -> tuple[TextRow, ...]:
    """One row per node, candidates with the highest score first, pruned ones last.

    Args:
        states: Of the whole run.
        number: Index into ``states``.
        numbers: What to call the viewpoints; without, ``arrival_numbers``.
    """
    state = states[number]
    when = pruned_at(states, number)
    ranked = sorted(
        state.nodes, key=lambda node: (node.is_pruned, not node.is_candidate, -node.score)
    )
    numbers = arrival_numbers(states) if numbers is None else numbers
    rows = [_node_row(node, state, numbers[node.viewpoint_id]) for node in ranked]
    present = {node.viewpoint_id for node in state.nodes}
    rows += [
        TextRow(
            f"{step}\n{name}",
            f"{numbers[name]} · {one_line(name[:8], 8)}",
            f"pruned at step {step}",
            sign="✕",
            tone="does_not",
            is_struck_out=True,
            can_choose=True,
        )
        for name, step in when.items()
        if name not in present
    ]
    return tuple(rows)


def _node_row(node: MemoryNode, state: MemoryStep, number: int) -> TextRow:
    edges = node.distance_edges
    far = "no way" if edges is None else f"{edges} edge{'' if edges == 1 else 's'} away"
    terms = (f"{term + 0.0:+g}".replace("-", "−") for term in node.terms)
    time, degree, frontier, distance = terms
    row = TextRow(
        f"{state.step}\n{node.viewpoint_id}",
        f"{number} · {one_line(node.viewpoint_id[:8], 8)}  P = {node.score:g}".replace("-", "−"),
        f"age {node.age_steps} · degree {node.degree} · unexplored {node.unexplored} · {far}",
        f"λt·ft {time}  λd·fd {degree}  λf·ff {frontier}  λdist·fdist {distance}",
        sign="?" if node.is_candidate else "",
        tone="uncertain" if node.is_candidate else "",
        is_current=node.viewpoint_id == state.current_id,
    )
    if node.is_pruned:
        return replace(row, sign="✕", tone="does_not", is_struck_out=True)
    return row

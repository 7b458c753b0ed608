"""The pages of the memory panel but for pruning: map, plan, experts, dialogue, stages."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.app.replay.cards.fold import Fold
from waypost.app.replay.cards.node_link import NodeLinkView
from waypost.app.replay.cards.row_list import RowList, TextRow
from waypost.domain.base.counted_words import counted
from waypost.domain.base.visible_text import one_line
from waypost.domain.replay.agent_map_picture import AgentMapPicture
from waypost.domain.replay.memories import ReplayMemory, expert_outputs
from waypost.domain.replay.plans import PlanFeedback, PlanState, feedback_kind, feedback_of
from waypost.domain.replay.stage_progress import current_stage
from waypost.domain.replay.turn_places import is_said_here, turn_place_words, turn_steps
from waypost.widgets.parts import WrappingColumn, heading, label

_FEEDBACK: Final = {
    PlanFeedback.IN_PLAN: ("✓", "In plan", "travels"),
    PlanFeedback.OUT_OF_PLAN: ("✕", "Out of plan", "does_not"),
    None: ("○", "Feedback", "undecided"),
}


class MemoryPageView(WrappingColumn):
    """A page that shows a step of what a run remembered: widgets below each other."""

    step_chosen = Signal(int)
    """A row that stands for a step was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(6)

    def add(self, *widgets: QWidget) -> None:
        """Add widgets at the end."""
        for widget in widgets:
            self.column.addWidget(widget)

    def show_step(self, memory: ReplayMemory, step: int) -> None:
        """Show a step of a run that has something for this page."""
        raise NotImplementedError


class TextMapPage(MemoryPageView):
    """The topological map that the model read, drawn and as text."""

    def __init__(self) -> None:
        super().__init__()
        self._when, self._changes = label("", "muted"), label("")
        self.picture = NodeLinkView("Topological map")
        self._legend = label("", "small")
        self._text = Fold()
        self._is_open = False
        self._text.toggled.connect(self._remember)
        self.add(self._when, self.picture, self._changes, self._legend, self._text)

    def show_step(self, memory: ReplayMemory, step: int) -> None:
        """Show the last map up to a step."""
        maps = memory.place_maps
        shown_at = maps.step_shown(step)
        picture = maps.picture(step)
        self.picture.set_picture(picture)
        self._when.setText(_when(shown_at, step, "The log shows the first map later than this."))
        self._changes.setText(map_changes(picture))
        way = (
            "Places lie as in plan."
            if picture.is_to_scale
            else "Drawn by connections, not to scale."
        )
        self._legend.setText(
            f"{way} Filled: here. Ring with +: new. Dashed: seen, not visited. Crossed: vanished."
        )
        self._text.setVisible(shown_at is not None)
        if shown_at is not None:
            decision = memory.replay.step(shown_at).decision
            extra = decision.extra if decision else {}
            told = (extra.get(key) for key in ("map", "supplementary_info"))
            text = "\n\n".join(one for one in told if isinstance(one, str) and one.strip())
            self._text.set_part("Map as text", text, is_open=self._is_open)

    def _remember(self, is_open: bool) -> None:
        self._is_open = is_open


def map_changes(picture: AgentMapPicture) -> str:
    """``New: 3, 4 · Vanished: 1`` or what has not changed."""
    if not picture.nodes:
        return ""
    new = [node.label for node in picture.nodes if node.is_new]
    gone = [node.label for node in picture.nodes if node.is_struck_out]
    parts = [counted(len(picture.nodes) - len(gone), "place")]
    parts += [f"new: {', '.join(new)}"] if new else []
    parts += [f"vanished: {', '.join(gone)}"] if gone else []
    return " · ".join(parts)


class PlanPage(MemoryPageView):
    """The plan as it stands, what became of the one before, and how it changed so far."""

    def __init__(self) -> None:
        super().__init__()
        self._when = label("", "muted")
        self.items, self.feedback = RowList("Plan"), RowList("Feedback")
        self.changes = RowList("Changes of the plan")
        self.changes.chosen.connect(lambda key: self.step_chosen.emit(int(key)))
        self._feedback_heading, self._changes_heading = heading("FEEDBACK"), heading("CHANGES")
        self.add(
            self._when,
            self.items,
            self._feedback_heading,
            self.feedback,
            self._changes_heading,
            self.changes,
        )

    def show_step(self, memory: ReplayMemory, step: int) -> None:
        """Show the plan that stood at a step."""
        state = memory.plan_at(step)
        shown_at = None if state is None else state.step
        self._when.setText(_when(shown_at, step, "The first plan comes later than this."))
        self.items.set_rows(plan_rows(state, is_changed_now=shown_at == step))
        self._show_feedback(memory, state, step)
        changed = [one for one in memory.plans if one.struck_out or (one.added and one.kept)]
        self._changes_heading.setVisible(bool(changed))
        self.changes.setVisible(bool(changed))
        self.changes.set_rows(
            tuple(
                TextRow(
                    str(one.step),
                    f"Step {one.step}",
                    f"{one.kept} kept, {len(one.struck_out)} struck out, {len(one.added)} new",
                    is_current=one.step == shown_at,
                    can_choose=True,
                )
                for one in changed
            )
        )

    def _show_feedback(self, memory: ReplayMemory, state: PlanState | None, step: int) -> None:
        rows = []
        if state is not None and state.feedback_text:
            sign, word, tone = _FEEDBACK[state.feedback]
            told = one_line(state.feedback_text, 400)
            rows.append(TextRow("answered", f"{word}, before this plan", told, "", "", sign, tone))
        decision = memory.replay.step(step).decision
        heard = feedback_of(decision) if decision else ""
        if heard:
            sign, word, tone = _FEEDBACK[feedback_kind(heard)]
            told = one_line(heard, 400)
            rows.append(TextRow("heard", f"{word}, after this step", told, "", "", sign, tone))
        for widget in (self._feedback_heading, self.feedback):
            widget.setVisible(bool(rows))
        self.feedback.set_rows(tuple(rows))


def plan_rows(state: PlanState | None, *, is_changed_now: bool) -> tuple[TextRow, ...]:
    """Items kept, items planned anew, and the tail that was struck out."""
    if state is None:
        return ()
    new_note = "new" if is_changed_now else ""
    kept = [
        TextRow(f"kept {number}", f"{number}. {one_line(item, 300)}", sign="=", is_bold=False)
        for number, item in enumerate(state.items[: state.kept], start=1)
    ]
    added = [
        TextRow(
            f"new {number}",
            f"{number}. {one_line(item, 300)}",
            new_note,
            sign="+",
            tone="travels",
            is_bold=False,
        )
        for number, item in enumerate(state.added, start=state.kept + 1)
    ]
    struck = [
        TextRow(
            f"struck {number}",
            one_line(item, 300),
            "struck out",
            sign="✕",
            tone="does_not",
            is_struck_out=True,
            is_bold=False,
        )
        for number, item in enumerate(state.struck_out)
    ]
    return (*kept, *added, *struck)


class ExpertsPage(MemoryPageView):
    """What experts and tools said at a step, each folded."""

    def __init__(self) -> None:
        super().__init__()
        self._nothing = label("No expert says anything at this step.", "muted")
        self._folds: list[Fold] = []
        self._are_open: dict[str, bool] = {}
        self.add(self._nothing)

    def show_step(self, memory: ReplayMemory, step: int) -> None:
        """Show the outputs of a step."""
        parts = expert_outputs(memory.replay, step)
        while len(self._folds) < len(parts):
            fold = Fold()
            fold.toggled.connect(lambda is_open, fold=fold: self._remember(fold.title, is_open))
            self._folds.append(fold)
            self.add(fold)
        for index, fold in enumerate(self._folds):
            fold.setVisible(index < len(parts))
            if index < len(parts):
                part = parts[index]
                is_open = self._are_open.get(one_line(part.name, 60), len(part.text) < 600)
                fold.set_part(part.name, part.text, is_open=is_open)
        self._nothing.setVisible(not parts)

    def _remember(self, title: str, is_open: bool) -> None:
        self._are_open[title] = is_open


class DialoguePage(MemoryPageView):
    """The conversation that the instruction is."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = RowList("Dialogue")
        self.turns.chosen.connect(lambda key: self.step_chosen.emit(int(key.split()[1])))
        self.add(self.turns)

    def show_step(self, memory: ReplayMemory, step: int) -> None:
        """Show all turns; they are given before the run begins. Those said here are marked."""
        replay = memory.replay
        rows = []
        for index, turn in enumerate(replay.episode.instruction.dialogue):
            reached = turn_steps(replay)[index]
            rows.append(
                TextRow(
                    f"{index} {reached}",
                    one_line(turn.role, 60) or f"Turn {index + 1}",
                    one_line(turn.message, 480),
                    turn_place_words(replay, index, step),
                    sign="›",
                    is_current=is_said_here(replay, index, step),
                    can_choose=reached is not None,
                )
            )
        self.turns.set_rows(tuple(rows))


class StagesPage(MemoryPageView):
    """The stages of a long-horizon task and the one that is current."""

    def __init__(self) -> None:
        super().__init__()
        self.stages = RowList("Stages")
        self.stages.chosen.connect(lambda key: self.step_chosen.emit(int(key.split()[1])))
        self._rule = label("A stage counts as reached within its radius, the ones before done.")
        self._rule.setProperty("role", "small")
        self.add(self.stages, self._rule)

    def show_step(self, memory: ReplayMemory, step: int) -> None:
        """Show how far the run is at a step."""
        current = current_stage(memory.stages, step)
        rows = []
        for index, stage in enumerate(memory.stages):
            is_done = stage.reached_step is not None and stage.reached_step <= step
            word = "current" if index == current else "to come"
            rows.append(
                TextRow(
                    f"{index} {-1 if stage.reached_step is None else stage.reached_step}",
                    f"{stage.number}. {stage.title}",
                    f"reached at step {stage.reached_step}" if is_done else word,
                    f"within {stage.radius_m:g} m",
                    sign="✓" if is_done else "▸" if index == current else "○",
                    tone="travels" if is_done else "",
                    is_current=index == current,
                    can_choose=stage.reached_step is not None,
                )
            )
        self.stages.set_rows(tuple(rows))


def _when(shown_at: int | None, step: int, not_yet: str) -> str:
    if shown_at is None:
        return not_yet
    return "As of this step" if shown_at == step else f"As of step {shown_at}"

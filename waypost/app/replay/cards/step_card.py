"""One step of a replay to read: what the agent was asked, wrote, could choose from and did."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.app.replay.cards.flow_text import FlowText, LongText
from waypost.app.replay.cards.fold import Fold
from waypost.app.replay.cards.id_chain import IdChain
from waypost.app.replay.cards.replay_card import NO_EPISODE, ReplayCard
from waypost.app.replay.cards.row_list import RowList, TextRow
from waypost.domain.base.counted_words import counted
from waypost.domain.base.visible_text import one_line
from waypost.domain.episode.run import Decision
from waypost.domain.replay.id_chains import current_link, driven_chain, reference_chain
from waypost.domain.replay.instruction_parts import instruction_of_step
from waypost.domain.replay.offered_options import OfferedOption, offered_options
from waypost.domain.replay.output_parts import why_no_move
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.step import Step
from waypost.domain.replay.step_action import step_action, turn_words
from waypost.domain.replay.step_words import (
    CardPart,
    card_parts,
    distance_words,
    event_words,
    parted_thought,
    reference_words,
    step_title,
)
from waypost.widgets.parts import (
    WrappingColumn,
    frame,
    heading,
    label,
    set_property,
    settle,
)

_TONE_ROLES: Final = {"travels": "good", "does_not": "error", "undecided": "muted"}

_MOST_LINES: Final = 5
"""Of instruction and thought until the whole is asked for, so that both paths stay in view."""

_NO_STEPS: Final = "The log has neither a pose nor a text of this run."


class StepCard(ReplayCard):
    """Shows a step; changes its texts in place, so that stepping is quick and nothing jumps."""

    option_hovered = Signal(str)
    """Viewpoint of the option under the mouse or with the keyboard; empty when there is none."""

    step_chosen = Signal(int)
    """A place of the path or of the reference was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._replay: Replay | None = None
        self._step = 0
        self._are_open: dict[str, bool] = {}
        self._folds: list[Fold] = []
        self.title, self._event = label("", "title"), FlowText("What happened at this step")
        self._state, self._distance = label(""), label("")
        self.deviation = frame("message")
        set_property(self.deviation, "level", "error")
        self._errors = frame("message")
        set_property(self._errors, "level", "warning")
        self.error_text = FlowText("Why the text gave no valid move")
        self.instruction = LongText("Instruction")
        self._instruction_note = FlowText("Part of the instruction at this step")
        set_property(self._instruction_note, "level", "muted")
        self.action = FlowText("What the agent did")
        self.options = RowList("Options offered")
        self.options.hovered.connect(self._on_hovered)
        self._options_heading = heading("")
        self.path, self.reference = IdChain("Driven path"), IdChain("Ground-truth path")
        self._path_heading, self._reference_heading = heading(""), heading("")
        for chain in (self.path, self.reference):
            chain.step_chosen.connect(self.step_chosen)
        self._parts_heading = heading("WHAT THE MODEL WROTE")
        self._action_heading, self._told_heading = heading("ACTION"), heading("INSTRUCTION")
        self.thought, self.prompt, self.reported = Fold(), Fold(), Fold()
        for text in (self.instruction, self.thought.content):
            text.set_most_lines(_MOST_LINES)
        self._build()

    def show_step(self, replay: Replay | None, step: int = 0) -> None:
        """Show a step; ``None`` empties the card.

        Args:
            replay: The run.
            step: Index into its steps.
        """
        is_other = replay is not self._replay
        self._replay, self._step = replay, step
        if replay is None or step >= len(replay):
            self.show_body(NO_EPISODE if replay is None else _why_no_step(replay))
            return
        self.show_body("")
        shown = replay.step(step)
        self._show_state(replay, shown)
        self._show_instruction(replay, step)
        self._show_action(replay, shown)
        self._show_parts(shown.decision)
        self._show_options(replay, step)
        self._show_chains(replay, step)
        if is_other:
            self._show_reported(replay)
        settle(self.body)
        offered = [text.offer_more() for text in (self.instruction, self.thought.content)]
        if any(offered):
            settle(self.body)

    def _show_state(self, replay: Replay, step: Step) -> None:
        self.title.setText(step_title(replay, step.index))
        _set_flow(self._event, event_words(step))
        words = reference_words(replay, step.index)
        self._state.setText(f"{words.sign} {words.text}")
        set_property(self._state, "role", _TONE_ROLES[words.tone])
        self._distance.setText(distance_words(step))
        self.deviation.setVisible(step.index == replay.first_deviation_step)
        told = why_no_move(step.decision) if step.decision else ()
        self._errors.setVisible(bool(told))
        if told:
            self.error_text.set_text("⚠ " + "\n".join(told))

    def _show_instruction(self, replay: Replay, step: int) -> None:
        told = instruction_of_step(replay, step)
        has_text = bool(told.text or told.part)
        for widget in (self._told_heading, self.instruction):
            widget.setVisible(has_text)
        if has_text:
            self.instruction.set_text(told.text, told.spans)
        instruction = replay.episode.instruction
        # Where no data set says so, that it does not say so is no news at any step.
        is_parted = bool(instruction.segments or instruction.words)
        note = told.note if has_text and is_parted else ""
        if told.part:
            note = f"Now ({told.source}): “{one_line(told.part, 300)}”"
        _set_flow(self._instruction_note, note)

    def _show_action(self, replay: Replay, step: Step) -> None:
        done = step_action(replay, step.index)
        parts = [] if done is None else [done.words]
        if done is not None and done.stated:
            parts.append(f"the log says “{one_line(done.stated, 120)}”")
        turned = step.decision.extra.get("turned_angle") if step.decision else None
        if isinstance(turned, str) and turned.strip():
            parts.append(f"the model was told “{one_line(turned, 120)}”")
        text = " · ".join(filter(None, parts))
        self._action_heading.setVisible(bool(text))
        _set_flow(self.action, text)

    def _show_parts(self, decision: Decision | None) -> None:
        thought, parts = parted_thought(card_parts(decision) if decision else ())
        self.thought.setVisible(thought is not None)
        if thought is not None:
            self._show_part(self.thought, thought)
        while len(self._folds) < len(parts):
            fold = Fold()
            fold.toggled.connect(lambda is_open, fold=fold: self._remember(fold.title, is_open))
            self._folds.append(fold)
            self._parts.addWidget(fold)
        for index, fold in enumerate(self._folds):
            fold.setVisible(index < len(parts))
            if index < len(parts):
                self._show_part(fold, parts[index])
        self._parts_heading.setVisible(bool(parts))
        prompt = decision.prompt if decision else ""
        self.prompt.setVisible(bool(prompt))
        if prompt:
            self._show_part(self.prompt, CardPart("Prompt", prompt), "Prompt, history included")

    def _show_part(self, fold: Fold, part: CardPart, title: str = "") -> None:
        is_open = self._are_open.get(part.kind, part.is_open_first)
        fold.set_part(title or part.name, part.text, is_open=is_open)

    def _remember(self, title: str, is_open: bool) -> None:
        self._are_open[CardPart(title, "").kind] = is_open

    def _show_options(self, replay: Replay, step: int) -> None:
        options, is_listed = offered_options(replay, step)
        self.options.setVisible(bool(options))
        self._options_heading.setVisible(bool(options))
        source = "OPTIONS OFFERED" if is_listed else "NEIGHBOURS IN THE GRAPH (none in the log)"
        self._options_heading.setText(source)
        self.options.set_rows(tuple(_option_row(option) for option in options))

    def _show_chains(self, replay: Replay, step: int) -> None:
        for chain, title, links in (
            (self.path, self._path_heading, driven_chain(replay)),
            (self.reference, self._reference_heading, reference_chain(replay)),
        ):
            chain.setVisible(bool(links))
            title.setVisible(bool(links))
            if not links:
                continue
            name = "DRIVEN PATH" if chain is self.path else "GROUND TRUTH"
            title.setText(f"{name} · {counted(len(links), 'place')}")
            is_on = chain is self.path or bool(
                replay.on_reference is not None and replay.on_reference[step]
            )
            chain.set_links(links, current_link(links, step) if is_on else None)

    def _show_reported(self, replay: Replay) -> None:
        reported = replay.run.reported
        lines = [
            f"{one_line(name, 60)}: {'unknown' if value is None else f'{value:g}'}"
            for name, value in reported.items()
        ]
        self.reported.setVisible(bool(lines))
        self.reported.set_part("Reported by the log", "\n".join(lines), is_open=False)

    def _on_hovered(self, key: str) -> None:
        self.option_hovered.emit(key.partition("\n")[2])

    def _build(self) -> None:
        flag = label("⚑ First deviation: at this step the run leaves the reference.", "error")
        _filled(self.deviation, flag)
        _filled(self._errors, self.error_text)
        self.prompt.toggled.connect(lambda is_open: self._remember("Prompt", is_open))
        self.thought.toggled.connect(lambda is_open: self._remember(self.thought.title, is_open))
        parts = WrappingColumn()
        self._parts = QVBoxLayout(parts)
        self._parts.setContentsMargins(0, 0, 0, 0)
        self._parts.setSpacing(2)
        self.fill(
            self.title,
            self._event,
            self._state,
            self.deviation,
            self._distance,
            self._errors,
            self._told_heading,
            self.instruction,
            self._instruction_note,
            self.thought,
            self._path_heading,
            self.path,
            self._reference_heading,
            self.reference,
            self._action_heading,
            self.action,
            self._parts_heading,
            parts,
            self.prompt,
            self._options_heading,
            self.options,
            self.reported,
        )


def _filled(box: QWidget, content: QWidget) -> None:
    layout = QVBoxLayout(box)
    layout.setContentsMargins(8, 5, 6, 5)
    layout.addWidget(content)


def _set_flow(flow: FlowText, text: str) -> None:
    flow.setVisible(bool(text))
    if text:
        flow.set_text(text)


def _option_row(option: OfferedOption) -> TextRow:
    """A row whose key holds the viewpoint after a line end, so that equal ones stay apart."""
    name = option.label or option.viewpoint_id[:8] or "option"
    number = "" if option.number is None else f"{option.number} · "
    where = [] if option.turn_rad is None else [turn_words(option.turn_rad).removeprefix("turns ")]
    where += [] if option.distance_m is None else [f"{option.distance_m:.2f} m"]
    return TextRow(
        key=f"{option.number}:{one_line(option.label, 40)}\n{option.viewpoint_id}",
        title=number + one_line(name, 60) + (" · chosen" if option.is_chosen else ""),
        text=one_line(option.text, 400),
        note=", ".join(where),
        sign="✓" if option.is_chosen else "",
        tone="travels" if option.is_chosen else "",
        is_current=option.is_chosen,
    )


def _why_no_step(replay: Replay) -> str:
    return replay.why_no_path if replay.run.has_scores_only else _NO_STEPS

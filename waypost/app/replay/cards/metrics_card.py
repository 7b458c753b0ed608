"""How an episode scored: values at the cursor, tags, metrics with definitions, the log's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from waypost.app.replay.cards.replay_card import NO_EPISODE, ReplayCard
from waypost.app.replay.cards.row_list import RowList, TextRow
from waypost.domain.base.visible_text import one_line
from waypost.domain.episode.run import SCORES_ONLY
from waypost.domain.replay.cursor_curves import cursor_curves
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.tags import TAG_RULES, TAG_TITLES, Tag, TagKind
from waypost.metrics.profile import Profile
from waypost.metrics.value_text import value_text
from waypost.services.replay.loading import ReplayScores
from waypost.widgets.parts import heading, label, settle

_GOOD: Final = frozenset({TagKind.PERFECT})
_MIXED: Final = {TagKind.SUCCESS_WITH_LOOPING: "✓", TagKind.ORACLE_SUCCESS: "○"}
_BETTER: Final = {True: " Higher is better.", False: " Lower is better.", None: ""}


class MetricsCard(ReplayCard):
    """Rows of values; a click on one opens its definition, a click on a tag goes to its step."""

    step_chosen = Signal(int)
    """A tag was clicked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._seen: tuple[ReplayScores | None, Replay | None, tuple[Tag, ...]] = (None, None, ())
        self._ended = label("", "muted")
        self._live_heading, self._tags_heading = heading(""), heading("TAGS")
        self._metrics_heading, self._told_heading = heading(""), heading("AS THE FILE SAYS")
        self.live, self.tags = RowList("Values at this step"), RowList("Tags")
        self.metrics, self.told = RowList("Metrics"), RowList("Values stated by the file")
        self.tags.chosen.connect(lambda key: self.step_chosen.emit(int(key.split()[1])))
        self._notes = label("", "small")
        self._told_note = label("Stated by the log itself, under its own names; not ours.", "small")
        self.fill(
            self._live_heading,
            self.live,
            self._tags_heading,
            self.tags,
            self._ended,
            self._metrics_heading,
            self.metrics,
            self._notes,
            self._told_heading,
            self._told_note,
            self.told,
        )

    def show_step(
        self,
        scores: ReplayScores | None,
        replay: Replay | None,
        step: int = 0,
        tags: tuple[Tag, ...] = (),
    ) -> None:
        """Show a step of a scored run; ``None`` for the replay empties the card.

        Args:
            scores: Under the chosen profile; ``None`` where there are none.
            replay: The run.
            step: Index into its steps.
            tags: Of the run.
        """
        self.show_body(NO_EPISODE if replay is None else "")
        if replay is None:
            return
        has_step = step < len(replay)
        self._live_heading.setVisible(has_step)
        self._live_heading.setText(f"AT STEP {step}")
        self.live.set_rows(live_rows(replay, step) if has_step else ())
        seen = self._seen
        if scores is not seen[0] or replay is not seen[1] or tags != seen[2]:
            self._seen = (scores, replay, tags)
            self._show_scores(scores, replay)
            self._show_told(replay)
            ended = f"Ended by: {one_line(replay.ended_by, 160)}"
            self._ended.setText(" ".join(filter(None, (replay.why_no_path, ended))))
        self._show_tags(tags, step)
        settle(self.body)

    def _show_scores(self, scores: ReplayScores | None, replay: Replay) -> None:
        for widget in (self._metrics_heading, self.metrics):
            widget.setVisible(scores is not None)
        placing = replay.episode.placing
        placed = f"Here {placing.note}." if placing is not None and placing.is_placed else ""
        notes = "" if scores is None else " ".join(filter(None, (scores.profile.notes, placed)))
        self._notes.setVisible(bool(notes))
        self._notes.setText(notes)
        if scores is not None:
            self._metrics_heading.setText(f"METRICS · {scores.profile.title}")
            # What the file states would stand below a screen of rows that all say the same.
            keys = (metric.key for metric in scores.profile.metrics)
            is_bare = all(scores.reasons.get(key) == SCORES_ONLY for key in keys)
            rows = (no_metric_row(scores.profile),) if is_bare else metric_rows(scores)
            self.metrics.set_rows(rows)

    def _show_told(self, replay: Replay) -> None:
        rows = told_rows(replay.run.reported)
        for widget in (self._told_heading, self._told_note, self.told):
            widget.setVisible(bool(rows))
        self.told.set_rows(rows)

    def _show_tags(self, tags: tuple[Tag, ...], step: int) -> None:
        self._tags_heading.setVisible(bool(tags))
        self.tags.setVisible(bool(tags))
        self.tags.set_rows(tag_rows(tags, step))


def live_rows(replay: Replay, step: int) -> tuple[TextRow, ...]:
    """The values of a step; those that no step of the run has are left out."""
    rows = []
    for curve in cursor_curves(replay):
        if curve.is_known:
            value = curve.at(step)
            shown = "undefined" if value is None else value_text(value, curve.unit)
            rows.append(TextRow(curve.key, f"{curve.title}  {shown}", detail=curve.definition))
    if not rows:
        unknown = "Positions and goal are unknown: nothing can be measured."
        rows.append(TextRow("", replay.why_no_path or unknown, is_bold=False))
    return tuple(rows)


def metric_rows(scores: ReplayScores) -> tuple[TextRow, ...]:
    """One row per metric: value or the reason why it has none; definition and source to open."""
    rows = []
    for metric in scores.profile.metrics:
        value = scores.values.get(metric.key)
        reason = scores.reasons.get(metric.key, "not computed")
        shown = "undefined" if value is None else value_text(value, metric.unit)
        better = _BETTER[metric.is_higher_better]
        rows.append(
            TextRow(
                metric.key,
                f"{metric.key}  {shown}",
                "" if value is not None else one_line(reason, 300),
                detail=f"{metric.definition}{better}\nSource: {metric.source}",
                sign="" if value is not None else "○",
                tone="" if value is not None else "undecided",
            )
        )
    return tuple(rows)


def no_metric_row(profile: Profile) -> TextRow:
    """What stands for all metrics of a run of scores alone; their definitions to open."""
    return TextRow(
        "",
        "None is defined",
        SCORES_ONLY,
        detail="\n".join(f"{each.key}: {each.definition}" for each in profile.metrics),
        sign="○",
        tone="undecided",
    )


def told_rows(reported: Mapping[str, float | None]) -> tuple[TextRow, ...]:
    """What the log states, as it states it."""
    return tuple(
        TextRow(
            f"told {number}",
            f"{one_line(name, 80)}  {'unknown' if value is None else f'{value:g}'}",
            is_bold=False,
        )
        for number, (name, value) in enumerate(reported.items())
    )


def tag_rows(tags: tuple[Tag, ...], step: int) -> tuple[TextRow, ...]:
    """Tags with the step they start at; one that starts at this step is marked."""
    rows = []
    for number, tag in enumerate(tags):
        sign, tone = ("✓", "travels") if tag.kind in _GOOD else ("⚑", "does_not")
        if tag.kind in _MIXED:
            sign, tone = _MIXED[tag.kind], "uncertain"
        where = "" if tag.step is None else f" · step {tag.step}"
        rows.append(
            TextRow(
                f"{number} {-1 if tag.step is None else tag.step}",
                TAG_TITLES[tag.kind] + where,
                one_line(tag.reason, 300),
                detail=TAG_RULES[tag.kind],
                sign=sign,
                tone=tone,
                is_current=tag.step == step,
                can_choose=tag.step is not None,
            )
        )
    return tuple(rows)

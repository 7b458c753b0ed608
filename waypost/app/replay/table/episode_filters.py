"""The menu that filters a table of episodes, and the chips that say and undo what is filtered."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLayoutItem, QMenu, QToolButton, QWidget

from waypost.app.replay.table.episode_model import EpisodeTableModel
from waypost.app.replay.table.metric_range_dialog import ask_range, can_ask_range, range_text
from waypost.app.replay.table.tag_signs import TAG_SIGNS
from waypost.app.shell.menu_columns import MOST_ENTRIES
from waypost.domain.base.visible_text import one_line
from waypost.domain.replay.row_filter import RowFilter
from waypost.domain.replay.tags import TAG_RULES, TAG_TITLES
from waypost.services.appearance import MARK_SIGNS
from waypost.widgets.parts import ElidedButton
from waypost.widgets.row_layouts import FlowRows

_COLUMN: Final = MOST_ENTRIES - 1
"""Choices in one column; the last entry opens the next one."""

_LONGEST_MENU: Final = 5 * _COLUMN
"""More choices than this are found by typing instead."""

_NO_SCENE: Final = "no scene"
_TITLES: Final[Mapping[Any, str]] = {
    **TAG_TITLES,
    **{state: sign.word.capitalize() for state, sign in MARK_SIGNS.items()},
}
"""What chips call tags and marks; other choices go by their own names."""


class FilterButton(QToolButton):
    """Opens a menu of tags, outcomes, scenes, causes, metrics, and the one of the narrow table.

    Args:
        model: What is filtered.
        parent: Qt owner.
    """

    def __init__(self, model: EpisodeTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setText("Filter ▾")
        self.setAccessibleName("Filter by tag, outcome, scene, cause or metric")
        self.setToolTip("Show only some episodes, by tag, outcome, scene, cause or metric")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self)
        self._menu.setAccessibleName("Filters")
        self._menu.setToolTipsVisible(True)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.setStyleSheet("QToolButton::menu-indicator { image: none; width: 0; }")

    def _fill(self) -> None:
        model, wanted = self._model, self._model.filter
        table = model.table
        self._menu.clear()
        tags = {
            kind: (f"{TAG_SIGNS[kind].mark}  {TAG_TITLES[kind]}", n, TAG_RULES[kind])
            for kind, n in table.count_tags().items()
        }
        self._add("Tag", "tags", tags, wanted.tags)
        self._add("Outcome", "outcomes", _plain(table.count_outcomes()), wanted.outcomes)
        self._add("Scene", "scenes", _plain(table.count_scenes()), wanted.scenes)
        self._add("Cause", "causes", _plain(table.count_causes()), wanted.causes)
        marks = {
            state: (f"{MARK_SIGNS[state].mark}  {MARK_SIGNS[state].word.capitalize()}", count, "")
            for state, count in table.count_marks().items()
        }
        self._add("Your mark", "marks", marks, wanted.marks)
        in_range = self._menu.addAction("Metric's range …")
        in_range.setToolTip("Only episodes with a metric below, above or between values")
        in_range.setEnabled(can_ask_range(model))
        in_range.triggered.connect(lambda: ask_range(model, self))
        self._menu.addSeparator()
        metrics = self._menu.addMenu("Metric of the narrow table")
        metrics.setToolTipsVisible(True)
        known = model.runs[0].columns if model.runs else ()
        for metric, column in zip(known, _columns(metrics, len(known)), strict=False):
            action = column.addAction(metric.key)
            action.setToolTip(metric.definition)
            action.setCheckable(True)
            action.setChecked(metric.key == model.metric)
            action.triggered.connect(lambda _=False, key=metric.key: model.set_metric(key))
        metrics.setEnabled(not metrics.isEmpty())
        clear = self._menu.addAction("Show all episodes")
        clear.setEnabled(not wanted.is_empty)
        clear.triggered.connect(lambda: model.set_filter(RowFilter()))

    def _add(
        self,
        title: str,
        field: str,
        choices: Mapping[Any, tuple[str, int, str]],
        chosen: frozenset[Any],
    ) -> None:
        menu = self._menu.addMenu(title)
        menu.setToolTipsVisible(True)
        menu.setEnabled(bool(choices))
        columns = _columns(menu, len(choices))
        shown = list(choices.items())[:_LONGEST_MENU]
        for (key, (text, count, tip)), column in zip(shown, columns, strict=False):
            action = column.addAction(f"{text or _NO_SCENE}  ({count:,})".replace("&", "&&"))
            action.setToolTip(tip)
            action.setCheckable(True)
            action.setChecked(key in chosen)
            action.triggered.connect(self._toggler(field, key))
        if len(choices) > _LONGEST_MENU:
            rest = column.addAction(f"{len(choices) - _LONGEST_MENU} more: type a name to search")
            rest.setEnabled(False)

    def _toggler(self, field: str, key: Any) -> Callable[..., None]:
        def toggle(*_: object) -> None:
            model = self._model
            chosen: frozenset[Any] = getattr(model.filter, field)
            change: dict[str, Any] = {field: chosen ^ {key}}
            model.set_filter(dataclasses.replace(model.filter, **change), model.filter_title)

        return toggle


def _columns(menu: QMenu, total: int) -> Iterator[QMenu]:
    """The menu for each of many entries in turn; what is too long for one goes on in the next."""
    for place in range(total):
        if place and place % _COLUMN == 0 and place < total - 1:
            menu = menu.addMenu("More")
            menu.setToolTipsVisible(True)
        yield menu


def _plain(counts: Mapping[str, int]) -> dict[str, tuple[str, int, str]]:
    return {name: (name, count, "") for name, count in counts.items()}


class FilterChips(QWidget):
    """One chip per filter in force; a click takes it away. Hidden while there is none.

    Args:
        model: What is filtered.
        parent: Qt owner.
    """

    changed = Signal()
    """Chips came or went."""

    def __init__(self, model: EpisodeTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._row = _ChipRows(self, spacing_px=4)
        self._chips: list[ElidedButton] = []
        model.filter_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the filters in force."""
        for chip in self._chips:
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = [self._chip(*entry) for entry in self._entries()]
        for chip in self._chips:
            self._row.addWidget(chip)
        self.setVisible(bool(self._chips))
        self.updateGeometry()
        self.changed.emit()

    def _entries(self) -> Iterable[tuple[str, RowFilter]]:
        """Text of each chip and the filter that is left without it."""
        wanted = self._model.filter
        if wanted.ids is not None:
            count = len(wanted.ids)
            noun = "episode" if count == 1 else "episodes"
            title = self._model.filter_title or "Chosen"
            yield f"{title}: {count:,} {noun}", dataclasses.replace(wanted, ids=None)
        for field in ("tags", "outcomes", "scenes", "causes", "marks"):
            chosen: frozenset[Any] = getattr(wanted, field)
            for key in sorted(chosen):
                text = _TITLES.get(key, str(key) or _NO_SCENE)
                change: dict[str, Any] = {field: chosen - {key}}
                yield text, dataclasses.replace(wanted, **change)
        for each in wanted.ranges:
            rest = tuple(other for other in wanted.ranges if other != each)
            text = range_text(self._model, each)
            yield text, dataclasses.replace(wanted, ranges=rest)

    def _chip(self, text: str, rest: RowFilter) -> ElidedButton:
        text = one_line(text)
        # Count and cross stand at the end.
        chip = ElidedButton(role="chip", mode=Qt.TextElideMode.ElideMiddle)
        chip.set_full_text(f"{text} ×", f"Remove the filter {text}", "Click to remove this filter")
        title = self._model.filter_title if rest.ids is not None else ""
        chip.clicked.connect(lambda: self._model.set_filter(rest, title))
        return chip


class _ChipRows(FlowRows):
    """Cells of their own width, narrower only where a row has no room for it."""

    def _filled(self, row: list[QLayoutItem], width_px: int) -> list[tuple[QLayoutItem, int]]:
        return [(item, min(item.sizeHint().width(), width_px)) for item in row]

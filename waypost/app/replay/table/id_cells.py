"""Ids in a column that is too narrow for them: what all of them share gives way first."""

from __future__ import annotations

from collections.abc import Iterable
from os.path import commonprefix
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from waypost.app.replay.table.column_room import MARGIN_PX
from waypost.app.replay.table.episode_model import EpisodeTableModel
from waypost.domain.base.visible_text import visible_text
from waypost.domain.replay.run_rows import RunRow

_LOOKED_AT: Final = 100
"""Rows whose ids stand for all."""

_LEAST_SHARED: Final = 3
"""Letters that are worth an ellipsis."""


def shared_start(ids: Iterable[str]) -> str:
    """What all ids begin with, up to the last sign between words; empty where it is short.

    Of ``home_10__HUMAN`` and ``home_12__HUMAN`` that is ``home_``: numbers stay whole.
    """
    different = list(set(ids))
    if len(different) < 2:
        return ""
    start = commonprefix(different)  # noqa: RUF071 - no paths
    while start and start[-1].isalnum():
        start = start[:-1]
    return start if len(start) >= _LEAST_SHARED else ""


def some_numbers(count: int) -> set[int]:
    """Numbers of some rows from everywhere in a table of so many, the last among them."""
    return {*range(0, count, max(1, count // _LOOKED_AT)), count - 1} if count else set()


class IdCells(QStyledItemDelegate):
    """Leaves out what all ids share where one has no room, then the middle of the rest.

    Of a person's take the word "take" goes first; whose it is, and the how many-th, always stay.

    Args:
        model: Whose ids are shown.
        parent: Qt owner.
    """

    def __init__(self, model: EpisodeTableModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._shared, self._has_takes = "", False
        model.modelReset.connect(self._on_reset)
        self._on_reset()

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Shorten the text of a cell to what tells it from others."""
        super().initStyleOption(option, index)
        room_px = option.rect.width() - MARGIN_PX
        option.text = self._shortened(index.row(), option.text, room_px, option.fontMetrics)
        option.textElideMode = Qt.TextElideMode.ElideMiddle

    def takes_px(self, metrics: QFontMetrics) -> int:
        """The width in which the takes of people can be told apart; 0 without any."""
        if not self._has_takes:
            return 0
        rows = self._model.table.rows
        some = (rows[number] for number in some_numbers(len(rows)))
        texts = (self._unshared(visible_text(row.episode_id)) + _whose(row) for row in some)
        # Qt measures in parts of a pixel when it paints.
        return max(map(metrics.horizontalAdvance, texts)) + 1

    def _on_reset(self) -> None:
        # Of all rows: those that a filter leaves may share what tells them from the others.
        rows = self._model.table.rows
        some = [rows[number] for number in some_numbers(len(rows))]
        self._has_takes = any(row.take is not None for row in some)
        self._shared = visible_text(shared_start(row.episode_id for row in some))

    def _shortened(self, number: int, text: str, room_px: int, metrics: QFontMetrics) -> str:
        def fits(text: str) -> bool:
            return metrics.horizontalAdvance(text) < room_px

        row = self._model.row_at(number)
        if row is None or fits(text):
            return text
        whose = _whose(row)
        if not whose:
            return self._unshared(text)
        own = visible_text(row.episode_id)
        told = (own + whose, self._unshared(own) + whose)
        left_px = room_px - 1 - metrics.horizontalAdvance(whose)
        elided = metrics.elidedText(own, Qt.TextElideMode.ElideLeft, left_px)
        return next(filter(fits, told), elided + whose)

    def _unshared(self, own: str) -> str:
        is_long = self._shared and own.startswith(self._shared)
        return f"…{own.removeprefix(self._shared)}" if is_long else own


def _whose(row: RunRow) -> str:
    """Whose take a row is, and the how many-th, in short; empty for a model's run."""
    return "" if row.take is None else visible_text(f" · {row.participant} ·{row.take}")

"""Ids in a column that is too narrow for them: what all of them share gives way first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from waypost.app.replay.table.column_room import MARGIN_PX
from waypost.app.replay.table.episode_model import EpisodeTableModel
from waypost.domain.base.visible_text import visible_text

_LOOKED_AT: Final = 100
"""Rows whose ids stand for all."""

_LEAST_SHARED: Final = 3
"""Letters that are worth an ellipsis."""


def shared_start(ids: Iterable[str]) -> str:
    """What all ids begin with, up to the last sign between words; empty where it is short.

    Of ``home_10__HUMAN`` and ``home_12__HUMAN`` that is ``home_``: numbers stay whole.
    """
    ordered = sorted(set(ids))
    if len(ordered) < 2:
        return ""
    first, last = ordered[0], ordered[-1]
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    start = first[: sum(1 for _ in alike)]
    while start and start[-1].isalnum():
        start = start[:-1]
    return start if len(start) >= _LEAST_SHARED else ""


def some_numbers(count: int) -> set[int]:
    """Numbers of some rows from everywhere in a table of so many, the last among them."""
    return {*range(0, count, max(1, count // _LOOKED_AT)), count - 1} if count else set()


class IdCells(QStyledItemDelegate):
    """Leaves out what all ids share where one has no room, then the middle of the rest.

    Args:
        model: Whose ids are shown.
        parent: Qt owner.
    """

    def __init__(self, model: EpisodeTableModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._shared = ""
        model.modelReset.connect(self._on_reset)
        self._on_reset()

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Shorten the text of a cell to what tells it from others."""
        super().initStyleOption(option, index)
        option.text = self._shortened(option, option.text)
        row = self._model.row_at(index.row())
        is_take = row is not None and row.take is not None
        # Whose take it is tells more than the how many-th, which stands at the end.
        elide = Qt.TextElideMode
        option.textElideMode = elide.ElideRight if is_take else elide.ElideMiddle

    def _on_reset(self) -> None:
        # Of all rows: those that a filter leaves may share what tells them from the others.
        rows = self._model.table.rows
        ids = (rows[number].episode_id for number in some_numbers(len(rows)))
        self._shared = visible_text(shared_start(ids))

    def _shortened(self, option: QStyleOptionViewItem, text: str) -> str:
        room_px = option.rect.width() - MARGIN_PX
        fits = option.fontMetrics.horizontalAdvance(text) <= room_px
        if fits or not self._shared or not text.startswith(self._shared):
            return text
        return f"…{text.removeprefix(self._shared)}"

"""What widgets show at the moment, for tests that look at more than one of their parts."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QWidget

from waypost.app.replay.cards.flow_text import FlowText
from waypost.app.replay.cards.fold import Fold
from waypost.app.replay.cards.id_chain import IdChain
from waypost.app.replay.cards.node_link import NodeLinkView
from waypost.app.replay.cards.step_card import StepCard
from waypost.app.replay.table.episode_filters import FilterChips
from waypost.viewers.charts.chart_view import _MARGIN_PX, ChartView
from waypost.viewers.curves.panel import CurvePanel
from waypost.widgets.grouped_list import GroupedList, ListRow


def shown_keys(rows: GroupedList) -> tuple[str, ...]:
    """Keys of the rows that match the search, from top to bottom."""
    return tuple(row.key for row in rows._model.shown if isinstance(row, ListRow))


def shown_folds(card: QWidget) -> tuple[Fold, ...]:
    """The texts of a card or page that are in use now."""
    thought = (card.thought,) if isinstance(card, StepCard) else ()
    return tuple(fold for fold in (*thought, *card._folds) if fold.isVisibleTo(card))


def marked_pieces(text: FlowText) -> tuple[str, ...]:
    """The pieces of a text that are marked."""
    return tuple(text._shown[start:end] for start, end in text._spans)


def current_chip(chain: IdChain) -> str:
    """The chip that is marked as current; empty for none."""
    return "" if chain._current is None else chain._links[chain._current].text


def chip_texts(chips: FilterChips) -> tuple[str, ...]:
    """What the chips say."""
    return tuple(chip.full_text for chip in chips._chips)


def legend_texts(panel: CurvePanel) -> tuple[str, ...]:
    """What the legend of curves says: title, unit and the value at the cursor."""
    return tuple(entry._text.text() for entry in panel._legend)


def middle_of(view: ChartView, index: int) -> QPointF:
    """The middle of a target of a chart, in pixels of its widget."""
    x, y, wide, high = view.picture.place_of(index)
    return QPointF(x + wide / 2 + _MARGIN_PX, y + high / 2 + _MARGIN_PX)


def place_on_map(view: NodeLinkView, key: str) -> QPointF | None:
    """Where a place is drawn; ``None`` if the picture does not have it."""
    found = next((node for node in view._picture.nodes if node.key == key), None)
    return None if found is None else view._at(found)

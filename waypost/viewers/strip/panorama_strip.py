"""What the agent had around it: [Left · Front · Right · Back], with its options, step by step."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from waypost.domain.base.visible_text import plain_tip, with_short_ids
from waypost.domain.replay.replay import Replay
from waypost.io.picture_sources.source import PictureSource
from waypost.services.appearance import changes_text_size
from waypost.services.replay.picture_loading import PictureFeed, PictureLoading, StepWish
from waypost.services.replay.picture_tiles import PlacePictures, TileWish
from waypost.viewers.scene.pictures import SceneFeed, SceneSource
from waypost.viewers.strip.canvas import StripCanvas
from waypost.viewers.strip.content import (
    StripRow,
    arrival_after,
    option_text,
    row_text,
    row_title,
    strip_row,
)
from waypost.viewers.strip.painting import line_height

_LOWEST_PX: Final = 120
_HIGHEST_PX: Final = 460
_USUAL_PICTURE_PX: Final = 154
"""Height of the pictures until somebody drags them larger or smaller."""

_TEXT_PX: Final = 18.0
"""Height of a line at 100 %, for which the least and the greatest height hold."""

_AHEAD: Final = (1, -1, 2, 3)
"""Steps that are loaded before they are asked for, the likeliest first."""


_HEADER_GAPS_PX = 6 + 3 * 4 + 4
"""Margins of the row of buttons and what lies between them."""


class PanoramaStrip(QWidget):
    """Panoramas of the step at hand and of the next viewpoint; useful without pictures too."""

    option_chosen = Signal(str)
    """Viewpoint of an option that was clicked."""

    folded_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._replay: Replay | None = None
        self._step = 0
        self._feed: PictureFeed | None = None
        self._held: dict[str, PlacePictures] = {}
        self._is_fold_chosen = False
        """Whether somebody has folded or unfolded it, which holds with and without pictures."""

        self._bounds = (0, 0, 0)
        """Least, usual and greatest height that was asked for, pixels."""

        self.canvas = StripCanvas()
        self._caption = _Caption()
        self._next = _toggle("Next", "Panorama at the next viewpoint")
        self._whole = _toggle("All round", "One picture all the way round instead of four")
        self._fold = _toggle("Fold", "Fold the panoramas away")
        self._build()
        self.canvas.option_chosen.connect(self.option_chosen)
        self.canvas.room_changed.connect(self._refresh)
        self._next.toggled.connect(self._refresh)
        self._whole.toggled.connect(self._refresh)
        self._fold.toggled.connect(self._on_fold)
        self._fold.clicked.connect(self._on_fold_chosen)
        self._refresh()

    @property
    def is_folded(self) -> bool:
        """Whether only the line of text is left."""
        return self._fold.isChecked()

    @property
    def rows(self) -> tuple[StripRow, ...]:
        """What is shown: the step at hand, and the next viewpoint's where wanted."""
        return self.canvas.rows

    def set_step(self, replay: Replay | None, step: int = 0) -> None:
        """Show a step; pictures that are not at hand follow."""
        if replay is not self._replay:
            self._held.clear()
        self._replay, self._step = replay, step
        self._refresh()

    def set_source(self, source: PictureSource | None, *, is_awaited: bool = False) -> None:
        """Take pictures from a folder or film, or render them; from nowhere without.

        The strip folds where there are none, unless somebody has chosen otherwise.

        Args:
            source: Where from.
            is_awaited: Whether another source is on its way: the strip stays as it is.
        """
        if not (self._is_fold_chosen or is_awaited):
            self._fold.setChecked(source is None)
        if isinstance(source, SceneSource):
            self.set_feed(SceneFeed(source, parent=self))
        else:
            self.set_feed(None if source is None else PictureLoading(source, parent=self))

    def set_feed(self, feed: PictureFeed | None) -> None:
        """Take pictures from a feed, which is closed when another comes or the strip closes."""
        if self._feed is not None:
            self._feed.arrived.disconnect(self._on_arrived)
            self._feed.close()
            if isinstance(self._feed, QObject) and self._feed.parent() is self:
                self._feed.deleteLater()
        self._feed = feed
        self._held.clear()
        if feed is not None:
            feed.arrived.connect(self._on_arrived)
        self._refresh()

    @property
    def chosen_fold(self) -> bool | None:
        """Whether somebody has chosen it folded; ``None`` if nobody has chosen."""
        return self.is_folded if self._is_fold_chosen else None

    def set_folded(self, folded: bool) -> None:
        """Leave only the line of text, or unfold, as somebody has chosen."""
        self._is_fold_chosen = True
        self._fold.setChecked(folded)

    def close_pictures(self) -> None:
        """End all loading; call it before the strip goes."""
        self.set_feed(None)

    def sizeHint(self) -> QSize:
        """Room for a row of pictures; two of them stand beside each other in it."""
        if self.is_folded:
            return QSize(640, self.minimumSizeHint().height())
        line = line_height(self.font())
        headings = 2 if self._next.isChecked() else 1
        return QSize(640, round(self._header_px() + headings * line + _USUAL_PICTURE_PX + 4))

    def minimumSizeHint(self) -> QSize:
        """The least in which something can be made out."""
        header = self._header_px()
        if self.is_folded:
            return QSize(240, header)
        needed = header + self.canvas.minimumSizeHint().height()
        return QSize(240, max(self._height(_LOWEST_PX), needed))

    def changeEvent(self, event: QEvent) -> None:
        """Take another text size or theme."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._bound_height()

    def _build(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(6, 1, 4, 1)
        header.setSpacing(4)
        header.addWidget(self._caption, 1)
        for widget in (self._next, self._whole, self._fold):
            header.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(header)
        layout.addWidget(self.canvas, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Panorama strip")
        self._bound_height()

    def _header_px(self) -> int:
        fold = self._fold.sizeHint().height()
        return max(self._caption.minimumSizeHint().height(), fold) + 2

    def _places_for_buttons(self) -> int:
        """How many buttons beside the one that folds can be read whole."""
        room = self.width() - _HEADER_GAPS_PX - self._fold.sizeHint().width()
        found = 0
        for widget in (self._next, self._whole):
            room -= widget.sizeHint().width()
            found += room >= 0
        return found

    def _height(self, base_px: int) -> int:
        """A height at 100 %, with what larger text takes more."""
        lines = 5 if self._next.isChecked() else 3
        return round(base_px + max(0.0, line_height(self.font()) - _TEXT_PX) * lines)

    def _bound_height(self) -> None:
        least = self.minimumSizeHint().height()
        highest = max(self._height(_HIGHEST_PX), least)
        if self.is_folded:
            highest = self._fold.sizeHint().height() + 2
        bounds = (least, self.sizeHint().height(), highest)
        if bounds != self._bounds:
            # What lies around is laid out only where something changes, not at every step.
            self._bounds = bounds
            self.setMaximumHeight(highest)
            self.updateGeometry()

    def _on_fold(self, is_folded: bool) -> None:
        self.canvas.setVisible(not is_folded)
        self._fold.setText("Unfold" if is_folded else "Fold")
        self._bound_height()
        self._refresh()
        self.folded_changed.emit(is_folded)

    def _on_fold_chosen(self) -> None:
        self._is_fold_chosen = True

    def _on_arrived(self) -> None:
        self._show_rows()

    def _refresh(self) -> None:
        """Show the step with the pictures at hand, and ask for those that are not."""
        is_frame = self._feed is not None and self._feed.source.is_single
        has_next = self._replay is not None and bool(self._replay.viewpoint_ids) and not is_frame
        places = self._places_for_buttons()
        self._next.setVisible(has_next and not self.is_folded and places > 0)
        self._whole.setVisible(not is_frame and not self.is_folded and places > 1)
        self._bound_height()
        self._show_rows()
        if self._feed is not None and not self.is_folded:
            self._feed.ask([self._wish(step) for step in self._wanted_steps()])

    def _shown_steps(self) -> list[int]:
        """The steps of the rows."""
        if self._replay is None or not len(self._replay):
            return []
        after = arrival_after(self._replay, self._step)
        is_second = self._next.isChecked() and not self._next.isHidden() and after is not None
        return [self._step, after] if is_second and after is not None else [self._step]

    def _wanted_steps(self) -> list[int]:
        replay = self._replay
        if replay is None:
            return []
        near = [self._step + ahead for ahead in _AHEAD]
        after = arrival_after(replay, self._step)
        wanted = [*self._shown_steps(), *([] if after is None else [after]), *near]
        return [step for step in dict.fromkeys(wanted) if 0 <= step < len(replay)]

    def _wish(self, step: int) -> StepWish:
        if self._replay is None:
            raise RuntimeError("there is no replay")
        rows = max(len(self._shown_steps()), 1)
        return StepWish(
            self._replay,
            step,
            TileWish(*self.canvas.picture_room(rows), is_whole=self._whole.isChecked()),
        )

    def _show_rows(self) -> None:
        replay, rows = self._replay, []
        if replay is not None and not self.is_folded:
            rows = [self._row(replay, step) for step in self._shown_steps()]
        self._caption.set_text(self._caption_text(rows))
        self.canvas.set_rows(rows, [self._title(row) for row in rows])
        self._describe(rows)

    def _row(self, replay: Replay, step: int) -> StripRow:
        feed = self._feed
        pictures = None
        if feed is not None:
            place = feed.source.place(replay, step)
            pictures = feed.shown(self._wish(step))
            if pictures is not None:
                if len(self._held) > 8:
                    self._held.clear()
                self._held[place] = pictures
            else:
                # Of another size, until those of this size are there.
                pictures = self._held.get(place)
        width, height = self.canvas.picture_room(len(self._shown_steps()))
        return strip_row(
            replay,
            step,
            pictures,
            is_whole=self._whole.isChecked(),
            is_frame=feed is not None and feed.source.is_single,
            aspect=min(width / height, 1.6),
        )

    def _title(self, row: StripRow) -> str:
        return row_title(row, is_now=row.step == self._step)

    def _caption_text(self, rows: list[StripRow]) -> str:
        replay = self._replay
        if replay is None:
            return "No run is replayed"
        if not len(replay):
            has = "scores only" if replay.run.has_scores_only else "no steps"
            return f"This run has {has}"
        if self.is_folded:
            told = "Panoramas" if self._feed is not None else "No panoramas of this run"
            return f"{told} · step {self._step}"
        row = rows[0]
        parts = [self._title(row)]
        if row.viewpoint_id:
            after = arrival_after(replay, self._step)
            chosen = next((m.number for m in row.options if m.is_chosen), None)
            number = f" ({chosen})" if chosen is not None else ""
            parts.append(
                "the run ends here"
                if after is None
                else f"next {with_short_ids(replay.viewpoint_ids[after])}{number}"
            )
        if row.caption:
            parts.append(row.caption)
        if self._feed is not None and row.reason:
            parts.append(row.reason)
        return " · ".join(parts)

    def _describe(self, rows: list[StripRow]) -> None:
        texts = [f"{self._title(row)}. {row_text(row)}" for row in rows]
        described = " ".join(texts)
        if described != self.canvas.accessibleDescription():
            self.canvas.setAccessibleDescription(described)
        options = [option_text(m, rows[0].heading_rad) for m in rows[0].options] if rows else []
        self.canvas.setWhatsThis("\n".join(options))


class _Caption(QWidget):
    """A line of text that shortens in its middle."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_text(self, text: str) -> None:
        """Show another text; the whole of it is in the tool tip."""
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.setToolTip(plain_tip(text))
            self.update()

    def sizeHint(self) -> QSize:
        """A line."""
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self._text) + 4, metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:
        """A line of a few letters."""
        return QSize(80, QFontMetrics(self.font()).height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt passes it
        """Paint what fits."""
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        shown = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), int(flags), shown)
        painter.end()


def _toggle(text: str, name: str) -> QToolButton:
    made = QToolButton()
    made.setText(text)
    made.setCheckable(True)
    made.setAccessibleName(name)
    made.setToolTip(name)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    # The pictures need the height more than the buttons do.
    made.setStyleSheet("QToolButton { padding: 1px 8px; } QToolButton:focus { padding: 0px 7px; }")
    return made

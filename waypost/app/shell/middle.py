"""The middle column and the strip below it: what each workspace shows there beside the scene."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget


class Middle(QWidget):
    """Faces of which one is shown, the 3D stage first, under a strip that folds away.

    The strip is as high as it asks for until somebody drags it; then it keeps that height, however
    the window changes and whatever is folded meanwhile.

    The stage never changes its parent, so that its GL context lives as long as the window.

    Args:
        stage: The face that is shown where a workspace asks for nothing else.
    """

    def __init__(self, stage: QWidget) -> None:
        super().__init__()
        self._stage = stage
        self.above_px = 0
        """Height that somebody gave to what stands above; 0 for none."""

        self._above, self._faces = QStackedWidget(), QStackedWidget()
        self._faces.addWidget(stage)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.addWidget(self._above)
        self._splitter.addWidget(self._faces)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.splitterMoved.connect(self._on_dragged)
        self._above.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._splitter)

    @property
    def face(self) -> QWidget:
        """What fills the column now."""
        return self._faces.currentWidget() or self._stage

    def take_keyboard(self) -> None:
        """Give the keyboard to what fills the column: what is hidden would lose every key."""
        self.face.setFocus(Qt.FocusReason.OtherFocusReason)

    def add_face(self, widget: QWidget) -> None:
        """Make a widget one that can fill the column."""
        self._faces.addWidget(widget)

    def add_above(self, widget: QWidget) -> None:
        """Make a widget one that can stand above the face, as high as its layout lets it be."""
        self._above.addWidget(widget)
        widget.installEventFilter(self)

    def show_parts(self, face: QWidget | None = None, above: QWidget | None = None) -> None:
        """Show a face (the 3D stage without one), and a strip above it or none."""
        self._faces.setCurrentWidget(face or self._stage)
        if above is not None:
            self._above.setCurrentWidget(above)
        self._above.setVisible(above is not None)
        self._fit_above()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow what stands above when parts of it are hidden, folded or shown again."""
        is_laid_out = event.type() == QEvent.Type.LayoutRequest
        if is_laid_out and self._above.currentWidget() is watched:
            self._fit_above()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give what stands above its height again where there is room for it again."""
        super().resizeEvent(event)
        self._fit_above()

    def _fit_above(self) -> None:
        """Leave no empty band above the face, and no less than is wanted if there is room."""
        above = self._above.currentWidget()
        if above is None or self._above.isHidden():
            return
        layout = above.layout()
        most_px = layout.maximumSize().height() if layout else above.maximumHeight()
        self._above.setMaximumHeight(most_px)
        wanted_px = self.above_px or above.sizeHint().height()
        wanted_px = max(min(wanted_px, most_px), above.minimumSizeHint().height())
        height_px, rest_px = self._splitter.sizes()
        if height_px + rest_px and height_px != wanted_px:
            self._splitter.setSizes([wanted_px, max(0, height_px + rest_px - wanted_px)])

    def _on_dragged(self, *_: int) -> None:
        above = self._above.currentWidget()
        if above is not None and above.minimumSizeHint().height() < self._above.maximumHeight():
            self.above_px = self._splitter.sizes()[0]


class LowerStrip(QStackedWidget):
    """Timeline and plots over the whole width; folded away where there is nothing in time."""

    height_changed = Signal()
    """What is shown needs another height than it got when it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._is_wanted = self._is_folded = False
        self.hide()

    def add(self, widget: QWidget) -> None:
        """Make a widget one that can be shown."""
        self.addWidget(widget)

    def show_part(self, widget: QWidget | None) -> None:
        """Show a widget at the height it asks for, or fold the strip away."""
        if widget is not None:
            self.setCurrentWidget(widget)
            self._fit()
        self._is_wanted = widget is not None
        self._show()

    def set_folded(self, *, is_folded: bool) -> None:
        """Put the strip away whatever is shown, or show it as before."""
        self._is_folded = is_folded
        self._show()

    def _fit(self) -> None:
        shown = self.currentWidget()
        if shown is not None and self.maximumHeight() != shown.sizeHint().height():
            self.setMaximumHeight(shown.sizeHint().height())

    def _show(self) -> None:
        self.setVisible(self._is_wanted and not self._is_folded)

    def event(self, event: QEvent) -> bool:
        """Follow what is shown where it needs another height, as with larger text."""
        is_taken = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest and self._is_wanted:
            before_px = self.maximumHeight()
            self._fit()
            if before_px != self.maximumHeight():
                self.height_changed.emit()
        return is_taken

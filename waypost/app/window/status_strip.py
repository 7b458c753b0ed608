"""The line at the bottom: is it saved, who labels, which scene, agent and engine."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from waypost.domain.base.counted_words import counted
from waypost.domain.base.visible_text import plain_tip
from waypost.services.appearance import changes_text_size
from waypost.widgets.parts import ElidedButton, ElidedLabel, frame, set_property

_NAMED = 12


class SavedLevel(StrEnum):
    """Whether what is on the screen is also on the disk."""

    SAVED = "saved"
    SAVING = "saving"
    NOT_SAVED = "not_saved"
    READ_ONLY = "read_only"


class EngineLevel(StrEnum):
    """What the physics engine is doing."""

    OFF = "off"
    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"


_SAVED_SIGNS = {
    SavedLevel.SAVED: "✓",
    SavedLevel.SAVING: "◐",
    SavedLevel.NOT_SAVED: "✕",
    SavedLevel.READ_ONLY: "⚠",
}
_SAVED_COLOURS = {
    SavedLevel.SAVED: "travels",
    SavedLevel.SAVING: "uncertain",
    SavedLevel.NOT_SAVED: "does_not",
    SavedLevel.READ_ONLY: "uncertain",
}
_ENGINE_SIGNS = {
    EngineLevel.OFF: "○",
    EngineLevel.STARTING: "◐",
    EngineLevel.READY: "●",
    EngineLevel.FAILED: "✕",
}
_ENGINE_COLOURS = {
    EngineLevel.OFF: "muted",
    EngineLevel.STARTING: "uncertain",
    EngineLevel.READY: "travels",
    EngineLevel.FAILED: "does_not",
}


def saved_text(age_s: float) -> str:
    """How long ago something was saved, e.g. ``saved 2 s ago``."""
    if age_s < 1:
        return "saved just now"
    if age_s < 60:
        return f"saved {age_s:.0f} s ago"
    if age_s < 3600:
        return f"saved {age_s // 60:.0f} min ago"
    return f"saved {age_s // 3600:.0f} h ago"


class StatusStrip(QFrame):
    """Five cells, and one while agents are driven despite missing geometry; buttons say more."""

    saved_clicked = Signal()
    annotator_clicked = Signal()
    engine_clicked = Signal()
    gaps_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "strip")
        whole = QSizePolicy.Policy.Minimum
        self._saved = _cell_button("Saved state", whole)
        self._annotator = _cell_button("Annotator", whole)
        self._scene = _YieldingLabel("no scene", Qt.TextElideMode.ElideMiddle)
        self._gaps = _cell_button("Missing geometry", whole)
        self._gaps_divider = _divider()
        self._agent = ElidedLabel("no agent")
        self._engine = _cell_button("Engine")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 2, 6, 2)
        layout.setSpacing(8)
        cells = (self._saved, self._annotator, self._scene, self._agent)
        for index, cell in enumerate(cells):
            if index:
                layout.addWidget(_divider())
            layout.addWidget(cell, int(cell is self._scene))
        layout.addWidget(self._gaps_divider)
        layout.addWidget(self._gaps)
        layout.addStretch()
        layout.addWidget(self._engine)
        self._saved.clicked.connect(self.saved_clicked)
        self._annotator.clicked.connect(self.annotator_clicked)
        self._engine.clicked.connect(self.engine_clicked)
        self._gaps.clicked.connect(self.gaps_clicked)
        self._saved_level = SavedLevel.SAVED
        self._engine_level = EngineLevel.OFF
        self.set_saved(SavedLevel.SAVED, "nothing to save")
        self.set_annotator("")
        self.set_gaps(())
        self.set_engine(EngineLevel.OFF, "engine off")

    @property
    def saved(self) -> QWidget:
        """The cell that says whether everything is saved."""
        return self._saved

    @property
    def saved_text(self) -> str:
        """What the first cell says."""
        return self._saved.full_text

    def set_saved(self, level: SavedLevel, text: str, tip: str = "") -> None:
        """Say whether the project is saved.

        Args:
            level: Picks sign and colour.
            text: E.g. ``saved 2 s ago`` or ``NOT SAVED``.
            tip: Why, if it is not.
        """
        self._saved_level = level
        _dress(self._saved, f"{_SAVED_SIGNS[level]} {text}", _SAVED_COLOURS[level], tip)

    def set_annotator(self, name: str) -> None:
        """Say whose labels these are; an empty name asks for one."""
        colour = "" if name else "uncertain"
        text = f"annotator {name}" if name else "? who labels"
        _dress(self._annotator, text, colour, "Change the name written on every label")

    @property
    def scene_text(self) -> str:
        """What the cell of the scene says, however narrow it is."""
        return self._scene.full_text

    def set_scene(self, name: str, triangle_count: int = 0, project_file: str = "") -> None:
        """Name the open scene; an empty name says that there is none.

        Args:
            name: Of the scene.
            triangle_count: How large it is.
            project_file: Where its project is kept, if not beside it.
        """
        text = f"scene {name} · {counted(triangle_count, 'triangle')}" if name else "no scene"
        self._scene.set_full_text(f"{text} · project {project_file}" if project_file else text)

    def set_gaps(self, names: tuple[str, ...]) -> None:
        """Say despite which missing geometry agents are driven; without any, nothing is shown."""
        self._gaps_names = names
        for part in (self._gaps, self._gaps_divider):
            part.setVisible(bool(names))
        if names:
            tip = "Agents are driven although this is missing:\n" + "\n".join(names[:_NAMED])
            more = f"\nand {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            text = f"⚠ drives without {counted(len(names), 'missing part')}"
            _dress(self._gaps, text, "uncertain", plain_tip(tip + more))

    def set_agent(self, text: str) -> None:
        """Name the chosen agent, e.g. ``wheelchair 0.70 × 1.00 × 1.20 m``."""
        self._agent.set_full_text(f"agent {text}" if text else "no agent")

    def set_engine(self, level: EngineLevel, text: str, tip: str = "") -> None:
        """Say what the physics engine is doing."""
        self._engine_level = level
        _dress(self._engine, f"{text} {_ENGINE_SIGNS[level]}", _ENGINE_COLOURS[level], tip)


class _YieldingLabel(ElidedLabel):
    """Has the room that its neighbours leave, up to its whole text: it shortens before they do."""

    def set_full_text(self, text: str) -> None:
        """Show another text."""
        super().set_full_text(text)
        self._limit()

    def changeEvent(self, event: QEvent) -> None:
        """Take as much room as another size of text needs."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._limit()

    def sizeHint(self) -> QSize:
        """Wide enough for a few letters; the stretch of the layout gives the rest."""
        return self.minimumSizeHint()

    def _limit(self) -> None:
        self.setMaximumWidth(super().sizeHint().width())


def _cell_button(
    name: str, policy: QSizePolicy.Policy = QSizePolicy.Policy.Preferred
) -> ElidedButton:
    # Signs stand at the ends.
    middle = Qt.TextElideMode.ElideMiddle
    made = ElidedButton(name=name, role="link", mode=middle, least_letters=14)
    made.setSizePolicy(policy, QSizePolicy.Policy.Fixed)
    return made


def _divider() -> QFrame:
    made = frame("divider")
    made.setFixedWidth(1)
    return made


def _dress(cell: ElidedButton, text: str, colour: str, tip: str) -> None:
    cell.set_full_text(text, tip=tip)
    cell.setAccessibleDescription(tip)
    set_property(cell, "tone", colour)

"""What the open scene is: sizes, unit, up axis, triangles, and what is missing."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPlainTextEdit, QVBoxLayout, QWidget

from waypost.domain.base.counted_words import counted
from waypost.domain.base.visible_text import plain_tip
from waypost.domain.scene.gaps import geometry_gaps, grouped
from waypost.domain.scene.scene import ABSENT, MissingAsset, Scene
from waypost.widgets.parts import button, heading, label, set_property
from waypost.widgets.row_layouts import FlowRows

_REPAIRS: Final = {
    "scene.up_axis": "Wrong up axis …",
    "scene.unit": "Wrong unit …",
    "scene.gaps": "Missing geometry …",
    "scene.strays": "Go to stray vertex",
}
"""Action → what its button says."""


def scene_fact_rows(scene: Scene) -> tuple[tuple[str, str], ...]:
    """Name and value of each fact about a scene."""
    size = "nothing to measure"
    if any(len(mesh.vertices) for mesh in scene.meshes):
        size = " × ".join(f"{metres:.2f}" for metres in scene.size_m) + " m"
    storeys = ", ".join(storey.name for storey in scene.storeys) or "–"
    return (
        ("size", size),
        ("triangles", f"{scene.triangle_count:,}"),
        ("meshes", f"{len(scene.meshes):,}"),
        ("format", scene.format),
        ("up axis", scene.source_up_axis),
        ("unit", f"{scene.metres_per_unit:g} m"),
        ("storeys", storeys),
    )


class SceneFacts(QWidget):
    """Facts about a scene, a list of what is wrong with it, and what can be done about that."""

    repair_chosen = Signal(str)
    """The id of the action."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = label("", "title")
        self._grid_host = QWidget()
        self._grid = QGridLayout(self._grid_host)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(1, 1)
        self._problem_title = label("")
        self._problems = QPlainTextEdit()
        self._problems.setReadOnly(True)
        self._problems.setTabChangesFocus(True)
        self._problems.setAccessibleName("Missing files and warnings of the scene")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(heading("SCENE"))
        layout.addWidget(self._title)
        layout.addWidget(self._grid_host)
        layout.addWidget(self._problem_title)
        layout.addWidget(self._make_repairs())
        layout.addWidget(self._problems, 1)
        self.set_scene(None)

    def _make_repairs(self) -> QWidget:
        """What can be done about a scene that is wrong, each by its action."""
        self._repairs = {key: button(text) for key, text in _REPAIRS.items()}
        host = QWidget()
        row = FlowRows(host, spacing_px=6)
        for key, made in self._repairs.items():
            made.clicked.connect(partial(self.repair_chosen.emit, key))
            row.addWidget(made)
        return host

    def set_scene(self, scene: Scene | None) -> None:
        """Show another scene; ``None`` says that none is open."""
        while self._grid.count():
            item = self._grid.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._title.setText(scene.name if scene else "No scene is open")
        self._title.setToolTip(plain_tip(scene.path) if scene else "")
        rows = scene_fact_rows(scene) if scene else ()
        for number, (name, value) in enumerate(rows):
            key = label(name, "muted")
            key.setWordWrap(False)
            found = label(value)
            found.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(key, number, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(found, number, 1)
        self._show_problems(scene)

    def _show_problems(self, scene: Scene | None) -> None:
        for key, made in self._repairs.items():
            made.setVisible(scene is not None and _is_wanted(key, scene))
        problems = _problem_lines(scene) if scene else ()
        looks = scene.not_shown if scene else ()
        self._problems.setVisible(bool(problems or looks))
        self._problem_title.setVisible(scene is not None)
        self._problems.setPlainText("\n".join((*problems, *looks)))
        self._problem_title.setText(_problem_title(len(problems), len(looks)))
        role = "warning" if problems else "muted" if looks else "good"
        set_property(self._problem_title, "role", role)


def _is_wanted(key: str, scene: Scene) -> bool:
    if key == "scene.gaps":
        return bool(geometry_gaps(scene))
    if key == "scene.strays":
        return any(mesh.is_stray for mesh in scene.meshes)
    return True


def _problem_title(problems: int, looks: int) -> str:
    """What heads the list; looks that are not drawn are no doubt about the geometry."""
    if problems:
        return f"⚠ {problems:,} missing or doubtful"
    if looks:
        return f"{counted(looks, 'kind of detail is', 'kinds of detail are')} not shown"
    return "✓ Nothing is missing"


def _problem_lines(scene: Scene) -> tuple[str, ...]:
    missing = (
        f"missing {group.first.kind}: {group.first.asset} (wanted by {group.wanted_by})"
        f"{_why(group.first)}"
        for group in grouped(scene.missing_assets)
    )
    left_out = (f"left out: {part.name}: {part.reason}" for part in scene.left_out)
    return (*missing, *left_out, *scene.warnings)


def _why(missing: MissingAsset) -> str:
    """What is there instead; nothing where there simply is no file."""
    return "" if missing.reason == ABSENT else f": {missing.reason}"

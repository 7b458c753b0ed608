"""What a person can do about a scene that is wrong: up axis, unit, strays, missing parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from waypost.annotators.traverse.agent_drawing import agent_drawing
from waypost.app.shell.bench_scenes import SceneWish, scene_reading
from waypost.app.shell.scene_gaps import gaps_in_force, shown_scene_path
from waypost.app.shell.stage import Stage
from waypost.app.shell.workbench import Workbench
from waypost.app.window.notices import Notices
from waypost.app.window.scene.correction_dialog import ANOTHER, AS_STATED, CorrectionDialog
from waypost.domain.base.counted_words import counted
from waypost.domain.base.frames import Vec3
from waypost.domain.base.visible_text import one_line
from waypost.domain.project import Project, allow_gaps, set_graph
from waypost.domain.scene.comparison import size_text
from waypost.domain.scene.corrections import (
    UNITS,
    carried_along,
    is_drawn_in,
    likely_unit,
    other_axis,
    stray_spots,
)
from waypost.domain.scene.gaps import gap_lines, geometry_gaps
from waypost.io.agent_files import shipped_agents
from waypost.services.engine.driven_engine import DrivenEngine
from waypost.services.judging import circumstances
from waypost.viewers.scene.drawing import NOTHING

if TYPE_CHECKING:
    from waypost.services.open_scene import OpenedScene

_PERSON = "human"
_LAYER = "person_of_correction"
_AROUND_M = 3.0
_NAMED = 8


class SceneRepairs(QObject):
    """Corrects the scene of the project, and lets agents be driven despite what it lacks.

    Each is one step of undo and kept in the project.

    Args:
        bench: What is open.
        engine: Puts agents into scenes.
        stage: Shows the scene.
        notices: Tell what was done, and offer the way past missing geometry.
        window: Owner of the dialogs.
    """

    told = Signal(str)
    """One sentence about what was done."""

    def __init__(
        self,
        bench: Workbench,
        engine: DrivenEngine,
        stage: Stage,
        notices: Notices,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bench, self._engine, self._stage, self._window = bench, engine, stage, window
        self._before: OpenedScene | None = None
        self._tried = ""
        self._spot = 0
        self.dialog: CorrectionDialog | None = None
        """The correction that is being tried."""

        self.box: QMessageBox | None = None
        """The question about missing geometry."""

        self.told.connect(notices.say)
        notices.way_past_chosen.connect(self.ask_way_past)
        bench.scene_replaced.connect(self._on_scene)
        bench.project_changed.connect(self._allow)

    def has_scene(self) -> bool:
        """Whether the project's own scene is shown."""
        return self._bench.scene is not None and self._bench.is_own_scene

    def has_strays(self) -> bool:
        """Whether there is stray geometry to go to."""
        scene = self._bench.scene
        return scene is not None and any(mesh.is_stray for mesh in scene.meshes)

    def has_gaps(self) -> bool:
        """Whether the scene lacks geometry."""
        return self._bench.scene is not None and bool(geometry_gaps(self._bench.scene))

    def correct_up_axis(self) -> None:
        """Try the other up axis on the stage, and keep it or not."""
        before = self._bench.opened
        if before is None or not self.has_scene():
            return
        choices = {"Y": "Y is up", "Z": "Z is up", AS_STATED: "As the file says"}
        self._try("Wrong up axis", "Up axis", choices, other_axis(before.scene), self._with_axis)

    def correct_unit(self) -> None:
        """Try another unit on the stage, and keep it or not."""
        before = self._bench.opened
        if before is None or not self.has_scene():
            return
        choices = {f"{unit:g}": f"{name} ({unit:g} m)" for unit, name in UNITS.items()}
        choices |= {ANOTHER: "Another length", AS_STATED: "As the file says"}
        likely = f"{likely_unit(before.scene):g}"
        self._try("Wrong unit", "One unit of the file is", choices, likely, self._with_unit)

    def go_to_stray(self) -> None:
        """Bring the next stray vertex into view."""
        scene = self._bench.scene
        spots = stray_spots(scene) if scene else ()
        if not spots:
            return
        number = self._spot % len(spots)
        x, y, z = spots[number]
        self._spot = number + 1
        self._stage.set_cut(None)
        low, high = ((x + by, y + by, z + by) for by in (-_AROUND_M, _AROUND_M))
        self._stage.view.frame_bounds(low, high)
        where = f"{x:.2f}, {y:.2f}, {z:.2f} m"
        self.told.emit(f"Stray vertex {number + 1} of {len(spots)}, at {where}.")

    def ask_way_past(self) -> None:
        """Name what is missing, and ask whether agents are to be driven all the same."""
        scene = self._bench.scene
        if scene is None or self._bench.document is None:
            return
        gaps = geometry_gaps(scene)
        missing = tuple(gap for gap in gaps if gap not in gaps_in_force(self._bench))
        if missing:
            self._ask_gaps(gaps)
        elif gaps:
            self._ask_forbid()

    def _ask_gaps(self, gaps: tuple[str, ...]) -> None:
        more = (
            "An agent can go where the missing parts would stop it. Labels, takes and drives that"
            " are made here say what was missing, and so do their exports. This can be undone."
        )
        what = counted(len(gaps), "part of the geometry is", "parts of the geometry are")
        text = f"{what} missing:\n\n{self._listed()}"
        self._open_box(text, more, "Drive all the same", gaps)

    def _ask_forbid(self) -> None:
        text = f"Agents are driven here although this is missing:\n\n{self._listed()}"
        self._open_box(text, "This can be undone.", "Do not drive here", ())

    def _open_box(self, text: str, more: str, action: str, allowed: tuple[str, ...]) -> None:
        if self.box is not None:
            self.box.close()
        box = QMessageBox(self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle("Missing geometry")
        box.setText(text)
        box.setInformativeText(more)
        agree = box.addButton(action, QMessageBox.ButtonRole.AcceptRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        box.setEscapeButton(cancel)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def answer(_: int) -> None:
            if self.box is box:
                self.box = None
            if box.clickedButton() is agree:
                self._set_allowed(allowed)

        box.finished.connect(answer)
        self.box = box
        box.open()

    def _listed(self) -> str:
        scene = self._bench.scene
        lines = gap_lines(scene) if scene else ()
        shown = [f"• {one_line(line, 160)}" for line in lines[:_NAMED]]
        rest = len(lines) - _NAMED
        return "\n".join((*shown, f"• and {rest} more") if rest > 0 else shown)

    def _set_allowed(self, gaps: tuple[str, ...]) -> None:
        document = self._bench.document
        if document is None:
            return
        shown = ", ".join(one_line(gap, 60) for gap in gaps[:2])
        more = f" and {len(gaps) - 2} more" if len(gaps) > 2 else ""
        text = f"Drive without {shown}{more}" if gaps else "Do not drive where geometry is missing"
        document.edit(text, allow_gaps(document.project, shown_scene_path(self._bench), gaps))
        lets = "Agents can be driven here. Labels and takes will say what was missing."
        self.told.emit(lets if gaps else "Nobody drives here while geometry is missing.")

    def _on_scene(self) -> None:
        self._spot = 0
        self._allow()

    def _allow(self, *_: object) -> None:
        self._engine.allow_gaps(gaps_in_force(self._bench))

    def _try(
        self,
        title: str,
        name: str,
        choices: dict[str, str],
        chosen: str,
        corrected: Callable[[Project, str], Project],
    ) -> None:
        before = self._bench.opened
        if before is None or self.dialog is not None:
            return
        graph = self._bench.project.graph
        is_drawn = is_drawn_in(graph, before.scene)
        dialog = CorrectionDialog(
            title, name, choices, chosen, len(graph.nodes),
            moves_along=is_drawn, parent=self._window,
        )  # fmt: skip
        self._before, self.dialog = before, dialog
        preview = partial(self._preview, dialog, corrected)
        dialog.value_chosen.connect(preview)
        dialog.finished.connect(lambda code: self._finish(dialog, corrected, is_kept=bool(code)))
        dialog.open()
        # What it is about must be seen beside it.
        corner = self._window.mapToGlobal(self._window.rect().topRight())
        dialog.move(corner - dialog.rect().topRight())
        preview(dialog.value)

    def _preview(
        self, dialog: CorrectionDialog, corrected: Callable[[Project, str], Project], value: str
    ) -> None:
        path, before = self._bench.own_scene_path, self._before
        if path is None or before is None:
            return
        wish = SceneWish.of(corrected(self._bench.project, value))
        if wish == SceneWish.of(self._bench.project):
            self._bench.show_own_scene()
            self._stage.view.set_drawing(_LAYER, NOTHING)
            dialog.show_scene(before.scene, before.scene)
            return
        dialog.show_reading()
        self._tried = value
        work = scene_reading(path, wish, self._bench.settings)
        job = self._bench.show_other_scene(f"Trying a correction of {path.name}", work)
        job.progressed.connect(dialog.show_reading)
        job.succeeded.connect(lambda opened: self._show(dialog, before, opened))
        job.failed.connect(lambda error: dialog.fail(str(error)))

    def _show(self, dialog: CorrectionDialog, before: OpenedScene, opened: OpenedScene) -> None:
        if dialog is not self.dialog or self._bench.opened is not opened:
            return
        self._stage.view.frame_bounds(*opened.scene.bounds_m)
        person = shipped_agents()[_PERSON]
        self._stage.view.set_drawing(_LAYER, agent_drawing(person, _middle(opened), 0.0))
        dialog.show_scene(before.scene, opened.scene, person.height_m)

    def _finish(
        self,
        dialog: CorrectionDialog,
        corrected: Callable[[Project, str], Project],
        *,
        is_kept: bool,
    ) -> None:
        before, opened = self._before, self._bench.opened
        self._before = self.dialog = None
        self._stage.view.set_drawing(_LAYER, NOTHING)
        dialog.deleteLater()
        if not is_kept or before is None or opened is None or opened is before:
            self._bench.show_own_scene()
            return
        # What is shown is kept, not what a field may hold by now.
        project = corrected(self._bench.project, self._tried)
        if dialog.moves.isChecked():
            moved = carried_along(project.graph, before.scene, opened.scene)
            project = set_graph(project, moved)
        scene = opened.scene
        said = f"{scene.source_up_axis} is up, one unit is {scene.metres_per_unit:g} m"
        self._bench.keep_shown_scene(f"Correct the scene: {said}", project, opened)
        # Those of a file that says not what they were judged on are none of them.
        now = circumstances(project, scene.content_hash)
        count = sum(label.is_stale(now) for label in project.labels.values())
        stale = f" {counted(count, 'label is', 'labels are')} stale now." if count else ""
        self.told.emit(f"{said}: the scene is {size_text(scene)}.{stale}")

    @staticmethod
    def _with_axis(project: Project, value: str) -> Project:
        return replace(project, scene_up_axis=value or None)

    @staticmethod
    def _with_unit(project: Project, value: str) -> Project:
        return replace(project, scene_metres_per_unit=float(value) if value else None)


def _middle(opened: OpenedScene) -> Vec3:
    """A floor in the middle of a scene, else the middle of its bottom."""
    low, high = opened.scene.bounds_m
    x, y = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
    floor = min((s.floor_z_m for s in opened.scene.storeys), default=low[2])
    hit = opened.rays.floor_below((x, y, floor + 1.0), high[2] - low[2])
    return (x, y, floor) if hit is None else hit.point_m

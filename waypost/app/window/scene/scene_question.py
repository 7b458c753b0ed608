"""Asks what a scene has to do with the project of another one that stands in its place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from waypost.app.shell.project_opening import Opened, new_project_work, same_house_work
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.counted_words import counted
from waypost.domain.base.progress import Work
from waypost.domain.base.visible_text import one_line
from waypost.domain.project import set_scene_file
from waypost.services.jobs import JobRunner
from waypost.services.scene_assets import AssetKeywords, asset_keywords

if TYPE_CHECKING:
    from waypost.services.open_scene import OpenedScene
    from waypost.services.same_house import HouseComparison

_Role = QMessageBox.ButtonRole


class SceneQuestion(QObject):
    """Two scenes never share a project in silence.

    A scene gets a project of its own; or it is the same house in another file: then both are
    compared, what differs is said, and only then the project is pointed at it, undoably.

    Args:
        bench: What is open.
        jobs: Compares.
        window: Owner of the questions.
    """

    def __init__(self, bench: Workbench, jobs: JobRunner, window: QWidget) -> None:
        super().__init__(window)
        self._bench, self._jobs, self._window = bench, jobs, window
        self.box: QMessageBox | None = None
        """The question that waits for an answer."""

        bench.scene_unclaimed.connect(self._ask)

    def _ask(self, opened: Opened) -> None:
        scene, place = opened.scene, opened.free_place
        if scene is None or place is None:
            return
        name = one_line(Path(scene.scene.path).name)
        their_file = _file_name(opened)
        theirs = one_line(Path(opened.loaded.project.scene_path).name)
        whose = f"belongs to the scene {theirs}" if theirs else "has no scene yet"
        self._open(
            "Whose project?",
            f"{their_file} {whose}; {name} has no project.",
            f"Nodes and labels of different scenes are never mixed. A new project would be"
            f" {one_line(str(place))}",
            {
                "Make a new project": lambda: self._make(scene, place),
                "It is the same house …": lambda: self._compare(opened, scene),
            },
        )

    def _compare(self, opened: Opened, scene: OpenedScene) -> None:
        loaded = opened.loaded
        assets = asset_keywords(self._bench.settings, loaded.store.root / loaded.project.scene_path)
        job = self._jobs.start("Comparing two scenes", _comparing(opened, scene, assets))
        job.succeeded.connect(lambda found: self._confirm(opened, scene, found))
        job.failed.connect(lambda error: self._bench.refused.emit(str(error)))

    def _confirm(self, opened: Opened, scene: OpenedScene, found: HouseComparison) -> None:
        name = one_line(Path(scene.scene.path).name)
        said = "The same size, place and storeys, and floor below every node."
        if not found.is_same:
            said = "\n".join(
                f"• {one_line(text, 300)}" for text in (*found.differences, found.unread) if text
            )
        stale = counted(found.stale_labels, "label was", "labels were")
        after = "The project keeps its nodes, labels and runs. This can be undone."
        if found.stale_labels:
            after = f"{stale} given on other triangles, and would be shown as stale. {after}"
        self._open(
            "The same house?",
            f"Use {name} as the scene of {_file_name(opened)}?\n\n{said}",
            after,
            {f"Use {name}": lambda: self._point(opened, scene)},
            is_doubtful=not found.is_same,
        )

    def _make(self, scene: OpenedScene, place: Path) -> None:
        author, data_folder = self._bench.annotator, self._bench.data_folder
        work = partial(new_project_work, place, scene, author, data_folder)
        self._bench.open_by(place.name, work)

    def _point(self, opened: Opened, scene: OpenedScene) -> None:
        """Open the project of another scene with this one in its place; one step of undo."""
        from waypost.services.project_places import stated_scene  # noqa: PLC0415 - loaded by now

        store, path = opened.loaded.store, Path(scene.scene.path)
        file = store.location if isinstance(store.location, Path) else store.root / "project"
        stated = stated_scene(file, path, self._bench.data_folder)

        def use() -> None:
            text = f"Use {path.name} for the scene"
            project = set_scene_file(self._bench.project, stated)
            self._bench.keep_shown_scene(text, project, scene)

        self._bench.open_by(
            _file_name(opened),
            partial(same_house_work, opened, self._bench.steps_folder, self._bench.annotator),
            use,
        )

    def _open(
        self,
        title: str,
        text: str,
        more: str,
        choices: dict[str, Callable[[], Any]],
        *,
        is_doubtful: bool = False,
    ) -> None:
        if self.box is not None:
            self.box.close()
        box = QMessageBox(self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(title)
        box.setText(text)
        box.setInformativeText(more)
        buttons = {box.addButton(said, _Role.AcceptRole): act for said, act in choices.items()}
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel if is_doubtful else next(iter(buttons)))
        box.setEscapeButton(cancel)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def answer(_: int) -> None:
            if self.box is box:
                self.box = None
            chosen = buttons.get(box.clickedButton())  # type: ignore[call-overload]
            if chosen is not None:
                chosen()

        box.finished.connect(answer)
        self.box = box
        box.open()


def _file_name(opened: Opened) -> str:
    location = opened.loaded.store.location
    return one_line(location.name if isinstance(location, Path) else opened.loaded.project.name)


def _comparing(opened: Opened, scene: OpenedScene, assets: AssetKeywords) -> Work[HouseComparison]:
    from waypost.services.same_house import compare_houses_job  # noqa: PLC0415 - the job waits

    return (yield from compare_houses_job(opened.loaded, scene, assets))

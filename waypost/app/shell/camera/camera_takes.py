"""Films from the window: tours along the graph, panoramas at its nodes, and what a hand did."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from waypost.app.shell.camera.film_dialog import (
    FilmDialog,
    FilmSettings,
    PanoramaDialog,
    PanoramaSettings,
)
from waypost.app.shell.camera.hand_camera import HandCamera
from waypost.app.shell.workbench import Workbench
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import yaw_from_r2r_heading
from waypost.domain.base.sentences import capitalised
from waypost.domain.record.camera_take import (
    CameraPose,
    FieldOfView,
    FovAxis,
    PictureSize,
    TourPicture,
    TourSettings,
    find_node,
    names_of,
    route_through,
    seen_at,
    walk,
)
from waypost.domain.scene.graph import NavigationGraph, Node
from waypost.io.camera_takes.encoders import codec_of
from waypost.services.jobs import JobRunner
from waypost.viewers.scene.film_camera import FilmCamera
from waypost.viewers.scene.filming import (
    REFERENCE,
    Filming,
    PanoramaWish,
    film_panoramas,
    film_tour,
)
from waypost.viewers.scene.view import SceneView
from waypost.widgets.message_strip import Message


class CameraTakes(QObject):
    """Asks how to film, and films as a job with progress and cancel.

    Args:
        bench: The scene and the graph.
        view: Whose camera a hand moves.
        jobs: Encodes and writes.
        window: Owner of the dialogs.
    """

    told = Signal(object)
    """What was filmed: one sentence, or a `Message`."""

    def __init__(self, bench: Workbench, view: SceneView, jobs: JobRunner, window: QWidget) -> None:
        super().__init__(window)
        self._bench, self._jobs, self._window = bench, jobs, window
        self.hand = HandCamera(view, self)
        self._camera: FilmCamera | None = None
        bench.scene_replaced.connect(self.hand.stop)

    @property
    def is_filming(self) -> bool:
        """Whether pictures are taken, or a hand is watched for a film."""
        return self._camera is not None or self.hand.is_watching

    def can_film(self) -> bool:
        """Whether a scene is open and nothing is being filmed."""
        return self._bench.prepared is not None and self._camera is None

    def can_tour(self) -> bool:
        """Whether there is a graph to walk along as well, which belongs to the scene shown."""
        return self._is_at_home() and bool(self._bench.project.graph.edges)

    def can_take_nodes(self) -> bool:
        """Whether there are nodes to stand at in the scene that is shown."""
        return self._is_at_home() and bool(self._bench.project.graph.nodes)

    def ask_tour(self) -> None:
        """Ask for a way along the graph and how to film it."""
        graph = self._bench.project.graph
        ends = self._chosen_nodes()
        if len(ends) < 2:
            edge = next(iter(graph.edges.values()))
            ends = [edge.from_id, edge.to_id]
        names = ", ".join(_quoted(graph.nodes[node_id].name or node_id) for node_id in ends)
        dialog = FilmDialog(self._ask_video, self._proposed("tour.mp4"), names, self._window)
        self._show(dialog, lambda: self.film_tour(dialog.settings))

    def ask_panoramas(self) -> None:
        """Ask which pictures to take at which nodes."""
        self._ask_pictures("", "both", "panoramas")

    def ask_reference(self) -> None:
        """Ask for a reference picture of a goal: the chosen node, or the first."""
        graph = self._bench.project.graph
        node_id = [*self._chosen_nodes(), next(iter(graph.nodes))][0]
        name = _quoted(graph.nodes[node_id].name or node_id)
        self._ask_pictures(name, REFERENCE, "reference")

    def toggle_hand(self) -> None:
        """Begin to watch the camera, or end it and ask how to film what was seen."""
        if not self.hand.is_watching:
            self.hand.start()
            self.told.emit(
                Message(
                    "● The camera is being watched: fly or drive as it is to be filmed, then choose"
                    " the same command again."
                )
            )
            return
        poses = self.hand.stop()
        dialog = FilmDialog(self._ask_video, self._proposed("by_hand.mp4"), None, self._window)
        self._show(dialog, lambda: self.film_hand(dialog.settings, poses))

    def film_tour(self, wanted: FilmSettings) -> None:
        """Film a way along the graph.

        Raises:
            InputError: If what is wanted cannot be filmed.
        """
        graph = self._bench.project.graph
        settings = TourSettings(
            wanted.fps, wanted.speed_mps, wanted.eye_height_m, turn_time_s=wanted.turn_time_s
        )
        way = route_through(graph, [find_node(graph, name) for name in names_of(wanted.nodes)])
        self._film(wanted, walk([graph.nodes[node_id].position_m for node_id in way], settings))

    def film_hand(self, wanted: FilmSettings, poses: tuple[tuple[int, CameraPose], ...]) -> None:
        """Film what was seen while the camera was watched.

        Raises:
            InputError: If what is wanted cannot be filmed.
        """
        self._film(wanted, seen_at(poses, wanted.fps))

    def take_panoramas(self, wanted: PanoramaSettings) -> None:
        """Take the pictures at nodes.

        Raises:
            InputError: If what is wanted cannot be taken.
        """
        scene, graph = self._bench.scene, self._bench.project.graph
        if not wanted.folder:
            raise InputError("Choose a folder.")
        if scene is None:
            raise InputError("No scene is open.")
        sphere = PictureSize(wanted.sphere_width_px, wanted.sphere_width_px // 2)
        wish = PanoramaWish(
            wanted.views,
            FieldOfView(math.radians(wanted.fov_deg)),
            PictureSize(wanted.size_px, wanted.size_px),
            sphere,
            yaw_from_r2r_heading(math.radians(wanted.heading_deg)),
            wanted.eye_height_m,
            None,
            wanted.ending,
        )
        folder = Path(wanted.folder)
        nodes = _nodes_of(wanted.nodes, graph)
        work = film_panoramas(folder, scene, nodes, tuple(graph.nodes), wish)
        places = counted(len(nodes), "node")
        self._start(
            f"Taking pictures at {places}",
            work,
            lambda count: f"{counted(count, 'picture')} at {places} in {folder}.",
        )

    def _is_at_home(self) -> bool:
        """Whether what can be filmed is the project's own scene: its nodes stand in no other."""
        return self.can_film() and self._bench.is_own_scene

    def _film(self, wanted: FilmSettings, pictures: tuple[TourPicture, ...]) -> None:
        if not wanted.file:
            raise InputError("Choose a file.")
        path = Path(wanted.file)
        if path.suffix.lower() != ".mp4":
            raise InputError("A video ends in .mp4.")
        size = PictureSize(wanted.width_px, wanted.height_px)
        if size.width_px % 2 or size.height_px % 2:
            raise InputError("A video needs an even width and height.")
        fov = FieldOfView(math.radians(wanted.fov_deg), FovAxis(wanted.fov_axis))
        work = film_tour(path, pictures, fov, size, wanted.fps)
        self._start(
            f"Filming {path.name}",
            work,
            lambda count: _filmed(count, path),
        )

    def _start(self, title: str, work: Filming[int], told: Callable[[int], str]) -> None:
        scene, prepared = self._bench.scene, self._bench.prepared
        if scene is None or prepared is None or self._camera is not None:
            raise InputError("Something is being filmed already, or no scene is open.")
        camera = self._camera = FilmCamera(scene, prepared.packed, self)
        job = self._jobs.start(title, camera.film(_telling(work, told)))

        def end() -> None:
            camera.close()
            camera.deleteLater()
            self._camera = None

        def succeed(sentence: str) -> None:
            end()
            self.told.emit(sentence)

        def fail(error: Exception) -> None:
            end()
            self._bench.refused.emit(str(error))

        def stop() -> None:
            end()
            self.told.emit("Filming was cancelled; nothing of it is left.")

        job.succeeded.connect(succeed)
        job.failed.connect(fail)
        job.cancelled.connect(stop)

    def _ask_pictures(self, nodes: str, views: str, folder: str) -> None:
        dialog = PanoramaDialog(
            self._ask_folder, self._proposed(folder), nodes, views, self._window
        )
        self._show(dialog, lambda: self.take_panoramas(dialog.settings))

    def _show(self, dialog: FilmDialog | PanoramaDialog, film: Callable[[], None]) -> None:
        """Show a dialog until what it asks for can be filmed."""

        def attempt() -> None:
            try:
                film()
            except InputError as error:
                sentence = str(error)
                dialog.fail(f"{capitalised(sentence.rstrip('.'))}.")
            else:
                dialog.accept()

        dialog.submitted.connect(attempt)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _chosen_nodes(self) -> list[str]:
        chosen = self._bench.selection.node_ids
        return [node_id for node_id in self._bench.project.graph.nodes if node_id in chosen]

    def _proposed(self, name: str) -> str:
        document = self._bench.document
        return str((document.store.root if document else Path.home()) / name)

    def _ask_video(self) -> str:
        path, _ = QFileDialog.getSaveFileName(
            self._window, "Video", self._proposed("tour.mp4"), "Videos (*.mp4)"
        )
        return path

    def _ask_folder(self) -> str:
        return QFileDialog.getExistingDirectory(self._window, "Pictures", self._proposed(""))


def _nodes_of(text: str, graph: NavigationGraph) -> tuple[Node, ...]:
    names = names_of(text) if text.strip() else ()
    ids = dict.fromkeys(find_node(graph, name) for name in names) or graph.nodes
    return tuple(graph.nodes[node_id] for node_id in ids)


def _quoted(name: str) -> str:
    return f'"{name}"' if "," in name else name


def _telling(work: Filming[int], told: Callable[[int], str]) -> Filming[str]:
    """Do the work and say what came of it, on one thread: a film is read for that."""
    return told((yield from work))


def _filmed(count: int, path: Path) -> str:
    told = f"{counted(count, 'picture')} in {path}, with the poses beside it."
    return f"{told} {codec_of(path).note}".rstrip()
